//! The audio walks of a parcours: what is set of them, the voices that read them, and what the public hears.

mod error;
pub mod public_walk;
mod settings;
mod sounds;
mod speech;
pub mod work;

use app::App;
use app::routes;
pub use error::AudioError;
pub use public_walk::{PublicAudioWalk, PublicSound, PublicStory, WalkSelection, public_walks};
pub use settings::AudioWalkView;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this folder.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(settings::show_audio_walk, settings::update_audio_walk))
        .routes(routes!(speech::list_voices))
        .routes(routes!(speech::start_audio_speech, speech::cancel_audio_speech))
}
