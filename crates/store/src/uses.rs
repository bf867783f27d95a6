//! The uses of a record, and freeing it from them.

use domain::record::{Kind, Sheet};
use domain::{Actor, ParcoursId, Text};
use sea_orm::Value;

use crate::access::{RecordOwner, Usable, may_change, owners};
use crate::every_kind::for_kind;
use crate::parcours_link::link_kinds;
use crate::record::{Change, Record, load_many, lock, save, table_of};
use crate::sql::{all, get, numbers, one};
use crate::{Connection, StoreError, Tx, audio, parcours};

/// A use of a record.
#[derive(Debug, Clone, PartialEq)]
pub struct Use {
    pub kind: Kind,
    pub id: i64,
    pub title: Text,
}

/// What uses a record.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Uses {
    /// The first of them.
    pub items: Vec<Use>,
    pub total: i64,
    /// How many of them the user may not see: they are not named.
    pub hidden_total: i64,
}

impl Uses {
    /// Those that the user sees, as if there were no others.
    #[must_use]
    pub fn without_hidden(self) -> Self {
        Self { total: self.total - self.hidden_total, hidden_total: 0, ..self }
    }
}

/// Columns with references that are not in the table of links: the kind referred to, the kind that refers, and the column.
const COLUMNS: [(Kind, Kind, &str); 14] = [
    (Kind::Vocabulary, Kind::Parcours, "practice_type_id"),
    (Kind::Vocabulary, Kind::Parcours, "level_id"),
    (Kind::Structure, Kind::WhiteLabel, "structure_id"),
    (Kind::Structure, Kind::User, "structure_id"),
    (Kind::WhiteLabel, Kind::Parcours, "white_label_id"),
    (Kind::WhiteLabel, Kind::Poi, "white_label_id"),
    (Kind::WhiteLabel, Kind::Media, "white_label_id"),
    (Kind::WhiteLabel, Kind::TransportLine, "white_label_id"),
    (Kind::WhiteLabel, Kind::Closure, "white_label_id"),
    (Kind::WhiteLabel, Kind::ProviderLink, "white_label_id"),
    (Kind::WhiteLabel, Kind::SurveyCampaign, "white_label_id"),
    (Kind::WhiteLabel, Kind::ImportSource, "white_label_id"),
    (Kind::WhiteLabel, Kind::SitSource, "white_label_id"),
    (Kind::WhiteLabel, Kind::TransportFeed, "white_label_id"),
];

/// The SQL query for the records that use a record: the kind and the number of each.
pub(crate) fn users_of(kind: Kind, id: i64) -> String {
    let mut parts = vec![format!(
        "SELECT CAST(from_kind AS BIGINT) AS kind, from_id AS id FROM record_link WHERE to_kind = {} AND to_id = {id}",
        kind.code()
    )];
    let links = link_kinds(kind);
    if !links.is_empty() {
        let (from, kinds) = (Kind::Parcours.code(), numbers(&links));
        parts.push(format!(
            "SELECT CAST({from} AS BIGINT), parcours_id FROM parcours_link WHERE kind IN {kinds} AND target_id = {id}"
        ));
    }
    for (_, from, column) in COLUMNS.iter().filter(|(to, _, _)| *to == kind) {
        parts.push(format!(
            "SELECT CAST({} AS BIGINT), id FROM {} WHERE {column} = {id}",
            from.code(),
            table_of(*from)
        ));
    }
    if kind == Kind::WhiteLabel {
        let from = Kind::User.code();
        parts.push(format!("SELECT CAST({from} AS BIGINT), user_id FROM user_white_label WHERE white_label_id = {id}"));
    }
    parts.join(" UNION ")
}

/// The same with the white-labels that added a record of another and meet a condition on their link `l` and the record `n`. A deletion takes the record
/// from them without a save: nothing is freed.
pub(crate) fn users_and_white_labels(kind: Kind, id: i64, condition: &str) -> String {
    let users = users_of(kind, id);
    if !matches!(kind, Kind::Poi | Kind::Media | Kind::TransportLine) {
        return users;
    }
    let (white_label, code, table) = (Kind::WhiteLabel.code(), kind.code(), table_of(kind));
    format!(
        "{users} UNION SELECT CAST({white_label} AS BIGINT), l.white_label_id FROM record_white_label l JOIN {table} n ON n.id = l.record_id
        WHERE l.kind = {code} AND l.record_id = {id} AND {condition}"
    )
}

