//! The uses of a record, and freeing it from them.

use domain::record::{Kind, Sheet};
use domain::{Actor, ParcoursId, Text};
use sea_orm::Value;

use crate::access::{Owner, Usable, may_change, owners};
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

/// Columns that point to a record beside its links: to what, from what, the column, and whether it may be emptied.
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

/// The selections that find who uses a record: kind and number, once each.
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

/// What uses a record, without regard to who may see it: for decisions that no answer shows. Answers take [`crate::visible::uses_seen_by`].
pub async fn of(db: &impl Connection, kind: Kind, id: i64, limit: usize) -> Result<Uses, StoreError> {
    let users = users_of(kind, id);
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

/// A record that pointed to one that was deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub kind: Kind,
    pub id: i64,
    /// The save that took the deleted one out of it.
    pub version: i64,
}

/// How the uses of a deleted record are treated.
#[derive(Debug, Clone, Copy)]
pub struct Freeing<'a> {
    /// The user who deletes it.
    pub actor: &'a Actor,
    /// The record that takes its place, in what may point to it.
    pub to: Option<i64>,
    /// How records that this person may not change are treated.
    pub others: Others,
}

/// How records that a person may not change are treated, when what they point to is deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Others {
    /// They keep it: then it does not go.
    Keep,
    /// They are freed of it. Nothing takes its place there.
    Free,
    /// They point to what takes its place, where their owner may.
    Follow,
}

/// The uses of a record to delete: those that prevent it, and its places.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Stuck {
    /// What this person may change.
    pub own: Vec<Use>,
    /// How many others.
    pub others: i64,
    /// The places that it was removed from: the bin stores them, to restore the references.
    pub freed: Vec<Place>,
}

impl Stuck {
    /// Whether nothing keeps it.
    pub const fn is_empty(&self) -> bool {
        self.own.is_empty() && self.others == 0
    }
}

/// Makes all that uses a record point to another one, or nowhere. What keeps it from going is given back, and then nothing
/// may be kept of the transaction.
pub async fn free(tx: &Tx, kind: Kind, id: i64, freeing: Freeing<'_>, change: Change<'_>) -> Result<Stuck, StoreError> {
    let mut stuck = Stuck::default();
    let mut target = freeing.to.map(|to| (to, Usable::new(kind, to)));
    let users = by_kind(tx, &format!("SELECT kind, id FROM ({}) c ORDER BY kind, id", users_of(kind, id))).await?;
    for (from, ids) in users {
        let owners = owners(tx, from, &ids).await?;
        for user in ids {
            let owner = owners.get(&user).copied().unwrap_or(Owner::Nobody);
            let own = may_change(freeing.actor, from, owner);
            // Another structure is another owner: the record moves there, which is for the person alone to decide.
            let moves = kind == Kind::Structure && own;
            let usable = match &mut target {
                _ if moves => true,
                Some((_, target)) => target.by(tx, owner).await?,
                None => false,
            };
            let to = freeing.to.filter(|_| usable && (own || freeing.others == Others::Follow));
            let goes = match freeing.others {
                // An own record is only left without it where nothing was to take its place.
                Others::Keep => own && (to.is_some() || freeing.to.is_none()),
                Others::Follow => to.is_some(),
                Others::Free => true,
            };
            // The history of others does not name who deleted something elsewhere.
            let change = if own { change } else { Change { by: None, ..change } };
            if goes {
                match freed(tx, (from, user), (kind, id), to, change).await? {
                    Freed::At(version) => {
                        stuck.freed.push(Place { kind: from, id: user, version });
                        continue;
                    }
                    Freed::Unseen => continue,
                    Freed::Not => {}
                }
            }
            if own {
                let title = titles(tx, from, &[user]).await?.pop().map(|(_, title)| title).unwrap_or_default();
                stuck.own.push(Use { kind: from, id: user, title });
            } else {
                stuck.others += 1;
            }
        }
    }
    Ok(stuck)
}

/// Whether a user does without a record by now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Freed {
    /// It cannot do without, or is of a kind that is not saved here.
    Not,
    /// Nothing of it was saved: it was not there any more.
    Unseen,
    /// Since this save.
    At(i64),
}

async fn freed(
    tx: &Tx,
    (from, user): (Kind, i64),
    gone: (Kind, i64),
    to: Option<i64>,
    change: Change<'_>,
) -> Result<Freed, StoreError> {
    for_kind!(
        from,
        R => free_one::<R>(tx, user, gone, to, change).await,
        parcours => free_parcours(tx, ParcoursId(user), gone, to, change).await
    )
}

async fn free_one<R: Record>(
    tx: &Tx,
    user: i64,
    (kind, id): (Kind, i64),
    to: Option<i64>,
    change: Change<'_>,
) -> Result<Freed, StoreError> {
    let Some(before) = lock::<R>(tx, user).await? else { return Ok(Freed::Unseen) };
    let needed = before.sheet.references().iter().any(|reference| {
        reference.target.kind == kind
            && reference.id == id
            && R::Sheet::FIELDS.iter().any(|(name, rule)| *name == reference.field && rule.required)
    });
    if to.is_none() && needed {
        return Ok(Freed::Not);
    }
    let mut after = before.clone();
    after.sheet.repoint(kind, id, to);
    // What still refers to it does so by a column, for example as its owner.
    if after.sheet == before.sheet {
        return Ok(Freed::Not);
    }
    Ok(Freed::At(save::<R>(tx, &before, after, change).await?.version))
}

/// Makes a parcours point to another record than this one, or to none. Never stuck: no reference of a parcours is required
/// but its owner.
async fn free_parcours(
    tx: &Tx,
    id: ParcoursId,
    (kind, from): (Kind, i64),
    to: Option<i64>,
    change: Change<'_>,
) -> Result<Freed, StoreError> {
    let Some(before) = parcours::lock(tx, id).await? else { return Ok(Freed::Unseen) };
    let mut after = before.clone();
    domain::parcours::repoint(&mut after.sheet, &mut after.steps, kind, from, to);
    let heard = kind == Kind::Media && audio::repoint(tx, id, from, to).await?;
    if after == before {
        // Saving a walk does not save the sheet: its place has no version.
        let kept = heard && audio::is_freed(tx, id, from).await?;
        return Ok(if kept {
            Freed::At(0)
        } else if heard {
            Freed::Unseen
        } else {
            Freed::Not
        });
    }
    Ok(Freed::At(parcours::save(tx, &before, after, None, change).await?.version))
}
