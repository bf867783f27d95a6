//! The worker: a job advances by steps of a hundred sheets. What the service said is kept as it comes, what is written and how far
//! the job came are one transaction: a server that is killed, or a service that stops, loses nothing and asks nothing twice.

use std::collections::HashMap;
use std::time::Duration;

use domain::WhiteLabelId;
use domain::imports::ImportNote;
use domain::record::Kind;
use domain::translation::{JobOutcome, JobState, TextOrigin, TextState};
use store::StoreError;
use store::record::Change;
use store::translation::{self as rows, JobLine, Mark, TranslationJob};

use super::TranslationError;
use super::office::office_of;
use super::sentences::{Composed, Cost, Pair, Planned, ask, composed, plan};
use super::texts::{self, Found, Words, sum_of};
use crate::App;
use crate::problem::Internal;
use crate::worker::{self, Bell, Worker};

/// Sheets of a step.
pub(super) const STEP: usize = 100;
/// How long the worker waits to be asked before it looks by itself.
const UNASKED: Duration = Duration::from_secs(60);
/// How long a service is left alone that is asked too often, or is not there.
const PAUSE_S: i64 = 60;

/// What jobs keep in the application.
#[derive(Debug, Default)]
pub struct TranslationRoom {
    bell: Bell,
}

impl TranslationRoom {
    /// Tells the worker that a job waits.
    pub(super) fn wake(&self) {
        self.bell.ring();
    }
}

struct Translations;

impl Worker for Translations {
    const FAILURE: &'static str = "a translation could not go on";

    fn bell(app: &App) -> &Bell {
        &app.translation.bell
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
    worker::start::<Translations>(app);
}

/// Does everything that waits: for commands and tests, which end.
pub async fn settle(app: &App) -> Result<(), Internal> {
    worker::settle::<Translations>(app).await
}

/// One step of what waits. False when nothing does.
pub async fn step(app: &App) -> Result<bool, Internal> {
    let Some(mut job) = rows::next(app.store.read(), app.now()).await? else { return Ok(false) };
    if job.cancel {
        return ended(app, &job, JobState::Cancelled).await;
    }
    let (ids, at) = next_ids(app, &job).await?;
    if ids.is_empty() {
        return ended(app, &job, JobState::Done).await;
    }
    match turn(app, &mut job, &ids, at).await {
        Ok(()) => Ok(true),
        Err(error) => held_up(app, &job, error).await,
    }
}

async fn ended(app: &App, job: &TranslationJob, state: JobState) -> Result<bool, Internal> {
    let tx = app.store.begin().await?;
    rows::finish(&tx, job, state, app.now()).await?;
    tx.commit().await?;
    tracing::info!(job = job.id, state = state.as_str(), counts = ?job.counts, "a translation ended");
    Ok(true)
}

/// The service stopped: the job waits for it where that may help, else for somebody.
async fn held_up(app: &App, job: &TranslationJob, error: TranslationError) -> Result<bool, Internal> {
    let Some(note) = error.note() else { return Err(Internal::new(error)) };
    let may_pass =
        matches!(error, TranslationError::TooMany | TranslationError::Unreachable | TranslationError::TimedOut);
    let until = may_pass.then(|| app.now().plus_s(PAUSE_S));
    let tx = app.store.begin().await?;
    rows::hold(&tx, job, &note, until).await?;
    tx.commit().await?;
    tracing::warn!(job = job.id, code = note.code, goes_on = may_pass, "a translation is held up");
    Ok(true)
}

/// The sheets of the next step, and where the job stands after them.
async fn next_ids(app: &App, job: &TranslationJob) -> Result<(Vec<i64>, i64), Internal> {
    if let Some(wanted) = &job.wanted {
        let from = usize::try_from(job.at).unwrap_or_default().min(wanted.len());
        let ids: Vec<i64> = wanted[from..].iter().take(STEP).copied().collect();
        let at = job.at + ids.len() as i64;
        return Ok((ids, at));
    }
    let ids = rows::next_ids(app.store.read(), job.kind, job.white_label_id, job.at, STEP).await?;
    let at = ids.last().copied().unwrap_or(job.at);
    Ok((ids, at))
}

/// A text of a sheet that is to be translated.
pub(super) struct ToDo<'a> {
    pub sheet: &'a Found,
    pub field: &'a str,
    pub rich: bool,
    pub source: &'a str,
}

/// The sheets of a step with their marks.
pub(super) struct Batch {
    sheets: Vec<Found>,
    marks: HashMap<i64, Vec<Mark>>,
}

impl Batch {
    pub(super) async fn load(app: &App, kind: Kind, ids: &[i64]) -> Result<Self, StoreError> {
        let db = app.store.read();
        Ok(Self { sheets: texts::load(db, kind, ids).await?, marks: rows::marks(db, kind, ids).await? })
    }

