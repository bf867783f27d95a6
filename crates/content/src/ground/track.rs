//! The way that a person walked, as a file that the trace editor reads.

use app::App;
use app::extract::{Exporter, Path};
use axum::extract::State;
use axum::response::Response;
use store::ground as rows;
use trace::write::Document;
use trace::{Position, TracePoint};

use super::GroundError;
use crate::parcours::trace::{Format, written};

/// The recorded way of an entry, as GPX.
#[utoipa::path(get, path = "/api/v1/ground/entries/{id}/track.gpx", tag = "ground", params(("id" = String, Path)), security(("session" = ["content.export"])),
    responses((status = 200, description = "GPX 1.1", content_type = "application/gpx+xml"), GroundError))]
pub async fn download_ground_track(
    State(app): State<App>,
    exporter: Exporter,
    Path(id): Path<String>,
) -> Result<Response, GroundError> {
    let db = app.store.read();
    let entry = rows::find(db, &id).await?.filter(|entry| exporter.works_in(entry.white_label_id));
    let entry = entry.ok_or(GroundError::NotFound)?;
    let track = rows::track(db, &id).await?.ok_or(GroundError::NotFound)?;
    let language = app.settings.main_language();
    let title = entry.parcours_title.as_ref().map_or("", |title| title.best(language));
    let point = |[lon, lat]: &[f64; 2]| TracePoint::from(Position::new(*lon, *lat));
    let document = Document {
        name: Some(format!("{title} {}", app.day_of(entry.made_at)).trim().to_owned()),
        line: track.iter().map(point).collect(),
        ..Document::default()
    };
    Ok(written(&document, Format::Gpx))
}
