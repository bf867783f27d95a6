//! The journal of user actions. Rows are written once: the database refuses to change them (migration 30).

use std::collections::HashMap;

use domain::audit::{Action, Detail, Event, On, Outcome, Who};
use domain::record::Kind;
use domain::{DAY_S, Instant, StructureId, Text, UserId, WhiteLabelId};
use sea_orm::{QueryResult, Value};

use crate::sql::{all, execute, get, json, numbers, one, text};
use crate::{Connection, StoreError, Tx};

/// Refusals, failures and throttled requests recorded for one network in a minute; successful actions do not count.
pub const REFUSALS_A_MINUTE: i64 = 10;
/// The same of all networks together, in a day. A year of such days takes about half a gigabyte.
pub const REFUSALS_A_DAY: i64 = 10_000;
/// Rows erased in one transaction.
const ERASED_AT_ONCE: i64 = 5_000;

/// Records an event, in the transaction of the action itself.
pub async fn record(tx: &Tx, event: Event) -> Result<(), StoreError> {
    let sql = r#"INSERT INTO audit_event (at, actor_id, structure_id, white_label_id, network, action, kind, record_id, outcome,
        detail, request_id)
        VALUES ($1, $2, COALESCE($3, (SELECT structure_id FROM white_label WHERE id = $4), $5,
        (SELECT structure_id FROM "user" WHERE id = $13)), $4, $6, $7, $8, $9, $10, $11, $12)"#;
    // Without a session, the account that was tried decides whose administrators read the event.
    let tried = event.on.record.filter(|(kind, _)| *kind == Kind::User && event.who.user.is_none());
    let values: [Value; 13] = [
        event.at.0.into(),
        event.who.user.map(|id| id.0).into(),
        event.on.structure.map(|id| id.0).into(),
        event.on.white_label.map(|id| id.0).into(),
        event.who.structure.map(|id| id.0).into(),
        event.network.clone().into(),
        event.action.as_str().into(),
        event.on.record.map(|(kind, _)| kind.code()).into(),
        event.on.record.map(|(_, id)| id).into(),
        event.outcome.as_str().into(),
        (event.detail != Detail::None).then(|| text(&event.detail)).into(),
        event.request_id.clone().into(),
        tried.map(|(_, id)| id).into(),
    ];
    execute(tx, sql, values).await?;
    tx.audited.push(event);
    Ok(())
}

/// Records a refusal, unless its network or all networks together reached the limit. Before a limit, the last event is
/// [`Action::JournalLimited`] instead.
pub async fn record_refusal(tx: &Tx, event: Event) -> Result<(), StoreError> {
    const SINCE: &str = "SELECT COUNT(*) FROM audit_event WHERE outcome <> 'done' AND at >= $1";
    const OF_NETWORK: &str = "SELECT COUNT(*) FROM audit_event WHERE outcome <> 'done' AND at >= $1
        AND COALESCE(network, '') = $2";
    let start_of = |seconds: i64| Value::from(event.at.0 - event.at.0.rem_euclid(seconds));
    let network = event.network.clone().unwrap_or_default();
    let counted = |row: Option<QueryResult>| row.map_or(Ok(0), |row| get::<i64>(&row, 0));
    let of_minute = counted(one(tx, OF_NETWORK, [start_of(60), network.into()]).await?)?;
    let of_day = counted(one(tx, SINCE, [start_of(DAY_S)]).await?)?;
    if of_day >= REFUSALS_A_DAY || of_minute >= REFUSALS_A_MINUTE {
        return Ok(());
    }
    if of_day + 1 == REFUSALS_A_DAY || of_minute + 1 == REFUSALS_A_MINUTE {
        let network = event.network.filter(|_| of_day + 1 < REFUSALS_A_DAY);
        let (who, on, detail) = (Who::default(), On::NOTHING, Detail::None);
        let limited = Event { who, on, detail, network, action: Action::JournalLimited, ..event };
        return record(tx, Event { outcome: Outcome::Throttled, ..limited }).await;
    }
    record(tx, event).await
}

/// The filters of the list.
#[derive(Debug, Clone, Default)]
pub struct AuditFilter {
    /// Events of this structure alone; none for all, which only a superadmin sees.
    pub structure: Option<StructureId>,
    /// From this instant on.
    pub from: Option<Instant>,
    /// Before this instant.
    pub to: Option<Instant>,
    /// Only events of this user.
    pub actor: Option<UserId>,
    /// These actions; none for all.
    pub actions: Vec<Action>,
    /// These outcomes; none for all.
    pub outcomes: Vec<Outcome>,
    /// On records of this kind.
    pub kind: Option<Kind>,
    /// On the record of this number.
    pub record: Option<i64>,
}

/// An event as the list shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedEvent {
    /// Its number: later events have greater ones.
    pub id: i64,
    pub event: Event,
    /// The person's name, also while they are in the bin; none once they are erased.
    pub actor_name: Option<String>,
    /// Whether the person's account no longer exists.
    pub actor_gone: bool,
    pub structure_name: Option<String>,
    pub white_label_name: Option<String>,
}

