//! The itineraries.

use app::extract::{Paging, Query, Reader};
use app::record::{ListOf, Resource, no_such_sort, sort_of};
use app::{App, filter};
use axum::Json;
use axum::extract::State;
use domain::itinerary::ItineraryKind;
use serde::Deserialize;
use store::itinerary::ItineraryFilter;
use utoipa::IntoParams;

use super::{ItineraryError, ItineraryResource, ItineraryView};

/// The filters of the list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct ItineraryQuery {
    /// Words of the name or the code.
    search: Option<String>,
    /// `cycle_route`, `river`, with commas.
    kind: Option<String>,
    /// Identifiers, with commas.
    ids: Option<String>,
    /// `title` (the default), `updated_at`, `length`; with `-` the greatest first.
    sort: Option<String>,
}

/// The itineraries, by name, without their lines.
#[utoipa::path(get, path = "/api/v1/itineraries", tag = "itineraries", security(("session" = ["content.read"])),
    params(ItineraryQuery, Paging), responses((status = 200, body = ListOf<ItineraryView>), ItineraryError))]
pub async fn list_itineraries(
    State(app): State<App>,
    reader: Reader,
    Query(query): Query<ItineraryQuery>,
    Query(paging): Query<Paging>,
) -> Result<Json<ListOf<ItineraryView>>, ItineraryError> {
    let filter = ItineraryFilter {
        search: query.search,
        kinds: filter::words("kind", query.kind.as_deref(), ItineraryKind::parse)?,
        ids: filter::ids("ids", query.ids.as_deref())?,
    };
    let db = app.store.read();
    let found = store::itinerary::list(db, &filter, sort_of(query.sort.as_deref(), "title"), paging.page()).await?;
    let (records, counted) = found.ok_or_else(no_such_sort)?;
    let mut views = ItineraryResource::views(&app, db, &reader, records).await?;
    // A line may be a megabyte: a list does without.
    for view in &mut views {
        view.sheet.line = None;
    }
    Ok(Json(ListOf::new(views, counted)))
}
