//! Change a parcours.

use app::App;
use app::extract::{Body, Editor, IfMatch, Path};
use app::record::operations;
use axum::extract::State;
use domain::ParcoursId;
use domain::parcours::Sheet;
use serde_json::{Map, Value};

use super::content::{ParcoursContent, at};
use super::error::ParcoursError;
use super::json::JsonText;
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
    operations::update::<ParcoursContent>(&app, &editor, at(id), version, &patch).await
}
