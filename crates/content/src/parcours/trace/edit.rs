//! The working revision: saved from the editor, planned again.

use app::extract::{Body, Editor, IfMatch, Path};
use app::token::checksum;
use app::{App, Rejection};
use axum::body::Bytes;
use axum::extract::State;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::parcours::arrange::forget_typed;
use domain::parcours::{Leg, Repaired, SourceFile, TraceMode, TraceOrigin};
use domain::step::{StepKind, check_steps, check_typed, number_steps};
use domain::{Actor, Capability, Fault, ParcoursId};
use routing::Profile;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use store::parcours::{self as rows, NewTrace, Stored, StoredTrace};
use store::{Connection, StoreError};
use trace::{MAX_POINTS, Position, SOUND_HEIGHTS_M};
use utoipa::ToSchema;

use super::super::access::{own, seen};
use super::super::compute::{
    Ask, Join, ReadTrace, arrange_steps, has_model_heights, joined, pace_of, profile_kept, undone,
};
use super::super::error::{ParcoursError, ParcoursRefusal};
use super::super::input::{read_steps, unknown_references};
use super::super::json::JsonText;
use super::super::view::ParcoursView;
use super::ignored::{self, IgnoredGapInput};
use super::import::{read, save, source_key, writable};
use super::show::TraceView;
use super::{TraceError, computed};

/// What the editor saves.
#[expect(clippy::option_option, reason = "absent and null say different things in a save")]
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TraceInput {
    /// Which line is to be used.
    pub mode: TraceMode,
    /// Profile of the planner; absent: that of the practice.
    #[serde(default)]
    pub profile: Option<String>,
    /// The working revision: each leg starts where the one before ends.
    pub legs: Vec<Leg>,
    /// The steps; absent: those there are.
    #[serde(default)]
    #[schema(value_type = Option<Vec<domain::step::StepInput>>)]
    pub steps: Option<Value>,
    /// Length typed by hand; null: none; absent: unchanged.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<f64>)]
    pub distance_typed_m: Option<Option<f64>>,
    /// Duration typed by hand; null: none; absent: unchanged.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<f64>)]
    pub duration_typed_s: Option<Option<f64>>,
    /// Overwrite what was typed by hand.
    #[serde(default)]
    pub forced: bool,
    /// All ignored gaps, each with its reason; absent: unchanged.
    #[serde(default)]
    pub ignored_gaps: Option<Vec<IgnoredGapInput>>,
    /// Where the recording comes from, where that is not the file there is.
    #[serde(default)]
    pub source: Option<SourceInput>,
    /// The user's answer whether it is a loop, which the sheet then takes; null: not answered; absent: as before.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<bool>)]
    pub is_loop: Option<Option<bool>>,
}

/// Another recording than the one that is kept.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(tag = "from", rename_all = "snake_case", deny_unknown_fields)]
pub enum SourceInput {
    /// A file that comes with the save: nothing of it is kept before.
    File {
        name: String,
        /// Its bytes, in base64.
        bytes: String,
        /// How to treat pieces more than 30 m apart.
        #[serde(default)]
        join: Option<Join>,
        /// Repairs to leave undone, by their `id`.
        #[serde(default)]
        without_repairs: Vec<String>,
    },
    /// The file of an earlier revision of this trace.
    Revision { revision: i64 },
}

#[expect(clippy::option_option, reason = "absent and null say different things in a save")]
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<Option<T>>, D::Error> {
    Option::<T>::deserialize(deserializer).map(Some)
}

/// Save the working revision of the trace with its steps. The source's bytes never change.
#[utoipa::path(put, path = "/api/v1/parcours/{id}/trace", tag = "parcours", params(("id" = i64, Path), ("If-Match" = String, Header)),
    security(("session" = ["content.write"])), request_body(content = TraceInput), responses((status = 200, body = TraceView), ParcoursError))]
