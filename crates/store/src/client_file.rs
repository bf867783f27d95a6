//! Client files of a parcours, one row each (decision 0041). No other table and no index has their texts.

use domain::roadbook::ClientFile;
use domain::{Instant, ParcoursId, UserId, WhiteLabelId};
use sea_orm::{QueryResult, Value};

use crate::sql::{all, execute, get, json, one, person, text};
use crate::{Connection, StoreError, Tx};

const TABLE: &str = "roadbook_client_file";

/// A client file in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientFileHead {
    pub id: i64,
    /// Number of its last save, from 1.
    pub version: i64,
    /// The file number at the agency.
    pub reference: String,
    /// The travellers.
    pub clients: Vec<String>,
    /// The first day.
    pub starts_on: Option<String>,
    /// When it was saved.
    pub updated_at: Instant,
    /// The user who saved it last: id and full name.
    pub updated_by: Option<(UserId, String)>,
}

/// A client file, whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredClientFile {
    pub id: i64,
    /// Number of its last save, from 1.
    pub version: i64,
    /// Its content.
    pub file: ClientFile,
    /// When it was saved.
    pub updated_at: Instant,
    /// The user who saved it last: id and full name.
    pub updated_by: Option<(UserId, String)>,
}

/// The client files of a parcours, all of its few hundred: those without a first day, then the latest first day first.
pub async fn list(db: &impl Connection, parcours: ParcoursId) -> Result<Vec<ClientFileHead>, StoreError> {
    let sql = format!(
        r#"SELECT f.id, f.version, f.updated_at, f.updated_by, u.first_name, u.last_name, f.reference, f.clients, f.starts_on
        FROM {TABLE} f LEFT JOIN "user" u ON u.id = f.updated_by WHERE f.parcours_id = $1
        ORDER BY CASE WHEN f.starts_on IS NULL THEN 0 ELSE 1 END, f.starts_on DESC, f.id DESC"#
    );
    all(db, &sql, [parcours.0.into()]).await?.iter().map(head).collect()
}

/// How many client files a parcours has.
pub async fn count(db: &impl Connection, parcours: ParcoursId) -> Result<i64, StoreError> {
    let sql = format!("SELECT COUNT(*) FROM {TABLE} WHERE parcours_id = $1");
    one(db, &sql, [parcours.0.into()]).await?.map_or(Ok(0), |row| get(&row, 0))
}

/// One client file of a parcours.
pub async fn find(db: &impl Connection, parcours: ParcoursId, id: i64) -> Result<Option<StoredClientFile>, StoreError> {
    let sql = format!(
        r#"SELECT f.id, f.version, f.updated_at, f.updated_by, u.first_name, u.last_name, f.file
        FROM {TABLE} f LEFT JOIN "user" u ON u.id = f.updated_by WHERE f.parcours_id = $1 AND f.id = $2"#
    );
    one(db, &sql, [parcours.0.into(), id.into()]).await?.as_ref().map(whole).transpose()
}

/// The other client files of a parcours' white-label with this file number, those saved last first, `max` at most: the parcours and the number of each.
/// Capital letters do not count; in SQLite, those with an accent do. Files of parcours in the bin are left out.
pub async fn same_reference(
    db: &impl Connection,
    parcours: ParcoursId,
    (id, reference): (i64, &str),
    max: u32,
) -> Result<Vec<(ParcoursId, i64)>, StoreError> {
    let sql = format!(
        "SELECT f.parcours_id, f.id FROM {TABLE} f WHERE LOWER(f.reference) = LOWER($1) AND f.id <> $2
        AND f.parcours_id IN (SELECT p.id FROM parcours p
          WHERE p.white_label_id = (SELECT own.white_label_id FROM parcours own WHERE own.id = $3))
        ORDER BY f.updated_at DESC, f.id DESC LIMIT {max}"
    );
    let rows = all(db, &sql, [reference.into(), id.into(), parcours.0.into()]).await?;
    rows.iter().map(|row| Ok((ParcoursId(get(row, 0)?), get(row, 1)?))).collect()
}

