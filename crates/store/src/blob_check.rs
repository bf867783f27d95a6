//! Compares the blobs with the database, and copies blobs from one store to another.

use std::collections::{BTreeSet, HashSet};

use domain::record::Kind;
use domain::region::Manifest;
use domain::{DAY_S, Instant};
use futures_util::{StreamExt, TryStreamExt};

use crate::sql::{all, get};
use crate::{Blobs, Connection, Dialect, StoreError, StoredBlob};

/// The folders of blobs whose keys are all in the database. In the others (files of traces, imports and feeds, kept for good, and
/// caches) nothing is an orphan.
const SWEPT: [&str; 6] = ["media", "report", "roadbook-batches", "upload", "check", REGIONS];
/// The folder of the files of published regions.
const REGIONS: &str = "region";
/// Beginnings of keys of orphans that say nothing of the database: test blobs, which it never names, and files of regions, which a
/// backup does not hold.
const NOT_COUNTED: [&str; 2] = ["check/", "region/"];
/// Up to this number, orphans are deleted without confirmation, even where they are the larger part.
const FEW: usize = 20;
/// How long orphans are kept, seconds: longer than any work between storing a blob and noting it.
pub const ORPHANS_KEPT_S: i64 = 7 * DAY_S;
/// Copies under way at once.
const COPIES: usize = 8;

/// What a comparison found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verified {
    /// Keys that the database needs.
    pub needed: usize,
    /// The keys, of these, that the store does not have, sorted.
    pub missing: Vec<String>,
}

/// Finds the blobs that the database needs and the store does not have. `source_key` gives the key of the file of a trace from
/// its SHA-256.
pub async fn verify(
    db: &impl Connection,
    blobs: &Blobs,
    source_key: impl Fn(&str) -> String,
) -> Result<Verified, StoreError> {
    let needed = needed(db, source_key).await?;
    // Listed after the keys were read: what is written meanwhile is found.
    let stored: HashSet<String> = blobs.list("").map_ok(|blob| blob.key).try_collect().await?;
    let count = needed.len();
    let missing = needed.into_iter().filter(|key| !stored.contains(key)).collect();
    Ok(Verified { needed: count, missing })
}

/// The keys of the blobs that the database needs. `source_key` gives the key of the file of a trace from its SHA-256.
pub async fn needed(db: &impl Connection, source_key: impl Fn(&str) -> String) -> Result<BTreeSet<String>, StoreError> {
    let mut needed = BTreeSet::new();
    let media = format!(
        "SELECT blob_key FROM media_blob b WHERE EXISTS (SELECT 1 FROM media n WHERE n.id = b.media_id)
        OR EXISTS (SELECT 1 FROM bin t WHERE t.kind = {} AND t.record_id = b.media_id)",
        Kind::Media.code()
    );
    let pieces = "SELECT blob_key FROM upload_piece p WHERE stored = 1 AND EXISTS (
        SELECT 1 FROM upload u WHERE u.token = p.token AND u.media_id IS NULL AND u.problem IS NULL)";
    for sql in [
        media.as_str(),
        pieces,
        "SELECT photo_key FROM field_report WHERE photo_key IS NOT NULL",
        "SELECT file FROM roadbook_batch WHERE file IS NOT NULL",
    ] {
        needed.extend(keys(db, sql).await?);
    }
    for summary in keys(db, "SELECT summary FROM parcours_trace").await? {
        needed.extend(checksums(&summary).map(&source_key));
    }
    needed.extend(of_regions(db, "WHERE published_at IS NOT NULL").await?);
    Ok(needed)
}

/// The blobs of a store that may be deleted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sweep {
    /// Blobs that nothing in the database names.
    pub orphans: Vec<StoredBlob>,
    /// The number of blobs that nothing names either and that are left because they are too young.
    pub younger: usize,
    /// The number of blobs of the same folders that the database names.
    pub named: usize,
}

/// Why orphans are not deleted: the database is probably not the one that these blobs are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SweepRefusal {
    /// The database is new, or that of another installation.
    #[error("this database names none of the {0} files in the store, which are probably those of another database")]
    NoneNamed(usize),
    /// The database is probably older than the blobs.
    #[error(
        "{orphans} of {stored} files in the store are not named by this database, which is probably older than they are"
    )]
    MostUnnamed {
        orphans: usize,
        /// The number of blobs.
        stored: usize,
    },
}

