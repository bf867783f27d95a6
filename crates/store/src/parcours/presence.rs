//! The users who have a sheet open right now.

use domain::{Instant, ParcoursId, UserId};

use crate::sql::{all, execute, flag, get};
use crate::{StoreError, Tx};

/// A user who has a sheet open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Present {
    /// First and last name.
    pub name: String,
    /// Whether they have changes that are not saved.
    pub editing: bool,
    /// Since when.
    pub since: Instant,
}

/// A person without a request for this long has left.
const GONE_S: i64 = 60;

/// Notes that a person has the sheet open, and returns the others who have.
pub async fn present(
    tx: &Tx,
    id: ParcoursId,
    who: UserId,
    editing: bool,
    now: Instant,
) -> Result<Vec<Present>, StoreError> {
    execute(tx, "DELETE FROM parcours_presence WHERE seen < $1", [(now.0 - GONE_S).into()]).await?;
    let sql = "INSERT INTO parcours_presence (parcours_id, user_id, since, seen, editing) VALUES ($1, $2, $3, $3, $4)
        ON CONFLICT (parcours_id, user_id) DO UPDATE SET seen = excluded.seen, editing = excluded.editing";
    execute(tx, sql, [id.0.into(), who.0.into(), now.0.into(), i16::from(editing).into()]).await?;
    let sql = r#"SELECT u.first_name, u.last_name, r.editing, r.since FROM parcours_presence r JOIN "user" u ON u.id = r.user_id
        WHERE r.parcours_id = $1 AND r.user_id <> $2 ORDER BY r.since, r.user_id"#;
    all(tx, sql, [id.0.into(), who.0.into()])
        .await?
        .iter()
        .map(|row| {
            let [first, last]: [String; 2] = [get(row, "first_name")?, get(row, "last_name")?];
            let name = format!("{first} {last}").trim().to_owned();
            Ok(Present { name, editing: flag(row, "editing")?, since: Instant(get(row, "since")?) })
        })
        .collect()
}
