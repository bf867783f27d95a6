//! The writes of a run: many records at once, and which ones it met, to find the missing ones.

use std::collections::HashMap;

use domain::sit::{Overrides, SitRecord, SitStatus};
use domain::{Instant, Text, WhiteLabelId, fold};
use sea_orm::Value;

use super::record::{column_of, words_of};
use crate::cells::micro;
use crate::sql::{all, execute, get, json, one, text};
use crate::{Connection, StoreError, Tx, search};

/// The stored state of an item before it is read again.
#[derive(Debug, Clone, PartialEq)]
pub struct Known {
    pub id: i64,
    /// Checksum of its bytes as they came.
    pub digest: String,
    /// Checksum of how they are read.
    pub recipe: String,
    pub status: SitStatus,
    pub overrides: Overrides,
    /// The POI made from it or linked to it.
    pub poi_id: Option<i64>,
}

/// Places `$2, $3, …` for a list of names.
fn places(first: usize, names: &[String]) -> String {
    (0..names.len()).map(|at| format!("${}", at + first)).collect::<Vec<_>>().join(", ")
}

/// The items, of these names, that are known, by name.
pub async fn known(db: &impl Connection, source: i64, names: &[String]) -> Result<HashMap<String, Known>, StoreError> {
    if names.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = format!(
        "SELECT item, id, digest, recipe, status, overrides, poi_id FROM sit_record WHERE source_id = $1 AND item IN ({})",
        places(2, names)
    );
    let values = std::iter::once(Value::from(source)).chain(names.iter().map(|name| name.clone().into()));
    let rows = all(db, &sql, values).await?;
    let one = |row| {
        let id = get(row, "id")?;
        let known = Known {
            id,
            digest: get(row, "digest")?,
            recipe: get(row, "recipe")?,
            status: SitStatus::parse(&get::<String>(row, "status")?).unwrap_or_default(),
            overrides: json("sit_record", id, &get::<String>(row, "overrides")?)?,
            poi_id: get(row, "poi_id")?,
        };
        Ok((get(row, "item")?, known))
    };
    rows.iter().map(one).collect()
}

/// A record to store, instead of the source's earlier data.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRecord {
    /// The source's data.
    pub record: SitRecord,
    /// Checksum of its bytes as they came.
    pub digest: String,
    /// Its name as shown.
    pub title: Text,
    /// Where it is shown.
    pub position: [f64; 2],
    /// Its categories here.
    pub categories: Vec<i64>,
}

/// Stores records: new ones are made, known ones get the source's new data. Returns their numbers, by name.
pub async fn put_records(
    tx: &Tx,
    (source, white_label): (i64, WhiteLabelId),
    recipe: &str,
    records: &[NewRecord],
    now: Instant,
) -> Result<HashMap<String, i64>, StoreError> {
    const COLUMNS: usize = 17;
    let mut numbers = HashMap::with_capacity(records.len());
    // A statement takes some thousands of values.
    for records in records.chunks(100) {
        let row = |at: usize| {
            format!(
                "({})",
                (1..=COLUMNS).map(|column| format!("${}", at * COLUMNS + column)).collect::<Vec<_>>().join(", ")
            )
        };
        let sql = format!(
            "INSERT INTO sit_record (source_id, white_label_id, item, status, digest, recipe, payload, overrides, languages, title,
            sort_title, lon, lat, x, y, categories, applied, version, updated_at) VALUES {}
            ON CONFLICT (source_id, item) DO UPDATE SET digest = excluded.digest, recipe = excluded.recipe, payload = excluded.payload,
            languages = excluded.languages, title = excluded.title, sort_title = excluded.sort_title, lon = excluded.lon,
            lat = excluded.lat, x = excluded.x, y = excluded.y, categories = excluded.categories, absent = 0,
            status = CASE WHEN sit_record.status = 'hidden' THEN 'hidden' ELSE 'active' END,
            version = sit_record.version + 1, updated_at = excluded.updated_at, updated_by = NULL RETURNING id, item",
            (0..records.len())
                .map(|at| row(at).replace(')', &format!(", 1, {})", now.0)))
                .collect::<Vec<_>>()
                .join(", ")
        );
        let values = records.iter().flat_map(|new| -> [Value; COLUMNS] {
            let [lon, lat] = new.position;
            [
                source.into(),
                white_label.0.into(),
                new.record.id.clone().into(),
                SitStatus::Active.as_str().into(),
                new.digest.clone().into(),
                recipe.into(),
                text(&new.record).into(),
                "{}".into(),
                format!(",{},", new.record.languages().join(",")).into(),
                text(&new.title).into(),
                fold(new.title.best("fr")).into(),
                lon.into(),
                lat.into(),
                micro(lon).into(),
                micro(lat).into(),
                column_of(&new.categories).into(),
                "{}".into(),
            ]
        });
        let mut found = Vec::with_capacity(records.len());
        for row in all(tx, &sql, values).await? {
            let (id, item): (i64, String) = (get(&row, 0)?, get(&row, 1)?);
            if let Some(new) = records.iter().find(|new| new.record.id == item) {
                found.push((id, words_of(&new.title, &new.record)));
            }
            numbers.insert(item, id);
        }
        search::SIT_RECORD.write_many(tx, &found).await?;
    }
    Ok(numbers)
}

