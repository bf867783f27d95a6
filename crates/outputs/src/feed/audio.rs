//! The audio walk of a parcours, for clients of others.

use app::App;
use app::extract::{Path, Query};
use app::problem::Internal;
use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;
use serde::Deserialize;
use tracing::instrument;
use utoipa::IntoParams;

use super::{FeedError, JSON, PublicKey, RecordPath, language_of, reached, remembered};
use crate::audio::{PublicAudioWalk, WalkSelection, public_walks};

/// The language of the walk.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct AudioQuery {
    /// One of its languages; the first one where it cannot be heard in this one.
    language: Option<String>,
}

/// The audio walk of a parcours: where what is heard, the addresses of its sounds, and the same to read.
#[utoipa::path(get, path = "/api/public/v1/parcours/{id}/audio", tag = "feeds", security(("api_key" = [])),
    params(("id" = i64, Path), AudioQuery),
    responses((status = 200, body = PublicAudioWalk), (status = 304, description = "Not modified"), FeedError))]
#[instrument(name = "feed.show_audio", skip_all, fields(parcours.id = %id))]
pub async fn show_public_audio(
    State(app): State<App>,
    key: PublicKey,
    Path(RecordPath { id }): Path<RecordPath>,
    Query(query): Query<AudioQuery>,
    parts: Parts,
) -> Result<Response, FeedError> {
    let language = language_of(&app, query.language.as_deref())?;
    let one = async {
        let id = reached(&app, &key, id).await?.ok_or(FeedError::NotFound)?;
        let walk = public_walks(&app, &app.settings.public_url, id, WalkSelection::Preferred(&language)).await?.pop();
        let walk = walk.ok_or(FeedError::NotFound)?;
        Ok(serde_json::to_string(&walk).map_err(Internal::new)?)
    };
    remembered(&app, &key, &parts, JSON, one).await
}
