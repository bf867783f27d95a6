//! The parcours a closure touches.

use app::App;
use app::extract::{Path, Reader};
use app::record::At;
use app::record::operations::seen;
use axum::Json;
use axum::extract::State;
use domain::closure::ClosedStretch;
use domain::{ParcoursId, Text};
use serde::Serialize;
use store::parcours::{TouchedParcours, touched_by};
use utoipa::ToSchema;

use super::{ClosureError, ClosureResource};

/// A parcours that a closure touches.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ClosedParcoursView {
    id: ParcoursId,
    title: Text,
    stretches: Vec<ClosedStretch>,
}

impl From<TouchedParcours> for ClosedParcoursView {
    fn from(touched: TouchedParcours) -> Self {
        Self { id: touched.id, title: touched.title, stretches: touched.stretches }
    }
}

/// Parcours that a closure touches.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ClosedParcoursList {
    items: Vec<ClosedParcoursView>,
}

/// The parcours that a closure touches, of those one sees: at most 500.
#[utoipa::path(get, path = "/api/v1/closures/{id}/parcours", tag = "closures", params(("id" = i64, Path)),
    security(("session" = ["content.read"])), responses((status = 200, body = ClosedParcoursList), ClosureError))]
pub async fn list_closed_parcours(
    State(app): State<App>,
    reader: Reader,
    Path(at): Path<At>,
) -> Result<Json<ClosedParcoursList>, ClosureError> {
    let db = app.store.read();
    let closure = seen::<ClosureResource>(db, &reader, &at).await?;
    let found = touched_by(db, closure.id, &reader).await?;
    Ok(Json(ClosedParcoursList { items: found.into_iter().map(Into::into).collect() }))
}
