//! Filters and views of the journal.

use std::collections::HashMap;

use app::record::Named;
use app::{Rejection, filter};
use domain::audit::{Action, Detail, Outcome};
use domain::record::Kind;
use domain::{Actor, DAY_S, Instant, Role, TimeZone, UserId};
use serde::{Deserialize, Serialize};
use store::audit::{AuditFilter, ListedEvent};
use store::{Connection, StoreError};
use utoipa::{IntoParams, ToSchema};

/// The filters of the journal.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct AuditQuery {
    /// The first day, `YYYY-MM-DD` in the time zone of the installation.
    from: Option<String>,
    /// The last day, included.
    to: Option<String>,
    /// Identifier of the person.
    actor: Option<i64>,
    /// Actions, with commas.
    action: Option<String>,
    /// Outcomes, with commas: `done`, `refused`, `failed`, `throttled`.
    outcome: Option<String>,
    /// Kind of the record: `user`, `parcours` …
    kind: Option<String>,
    /// Number of the record.
    record: Option<i64>,
}

impl AuditQuery {
    /// The filter of a person: an administrator reads their structure's events, a superadmin all.
    pub(super) fn filter(&self, actor: &Actor, zone: &TimeZone) -> Result<AuditFilter, Rejection> {
        let bad = |name: &str| Rejection::BadQuery { name: name.to_owned() };
        let day = |name: &'static str, asked: &Option<String>, days: i64| -> Result<Option<Instant>, Rejection> {
            let Some(asked) = asked.as_deref().filter(|day| !day.is_empty()) else { return Ok(None) };
            let in_utc = Instant::parse(&format!("{asked}T00:00:00Z")).ok_or_else(|| bad(name))?.plus_s(days * DAY_S);
            // The day after the year 9999 has no name.
            Ok(Some(zone.start_of(&in_utc.day()).unwrap_or(in_utc)))
        };
        let kind = self.kind.as_deref().filter(|word| !word.is_empty());
        Ok(AuditFilter {
            structure: (actor.role != Role::Superadmin).then_some(actor.structure_id),
            from: day("from", &self.from, 0)?,
            to: day("to", &self.to, 1)?,
            actor: self.actor.map(UserId),
            actions: filter::words("action", self.action.as_deref(), Action::parse)?,
            outcomes: filter::words("outcome", self.outcome.as_deref(), Outcome::parse)?,
            kind: kind.map(|word| Kind::parse(word).ok_or_else(|| bad("kind"))).transpose()?,
            record: self.record,
        })
    }
}

/// A person named by the journal.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AuditActor {
    id: i64,
    /// Their name; none once the account was erased.
    name: Option<String>,
    /// Whether their account is deleted.
    gone: bool,
}

/// A record of the journal, by its number only.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AuditRecord {
    kind: Kind,
    id: i64,
    /// Whether the reader of the journal may open it.
    visible: bool,
}

/// Something that was done, or tried.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = AuditEvent)]
pub struct AuditEventView {
    /// Its number: later events have greater ones.
    id: i64,
    at: Instant,
    /// Who did it; absent without a session.
    actor: Option<AuditActor>,
    action: Action,
    /// What came of it.
    outcome: Outcome,
    /// The record concerned.
    record: Option<AuditRecord>,
    /// What else is known: roles, names of fields, counts. Never content.
    detail: Detail,
    /// The network it came from: the first 24 bits of an IPv4 address, 64 of an IPv6 address.
    network: Option<String>,
    /// The structure whose administrators read it.
    structure: Option<Named>,
    /// The white-label that owns the record.
    white_label: Option<Named>,
    /// Number of the request, as in the server's log.
    request_id: String,
}

impl AuditEventView {
    fn of(listed: ListedEvent, visible: bool) -> Self {
        let event = listed.event;
        let (name, gone) = (listed.actor_name, listed.actor_gone);
        let named = |id: Option<i64>, name: Option<String>| id.zip(name).map(|(id, name)| Named { id, name });
        Self {
            id: listed.id,
            at: event.at,
            actor: event.who.user.map(|id| AuditActor { id: id.0, name, gone }),
            action: event.action,
            outcome: event.outcome,
            record: event.on.record.map(|(kind, id)| AuditRecord { kind, id, visible }),
            detail: event.detail,
            network: event.network,
            structure: named(event.on.structure.map(|id| id.0), listed.structure_name),
            white_label: named(event.on.white_label.map(|id| id.0), listed.white_label_name),
            request_id: event.request_id,
        }
    }
}

/// The events for one reader, each with whether they may open its record.
pub(super) async fn views(
    db: &impl Connection,
    actor: &Actor,
    events: Vec<ListedEvent>,
) -> Result<Vec<AuditEventView>, StoreError> {
    let mut seen: HashMap<(Kind, i64), bool> = HashMap::new();
    let mut views = Vec::with_capacity(events.len());
    for event in events {
        if let Some(record) = event.event.on.record
            && !seen.contains_key(&record)
        {
            seen.insert(record, crate::impact::seen(db, actor, record.0, record.1).await?.is_some());
        }
        let visible = event.event.on.record.and_then(|record| seen.get(&record).copied());
        views.push(AuditEventView::of(event, visible.unwrap_or_default()));
    }
    Ok(views)
}