/// Adds a client file, and returns its number. The caller has locked the parcours, so that the count it checked stays true.
pub async fn insert(
    tx: &Tx,
    parcours: ParcoursId,
    file: &ClientFile,
    by: UserId,
    at: Instant,
) -> Result<i64, StoreError> {
    let sql = format!(
        "INSERT INTO {TABLE} (parcours_id, version, reference, clients, starts_on, file, updated_at, updated_by)
        VALUES ($1, 1, $2, $3, $4, $5, $6, $7) RETURNING id"
    );
    let [reference, clients, starts_on, whole] = columns(file);
    let values: [Value; 7] = [parcours.0.into(), reference, clients, starts_on, whole, at.0.into(), by.0.into()];
    let row = one(tx, &sql, values).await?;
    row.map_or_else(|| Err(StoreError::row(TABLE, 0, "no number")), |row| get(&row, 0))
}

/// Saves a client file as its next version. The caller has locked the parcours, so that the version it checked stays the last.
pub async fn update(tx: &Tx, id: i64, file: &ClientFile, by: UserId, at: Instant) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {TABLE} SET version = version + 1, reference = $2, clients = $3, starts_on = $4, file = $5,
        updated_at = $6, updated_by = $7 WHERE id = $1"
    );
    let [reference, clients, starts_on, whole] = columns(file);
    let values: [Value; 7] = [id.into(), reference, clients, starts_on, whole, at.0.into(), by.0.into()];
    execute(tx, &sql, values).await?;
    Ok(())
}

/// Erases a client file for good.
pub async fn delete(tx: &Tx, id: i64) -> Result<(), StoreError> {
    execute(tx, &format!("DELETE FROM {TABLE} WHERE id = $1"), [id.into()]).await?;
    Ok(())
}

/// A client file that may have to be erased by age.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgedClientFile {
    pub id: i64,
    pub parcours: ParcoursId,
    /// The first day.
    pub starts_on: Option<String>,
}

/// The client files of a white-label whose first day is before a day, or that have none and were saved last before an instant.
pub async fn aged(
    db: &impl Connection,
    white_label: WhiteLabelId,
    (day, saved): (&str, Instant),
) -> Result<Vec<AgedClientFile>, StoreError> {
    let sql = format!(
        "SELECT f.id, f.parcours_id, f.starts_on FROM {TABLE} f JOIN parcours p ON p.id = f.parcours_id
        WHERE p.white_label_id = $1 AND (f.starts_on < $2 OR (f.starts_on IS NULL AND f.updated_at < $3))
        ORDER BY f.parcours_id, f.id"
    );
    let rows = all(db, &sql, [white_label.0.into(), day.into(), saved.0.into()]).await?;
    let one = |row: &QueryResult| {
        Ok(AgedClientFile { id: get(row, 0)?, parcours: ParcoursId(get(row, 1)?), starts_on: get(row, 2)? })
    };
    rows.iter().map(one).collect()
}

/// The columns of a file: reference, clients, first day, and all of it.
fn columns(file: &ClientFile) -> [Value; 4] {
    [file.reference.clone().into(), text(&file.clients).into(), file.starts_on.clone().into(), text(file).into()]
}

fn head(row: &QueryResult) -> Result<ClientFileHead, StoreError> {
    let id = get(row, "id")?;
    Ok(ClientFileHead {
        id,
        version: get(row, "version")?,
        reference: get(row, "reference")?,
        clients: json(TABLE, id, &get::<String>(row, "clients")?)?,
        starts_on: get(row, "starts_on")?,
        updated_at: Instant(get(row, "updated_at")?),
        updated_by: person(row, ["updated_by", "first_name", "last_name"])?,
    })
}

fn whole(row: &QueryResult) -> Result<StoredClientFile, StoreError> {
    let id = get(row, "id")?;
    Ok(StoredClientFile {
        id,
        version: get(row, "version")?,
        file: json(TABLE, id, &get::<String>(row, "file")?)?,
        updated_at: Instant(get(row, "updated_at")?),
        updated_by: person(row, ["updated_by", "first_name", "last_name"])?,
    })
}
