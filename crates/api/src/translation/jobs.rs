//! Many sheets translated as a job: begin it, watch it, stop it, let it go on; and the outcome of each sheet.

use app::extract::{Body, Editor, Paging, Path};
use app::record::bulk::MAX_BULK;
use app::{App, body_filter};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use content::parcours::list_query::ListQuery;
use content::poi::PoiQuery;
use domain::imports::ImportNote;
use domain::record::Kind;
use domain::translation::{JobCounts, JobOutcome, JobState};
use domain::{Capability, Fault, Instant};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::parcours as parcours_rows;
use store::translation::{self as rows, NewJob, Stopping, TranslationJob};
use utoipa::ToSchema;

use super::TranslationError;
use super::propose::pair_faults;
use super::sentences::{Cost, Pair, Planned, estimate, plan};
use super::service::{translates, translator_of};
use super::work::{Batch, STEP, enqueue};

/// Kinds of which many are translated at once.
const KINDS: [Kind; 3] = [Kind::Parcours, Kind::Poi, Kind::Media];

/// A job.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = TranslationJob)]
pub struct TranslationJobView {
    pub id: i64,
    /// Sheets of this kind.
    pub kind: Kind,
    /// From this language.
    pub source: String,
    /// Target language.
    pub target: String,
    /// Whether it goes through all sheets of the white-label.
    pub everything: bool,
    pub state: JobState,
    /// Sheets processed.
    pub done: i64,
    /// Sheets there are.
    pub total: i64,
    pub counts: JobCounts,
    /// Why it is paused.
    pub failure: Option<ImportNote>,
    /// When it continues automatically, if it waits for the service.
    pub waits_until: Option<Instant>,
    /// Whether it was asked to stop.
    pub cancelling: bool,
    /// When it began.
    pub started_at: Instant,
    /// When it ended.
    pub finished_at: Option<Instant>,
}

impl From<TranslationJob> for TranslationJobView {
    fn from(job: TranslationJob) -> Self {
        let running = job.state == JobState::Running;
        Self {
            id: job.id,
            kind: job.kind,
            source: job.source,
            target: job.target,
            everything: job.wanted.is_none(),
            state: job.state,
            done: job.counts.total(),
            total: job.total,
            counts: job.counts,
            waits_until: (running && job.failure.is_some()).then_some(job.wait_until),
            failure: job.failure,
            cancelling: running && job.cancel,
            started_at: job.started_at,
            finished_at: job.finished_at,
        }
    }
}

/// Jobs.
#[derive(Debug, Serialize, ToSchema)]
pub struct TranslationJobList {
    /// The items of the page, the newest first.
    pub items: Vec<TranslationJobView>,
    pub total: i64,
    /// Whether a translation service is set up here.
    pub translates: bool,
}

/// The texts to translate.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTranslationJob {
    /// `parcours`, `poi` or `media`.
    pub kind: Kind,
    /// These.
    #[serde(default)]
    pub ids: Option<Vec<i64>>,
    /// Or those of the list that this leaves. Neither: all of the active white-label.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub filter: Option<Value>,
    /// From this language.
    pub source: String,
    /// Target language.
    pub target: String,
}

/// Translate many sheets: of each what is missing, and what was translated and changed since. What a person wrote stays.
#[utoipa::path(post, path = "/api/v1/translation-jobs", tag = "translation", security(("session" = ["content.write"])),
    request_body(content = NewTranslationJob), responses((status = 202, body = TranslationJobView), TranslationError))]
#[tracing::instrument(name = "translation.start", skip_all)]
pub async fn start_translation_job(
    State(app): State<App>,
    editor: Editor,
    Body(sent): Body<NewTranslationJob>,
) -> Result<(StatusCode, Json<TranslationJobView>), TranslationError> {
    checked(&app, &sent)?;
    let white_label_id = editor.active_white_label_id;
    // A missing service is reported now, not by a job that cannot begin.
    translator_of(&app, white_label_id).await?;
    let wanted = selected(&app, &editor, &sent).await?;
    let tx = app.store.begin().await?;
    let total = match &wanted {
        Some(ids) => ids.len() as i64,
        None => rows::count_of(&tx, sent.kind, white_label_id).await?,
    };
    let new = NewJob {
        white_label_id,
        asked_by: editor.user_id,
        kind: sent.kind,
        source: sent.source,
        target: sent.target,
        wanted,
        agency: editor.can(Capability::AgencyFields),
        total,
    };
    let id = rows::insert(&tx, &new, app.now()).await?;
    let job = rows::find(&tx, id).await?.ok_or(TranslationError::JobNotFound { id })?;
    enqueue(&app, &tx, &job).await?;
    tx.commit().await?;
    Ok((StatusCode::ACCEPTED, Json(job.into())))
}