#[tracing::instrument(name = "trace.save", skip_all, fields(parcours.id = %id))]
pub async fn save_trace(
    State(app): State<App>,
    editor: Editor,
    Path(id): Path<ParcoursId>,
    version: IfMatch,
    Body(sent): Body<TraceInput>,
) -> Result<JsonText, ParcoursError> {
    let before = writable(&app, id, &editor, version).await?;
    check_legs(&sent.legs)?;
    let (distance_m, duration_s) = (sent.distance_typed_m.flatten(), sent.duration_typed_s.flatten());
    let mut out_of_range = Vec::new();
    check_typed(("/distance_typed_m", distance_m), ("/duration_typed_s", duration_s), &mut out_of_range);
    if !out_of_range.is_empty() {
        return Err(out_of_range.into());
    }
    let mut after = before.clone();
    if let Some(steps) = &sent.steps {
        let inputs = read_steps(steps)?;
        let mut faults = check_steps(&inputs, &app.settings.content_languages);
        faults.extend(unknown_references(app.store.read(), &editor, &before, &before.sheet, Some(&inputs)).await?);
        if !faults.is_empty() {
            return Err(faults.into());
        }
        (after.steps, after.last_step_id) = number_steps(inputs, &before.steps, before.last_step_id);
    }
    let has = |kind| after.steps.iter().any(|step| step.kind == kind);
    if sent.legs.is_empty() || !has(StepKind::Departure) || !has(StepKind::Arrival) {
        return Err(TraceError::EndsRequired.into());
    }
    let kept = rows::trace(app.store.read(), id).await?;
    let (own_profile, pace) = pace_of(app.store.read(), before.sheet.practice_type_id).await?;
    let profile = match &sent.profile {
        Some(name) => {
            Some(name.parse().map_err(|_| TraceError::UnknownProfile { profile: name.chars().take(40).collect() })?)
        }
        None => own_profile,
    };
    let known = kept.as_ref().map(|kept| kept.extra.ignored.clone()).unwrap_or_default();
    let ignored = match &sent.ignored_gaps {
        Some(gaps) => ignored::settled(&app, &editor, gaps, &known, &sent.legs).await?,
        None => known,
    };
    let source = source_asked(&app, &editor, id, sent.source.as_ref()).await?;
    let reason = source.is_some().then_some("import");
    let mut ask = Ask { ignored, ..asked(&app, &sent, kept.as_ref(), profile, pace) };
    if let Some(source) = source {
        ask = source.ask(ask);
    }
    let trace = computed(&app, ask).await?;
    // What has a length takes some time: a typed 0 says neither.
    let has_length = trace::measure(&trace.line()).distance_m > 0.0;
    let is_missing = |figure: Option<f64>| figure.is_none_or(|figure| has_length && figure <= 0.0);
    if trace.summary.mode == TraceMode::Source {
        match (is_missing(trace.summary.distance_m), is_missing(trace.summary.duration_s)) {
            (_, true) => return Err(TraceError::DistanceDurationRequired.into()),
            (true, false) => return Err(TraceError::DistanceRequired.into()),
            (false, false) => {}
        }
    }
    if sent.forced {
        forget_typed(&mut after.steps);
    }
    arrange_steps(&mut after.steps, &trace, pace, None);
    after.sheet.is_loop = sent.is_loop.unwrap_or(after.sheet.is_loop);
    save(&app, &editor, &before, after, trace, reason, version).await
}

/// A recording that takes the place of the one there is.
struct NewSource {
    line: Vec<Position>,
    model_heights: bool,
    origin: TraceOrigin,
    file: Option<SourceFile>,
    repairs: Vec<Repaired>,
    pieces: u64,
    gaps: Value,
    duration_s: Option<f64>,
}

impl NewSource {
    fn of_file(found: ReadTrace) -> Self {
        Self {
            line: found.line,
            model_heights: false,
            origin: TraceOrigin::Imported,
            file: Some(found.file),
            repairs: found.repairs,
            pieces: found.pieces,
            gaps: found.gaps,
            duration_s: found.duration_s,
        }
    }

