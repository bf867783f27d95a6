//! The published ways round closed stretches (decision 0039). One is withdrawn when what it was published for is no longer so:
//! the closed stretch, the line of the parcours at both ends, or the way itself, which a new closure shuts.

use domain::closure::{ClosedStretch, ClosureSheet, Detour};
use domain::{Instant, ParcoursId, UserId};
use sea_orm::{QueryResult, Value};
use trace::{Position, distance_m, position_at};

use super::stretches_of;
use crate::parcours_trace::line_of;
use crate::record::Stored;
use crate::sql::{all, execute, get, json, text};
use crate::{Connection, StoreError, Tx};

/// A way round ends at most so far from the line of the parcours.
const ON_LINE_M: f64 = 20.0;

/// A published way round.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedDetour {
    pub closure_id: i64,
    pub parcours_id: ParcoursId,
    pub closed: ClosedStretch,
    /// The way.
    pub detour: Detour,
}

const COLUMNS: &str = "closure_id, parcours_id, closed_from_m, closed_to_m, detour";

fn published(row: &QueryResult) -> Result<PublishedDetour, StoreError> {
    let closure_id: i64 = get(row, "closure_id")?;
    Ok(PublishedDetour {
        closure_id,
        parcours_id: ParcoursId(get(row, "parcours_id")?),
        closed: ClosedStretch {
            from_m: get::<i64>(row, "closed_from_m")? as f64,
            to_m: get::<i64>(row, "closed_to_m")? as f64,
        },
        detour: json("parcours_detour", closure_id, &get::<String>(row, "detour")?)?,
    })
}

/// Whether a detour still fits a line: its ends are still on the line, at its distances.
pub fn fits(detour: &Detour, line: &[Position]) -> bool {
    let near = |at_m: f64, end: Option<&Position>| {
        position_at(line, at_m).zip(end).is_some_and(|(on, end)| distance_m(on, *end) <= ON_LINE_M)
    };
    near(detour.from_m, detour.line.first()) && near(detour.to_m, detour.line.last())
}

/// Publishes a way round, in the place of the one that was published before.
pub async fn publish(tx: &Tx, new: &PublishedDetour, by: UserId, at: Instant) -> Result<(), StoreError> {
    withdraw(tx, new.closure_id, new.parcours_id, new.closed).await?;
    let Some([west, south, east, north]) = trace::bbox(&new.detour.line) else { return Ok(()) };
    let sql = "INSERT INTO parcours_detour (closure_id, parcours_id, closed_from_m, closed_to_m, west, south, east, north, detour, published_at, published_by)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    let values: [Value; 11] = [
        new.closure_id.into(),
        new.parcours_id.0.into(),
        (new.closed.from_m as i64).into(),
        (new.closed.to_m as i64).into(),
        west.into(),
        south.into(),
        east.into(),
        north.into(),
        text(&new.detour).into(),
        at.0.into(),
        by.0.into(),
    ];
    execute(tx, sql, values).await?;
    Ok(())
}

/// Withdraws a way round. False when none was published.
pub async fn withdraw(tx: &Tx, closure: i64, parcours: ParcoursId, closed: ClosedStretch) -> Result<bool, StoreError> {
    let sql = "DELETE FROM parcours_detour WHERE closure_id = $1 AND parcours_id = $2 AND closed_from_m = $3";
    Ok(execute(tx, sql, [closure.into(), parcours.0.into(), (closed.from_m as i64).into()]).await? > 0)
}

/// The published ways round of a parcours.
pub(super) async fn of_parcours(db: &impl Connection, id: ParcoursId) -> Result<Vec<PublishedDetour>, StoreError> {
    let sql =
        format!("SELECT {COLUMNS} FROM parcours_detour WHERE parcours_id = $1 ORDER BY closed_from_m, closure_id");
    all(db, &sql, [id.0.into()]).await?.iter().map(published).collect()
}

/// Withdraws what no longer fits the line of a parcours or its closed stretches.
pub(super) async fn follow_line(tx: &Tx, id: ParcoursId, line: &[Position]) -> Result<(), StoreError> {
    for one in of_parcours(tx, id).await? {
        keep_or_withdraw(tx, &one, line).await?;
    }
    Ok(())
}

/// Withdraws what no longer fits a closure that was saved, and the ways round of other closures that it shuts.
pub(super) async fn follow_closure(tx: &Tx, closure: &Stored<ClosureSheet>) -> Result<(), StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM parcours_detour WHERE closure_id = $1");
    let own = all(tx, &sql, [closure.id.into()]).await?.iter().map(published).collect::<Result<Vec<_>, _>>()?;
    for one in own {
        let line = line_of(tx, one.parcours_id).await?.unwrap_or_default();
        keep_or_withdraw(tx, &one, &line).await?;
    }
    let Some(part) = closure.sheet.geometry.as_ref().map(domain::closure::ClosureShape::part) else { return Ok(()) };
    let Some(bbox) = part.bbox() else { return Ok(()) };
    // ISO days sort as text; a closure without a last day goes on.
    let sql = "SELECT d.closure_id, d.parcours_id, d.closed_from_m, d.closed_to_m, d.detour FROM parcours_detour d
        JOIN closure c ON c.id = d.closure_id
        WHERE d.west <= $3 AND d.east >= $1 AND d.south <= $4 AND d.north >= $2
        AND (c.ends IS NULL OR c.ends >= $5) AND c.starts <= $6";
    let sheet = &closure.sheet;
    let days = [Value::from(sheet.from.clone()), sheet.to.clone().unwrap_or_else(|| "9999-12-31".to_owned()).into()];
    let near = all(tx, sql, bbox.map(Value::from).into_iter().chain(days)).await?;
    for one in near.iter().map(published).collect::<Result<Vec<_>, _>>()? {
        if !part.stretches(&one.detour.line).is_empty() {
            withdraw(tx, one.closure_id, one.parcours_id, one.closed).await?;
        }
    }
    Ok(())
}

async fn keep_or_withdraw(tx: &Tx, one: &PublishedDetour, line: &[Position]) -> Result<(), StoreError> {
    let closed = stretches_of(tx, one.closure_id, one.parcours_id).await?;
    if closed.contains(&one.closed) && fits(&one.detour, line) {
        return Ok(());
    }
    withdraw(tx, one.closure_id, one.parcours_id, one.closed).await?;
    Ok(())
}

/// The closures near a box that are not over on a day: what a new way round keeps out of, those that leave the parcours alone
/// too.
pub async fn closed_near(
    db: &impl Connection,
    [west, south, east, north]: [f64; 4],
    today: &str,
    most: usize,
) -> Result<Vec<Stored<ClosureSheet>>, StoreError> {
    let sql = format!(
        "SELECT id FROM closure WHERE west <= $3 AND east >= $1 AND south <= $4 AND north >= $2 AND (ends IS NULL OR ends >= $5)
        ORDER BY starts, id LIMIT {most}"
    );
    let values = [west.into(), south.into(), east.into(), north.into(), today.into()];
    let rows = all(db, &sql, values).await?;
    let ids = rows.iter().map(|row| get(row, 0)).collect::<Result<Vec<i64>, _>>()?;
    crate::record::load_many::<super::Closures>(db, &ids).await
}
