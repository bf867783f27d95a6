//! The bin: deleted records, stored for 30 days with all that is needed to restore them.

mod former_uses;
mod parcours;

use domain::record::{Kind, Sheet};
use domain::{Actor, DAY_S, Instant, ParcoursId, Role, Text, UserId, WhiteLabelId, fold};
use sea_orm::{QueryResult, Value};
use serde::{Deserialize, Serialize};

pub use self::former_uses::{RestoredReferences, former_uses, former_uses_seen_by, restore_references};
use self::former_uses::{StoredUse, StoredUses};
pub use self::parcours::delete_parcours;
use crate::access::Access;
use crate::every_kind::for_kind;
use crate::record::{
    Change, Conditions, Counted, Record, Stored, capped_count_now, forget_links, insert, link_white_label,
};
use crate::sql::{all, execute, get, is_own, json, numbers, one, person, text};
use crate::uses::FormerUse;
use crate::{Connection, Page, StoreError, Tx, row};

/// How long the bin keeps a record, seconds.
const RETENTION_S: i64 = 30 * DAY_S;

/// Something in the bin.
#[derive(Debug, Clone, PartialEq)]
pub struct BinItem {
    /// Its number in the bin.
    pub id: i64,
    /// The kind of the record.
    pub kind: Kind,
    /// The record's number, which it keeps when it is restored.
    pub record_id: i64,
    pub title: Text,
    /// When it was deleted.
    pub deleted_at: Instant,
    /// The user who deleted it: id and full name.
    pub deleted_by: Option<(UserId, String)>,
    /// When it is erased for good.
    pub expires_at: Instant,
    pub owner: BinOwner,
}

/// The owner of something in the bin.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BinOwner {
    /// The white-label: number and name.
    pub white_label: Option<(WhiteLabelId, String)>,
    pub structure_id: Option<i64>,
}

/// The filter of the bin.
#[derive(Debug, Clone, Default)]
pub struct BinFilter {
    /// Only this kind.
    pub kind: Option<Kind>,
    /// Every one of these words.
    pub search: Option<String>,
}

/// A record that was restored from the bin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Restored {
    pub kind: Kind,
    /// Its number, the one it had.
    pub id: i64,
}

/// What the bin keeps of a record.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "S: Sheet")]
struct Body<S> {
    published: bool,
    created_at: i64,
    #[serde(with = "domain::rest")]
    sheet: S,
    /// The white-labels that had added it: number and switch.
    added: Vec<(i64, bool)>,
    /// The records that referred to it.
    #[serde(default)]
    places: Vec<StoredUse>,
}

/// Puts a record into the bin. References to it were removed before: the bin stores which records had them.
pub async fn remove<R: Record>(
    tx: &Tx,
    gone: &Stored<R::Sheet>,
    uses: &[FormerUse],
    change: Change<'_>,
) -> Result<(), StoreError> {
    expire(tx, change.at).await?;
    let StoredUses { added, places } = StoredUses::of(tx, R::KIND, gone.id, uses).await?;
    let body =
        Body { published: gone.published, created_at: gone.created_at.0, sheet: gone.sheet.clone(), added, places };
    let kept = NewBinRow {
        kind: R::KIND,
        id: gone.id,
        white_label_id: gone.white_label_id.map(|id| id.0),
        structure_id: R::structure(&gone.sheet),
        title: R::title(&gone.sheet),
        version: gone.version,
        body: text(&body),
        former_uses: None,
    };
    kept.put(tx, change).await?;
    delete_rows::<R>(tx, gone.id).await
}

/// Deletes a record and its history for good. Nothing refers to it.
pub async fn delete_for_good<R: Record>(tx: &Tx, id: i64) -> Result<(), StoreError> {
    let sql = "DELETE FROM record_revision WHERE kind = $1 AND record_id = $2";
    execute(tx, sql, [R::KIND.code().into(), id.into()]).await?;
    delete_rows::<R>(tx, id).await
}

/// Deletes a record from its tables, and its links.
async fn delete_rows<R: Record>(tx: &Tx, record: i64) -> Result<(), StoreError> {
    let (code, id): (Value, Value) = (R::KIND.code().into(), record.into());
    forget_links(tx, R::KIND, record).await?;
    crate::custom::forget(tx, R::KIND, record).await?;
    execute(tx, "DELETE FROM record_white_label WHERE kind = $1 AND record_id = $2", [code.clone(), id.clone()])
        .await?;
    execute(tx, "DELETE FROM record_sheet WHERE kind = $1 AND id = $2", [code, id.clone()]).await?;
    if let Some(words) = R::WORDS {
        words.0.forget(tx, record).await?;
    }
    execute(tx, &format!("DELETE FROM {} WHERE id = $1", R::TABLE), [id]).await?;
    Ok(())
}

