//! The stored traces of parcours: their lines, one row for each revision, none ever changed; and the boxes of the lines in use.

use domain::ParcoursId;
use domain::parcours::{Drawing, IgnoredGap, Leg, LegKind, TraceSummary};
use sea_orm::Value;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use trace::Position;

use crate::sql::{all, get, json, one};
use crate::{Connection, Dialect, StoreError};

/// The stored data beside the lines.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TraceExtra {
    /// The planner's instructions, as it gave them.
    pub instructions: Json,
    /// Holes between the pieces of the file: `[{after_piece, distance_m}]`.
    pub source_gaps: Json,
    /// Gaps that a user chose to ignore.
    pub ignored: Vec<IgnoredGap>,
    /// What the planned line runs on, where it is the network's from end to end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ways: Vec<WayRun>,
    /// The heights in the stretches from the file are the ground model's, since the file has none.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub model_heights: bool,
}

/// An OpenStreetMap way, and the indexes of the planned line's first and last point on it.
pub type WayRun = (i64, usize, usize);

/// A revision of a trace with its lines.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredTrace {
    /// In figures.
    pub summary: TraceSummary,
    /// The ribbon, the glyph and the start.
    pub drawing: Drawing,
    /// The working revision.
    pub legs: Vec<Leg>,
    /// The line that the planner made of the legs.
    pub planned_line: Option<Vec<Position>>,
    /// The line read from the bytes, where the legs differ from it.
    pub source_line: Option<Vec<Position>>,
    /// Instructions and gaps.
    pub extra: TraceExtra,
}

impl StoredTrace {
    /// The trace as people of other white-labels get it, to look at or to start a copy from: the line in use, and nothing of the
    /// recording behind it. A line that the planner made hides the recorded one; without it the line in use is the recorded one as
    /// its owner trimmed it.
    #[must_use]
    pub fn public(self) -> Self {
        let planned = self.planned_line.filter(|_| self.summary.is_guided());
        let is_planned = planned.is_some();
        let legs = match &planned {
            Some(line) => vec![Leg { kind: LegKind::Planned, line: line.clone() }],
            None => self.legs,
        };
        let TraceExtra { instructions, ways, model_heights, .. } = self.extra;
        let extra = TraceExtra {
            instructions: if is_planned { instructions } else { Json::Array(Vec::new()) },
            source_gaps: Json::Array(Vec::new()),
            ignored: Vec::new(),
            ways: if is_planned { ways } else { Vec::new() },
            model_heights: model_heights && !is_planned,
        };
        let summary = self.summary.public();
        Self { summary, drawing: self.drawing, legs, planned_line: planned, source_line: None, extra }
    }

    /// The legs as one line.
    pub fn worked_line(&self) -> Vec<Position> {
        joined(&self.legs)
    }

    /// The line the applications use.
    pub fn line(&self) -> Vec<Position> {
        line_in_use(&self.summary, self.planned_line.as_deref(), &self.legs)
    }

    /// The line in use with few points, for maps of many.
    pub(crate) fn shape(&self) -> Vec<Position> {
        thinned(&self.line())
    }
}

/// The line the applications use: the planned one where it can be trusted to guide, else the working revision of the source.
pub(crate) fn line_in_use(summary: &TraceSummary, planned: Option<&[Position]>, legs: &[Leg]) -> Vec<Position> {
    match planned.filter(|_| summary.is_guided()) {
        Some(planned) => planned.to_vec(),
        None => joined(legs),
    }
}

/// Legs as one line: consecutive ones share their end point, which is written once.
pub(crate) fn joined(legs: &[Leg]) -> Vec<Position> {
    let mut line: Vec<Position> = Vec::with_capacity(legs.iter().map(|leg| leg.line.len()).sum());
    for position in legs.iter().flat_map(|leg| &leg.line) {
        if line.last().is_none_or(|last| !last.same_place(*position)) {
            line.push(*position);
        }
    }
    line
}

/// About 60 points of a line, evenly spaced by number, and its last one.
fn thinned(line: &[Position]) -> Vec<Position> {
    const POINTS: usize = 60;
    let step = line.len().div_ceil(POINTS).max(1);
    let mut few: Vec<Position> = line.iter().step_by(step).copied().collect();
    few.extend(line.last().filter(|last| few.last() != Some(last)));
    few
}

/// The trace in use.
pub async fn trace(db: &impl Connection, id: ParcoursId) -> Result<Option<StoredTrace>, StoreError> {
    let sql = "SELECT t.summary, t.drawing, t.legs, t.planned_line, t.source_line, t.extra FROM parcours p
        JOIN parcours_trace t ON t.parcours_id = p.id AND t.revision = p.trace_revision WHERE p.id = $1";
    read(db, id, sql, vec![id.0.into()]).await
}

/// A revision of the trace.
pub async fn trace_at(db: &impl Connection, id: ParcoursId, revision: i64) -> Result<Option<StoredTrace>, StoreError> {
    let sql = "SELECT summary, drawing, legs, planned_line, source_line, extra FROM parcours_trace WHERE parcours_id = $1 AND revision = $2";
    read(db, id, sql, vec![id.0.into(), revision.into()]).await
}

/// The line in use of a parcours, if it has a trace.
pub(crate) async fn line_of(db: &impl Connection, id: ParcoursId) -> Result<Option<Vec<Position>>, StoreError> {
    Ok(trace(db, id).await?.map(|trace| trace.line()))
}

