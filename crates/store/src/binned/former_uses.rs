//! The records that referred to something in the bin, and how the references are restored.

use domain::Actor;
use domain::record::Kind;
use sea_orm::Value;
use serde::{Deserialize, Serialize};

use super::parcours;
use crate::access::{RecordOwner, Usable, may_change, owners};
use crate::every_kind::for_kind;
use crate::record::{Change, Record, linked_white_labels, lock, restore_reference_in_sheet, revision, save, table_of};
use crate::sql::{all, get, json, numbers, one};
use crate::uses::{FormerUse, Uses};
use crate::visible::records_seen_by;
use crate::{Connection, StoreError, Tx, row};

/// How many references to a restored record were restored, and how many were not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RestoredReferences {
    /// Records that refer to it again.
    pub done: i64,
    /// Records whose reference was not restored: the person may not change them, they were erased, or their field refers to another record now.
    pub left: i64,
}

/// A former use as the bin stores it: kind, number, version.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct StoredUse(i16, i64, i64);

impl From<&FormerUse> for StoredUse {
    fn from(former: &FormerUse) -> Self {
        Self(former.kind.code(), former.id, former.version)
    }
}

/// What used a deleted record, as the bin stores it.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct StoredUses {
    /// The white-labels that had added it: number and switch.
    pub(super) added: Vec<(i64, bool)>,
    /// The records that referred to it.
    #[serde(default)]
    pub(super) places: Vec<StoredUse>,
}

impl StoredUses {
    /// The uses of a record that is being deleted; the references `uses` were removed before.
    pub(super) async fn of(tx: &Tx, kind: Kind, id: i64, uses: &[FormerUse]) -> Result<Self, StoreError> {
        let links = linked_white_labels(tx, kind, id).await?;
        Ok(Self {
            added: links.iter().map(|link| (link.id.0, link.published)).collect(),
            places: uses.iter().map(Into::into).collect(),
        })
    }

    /// The uses of a parcours in the bin; empty if it was deleted before the bin kept them.
    pub(super) fn of_parcours(bin_id: i64, written: Option<&str>) -> Result<Self, StoreError> {
        written.map_or_else(|| Ok(Self::default()), |uses| json("bin", bin_id, uses))
    }
}

/// The former uses of something in the bin. The shares of a parcours are not among them: they ended.
pub async fn former_uses(db: &impl Connection, bin_id: i64) -> Result<Vec<FormerUse>, StoreError> {
    let sql = "SELECT kind, body, former_uses FROM bin WHERE id = $1";
    let Some(found) = one(db, sql, [bin_id.into()]).await? else { return Ok(Vec::new()) };
    let uses = if get::<i16>(&found, 0)? == Kind::Parcours.code() {
        StoredUses::of_parcours(bin_id, get::<Option<String>>(&found, 2)?.as_deref())?
    } else {
        json("bin", bin_id, &get::<String>(&found, 1)?)?
    };
    uses.places
        .into_iter()
        .map(|StoredUse(code, id, version)| {
            Ok(FormerUse { kind: row::word("bin", bin_id, &code.to_string(), Kind::of_code(code))?, id, version })
        })
        .collect()
}

/// The records that referred to something in the bin and still exist: how many there are, and the names of at most `limit` of
/// those that a person may see.
pub async fn former_uses_seen_by(
    db: &impl Connection,
    actor: &Actor,
    bin_id: i64,
    limit: usize,
) -> Result<Uses, StoreError> {
    let mut there = Vec::new();
    for (kind, ids) in by_kind(&former_uses(db, bin_id).await?) {
        let sql = format!("SELECT id FROM {} WHERE id IN {}", table_of(kind), numbers(&ids));
        for found in all(db, &sql, Vec::<Value>::new()).await? {
            there.push((kind, get::<i64>(&found, 0)?));
        }
    }
    records_seen_by(db, actor, &there, limit).await
}

fn by_kind(uses: &[FormerUse]) -> Vec<(Kind, Vec<i64>)> {
    let mut found: Vec<(Kind, Vec<i64>)> = Vec::new();
    for former in uses {
        match found.last_mut() {
            Some((last, ids)) if *last == former.kind => ids.push(former.id),
            _ => found.push((former.kind, vec![former.id])),
        }
    }
    found
}

/// Restores the references to a record, in those records that this person may change and whose owner may use it.
pub async fn restore_references(
    tx: &Tx,
    actor: &Actor,
    (kind, id): (Kind, i64),
    uses: &[FormerUse],
    change: Change<'_>,
) -> Result<RestoredReferences, StoreError> {
    let mut restored = RestoredReferences::default();
    let mut usable = Usable::new(kind, id);
    for former in uses {
        let owner =
            owners(tx, former.kind, &[former.id]).await?.get(&former.id).copied().unwrap_or(RecordOwner::Unowned);
        let is_allowed = may_change(actor, former.kind, owner) && usable.by(tx, owner).await?;
        let at = (former.id, former.version);
        let done = is_allowed
            && for_kind!(
                former.kind,
                R => restore_references_in::<R>(tx, at, id, change).await,
                parcours => parcours::restore_references(tx, at, (kind, id), change).await
            )?;
        if done {
            restored.done += 1;
        } else {
            restored.left += 1;
        }
    }
    if kind == Kind::Media {
        crate::audio::forget_freed(tx, id).await?;
    }
    Ok(restored)
}

/// Restores the references to `record` in the record `id`, which lost them in `version`. `false` if that record no longer exists, or if its field
/// was filled since.
async fn restore_references_in<R: Record>(
    tx: &Tx,
    (id, version): (i64, i64),
    record: i64,
    change: Change<'_>,
) -> Result<bool, StoreError> {
    let Some(now) = lock::<R>(tx, id).await? else { return Ok(false) };
    let Some(before) = revision::<R>(tx, id, version - 1).await? else { return Ok(false) };
    let Some(freed) = revision::<R>(tx, id, version).await? else { return Ok(false) };
    let mut after = now.clone();
    after.sheet = restore_reference_in_sheet(&before.sheet, &freed.sheet, &now.sheet, record);
    R::settle(tx, Some(&now.sheet), &mut after).await?;
    if after.sheet == now.sheet {
        return Ok(false);
    }
    save::<R>(tx, &now, after, change).await?;
    Ok(true)
}
