//! A file becomes the trace; and the file again, after edits.

use app::extract::{IfMatch, Importer, Path, Query};
use app::problem::Internal;
use app::record::Refusal;
use app::token::checksum;
use app::{App, Rejection};
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use domain::ParcoursId;
use domain::parcours::{Leg, LegKind, SourceFile, TraceMode, TraceOrigin};
use serde::Deserialize;
use store::parcours::{self as rows, NewTrace, Stored};
use trace::{MAX_BYTES, RepairKind};
use utoipa::IntoParams;

use super::super::access::{held_at, seen};
use super::super::compute::{
    Ask, Join, ReadTrace, arrange_steps, pace_of, profile_kept, read_source, steps_of_file, undone,
};
use super::super::error::{ParcoursError, ParcoursRefusal, not_found};
use super::super::json::JsonText;
use super::super::saving::change;
use super::show::{TraceView, reply};
use super::{TraceError, computed, run_blocking};

/// How a file is imported.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct Importing {
    #[param(example = "boucle.gpx")]
    pub file_name: Option<String>,
    /// How to treat pieces more than 30 m apart: `true` joins them, `first`, `longest`.
    pub join: Option<String>,
    /// Repairs to leave undone, by their `id`; when absent, those left undone at the last import.
    #[param(example = "spikes,doubled_points")]
    pub without_repairs: Option<String>,
}

impl Importing {
    pub(super) fn name(&self) -> &str {
        self.file_name.as_deref().unwrap_or_default()
    }

    /// The repairs to leave undone; `None` when the parameter is absent.
    pub(super) fn without(&self) -> Result<Option<Vec<RepairKind>>, Rejection> {
        let bad = |_| Rejection::BadQuery { name: "without_repairs".to_owned() };
        self.without_repairs.as_deref().map(|words| undone(words).map_err(bad)).transpose()
    }

    pub(super) fn join(&self) -> Result<Option<Join>, Rejection> {
        let Some(word) = self.join.as_deref().filter(|word| !word.is_empty()) else { return Ok(None) };
        Join::parse(word).map(Some).ok_or_else(|| Rejection::BadQuery { name: "join".to_owned() })
    }
}

/// Where the bytes of a source are kept: under their own checksum, so the same file is kept once.
pub fn source_key(sha256: &str) -> String {
    format!("sources/{sha256}")
}

/// The bytes of a body, or why they did not come.
pub(crate) fn body_of<E: From<TraceError> + From<Rejection>>(sent: Result<Bytes, BytesRejection>) -> Result<Bytes, E> {
    sent.map_err(|rejection| match app::extract::refused_body(rejection) {
        Rejection::TooLarge => TraceError::TooLarge { max_bytes: MAX_BYTES }.into(),
        other => other.into(),
    })
}

/// Reads a file on a blocking thread; a file in pieces that need a decision is answered with a problem.
pub(super) async fn read(
    bytes: Bytes,
    name: String,
    join: Option<Join>,
    without: Vec<RepairKind>,
) -> Result<ReadTrace, ParcoursError> {
    let read = run_blocking(move || read_source(&bytes, &name, join, &without)).await?;
    let found = read.map_err(TraceError::from)?;
    found.map_err(|asked| TraceError::Pieces { pieces: asked.pieces, gaps: asked.gaps }.into())
}

/// Bring a file in: its bytes are kept, its line is planned and scored, and where the parcours has no step yet it gets a
/// departure, an arrival and the file's own points.
#[utoipa::path(post, path = "/api/v1/parcours/{id}/trace/source", tag = "parcours", params(("id" = i64, Path), ("If-Match" = String, Header), Importing),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"), security(("session" = ["content.import"])),
    responses((status = 200, body = TraceView), ParcoursError))]
#[tracing::instrument(name = "trace.import", skip_all, fields(parcours.id = %id))]
pub async fn import_trace_source(
    State(app): State<App>,
    importer: Importer,
    Path(id): Path<ParcoursId>,
    Query(asked): Query<Importing>,
    version: IfMatch,
    sent: Result<Bytes, BytesRejection>,
) -> Result<JsonText, ParcoursError> {
    let bytes = body_of::<ParcoursError>(sent)?;
    let before = writable(&app, id, &importer, version).await?;
    let sha256 = checksum(&bytes);
    let without = asked.without()?.unwrap_or_default();
    let mut found = read(bytes.clone(), asked.name().to_owned(), asked.join()?, without).await?;
    found.file.sha256.clone_from(&sha256);
    app.blobs.put(&source_key(&sha256), bytes).await?;
    let (profile, pace) = pace_of(app.store.read(), before.sheet.practice_type_id).await?;
    let trace = computed(&app, ask_for(&app, &found, TraceMode::Planner, profile, pace)).await?;
    let mut after = before.clone();
    if after.steps.is_empty() {
        after.steps = steps_of_file(&found.waypoints, &trace, pace, after.last_step_id + 1);
    } else {
        // Another file is another line: places along the old one mean nothing on it.
        after.steps.iter_mut().for_each(|step| step.at_m = None);
        arrange_steps(&mut after.steps, &trace, pace, None);
    }
    save(&app, &importer, &before, after, trace, Some("import"), version).await
}

