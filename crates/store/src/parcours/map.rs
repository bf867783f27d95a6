//! Many parcours on a map: cells where they are dense, lines where they are few.

use domain::{Actor, ParcoursId, Text};
use sea_orm::QueryResult;

use super::filter::{Filter, Where, WordPlan, widened};
use super::relations::title_of;
use super::sql::{all, get, one};
use crate::{Connection, StoreError};

/// Parcours that start in one cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// The middle of their starts: degrees east and north.
    pub position: [f64; 2],
    /// How many.
    pub count: i64,
    /// Box of their starts: west, south, east, north.
    pub bbox: [f64; 4],
}

/// A parcours on a map.
#[derive(Debug, Clone, PartialEq)]
pub struct MapItem {
    /// Identifier.
    pub id: ParcoursId,
    /// Name.
    pub title: Text,
    /// Where it starts.
    pub start: [f64; 2],
    /// JSON list of the few points of its line.
    pub line: Option<String>,
}

/// What a map of the list shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MapView {
    /// Where they are dense.
    pub clusters: Vec<Cell>,
    /// Where they are few.
    pub items: Vec<MapItem>,
    /// How many in all.
    pub total: i64,
}

/// Up to this many are shown one by one.
const MAX_ITEMS: i64 = 150;
/// The most cells of a map.
const MAX_CELLS: usize = 2_000;

/// What a map shows of the list. `cell` is the side of a cell in millionths of a degree.
pub async fn map(db: &impl Connection, actor: &Actor, filter: &Filter, cell: i64) -> Result<MapView, StoreError> {
    let filter = &widened(db, filter).await?;
    let mut found = filter.conditions(db.dialect(), WordPlan::FindAll);
    found.and(filter.owner_clause(actor)).and("p.start_x IS NOT NULL");
    if let Some(progress) = filter.progress_clause() {
        found.and(progress);
    }
    let clusters = cells(db, &found, cell.max(1)).await?;
    let total = if clusters.len() < MAX_CELLS {
        clusters.iter().map(|cell| cell.count).sum()
    } else {
        count(db, &found).await?
    };
    if total <= MAX_ITEMS {
        return Ok(MapView { items: items(db, &found).await?, clusters: Vec::new(), total });
    }
    Ok(MapView { clusters, items: Vec::new(), total })
}

async fn count(db: &impl Connection, found: &Where) -> Result<i64, StoreError> {
    let sql = format!("SELECT COUNT(*) FROM parcours p {}", found.sql());
    Ok(one(db, &sql, found.values.clone()).await?.map(|row| get(&row, 0)).transpose()?.unwrap_or(0))
}

async fn items(db: &impl Connection, found: &Where) -> Result<Vec<MapItem>, StoreError> {
    let sql = format!(
        "SELECT p.id, k.card, p.start_x, p.start_y, h.line FROM parcours p JOIN parcours_card k ON k.parcours_id = p.id
        LEFT JOIN parcours_shape h ON h.parcours_id = p.id {} ORDER BY p.id LIMIT {MAX_ITEMS}",
        found.sql()
    );
    all(db, &sql, found.values.clone()).await?.iter().map(item).collect()
}

fn item(row: &QueryResult) -> Result<MapItem, StoreError> {
    let id: i64 = get(row, 0)?;
    Ok(MapItem {
        id: ParcoursId(id),
        title: title_of(id, &get::<String>(row, 1)?)?,
        start: [degrees(get(row, 2)?), degrees(get(row, 3)?)],
        line: get(row, 4)?,
    })
}

async fn cells(db: &impl Connection, found: &Where, cell: i64) -> Result<Vec<Cell>, StoreError> {
    // Whole millionths shifted to be positive: both databases then divide alike.
    let sql = format!(
        "SELECT COUNT(*), MIN(p.start_x), MIN(p.start_y), MAX(p.start_x), MAX(p.start_y), CAST(AVG(p.start_x) AS BIGINT), CAST(AVG(p.start_y) AS BIGINT)
        FROM parcours p {} GROUP BY (p.start_x + 180000000) / {cell}, (p.start_y + 90000000) / {cell} ORDER BY 2, 3 LIMIT {MAX_CELLS}",
        found.sql()
    );
    all(db, &sql, found.values.clone())
        .await?
        .iter()
        .map(|row| {
            let at = |column| get::<i64>(row, column).map(degrees);
            Ok(Cell { count: get(row, 0)?, bbox: [at(1)?, at(2)?, at(3)?, at(4)?], position: [at(5)?, at(6)?] })
        })
        .collect()
}

fn degrees(micro: i64) -> f64 {
    micro as f64 / 1_000_000.0
}
