//! The journal, the latest first.

use app::App;
use app::extract::{Admin, Query, rows_per_page};
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::journal::AuditError;
use crate::journal::view::{AuditEventView, AuditQuery, views};

/// Which page of the journal is asked for.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(super) struct AuditPaging {
    /// Events before the one of this number: `next_before` of the page before.
    before: Option<i64>,
    /// Events on a page, at most 200.
    #[param(minimum = 1, maximum = 200, example = 50)]
    #[serde(deserialize_with = "rows_per_page")]
    per_page: Option<u64>,
}

/// A page of the journal.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuditEvents {
    /// The events, the latest first.
    items: Vec<AuditEventView>,
    /// What to ask for as `before` to get the next page; none on the last one.
    next_before: Option<i64>,
}

/// The journal of the user's structure; of all structures for a superadmin.
#[utoipa::path(get, path = "/api/v1/audit-events", tag = "audit", security(("session" = ["users.manage"])),
    params(AuditQuery, AuditPaging), responses((status = 200, body = AuditEvents), AuditError))]
pub async fn list_audit_events(
    State(app): State<App>,
    admin: Admin,
    Query(query): Query<AuditQuery>,
    Query(paging): Query<AuditPaging>,
) -> Result<Json<AuditEvents>, AuditError> {
    let filter = query.filter(&admin, &app.settings.time_zone)?;
    let per_page = paging.per_page.unwrap_or(50);
    let db = app.store.read();
    let mut events = store::audit::list(db, &filter, paging.before, per_page + 1).await?;
    let more = events.len() as u64 > per_page;
    events.truncate(per_page as usize);
    let next_before = events.last().filter(|_| more).map(|last| last.id);
    Ok(Json(AuditEvents { items: views(db, &admin, events).await?, next_before }))
}