    /// The texts that are missing in the target language, and those that were translated and changed since.
    pub(super) fn due(
        &self,
        (kind, white_label_id): (Kind, WhiteLabelId),
        (source, target): (&str, &str),
        agency: bool,
    ) -> Vec<ToDo<'_>> {
        let mut todo = Vec::new();
        for sheet in self.sheets.iter().filter(|sheet| sheet.owner == Some(white_label_id)) {
            let marks = self.marks.get(&sheet.id).map_or(&[][..], Vec::as_slice);
            for text in &sheet.texts {
                let (state, _) = texts::judged(text, target, marks);
                let due = matches!(state, TextState::Missing | TextState::Stale);
                let may = agency || !texts::is_of_agency(kind, &text.field);
                if let Some(words) = text.text.get(source).filter(|_| due && may) {
                    todo.push(ToDo { sheet, field: &text.field, rich: text.rich, source: words });
                }
            }
        }
        todo
    }
}

async fn turn(app: &App, job: &mut TranslationJob, ids: &[i64], at: i64) -> Result<(), TranslationError> {
    let office = office_of(app, job.white_label_id).await?;
    let (source, target) = (job.source.clone(), job.target.clone());
    let pair = Pair { source: &source, target: &target, said: false };
    let batch = Batch::load(app, job.kind, ids).await?;
    let sheets = &batch.sheets;
    let todo = batch.due((job.kind, job.white_label_id), (&source, &target), job.agency);
    let planned: Vec<Planned> = todo.iter().map(|todo| plan(&office, pair, todo.source, todo.rich)).collect();
    let mut cost = Cost::default();
    let said = ask(app, &office, pair, &planned, &mut cost).await;
    job.counts.sent += cost.sent;
    job.counts.characters += cost.characters;
    let said = said?;
    job.counts.known += cost.known;
    let done = composed(planned, said).await?;

    let tx = app.store.begin().await?;
    let mut lines = Vec::new();
    let met: std::collections::HashSet<i64> = sheets.iter().map(|sheet| sheet.id).collect();
    for sheet in sheets {
        if sheet.owner != Some(job.white_label_id) {
            let note = ImportNote::new("translation/sheet-not-yours");
            lines.push(line(sheet, JobOutcome::Kept, Vec::new(), vec![note]));
            continue;
        }
        let own: Vec<(&ToDo<'_>, &Composed)> =
            todo.iter().zip(&done).filter(|(todo, _)| todo.sheet.id == sheet.id).collect();
        if own.is_empty() {
            job.counts.add(None);
            continue;
        }
        let line = write(app, &tx, job, sheet, &own).await?;
        lines.push(line);
    }
    // Those that were deleted since somebody chose them.
    for _ in ids.iter().filter(|id| !met.contains(id)) {
        job.counts.add(None);
    }
    for line in &lines {
        job.counts.add(Some(line.outcome));
    }
    job.at = at;
    rows::add_lines(&tx, job.id, &lines).await?;
    if rows::advance(&tx, job).await? {
        tx.commit().await?;
    }
    Ok(())
}

fn line(sheet: &Found, outcome: JobOutcome, fields: Vec<String>, notes: Vec<ImportNote>) -> JobLine {
    JobLine { record_id: sheet.id, outcome, title: sheet.title.chars().take(200).collect(), fields, notes }
}

/// Writes what came of one sheet. What the service took for another language is left for somebody to look at.
async fn write(
    app: &App,
    tx: &store::Tx,
    job: &TranslationJob,
    sheet: &Found,
    own: &[(&ToDo<'_>, &Composed)],
) -> Result<JobLine, TranslationError> {
    let mut notes = Vec::new();
    let mut words = Vec::new();
    let mut marks = Vec::new();
    for (todo, done) in own {
        if let Some(found) = done.detected.as_deref().filter(|found| *found != job.source) {
            let note = ImportNote::new("translation/other-language").with("found", found);
            notes.push(note.with("expected", job.source.as_str()).on(todo.field));
            continue;
        }
        if done.too_large {
            notes.push(ImportNote::new("translation/sentence-too-large").on(todo.field));
            continue;
        }
        if done.lost {
            notes.push(ImportNote::new("translation/lost").on(todo.field));
        }
        let mark = Mark {
            field: todo.field.to_owned(),
            language: job.target.clone(),
            words_sum: sum_of(&done.words, todo.rich),
            origin: TextOrigin::Machine,
            source_language: job.source.clone(),
            source_sum: sum_of(todo.source, todo.rich),
        };
        let sum = mark.words_sum.clone();
        marks.push((mark, sum));
        words.push(Words { field: todo.field.to_owned(), new: done.words.clone(), source: todo.source.to_owned() });
    }
    let languages = &app.settings.content_languages;
    let change = Change { by: Some(job.asked_by), at: app.now(), reason: Some("translation"), languages };
    let written = texts::write(app, tx, job.kind, sheet.id, (&job.source, &job.target), &words, change).await?;
    marks.retain(|(mark, _)| written.fields.contains(&mark.field));
    rows::put_marks(tx, job.kind, sheet.id, &marks, app.now()).await?;
    notes.extend(written.notes);
    let outcome = match (written.fields.is_empty(), words.is_empty()) {
        (false, _) => JobOutcome::Translated,
        (true, true) => JobOutcome::Kept,
        (true, false) => JobOutcome::Failed,
    };
    Ok(line(sheet, outcome, written.fields, notes))
}
