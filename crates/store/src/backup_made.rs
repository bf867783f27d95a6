//! The last backup that `jalon backup create` made of this database.

use domain::Instant;
use sea_orm::Value;

use crate::sql::{execute, get, one};
use crate::{Connection, StoreError, Tx};

/// A backup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupMade {
    /// The name of its file.
    pub file: String,
    /// Its size.
    pub bytes: u64,
    /// How many blobs it has.
    pub blobs: u64,
    /// How many blobs the database needs and the backup does not have.
    pub missing: u64,
    pub made_at: Instant,
}

/// Records a backup, instead of the one before.
pub async fn record(tx: &Tx, made: &BackupMade) -> Result<(), StoreError> {
    let sql = "INSERT INTO backup_made (id, file, bytes, blobs, missing, made_at) VALUES (1, $1, $2, $3, $4, $5)
        ON CONFLICT (id) DO UPDATE SET file = excluded.file, bytes = excluded.bytes, blobs = excluded.blobs,
        missing = excluded.missing, made_at = excluded.made_at";
    let values: [Value; 5] = [
        made.file.clone().into(),
        (made.bytes as i64).into(),
        (made.blobs as i64).into(),
        (made.missing as i64).into(),
        made.made_at.0.into(),
    ];
    execute(tx, sql, values).await?;
    Ok(())
}

/// The last backup; none where none was recorded.
pub async fn last(db: &impl Connection) -> Result<Option<BackupMade>, StoreError> {
    let row = one(db, "SELECT file, bytes, blobs, missing, made_at FROM backup_made WHERE id = 1", []).await?;
    row.map(|row| {
        let number = |column: &str| get::<i64>(&row, column).map(|number| number.max(0) as u64);
        Ok(BackupMade {
            file: get(&row, "file")?,
            bytes: number("bytes")?,
            blobs: number("blobs")?,
            missing: number("missing")?,
            made_at: Instant(get(&row, "made_at")?),
        })
    })
    .transpose()
}