    fn of_revision(past: StoredTrace) -> Self {
        let line = past.source_line.clone().unwrap_or_else(|| past.worked_line());
        let model_heights = has_model_heights(&past);
        let StoredTrace { summary, extra, .. } = past;
        Self {
            line,
            model_heights,
            origin: summary.origin,
            file: summary.source_file,
            repairs: summary.repairs,
            pieces: summary.pieces,
            gaps: extra.source_gaps,
            duration_s: summary.duration_recorded_s,
        }
    }

    /// The request for a trace with this recording behind it. The line of the recording is stored separately where the legs differ from it.
    fn ask(self, ask: Ask) -> Ask {
        let is_other = !is_one_line(&joined(&ask.legs), &self.line);
        Ask {
            source_line: (is_other && self.origin == TraceOrigin::Imported).then_some(self.line),
            model_heights: self.model_heights,
            origin: self.origin,
            source_file: self.file,
            repairs: self.repairs,
            pieces: self.pieces,
            source_gaps: self.gaps,
            duration_recorded_s: self.duration_s,
            ..ask
        }
    }
}

/// Whether two lines are one, whatever was lost of their last digits on the way.
fn is_one_line(a: &[Position], b: &[Position]) -> bool {
    let is_one = |(a, b): (&Position, &Position)| (a.lon - b.lon).abs() < 1e-7 && (a.lat - b.lat).abs() < 1e-7;
    a.len() == b.len() && a.iter().zip(b).all(is_one)
}

/// The recording of a save, with its bytes.
async fn source_asked(
    app: &App,
    editor: &Editor,
    id: ParcoursId,
    asked: Option<&SourceInput>,
) -> Result<Option<NewSource>, ParcoursError> {
    match asked {
        None => Ok(None),
        Some(SourceInput::Revision { revision }) => {
            let past = rows::trace_at(app.store.read(), id, *revision).await?.ok_or(ParcoursRefusal::NoTrace)?;
            Ok(Some(NewSource::of_revision(past)))
        }
        Some(SourceInput::File { name, bytes, join, without_repairs }) => {
            if !editor.can(Capability::ContentImport) {
                return Err(Rejection::Forbidden { capability: Capability::ContentImport.as_str() }.into());
            }
            let unreadable =
                || ParcoursError::from(Fault::new("validation/wrong-type", "/source/bytes").with("name", "bytes"));
            let bytes = Bytes::from(STANDARD.decode(bytes).map_err(|_| unreadable())?);
            let without = undone(&without_repairs.join(",")).map_err(|_| unreadable())?;
            let mut found = read(bytes.clone(), name.clone(), *join, without).await?;
            found.file.sha256 = checksum(&bytes);
            app.blobs.put(&source_key(&found.file.sha256), bytes).await?;
            Ok(Some(NewSource::of_file(found)))
        }
    }
}

fn asked(
    app: &App,
    sent: &TraceInput,
    kept: Option<&StoredTrace>,
    profile: Option<Profile>,
    pace: domain::parcours::line::Pace,
) -> Ask {
    let old = kept.map(|kept| &kept.summary);
    let typed = |sent_value: Option<Option<f64>>, old_value: Option<f64>| {
        if sent.forced { None } else { sent_value.unwrap_or(old_value) }
    };
    Ask {
        source_line: kept.and_then(|kept| source_of(kept, &sent.legs)),
        legs: sent.legs.clone(),
        mode: sent.mode,
        profile,
        pace,
        origin: old.map_or(TraceOrigin::Drawn, |old| old.origin),
        source_file: old.and_then(|old| old.source_file.clone()),
        repairs: old.map(|old| old.repairs.clone()).unwrap_or_default(),
        pieces: old.map_or(1, |old| old.pieces),
        source_gaps: kept.map(|kept| kept.extra.source_gaps.clone()).unwrap_or_default(),
        model_heights: kept.is_some_and(has_model_heights),
        distance_typed_m: typed(sent.distance_typed_m, old.and_then(|old| old.distance_typed_m)),
        duration_typed_s: typed(sent.duration_typed_s, old.and_then(|old| old.duration_typed_s)),
        duration_recorded_s: old.and_then(|old| old.duration_recorded_s),
        ignored: Vec::new(),
        at: app.now(),
    }
}