/// What a job would cost.
#[derive(Debug, Clone, Copy, Default, Serialize, ToSchema)]
pub struct TranslationEstimate {
    /// Sheets that are looked through.
    pub sheets: i64,
    /// Texts that are missing, or were translated and changed since.
    pub texts: i64,
    /// Sentences the service is asked for.
    pub sent: i64,
    /// Sentences that were translated before and cost nothing.
    pub known: i64,
    /// Characters the service counts.
    pub characters: i64,
}

/// What translating many sheets would cost, without asking the service.
#[utoipa::path(post, path = "/api/v1/translation-jobs/estimate", tag = "translation", security(("session" = ["content.write"])),
    request_body(content = NewTranslationJob), responses((status = 200, body = TranslationEstimate), TranslationError))]
#[tracing::instrument(name = "translation.estimate", skip_all)]
pub async fn estimate_translation_job(
    State(app): State<App>,
    editor: Editor,
    Body(sent): Body<NewTranslationJob>,
) -> Result<Json<TranslationEstimate>, TranslationError> {
    checked(&app, &sent)?;
    let white_label_id = editor.active_white_label_id;
    let translator = translator_of(&app, white_label_id).await?;
    let wanted = selected(&app, &editor, &sent).await?;
    let pair = Pair { source: &sent.source, target: &sent.target, is_source_given: false };
    let mut found = TranslationEstimate::default();
    let (mut cost, mut met, mut at) = (Cost::default(), std::collections::HashSet::new(), 0);
    loop {
        let ids = match &wanted {
            Some(ids) => ids.iter().skip(found.sheets as usize).take(STEP).copied().collect(),
            None => rows::next_ids(app.store.read(), sent.kind, white_label_id, at, STEP).await?,
        };
        let Some(last) = ids.last() else { break };
        at = *last;
        let batch = Batch::load(&app, sent.kind, &ids).await?;
        let agency = editor.can(Capability::AgencyFields);
        let todo = batch.due((sent.kind, white_label_id), (&sent.source, &sent.target), agency);
        let planned: Vec<Planned> = todo.iter().map(|todo| plan(&translator, pair, todo.source, todo.format)).collect();
        estimate(&app, &planned, &mut met, &mut cost).await?;
        found.sheets += ids.len() as i64;
        found.texts += todo.len() as i64;
    }
    Ok(Json(TranslationEstimate { sent: cost.sent, known: cost.known, characters: cost.characters, ..found }))
}

/// Faults of the request, independent of the sheets.
fn checked(app: &App, sent: &NewTranslationJob) -> Result<(), TranslationError> {
    let mut errors = pair_faults(app, &sent.source, &sent.target);
    if !KINDS.contains(&sent.kind) {
        errors.push(Fault::new("translation/kind", "/kind"));
    }
    if errors.is_empty() { Ok(()) } else { Err(TranslationError::Invalid { errors }) }
}

async fn selected(app: &App, editor: &Editor, sent: &NewTranslationJob) -> Result<Option<Vec<i64>>, TranslationError> {
    let ids = match (&sent.ids, &sent.filter) {
        (Some(ids), _) => {
            let mut seen = std::collections::HashSet::new();
            ids.iter().copied().filter(|id| seen.insert(*id)).collect()
        }
        (None, Some(filter)) if sent.kind == Kind::Parcours => {
            let filter = body_filter::of_list::<ListQuery>("/filter", filter)?.filter_for(app, editor).await;
            let filter = filter.map_err(|rejection| body_filter::refused::<TranslationError>("/filter", rejection))?;
            let found = parcours_rows::ids(app.store.read(), editor, &filter, MAX_BULK as u64 + 1).await?;
            found.into_iter().map(|id| id.0).collect()
        }
        (None, Some(filter)) if sent.kind == Kind::Poi => {
            let filter = body_filter::of_list::<PoiQuery>("/filter", filter)?.filter(app, editor).await;
            let filter = filter.map_err(|refused| refused.in_body("/filter"))?;
            store::poi::ids(app.store.read(), &filter, MAX_BULK as u64 + 1).await?
        }
        (None, Some(_)) => return Err(Fault::new("validation/required", "/ids").into()),
        (None, None) => return Ok(None),
    };
    if ids.len() > MAX_BULK {
        return Err(Fault::new("validation/too-many", "/ids").with("max", MAX_BULK).into());
    }
    // Lines of a job have the titles of its sheets: one that the person does not see is left out as one that does not exist.
    let seen = store::visible::seen_among(app.store.read(), editor, sent.kind, &ids).await?;
    Ok(Some(ids.into_iter().filter(|id| seen.contains(id)).collect()))
}

/// The jobs of the active white-label, the newest first.
#[utoipa::path(get, path = "/api/v1/translation-jobs", tag = "translation", params(Paging),
    security(("session" = ["content.write"])), responses((status = 200, body = TranslationJobList), TranslationError))]
