//! Runs: begin one, watch it, stop it, retry what it refused, undo it; and its report.

use std::collections::HashMap;

use app::extract::{Body, Importer, Paging, Path, Query};
use app::record::operations::seen;
use app::record::{At, Named};
use app::{App, Rejection, filter};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use domain::imports::{ImportCounts, ImportInventoryItem, ImportMode, ImportNote, ImportOutcome, ImportState};
use domain::record::Kind;
use domain::{DAY_S, Instant, ParcoursId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::imports::{self as rows, ImportLine, ImportRun, ImportSources, ItemState, LineFilter};
use store::sit::SitSources;
use store::{Connection, StoreError};
use utoipa::{IntoParams, ToSchema};

use super::work::{begin, enqueue};
use super::{ImportError, ImportSourceResource};

/// Days a run can be taken back.
const UNDO_DAYS: i64 = 30;

/// A run.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ImportRunView {
    pub id: i64,
    /// What its source is: `import_source` or `sit_source`.
    pub source_kind: Kind,
    pub source_id: i64,
    /// What it is for.
    pub mode: ImportMode,
    pub state: ImportState,
    /// Its present phase: `items`, `gone`, `media`, `desks`, `near`, `pois`, `links`, `left`, `undo`.
    pub phase: String,
    /// Items processed.
    pub done: i64,
    /// Number of items, where the source gives it.
    pub total: Option<i64>,
    pub counts: ImportCounts,
    /// Items it refused, and itself where it failed.
    pub error_count: i64,
    /// Why it failed.
    pub failure: Option<ImportNote>,
    /// Whether it was asked to stop.
    pub cancelling: bool,
    /// Who asked for it; absent for a scheduled run.
    pub asked_by: Option<Named>,
    /// Whether it can be taken back.
    pub undoable: bool,
    /// When it began.
    pub started_at: Instant,
    /// When it ended.
    pub finished_at: Option<Instant>,
    /// When it was taken back.
    pub undone_at: Option<Instant>,
    /// What a dry run found in a Geotrek server.
    pub inventory: Vec<ImportInventoryItem>,
}

impl ImportRunView {
    pub(crate) fn of(run: ImportRun, now: Instant) -> Self {
        let failed = i64::from(run.state == ImportState::Failed);
        Self {
            undoable: undoable(&run, now),
            done: run.counts.total(),
            error_count: run.counts.refused + failed,
            id: run.id,
            source_kind: run.kind,
            source_id: run.source_id,
            mode: run.mode,
            state: run.state,
            phase: run.phase,
            total: run.total,
            counts: run.counts,
            failure: run.failure,
            cancelling: run.cancel && run.state == ImportState::Running,
            asked_by: run.asked_by.map(|(id, name)| Named { id: id.0, name }),
            started_at: run.started_at,
            finished_at: run.finished_at,
            undone_at: run.undone_at,
            inventory: run.inventory,
        }
    }
}

pub(super) fn undoable(run: &ImportRun, now: Instant) -> bool {
    // The next run restores the source's words of a tourist record: there is nothing to undo.
    let writes = run.kind == Kind::ImportSource && matches!(run.mode, ImportMode::Real | ImportMode::Retry);
    let wrote = run.counts.created + run.counts.updated + run.counts.gone + run.counts.pois + run.counts.contacts > 0;
    let is_over = run.state != ImportState::Running && run.undone_at.is_none();
    writes && wrote && is_over && run.started_at.plus_s(UNDO_DAYS * DAY_S) > now
}

/// A run with its source's name.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListedRun {
    #[serde(flatten)]
    pub run: ImportRunView,
    /// Its source's name; empty where the source was deleted.
    pub source_name: String,
}

/// Runs.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportRunList {
    /// The items of the page, the newest first.
    pub items: Vec<ListedRun>,
    pub total: i64,
}

/// The request of a run.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewImportRun {
    /// Show what would change, and write nothing.
    #[serde(default)]
    pub dry: bool,
}

/// Ask a source for its routes, now. With `dry` nothing is written: the lines show what would change.
#[utoipa::path(post, path = "/api/v1/import-sources/{id}/runs", tag = "imports", params(("id" = i64, Path)),
    request_body(content = NewImportRun), security(("session" = ["content.import"])),
    responses((status = 202, body = ImportRunView), ImportError))]
#[tracing::instrument(name = "import.start", skip_all)]
pub async fn start_import_run(
    State(app): State<App>,
    importer: Importer,
    Path(at): Path<At>,
    Body(sent): Body<NewImportRun>,
) -> Result<(StatusCode, Json<ImportRunView>), ImportError> {
    let mode = if sent.dry { ImportMode::Dry } else { ImportMode::Real };
    started(&app, &importer, &at, mode, None).await
}

