//! Many parcours on a map: cells where they are dense, lines where they are few.

use domain::record::Kind;
use domain::{Actor, ParcoursId, Text};
use sea_orm::QueryResult;

use super::filter::{Filter, WordPlan, added_by};
use super::relations::title_of;
use super::spread::widened;
use crate::cells::{Cell, Grid, Summed};
use crate::parcours_trace::{BoxPlan, is_small_box};
use crate::record::Conditions;
use crate::sql::{all, get};
use crate::{Connection, Dialect, OwnerFilter, StoreError};

/// A parcours on a map.
#[derive(Debug, Clone, PartialEq)]
pub struct MapItem {
    /// Identifier.
    pub id: ParcoursId,
    pub title: Text,
    /// Where it starts.
    pub start: [f64; 2],
    /// JSON list of the few points of its line.
    pub line: Option<String>,
}

/// What a map of the list shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MapView {
    /// Clusters, in cells with many of them.
    pub clusters: Vec<Cell>,
    /// Single ones, in cells with few of them.
    pub items: Vec<MapItem>,
    pub total: i64,
}

/// Up to this many are shown one by one.
const MAX_ITEMS: i64 = 150;

/// What a map shows of the list, in the cells of a zoom: those that start in view where they are many, those that pass through
/// it where they are few.
pub async fn map(db: &impl Connection, actor: &Actor, filter: &Filter, grid: Grid) -> Result<MapView, StoreError> {
    // On SQLite only sums of rows need to know how many the box holds.
    let counted_box = filter.bbox.filter(|_| db.dialect() == Dialect::Postgres);
    let wide = widened(db, actor, &Filter { bbox: counted_box, ..filter.clone() }).await?;
    let filter = &Filter { bbox: filter.bbox, ..wide };
    let summed = match summed_kept(db, actor, filter, grid).await? {
        Some(summed) => summed,
        None => summed_rows(db, actor, filter, grid).await?,
    };
    let total = summed.total();
    if total > MAX_ITEMS {
        return Ok(MapView { clusters: summed.cells(grid), items: Vec::new(), total });
    }
    let question = filter.question(db.dialect());
    let few = question.as_deref().map_or(WordPlan::FindAll, WordPlan::FindFew);
    let items = items(db, &passing(db, actor, filter, few)).await?;
    let total = items.len() as i64;
    Ok(MapView { items, clusters: Vec::new(), total })
}

/// Those whose line touches the box.
fn passing(db: &impl Connection, actor: &Actor, filter: &Filter, words: WordPlan<'_>) -> Conditions {
    // SQLite has found all of the box sooner than it has tested the rows of all its cells.
    let in_box = if db.dialect() == Dialect::Sqlite { BoxPlan::FindFirst } else { filter.box_of_page() };
    let mut found = filter.conditions(db.dialect(), words, in_box);
    found.and(filter.owner_clause(db.dialect(), actor)).and("p.start_x IS NOT NULL");
    if let Some(progress) = filter.progress_clause() {
        found.and(progress);
    }
    found
}

/// Sums of those that start in the cells of the box. Whether each touches the box itself is asked where it holds few: finding all of a large box
/// costs more than the sums.
async fn summed_rows(db: &impl Connection, actor: &Actor, filter: &Filter, grid: Grid) -> Result<Summed, StoreError> {
    let is_small = match db.dialect() {
        Dialect::Sqlite => is_small_box(db, filter.bbox).await?,
        Dialect::Postgres => filter.is_small_box,
    };
    let near = Filter { bbox: filter.bbox.filter(|_| is_small), ..filter.clone() };
    let mut found = passing(db, actor, &near, WordPlan::FindAll);
    found.and(starting(grid, filter));
    let mut summed = Summed::default();
    summed.add_rows(db, grid, "parcours p", STARTS, (found.sql(), found.values)).await?;
    Ok(summed)
}

const STARTS: [&str; 2] = ["p.start_x", "p.start_y"];

/// The condition that a parcours starts in one of the cells the box touches.
fn starting(grid: Grid, filter: &Filter) -> String {
    let Some(bbox) = filter.bbox else { return "p.start_x IS NOT NULL".to_owned() };
    let [west, east, south, north] = grid.reach(bbox);
    format!("p.start_x BETWEEN {west} AND {east} AND p.start_y BETWEEN {south} AND {north}")
}

/// The same from the sums stored by cell, where they are enough for the filter: owner, progress, and place.
async fn summed_kept(
    db: &impl Connection,
    actor: &Actor,
    filter: &Filter,
    grid: Grid,
) -> Result<Option<Summed>, StoreError> {
    let anywhere = Filter { bbox: None, ..filter.clone() };
    if anywhere.narrows() || anywhere.search.is_some() {
        return Ok(None);
    }
    let (me, mut kept, mut summed) = (actor.active_white_label_id, Conditions::default(), Summed::default());
    match filter.owner {
        OwnerFilter::Mine => kept.and(format!("n.white_label_id = {me}")),
        OwnerFilter::Shared => kept.and(format!("n.white_label_id <> {me} AND n.state % 2 = 1")),
        OwnerFilter::All => kept.and(format!("(n.white_label_id = {me} OR n.state % 2 = 1)")),
    };
    if let Some(progress) = filter.progress_of("n.state / 2") {
        kept.and(progress);
    }
    if !summed.add_stored(db, grid, Kind::Parcours, filter.bbox, kept).await? {
        return Ok(None);
    }
    if filter.owner != OwnerFilter::Mine {
        // Parcours added without being shared are found by their rows alone; there are few of them.
        let mut added = vec![
            added_by(db.dialect(), me),
            format!("p.white_label_id <> {me} AND p.shared = 0"),
            starting(grid, filter),
        ];
        added.extend(filter.progress_clause());
        let clause = format!("WHERE {}", added.join(" AND "));
        summed.add_rows(db, grid, "parcours p", STARTS, (clause, Vec::new())).await?;
    }
    Ok(Some(summed))
}

async fn items(db: &impl Connection, found: &Conditions) -> Result<Vec<MapItem>, StoreError> {
    let sql = format!(
        "SELECT p.id, k.card, p.start_x, p.start_y, h.line FROM parcours p JOIN parcours_card k ON k.parcours_id = p.id
        LEFT JOIN parcours_shape h ON h.parcours_id = p.id {} ORDER BY p.id LIMIT {MAX_ITEMS}",
        found.sql()
    );
    all(db, &sql, found.values.clone()).await?.iter().map(item).collect()
}

fn item(row: &QueryResult) -> Result<MapItem, StoreError> {
    let id: i64 = get(row, "id")?;
    Ok(MapItem {
        id: ParcoursId(id),
        title: title_of(id, &get::<String>(row, "card")?)?,
        start: [degrees(get(row, "start_x")?), degrees(get(row, "start_y")?)],
        line: get(row, "line")?,
    })
}

fn degrees(micro: i64) -> f64 {
    micro as f64 / 1_000_000.0
}
