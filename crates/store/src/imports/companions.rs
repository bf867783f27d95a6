//! Records that a source has in addition to its routes: which of our records each of them is, and what was last written into it.

use std::collections::{BTreeMap, HashMap};

use domain::record::Kind;

use crate::sql::{all, execute, get, json, one, text};
use crate::{Connection, StoreError, Tx};

/// Records that a source has in addition to its routes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompanionKind {
    /// Points of interest.
    Poi,
    /// Contacts: the information desks of a Geotrek server.
    Contact,
}

impl CompanionKind {
    /// What each of them is here.
    pub const fn kind(self) -> Kind {
        match self {
            Self::Poi => Kind::Poi,
            Self::Contact => Kind::Contact,
        }
    }

    /// The table that maps source identifiers to our records, its column with the record's number, and the table of the records.
    const fn names(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Poi => ("import_poi", "poi_id", "poi"),
            Self::Contact => ("import_contact", "contact_id", "contact"),
        }
    }
}

/// A record that came from a source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceRecord {
    /// The source's identifier of it.
    pub number: String,
    /// Which record it is here, or was before it was deleted; 0 for one that cannot be taken.
    pub id: i64,
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
pub async fn source_record(
    db: &impl Connection,
    of: CompanionKind,
    source: i64,
    number: &str,
) -> Result<Option<SourceRecord>, StoreError> {
    let (table, column, records) = of.names();
    let sql = format!(
        "SELECT i.{column} AS record_id, i.digest, i.applied, i.run_id, p.id AS here FROM {table} i
        LEFT JOIN {records} p ON p.id = i.{column} WHERE i.source_id = $1 AND i.number = $2"
    );
    let Some(row) = one(db, &sql, [source.into(), number.into()]).await? else { return Ok(None) };
    let id = get(&row, "record_id")?;
    Ok(Some(SourceRecord {
        number: number.to_owned(),
        id,
        digest: get(&row, "digest")?,
        applied: json(table, id, &get::<String>(&row, "applied")?)?,
        run_id: get(&row, "run_id")?,
        is_here: get::<Option<i64>>(&row, "here")?.is_some(),
    }))
}

/// The records of a source that are here, by their number there.
pub async fn records_of_source(
    db: &impl Connection,
    of: CompanionKind,
    source: i64,
) -> Result<HashMap<String, i64>, StoreError> {
    let (table, column, records) = of.names();
    let sql = format!(
        "SELECT i.number, i.{column} FROM {table} i JOIN {records} p ON p.id = i.{column} WHERE i.source_id = $1"
    );
    all(db, &sql, [source.into()]).await?.iter().map(|row| Ok((get(row, 0)?, get(row, 1)?))).collect()
}

/// The numbers of the records of a source that are here, in order, but for those with this checksum.
pub async fn numbers_without(
    db: &impl Connection,
    of: CompanionKind,
    source: i64,
    digest: &str,
) -> Result<Vec<String>, StoreError> {
    let (table, column, records) = of.names();
    let sql = format!(
        "SELECT i.number FROM {table} i JOIN {records} p ON p.id = i.{column}
        WHERE i.source_id = $1 AND i.digest <> $2 ORDER BY i.number"
    );
    all(db, &sql, [source.into(), digest.into()]).await?.iter().map(|row| get(row, 0)).collect()
}

/// How many records of a source were read, those that were deleted here since among them; without equipment, which is named with its list
/// (`signage 12`).
pub async fn records_known(db: &impl Connection, of: CompanionKind, source: i64) -> Result<u64, StoreError> {
    let sql = format!("SELECT COUNT(*) AS known FROM {} WHERE source_id = $1 AND number NOT LIKE '% %'", of.names().0);
    let row = one(db, &sql, [source.into()]).await?;
    Ok(row.map_or(Ok(0), |row| get::<i64>(&row, "known"))?.unsigned_abs())
}

/// Keeps one.
pub async fn put_source_record(
    tx: &Tx,
    of: CompanionKind,
    source: i64,
    record: &SourceRecord,
) -> Result<(), StoreError> {
    let (table, column, _) = of.names();
    let sql = format!(
        "INSERT INTO {table} (source_id, number, {column}, digest, applied, run_id) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (source_id, number) DO UPDATE SET {column} = excluded.{column}, digest = excluded.digest,
        applied = excluded.applied, run_id = excluded.run_id"
    );
    let values = [
        source.into(),
        record.number.clone().into(),
        record.id.into(),
        record.digest.clone().into(),
        text(&record.applied).into(),
        record.run_id.into(),
    ];
    execute(tx, &sql, values).await?;
    Ok(())
}

/// Gives records of a source other numbers: the number of each, and its new one. A new number may be the old one of another record.
pub async fn rename_source_records(
    tx: &Tx,
    of: CompanionKind,
    source: i64,
    numbers: &[(String, String)],
) -> Result<(), StoreError> {
    let sql = format!("UPDATE {} SET number = $3 WHERE source_id = $1 AND number = $2", of.names().0);
    for (from, to) in super::in_two_steps(numbers) {
        execute(tx, &sql, [source.into(), from.into(), to.into()]).await?;
    }
    Ok(())
}

/// Some of the records of a source that one of its runs made, by their number there.
pub async fn records_made_by(
    db: &impl Connection,
    of: CompanionKind,
    source: i64,
    run: i64,
    limit: u32,
) -> Result<Vec<(String, i64)>, StoreError> {
    let (table, column, _) = of.names();
    let sql = format!(
        "SELECT number, {column} AS record_id FROM {table} WHERE source_id = $1 AND run_id = $2 ORDER BY number LIMIT {limit}"
    );
    all(db, &sql, [source.into(), run.into()])
        .await?
        .iter()
        .map(|row| Ok((get(row, "number")?, get(row, "record_id")?)))
        .collect()
}

/// A record of a source stays when the run that made it is taken back.
pub async fn keep_source_record(tx: &Tx, of: CompanionKind, source: i64, number: &str) -> Result<(), StoreError> {
    let sql = format!("UPDATE {} SET run_id = NULL WHERE source_id = $1 AND number = $2", of.names().0);
    execute(tx, &sql, [source.into(), number.into()]).await?;
    Ok(())
}

/// A record of a source is as if it had never come.
pub async fn drop_source_record(tx: &Tx, of: CompanionKind, source: i64, number: &str) -> Result<(), StoreError> {
    let sql = format!("DELETE FROM {} WHERE source_id = $1 AND number = $2", of.names().0);
    execute(tx, &sql, [source.into(), number.into()]).await?;
    Ok(())
}
