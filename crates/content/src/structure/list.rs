//! The structures.

use app::extract::{Paging, Query, Reader};
use app::record::{ListOf, Resource, no_such_sort, sort_of};
use app::{App, filter};
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use store::structure::StructureFilter;
use utoipa::IntoParams;

use super::{StructureError, StructureResource, StructureView};

/// The filters of the list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct StructureQuery {
    /// Words of the name, the town, the registration or the mail address.
    search: Option<String>,
    /// Identifiers of types, with commas.
    kind: Option<String>,
    /// Identifiers, with commas.
    ids: Option<String>,
    /// `title` (the default), `-title`, `updated_at`, `-updated_at`.
    sort: Option<String>,
}

/// The structures, by name.
#[utoipa::path(get, path = "/api/v1/structures", tag = "people", security(("session" = ["content.read"])), params(StructureQuery, Paging),
    responses((status = 200, body = ListOf<StructureView>), StructureError))]
pub async fn list_structures(
    State(app): State<App>,
    reader: Reader,
    Query(query): Query<StructureQuery>,
    Query(paging): Query<Paging>,
) -> Result<Json<ListOf<StructureView>>, StructureError> {
    let filter = StructureFilter {
        search: query.search,
        kinds: filter::ids("kind", query.kind.as_deref())?.unwrap_or_default(),
        ids: filter::ids("ids", query.ids.as_deref())?,
    };
    let db = app.store.read();
    let found = store::structure::list(db, &filter, sort_of(query.sort.as_deref(), "title"), paging.page()).await?;
    let (records, counted) = found.ok_or_else(no_such_sort)?;
    Ok(Json(ListOf::new(StructureResource::views(&app, db, &reader, records).await?, counted)))
}
