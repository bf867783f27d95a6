//! Jobs over many sheets, and how far each is.

use domain::imports::ImportNote;
use domain::record::Kind;
use domain::translation::{JobCounts, JobOutcome, JobState};
use domain::{Instant, UserId, WhiteLabelId};
use sea_orm::{QueryResult, Value};

use crate::record::table_of;
use crate::sql::{all, execute, flag, get, inserted, json, one, text};
use crate::{Connection, Page, StoreError, Tx};

/// A job.
#[derive(Debug, Clone, PartialEq)]
pub struct TranslationJob {
    pub id: i64,
    /// The white-label whose sheets it translates.
    pub white_label_id: WhiteLabelId,
    /// The user who asked for it.
    pub asked_by: UserId,
    /// Sheets of this kind.
    pub kind: Kind,
    /// From this language.
    pub source: String,
    /// Target language.
    pub target: String,
    pub state: JobState,
    /// These sheets; all where none are named.
    pub wanted: Option<Vec<i64>>,
    /// Whether the user may fill in the fields of an agency.
    pub agency: bool,
    /// How far it came: a place in `wanted`, or the number of the last sheet.
    pub at: i64,
    /// Sheets there are.
    pub total: i64,
    pub counts: JobCounts,
    /// Why it is paused.
    pub failure: Option<ImportNote>,
    /// Whether a user asked it to stop.
    pub cancel: bool,
    /// Until when it waits for the service.
    pub wait_until: Instant,
    /// When it began.
    pub started_at: Instant,
    /// When it ended.
    pub finished_at: Option<Instant>,
}

/// A job to begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewJob {
    /// The white-label of the sheets.
    pub white_label_id: WhiteLabelId,
    /// The user who asks for it.
    pub asked_by: UserId,
    /// Sheets of this kind.
    pub kind: Kind,
    /// From this language.
    pub source: String,
    /// Target language.
    pub target: String,
    /// These sheets; all where none are named.
    pub wanted: Option<Vec<i64>>,
    /// Whether the user may fill in the fields of an agency.
    pub agency: bool,
    /// Sheets there are.
    pub total: i64,
}

/// The outcome of a sheet. Sheets with nothing to translate have no line.
#[derive(Debug, Clone, PartialEq)]
pub struct JobLine {
    /// The sheet.
    pub record_id: i64,
    pub outcome: JobOutcome,
    pub title: String,
    /// The fields that were translated.
    pub fields: Vec<String>,
    /// The remarks about it.
    pub notes: Vec<ImportNote>,
}

const COLUMNS: &str = "id, white_label_id, asked_by, kind, source, target, state, wanted, agency, at, total, counts,
    failure, cancel, wait_until, started_at, finished_at FROM translation_job";
const TABLE: &str = "translation_job";

fn read(row: &QueryResult) -> Result<TranslationJob, StoreError> {
    let id: i64 = get(row, "id")?;
    let (kind, state): (i16, String) = (get(row, "kind")?, get(row, "state")?);
    let (wanted, failure): (Option<String>, Option<String>) = (get(row, "wanted")?, get(row, "failure")?);
    Ok(TranslationJob {
        id,
        white_label_id: WhiteLabelId(get(row, "white_label_id")?),
        asked_by: UserId(get(row, "asked_by")?),
        kind: Kind::of_code(kind).ok_or_else(|| StoreError::row(TABLE, id, "no such kind"))?,
        source: get(row, "source")?,
        target: get(row, "target")?,
        state: JobState::parse(&state).ok_or_else(|| StoreError::row(TABLE, id, "no such state"))?,
        wanted: wanted.map(|wanted| json(TABLE, id, &wanted)).transpose()?,
        agency: flag(row, "agency")?,
        at: get(row, "at")?,
        total: get(row, "total")?,
        counts: json(TABLE, id, &get::<String>(row, "counts")?)?,
        failure: failure.map(|failure| json(TABLE, id, &failure)).transpose()?,
        cancel: flag(row, "cancel")?,
        wait_until: Instant(get(row, "wait_until")?),
        started_at: Instant(get(row, "started_at")?),
        finished_at: get::<Option<i64>>(row, "finished_at")?.map(Instant),
    })
}

