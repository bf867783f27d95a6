//! Lines of public transport: every user reads all of them, each white-label edits its own.

mod list;
mod table;

use app::App;
use app::extract::Editor;
use app::record::owned::{Ownership, locked, ownerships};
use app::record::{Head, RecordError, Resource, record_operations};
use app::routes;
use domain::transport_line::TransportLineSheet;
use domain::{Actor, Capability};
use serde::Serialize;
use store::record::Stored;
use store::transport_line::TransportLines;
use store::{Connection, StoreError};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

/// Errors of a line.
pub type TransportLineError = RecordError<TransportLineResource>;

/// A line of public transport.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = TransportLine)]
pub struct TransportLineView {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    ownership: Ownership,
    #[serde(flatten)]
    sheet: TransportLineSheet,
}

/// The resource of transport lines.
#[derive(Debug)]
pub struct TransportLineResource;

impl Resource for TransportLineResource {
    type Record = TransportLines;
    type Sheet = TransportLineSheet;
    type View = TransportLineView;
    const PATH: &'static str = "/api/v1/transport-lines";
    const NOT_FOUND: &'static str = "transport-line/not-found";
    const NOT_YOURS: &'static str = "transport-line/not-yours";
    const IN_USE: &'static str = "transport-line/in-use";

    async fn sees(
        _db: &impl Connection,
        _actor: &Actor,
        _record: &Stored<TransportLineSheet>,
    ) -> Result<bool, StoreError> {
        Ok(true)
    }

    async fn views(
        _app: &App,
        db: &impl Connection,
        actor: &Actor,
        records: Vec<Stored<TransportLineSheet>>,
    ) -> Result<Vec<TransportLineView>, StoreError> {
        let owners = ownerships::<Self>(db, actor, &records).await?;
        let view = |(record, ownership): (Stored<TransportLineSheet>, Ownership)| TransportLineView {
            head: Head::of(&record, locked::<Self>(actor, &record, Capability::ContentWrite)),
            ownership,
            sheet: record.sheet,
        };
        Ok(records.into_iter().zip(owners).map(view).collect())
    }
}

record_operations! {
    TransportLineResource, TransportLineSheet, TransportLineView, TransportLineError;
    noun: "a line of public transport", tag: "transport-lines", base: "/api/v1/transport-lines", params: [],
    create: (Editor, "content.write"), change: (Editor, "content.write"), delete: (Editor, "content.write"),
    show_transport_line, create_transport_line, update_transport_line, delete_transport_line, list_transport_line_uses,
    list_transport_line_revisions, show_transport_line_revision, restore_transport_line_revision,
}

/// The routes of this folder.
pub fn router() -> OpenApiRouter<App> {
    operations().routes(routes!(list::list_transport_lines))
}
