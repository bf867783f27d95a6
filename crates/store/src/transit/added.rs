//! Which of our lines follow which of a feed's, and what the feed last wrote into each.

use domain::transport_line::TransportLineSheet;
use sea_orm::Value;

use crate::sql::{all, execute, get, json, numbers, text};
use crate::{Connection, StoreError, Tx};

/// A transport line that follows a line of a feed.
#[derive(Debug, Clone, PartialEq)]
pub struct Added {
    /// The feed's identifier of the line.
    pub route: String,
    /// The transport line.
    pub line_id: i64,
    /// What the feed last wrote into it.
    pub applied: TransportLineSheet,
}

/// Lets a transport line follow a line of a feed, or stores what the feed wrote into it.
pub async fn follow(tx: &Tx, feed: i64, added: &Added) -> Result<(), StoreError> {
    let sql = "INSERT INTO transport_added (feed_id, route, line_id, applied) VALUES ($1, $2, $3, $4)
        ON CONFLICT (feed_id, route) DO UPDATE SET line_id = excluded.line_id, applied = excluded.applied";
    let values: [Value; 4] =
        [feed.into(), added.route.clone().into(), added.line_id.into(), text(&added.applied).into()];
    execute(tx, sql, values).await?;
    Ok(())
}

/// Ends the link of a deleted transport line to its feed.
pub async fn unfollow(tx: &Tx, feed: i64, route: &str) -> Result<(), StoreError> {
    execute(tx, "DELETE FROM transport_added WHERE feed_id = $1 AND route = $2", [feed.into(), route.into()]).await?;
    Ok(())
}

/// The transport lines that follow a feed, by the feed's name of them, from `skip` on.
pub async fn following(db: &impl Connection, feed: i64, skip: i64, limit: u32) -> Result<Vec<Added>, StoreError> {
    let sql = format!(
        "SELECT route, line_id, applied FROM transport_added WHERE feed_id = $1 ORDER BY route LIMIT {limit} OFFSET {skip}"
    );
    let rows = all(db, &sql, [feed.into()]).await?;
    rows.iter()
        .map(|row| {
            let line_id = get(row, 1)?;
            let applied = json("transport_added", line_id, &get::<String>(row, 2)?)?;
            Ok(Added { route: get(row, 0)?, line_id, applied })
        })
        .collect()
}

/// The lines of some feeds that transport lines follow: feed, its name of the line, the transport line. Deleted lines are left out.
pub async fn added_of_routes(db: &impl Connection, feeds: &[i64]) -> Result<Vec<(i64, String, i64)>, StoreError> {
    let sql = format!(
        "SELECT a.feed_id, a.route, a.line_id FROM transport_added a JOIN transport_line l ON l.id = a.line_id
        WHERE a.feed_id IN {} LIMIT 20000",
        numbers(feeds)
    );
    let rows = all(db, &sql, []).await?;
    rows.iter().map(|row| Ok((get(row, 0)?, get(row, 1)?, get(row, 2)?))).collect()
}

/// The feed that each of some transport lines follows: line, feed, and its name there.
pub async fn added_of_lines(db: &impl Connection, lines: &[i64]) -> Result<Vec<(i64, i64, String)>, StoreError> {
    let sql = format!("SELECT line_id, feed_id, route FROM transport_added WHERE line_id IN {}", numbers(lines));
    let rows = all(db, &sql, []).await?;
    rows.iter().map(|row| Ok((get(row, 0)?, get(row, 1)?, get(row, 2)?))).collect()
}
