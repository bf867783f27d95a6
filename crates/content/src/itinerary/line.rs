//! The line of an itinerary: for maps, and from a file.

use app::extract::{IfMatch, Path, Query, Reader, Superadmin};
use app::problem::Internal;
use app::record::{At, Reply, operations};
use app::{App, Rejection};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use domain::itinerary::MultiLine;
use macros::Problem;
use serde::Deserialize;
use store::itinerary::Itineraries;
use utoipa::IntoParams;

use super::{ItineraryError, ItineraryResource, ItineraryView};
use crate::parcours::trace::{TraceError, body_of};

/// What a file's line is thinned by: a parcours is near within 30 m.
const KEPT_WITHIN_M: f64 = 2.0;

/// How near the map is.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct LineQuery {
    /// The map's zoom: the line is thinned to half a pixel at that zoom. The whole line by default.
    #[param(example = 9)]
    zoom: Option<f64>,
}

/// The line of an itinerary as a GeoJSON geometry; without any point where none is known.
#[utoipa::path(get, path = "/api/v1/itineraries/{id}/line", tag = "itineraries", params(("id" = i64, Path), LineQuery),
    security(("session" = ["content.read"])),
    responses((status = 200, body = MultiLine, content_type = "application/geo+json"), ItineraryError))]
pub async fn show_itinerary_line(
    State(app): State<App>,
    reader: Reader,
    Path(at): Path<At>,
    Query(asked): Query<LineQuery>,
) -> Result<Response, ItineraryError> {
    let record = operations::seen::<ItineraryResource>(app.store.read(), &reader, &at).await?;
    let line = record.sheet.line.unwrap_or_default();
    let shown = match asked.zoom.filter(|zoom| zoom.is_finite()) {
        Some(zoom) => line.thinned(half_a_pixel_m(zoom)),
        None => line,
    };
    let mut response = Json(shown).into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/geo+json"));
    Ok(response)
}

/// Half a pixel of a map of 512-pixel tiles, in metres at the equator: never more than what is seen.
fn half_a_pixel_m(zoom: f64) -> f64 {
    trace::web_mercator::EQUATOR_M / (512.0 * 2_f64.powf(zoom.clamp(0.0, 22.0))) / 2.0
}

/// Why a line is not taken.
#[derive(Debug, thiserror::Error, Problem)]
pub enum LineError {
    /// The file's fault.
    #[error(transparent)]
    #[problem(transparent)]
    File(#[from] TraceError),
    #[error(transparent)]
    #[problem(transparent)]
    Record(#[from] ItineraryError),
    /// Refused before the handler runs.
    #[error(transparent)]
    #[problem(transparent)]
    Rejected(#[from] Rejection),
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}

/// What is known of an uploaded file.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct LineFileQuery {
    #[param(example = "loire-a-velo.gpx")]
    file_name: Option<String>,
}

/// Take the line of an itinerary from a file: GPX, KML, KMZ, GeoJSON, TCX or FIT; its pieces stay apart.
#[utoipa::path(put, path = "/api/v1/itineraries/{id}/line", tag = "itineraries",
    params(("id" = i64, Path), ("If-Match" = String, Header), LineFileQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    security(("session" = ["reference.manage"])), responses((status = 200, body = ItineraryView), LineError))]
#[tracing::instrument(name = "itinerary.line", skip_all, fields(itinerary.id = at.id))]
pub async fn replace_itinerary_line(
    State(app): State<App>,
    editor: Superadmin,
    Path(at): Path<At>,
    Query(asked): Query<LineFileQuery>,
    based_on: IfMatch,
    sent: Result<Bytes, BytesRejection>,
) -> Result<Reply<ItineraryView>, LineError> {
    let line = read(body_of::<LineError>(sent)?, asked.file_name.unwrap_or_default()).await?;
    let tx = app.store.begin().await.map_err(Internal::from)?;
    let before = operations::held_at::<ItineraryResource>(&app, &tx, &editor, &at, based_on).await?;
    let mut after = before.clone();
    after.sheet.line = Some(line);
    let after = operations::checked::<ItineraryResource>(&app, &tx, &editor, &before, after).await?;
    let change = operations::change(&app, &editor, Some("import"));
    store::record::save::<Itineraries>(&tx, &before, after, change).await.map_err(Internal::from)?;
    Ok(operations::saved::<ItineraryResource>(&app, tx, &editor, at.id).await?)
}

/// Reads a file on a thread for blocking work: twenty megabytes take seconds.
async fn read(bytes: Bytes, name: String) -> Result<MultiLine, LineError> {
    let work = move || {
        let reading = trace::read(&bytes, &name)?;
        let pieces = reading.segments.iter().map(trace::Segment::positions).filter(|piece| piece.len() > 1);
        Ok(MultiLine::of(pieces).thinned(KEPT_WITHIN_M))
    };
    let read: Result<_, trace::ReadError> = tokio::task::spawn_blocking(work).await.map_err(Internal::new)?;
    Ok(read.map_err(TraceError::from)?)
}
