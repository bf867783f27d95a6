//! Content of other white-labels on the user's own.

use app::App;
use app::extract::{Body, Path, Publisher};
use app::record::owned::may_link;
use app::record::{LinkInput, Refusal};
use axum::extract::State;
use axum::http::StatusCode;
use domain::{ParcoursId, WhiteLabelId};
use store::parcours as rows;

use super::access::seen;
use super::error::{ParcoursError, not_found};

/// Add a parcours of another white-label to the user's own, or change its switch there.
#[utoipa::path(put, path = "/api/v1/parcours/{id}/white-labels/{white_label_id}", tag = "parcours",
    params(("id" = i64, Path), ("white_label_id" = i64, Path)), security(("session" = ["content.publish"])),
    request_body(content = LinkInput), responses((status = 204), ParcoursError))]
pub async fn link_parcours(
    State(app): State<App>,
    publisher: Publisher,
    Path((id, white_label)): Path<(ParcoursId, WhiteLabelId)>,
    Body(sent): Body<LinkInput>,
) -> Result<StatusCode, ParcoursError> {
    let tx = app.store.begin().await?;
    let header = seen(&tx, id, &publisher).await?;
    may_link(&publisher, Some(header.white_label_id), white_label)?;
    rows::link_white_label(&tx, id, white_label, sent.published, app.now()).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Take a parcours of another white-label away from the user's own.
#[utoipa::path(delete, path = "/api/v1/parcours/{id}/white-labels/{white_label_id}", tag = "parcours",
    params(("id" = i64, Path), ("white_label_id" = i64, Path)), security(("session" = ["content.publish"])),
    responses((status = 204), ParcoursError))]
pub async fn unlink_parcours(
    State(app): State<App>,
    publisher: Publisher,
    Path((id, white_label)): Path<(ParcoursId, WhiteLabelId)>,
) -> Result<StatusCode, ParcoursError> {
    let tx = app.store.begin().await?;
    seen(&tx, id, &publisher).await?;
    if !publisher.works_in(white_label) {
        return Err(Refusal::WhiteLabelNotYours.into());
    }
    if !rows::unlink_white_label(&tx, id, white_label, app.now()).await? {
        return Err(not_found(id));
    }
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