/// The line of the source, stored separately where the legs are not that line.
fn source_of(kept: &StoredTrace, legs: &[Leg]) -> Option<Vec<Position>> {
    if kept.summary.origin != TraceOrigin::Imported {
        return None;
    }
    let source = kept.source_line.clone().unwrap_or_else(|| kept.worked_line());
    (joined(legs) != source).then_some(source)
}

/// Two ends further apart than this do not meet.
const MEET_M: f64 = 5.0;
/// Points are rounded to a centimetre: nearer ones are one place.
const SAME_PLACE_M: f64 = 0.01;

/// Legs have two points each, in the world, at heights that can be, follow each other, and are not all one place.
pub fn check_legs(legs: &[Leg]) -> Result<(), TraceError> {
    let points: usize = legs.iter().map(|leg| leg.line.len()).sum();
    if points > MAX_POINTS {
        return Err(TraceError::TooManyPoints { max_points: MAX_POINTS });
    }
    let mut errors = Vec::new();
    for (index, leg) in legs.iter().enumerate() {
        if leg.line.len() < 2 {
            errors.push(Fault::new("trace/leg-too-short", format!("/legs/{index}/line")));
        }
        let outside = |p: &Position| !(p.lon.abs() <= 180.0 && p.lat.abs() <= 90.0);
        if let Some(point) = leg.line.iter().position(outside) {
            errors.push(Fault::new("validation/position-outside-world", format!("/legs/{index}/line/{point}")));
        }
        let is_impossible = |p: &Position| p.ele.is_some_and(|ele| !SOUND_HEIGHTS_M.contains(&ele));
        if let Some(point) = leg.line.iter().position(is_impossible) {
            errors.push(
                Fault::new("validation/out-of-range", format!("/legs/{index}/line/{point}"))
                    .with("min", *SOUND_HEIGHTS_M.start())
                    .with("max", *SOUND_HEIGHTS_M.end()),
            );
        }
    }
    for (index, pair) in legs.windows(2).enumerate() {
        let apart = pair[0].line.last().zip(pair[1].line.first()).map(|(end, start)| trace::distance_m(*end, *start));
        if apart.is_some_and(|apart| apart > MEET_M) {
            errors.push(
                Fault::new("trace/legs-apart", format!("/legs/{}/line/0", index + 1))
                    .with("distance_m", apart.unwrap_or(0.0).round()),
            );
        }
    }
    let moves = |leg: &Leg| leg.line.windows(2).any(|pair| trace::distance_m(pair[0], pair[1]) >= SAME_PLACE_M);
    if errors.is_empty() && !legs.is_empty() && !legs.iter().any(moves) {
        errors.push(Fault::new("trace/one-point", "/legs/0/line"));
    }
    if errors.is_empty() { Ok(()) } else { Err(TraceError::Invalid { errors }) }
}

/// How a recalculation is asked for.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RecalculationInput {
    /// Overwrite distances and durations that were typed by hand.
    pub forced: bool,
}

/// Plan and score the trace again on today's network; steps keep their place along it.
#[utoipa::path(post, path = "/api/v1/parcours/{id}/recalculation", tag = "parcours", params(("id" = i64, Path), ("If-Match" = String, Header)),
    security(("session" = ["content.write"])), request_body(content = RecalculationInput), responses((status = 200, body = ParcoursView), ParcoursError))]