/// Adds a job and returns its number.
pub async fn insert(tx: &Tx, new: &NewJob, now: Instant) -> Result<i64, StoreError> {
    let sql = "INSERT INTO translation_job (white_label_id, asked_by, kind, source, target, state, wanted, agency, total, counts, started_at)
        VALUES ($1, $2, $3, $4, $5, 'running', $6, $7, $8, $9, $10) RETURNING id";
    let values: [Value; 10] = [
        new.white_label_id.0.into(),
        new.asked_by.0.into(),
        new.kind.code().into(),
        new.source.clone().into(),
        new.target.clone().into(),
        new.wanted.as_ref().map(text).into(),
        i16::from(new.agency).into(),
        new.total.into(),
        text(&JobCounts::default()).into(),
        now.0.into(),
    ];
    inserted(tx, TABLE, sql, values).await
}

/// One job.
pub async fn find(db: &impl Connection, id: i64) -> Result<Option<TranslationJob>, StoreError> {
    one(db, &format!("SELECT {COLUMNS} WHERE id = $1"), [id.into()]).await?.map(|row| read(&row)).transpose()
}

/// The jobs of a white-label, the newest first; and how many.
pub async fn jobs(
    db: &impl Connection,
    white_label: WhiteLabelId,
    page: Page,
) -> Result<(Vec<TranslationJob>, i64), StoreError> {
    let of = [Value::from(white_label.0)];
    let total = one(db, "SELECT COUNT(*) FROM translation_job WHERE white_label_id = $1", of.clone()).await?;
    let sql = format!(
        "SELECT {COLUMNS} WHERE white_label_id = $1 ORDER BY id DESC LIMIT {} OFFSET {}",
        page.per_page(),
        page.offset()
    );
    let found = all(db, &sql, of).await?.iter().map(read).collect::<Result<_, _>>()?;
    Ok((found, total.map_or(Ok(0), |row| get(&row, 0))?))
}

/// How many sheets of a kind a white-label has.
pub async fn count_of(db: &impl Connection, kind: Kind, white_label: WhiteLabelId) -> Result<i64, StoreError> {
    let sql = format!("SELECT COUNT(*) FROM {} WHERE white_label_id = $1", table_of(kind));
    one(db, &sql, [white_label.0.into()]).await?.map_or(Ok(0), |row| get(&row, 0))
}

/// The next sheets of a white-label, after a number.
pub async fn next_ids(
    db: &impl Connection,
    kind: Kind,
    white_label: WhiteLabelId,
    after: i64,
    limit: usize,
) -> Result<Vec<i64>, StoreError> {
    let sql =
        format!("SELECT id FROM {} WHERE white_label_id = $1 AND id > $2 ORDER BY id LIMIT {limit}", table_of(kind));
    all(db, &sql, [white_label.0.into(), after.into()]).await?.iter().map(|row| get(row, 0)).collect()
}

/// Notes how far a job came. False when it has ended.
pub async fn advance(tx: &Tx, job: &TranslationJob) -> Result<bool, StoreError> {
    let sql = "UPDATE translation_job SET at = $2, counts = $3, failure = NULL, wait_until = 0
        WHERE id = $1 AND state = 'running'";
    Ok(execute(tx, sql, [job.id.into(), job.at.into(), text(&job.counts).into()]).await? == 1)
}

/// Stops a job until an instant, or until a user lets it go on.
pub async fn hold(
    tx: &Tx,
    job: &TranslationJob,
    failure: &ImportNote,
    until: Option<Instant>,
) -> Result<bool, StoreError> {
    let sql = "UPDATE translation_job SET state = $2, counts = $3, failure = $4, wait_until = $5
        WHERE id = $1 AND state = 'running'";
    let state = if until.is_some() { JobState::Running } else { JobState::Paused };
    let values: [Value; 5] = [
        job.id.into(),
        state.as_str().into(),
        text(&job.counts).into(),
        text(failure).into(),
        until.unwrap_or(Instant(0)).0.into(),
    ];
    Ok(execute(tx, sql, values).await? == 1)
}

/// Pauses a job that an internal error interrupted, until a person lets it go on. A job that is already paused does not change.
pub async fn interrupt(tx: &Tx, id: i64, failure: &ImportNote) -> Result<(), StoreError> {
    let sql = "UPDATE translation_job SET state = 'paused', failure = $2 WHERE id = $1 AND state = 'running'";
    execute(tx, sql, [id.into(), text(failure).into()]).await?;
    Ok(())
}