/// Notes what a run met.
pub async fn add_seen(tx: &Tx, source: i64, names: &[String]) -> Result<(), StoreError> {
    for names in names.chunks(500) {
        let rows: Vec<String> = (0..names.len()).map(|at| format!("($1, ${})", at + 2)).collect();
        let sql = format!("INSERT INTO sit_seen (source_id, item) VALUES {} ON CONFLICT DO NOTHING", rows.join(", "));
        execute(tx, &sql, std::iter::once(Value::from(source)).chain(names.iter().map(|name| name.clone().into())))
            .await?;
    }
    Ok(())
}

/// The items, of these, that the current run has met already.
pub async fn present(db: &impl Connection, source: i64, names: &[String]) -> Result<Vec<String>, StoreError> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!("SELECT item FROM sit_seen WHERE source_id = $1 AND item IN ({})", places(2, names));
    let values = std::iter::once(Value::from(source)).chain(names.iter().map(|name| name.clone().into()));
    all(db, &sql, values).await?.iter().map(|row| get(row, 0)).collect()
}

/// How many names the current run has noted: one for each item that it met.
pub async fn seen_total(db: &impl Connection, source: i64) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(*) FROM sit_seen WHERE source_id = $1";
    one(db, sql, [source.into()]).await?.map_or(Ok(0), |row| get(&row, 0))
}

/// Forgets what a run met: before one begins and after it ended.
pub async fn clear_seen(tx: &Tx, source: i64) -> Result<(), StoreError> {
    execute(tx, "DELETE FROM sit_seen WHERE source_id = $1", [source.into()]).await?;
    Ok(())
}

/// How many records of a source there are, and how many of them the run did not meet.
pub async fn absences(db: &impl Connection, source: i64) -> Result<(i64, i64), StoreError> {
    let sql = "SELECT COUNT(*), COUNT(CASE WHEN s.item IS NULL THEN 1 END) FROM sit_record n
        LEFT JOIN sit_seen s ON s.source_id = n.source_id AND s.item = n.item WHERE n.source_id = $1 AND n.status <> 'gone'";
    one(db, sql, [source.into()]).await?.map_or(Ok((0, 0)), |row| Ok((get(&row, 0)?, get(&row, 1)?)))
}

/// A record that is no longer in its source.
#[derive(Debug, Clone, PartialEq)]
pub struct Missing {
    pub id: i64,
    /// The source's identifier of it.
    pub item: String,
    pub title: Text,
}

/// Whether a record of a source was absent from its last answer, and is gone if the next one lacks it too. A hidden one stays hidden.
pub async fn has_absent(db: &impl Connection, source: i64) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM sit_record WHERE source_id = $1 AND absent > 0 AND status = 'active' LIMIT 1";
    Ok(one(db, sql, [source.into()]).await?.is_some())
}

/// What the current run met.
const SEEN: &str = "item IN (SELECT s.item FROM sit_seen s WHERE s.source_id = $1)";

/// A record that the run met is no longer absent.
pub async fn back(tx: &Tx, source: i64) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE sit_record SET absent = 0, status = CASE WHEN status = 'gone' THEN 'active' ELSE status END
        WHERE source_id = $1 AND (absent > 0 OR status = 'gone') AND {SEEN}"
    );
    execute(tx, &sql, [source.into()]).await?;
    Ok(())
}

/// Counts absent records; those absent twice are gone. A record that is back is no longer absent.
pub async fn missing(tx: &Tx, source: i64, now: Instant) -> Result<Vec<Missing>, StoreError> {
    back(tx, source).await?;
    let absent =
        format!("UPDATE sit_record SET absent = absent + 1 WHERE source_id = $1 AND status <> 'gone' AND NOT ({SEEN})");
    execute(tx, &absent, [source.into()]).await?;
    let gone = "UPDATE sit_record SET status = 'gone', version = version + 1, updated_at = $2, updated_by = NULL
        WHERE source_id = $1 AND status = 'active' AND absent >= 2 RETURNING id, item, title";
    let rows = all(tx, gone, [source.into(), now.0.into()]).await?;
    rows.iter().map(missing_of).collect()
}

/// Marks the records that the source lists as deleted as gone at once.
pub async fn withdraw(tx: &Tx, source: i64, names: &[String], now: Instant) -> Result<Vec<Missing>, StoreError> {
    let mut found = Vec::new();
    for names in names.chunks(500) {
        let sql = format!(
            "UPDATE sit_record SET status = 'gone', version = version + 1, updated_at = $2, updated_by = NULL
            WHERE source_id = $1 AND status = 'active' AND item IN ({}) RETURNING id, item, title",
            places(3, names)
        );
        let values =
            [Value::from(source), now.0.into()].into_iter().chain(names.iter().map(|name| name.clone().into()));
        for row in all(tx, &sql, values).await? {
            found.push(missing_of(&row)?);
        }
    }
    Ok(found)
}

fn missing_of(row: &sea_orm::QueryResult) -> Result<Missing, StoreError> {
    let id = get(row, 0)?;
    Ok(Missing { id, item: get(row, 1)?, title: json("sit_record", id, &get::<String>(row, 2)?)? })
}
