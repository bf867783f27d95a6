//! Lists as tables for spreadsheets: exported, compared, written, undone (decision 0065).

use app::extract::{Body, Editor, Path, Query, parse_query, refused_body};
use app::record::table::{self, MAX_FILE_BYTES, TableError, TableImport, TableQuery, TableReport, TableResource};
use app::record::{BulkView, UndoInput};
use app::routes;
use app::{App, Rejection};
use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, State};
use axum::response::Response;
use domain::Actor;
use serde::{Deserialize, Serialize};
use store::record::Record as _;
use tracing::instrument;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::contact::ContactResource;
use crate::media::MediaResource;
use crate::poi::PoiResource;
use crate::transport_line::TransportLineResource;

/// A list that is edited as a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TableKind {
    /// Points of interest.
    Pois,
    /// Contacts; by those who manage them.
    Contacts,
    /// Texts of media.
    Medias,
    /// Lines of public transport.
    TransportLines,
}

/// The parameter of the path.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct Of {
    kind: TableKind,
}

/// Does the same with the resource of a list, for a person who may change its records.
macro_rules! with_resource {
    ($of:expr, $actor:expr, $R:ident => $do:expr) => {
        match $of.kind {
            TableKind::Pois => with_resource!(@ $actor, $R, PoiResource, $do),
            TableKind::Contacts => with_resource!(@ $actor, $R, ContactResource, $do),
            TableKind::Medias => with_resource!(@ $actor, $R, MediaResource, $do),
            TableKind::TransportLines => with_resource!(@ $actor, $R, TransportLineResource, $do),
        }
    };
    (@ $actor:expr, $R:ident, $resource:ty, $do:expr) => {{
        type $R = $resource;
        admit::<$R>(&$actor)?;
        $do
    }};
}

/// Refuses a person who may not change records of this kind.
fn admit<R: TableResource>(actor: &Actor) -> Result<(), Rejection> {
    let needed = R::Record::KIND.needed_to_change();
    if actor.can(needed) { Ok(()) } else { Err(Rejection::Forbidden { capability: needed.as_str() }) }
}

/// The records of a list that its filter leaves and the person may change, as a table to edit in a spreadsheet. Contacts need `users.manage`.
#[utoipa::path(get, path = "/api/v1/tables/{kind}", tag = "tables", params(("kind" = inline(TableKind), Path), TableQuery),
    security(("session" = ["content.write"])), responses((status = 200, description = "A table", content((String = "text/csv"),
    (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))), TableError))]
#[instrument(name = "table.export", skip_all)]
pub(crate) async fn export_table(
    State(app): State<App>,
    editor: Editor,
    Path(of): Path<Of>,
    Query(asked): Query<TableQuery>,
) -> Result<Response, TableError> {
    with_resource!(of, editor, R => {
        let query = parse_query(asked.filter.as_deref().unwrap_or_default())?;
        let ids = R::ids(&app, &editor, query).await?;
        table::export::<R>(&app, &editor, ids, &asked).await
    })
}

/// Compare an edited table with the records: a difference for each cell, nothing is written. With the token of that report, write it.
#[utoipa::path(post, path = "/api/v1/tables/{kind}", tag = "tables", params(("kind" = inline(TableKind), Path), TableImport),
    request_body(content = Vec<u8>, content_type = "application/octet-stream", description = "CSV or XLSX, 5 MB at most"),
    security(("session" = ["content.write"])), responses((status = 200, body = TableReport), TableError))]
#[instrument(name = "table.import", skip_all)]
pub(crate) async fn import_table(
    State(app): State<App>,
    editor: Editor,
    Path(of): Path<Of>,
    Query(asked): Query<TableImport>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<TableReport>, TableError> {
    let bytes = body.map_err(refused_body)?.to_vec();
    with_resource!(of, editor, R => table::import::<R>(&app, &editor, asked, bytes).await.map(Json))
}

/// Undo a table that was written: records changed since are left as they are, and listed.
#[utoipa::path(post, path = "/api/v1/tables/{kind}/undo", tag = "tables", params(("kind" = inline(TableKind), Path)),
    request_body(content = UndoInput), security(("session" = ["content.write"])),
    responses((status = 200, body = BulkView), TableError))]
pub(crate) async fn undo_table(
    State(app): State<App>,
    editor: Editor,
    Path(of): Path<Of>,
    Body(sent): Body<UndoInput>,
) -> Result<Json<BulkView>, TableError> {
    with_resource!(of, editor, R => table::undo::<R>(&app, &editor, &sent.undo_token).await.map(Json))
}

/// The routes of this folder.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(export_table, import_table))
        .routes(routes!(undo_table))
        .layer(DefaultBodyLimit::max(MAX_FILE_BYTES))
}
