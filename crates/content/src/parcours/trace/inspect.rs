//! Inspects a file before its import: nothing is written.

use app::App;
use app::extract::{Query, Reader};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use domain::parcours::Repaired;
use serde::{Deserialize, Serialize};
use trace::{Position, RepairKind};
use utoipa::ToSchema;

use super::super::compute::{pieces_of, repairs_of};
use super::super::error::ParcoursError;
use super::import::{Importing, body_of};
use super::{TraceError, run_blocking};

/// A piece of a file's line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PieceView {
    /// How many points.
    pub points: usize,
    /// Its length.
    pub distance_m: f64,
    /// The piece itself.
    pub line: Vec<Position>,
}

/// A hole between two pieces.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PieceGap {
    /// The piece before it, from 0.
    pub after_piece: usize,
    /// How wide it is.
    pub distance_m: f64,
}

/// A point of interest of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WaypointView {
    pub position: Position,
    pub name: Option<String>,
    /// Its text.
    pub description: Option<String>,
}

/// The content of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InspectionView {
    /// `gpx`, `kml`, `kmz`, `geojson`, `tcx` or `fit`.
    pub format: String,
    /// The name it gives itself.
    pub name: Option<String>,
    /// How many points.
    pub points: usize,
    /// Length, holes left out.
    pub distance_m: f64,
    /// Climb, where it has elevations.
    pub ascent_m: Option<f64>,
    /// What was mended.
    pub repairs: Vec<Repaired>,
    /// Its pieces; those less than 30 m apart are joined already.
    pub pieces: Vec<PieceView>,
    /// Holes between them.
    pub gaps: Vec<PieceGap>,
    /// Points of interest.
    pub waypoints: Vec<WaypointView>,
    /// All pieces as one line.
    pub line: Vec<Position>,
}

/// Look at a file: format, pieces, repairs. Nothing is written.
#[utoipa::path(post, path = "/api/v1/traces/inspections", tag = "parcours", params(Importing),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"), security(("session" = ["content.read"])),
    responses((status = 200, body = InspectionView), ParcoursError))]
pub async fn inspect_trace(
    State(_app): State<App>,
    _reader: Reader,
    Query(asked): Query<Importing>,
    sent: Result<Bytes, BytesRejection>,
) -> Result<Json<InspectionView>, ParcoursError> {
    let bytes = body_of::<ParcoursError>(sent)?;
    let without = asked.without()?.unwrap_or_default();
    // The answer has all pieces, however they would be joined; a word that says nothing is refused here as at the import.
    asked.join()?;
    let read = move || trace::read_without(&bytes, asked.name(), &without).map(|reading| view(&reading, &without));
    let reading = run_blocking(read).await?;
    Ok(Json(reading.map_err(TraceError::from)?))
}

fn view(reading: &trace::Reading, without: &[RepairKind]) -> InspectionView {
    let pieces = pieces_of(reading, without);
    let measure = pieces.iter().map(|piece| trace::measure(piece)).reduce(trace::Measure::and).unwrap_or_default();
    let gaps = pieces.windows(2).enumerate().filter_map(|(index, pair)| {
        Some(PieceGap { after_piece: index, distance_m: tenth(trace::distance_m(*pair[0].last()?, *pair[1].first()?)) })
    });
    InspectionView {
        format: reading.format.as_str().to_owned(),
        name: reading.name.clone(),
        points: reading.point_count(),
        distance_m: tenth(measure.distance_m),
        ascent_m: measure.ascent_m.map(tenth),
        repairs: repairs_of(reading),
        gaps: gaps.collect(),
        waypoints: reading
            .waypoints
            .iter()
            .map(|point| WaypointView {
                position: point.position,
                name: point.name.clone(),
                description: point.description.clone(),
            })
            .collect(),
        line: pieces.concat(),
        pieces: pieces
            .into_iter()
            .map(|line| PieceView { points: line.len(), distance_m: tenth(trace::measure(&line).distance_m), line })
            .collect(),
    }
}

fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