/// The uses of a record, without regard to who may see them: for decisions, not for answers. Answers take [`crate::visible::uses_seen_by`].
pub async fn of(db: &impl Connection, kind: Kind, id: i64, limit: usize) -> Result<Uses, StoreError> {
    let users = users_and_white_labels(kind, id, "1 = 1");
    let total: i64 = one(db, &format!("SELECT COUNT(*) FROM ({users}) c"), [])
        .await?
        .map(|row| get(&row, 0))
        .transpose()?
        .unwrap_or(0);
    if total == 0 {
        return Ok(Uses::default());
    }
    let sql = format!("SELECT kind, id FROM ({users}) c ORDER BY kind, id LIMIT {limit}");
    let mut items = Vec::new();
    for (from, ids) in by_kind(db, &sql).await? {
        let names = titles(db, from, &ids).await?;
        items.extend(names.into_iter().map(|(id, title)| Use { kind: from, id, title }));
    }
    Ok(Uses { items, total, hidden_total: 0 })
}

pub(crate) async fn by_kind(db: &impl Connection, sql: &str) -> Result<Vec<(Kind, Vec<i64>)>, StoreError> {
    let mut found: Vec<(Kind, Vec<i64>)> = Vec::new();
    for row in all(db, sql, Vec::<Value>::new()).await? {
        let code: i64 = get(&row, 0)?;
        let Some(kind) = i16::try_from(code).ok().and_then(Kind::of_code) else { continue };
        match found.last_mut() {
            Some((last, ids)) if *last == kind => ids.push(get(&row, 1)?),
            _ => found.push((kind, vec![get(&row, 1)?])),
        }
    }
    Ok(found)
}

/// The names of records of a kind, without regard to who may see them.
pub async fn titles(db: &impl Connection, kind: Kind, ids: &[i64]) -> Result<Vec<(i64, Text)>, StoreError> {
    let named = |column: &str| format!("SELECT id, {column} FROM {} WHERE id IN {}", table_of(kind), numbers(ids));
    match kind {
        Kind::Parcours => parcours::titles(db, ids).await,
        Kind::User => plain_names(db, &named("first_name || ' ' || last_name")).await,
        Kind::WhiteLabel => plain_names(db, &named("name")).await,
        Kind::Media => plain_names(db, &named("file_name")).await,
        kind => for_kind!(kind, R => Ok(sheet_titles::<R>(db, ids).await?), parcours => Ok(Vec::new())),
    }
}

async fn plain_names(db: &impl Connection, sql: &str) -> Result<Vec<(i64, Text)>, StoreError> {
    let rows = all(db, sql, []).await?;
    rows.iter().map(|row| Ok((get(row, 0)?, Text::in_french(get::<String>(row, 1)?)))).collect()
}

async fn sheet_titles<R: Record>(db: &impl Connection, ids: &[i64]) -> Result<Vec<(i64, Text)>, StoreError> {
    let records = load_many::<R>(db, ids).await?;
    Ok(records.into_iter().map(|record| (record.id, R::title(&record.sheet))).collect())
}

/// A record that referred to one that was deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormerUse {
    pub kind: Kind,
    pub id: i64,
    /// The version in which the reference was removed.
    pub version: i64,
}

/// How the uses of a deleted record are treated.
#[derive(Debug, Clone, Copy)]
pub struct Freeing<'a> {
    /// The user who deletes it.
    pub actor: &'a Actor,
    /// The replacement, for the records that may refer to it.
    pub to: Option<i64>,
    /// How records that this person may not change are treated.
    pub others: OthersPolicy,
}

/// What happens to records that the user may not change, when the record they refer to is deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OthersPolicy {
    /// They keep the reference, which prevents the deletion.
    Keep,
    /// The reference is removed and not replaced.
    Free,
    /// They refer to the replacement, if their owner may use it.
    Follow,
}

/// The result of freeing a record from its uses: the uses that remain and prevent its deletion, and those that were removed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FreeOutcome {
    /// Remaining uses in records that the user may change.
    pub own_uses: Vec<Use>,
    /// The number of remaining uses in other records.
    pub other_uses: i64,
    /// The uses that were removed: the bin stores them, to restore the references.
    pub freed: Vec<FormerUse>,
}

impl FreeOutcome {
    /// Whether no use remains: the record may be deleted.
    pub const fn is_free(&self) -> bool {
        self.own_uses.is_empty() && self.other_uses == 0
    }
}