/// A row to be added to the bin.
struct NewBinRow {
    kind: Kind,
    id: i64,
    white_label_id: Option<i64>,
    structure_id: Option<i64>,
    title: Text,
    version: i64,
    body: String,
    /// Of a parcours.
    former_uses: Option<String>,
}

impl NewBinRow {
    async fn put(self, tx: &Tx, change: Change<'_>) -> Result<(), StoreError> {
        let words: Vec<String> = self.title.iter().map(|(_, words)| fold(words)).collect();
        let sql = "INSERT INTO bin (kind, record_id, white_label_id, structure_id, title, words, version, deleted_at, deleted_by, expires_at, body, former_uses)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
        let values: [Value; 12] = [
            self.kind.code().into(),
            self.id.into(),
            self.white_label_id.into(),
            self.structure_id.into(),
            row::to_json(&self.title).into(),
            format!(" {}", words.join(" ")).into(),
            self.version.into(),
            change.at.0.into(),
            change.by.map(|id| id.0).into(),
            change.at.plus_s(RETENTION_S).0.into(),
            self.body.into(),
            self.former_uses.into(),
        ];
        execute(tx, sql, values).await?;
        Ok(())
    }
}

/// Erases the records whose time in the bin is over, and their history.
pub async fn expire(tx: &Tx, now: Instant) -> Result<(), StoreError> {
    let old = all(tx, "SELECT kind, record_id FROM bin WHERE expires_at <= $1", [now.0.into()]).await?;
    for row in &old {
        let (kind, id): (i16, i64) = (get(row, 0)?, get(row, 1)?);
        let sql = "DELETE FROM record_revision WHERE kind = $1 AND record_id = $2";
        execute(tx, sql, [kind.into(), id.into()]).await?;
        if kind == Kind::Parcours.code() {
            parcours::forget_for_good(tx, id).await?;
        }
        if kind == Kind::Media.code() {
            crate::audio::forget_freed(tx, id).await?;
        }
    }
    if !old.is_empty() {
        execute(tx, "DELETE FROM bin WHERE expires_at <= $1", [now.0.into()]).await?;
    }
    Ok(())
}

const ITEM: &str = r#"SELECT n.id, n.kind, n.record_id, n.title, n.deleted_at, n.deleted_by, u.first_name, u.last_name, n.expires_at,
    n.white_label_id, w.name AS white_label_name, n.structure_id FROM bin n LEFT JOIN "user" u ON u.id = n.deleted_by
    LEFT JOIN white_label w ON w.id = n.white_label_id"#;

/// The records that a user may restore: records of the kinds they may make; of their white-labels, an admin also of their structure, a
/// superadmin everything.
fn restorable_by(actor: &Actor, now: Instant) -> Conditions {
    let mut found = Conditions::default();
    let own = is_own(actor, "n.white_label_id");
    found.and(format!("n.expires_at > {}", now.0));
    let kinds: Vec<i64> =
        Kind::ALL.iter().filter(|kind| actor.can(kind.needed_to_make())).map(|kind| i64::from(kind.code())).collect();
    found.and(format!("n.kind IN {}", numbers(&kinds)));
    match actor.role {
        Role::Superadmin => {}
        Role::Admin => {
            let structure = actor.structure_id;
            found.and(format!("({own} OR n.structure_id = {structure})"));
        }
        _ => {
            found.and(own);
        }
    }
    found
}

/// A page of the bin, the last deleted first.
pub async fn list(
    db: &impl Connection,
    actor: &Actor,
    filter: &BinFilter,
    page: Page,
    now: Instant,
) -> Result<(Vec<BinItem>, Counted), StoreError> {
    let mut found = restorable_by(actor, now);
    if let Some(kind) = filter.kind {
        found.and(format!("n.kind = {}", kind.code()));
    }
    for word in fold(filter.search.as_deref().unwrap_or_default()).split(' ').filter(|word| !word.is_empty()).take(8) {
        let pattern = found.bind(format!("% {word}%"));
        found.and(format!("n.words LIKE {pattern}"));
    }
    let sql = format!(
        "{ITEM} {} ORDER BY n.deleted_at DESC, n.id DESC LIMIT {} OFFSET {}",
        found.sql(),
        page.per_page(),
        page.offset()
    );
    let items = all(db, &sql, found.values.clone()).await?.iter().map(item).collect::<Result<Vec<_>, _>>()?;
    let counted = capped_count_now(db, "bin", &found).await?;
    Ok((items, counted))
}

/// One thing in the bin that the person may restore.
pub async fn find(db: &impl Connection, actor: &Actor, id: i64, now: Instant) -> Result<Option<BinItem>, StoreError> {
    let mut found = restorable_by(actor, now);
    found.and("n.id = $1");
    one(db, &format!("{ITEM} {}", found.sql()), [id.into()]).await?.map(|row| item(&row)).transpose()
}

