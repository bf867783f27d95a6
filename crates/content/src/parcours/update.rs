//! Change a parcours.

use app::App;
use app::extract::{Body, Editor, IfMatch, Path};
use app::markup::prepare_parcours;
use axum::extract::State;
use domain::ParcoursId;
use domain::parcours::Sheet;
use serde_json::{Map, Value};
use store::parcours as rows;

use super::access::held_at;
use super::error::ParcoursError;
use super::input::patched;
use super::json::JsonText;
use super::saving::{change, shown};
use super::view::ParcoursView;

/// Change fields of the sheet, by JSON merge patch (RFC 7396). `If-Match` names the version the change was made from.
#[utoipa::path(patch, path = "/api/v1/parcours/{id}", tag = "parcours", request_body(content = Sheet),
    params(("id" = i64, Path), ("If-Match" = String, Header)), security(("session" = ["content.write"])),
    responses((status = 200, body = ParcoursView), ParcoursError))]
#[tracing::instrument(name = "parcours.update", skip_all, fields(parcours.id = %id))]
pub async fn update_parcours(
    State(app): State<App>,
    editor: Editor,
    Path(id): Path<ParcoursId>,
    version: IfMatch,
    Body(patch): Body<Map<String, Value>>,
) -> Result<JsonText, ParcoursError> {
    prepare_parcours(&patch).await?;
    let tx = app.store.begin().await?;
    let before = held_at(&app, &tx, id, &editor, version).await?;
    let after = patched(&app, &tx, &editor, &before, &patch).await?;
    rows::save(&tx, &before, after, None, change(&app, &editor, None)).await?;
    let reply = shown(&app, &tx, id, &editor).await?;
    tx.commit().await?;
    Ok(reply)
}