async fn started(
    app: &App,
    importer: &Importer,
    at: &At,
    mode: ImportMode,
    of_run: Option<i64>,
) -> Result<(StatusCode, Json<ImportRunView>), ImportError> {
    let source = seen::<ImportSourceResource>(app.store.read(), importer, at).await?;
    if source.sheet.url.is_none() && source.sheet.file.is_none() {
        return Err(ImportError::NothingToRead);
    }
    let id = begin(app, &source, mode, of_run, Some(importer.user_id)).await?.ok_or(ImportError::Running)?;
    let run = rows::find_run(app.store.read(), id).await?.ok_or(ImportError::RunNotFound { id })?;
    Ok((StatusCode::ACCEPTED, Json(ImportRunView::of(run, app.now()))))
}

/// A run of a white-label that the person works in.
async fn theirs(app: &App, importer: &Importer, id: i64) -> Result<ImportRun, ImportError> {
    let found = rows::find_run(app.store.read(), id).await?.filter(|run| importer.works_in(run.white_label_id));
    found.ok_or(ImportError::RunNotFound { id })
}

/// Which runs.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct RunQuery {
    /// Only runs of this source.
    source: Option<i64>,
    /// `import_source`, the default, or `sit_source`.
    of: Option<String>,
}

fn of_kind(asked: Option<&str>) -> Result<Kind, Rejection> {
    match asked.filter(|asked| !asked.is_empty()).map(Kind::parse) {
        None => Ok(Kind::ImportSource),
        Some(Some(kind @ (Kind::ImportSource | Kind::SitSource))) => Ok(kind),
        Some(_) => Err(Rejection::BadQuery { name: "of".to_owned() }),
    }
}

/// The names of sources.
async fn names_of(db: &impl Connection, kind: Kind, ids: &[i64]) -> Result<HashMap<i64, String>, StoreError> {
    if kind == Kind::SitSource {
        let sources = store::record::load_many::<SitSources>(db, ids).await?;
        return Ok(sources.into_iter().map(|source| (source.id, source.sheet.name)).collect());
    }
    let sources = store::record::load_many::<ImportSources>(db, ids).await?;
    Ok(sources.into_iter().map(|source| (source.id, source.sheet.name)).collect())
}

/// The runs of the active white-label's sources, the newest first.
#[utoipa::path(get, path = "/api/v1/import-runs", tag = "imports", params(RunQuery, Paging),
    security(("session" = ["content.import"])), responses((status = 200, body = ImportRunList), ImportError))]
pub async fn list_import_runs(
    State(app): State<App>,
    importer: Importer,
    Query(query): Query<RunQuery>,
    Query(paging): Query<Paging>,
) -> Result<Json<ImportRunList>, ImportError> {
    let db = app.store.read();
    let kind = of_kind(query.of.as_deref())?;
    let (runs, total) = rows::runs(db, importer.active_white_label_id, kind, query.source, paging.page()).await?;
    let mut ids: Vec<i64> = runs.iter().map(|run| run.source_id).collect();
    ids.sort_unstable();
    ids.dedup();
    let names = names_of(db, kind, &ids).await?;
    let listed = |run: ImportRun| ListedRun {
        source_name: names.get(&run.source_id).cloned().unwrap_or_default(),
        run: ImportRunView::of(run, app.now()),
    };
    Ok(Json(ImportRunList { items: runs.into_iter().map(listed).collect(), total }))
}

/// How far a run is.
#[utoipa::path(get, path = "/api/v1/import-runs/{id}", tag = "imports", params(("id" = i64, Path)),
    security(("session" = ["content.import"])), responses((status = 200, body = ListedRun), ImportError))]
pub async fn show_import_run(
    State(app): State<App>,
    importer: Importer,
    Path(id): Path<i64>,
) -> Result<Json<ListedRun>, ImportError> {
    let run = theirs(&app, &importer, id).await?;
    let mut names = names_of(app.store.read(), run.kind, &[run.source_id]).await?;
    let source_name = names.remove(&run.source_id).unwrap_or_default();
    Ok(Json(ListedRun { run: ImportRunView::of(run, app.now()), source_name }))
}

/// Stop a run after the items in progress. What was imported stays, and can be undone.
#[utoipa::path(post, path = "/api/v1/import-runs/{id}/cancellation", tag = "imports", params(("id" = i64, Path)),
    security(("session" = ["content.import"])), responses((status = 204, description = "It stops"), ImportError))]
#[tracing::instrument(name = "import.cancel", skip_all)]
pub async fn cancel_import_run(
    State(app): State<App>,
    importer: Importer,
    Path(id): Path<i64>,
) -> Result<StatusCode, ImportError> {
    let run = theirs(&app, &importer, id).await?;
    let tx = app.store.begin().await?;
    if !rows::cancel(&tx, id).await? {
        return Err(ImportError::Over);
    }
    enqueue(&app, &tx, id, run.white_label_id, run.asked_by.map(|(user, _)| user)).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Retry the items that a run refused.
#[utoipa::path(post, path = "/api/v1/import-runs/{id}/retry", tag = "imports", params(("id" = i64, Path)),
    security(("session" = ["content.import"])), responses((status = 202, body = ImportRunView), ImportError))]
