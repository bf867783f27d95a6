//! The entries of a white-label.

use app::App;
use app::extract::{Paging, Query, Reader};
use axum::Json;
use axum::extract::State;
use domain::{Instant, ParcoursId};
use serde::{Deserialize, Serialize};
use store::ground::{self as rows, EntryFilter};
use utoipa::{IntoParams, ToSchema};

use super::GroundError;
use super::view::{GroundEntryView, views};
use crate::parcours::access::own;

/// Which entries are asked for.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct GroundQuery {
    /// Those about one parcours; otherwise those of the active white-label.
    parcours_id: Option<i64>,
    /// `true`: those that were reviewed; `false`: those that wait.
    reviewed: Option<bool>,
    /// The one with this identifier.
    id: Option<String>,
}

/// A page of entries, the one received last first.
#[derive(Debug, Serialize, ToSchema)]
pub struct GroundEntries {
    items: Vec<GroundEntryView>,
    total: i64,
    /// When the parcours that was asked for was last surveyed.
    surveyed_at: Option<Instant>,
}

/// What was sent from the ground.
#[utoipa::path(get, path = "/api/v1/ground/entries", tag = "ground", params(GroundQuery, Paging), security(("session" = ["content.read"])),
    responses((status = 200, body = GroundEntries), GroundError))]
pub async fn list_ground_entries(
    State(app): State<App>,
    reader: Reader,
    Query(query): Query<GroundQuery>,
    Query(paging): Query<Paging>,
) -> Result<Json<GroundEntries>, GroundError> {
    let db = app.store.read();
    let parcours = query.parcours_id.map(ParcoursId);
    let (white_label, surveyed_at) = match parcours {
        Some(id) => (own(db, id, &reader).await?.white_label_id, rows::surveyed_at(db, id).await?),
        None => (reader.active_white_label_id, None),
    };
    let filter = EntryFilter { white_label, parcours, reviewed: query.reviewed, id: query.id };
    let found = rows::list(db, &filter, paging.page()).await?;
    let items = views(&reader, db, found).await?;
    Ok(Json(GroundEntries { items, total: rows::count(db, &filter).await?, surveyed_at }))
}