/// Ends a job that went through all sheets.
pub async fn finish(tx: &Tx, id: i64, now: Instant) -> Result<bool, StoreError> {
    let sql = "UPDATE translation_job SET state = 'done', failure = NULL, finished_at = $2
        WHERE id = $1 AND state = 'running'";
    Ok(execute(tx, sql, [id.into(), now.0.into()]).await? == 1)
}

/// The result of [`ask_to_stop`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopping {
    /// It stops after its step.
    Asked,
    /// It was paused and has ended.
    Ended,
    /// It had ended before.
    Over,
}

/// Asks a job to stop after its step; one that is paused ends at once.
pub async fn ask_to_stop(tx: &Tx, id: i64, now: Instant) -> Result<Stopping, StoreError> {
    let held = "UPDATE translation_job SET state = 'cancelled', finished_at = $2 WHERE id = $1 AND state = 'paused'";
    if execute(tx, held, [id.into(), now.0.into()]).await? == 1 {
        return Ok(Stopping::Ended);
    }
    let sql = "UPDATE translation_job SET cancel = 1 WHERE id = $1 AND state = 'running'";
    let is_asked = execute(tx, sql, [id.into()]).await? == 1;
    Ok(if is_asked { Stopping::Asked } else { Stopping::Over })
}

/// Ends a job that a person stopped.
pub async fn cancel(tx: &Tx, id: i64, now: Instant) -> Result<(), StoreError> {
    let sql = "UPDATE translation_job SET state = 'cancelled', failure = NULL, finished_at = $2
        WHERE id = $1 AND state IN ('running', 'paused')";
    execute(tx, sql, [id.into(), now.0.into()]).await?;
    Ok(())
}

/// Lets a paused job go on. False when it is not paused.
pub async fn resume(tx: &Tx, id: i64) -> Result<bool, StoreError> {
    let sql = "UPDATE translation_job SET state = 'running', failure = NULL, wait_until = 0
        WHERE id = $1 AND state = 'paused'";
    Ok(execute(tx, sql, [id.into()]).await? == 1)
}

/// Stores the outcomes of sheets.
pub async fn add_lines(tx: &Tx, job: i64, lines: &[JobLine]) -> Result<(), StoreError> {
    for line in lines {
        let sql = "INSERT INTO translation_job_line (job_id, record_id, outcome, title, fields, notes) VALUES ($1, $2, $3, $4, $5, $6)";
        let values: [Value; 6] = [
            job.into(),
            line.record_id.into(),
            line.outcome.as_str().into(),
            line.title.clone().into(),
            text(&line.fields).into(),
            text(&line.notes).into(),
        ];
        execute(tx, sql, values).await?;
    }
    Ok(())
}

/// The outcomes of the sheets of a job, those that were not translated first; and their number.
pub async fn lines(db: &impl Connection, job: i64, page: Page) -> Result<(Vec<JobLine>, i64), StoreError> {
    let total = one(db, "SELECT COUNT(*) FROM translation_job_line WHERE job_id = $1", [job.into()]).await?;
    // `failed`, `kept`, `translated`: the alphabetical order happens to put first what a person should look at.
    let sql = format!(
        "SELECT id, record_id, outcome, title, fields, notes FROM translation_job_line WHERE job_id = $1
        ORDER BY outcome, id LIMIT {} OFFSET {}",
        page.per_page(),
        page.offset()
    );
    let table = "translation_job_line";
    let line = |row: &QueryResult| {
        let id: i64 = get(row, "id")?;
        let outcome: String = get(row, "outcome")?;
        Ok(JobLine {
            record_id: get(row, "record_id")?,
            outcome: JobOutcome::parse(&outcome).ok_or_else(|| StoreError::row(table, id, "no such outcome"))?,
            title: get(row, "title")?,
            fields: json(table, id, &get::<String>(row, "fields")?)?,
            notes: json(table, id, &get::<String>(row, "notes")?)?,
        })
    };
    let found = all(db, &sql, [job.into()]).await?.iter().map(line).collect::<Result<_, StoreError>>()?;
    Ok((found, total.map_or(Ok(0), |row| get(&row, 0))?))
}
