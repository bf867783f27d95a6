//! A trace as a file that other programs open, and the file it came from.

use app::contract::files::TraceCollection;
use app::download::attachment;
use app::extract::{Exporter, Path};
use app::{App, audit};
use axum::extract::State;
use axum::response::Response;
use domain::audit::{Action, Detail, On};
use domain::html::plain;
use domain::parcours::Sheet;
use domain::record::Kind;
use domain::step::Step;
use domain::{Actor, ParcoursId};
use store::parcours as rows;
use trace::write::Document;
use trace::{TracePoint, Waypoint};

use super::super::access::{own, seen};
use super::super::compute::has_only_model_heights;
use super::super::error::{ParcoursError, ParcoursRefusal, not_found};
use super::{TraceError, source_key};

/// A format that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Gpx,
    /// KML 2.2.
    Kml,
    /// GeoJSON.
    GeoJson,
    /// TCX course.
    Tcx,
}

impl Format {
    /// The format of a file's ending.
    pub fn parse(ending: &str) -> Option<Self> {
        [Self::Gpx, Self::Kml, Self::GeoJson, Self::Tcx].into_iter().find(|format| format.extension() == ending)
    }

    /// The ending of a file's name.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Gpx => "gpx",
            Self::Kml => "kml",
            Self::GeoJson => "geojson",
            Self::Tcx => "tcx",
        }
    }

    /// The media type.
    pub const fn mime(self) -> &'static str {
        match self {
            Self::Gpx => "application/gpx+xml",
            Self::Kml => "application/vnd.google-earth.kml+xml",
            Self::GeoJson => "application/geo+json",
            Self::Tcx => "application/vnd.garmin.tcx+xml",
        }
    }

    /// A document in this format.
    pub fn text(self, document: &Document) -> String {
        match self {
            Self::Gpx => trace::write::gpx(document),
            Self::Kml => trace::write::kml(document),
            Self::GeoJson => trace::write::geojson(document),
            Self::Tcx => trace::write::tcx(document),
        }
    }
}

/// The content of a file of a parcours: its line, its texts and its steps, in a language.
pub fn document(sheet: &Sheet, steps: &[Step], line: Vec<trace::Position>, language: &str) -> Document {
    let written = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    Document {
        name: written(sheet.title.best(language)),
        description: written(&plain(sheet.summary.best(language))),
        author: None,
        copyright: sheet.copyright.clone(),
        line: line.into_iter().map(TracePoint::from).collect(),
        has_model_heights: false,
        duration_s: None,
        waypoints: steps
            .iter()
            .map(|step| Waypoint {
                position: step.position,
                name: written(step.title.best(language)),
                description: written(step.description.best(language)),
                symbol: None,
                at_m: step.at_m,
            })
            .collect(),
    }
}

/// A document in a format, as an answer that is saved under the parcours' own name.
pub fn written(document: &Document, format: Format) -> Response {
    let name = document.name.as_deref().unwrap_or("parcours");
    let name = super::super::compute::clean_name(&name.replace('/', "-"));
    attachment(&format!("{name}.{}", format.extension()), format.mime(), format.text(document))
}

async fn download(app: &App, actor: &Actor, id: ParcoursId, format: Format) -> Result<Response, ParcoursError> {
    let db = app.store.read();
    seen(db, id, actor).await?;
    let stored = rows::load(db, id).await?.ok_or_else(|| not_found(id))?;
    let kept = rows::trace(db, id).await?.ok_or(ParcoursRefusal::NoTrace)?;
    let language = app.settings.main_language();
    let mut made = document(&stored.sheet, &stored.steps, kept.line(), language);
    made.duration_s = kept.summary.duration_s;
    made.has_model_heights = has_only_model_heights(&kept);
    Ok(written(&made, format))
}

/// The line in use as GPX 1.1, with the steps.
#[utoipa::path(get, path = "/api/v1/parcours/{id}/trace.gpx", tag = "parcours", params(("id" = i64, Path)), security(("session" = ["content.export"])),
    responses((status = 200, description = "GPX 1.1", content_type = "application/gpx+xml"), ParcoursError))]
pub async fn download_trace_gpx(
    State(app): State<App>,
    exporter: Exporter,
    Path(id): Path<ParcoursId>,
) -> Result<Response, ParcoursError> {
    download(&app, &exporter, id, Format::Gpx).await
}

/// The line in use as KML 2.2, with the steps.
#[utoipa::path(get, path = "/api/v1/parcours/{id}/trace.kml", tag = "parcours", params(("id" = i64, Path)), security(("session" = ["content.export"])),
    responses((status = 200, description = "KML 2.2", content_type = "application/vnd.google-earth.kml+xml"), ParcoursError))]
pub async fn download_trace_kml(
    State(app): State<App>,
    exporter: Exporter,
    Path(id): Path<ParcoursId>,
) -> Result<Response, ParcoursError> {
    download(&app, &exporter, id, Format::Kml).await
}

/// The line in use as GeoJSON, with the steps.
#[utoipa::path(get, path = "/api/v1/parcours/{id}/trace.geojson", tag = "parcours", params(("id" = i64, Path)), security(("session" = ["content.export"])),
    responses((status = 200, description = "GeoJSON", body = TraceCollection, content_type = "application/geo+json"), ParcoursError))]
pub async fn download_trace_geojson(
    State(app): State<App>,
    exporter: Exporter,
    Path(id): Path<ParcoursId>,
) -> Result<Response, ParcoursError> {
    download(&app, &exporter, id, Format::GeoJson).await
}

/// The line in use as a TCX course, with the steps.
#[utoipa::path(get, path = "/api/v1/parcours/{id}/trace.tcx", tag = "parcours", params(("id" = i64, Path)), security(("session" = ["content.export"])),
    responses((status = 200, description = "TCX course", content_type = "application/vnd.garmin.tcx+xml"), ParcoursError))]
pub async fn download_trace_tcx(
    State(app): State<App>,
    exporter: Exporter,
    Path(id): Path<ParcoursId>,
) -> Result<Response, ParcoursError> {
    download(&app, &exporter, id, Format::Tcx).await
}

/// The file the trace came from, byte for byte: times, names of devices and trimmed ends included, so for people of its
/// white-label alone.
#[utoipa::path(get, path = "/api/v1/parcours/{id}/trace/source", tag = "parcours", params(("id" = i64, Path)), security(("session" = ["content.export"])),
    responses((status = 200, description = "The file as it came", content_type = "application/octet-stream"), ParcoursError))]
pub async fn download_trace_source(
    State(app): State<App>,
    exporter: Exporter,
    Path(id): Path<ParcoursId>,
) -> Result<Response, ParcoursError> {
    let db = app.store.read();
    own(db, id, &exporter).await?;
    let stored = rows::load(db, id).await?.ok_or_else(|| not_found(id))?;
    let file = stored.trace.and_then(|trace| trace.source_file).ok_or(TraceError::NoSource)?;
    let bytes = app.blobs.get(&source_key(&file.sha256)).await?.ok_or(TraceError::NoSource)?;
    let on = On::record(Kind::Parcours, id.0).of_white_label(stored.white_label_id);
    audit::leaves(&app, &*exporter, Action::RecordingExported, on, Detail::None).await?;
    Ok(attachment(&file.name, "application/octet-stream", bytes.to_vec()))
}
