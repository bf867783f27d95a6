//! Translates many sheets by a job, a hundred sheets a step. A sentence is claimed before the service is requested, translations
//! are stored as they come, and the texts are written in one transaction with the progress of the job: a server that continues for
//! a stopped one repeats one batch of sentences at most.

use std::collections::HashMap;

use app::App;
use app::paid_call::Payer;
use app::problem::Internal;
use app::worker::reason_of;
use content::sheet_texts::{self, Found, sum_of};
use domain::WhiteLabelId;
use domain::imports::ImportNote;
use domain::record::Kind;
use domain::translation::{JobOutcome, JobState, TextFormat, TextOrigin, TextState};
use jobs::{Enqueue, Failure, JobEvent, JobKind, Lease, Step};
use serde::{Deserialize, Serialize};
use store::record::Change;
use store::translation::{self as rows, JobLine, Mark, TranslationJob};
use store::{StoreError, Tx};

use super::TranslationError;
use super::sentences::{AskError, Composed, Cost, Pair, Planned, ask, composed, plan};
use super::service::translator_of;
use super::sheet::{self, Words};

/// Sheets of a step.
pub(super) const STEP: usize = 100;
/// How long a service that refuses further requests, or does not answer, gets none.
const PAUSE_S: i64 = 60;

/// Which translation.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Translation {
    translation: i64,
}

/// Translates many sheets.
pub(crate) struct TranslateSheets;

impl JobKind for TranslateSheets {
    type Context = App;
    type Payload = Translation;
    const NAME: &'static str = "translation";
    const LIMIT: i64 = 4;
    const LIMIT_PER_SERVER: i64 = 1;

    async fn run(app: App, lease: Lease, asked: Translation) -> Result<Step, Failure> {
        let found = rows::find(app.store.read(), asked.translation).await?;
        let Some(mut job) = found.filter(|job| job.state == JobState::Running) else { return Ok(Step::Done) };
        if job.cancel {
            return Ok(Step::Cancelled);
        }
        let (ids, at) = next_ids(&app, &job).await?;
        if ids.is_empty() {
            return finish(&app, &lease, &job).await;
        }
        match turn(&app, &lease, &mut job, &ids, at).await {
            Ok(()) => Ok(Step::Again),
            Err(AskError::Refused(error)) => held_up(&app, &lease, &job, error).await,
            Err(AskError::Failed(failure)) => Err(failure),
        }
    }

    async fn on_event(app: &App, tx: &Tx, asked: &Translation, event: JobEvent) -> Result<(), StoreError> {
        let id = asked.translation;
        match event {
            JobEvent::Dead => rows::interrupt(tx, id, &ImportNote::new("job/internal")).await,
            JobEvent::Cancelled => rows::cancel(tx, id, app.now()).await,
            JobEvent::TriedAgain => rows::resume(tx, id).await.map(|_| ()),
        }
    }
}

/// Enqueues the job of a translation that begins, goes on or is to stop.
pub(super) async fn enqueue(app: &App, tx: &Tx, job: &TranslationJob) -> Result<(), StoreError> {
    let asked = Enqueue::<TranslateSheets>::new(Translation { translation: job.id }).unique(job.id);
    let asked = asked.of_white_label(job.white_label_id).asked_by(job.asked_by).total(job.total);
    asked.put(tx, app.now()).await.map(|_| ())
}

/// Does everything that waits: for tests, which end.
pub async fn settle(app: &App) -> Result<(), Internal> {
    Ok(app::worker::settle_only(app, TranslateSheets::NAME).await?)
}

/// One step of what waits. False when nothing does.
pub async fn step(app: &App) -> Result<bool, Internal> {
    Ok(app::worker::step_only(app, TranslateSheets::NAME).await?)
}

async fn finish(app: &App, lease: &Lease, job: &TranslationJob) -> Result<Step, Failure> {
    let tx = app.store.begin().await?;
    rows::finish(&tx, job.id, app.now()).await?;
    lease.hold(&tx).await?;
    tx.commit().await?;
    tracing::info!(job = job.id, counts = ?job.counts, "a translation ended");
    Ok(Step::Done)
}

/// The service stopped: the job tries again later where that may help, else it waits for a user.
async fn held_up(app: &App, lease: &Lease, job: &TranslationJob, error: TranslationError) -> Result<Step, Failure> {
    let Some(note) = error.note() else { return Err(Failure::internal(error)) };
    let may_pass =
        matches!(error, TranslationError::TooMany | TranslationError::Unreachable | TranslationError::TimedOut);
    let until = may_pass.then(|| app.now().plus_s(PAUSE_S));
    let tx = app.store.begin().await?;
    rows::hold(&tx, job, &note, until).await?;
    lease.hold(&tx).await?;
    tx.commit().await?;
    tracing::warn!(job = job.id, code = note.code, goes_on = may_pass, "a translation is held up");
    if may_pass { Ok(Step::Later { seconds: PAUSE_S }) } else { Err(Failure::Final(reason_of(&note))) }
}

