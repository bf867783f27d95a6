//! SQL conditions for the records that a user may see. A record that uses another one and may not be seen is counted, never
//! named (decision 0031).

use std::collections::{HashMap, HashSet};

use domain::record::Kind;
use domain::{Actor, Capability, Role};

use crate::parcours::visible_to;
use crate::parcours_link::link_kinds;
use crate::record::table_of;
use crate::sql::{NumberList, all, get, is_own, numbers, one};
use crate::uses::{Use, Uses, by_kind, titles, users_and_white_labels};
use crate::{Connection, StoreError, media};

/// The condition that a person sees the row `p` (of a parcours) or `n` (of any other kind); `None` where every signed-in user does.
/// The same rule as `Resource::sees` of the API, which a test compares.
fn condition(actor: &Actor, kind: Kind) -> Option<String> {
    let own = is_own(actor, "n.white_label_id");
    let added = format!(
        "EXISTS (SELECT 1 FROM record_white_label l WHERE l.kind = {} AND l.record_id = n.id AND {})",
        kind.code(),
        is_own(actor, "l.white_label_id")
    );
    let only = |allowed: bool, condition: String| if allowed { condition } else { "1 = 0".to_owned() };
    let inside = match actor.role {
        Role::Superadmin => "1 = 1".to_owned(),
        _ => format!("n.structure_id = {}", actor.structure_id),
    };
    match kind {
        Kind::Parcours => Some(visible_to(actor)),
        Kind::Poi => Some(format!("(n.published = TRUE OR {own} OR {added})")),
        Kind::Media => Some(format!("({own} OR {added} OR {})", media::is_shown_in_public("n"))),
        Kind::Contact => Some(inside),
        Kind::User => Some(only(actor.can(Capability::UsersManage), inside)),
        Kind::ProviderLink | Kind::SurveyCampaign => Some(own),
        Kind::ImportSource | Kind::SitSource | Kind::TransportFeed => {
            Some(only(actor.can(Capability::ContentImport), own))
        }
        Kind::Translator => Some(only(actor.can(Capability::SettingsManage), "1 = 1".to_owned())),
        Kind::TransportLine
        | Kind::WhiteLabel
        | Kind::Structure
        | Kind::Itinerary
        | Kind::Vocabulary
        | Kind::Closure => None,
    }
}

/// The condition that a person sees the record of a kind whose number is the expression `id`.
fn seen(actor: &Actor, kind: Kind, id: &str) -> Option<String> {
    let row = if kind == Kind::Parcours { "p" } else { "n" };
    let found = condition(actor, kind)?;
    Some(format!("EXISTS (SELECT 1 FROM {} {row} WHERE {row}.id = {id} AND {found})", table_of(kind)))
}

/// The condition that a person sees what the row `c` names by `kind` and `id`.
fn seen_of_any_kind(actor: &Actor) -> String {
    let one = |kind: &Kind| match seen(actor, *kind, "c.id") {
        Some(seen) => format!("(c.kind = {} AND {seen})", kind.code()),
        None => format!("c.kind = {}", kind.code()),
    };
    format!("({})", Kind::ALL.iter().map(one).collect::<Vec<_>>().join(" OR "))
}

/// The records, of these, that a person sees.
pub async fn seen_among(
    db: &impl Connection,
    actor: &Actor,
    kind: Kind,
    ids: &[i64],
) -> Result<HashSet<i64>, StoreError> {
    if ids.is_empty() {
        return Ok(HashSet::new());
    }
    let found = condition(actor, kind).map_or_else(String::new, |found| format!(" AND {found}"));
    let list = NumberList::of(db, ids);
    let sql = format!("{}{found}", among(kind, &list));
    all(db, &sql, list.value()).await?.iter().map(|row| get(row, 0)).collect()
}

/// The start of a query for those of some records to which more conditions are added.
fn among(kind: Kind, list: &NumberList) -> String {
    let row = if kind == Kind::Parcours { "p" } else { "n" };
    format!("SELECT {row}.id FROM {} {row} WHERE {}", table_of(kind), list.has(&format!("{row}.id"), 1))
}

