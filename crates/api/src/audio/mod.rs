//! The audio walks of a parcours: what is set of them, the voices that read them, and what the public hears.

mod error;
mod public;
mod settings;
mod sounds;
mod speech;
pub mod work;

pub(crate) use public::{Listened, PublicSound, PublicStory, Walks, listened};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use error::AudioError;
pub use settings::AudioWalkView;

use crate::App;
use crate::second_path::also_at;

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(settings::show_audio_walk, settings::update_audio_walk))
        .routes(routes!(speech::list_voices))
        .routes(routes!(speech::start_audio_speech, speech::cancel_audio_speech))
        .routes(routes!(public::show_public_audio))
        .routes(also_at("/k/{key}/api/public/v1/parcours/{id}/audio", "keyed", routes!(public::show_public_audio)))
}