/// The number in the bin of something that was deleted.
pub async fn number_of(db: &impl Connection, kind: Kind, id: i64) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT id FROM bin WHERE kind = $1 AND record_id = $2 ORDER BY id DESC LIMIT 1";
    one(db, sql, [kind.code().into(), id.into()]).await?.map(|row| get(&row, 0)).transpose()
}

fn item(row: &QueryResult) -> Result<BinItem, StoreError> {
    let (id, code): (i64, i16) = (get(row, "id")?, get(row, "kind")?);
    let white_label: Option<i64> = get(row, "white_label_id")?;
    let called = get::<Option<String>>(row, "white_label_name")?.unwrap_or_default();
    Ok(BinItem {
        id,
        kind: row::word("bin", id, &code.to_string(), Kind::of_code(code))?,
        record_id: get(row, "record_id")?,
        title: row::text(get(row, "title")?),
        deleted_at: Instant(get(row, "deleted_at")?),
        deleted_by: person(row, ["deleted_by", "first_name", "last_name"])?,
        expires_at: Instant(get(row, "expires_at")?),
        owner: BinOwner {
            white_label: white_label.map(|id| (WhiteLabelId(id), called)),
            structure_id: get(row, "structure_id")?,
        },
    })
}

/// A record as the bin keeps it. None when it is not there, or is of another kind.
pub async fn load<R: Record>(db: &impl Connection, id: i64) -> Result<Option<Stored<R::Sheet>>, StoreError> {
    let sql = "SELECT record_id, white_label_id, version, body FROM bin WHERE id = $1 AND kind = $2";
    let Some(row) = one(db, sql, [id.into(), R::KIND.code().into()]).await? else { return Ok(None) };
    let body: Body<R::Sheet> = json("bin", id, &get::<String>(&row, "body")?)?;
    Ok(Some(Stored {
        id: get(&row, "record_id")?,
        white_label_id: get::<Option<i64>>(&row, "white_label_id")?.map(WhiteLabelId),
        published: body.published,
        sheet: body.sheet,
        version: get(&row, "version")?,
        created_at: Instant(body.created_at),
        updated_at: Instant(body.created_at),
        updated_by: None,
    }))
}

/// Restores a record with its number, without the references that `access` no longer allows. None if it is no longer in the
/// bin.
pub async fn restore(tx: &Tx, id: i64, access: &Access, change: Change<'_>) -> Result<Option<Restored>, StoreError> {
    let sql = "DELETE FROM bin WHERE id = $1 RETURNING kind, record_id, white_label_id, version, body, former_uses";
    let Some(row) = one(tx, sql, [id.into()]).await? else { return Ok(None) };
    let (code, record, version): (i16, i64, i64) = (get(&row, "kind")?, get(&row, "record_id")?, get(&row, "version")?);
    let owner: Option<i64> = get(&row, "white_label_id")?;
    let body: String = get(&row, "body")?;
    let kind = row::word("bin", id, &code.to_string(), Kind::of_code(code))?;
    let uses: Option<String> = get(&row, "former_uses")?;
    let added = for_kind!(
        kind,
        R => restore_one::<R>(tx, access, (record, owner, version), &body, change).await,
        parcours => {
            parcours::restore(tx, access, (record, version), Instant(json("bin", id, &body)?), change).await?;
            Ok(StoredUses::of_parcours(id, uses.as_deref())?.added)
        }
    )?;
    for (white_label, published) in added {
        if one(tx, "SELECT id FROM white_label WHERE id = $1", [white_label.into()]).await?.is_none() {
            continue;
        }
        let white_label = WhiteLabelId(white_label);
        if kind == Kind::Parcours {
            crate::parcours::link_white_label(tx, ParcoursId(record), white_label, published, change.at).await?;
        } else {
            link_white_label(tx, kind, record, white_label, published).await?;
        }
    }
    Ok(Some(Restored { kind, id: record }))
}

/// Restores a record that is no parcours. Gives the white-labels that had added it: number and switch.
async fn restore_one<R: Record>(
    tx: &Tx,
    access: &Access,
    (id, owner, version): (i64, Option<i64>, i64),
    body: &str,
    change: Change<'_>,
) -> Result<Vec<(i64, bool)>, StoreError> {
    let mut body: Body<R::Sheet> = json("bin", id, body)?;
    // Its references may be to records that were deleted since, or are no longer shared.
    access.forget_unusable(tx, &R::Sheet::default(), &mut body.sheet).await?;
    let mut stored = Stored {
        id,
        white_label_id: owner.map(WhiteLabelId),
        published: body.published,
        sheet: body.sheet,
        version,
        created_at: Instant(body.created_at),
        updated_at: change.at,
        updated_by: None,
    };
    R::settle(tx, None, &mut stored).await?;
    insert::<R>(tx, stored, change.because("restore")).await?;
    Ok(body.added)
}