#[tracing::instrument(name = "trace.recalculate", skip_all, fields(parcours.id = %id))]
pub async fn recalculate_parcours(
    State(app): State<App>,
    editor: Editor,
    Path(id): Path<ParcoursId>,
    version: IfMatch,
    Body(sent): Body<RecalculationInput>,
) -> Result<JsonText, ParcoursError> {
    let before = writable(&app, id, &editor, version).await?;
    let kept = rows::trace(app.store.read(), id).await?.ok_or(ParcoursRefusal::NoTrace)?;
    let (profile, pace) = pace_of(app.store.read(), before.sheet.practice_type_id).await?;
    let old_length_m = trace::measure(&kept.line()).distance_m;
    // Where the planner was wanted and was not there, it is wanted still.
    let gave_way = matches!(kept.summary.notice.as_deref(), Some("planner/absent" | "planner/no-profile"));
    let mode = if gave_way { TraceMode::Planner } else { kept.summary.mode };
    let ask = Ask {
        distance_typed_m: kept.summary.distance_typed_m.filter(|_| !sent.forced),
        duration_typed_s: kept.summary.duration_typed_s.filter(|_| !sent.forced),
        ..again(&app, &kept, mode, profile, pace)
    };
    let trace = computed(&app, ask).await?;
    // A duration that was entered is not given up for none.
    if trace.summary.duration_s.is_none() && kept.summary.duration_typed_s.is_some() {
        return Err(TraceError::DistanceDurationRequired.into());
    }
    let mut after = before.clone();
    if sent.forced {
        forget_typed(&mut after.steps);
    }
    arrange_steps(&mut after.steps, &trace, pace, Some(old_length_m));
    save(&app, &editor, &before, after, trace, Some("recalculation"), version).await?;
    super::super::saving::shown(&app, app.store.read(), id, &editor).await
}

/// What a trace is to be made of when it is planned once more.
pub fn again(
    app: &App,
    kept: &StoredTrace,
    mode: TraceMode,
    profile: Option<Profile>,
    pace: domain::parcours::line::Pace,
) -> Ask {
    let summary = &kept.summary;
    Ask {
        legs: kept.legs.clone(),
        mode,
        profile: profile_kept(summary.profile.as_deref(), profile),
        pace,
        origin: summary.origin,
        source_file: summary.source_file.clone(),
        repairs: summary.repairs.clone(),
        pieces: summary.pieces,
        source_gaps: kept.extra.source_gaps.clone(),
        source_line: kept.source_line.clone(),
        model_heights: has_model_heights(kept),
        distance_typed_m: summary.distance_typed_m,
        duration_typed_s: summary.duration_typed_s,
        duration_recorded_s: summary.duration_recorded_s,
        ignored: kept.extra.ignored.clone(),
        at: app.now(),
    }
}

/// The same trace in another mode. A revision of it in that mode is taken as it was; else it is made.
pub async fn remake(
    app: &App,
    db: &impl Connection,
    before: &Stored,
    kept: &StoredTrace,
    mode: TraceMode,
) -> Result<NewTrace, ParcoursError> {
    if let Some(number) = before.trace_revision.map(|number| number - 1)
        && let Some(past) = rows::trace_at(db, before.id, number).await?
        && past.summary.mode == mode
        && past.legs == kept.legs
    {
        return Ok((&past).into());
    }
    let (profile, pace) = pace_of(db, before.sheet.practice_type_id).await?;
    let ask = again(app, kept, mode, profile, pace);
    // The source line of a file without times takes what the trace took before.
    let duration_s = kept.summary.duration_s.filter(|_| mode == TraceMode::Source);
    computed(app, Ask { duration_typed_s: ask.duration_typed_s.or(duration_s), ..ask }).await
}

/// Whether the recording behind the legs of a trace in the making has the ground model's heights, as its save will take it: that of the
/// trace of this parcours, or of one of its revisions.
pub(crate) async fn source_has_model_heights(
    app: &App,
    actor: &Actor,
    id: ParcoursId,
    revision: Option<i64>,
) -> Result<bool, ParcoursError> {
    let db = app.store.read();
    let kept = match revision {
        None => {
            seen(db, id, actor).await?;
            rows::trace(db, id).await?
        }
        Some(revision) => {
            own(db, id, actor).await?;
            Some(rows::trace_at(db, id, revision).await?.ok_or(ParcoursRefusal::NoTrace)?)
        }
    };
    Ok(kept.as_ref().is_some_and(has_model_heights))
}

/// Length of the line in use, on which the steps' places were measured.
pub(super) async fn length_in_use(app: &App, before: &Stored) -> Result<Option<f64>, StoreError> {
    let kept = rows::trace(app.store.read(), before.id).await?;
    Ok(kept.map(|kept| trace::measure(&kept.line()).distance_m))
}