/// Take the file's own line again, with other repairs left undone where asked: the working revision is forgotten, its
/// revisions stay, and so do the file's bytes.
#[utoipa::path(post, path = "/api/v1/parcours/{id}/trace/original", tag = "parcours", params(("id" = i64, Path), ("If-Match" = String, Header), Importing),
    security(("session" = ["content.write"])), responses((status = 200, body = TraceView), ParcoursError))]
#[tracing::instrument(name = "trace.original", skip_all, fields(parcours.id = %id))]
pub async fn restore_trace_original(
    State(app): State<App>,
    editor: app::extract::Editor,
    Path(id): Path<ParcoursId>,
    Query(asked): Query<Importing>,
    version: IfMatch,
) -> Result<JsonText, ParcoursError> {
    let before = writable(&app, id, &editor, version).await?;
    let summary = before.trace.as_ref().ok_or(ParcoursRefusal::NoTrace)?;
    let file: SourceFile = summary.source_file.clone().ok_or(TraceError::NoSource)?;
    let bytes = app.blobs.get(&source_key(&file.sha256)).await?.ok_or(TraceError::NoSource)?;
    let without = match asked.without()? {
        Some(without) => without,
        None => undone(&file.without_repairs.join(",")).unwrap_or_default(),
    };
    let join = asked.join()?.or_else(|| file.join.as_deref().and_then(Join::parse));
    let mut found = read(bytes, file.name.clone(), join, without).await?;
    found.file.sha256 = file.sha256;
    let (profile, pace) = pace_of(app.store.read(), before.sheet.practice_type_id).await?;
    let ask = Ask {
        distance_typed_m: summary.distance_typed_m,
        duration_typed_s: summary.duration_typed_s,
        ignored: rows::trace(app.store.read(), id).await?.map(|kept| kept.extra.ignored).unwrap_or_default(),
        ..ask_for(&app, &found, summary.mode, profile_kept(summary.profile.as_deref(), profile), pace)
    };
    let old_length_m = super::edit::length_in_use(&app, &before).await?;
    let trace = computed(&app, ask).await?;
    let mut after = before.clone();
    arrange_steps(&mut after.steps, &trace, pace, old_length_m);
    save(&app, &editor, &before, after, trace, Some("restore"), version).await
}

fn ask_for(
    app: &App,
    found: &ReadTrace,
    mode: TraceMode,
    profile: Option<routing::Profile>,
    pace: domain::parcours::line::Pace,
) -> Ask {
    Ask {
        legs: vec![Leg { kind: LegKind::Source, line: found.line.clone() }],
        mode,
        profile,
        pace,
        origin: TraceOrigin::Imported,
        source_file: Some(found.file.clone()),
        repairs: found.repairs.clone(),
        pieces: found.pieces,
        source_gaps: found.gaps.clone(),
        source_line: None,
        model_heights: false,
        distance_typed_m: None,
        duration_typed_s: None,
        duration_recorded_s: found.duration_s,
        ignored: Vec::new(),
        at: app.now(),
    }
}

/// A parcours that the person may change, looked up before long work: no transaction waits for the planner.
pub(super) async fn writable(
    app: &App,
    id: ParcoursId,
    actor: &domain::Actor,
    version: IfMatch,
) -> Result<Stored, ParcoursError> {
    let db = app.store.read();
    let stored = rows::load(db, id).await?.ok_or_else(|| not_found(id))?;
    if !actor.works_in(stored.white_label_id) {
        seen(db, id, actor).await?;
        return Err(Refusal::NotYours.into());
    }
    if version.accepts(stored.version) {
        return Ok(stored);
    }
    let current = super::super::view::show_value(app, db, id, actor).await?;
    Err(Refusal::Stale { base_version: version.version(), current }.into())
}

/// Saves a trace and its steps, if nothing was saved while the planner worked.
pub(super) async fn save(
    app: &App,
    actor: &domain::Actor,
    before: &Stored,
    after: Stored,
    trace: NewTrace,
    reason: Option<&'static str>,
    asked: IfMatch,
) -> Result<JsonText, ParcoursError> {
    let tx = app.store.begin().await?;
    let now = held_at(app, &tx, before.id, actor, IfMatch::Version(before.version))
        .await
        .map_err(|error| error.based_on(asked.version().or(Some(before.version))))?;
    rows::save(&tx, &now, after, Some(&trace), change(app, actor, reason)).await?;
    let shown = reply(app, &tx, before.id, actor).await?;
    tx.commit().await.map_err(Internal::from)?;
    Ok(shown)
}
