//! A person at the desk reviews an entry.

use app::App;
use app::extract::{Body, Editor, Path};
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use store::ground as rows;
use utoipa::ToSchema;

use super::GroundError;
use super::view::{GroundEntryView, one};

/// Whether an entry is reviewed.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GroundReview {
    /// False: it waits again.
    reviewed: bool,
}

/// Mark an entry from the ground as reviewed, or as waiting.
#[utoipa::path(put, path = "/api/v1/ground/entries/{id}/review", tag = "ground", params(("id" = String, Path)), request_body = GroundReview,
    security(("session" = ["content.write"])), responses((status = 200, body = GroundEntryView), GroundError))]
#[tracing::instrument(name = "ground.review", skip_all)]
pub async fn review_ground_entry(
    State(app): State<App>,
    editor: Editor,
    Path(id): Path<String>,
    Body(sent): Body<GroundReview>,
) -> Result<Json<GroundEntryView>, GroundError> {
    let tx = app.store.begin().await?;
    if !rows::find(&tx, &id).await?.is_some_and(|entry| editor.works_in(entry.white_label_id)) {
        return Err(GroundError::NotFound);
    }
    if sent.reviewed {
        rows::set_reviewed(&tx, &id, Some(editor.user_id), app.now()).await?;
    } else {
        rows::set_waiting(&tx, &id).await?;
    }
    let shown = one(&editor, &tx, &id).await?;
    tx.commit().await?;
    Ok(Json(shown))
}
