//! Points of interest.

mod bulk;
mod list;
mod map;
mod near;
mod publish;
mod same;
mod table;

pub use list::PoiQuery;

use app::App;
use app::extract::Editor;
use app::record::owned::{Ownership, locked, ownerships};
use app::record::{Head, RecordError, Resource, record_operations};
use app::routes;
use domain::white_label::CustomOn;
use domain::{Actor, Capability, Fault, PoiSheet};
use serde::Serialize;
use store::poi::Pois;
use store::record::Stored;
use store::{Connection, StoreError, Tx};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::custom;

/// Errors of a POI.
pub type PoiError = RecordError<PoiResource>;

/// A point of interest.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Poi)]
pub struct PoiView {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    ownership: Ownership,
    #[serde(flatten)]
    sheet: PoiSheet,
    /// What is still to fill in.
    missing: Vec<String>,
    /// Keys of values that are stored and not shown: the white-label's field was deleted, or changed its type.
    custom_hidden: Vec<String>,
}

/// The resource of points of interest.
#[derive(Debug)]
pub struct PoiResource;

impl Resource for PoiResource {
    type Record = Pois;
    type Sheet = PoiSheet;
    type View = PoiView;
    const PATH: &'static str = "/api/v1/pois";
    const NOT_FOUND: &'static str = "poi/not-found";
    const NOT_YOURS: &'static str = "poi/not-yours";
    const IN_USE: &'static str = "poi/in-use";

    async fn sees(db: &impl Connection, actor: &Actor, record: &Stored<PoiSheet>) -> Result<bool, StoreError> {
        store::poi::is_seen(db, actor, record).await
    }

    async fn check(
        app: &App,
        tx: &Tx,
        _actor: &Actor,
        before: &Stored<PoiSheet>,
        after: &mut Stored<PoiSheet>,
        changed: &[&'static str],
    ) -> Result<Vec<Fault>, PoiError> {
        let mut faults = after.sheet.rules(changed, &app.settings.content_languages);
        let owner = after.white_label_id.unwrap_or_default();
        let published = after.published && changed.iter().any(|name| ["custom", "published"].contains(name));
        let values = (&before.sheet.custom, &after.sheet.custom);
        faults.extend(custom::faults(tx, owner, CustomOn::Poi, values, published).await?);
        Ok(faults)
    }

    async fn views(
        app: &App,
        db: &impl Connection,
        actor: &Actor,
        records: Vec<Stored<PoiSheet>>,
    ) -> Result<Vec<PoiView>, StoreError> {
        let owners = ownerships::<Self>(db, actor, &records).await?;
        let filled = records.iter().filter(|record| !record.sheet.custom.is_empty());
        let shown = custom::Shown::of(db, filled.filter_map(|record| record.white_label_id)).await?;
        let view = |(mut record, ownership): (Stored<PoiSheet>, Ownership)| {
            let owner = record.white_label_id.unwrap_or_default();
            let (custom, custom_hidden) = shown.values(owner, CustomOn::Poi, &record.sheet.custom);
            record.sheet.custom = custom;
            PoiView {
                head: Head::of(&record, locked::<Self>(actor, &record, Capability::ContentWrite)),
                ownership,
                missing: record.sheet.missing(&app.settings.content_languages),
                sheet: record.sheet,
                custom_hidden,
            }
        };
        Ok(records.into_iter().zip(owners).map(view).collect())
    }
}

record_operations! {
    PoiResource, PoiSheet, PoiView, PoiError;
    noun: "a point of interest", tag: "pois", base: "/api/v1/pois", params: [],
    create: (Editor, "content.write"), change: (Editor, "content.write"), delete: (Editor, "content.write"),
    show_poi, create_poi, update_poi, delete_poi, list_poi_uses, list_poi_revisions, show_poi_revision, restore_poi_revision,
}

/// The routes of this folder.
pub fn router() -> OpenApiRouter<App> {
    operations()
        .routes(routes!(list::list_pois))
        .routes(routes!(map::map_pois))
        .routes(routes!(publish::publish_poi, publish::unpublish_poi))
        .routes(routes!(publish::link_poi, publish::unlink_poi))
        .routes(routes!(bulk::change_many_pois))
        .routes(routes!(bulk::undo_poi_bulk))
        .routes(routes!(same::list_poi_duplicates))
        .routes(routes!(same::merge_poi))
        .routes(routes!(near::list_poi_parcours))
        .routes(routes!(near::suggest_parcours_pois))
}
