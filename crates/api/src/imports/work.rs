//! The worker: a run advances by small steps, each one transaction that holds what was written and how far it came, so that a
//! server that is killed goes on where it was, without a gap and without a double.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::UserId;
use domain::audit::{Action, Detail, Who};
use domain::imports::{ImportKind, ImportMode, ImportNote, ImportSourceSheet, ImportState};
use domain::record::Kind;
use store::imports::{self as rows, ImportRun, ImportSources, NewRun};
use store::record::Stored;

use super::fetch::Held;
use super::prepare::sum_of;
use super::{gone, items, mail, matching, media, undo};
use crate::bench::Bench;
use crate::problem::Internal;
use crate::worker::{self, Bell, Worker};
use crate::{App, audit};

/// How long the worker waits to be asked before it looks by itself for what is due.
const UNASKED: Duration = Duration::from_secs(60);
/// Seconds of a day.
const DAY_S: i64 = 86_400;

/// Who stands behind what a run writes: who asked for it, else who changed the source last.
pub(super) fn author(run: &ImportRun, source: &Stored<ImportSourceSheet>) -> Option<UserId> {
    run.asked_by.as_ref().or(source.updated_by.as_ref()).map(|(id, _)| *id)
}

/// What imports keep in the application.
#[derive(Debug)]
pub struct ImportRoom {
    bell: Bell,
    /// The thread that lays lines on the network.
    bench: Bench,
    /// The page of the run at work, taken apart.
    held: Mutex<Option<Arc<Held>>>,
    /// The same of tourist records.
    records: Mutex<Option<Arc<crate::sit::Held>>>,
}

impl Default for ImportRoom {
    fn default() -> Self {
        Self { bell: Bell::default(), bench: Bench::new("imports"), held: Mutex::default(), records: Mutex::default() }
    }
}

impl ImportRoom {
    pub(super) fn bench(&self) -> &Bench {
        &self.bench
    }

    /// Tells the worker that a run waits.
    pub(crate) fn wake(&self) {
        self.bell.ring();
    }

    pub(super) fn held(&self) -> Option<Arc<Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn hold(&self, held: Option<Arc<Held>>) {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = held;
    }

    pub(crate) fn held_records(&self) -> Option<Arc<crate::sit::Held>> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn hold_records(&self, held: Option<Arc<crate::sit::Held>>) {
        *self.records.lock().unwrap_or_else(PoisonError::into_inner) = held;
    }
}

struct Imports;

impl Worker for Imports {
    const FAILURE: &'static str = "an import could not go on";

    fn bell(app: &App) -> &Bell {
        &app.imports.bell
    }

    fn patience(_: &App) -> Duration {
        UNASKED
    }

    async fn step(app: &App) -> Result<bool, Internal> {
        step(app).await
    }
}

/// Starts the worker; it ends with the runtime.
pub fn start(app: App) {
    worker::start::<Imports>(app);
}

/// Does everything that waits: for commands and tests, which end.
pub async fn settle(app: &App) -> Result<(), Internal> {
    worker::settle::<Imports>(app).await
}

/// One step of what waits. False when nothing does.
pub async fn step(app: &App) -> Result<bool, Internal> {
    if let Some(run) = rows::next_run(app.store.read()).await? {
        turn(app, run).await?;
        return Ok(true);
    }
    for source in rows::due(app.store.read(), Kind::ImportSource, app.now()).await? {
        if let Some(source) = store::record::load::<ImportSources>(app.store.read(), source).await? {
            begin(app, &source, ImportMode::Real, None, None).await?;
            return Ok(true);
        }
    }
    if crate::sit::work::due(app).await? {
        return Ok(true);
    }
    Ok(matching::step(app).await? || crate::sit::pictures::step(app).await?)
}

/// Begins a run. None while one of the same source is at work.
pub(super) async fn begin(
    app: &App,
    source: &Stored<ImportSourceSheet>,
    mode: ImportMode,
    of_run: Option<i64>,
    asked_by: Option<UserId>,
) -> Result<Option<i64>, Internal> {
    let Some(white_label_id) = source.white_label_id else { return Ok(None) };
    let tx = app.store.begin().await?;
    let recipe = recipe_of(&source.sheet);
    let since = match (mode, rows::last_complete(&tx, Kind::ImportSource, source.id).await?) {
        (ImportMode::Real, Some(last)) if last.recipe == recipe && !rows::has_unread(&tx, source.id).await? => {
            match source.sheet.kind {
                // The source said from which moment on to ask next time, by its own clock.
                ImportKind::Jalon => last.validators.0,
                // The day before: the source's clock is not ours, and its days are not either.
                _ => Some(last.started_at.plus_s(-DAY_S).day()),
            }
        }
        _ => None,
    };
    let kind = Kind::ImportSource;
    let new = NewRun { kind, source_id: source.id, white_label_id, mode, of_run, asked_by, recipe, since };
    let made = rows::start(&tx, &new, app.now()).await?;
    if mode == ImportMode::Undo && made.is_some() {
        let who = Who { user: asked_by, structure: None };
        audit::done(app, &tx, who, Action::ImportUndone, audit::on::<ImportSources>(source), Detail::None).await?;
    }
    tx.commit().await?;
    app.imports.wake();
    Ok(made)
}

/// Checksum of all that decides what becomes of an item: with another one, what did not change is looked at again.
fn recipe_of(sheet: &ImportSourceSheet) -> String {
    /// Grows when the same bytes are to give something else.
    const EDITION: u32 = 4;
    let file = sheet.file.as_ref().map(|file| &file.sha256);
    let parts = serde_json::json!([
        EDITION,
        sheet.kind,
        sheet.url,
        sheet.distribute_own,
        sheet.force_published,
        sheet.force_source_geometry,
        sheet.fields,
        sheet.values,
        file,
    ]);
    sum_of(parts.to_string().as_bytes())
}

async fn turn(app: &App, run: ImportRun) -> Result<(), Internal> {
    if run.cancel {
        return end(app, &run, ImportState::Cancelled, None).await;
    }
    if run.kind == Kind::SitSource {
        return crate::sit::work::turn(app, &run).await;
    }
    let source = store::record::load::<ImportSources>(app.store.read(), run.source_id).await?;
    let Some(source) = source else {
        return end(app, &run, ImportState::Failed, Some(ImportNote::new("import/source-gone"))).await;
    };
    match run.phase.as_str() {
        "undo" => undo::step(app, &run).await,
        "gone" => gone::step(app, &run, &source).await,
        "media" => media::step(app, &run, &source).await,
        _ => items::step(app, &run, &source).await,
    }
}

/// Ends a run, and tells who is to know when it failed.
pub(crate) async fn end(
    app: &App,
    run: &ImportRun,
    state: ImportState,
    failure: Option<ImportNote>,
) -> Result<(), Internal> {
    let tx = app.store.begin().await?;
    let ended = rows::finish(&tx, run, state, failure.as_ref(), app.now()).await?;
    tx.commit().await?;
    app.imports.hold(None);
    app.imports.hold_records(None);
    tracing::info!(run = run.id, state = state.as_str(), counts = ?run.counts, "an import ended");
    if ended && let Some(failure) = failure {
        mail::tell(app, run, &failure).await;
    }
    Ok(())
}