async fn read(
    db: &impl Connection,
    id: ParcoursId,
    sql: &str,
    values: Vec<Value>,
) -> Result<Option<StoredTrace>, StoreError> {
    let rows = all(db, sql, values).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let (planned, source): (Option<String>, Option<String>) = (get(row, "planned_line")?, get(row, "source_line")?);
    let table = "parcours_trace";
    Ok(Some(StoredTrace {
        summary: json(table, id.0, &get::<String>(row, "summary")?)?,
        drawing: json(table, id.0, &get::<String>(row, "drawing")?)?,
        legs: json(table, id.0, &get::<String>(row, "legs")?)?,
        planned_line: planned.map(|line| json(table, id.0, &line)).transpose()?,
        source_line: source.map(|line| json(table, id.0, &line)).transpose()?,
        extra: json(table, id.0, &get::<String>(row, "extra")?)?,
    }))
}

/// The ids whose box touches another; the values are west, south, east, north.
pub(crate) fn ids_in_box(dialect: Dialect, [west, south, east, north]: [&str; 4]) -> String {
    match dialect {
        Dialect::Sqlite => format!("SELECT id FROM parcours_box b WHERE {}", touches([west, south, east, north])),
        Dialect::Postgres => {
            format!("SELECT id FROM parcours_box WHERE extent && box(point({west}, {south}), point({east}, {north}))")
        }
    }
}

/// The condition on a row `b` of the boxes in SQLite.
fn touches([west, south, east, north]: [&str; 4]) -> String {
    format!("b.west <= {east} AND b.east >= {west} AND b.south <= {north} AND b.north >= {south}")
}

/// A box with at most this many parcours is small.
const MAX_SMALL_BOX: i64 = 5_000;

/// Whether a box holds so few parcours that they are best found first. PostgreSQL takes any box, of a village or of the world, for the two hundredth
/// part of all; SQLite collects all that a box holds before it reads the first row.
pub(crate) async fn is_small_box(db: &impl Connection, bbox: Option<[f64; 4]>) -> Result<bool, StoreError> {
    let Some(bbox) = bbox else { return Ok(false) };
    let inside = ids_in_box(db.dialect(), ["$1", "$2", "$3", "$4"]);
    let sql = format!("SELECT COUNT(*) FROM ({inside} LIMIT {}) b", MAX_SMALL_BOX + 1);
    let held: i64 = one(db, &sql, bbox.map(Value::from)).await?.map(|row| get(&row, 0)).transpose()?.unwrap_or(0);
    Ok(held <= MAX_SMALL_BOX)
}

/// How the parcours in a box are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BoxPlan {
    /// All of them first: they are few.
    FindFirst,
    /// Each row that something else finds, words or the order of a list, is tested.
    TestEach,
    /// One after the other, for a count that ends early. The rows are then read from what [`rows_in_box`] names.
    Walk,
}

/// The condition that the box of a parcours `p` touches another; the values are west, south, east, north.
pub(crate) fn is_in_box(dialect: Dialect, corners: [&str; 4], plan: BoxPlan) -> String {
    let inside = ids_in_box(dialect, corners);
    match (plan, dialect) {
        (BoxPlan::FindFirst, Dialect::Postgres) => format!("p.id = ANY (ARRAY({inside}))"),
        // `OFFSET 0` keeps PostgreSQL from beginning with the box.
        (BoxPlan::TestEach, Dialect::Postgres) => format!("EXISTS ({inside} AND id = p.id OFFSET 0)"),
        (BoxPlan::TestEach, Dialect::Sqlite) => format!("EXISTS ({inside} AND b.id = p.id)"),
        (BoxPlan::FindFirst, Dialect::Sqlite) | (BoxPlan::Walk, Dialect::Postgres) => format!("p.id IN ({inside})"),
        (BoxPlan::Walk, Dialect::Sqlite) => touches(corners),
    }
}

/// The tables of a query that walks the boxes for their parcours `p`. PostgreSQL chooses where to begin.
pub(crate) const fn rows_in_box(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => "parcours_box b CROSS JOIN parcours p ON p.id = b.id",
        Dialect::Postgres => "parcours p",
    }
}

/// The ids whose box touches any of these: west, south, east, north each.
pub(crate) fn boxes_touching(dialect: Dialect, boxes: &[[f64; 4]]) -> String {
    // Numbers, written into the statement: a long way has hundreds of boxes, more than a statement has values.
    let rows: Vec<String> = boxes.iter().map(|[w, s, e, n]| format!("({w:.6},{s:.6},{e:.6},{n:.6})")).collect();
    let touches = match dialect {
        Dialect::Sqlite => touches(["v.w", "v.s", "v.e", "v.n"]),
        Dialect::Postgres => "b.extent && box(point(v.w, v.s), point(v.e, v.n))".to_owned(),
    };
    // CROSS JOIN: the boxes asked for come first, each is then looked up in the index.
    format!(
        "WITH v (w, s, e, n) AS (VALUES {}) SELECT DISTINCT b.id FROM v CROSS JOIN parcours_box b WHERE {touches}",
        rows.join(",")
    )
}

/// The parcours whose line's box touches another: west, south, east, north.
pub(crate) async fn in_box(db: &impl Connection, bbox: [f64; 4]) -> Result<Vec<ParcoursId>, StoreError> {
    let sql = format!("{} ORDER BY id", ids_in_box(db.dialect(), ["$1", "$2", "$3", "$4"]));
    all(db, &sql, bbox.map(Value::from)).await?.iter().map(|row| get(row, 0).map(ParcoursId)).collect()
}
