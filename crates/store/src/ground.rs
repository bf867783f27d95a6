//! Entries that people made on the ground: each is stored once, by the identifier that its device made.

use std::collections::HashMap;

use domain::ground::{GroundKind, GroundText};
use domain::{Instant, ParcoursId, Text, UserId, WhiteLabelId};
use sea_orm::{QueryResult, Value};

use crate::feedback::is_parcours_erased;
use crate::parcours::title_of;
use crate::row::word;
use crate::sql::{NumberList, all, execute, get, json, one, person, text};
use crate::{Connection, Page, StoreError, Tx};

/// A stored entry.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The UUID that the device made.
    pub id: String,
    /// The owner.
    pub white_label_id: WhiteLabelId,
    /// The parcours it is about.
    pub parcours_id: Option<ParcoursId>,
    /// The name of that parcours, while it is there.
    pub parcours_title: Option<Text>,
    /// Who made it: the name is empty where the account is gone.
    pub by: (UserId, String),
    pub kind: GroundKind,
    pub made_at: Instant,
    /// When it came to the server.
    pub received_at: Instant,
    /// Longitude and latitude.
    pub position: Option<[f64; 2]>,
    /// Radius of the position, metres.
    pub accuracy_m: Option<f64>,
    /// Title, text and what else belongs to the kind.
    pub body: GroundText,
    /// Its photos.
    pub media_ids: Vec<i64>,
    /// What was made from it: `poi` or `field_report`, and its number.
    pub result: Option<(String, i64)>,
    /// When it was reviewed.
    pub reviewed_at: Option<Instant>,
    /// Who reviewed it: the name is empty where the account is gone. None where it went in without a review.
    pub reviewed_by: Option<(UserId, String)>,
}

/// The filters of a list of entries.
#[derive(Debug, Clone)]
pub struct EntryFilter {
    /// The owner.
    pub white_label: WhiteLabelId,
    /// Those about one parcours.
    pub parcours: Option<ParcoursId>,
    /// Those that were reviewed, or those that wait.
    pub reviewed: Option<bool>,
    /// The one with this identifier.
    pub id: Option<String>,
}

impl EntryFilter {
    fn condition(&self) -> (String, Vec<Value>) {
        let mut sql = "e.white_label_id = $1".to_owned();
        let mut values: Vec<Value> = vec![self.white_label.0.into()];
        if let Some(parcours) = self.parcours {
            values.push(parcours.0.into());
            sql += " AND e.parcours_id = $2";
        }
        if let Some(id) = &self.id {
            values.push(id.as_str().into());
            sql += &format!(" AND e.id = ${}", values.len());
        }
        match self.reviewed {
            Some(true) => sql += " AND e.reviewed_at IS NOT NULL",
            Some(false) => sql += " AND e.reviewed_at IS NULL",
            None => {}
        }
        (sql, values)
    }
}

/// Stores a new entry. False where one with this identifier is there already; nothing is written then.
pub async fn insert(tx: &Tx, new: &Entry) -> Result<bool, StoreError> {
    let sql =
        "INSERT INTO ground_entry (id, white_label_id, parcours_id, user_id, kind, made_at, received_at, lon, lat, accuracy_m, body, media_ids)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (id) DO NOTHING";
    let values: [Value; 12] = [
        new.id.clone().into(),
        new.white_label_id.0.into(),
        new.parcours_id.map(|id| id.0).into(),
        new.by.0.0.into(),
        new.kind.as_str().into(),
        new.made_at.0.into(),
        new.received_at.0.into(),
        new.position.map(|[lon, _]| lon).into(),
        new.position.map(|[_, lat]| lat).into(),
        new.accuracy_m.into(),
        text(&new.body).into(),
        text(&new.media_ids).into(),
    ];
    Ok(execute(tx, sql, values).await? == 1)
}

/// Notes what was made from an entry.
pub async fn set_result(tx: &Tx, id: &str, (kind, number): (&str, i64)) -> Result<(), StoreError> {
    let sql = "UPDATE ground_entry SET result_kind = $2, result_id = $3 WHERE id = $1";
    execute(tx, sql, [id.into(), kind.into(), number.into()]).await?;
    Ok(())
}

/// Keeps the way that was walked beside its entry: longitude and latitude of each point.
pub async fn set_track(tx: &Tx, id: &str, track: &[[f64; 2]]) -> Result<(), StoreError> {
    let sql = "UPDATE ground_entry SET track = $2 WHERE id = $1";
    execute(tx, sql, [id.into(), text(&track).into()]).await?;
    Ok(())
}

/// The way that was walked; none where the entry has none.
pub async fn track(db: &impl Connection, id: &str) -> Result<Option<Vec<[f64; 2]>>, StoreError> {
    let row = one(db, "SELECT track FROM ground_entry WHERE id = $1", [id.into()]).await?;
    let kept = row.map_or(Ok(None), |row| get::<Option<String>>(&row, "track"))?;
    kept.map(|track| json("ground_entry", 0, &track)).transpose()
}

/// An entry.
pub async fn find(db: &impl Connection, id: &str) -> Result<Option<Entry>, StoreError> {
    let sql = format!("{SELECT} WHERE e.id = $1");
    one(db, &sql, [id.into()]).await?.as_ref().map(read).transpose()
}