/// The sheets of the next step, and the job's position after them.
async fn next_ids(app: &App, job: &TranslationJob) -> Result<(Vec<i64>, i64), StoreError> {
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
    pub format: TextFormat,
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
        let mut sheets = sheet_texts::load(db, kind, ids).await?;
        // In one order, so that two jobs that write the same sheets never wait for each other.
        sheets.sort_unstable_by_key(|sheet| sheet.id);
        Ok(Self { sheets, marks: rows::marks(db, kind, ids).await? })
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
                let (state, _) = sheet_texts::judged(text, target, marks);
                let due = matches!(state, TextState::Missing | TextState::Stale);
                let may = agency || !sheet::is_of_agency(kind, &text.field);
                if let Some(words) = text.text.get(source).filter(|_| due && may) {
                    todo.push(ToDo { sheet, field: &text.field, format: text.format, source: words });
                }
            }
        }
        todo
    }
}

async fn turn(app: &App, lease: &Lease, job: &mut TranslationJob, ids: &[i64], at: i64) -> Result<(), AskError> {
    let translator = translator_of(app, job.white_label_id).await?;
    let (source, target) = (job.source.clone(), job.target.clone());
    let pair = Pair { source: &source, target: &target, is_source_given: false };
    let batch = Batch::load(app, job.kind, ids).await?;
    let sheets = &batch.sheets;
    let todo = batch.due((job.kind, job.white_label_id), (&source, &target), job.agency);
    let planned: Vec<Planned> = todo.iter().map(|todo| plan(&translator, pair, todo.source, todo.format)).collect();
    let mut cost = Cost::default();
    let translations = ask(app, &Payer::job(lease), &translator, pair, &planned, &mut cost).await;
    job.counts.sent += cost.sent;
    job.counts.characters += cost.characters;
    let translations = translations?;
    job.counts.known += cost.known;
    let done = composed(planned, translations).await?;

    let tx = app.store.begin().await?;
    let mut lines = Vec::new();
    let met: std::collections::HashSet<i64> = sheets.iter().map(|sheet| sheet.id).collect();
    for sheet in sheets {
        if sheet.owner != Some(job.white_label_id) {
            let note = ImportNote::new("translation/sheet-not-yours");
            // Without its title: its owner may have closed it since it was chosen.
            lines.push(JobLine { title: String::new(), ..line(sheet, JobOutcome::Kept, Vec::new(), vec![note]) });
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
    // Sheets that were deleted since they were chosen.
    for _ in ids.iter().filter(|id| !met.contains(id)) {
        job.counts.add(None);
    }
    for line in &lines {
        job.counts.add(Some(line.outcome));
    }
    job.at = at;
    rows::add_lines(&tx, job.id, &lines).await?;
    // Nothing is written where a person ended it meanwhile.
    if rows::advance(&tx, job).await? {
        // It fails where the lease is lost, as `Lease::hold` does.
        lease.progress_in(&tx, job.counts.total(), job.total).await?;
        tx.commit().await?;
    }
    Ok(())
}

fn line(sheet: &Found, outcome: JobOutcome, fields: Vec<String>, notes: Vec<ImportNote>) -> JobLine {
    JobLine { record_id: sheet.id, outcome, title: sheet.title.chars().take(200).collect(), fields, notes }
}

/// Writes the translation of one sheet. What the service took for another language, did not translate or translated with a loss is left
/// for a person to check.
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
            continue;
        }
        let mark = Mark {
            field: todo.field.to_owned(),
            language: job.target.clone(),
            words_sum: sum_of(&done.words, todo.format),
            origin: TextOrigin::Machine,
            source_language: job.source.clone(),
            source_sum: sum_of(todo.source, todo.format),
        };
        let sum = mark.words_sum.clone();
        marks.push((mark, sum));
        words.push(Words { field: todo.field.to_owned(), new: done.words.clone(), source: todo.source.to_owned() });
    }
    let languages = &app.settings.content_languages;
    let change = Change { by: Some(job.asked_by), at: app.now(), reason: Some("translation"), languages };
    let written = sheet::write(app, tx, job.kind, sheet.id, (&job.source, &job.target), &words, change).await?;
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
