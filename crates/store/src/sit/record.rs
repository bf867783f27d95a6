//! One record: what its source says, its overrides, which POI it is.

use std::collections::BTreeMap;

use domain::sit::{Overrides, SitRecord, SitStatus};
use domain::{Instant, Text, UserId, WhiteLabelId, fold};
use sea_orm::{QueryResult, Value};

use crate::job::{self, NewJob};
use crate::sql::{all, execute, for_update, get, json, numbers, one, text};
use crate::{Connection, StoreError, Tx, search};

/// The kind of job that fetches the pictures of a record for its POI.
pub const PICTURES: &str = "sit_pictures";
/// Attempts after which it is dead.
pub const PICTURES_ATTEMPTS: i64 = 5;

/// A record with its status, overrides and POI here.
#[derive(Debug, Clone, PartialEq)]
pub struct SitRow {
    pub id: i64,
    pub source_id: i64,
    /// The white-label that owns it.
    pub white_label_id: WhiteLabelId,
    /// The source's identifier of it.
    pub item: String,
    pub status: SitStatus,
    /// The source's data.
    pub record: SitRecord,
    pub overrides: Overrides,
    /// Its name as shown.
    pub title: Text,
    /// Where it is shown.
    pub position: [f64; 2],
    /// Its categories here.
    pub categories: Vec<i64>,
    /// The POI made from it or linked to it.
    pub poi_id: Option<i64>,
    /// Checksum of what was last written into each field of the POI.
    pub applied: BTreeMap<String, String>,
    /// Whether its pictures are to be fetched for its POI.
    pub wants_media: bool,
    /// Grows with each save.
    pub version: i64,
    /// Last change, at the source or here.
    pub updated_at: Instant,
    /// The user who changed it here; absent where its source did.
    pub updated_by: Option<(UserId, String)>,
}

const SELECT: &str = r#"SELECT n.id, n.source_id, n.white_label_id, n.item, n.status, n.payload, n.overrides, n.title, n.lon, n.lat,
    n.categories, n.poi_id, n.applied, n.wants_media, n.version, n.updated_at, n.updated_by, u.first_name, u.last_name
    FROM sit_record n LEFT JOIN "user" u ON u.id = n.updated_by"#;

fn read(row: &QueryResult) -> Result<SitRow, StoreError> {
    let (table, id) = ("sit_record", get(row, "id")?);
    let status: String = get(row, "status")?;
    let name = [get::<Option<String>>(row, "first_name")?, get::<Option<String>>(row, "last_name")?];
    let name = name.into_iter().flatten().collect::<Vec<_>>().join(" ");
    Ok(SitRow {
        id,
        source_id: get(row, "source_id")?,
        white_label_id: WhiteLabelId(get(row, "white_label_id")?),
        item: get(row, "item")?,
        status: SitStatus::parse(&status).ok_or_else(|| StoreError::row(table, id, format!("status {status}")))?,
        record: json(table, id, &get::<String>(row, "payload")?)?,
        overrides: json(table, id, &get::<String>(row, "overrides")?)?,
        title: json(table, id, &get::<String>(row, "title")?)?,
        position: [get(row, "lon")?, get(row, "lat")?],
        categories: ids_of(&get::<String>(row, "categories")?),
        poi_id: get(row, "poi_id")?,
        applied: json(table, id, &get::<String>(row, "applied")?)?,
        wants_media: get::<i16>(row, "wants_media")? != 0,
        version: get(row, "version")?,
        updated_at: Instant(get(row, "updated_at")?),
        updated_by: get::<Option<i64>>(row, "updated_by")?.map(|user| (UserId(user), name)),
    })
}

/// Numbers as a column stores them: `,3,14,`, so that one is found by its commas.
pub(super) fn column_of(ids: &[i64]) -> String {
    if ids.is_empty() {
        return String::new();
    }
    format!(",{},", ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(","))
}

fn ids_of(column: &str) -> Vec<i64> {
    column.split(',').filter_map(|id| id.parse().ok()).collect()
}

/// What a record is found by: its names, its town, its key at the source.
pub(super) fn words_of(title: &Text, record: &SitRecord) -> String {
    let names: Vec<&str> = title.iter().chain(record.name.iter()).map(|(_, words)| words).collect();
    format!("{} {} {}", names.join(" "), record.address.city.as_deref().unwrap_or_default(), record.id)
}

/// Records of one question.
const SOME: usize = 200;

