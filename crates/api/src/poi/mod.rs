//! Points of interest.

mod bulk;
mod list;
mod map;
mod near;
mod publish;
mod same;

use domain::{Actor, Capability, Fault, PoiSheet};
use serde::Serialize;
use store::poi::Pois;
use store::record::Stored;
use store::{Connection, StoreError, Tx};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::App;
use crate::extract::Editor;
use crate::record::owned::{Ownership, locked, ownerships};
use crate::record::{Head, RecordError, Resource, record_operations};

/// What can be refused about a POI.
pub type PoiError = RecordError<Pois>;

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
}

impl Resource for Pois {
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
        _tx: &Tx,
        _actor: &Actor,
        _before: &Stored<PoiSheet>,
        after: &mut Stored<PoiSheet>,
        changed: &[&'static str],
    ) -> Result<Vec<Fault>, PoiError> {
        Ok(after.sheet.rules(changed, &app.settings.content_languages))
    }

    async fn views(
        app: &App,
        db: &impl Connection,
        actor: &Actor,
        records: Vec<Stored<PoiSheet>>,
    ) -> Result<Vec<PoiView>, StoreError> {
        let owners = ownerships::<Self>(db, actor, &records).await?;
        let view = |(record, ownership): (Stored<PoiSheet>, Ownership)| PoiView {
            head: Head::of(&record, locked::<Self>(actor, &record, Capability::ContentWrite)),
            ownership,
            missing: record.sheet.missing(&app.settings.content_languages),
            sheet: record.sheet,
        };
        Ok(records.into_iter().zip(owners).map(view).collect())
    }
}

record_operations! {
    Pois, PoiSheet, PoiView, PoiError;
    noun: "point of interest", tag: "pois", base: "/api/v1/pois", params: [],
    create: (Editor, "content.write"), change: (Editor, "content.write"), delete: (Editor, "content.write"),
    show_poi, create_poi, update_poi, delete_poi, list_poi_uses, list_poi_revisions, show_poi_revision, restore_poi_revision,
}

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
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