impl Sweep {
    /// Why the orphans must not be deleted unless the operator says so.
    pub fn refusal(&self) -> Option<SweepRefusal> {
        let is_counted = |blob: &&StoredBlob| !NOT_COUNTED.iter().any(|folder| blob.key.starts_with(folder));
        let orphans = self.orphans.iter().filter(is_counted).count();
        match (orphans, self.named) {
            (0, _) => None,
            (_, 0) => Some(SweepRefusal::NoneNamed(orphans)),
            _ if orphans > FEW && orphans > self.named => {
                Some(SweepRefusal::MostUnnamed { orphans, stored: orphans + self.named })
            }
            _ => None,
        }
    }
}

/// Finds the blobs that were written before an instant and that nothing in the database names: blobs of a server that stopped
/// between storing a blob and noting it in the database. Nothing is deleted.
pub async fn sweep(db: &impl Connection, blobs: &Blobs, before: Instant) -> Result<Sweep, StoreError> {
    let mut found = Vec::new();
    for folder in SWEPT {
        let mut listed = blobs.list(folder);
        while let Some(blob) = listed.next().await {
            found.push(blob?);
        }
    }
    // Read after the blobs were listed: a key that was noted meanwhile is known.
    let mut known = HashSet::new();
    for sql in [
        "SELECT blob_key FROM media_blob",
        "SELECT blob_key FROM upload_piece",
        "SELECT photo_key FROM field_report WHERE photo_key IS NOT NULL",
        "SELECT file FROM roadbook_batch WHERE file IS NOT NULL",
    ] {
        known.extend(keys(db, sql).await?);
    }
    // Also the files of a region that is being published.
    known.extend(of_regions(db, "").await?);
    let batches = keys(db, "SELECT CAST(id AS TEXT) FROM roadbook_batch WHERE state = 'running'").await?;
    let batches: HashSet<String> = batches.into_iter().collect();
    let is_named =
        |blob: &StoredBlob| known.contains(&blob.key) || batch_of(&blob.key).is_some_and(|id| batches.contains(id));
    let listed = found.len();
    found.retain(|blob| !is_named(blob));
    let named = listed - found.len();
    let unnamed = found.len();
    found.retain(|blob| blob.written_at < before);
    let younger = unnamed - found.len();
    Ok(Sweep { orphans: found, younger, named })
}

/// The keys of the files of regions.
async fn of_regions(db: &impl Connection, condition: &str) -> Result<BTreeSet<String>, StoreError> {
    let mut found = BTreeSet::new();
    // A backup of an older version has no such table.
    let tables = match db.dialect() {
        Dialect::Sqlite => "SELECT name FROM sqlite_master WHERE name = 'region_bundle'",
        Dialect::Postgres => {
            "SELECT table_name::text FROM information_schema.tables WHERE table_name = 'region_bundle'"
        }
    };
    if keys(db, tables).await?.is_empty() {
        return Ok(found);
    }
    for text in keys(db, &format!("SELECT manifest FROM region_bundle {condition}")).await? {
        let manifest = Manifest::parse(&text);
        let manifest = manifest.map_err(|error| StoreError::row("region_bundle", 0, error.to_string()))?;
        found.extend(manifest.blob_keys());
    }
    Ok(found)
}

/// The number of the batch of roadbooks that a blob is part of.
fn batch_of(key: &str) -> Option<&str> {
    key.strip_prefix("roadbook-batches/")?.split(|c: char| !c.is_ascii_digit()).next()
}

/// Copies the blobs that `to` does not have yet. It can be interrupted and repeated. Returns how many were copied, and their bytes;
/// `progress` is called after each.
pub async fn copy_missing(
    from: &Blobs,
    to: &Blobs,
    mut progress: impl FnMut(&StoredBlob),
) -> Result<(u64, u64), StoreError> {
    let there: HashSet<String> = to.list("").map_ok(|blob| blob.key).try_collect().await?;
    let wanted = from.list("").try_filter(|blob| std::future::ready(!there.contains(&blob.key)));
    let mut copies = wanted
        .map_ok(|blob| async move {
            // A blob that was deleted meanwhile is not copied.
            let is_copied = from.copy_to(&blob.key, to).await?;
            Ok((blob, is_copied))
        })
        .try_buffer_unordered(COPIES);
    let (mut count, mut bytes) = (0, 0);
    while let Some(copied) = copies.next().await {
        let (blob, is_copied) = copied?;
        if is_copied {
            count += 1;
            bytes += blob.bytes;
            progress(&blob);
        }
    }
    Ok((count, bytes))
}

async fn keys(db: &impl Connection, sql: &str) -> Result<Vec<String>, StoreError> {
    all(db, sql, []).await?.iter().map(|row| get(row, 0)).collect()
}

/// The values of `sha256` in the JSON of a trace.
fn checksums(json: &str) -> impl Iterator<Item = &str> {
    const NAME: &str = "\"sha256\":\"";
    json.match_indices(NAME).filter_map(|(at, _)| json.get(at + NAME.len()..)?.split('"').next())
}