pub async fn list_translation_jobs(
    State(app): State<App>,
    editor: Editor,
    app::extract::Query(paging): app::extract::Query<Paging>,
) -> Result<Json<TranslationJobList>, TranslationError> {
    let (jobs, total) = rows::jobs(app.store.read(), editor.active_white_label_id, paging.page()).await?;
    let translates = translates(&app, editor.active_white_label_id).await;
    Ok(Json(TranslationJobList { items: jobs.into_iter().map(Into::into).collect(), total, translates }))
}

/// A job of a white-label that the person works in.
async fn theirs(app: &App, editor: &Editor, id: i64) -> Result<TranslationJob, TranslationError> {
    let found = rows::find(app.store.read(), id).await?.filter(|job| editor.works_in(job.white_label_id));
    found.ok_or(TranslationError::JobNotFound { id })
}

/// How far a job is.
#[utoipa::path(get, path = "/api/v1/translation-jobs/{id}", tag = "translation", params(("id" = i64, Path)),
    security(("session" = ["content.write"])), responses((status = 200, body = TranslationJobView), TranslationError))]
pub async fn show_translation_job(
    State(app): State<App>,
    editor: Editor,
    Path(id): Path<i64>,
) -> Result<Json<TranslationJobView>, TranslationError> {
    Ok(Json(theirs(&app, &editor, id).await?.into()))
}

/// Stop a job after the sheets it is at: what was translated stays.
#[utoipa::path(post, path = "/api/v1/translation-jobs/{id}/cancellation", tag = "translation",
    params(("id" = i64, Path)), security(("session" = ["content.write"])),
    responses((status = 204, description = "It stops"), TranslationError))]
#[tracing::instrument(name = "translation.cancel", skip_all)]
pub async fn cancel_translation_job(
    State(app): State<App>,
    editor: Editor,
    Path(id): Path<i64>,
) -> Result<StatusCode, TranslationError> {
    let job = theirs(&app, &editor, id).await?;
    let tx = app.store.begin().await?;
    match rows::ask_to_stop(&tx, id, app.now()).await? {
        Stopping::Asked => enqueue(&app, &tx, &job).await?,
        Stopping::Ended => {}
        Stopping::Over => return Err(TranslationError::JobOver),
    }
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Let a job go on that the service stopped: it continues there, without requesting anything again.
#[utoipa::path(post, path = "/api/v1/translation-jobs/{id}/resumption", tag = "translation",
    params(("id" = i64, Path)), security(("session" = ["content.write"])),
    responses((status = 204, description = "It goes on"), TranslationError))]
#[tracing::instrument(name = "translation.resume", skip_all)]
pub async fn resume_translation_job(
    State(app): State<App>,
    editor: Editor,
    Path(id): Path<i64>,
) -> Result<StatusCode, TranslationError> {
    let job = theirs(&app, &editor, id).await?;
    let tx = app.store.begin().await?;
    if !rows::resume(&tx, id).await? {
        return Err(TranslationError::JobOver);
    }
    enqueue(&app, &tx, &job).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The outcome of a sheet.
#[derive(Debug, Serialize, ToSchema)]
pub struct TranslationJobLine {
    /// The sheet.
    pub record_id: i64,
    pub outcome: JobOutcome,
    pub title: String,
    /// The fields that were translated.
    pub fields: Vec<String>,
    /// Remarks on it.
    pub notes: Vec<ImportNote>,
}

/// Lines of a job.
#[derive(Debug, Serialize, ToSchema)]
pub struct TranslationJobLines {
    /// The items of the page: what failed first, then what was left, then what was translated.
    pub items: Vec<TranslationJobLine>,
    pub total: i64,
}

/// The outcome of each sheet of a job. Sheets with nothing to translate have no line.
#[utoipa::path(get, path = "/api/v1/translation-jobs/{id}/lines", tag = "translation",
    params(("id" = i64, Path), Paging), security(("session" = ["content.write"])),
    responses((status = 200, body = TranslationJobLines), TranslationError))]
pub async fn list_translation_job_lines(
    State(app): State<App>,
    editor: Editor,
    Path(id): Path<i64>,
    app::extract::Query(paging): app::extract::Query<Paging>,
) -> Result<Json<TranslationJobLines>, TranslationError> {
    theirs(&app, &editor, id).await?;
    let (lines, total) = rows::lines(app.store.read(), id, paging.page()).await?;
    let view = |line: rows::JobLine| TranslationJobLine {
        record_id: line.record_id,
        outcome: line.outcome,
        title: line.title,
        fields: line.fields,
        notes: line.notes,
    };
    Ok(Json(TranslationJobLines { items: lines.into_iter().map(view).collect(), total }))
}
