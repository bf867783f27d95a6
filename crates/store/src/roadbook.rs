//! The settings of a parcours' roadbook: one row each, once they were saved.

use domain::roadbook::RoadbookSettings;
use domain::{Instant, ParcoursId, UserId};
use sea_orm::{QueryResult, Value};

use crate::sql::{execute, get, json, one, person, text};
use crate::{Connection, StoreError, Tx};

/// The settings of a roadbook, with who saved them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roadbook {
    /// Number of its last save, from 1.
    pub version: i64,
    pub settings: RoadbookSettings,
    /// When it was saved.
    pub updated_at: Instant,
    /// The user who saved it last: id and full name.
    pub updated_by: Option<(UserId, String)>,
}

/// The roadbook of a parcours, if one was saved.
pub async fn find(db: &impl Connection, id: ParcoursId) -> Result<Option<Roadbook>, StoreError> {
    let sql = r#"SELECT r.version, r.settings, r.updated_at, r.updated_by, u.first_name, u.last_name
        FROM roadbook r LEFT JOIN "user" u ON u.id = r.updated_by WHERE r.parcours_id = $1"#;
    one(db, sql, [id.0.into()]).await?.map(|row| read(id, &row)).transpose()
}

/// Stores the settings as the next version. The caller has locked the parcours, so that no other save can happen meanwhile.
pub async fn save(
    tx: &Tx,
    id: ParcoursId,
    settings: &RoadbookSettings,
    by: UserId,
    at: Instant,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO roadbook (parcours_id, version, settings, updated_at, updated_by) VALUES ($1, 1, $2, $3, $4)
        ON CONFLICT (parcours_id) DO UPDATE SET version = roadbook.version + 1, settings = excluded.settings,
        updated_at = excluded.updated_at, updated_by = excluded.updated_by";
    let values: [Value; 4] = [id.0.into(), text(settings).into(), at.0.into(), by.0.into()];
    execute(tx, sql, values).await?;
    Ok(())
}

fn read(id: ParcoursId, row: &QueryResult) -> Result<Roadbook, StoreError> {
    Ok(Roadbook {
        version: get(row, "version")?,
        settings: json("roadbook", id.0, &get::<String>(row, "settings")?)?,
        updated_at: Instant(get(row, "updated_at")?),
        updated_by: person(row, ["updated_by", "first_name", "last_name"])?,
    })
}
