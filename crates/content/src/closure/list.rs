//! The closures.

use app::extract::{Paging, Query, Reader};
use app::record::{ListOf, Resource, no_such_sort, sort_of};
use app::{App, Rejection, filter};
use axum::Json;
use axum::extract::State;
use domain::closure::{ClosureKind, ClosureState};
use serde::Deserialize;
use store::closure::ClosureFilter;
use utoipa::{IntoParams, ToSchema};

use super::{ClosureError, ClosureResource, ClosureView};

/// The filters of the list.
#[derive(Debug, Clone, Default, Deserialize, IntoParams, ToSchema)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct ClosureQuery {
    /// Words of the title.
    search: Option<String>,
    /// `now`, `later` or `past`.
    state: Option<String>,
    /// `works`, `weather`, `hunting`, `forestry`, `protection`, `event`, `other`, with commas.
    kind: Option<String>,
    /// West, south, east, north: those whose box touches this one.
    bbox: Option<String>,
    /// Identifiers, with commas.
    ids: Option<String>,
    /// `from`, `title`, `updated_at`, each with `-`; the last to begin first by default.
    sort: Option<String>,
}

/// The closed areas and stretches.
#[utoipa::path(get, path = "/api/v1/closures", tag = "closures", security(("session" = ["content.read"])),
    params(ClosureQuery, Paging), responses((status = 200, body = ListOf<ClosureView>), ClosureError))]
pub async fn list_closures(
    State(app): State<App>,
    reader: Reader,
    Query(query): Query<ClosureQuery>,
    Query(paging): Query<Paging>,
) -> Result<Json<ListOf<ClosureView>>, ClosureError> {
    let state = query.state.as_deref().filter(|word| !word.is_empty());
    let state = state
        .map(|word| ClosureState::parse(word).ok_or_else(|| Rejection::BadQuery { name: "state".to_owned() }))
        .transpose()?;
    let filter = ClosureFilter {
        search: query.search,
        state: state.map(|state| (state, app.today())),
        kinds: filter::words("kind", query.kind.as_deref(), ClosureKind::parse)?,
        bbox: filter::bbox(query.bbox.as_deref())?,
        ids: filter::ids("ids", query.ids.as_deref())?,
    };
    let db = app.store.read();
    let found = store::closure::list(db, &filter, sort_of(query.sort.as_deref(), "-from"), paging.page()).await?;
    let (records, counted) = found.ok_or_else(no_such_sort)?;
    Ok(Json(ListOf::new(ClosureResource::views(&app, db, &reader, records).await?, counted)))
}