/// Makes all records that use a record refer to the replacement, or removes their references. If a use remains
/// ([`FreeOutcome::is_free`] is false), the transaction must be rolled back.
pub async fn free(
    tx: &Tx,
    kind: Kind,
    id: i64,
    freeing: Freeing<'_>,
    change: Change<'_>,
) -> Result<FreeOutcome, StoreError> {
    let mut outcome = FreeOutcome::default();
    let mut target = freeing.to.map(|to| (to, Usable::new(kind, to)));
    let users = by_kind(tx, &format!("SELECT kind, id FROM ({}) c ORDER BY kind, id", users_of(kind, id))).await?;
    for (from, ids) in users {
        let owners = owners(tx, from, &ids).await?;
        for user in ids {
            let owner = owners.get(&user).copied().unwrap_or(RecordOwner::Unowned);
            let own = may_change(freeing.actor, from, owner);
            // Another structure is another owner: the record moves there, which is for the person alone to decide.
            let moves = kind == Kind::Structure && own;
            let usable = match &mut target {
                _ if moves => true,
                Some((_, target)) => target.by(tx, owner).await?,
                None => false,
            };
            let to = freeing.to.filter(|_| usable && (own || freeing.others == OthersPolicy::Follow));
            let is_freed = match freeing.others {
                // An own record is only left without it where nothing was to take its place.
                OthersPolicy::Keep => own && (to.is_some() || freeing.to.is_none()),
                OthersPolicy::Follow => to.is_some(),
                OthersPolicy::Free => true,
            };
            // The history of others does not name who deleted something elsewhere.
            let change = if own { change } else { Change { by: None, ..change } };
            if is_freed {
                match free_use(tx, (from, user), (kind, id), to, change).await? {
                    Freed::InVersion(version) => {
                        outcome.freed.push(FormerUse { kind: from, id: user, version });
                        continue;
                    }
                    Freed::Unrecorded => continue,
                    Freed::No => {}
                }
            }
            if own {
                let title = titles(tx, from, &[user]).await?.pop().map(|(_, title)| title).unwrap_or_default();
                outcome.own_uses.push(Use { kind: from, id: user, title });
            } else {
                outcome.other_uses += 1;
            }
        }
    }
    Ok(outcome)
}

/// The result of removing a reference from one record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Freed {
    /// The reference is required, or is in a column that is not saved here.
    No,
    /// Nothing was saved that the bin could restore, for example as the record no longer exists.
    Unrecorded,
    /// The reference was removed in this version.
    InVersion(i64),
}

async fn free_use(
    tx: &Tx,
    (from, user): (Kind, i64),
    deleted: (Kind, i64),
    to: Option<i64>,
    change: Change<'_>,
) -> Result<Freed, StoreError> {
    for_kind!(
        from,
        R => free_one::<R>(tx, user, deleted, to, change).await,
        parcours => free_parcours(tx, ParcoursId(user), deleted, to, change).await
    )
}

async fn free_one<R: Record>(
    tx: &Tx,
    user: i64,
    (kind, id): (Kind, i64),
    to: Option<i64>,
    change: Change<'_>,
) -> Result<Freed, StoreError> {
    let Some(before) = lock::<R>(tx, user).await? else { return Ok(Freed::Unrecorded) };
    let needed = before.sheet.references().iter().any(|reference| {
        reference.target.kind == kind
            && reference.id == id
            && R::Sheet::FIELDS.iter().any(|(name, rule)| *name == reference.field && rule.required)
    });
    if to.is_none() && needed {
        return Ok(Freed::No);
    }
    let mut after = before.clone();
    after.sheet.repoint(kind, id, to);
    R::settle(tx, Some(&before.sheet), &mut after).await?;
    // The remaining reference is in a column, for example the owner.
    if after.sheet == before.sheet {
        return Ok(Freed::No);
    }
    Ok(Freed::InVersion(save::<R>(tx, &before, after, change).await?.version))
}

/// Makes a parcours point to another record than this one, or to none. It always succeeds: no reference of a parcours is required
/// but its owner.
async fn free_parcours(
    tx: &Tx,
    id: ParcoursId,
    (kind, from): (Kind, i64),
    to: Option<i64>,
    change: Change<'_>,
) -> Result<Freed, StoreError> {
    let Some(before) = parcours::lock(tx, id).await? else { return Ok(Freed::Unrecorded) };
    let mut after = before.clone();
    domain::parcours::repoint(&mut after.sheet, &mut after.steps, kind, from, to);
    let in_audio = kind == Kind::Media && audio::repoint(tx, id, from, to).await?;
    if after == before {
        // Saving an audio walk does not save the sheet: such a use has no version.
        let kept = in_audio && audio::is_freed(tx, id, from).await?;
        return Ok(if kept {
            Freed::InVersion(0)
        } else if in_audio {
            Freed::Unrecorded
        } else {
            Freed::No
        });
    }
    Ok(Freed::InVersion(parcours::save(tx, &before, after, None, change).await?.version))
}