#[tracing::instrument(name = "import.retry", skip_all)]
pub async fn retry_import_run(
    State(app): State<App>,
    importer: Importer,
    Path(id): Path<i64>,
) -> Result<(StatusCode, Json<ImportRunView>), ImportError> {
    let run = theirs(&app, &importer, id).await?;
    if run.kind != Kind::ImportSource {
        return Err(ImportError::NotRetryable);
    }
    started(&app, &importer, &At { id: run.source_id, ..At::default() }, ImportMode::Retry, Some(id)).await
}

/// Undo a run, within 30 days: what it created goes into the bin, what it changed is restored; later edits stay.
#[utoipa::path(post, path = "/api/v1/import-runs/{id}/undo", tag = "imports", params(("id" = i64, Path)),
    security(("session" = ["content.import"])), responses((status = 202, body = ImportRunView), ImportError))]
#[tracing::instrument(name = "import.undo", skip_all)]
pub async fn undo_import_run(
    State(app): State<App>,
    importer: Importer,
    Path(id): Path<i64>,
) -> Result<(StatusCode, Json<ImportRunView>), ImportError> {
    let run = theirs(&app, &importer, id).await?;
    if !undoable(&run, app.now()) {
        return Err(ImportError::NotUndoable);
    }
    started(&app, &importer, &At { id: run.source_id, ..At::default() }, ImportMode::Undo, Some(id)).await
}

/// Which lines.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct LineQuery {
    /// `created`, `updated`, `refused`, `to_merge`, `gone`, `kept`, `undone`, with commas.
    outcome: Option<String>,
    /// Only those with remarks.
    notes: Option<bool>,
    /// Only those with a remark whose code begins so.
    note: Option<String>,
    /// Only those that look the same as a parcours, while a person must still decide.
    waits: Option<bool>,
}

/// One item in the report of a run.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportLineView {
    pub id: i64,
    /// The source's identifier of the item.
    pub item: String,
    pub outcome: ImportOutcome,
    pub title: String,
    /// The parcours it is, or looks the same as.
    pub parcours_id: Option<ParcoursId>,
    /// The tourist record it is.
    pub record_id: Option<i64>,
    /// Remarks on it.
    pub notes: Vec<ImportNote>,
    /// What changed in it, or would.
    pub changes: Vec<ImportChangeView>,
    /// Whether a person must still decide if it is that parcours.
    pub waits: bool,
}

/// A field that changed, or would.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportChangeView {
    pub field: String,
    /// The value before it.
    pub before: Value,
    /// The value after it.
    pub after: Value,
}

/// Lines of a run.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportLines {
    pub items: Vec<ImportLineView>,
    pub total: i64,
}

/// The report of a run, item by item. Items that did not change have no line.
#[utoipa::path(get, path = "/api/v1/import-runs/{id}/lines", tag = "imports", params(("id" = i64, Path), LineQuery, Paging),
    security(("session" = ["content.import"])), responses((status = 200, body = ImportLines), ImportError))]
pub async fn list_import_lines(
    State(app): State<App>,
    importer: Importer,
    Path(id): Path<i64>,
    Query(query): Query<LineQuery>,
    Query(paging): Query<Paging>,
) -> Result<Json<ImportLines>, ImportError> {
    let run = theirs(&app, &importer, id).await?;
    let is_code = |code: &str| code.chars().all(|letter| letter.is_ascii_alphanumeric() || "/-".contains(letter));
    if query.note.as_deref().is_some_and(|code| !is_code(code)) {
        return Err(Rejection::BadQuery { name: "note".to_owned() }.into());
    }
    let found = LineFilter {
        outcomes: filter::words("outcome", query.outcome.as_deref(), ImportOutcome::parse)?,
        with_notes: query.notes.unwrap_or_default(),
        note: query.note.filter(|code| !code.is_empty()),
        waiting: query.waits.unwrap_or_default(),
    };
    let db = app.store.read();
    let (lines, total) = rows::lines(db, id, &found, paging.page()).await?;
    let asked = lines.iter().filter(|line| line.outcome == ImportOutcome::ToMerge);
    let names: Vec<String> = asked.map(|line| line.item.clone()).collect();
    let items = rows::items(db, run.source_id, &names).await?;
    let view = |line: ImportLine| ImportLineView {
        waits: line.outcome == ImportOutcome::ToMerge
            && items.get(&line.item).is_some_and(|item| item.state == ItemState::ToMerge),
        id: line.id,
        item: line.item,
        outcome: line.outcome,
        title: line.title,
        parcours_id: line.parcours_id,
        record_id: line.record_id,
        notes: line.notes,
        changes: line
            .changes
            .into_iter()
            .map(|change| ImportChangeView { field: change.field, before: change.before, after: change.after })
            .collect(),
    };
    Ok(Json(ImportLines { items: lines.into_iter().map(view).collect(), total }))
}
