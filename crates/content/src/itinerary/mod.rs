//! Itineraries, cycle routes and rivers: every user reads them, those who manage the reference data change them.

mod following;
mod line;
mod list;

use app::App;
use app::extract::Superadmin;
use app::record::owned::locked;
use app::record::{Head, RecordError, Resource, record_operations};
use app::routes;
use axum::extract::DefaultBodyLimit;
use domain::itinerary::{ItinerarySheet, MultiLine};
use domain::{Actor, Capability};
use serde::Serialize;
use store::itinerary::Itineraries;
use store::record::Stored;
use store::{Connection, StoreError};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

/// Errors of an itinerary.
pub type ItineraryError = RecordError<ItineraryResource>;

/// A named long-distance way.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Itinerary)]
pub struct ItineraryView {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    sheet: ItinerarySheet,
    /// The length of its line, holes left out.
    length_m: f64,
    /// West, south, east, north of its line.
    #[schema(value_type = Option<trace::BoundingBox>)]
    bbox: Option<[f64; 4]>,
}

/// The resource of itineraries.
#[derive(Debug)]
pub struct ItineraryResource;

impl Resource for ItineraryResource {
    type Record = Itineraries;
    type Sheet = ItinerarySheet;
    type View = ItineraryView;
    const PATH: &'static str = "/api/v1/itineraries";
    const NOT_FOUND: &'static str = "itinerary/not-found";
    const NOT_YOURS: &'static str = "itinerary/not-yours";
    const IN_USE: &'static str = "itinerary/in-use";

    async fn sees(_db: &impl Connection, _actor: &Actor, _record: &Stored<ItinerarySheet>) -> Result<bool, StoreError> {
        Ok(true)
    }

    async fn views(
        _app: &App,
        _db: &impl Connection,
        actor: &Actor,
        records: Vec<Stored<ItinerarySheet>>,
    ) -> Result<Vec<ItineraryView>, StoreError> {
        let view = |record: Stored<ItinerarySheet>| ItineraryView {
            head: Head::of(&record, locked::<Self>(actor, &record, Capability::ReferenceManage)),
            length_m: record.sheet.line.as_ref().map_or(0.0, |line| line.length_m().round()),
            bbox: record.sheet.line.as_ref().and_then(MultiLine::bbox),
            sheet: record.sheet,
        };
        Ok(records.into_iter().map(view).collect())
    }
}

record_operations! {
    ItineraryResource, ItinerarySheet, ItineraryView, ItineraryError;
    noun: "an itinerary", tag: "itineraries", base: "/api/v1/itineraries", params: [],
    create: (Superadmin, "reference.manage"), change: (Superadmin, "reference.manage"), delete: (Superadmin, "reference.manage"),
    show_itinerary, create_itinerary, update_itinerary, delete_itinerary, list_itinerary_uses,
    list_itinerary_revisions, show_itinerary_revision, restore_itinerary_revision,
}

/// Large enough for a file of 20 MB; the parsers themselves report a file over their limit.
const MAX_BODY: usize = 32 * 1024 * 1024;

/// The routes of this folder.
pub fn router() -> OpenApiRouter<App> {
    operations().routes(routes!(list::list_itineraries)).routes(routes!(following::list_itinerary_parcours)).merge(
        OpenApiRouter::new()
            .routes(routes!(line::show_itinerary_line, line::replace_itinerary_line))
            .layer(DefaultBodyLimit::max(MAX_BODY)),
    )
}
