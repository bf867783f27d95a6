//! Look at a parcours.

use app::App;
use app::extract::{Path, Reader};
use axum::extract::State;
use domain::ParcoursId;

use super::error::ParcoursError;
use super::json::JsonText;
use super::saving::shown;
use super::view::ParcoursView;

/// One parcours, whole.
#[utoipa::path(get, path = "/api/v1/parcours/{id}", tag = "parcours", params(("id" = i64, Path)), security(("session" = ["content.read"])),
    responses((status = 200, body = ParcoursView), ParcoursError))]
pub async fn show_parcours(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<ParcoursId>,
) -> Result<JsonText, ParcoursError> {
    shown(&app, app.store.read(), id, &reader).await
}
