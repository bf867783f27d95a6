//! Closures: every user reads all of them, each white-label edits its own.

mod list;
mod report;
mod touched;

use app::App;
use app::extract::Editor;
use app::record::owned::{Ownership, locked, ownerships};
use app::record::{Head, RecordError, Resource, record_operations};
use app::routes;
use domain::closure::{ClosureSheet, ClosureState};
use domain::{Actor, Capability, Fault, ParcoursId};
use serde::Serialize;
use store::closure::{Closures, touched_totals};
use store::record::Stored;
use store::{Connection, StoreError, Tx};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use report::AnsweredReport;

/// Errors of a closure.
pub type ClosureError = RecordError<ClosureResource>;

/// A closed area or stretch.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Closure)]
pub struct ClosureView {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    ownership: Ownership,
    #[serde(flatten)]
    sheet: ClosureSheet,
    /// Its state today.
    state: ClosureState,
    /// How many parcours it touches, those one does not see too.
    parcours_total: i64,
    /// The field report that it answers, for the staff of its parcours.
    report: Option<AnsweredReport>,
}

/// The parcours among these that are closed somewhere today.
pub async fn closed_today(app: &App, ids: impl IntoIterator<Item = ParcoursId>) -> Result<Vec<ParcoursId>, StoreError> {
    let ids: Vec<ParcoursId> = ids.into_iter().collect();
    store::closure::closed_among(app.store.read(), &ids, &app.today()).await
}

/// The resource of closures.
#[derive(Debug)]
pub struct ClosureResource;

impl Resource for ClosureResource {
    type Record = Closures;
    type Sheet = ClosureSheet;
    type View = ClosureView;
    const PATH: &'static str = "/api/v1/closures";
    const NOT_FOUND: &'static str = "closure/not-found";
    const NOT_YOURS: &'static str = "closure/not-yours";
    const IN_USE: &'static str = "closure/in-use";

    async fn sees(_db: &impl Connection, _actor: &Actor, _record: &Stored<ClosureSheet>) -> Result<bool, StoreError> {
        Ok(true)
    }

    async fn check(
        _app: &App,
        tx: &Tx,
        actor: &Actor,
        _before: &Stored<ClosureSheet>,
        after: &mut Stored<ClosureSheet>,
        changed: &[&'static str],
    ) -> Result<Vec<Fault>, ClosureError> {
        let mut faults = after.sheet.rules();
        if changed.contains(&"report_id") {
            faults.extend(report::fault(tx, actor, after.sheet.report_id).await?);
        }
        Ok(faults)
    }

    async fn views(
        app: &App,
        db: &impl Connection,
        actor: &Actor,
        records: Vec<Stored<ClosureSheet>>,
    ) -> Result<Vec<ClosureView>, StoreError> {
        let owners = ownerships::<Self>(db, actor, &records).await?;
        let ids: Vec<i64> = records.iter().map(|record| record.id).collect();
        let (totals, today) = (touched_totals(db, &ids).await?, app.today());
        let reports = report::answered(db, actor, &records).await?;
        let view = |(mut record, ownership): (Stored<ClosureSheet>, Ownership)| ClosureView {
            report: report::taken(&mut record.sheet, &reports),
            head: Head::of(&record, locked::<Self>(actor, &record, Capability::ContentWrite)),
            ownership,
            state: record.sheet.state(&today),
            parcours_total: totals.iter().find(|(id, _)| *id == record.id).map_or(0, |(_, total)| *total),
            sheet: record.sheet,
        };
        Ok(records.into_iter().zip(owners).map(view).collect())
    }
}

record_operations! {
    ClosureResource, ClosureSheet, ClosureView, ClosureError;
    noun: "a closure", tag: "closures", base: "/api/v1/closures", params: [],
    create: (Editor, "content.write"), change: (Editor, "content.write"), delete: (Editor, "content.write"),
    show_closure, create_closure, update_closure, delete_closure, list_closure_uses,
    list_closure_revisions, show_closure_revision, restore_closure_revision,
}

/// The routes of this folder.
pub fn router() -> OpenApiRouter<App> {
    operations().routes(routes!(list::list_closures)).routes(routes!(touched::list_closed_parcours))
}