/// Rebuilds the index of words of all records.
pub(crate) async fn reindex(tx: &Tx) -> Result<(), StoreError> {
    let rows = all(tx, "SELECT id FROM sit_record ORDER BY id", []).await?;
    let ids = rows.iter().map(|row| get(row, 0)).collect::<Result<Vec<i64>, _>>()?;
    for some in ids.chunks(SOME) {
        let records = load_many(tx, some).await?;
        let words: Vec<_> = records.iter().map(|row| (row.id, words_of(&row.title, &row.record))).collect();
        search::SIT_RECORD.write_many(tx, &words).await?;
    }
    Ok(())
}

/// One record.
pub async fn load(db: &impl Connection, id: i64) -> Result<Option<SitRow>, StoreError> {
    one(db, &format!("{SELECT} WHERE n.id = $1"), [id.into()]).await?.map(|row| read(&row)).transpose()
}

/// One record, locked until the transaction ends.
pub async fn lock(tx: &Tx, id: i64) -> Result<Option<SitRow>, StoreError> {
    let sql = format!("{SELECT} WHERE n.id = $1{}", for_update(tx.dialect(), "n"));
    one(tx, &sql, [id.into()]).await?.map(|row| read(&row)).transpose()
}

/// Several records, in the order of the numbers given.
pub async fn load_many(db: &impl Connection, ids: &[i64]) -> Result<Vec<SitRow>, StoreError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows = all(db, &format!("{SELECT} WHERE n.id IN {}", numbers(ids)), []).await?;
    let mut found = rows.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    found.sort_by_key(|row| ids.iter().position(|id| *id == row.id));
    Ok(found)
}

/// The record that a POI is.
pub async fn of_poi(db: &impl Connection, poi: i64) -> Result<Option<SitRow>, StoreError> {
    one(db, &format!("{SELECT} WHERE n.poi_id = $1"), [poi.into()]).await?.map(|row| read(&row)).transpose()
}

/// Stores whether pictures of a record are still to be fetched, and what was written.
pub async fn save_pictures(tx: &Tx, row: &SitRow) -> Result<(), StoreError> {
    let sql = "UPDATE sit_record SET wants_media = $3, applied = $2 WHERE id = $1";
    let values: [Value; 3] = [row.id.into(), text(&row.applied).into(), i16::from(row.wants_media).into()];
    execute(tx, sql, values).await?;
    Ok(())
}

/// Enqueues the jobs that fetch the pictures which records of a source still want.
pub async fn enqueue_wanted_pictures(tx: &Tx, source: i64, now: Instant) -> Result<(), StoreError> {
    let sql =
        "SELECT id, white_label_id FROM sit_record WHERE source_id = $1 AND wants_media > 0 AND poi_id IS NOT NULL";
    for row in all(tx, sql, [source.into()]).await? {
        let owner = WhiteLabelId(get(&row, "white_label_id")?);
        enqueue_pictures(tx, (get(&row, "id")?, owner), None, now).await?;
    }
    Ok(())
}

async fn enqueue_pictures(
    tx: &Tx,
    (record, owner): (i64, WhiteLabelId),
    by: Option<UserId>,
    now: Instant,
) -> Result<(), StoreError> {
    let pictures = NewJob {
        unique_key: Some(record.to_string()),
        white_label_id: Some(owner),
        asked_by: by,
        max_attempts: PICTURES_ATTEMPTS,
        ..NewJob::new(PICTURES, format!(r#"{{"record":{record}}}"#), now)
    };
    job::enqueue(tx, &pictures, now).await?;
    Ok(())
}

/// Stores what was changed of a record here: its status, its overrides, its POI. A job fetches the pictures that it wants.
pub async fn save(tx: &Tx, row: &SitRow, by: Option<UserId>, now: Instant) -> Result<(), StoreError> {
    let sql = "UPDATE sit_record SET status = $2, overrides = $3, title = $4, sort_title = $5, lon = $6, lat = $7, x = $8, y = $9,
        categories = $10, poi_id = $11, applied = $12, wants_media = $13, version = version + 1, updated_at = $14, updated_by = $15
        WHERE id = $1";
    let [lon, lat] = row.position;
    let values: [Value; 15] = [
        row.id.into(),
        row.status.as_str().into(),
        text(&row.overrides).into(),
        text(&row.title).into(),
        fold(row.title.best("fr")).into(),
        lon.into(),
        lat.into(),
        crate::cells::micro(lon).into(),
        crate::cells::micro(lat).into(),
        column_of(&row.categories).into(),
        row.poi_id.into(),
        text(&row.applied).into(),
        i16::from(row.wants_media).into(),
        now.0.into(),
        by.map(|user| user.0).into(),
    ];
    execute(tx, sql, values).await?;
    search::SIT_RECORD.write_many(tx, &[(row.id, words_of(&row.title, &row.record))]).await?;
    if row.wants_media {
        enqueue_pictures(tx, (row.id, row.white_label_id), by, now).await?;
    }
    Ok(())
}
