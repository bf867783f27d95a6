//! Which blobs a media has or had.

use domain::MediaId;
use domain::record::Kind;

use crate::sql::{all, execute, get};
use crate::{Connection, StoreError, Tx};

/// Notes that blobs belong to a media.
pub async fn remember_blobs(tx: &Tx, id: MediaId, keys: &[String]) -> Result<(), StoreError> {
    for key in keys {
        let sql = "INSERT INTO media_blob (blob_key, media_id) VALUES ($1, $2) ON CONFLICT (blob_key) DO NOTHING";
        execute(tx, sql, [key.as_str().into(), id.0.into()]).await?;
    }
    Ok(())
}

/// Forgets blobs that were deleted.
pub async fn forget_blobs(tx: &Tx, keys: &[String]) -> Result<(), StoreError> {
    for key in keys {
        execute(tx, "DELETE FROM media_blob WHERE blob_key = $1", [key.as_str().into()]).await?;
    }
    Ok(())
}

/// Blobs of media that are neither there nor in the bin, at most `limit`.
pub async fn orphans(db: &impl Connection, limit: u32) -> Result<Vec<String>, StoreError> {
    let sql = format!(
        "SELECT b.blob_key FROM media_blob b WHERE NOT EXISTS (SELECT 1 FROM media n WHERE n.id = b.media_id)
        AND NOT EXISTS (SELECT 1 FROM bin t WHERE t.kind = {} AND t.record_id = b.media_id) LIMIT {limit}",
        Kind::Media.code()
    );
    all(db, &sql, []).await?.iter().map(|row| get(row, 0)).collect()
}
