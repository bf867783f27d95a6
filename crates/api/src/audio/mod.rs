//! The audio walks of a parcours: what is set of them, the voices that read them, and what the public hears.

mod error;
mod listened;
mod settings;
mod sounds;
mod speech;
pub mod work;

pub use error::AudioError;
pub(crate) use listened::{Listened, PublicSound, PublicStory, Walks, listened};
pub use settings::AudioWalkView;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::App;

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(settings::show_audio_walk, settings::update_audio_walk))
        .routes(routes!(speech::list_voices))
        .routes(routes!(speech::start_audio_speech, speech::cancel_audio_speech))
}