fn condition(filter: &AuditFilter, before: Option<i64>) -> String {
    let mut found = vec!["true".to_owned()];
    found.extend(filter.structure.map(|id| format!("e.structure_id = {}", id.0)));
    found.extend(filter.from.map(|at| format!("e.at >= {}", at.0)));
    found.extend(filter.to.map(|at| format!("e.at < {}", at.0)));
    found.extend(filter.actor.map(|id| format!("e.actor_id = {}", id.0)));
    found.extend(filter.kind.map(|kind| format!("e.kind = {}", kind.code())));
    found.extend(filter.record.map(|id| format!("e.record_id = {id}")));
    found.extend(before.map(|id| format!("e.id < {id}")));
    // Words of closed lists of the code: no user input is in the statement.
    let list = |words: Vec<&str>| words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(",");
    if !filter.actions.is_empty() {
        found.push(format!("e.action IN ({})", list(filter.actions.iter().map(|one| one.as_str()).collect())));
    }
    if !filter.outcomes.is_empty() {
        found.push(format!("e.outcome IN ({})", list(filter.outcomes.iter().map(|one| one.as_str()).collect())));
    }
    found.join(" AND ")
}

/// The latest events before the one of a number, or the latest of all: at most a number of them, the latest first.
pub async fn list(
    db: &impl Connection,
    filter: &AuditFilter,
    before: Option<i64>,
    most: u64,
) -> Result<Vec<ListedEvent>, StoreError> {
    let sql = format!(
        r#"SELECT e.id, e.at, e.actor_id, e.structure_id, e.white_label_id, e.network, e.action, e.kind, e.record_id, e.outcome,
        e.detail, e.request_id, u.id AS user_id, u.first_name, u.last_name, s.name AS structure_name, w.name AS white_label_name
        FROM audit_event e
        LEFT JOIN "user" u ON u.id = e.actor_id LEFT JOIN structure s ON s.id = e.structure_id
        LEFT JOIN white_label w ON w.id = e.white_label_id WHERE {} ORDER BY e.id DESC LIMIT {most}"#,
        condition(filter, before)
    );
    let mut found: Vec<ListedEvent> = all(db, &sql, []).await?.iter().map(listed).collect::<Result<_, StoreError>>()?;
    let gone: Vec<i64> =
        found.iter().filter(|one| one.actor_gone).filter_map(|one| one.event.who.user).map(|id| id.0).collect();
    let names = binned_people(db, &gone).await?;
    for one in found.iter_mut().filter(|one| one.actor_gone) {
        one.actor_name = one.event.who.user.and_then(|id| names.get(&id.0).cloned());
    }
    Ok(found)
}

/// The names of people who are in the bin.
async fn binned_people(db: &impl Connection, ids: &[i64]) -> Result<HashMap<i64, String>, StoreError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = format!("SELECT record_id, title FROM bin WHERE kind = $1 AND record_id IN {}", numbers(ids));
    let named = |row: &QueryResult| {
        let title: Text = crate::row::text(get(row, 1)?);
        Ok((get(row, 0)?, title.best("fr").to_owned()))
    };
    all(db, &sql, [Kind::User.code().into()]).await?.iter().map(named).collect()
}

fn listed(row: &QueryResult) -> Result<ListedEvent, StoreError> {
    const TABLE: &str = "audit_event";
    let id: i64 = get(row, "id")?;
    let word = |column: &str| get::<String>(row, column);
    let unknown = |word: &str| StoreError::row(TABLE, id, format!("unknown word `{word}`"));
    let (action, outcome) = (word("action")?, word("outcome")?);
    let user = get::<Option<i64>>(row, "actor_id")?.map(UserId);
    let kind = get::<Option<i16>>(row, "kind")?.and_then(Kind::of_code);
    let structure = get::<Option<i64>>(row, "structure_id")?.map(StructureId);
    let detail: Option<Detail> =
        get::<Option<String>>(row, "detail")?.map(|detail| json(TABLE, id, &detail)).transpose()?;
    let names = [get::<Option<String>>(row, "first_name")?, get::<Option<String>>(row, "last_name")?];
    let there = get::<Option<i64>>(row, "user_id")?.is_some();
    Ok(ListedEvent {
        id,
        event: Event {
            at: Instant(get(row, "at")?),
            who: Who { user, structure },
            network: get(row, "network")?,
            action: Action::parse(&action).ok_or_else(|| unknown(&action))?,
            on: On {
                record: kind.zip(get::<Option<i64>>(row, "record_id")?),
                structure,
                white_label: get::<Option<i64>>(row, "white_label_id")?.map(WhiteLabelId),
            },
            outcome: Outcome::parse(&outcome).ok_or_else(|| unknown(&outcome))?,
            detail: detail.unwrap_or_default(),
            request_id: get(row, "request_id")?,
        },
        actor_name: there.then(|| names.into_iter().flatten().collect::<Vec<_>>().join(" ")),
        actor_gone: user.is_some() && !there,
        structure_name: get(row, "structure_name")?,
        white_label_name: get(row, "white_label_name")?,
    })
}

/// Erases events before an instant, some at a time. True when more are left.
pub async fn erase_before(tx: &Tx, instant: Instant) -> Result<bool, StoreError> {
    let moved = "UPDATE audit_retention SET erase_before = $1 WHERE id = 1 AND erase_before < $1";
    execute(tx, moved, [instant.0.into()]).await?;
    let sql = "DELETE FROM audit_event WHERE id IN (SELECT id FROM audit_event WHERE at < $1 ORDER BY at LIMIT $2)";
    let erased = execute(tx, sql, [instant.0.into(), ERASED_AT_ONCE.into()]).await?;
    Ok(erased == ERASED_AT_ONCE as u64)
}
