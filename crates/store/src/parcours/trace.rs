//! Lines of a trace: one row for each of its revisions, none ever changed.

use domain::ParcoursId;
use domain::parcours::{Drawing, IgnoredGap, Leg, LegKind, TraceSummary};
use sea_orm::Value;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use trace::Position;

use super::batch::Batch;
use super::dialect::write_box;
use super::write::NewTrace;
use crate::sql::{all, get, json, one, text};
use crate::{Connection, Dialect, StoreError, Tx};

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
    /// What the planner made of it.
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
        let TraceExtra { instructions, ways, .. } = self.extra;
        let extra = TraceExtra {
            instructions: if is_planned { instructions } else { Json::Array(Vec::new()) },
            source_gaps: Json::Array(Vec::new()),
            ignored: Vec::new(),
            ways: if is_planned { ways } else { Vec::new() },
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
    pub(super) fn shape(&self) -> Vec<Position> {
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

/// Every so many points of a line, and its last.
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
    let (planned, source): (Option<String>, Option<String>) = (get(row, 3)?, get(row, 4)?);
    let table = "parcours_trace";
    Ok(Some(StoredTrace {
        summary: json(table, id.0, &get::<String>(row, 0)?)?,
        drawing: json(table, id.0, &get::<String>(row, 1)?)?,
        legs: json(table, id.0, &get::<String>(row, 2)?)?,
        planned_line: planned.map(|line| json(table, id.0, &line)).transpose()?,
        source_line: source.map(|line| json(table, id.0, &line)).transpose()?,
        extra: json(table, id.0, &get::<String>(row, 5)?)?,
    }))
}

/// Keeps a revision of a trace, and the shape and the box that maps and filters read.
pub(super) fn write_trace(batch: &mut Batch, dialect: Dialect, id: i64, revision: i64, new: &NewTrace) {
    let summary = TraceSummary { revision, ..new.summary.clone() };
    let sql =
        "INSERT INTO parcours_trace (parcours_id, revision, summary, drawing, legs, planned_line, source_line, extra)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let values: [Value; 8] = [
        id.into(),
        revision.into(),
        text(&summary).into(),
        text(&new.drawing).into(),
        text(&new.legs).into(),
        new.planned_line.as_ref().map(text).into(),
        new.source_line.as_ref().map(text).into(),
        text(&new.extra).into(),
    ];
    batch.add(sql, values);
    let flat: Vec<[f64; 2]> = new.shape.iter().map(|position| [short(position.lon), short(position.lat)]).collect();
    let sql = "INSERT INTO parcours_shape (parcours_id, line) VALUES ($1, $2) ON CONFLICT (parcours_id) DO UPDATE SET line = excluded.line";
    batch.add(sql, [id.into(), text(&flat).into()]);
    if let Some(bbox) = summary.bbox {
        write_box(batch, dialect, id, bbox);
    }
}

/// Five decimals are a metre: enough for a map of many.
fn short(degrees: f64) -> f64 {
    (degrees * 100_000.0).round() / 100_000.0
}

/// The number of the next revision of a parcours' trace.
pub(crate) async fn next_revision(tx: &Tx, id: i64) -> Result<i64, StoreError> {
    let sql = "SELECT COALESCE(MAX(revision), 0) FROM parcours_trace WHERE parcours_id = $1";
    let last: i64 = one(tx, sql, [id.into()]).await?.map(|row| get(&row, 0)).transpose()?.unwrap_or(0);
    Ok(last + 1)
}
