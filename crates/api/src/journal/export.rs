//! The journal as a table.

use app::App;
use app::csv::csv_line;
use app::download::attachment;
use app::extract::{Admin, Query};
use axum::extract::State;
use axum::response::Response;
use domain::audit::{Detail, ExportedList};
use store::audit::ListedEvent;

use crate::journal::AuditError;
use crate::journal::view::AuditQuery;

/// The most events of one file.
const MAX_ROWS: usize = 50_000;
/// Events read at once.
const CHUNK: u64 = 2_000;

const COLUMNS: [&str; 13] = [
    "id",
    "at",
    "person_id",
    "person",
    "action",
    "outcome",
    "record_kind",
    "record_id",
    "detail",
    "network",
    "structure",
    "white_label",
    "request_id",
];

/// The journal as a table, the latest first: semicolons, UTF-8 with a mark that spreadsheets know, at most 50,000 events. The
/// export itself is recorded.
#[utoipa::path(get, path = "/api/v1/audit-events/export.csv", tag = "audit", security(("session" = ["users.manage"])),
    params(AuditQuery), responses((status = 200, description = "A table", body = String, content_type = "text/csv"), AuditError))]
#[tracing::instrument(name = "audit.export", skip_all)]
pub async fn export_audit_events_csv(
    State(app): State<App>,
    admin: Admin,
    Query(query): Query<AuditQuery>,
) -> Result<Response, AuditError> {
    let filter = query.filter(&admin, &app.settings.time_zone)?;
    let mut text = String::from("\u{feff}");
    text.push_str(&csv_line(COLUMNS.into_iter()));
    let (mut count, mut before) = (0, None);
    while count < MAX_ROWS {
        let events = store::audit::list(app.store.read(), &filter, before, CHUNK).await?;
        let Some(last) = events.last() else { break };
        before = Some(last.id);
        count += events.len();
        for event in events {
            let cells = cells(event);
            text.push_str(&csv_line(cells.iter().map(String::as_str)));
        }
    }
    app::audit::list_exported(&app, &admin, ExportedList::Journal, count).await?;
    let file = format!("journal-{}.csv", app.today());
    Ok(attachment(&file, "text/csv; charset=utf-8", text.into_bytes()))
}

fn cells(listed: ListedEvent) -> [String; COLUMNS.len()] {
    let event = listed.event;
    let number = |id: Option<i64>| id.map(|id| id.to_string()).unwrap_or_default();
    let detail = match event.detail {
        Detail::None => String::new(),
        Detail::Roles { before, after } => format!("{} > {}", before.as_str(), after.as_str()),
        Detail::Fields { names } => names.join(" "),
        Detail::Exported { list, count } => format!("{} {count}", list.as_str()),
        Detail::Count { count } => count.to_string(),
        Detail::Into { id } => id.to_string(),
        Detail::Job { id, kind } => format!("{kind} {id}"),
        Detail::Operation { operation, code } => format!("{operation} {code}"),
    };
    [
        listed.id.to_string(),
        event.at.to_string(),
        number(event.who.user.map(|id| id.0)),
        listed.actor_name.unwrap_or_default(),
        event.action.as_str().to_owned(),
        event.outcome.as_str().to_owned(),
        event.on.record.map(|(kind, _)| kind.as_str().to_owned()).unwrap_or_default(),
        number(event.on.record.map(|(_, id)| id)),
        detail,
        event.network.unwrap_or_default(),
        listed.structure_name.unwrap_or_default(),
        listed.white_label_name.unwrap_or_default(),
        event.request_id,
    ]
}
