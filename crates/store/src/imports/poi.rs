//! The POIs of a source: which one is which here, and what was last written into it.

use std::collections::{BTreeMap, HashMap};

use crate::sql::{all, execute, get, json, one, text};
use crate::{Connection, StoreError, Tx};

/// A POI that came from a source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourcePoi {
    /// The source's identifier of it.
    pub number: String,
    /// Which POI it is here, or was before it was deleted.
    pub poi_id: i64,
    /// Checksum of what came.
    pub digest: String,
    /// Checksum of what was last written into each field.
    pub applied: BTreeMap<String, String>,
    /// The run that made it.
    pub run_id: Option<i64>,
    /// Whether it is still here.
    pub is_here: bool,
}

/// One of them.
pub async fn source_poi(db: &impl Connection, source: i64, number: &str) -> Result<Option<SourcePoi>, StoreError> {
    let sql = "SELECT i.poi_id, i.digest, i.applied, i.run_id, p.id AS here FROM import_poi i
        LEFT JOIN poi p ON p.id = i.poi_id WHERE i.source_id = $1 AND i.number = $2";
    let Some(row) = one(db, sql, [source.into(), number.into()]).await? else { return Ok(None) };
    let poi_id = get(&row, "poi_id")?;
    Ok(Some(SourcePoi {
        number: number.to_owned(),
        poi_id,
        digest: get(&row, "digest")?,
        applied: json("import_poi", poi_id, &get::<String>(&row, "applied")?)?,
        run_id: get(&row, "run_id")?,
        is_here: get::<Option<i64>>(&row, "here")?.is_some(),
    }))
}

/// The POIs of a source that are here, by their number there.
pub async fn pois_of_source(db: &impl Connection, source: i64) -> Result<HashMap<String, i64>, StoreError> {
    let sql = "SELECT i.number, i.poi_id FROM import_poi i JOIN poi p ON p.id = i.poi_id WHERE i.source_id = $1";
    all(db, sql, [source.into()]).await?.iter().map(|row| Ok((get(row, 0)?, get(row, 1)?))).collect()
}

/// How many POIs of a source were read, those that were deleted here since among them.
pub async fn pois_known(db: &impl Connection, source: i64) -> Result<u64, StoreError> {
    let row = one(db, "SELECT COUNT(*) AS known FROM import_poi WHERE source_id = $1", [source.into()]).await?;
    Ok(row.map_or(Ok(0), |row| get::<i64>(&row, "known"))?.unsigned_abs())
}

/// Keeps one.
pub async fn put_source_poi(tx: &Tx, source: i64, poi: &SourcePoi) -> Result<(), StoreError> {
    let sql =
        "INSERT INTO import_poi (source_id, number, poi_id, digest, applied, run_id) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (source_id, number) DO UPDATE SET poi_id = excluded.poi_id, digest = excluded.digest,
        applied = excluded.applied, run_id = excluded.run_id";
    let values = [
        source.into(),
        poi.number.clone().into(),
        poi.poi_id.into(),
        poi.digest.clone().into(),
        text(&poi.applied).into(),
        poi.run_id.into(),
    ];
    execute(tx, sql, values).await?;
    Ok(())
}

/// Some of the POIs of a source that one of its runs made, by their number there.
pub async fn pois_made_by(
    db: &impl Connection,
    source: i64,
    run: i64,
    limit: u32,
) -> Result<Vec<(String, i64)>, StoreError> {
    let sql = format!(
        "SELECT number, poi_id FROM import_poi WHERE source_id = $1 AND run_id = $2 ORDER BY number LIMIT {limit}"
    );
    all(db, &sql, [source.into(), run.into()])
        .await?
        .iter()
        .map(|row| Ok((get(row, "number")?, get(row, "poi_id")?)))
        .collect()
}

/// A POI of a source stays when the run that made it is taken back.
pub async fn keep_source_poi(tx: &Tx, source: i64, number: &str) -> Result<(), StoreError> {
    let sql = "UPDATE import_poi SET run_id = NULL WHERE source_id = $1 AND number = $2";
    execute(tx, sql, [source.into(), number.into()]).await?;
    Ok(())
}

/// A POI of a source is as if it had never come.
pub async fn drop_source_poi(tx: &Tx, source: i64, number: &str) -> Result<(), StoreError> {
    let sql = "DELETE FROM import_poi WHERE source_id = $1 AND number = $2";
    execute(tx, sql, [source.into(), number.into()]).await?;
    Ok(())
}