/// Whether a person does not see one of some records. Those that are deleted do not count.
pub async fn is_one_hidden(db: &impl Connection, actor: &Actor, kind: Kind, ids: &[i64]) -> Result<bool, StoreError> {
    let Some(seen) = condition(actor, kind).filter(|_| !ids.is_empty()) else { return Ok(false) };
    let list = NumberList::of(db, ids);
    let sql = format!("{} AND ({seen}) IS NOT TRUE LIMIT 1", among(kind, &list));
    Ok(one(db, &sql, list.value()).await?.is_some())
}

/// What uses a record, as a person may see it: at most `limit` of those they see by name, and how many there are,
/// also of those they do not see.
pub async fn uses_seen_by(
    db: &impl Connection,
    actor: &Actor,
    kind: Kind,
    id: i64,
    limit: usize,
) -> Result<Uses, StoreError> {
    // White-labels are named as the record shows them: all of them to people of its owner, those that publish it and their own to others.
    let named = format!(
        "(l.published = TRUE OR {} OR {})",
        is_own(actor, "n.white_label_id"),
        is_own(actor, "l.white_label_id")
    );
    uses_of(db, actor, &users_and_white_labels(kind, id, &named), limit).await
}

/// How many things use each of these media: all of them for people of its owner, those that they see for others.
pub async fn media_uses(db: &impl Connection, actor: &Actor, ids: &[i64]) -> Result<HashMap<i64, i64>, StoreError> {
    let (wanted, media, parcours) = (numbers(ids), Kind::Media.code(), Kind::Parcours.code());
    let sql = format!(
        "SELECT c.used, COUNT(*) FROM (
            SELECT to_id AS used, CAST(from_kind AS BIGINT) AS kind, from_id AS id FROM record_link WHERE to_kind = {media} AND to_id IN {wanted}
            UNION SELECT target_id, CAST({parcours} AS BIGINT), parcours_id FROM parcours_link WHERE kind IN {} AND target_id IN {wanted}
        ) c JOIN media m ON m.id = c.used WHERE {} OR {} GROUP BY c.used",
        numbers(&link_kinds(Kind::Media)),
        is_own(actor, "m.white_label_id"),
        seen_of_any_kind(actor)
    );
    all(db, &sql, []).await?.iter().map(|row| Ok((get(row, 0)?, get(row, 1)?))).collect()
}

/// Some records as a user may see them: at most `limit` of those they may see by name, and how many there are in total.
pub(crate) async fn records_seen_by(
    db: &impl Connection,
    actor: &Actor,
    records: &[(Kind, i64)],
    limit: usize,
) -> Result<Uses, StoreError> {
    if records.is_empty() {
        return Ok(Uses::default());
    }
    let rows: Vec<String> = records.iter().map(|(kind, id)| format!("({}, {id})", kind.code())).collect();
    let sql = format!(
        "SELECT CAST(v.column1 AS BIGINT) AS kind, CAST(v.column2 AS BIGINT) AS id FROM (VALUES {}) v",
        rows.join(", ")
    );
    uses_of(db, actor, &sql, limit).await
}

async fn uses_of(db: &impl Connection, actor: &Actor, users: &str, limit: usize) -> Result<Uses, StoreError> {
    let seen = seen_of_any_kind(actor);
    let sql = format!("SELECT COUNT(*), COUNT(CASE WHEN {seen} THEN 1 END) FROM ({users}) c");
    let Some(row) = one(db, &sql, []).await? else { return Ok(Uses::default()) };
    let (total, named): (i64, i64) = (get(&row, 0)?, get(&row, 1)?);
    let mut items = Vec::new();
    if named > 0 {
        let sql = format!("SELECT c.kind, c.id FROM ({users}) c WHERE {seen} ORDER BY c.kind, c.id LIMIT {limit}");
        for (from, ids) in by_kind(db, &sql).await? {
            let names = titles(db, from, &ids).await?;
            items.extend(names.into_iter().map(|(id, title)| Use { kind: from, id, title }));
        }
    }
    Ok(Uses { items, total, hidden_total: total - named })
}
