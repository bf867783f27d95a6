//! Recordings of voices: the same text is never spoken twice.

use std::collections::HashMap;

use domain::Instant;
use sea_orm::Value;

use crate::sql::{all, execute, get};
use crate::{Connection, StoreError, Tx};

/// Checksums asked for in one statement.
const AT_ONCE: usize = 200;

/// The media of recordings, by checksum. A recording whose media is gone is left out.
pub async fn clips(db: &impl Connection, sums: &[String]) -> Result<HashMap<String, i64>, StoreError> {
    let mut found = HashMap::with_capacity(sums.len());
    for sums in sums.chunks(AT_ONCE) {
        let places: Vec<String> = (1..=sums.len()).map(|at| format!("${at}")).collect();
        let sql = format!(
            "SELECT c.sum, c.media_id FROM audio_clip c JOIN media m ON m.id = c.media_id WHERE c.sum IN ({})",
            places.join(", ")
        );
        for row in all(db, &sql, sums.iter().map(|sum| Value::from(sum.clone()))).await? {
            found.insert(get(&row, 0)?, get(&row, 1)?);
        }
    }
    Ok(found)
}

/// Stores the media of a spoken text.
pub async fn put_clip(tx: &Tx, sum: &str, media: i64, at: Instant) -> Result<(), StoreError> {
    let sql = "INSERT INTO audio_clip (sum, media_id, made_at) VALUES ($1, $2, $3)
        ON CONFLICT (sum) DO UPDATE SET media_id = excluded.media_id, made_at = excluded.made_at";
    execute(tx, sql, [sum.into(), media.into(), at.0.into()]).await?;
    Ok(())
}
