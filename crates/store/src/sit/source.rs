//! Sources of records: each white-label has its own, and nobody else sees them.

use std::collections::HashSet;

use domain::record::Kind;
use domain::sit::SitSourceSheet;
use domain::{Text, WhiteLabelId, fold};
use sea_orm::Value;

use crate::parcours::sql::{all, execute, get, numbers, one};
use crate::record::{Record, Stored, load_many};
use crate::{Connection, StoreError, Tx};

/// The most sources a white-label lists.
const MAX_SOURCES: usize = 500;

/// The kind.
#[derive(Debug, Clone, Copy)]
pub struct SitSources;

impl Record for SitSources {
    type Sheet = SitSourceSheet;
    const KIND: Kind = Kind::SitSource;
    const TABLE: &'static str = "sit_source";
    const OWNED: bool = true;

    fn columns(record: &Stored<SitSourceSheet>, _languages: &[String]) -> Vec<(&'static str, Value)> {
        let sheet = &record.sheet;
        vec![
            ("sort_title", fold(&sheet.name).into()),
            ("kind", sheet.kind.as_str().into()),
            ("schedule", sheet.schedule.as_str().into()),
        ]
    }

    fn title(sheet: &SitSourceSheet) -> Text {
        Text::in_french(sheet.name.clone())
    }
}

/// The sources of a white-label, by name.
pub async fn list(db: &impl Connection, white_label: WhiteLabelId) -> Result<Vec<Stored<SitSourceSheet>>, StoreError> {
    let sql =
        format!("SELECT id FROM sit_source WHERE white_label_id = $1 ORDER BY sort_title, id LIMIT {MAX_SOURCES}");
    let rows = all(db, &sql, [white_label.0.into()]).await?;
    let ids = rows.iter().map(|row| get(row, 0)).collect::<Result<Vec<i64>, _>>()?;
    load_many::<SitSources>(db, &ids).await
}

/// Keeps the sealed key of a source, or forgets it.
pub async fn put_credential(tx: &Tx, source: i64, sealed: Option<Vec<u8>>) -> Result<(), StoreError> {
    execute(tx, "UPDATE sit_source SET credential = $2 WHERE id = $1", [source.into(), sealed.into()]).await?;
    Ok(())
}

/// The sealed key of a source.
pub async fn credential(db: &impl Connection, source: i64) -> Result<Option<Vec<u8>>, StoreError> {
    let found = one(db, "SELECT credential FROM sit_source WHERE id = $1", [source.into()]).await?;
    found.map_or(Ok(None), |row| get(&row, 0))
}

/// Those of these sources that have a key.
pub async fn with_credential(db: &impl Connection, ids: &[i64]) -> Result<HashSet<i64>, StoreError> {
    let sql = format!("SELECT id FROM sit_source WHERE credential IS NOT NULL AND id IN {}", numbers(ids));
    all(db, &sql, []).await?.iter().map(|row| get(row, 0)).collect()
}

/// One sealed key, whichever: to know whether the server's key opens it.
pub async fn a_credential(db: &impl Connection) -> Result<Option<(i64, Vec<u8>)>, StoreError> {
    let sql = "SELECT id, credential FROM sit_source WHERE credential IS NOT NULL ORDER BY id LIMIT 1";
    one(db, sql, []).await?.map(|row| Ok((get(&row, 0)?, get(&row, 1)?))).transpose()
}