/// A page of entries, the one received last first.
pub async fn list(db: &impl Connection, filter: &EntryFilter, page: Page) -> Result<Vec<Entry>, StoreError> {
    let (condition, values) = filter.condition();
    let (limit, offset) = (page.per_page(), page.offset());
    let sql = format!("{SELECT} WHERE {condition} ORDER BY e.received_at DESC, e.id LIMIT {limit} OFFSET {offset}");
    all(db, &sql, values).await?.iter().map(read).collect()
}

/// How many there are.
pub async fn count(db: &impl Connection, filter: &EntryFilter) -> Result<i64, StoreError> {
    let (condition, values) = filter.condition();
    let row = one(db, &format!("SELECT COUNT(*) FROM ground_entry e WHERE {condition}"), values).await?;
    row.map_or(Ok(0), |row| get(&row, 0))
}

/// When a parcours was last surveyed.
pub async fn surveyed_at(db: &impl Connection, parcours: ParcoursId) -> Result<Option<Instant>, StoreError> {
    let sql = "SELECT MAX(made_at) FROM ground_entry WHERE parcours_id = $1 AND kind = 'survey'";
    let row = one(db, sql, [parcours.0.into()]).await?;
    row.map_or(Ok(None), |row| get::<Option<i64>>(&row, 0)).map(|at| at.map(Instant))
}

/// When each of some parcours was last surveyed; those that never were are left out.
pub async fn surveyed_among(
    db: &impl Connection,
    ids: &[ParcoursId],
) -> Result<HashMap<ParcoursId, Instant>, StoreError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
    let list = NumberList::of(db, &ids);
    let sql = format!(
        "SELECT parcours_id, MAX(made_at) FROM ground_entry WHERE {} AND kind = 'survey' GROUP BY parcours_id",
        list.has("parcours_id", 1)
    );
    let one = |row| Ok((ParcoursId(get(row, 0)?), Instant(get(row, 1)?)));
    all(db, &sql, list.value()).await?.iter().map(one).collect()
}

/// Marks an entry as reviewed by a person or, where `by` is none, as taken in without a review. An entry that is marked already does not
/// change.
pub async fn set_reviewed(tx: &Tx, id: &str, by: Option<UserId>, at: Instant) -> Result<(), StoreError> {
    let sql = "UPDATE ground_entry SET reviewed_at = $2, reviewed_by = $3 WHERE id = $1 AND reviewed_at IS NULL";
    execute(tx, sql, [id.into(), at.0.into(), by.map(|by| by.0).into()]).await?;
    Ok(())
}

/// Lets an entry wait again.
pub async fn set_waiting(tx: &Tx, id: &str) -> Result<(), StoreError> {
    execute(tx, "UPDATE ground_entry SET reviewed_at = NULL, reviewed_by = NULL WHERE id = $1", [id.into()]).await?;
    Ok(())
}

/// Deletes the entries about parcours that are erased for good.
pub async fn delete_of_erased(tx: &Tx) -> Result<(), StoreError> {
    let sql =
        format!("DELETE FROM ground_entry WHERE parcours_id IS NOT NULL AND {}", is_parcours_erased("ground_entry"));
    execute(tx, &sql, []).await?;
    Ok(())
}

const SELECT: &str = r#"SELECT e.id, e.white_label_id, e.parcours_id, e.user_id, e.kind, e.made_at, e.received_at, e.lon, e.lat,
    e.accuracy_m, e.body, e.media_ids, e.result_kind, e.result_id, e.reviewed_at, e.reviewed_by, c.card,
    u.first_name, u.last_name, v.first_name AS reviewer_first_name, v.last_name AS reviewer_last_name
    FROM ground_entry e LEFT JOIN parcours_card c ON c.parcours_id = e.parcours_id
    LEFT JOIN "user" u ON u.id = e.user_id LEFT JOIN "user" v ON v.id = e.reviewed_by"#;

fn read(row: &QueryResult) -> Result<Entry, StoreError> {
    let kind: String = get(row, "kind")?;
    let place: (Option<f64>, Option<f64>) = (get(row, "lon")?, get(row, "lat")?);
    let result: (Option<String>, Option<i64>) = (get(row, "result_kind")?, get(row, "result_id")?);
    let parcours_id: Option<i64> = get(row, "parcours_id")?;
    let card: Option<String> = get(row, "card")?;
    let by = person(row, ["user_id", "first_name", "last_name"])?;
    Ok(Entry {
        id: get(row, "id")?,
        white_label_id: WhiteLabelId(get(row, "white_label_id")?),
        parcours_title: card.map(|card| title_of(parcours_id.unwrap_or_default(), &card)).transpose()?,
        parcours_id: parcours_id.map(ParcoursId),
        by: by.ok_or_else(|| StoreError::row("ground_entry", 0, "no user"))?,
        kind: word("ground_entry", 0, &kind, GroundKind::parse(&kind))?,
        made_at: Instant(get(row, "made_at")?),
        received_at: Instant(get(row, "received_at")?),
        position: place.0.zip(place.1).map(|(lon, lat)| [lon, lat]),
        accuracy_m: get(row, "accuracy_m")?,
        body: json("ground_entry", 0, &get::<String>(row, "body")?)?,
        media_ids: json("ground_entry", 0, &get::<String>(row, "media_ids")?)?,
        result: result.0.zip(result.1),
        reviewed_at: get::<Option<i64>>(row, "reviewed_at")?.map(Instant),
        reviewed_by: person(row, ["reviewed_by", "reviewer_first_name", "reviewer_last_name"])?,
    })
}
