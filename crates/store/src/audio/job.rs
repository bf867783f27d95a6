//! Jobs that make voices: how far each is, and which is next.

use domain::audio::AudioJobState;
use domain::imports::ImportNote;
use domain::{Instant, ParcoursId, UserId};
use sea_orm::{QueryResult, Value};

use crate::parcours::sql::{execute, flag, get, json, one, text};
use crate::{Connection, StoreError, Tx};

const TABLE: &str = "audio_job";

/// A job.
#[derive(Debug, Clone, PartialEq)]
pub struct AudioJob {
    /// Its number.
    pub id: i64,
    /// The parcours whose walk is spoken.
    pub parcours_id: ParcoursId,
    /// In this language.
    pub language: String,
    /// Who asked.
    pub asked_by: UserId,
    /// How far it is.
    pub state: AudioJobState,
    /// Texts spoken.
    pub done: i64,
    /// Texts to speak.
    pub total: i64,
    /// Why it stopped.
    pub failure: Option<ImportNote>,
    /// Whether somebody asked it to stop.
    pub cancel: bool,
    /// Steps so far.
    pub seq: i64,
    /// When it began.
    pub started_at: Instant,
    /// When it ended.
    pub finished_at: Option<Instant>,
}

const COLUMNS: &str = "id, parcours_id, language, asked_by, state, done, total, failure, cancel, seq, started_at, finished_at FROM audio_job";

fn read(row: &QueryResult) -> Result<AudioJob, StoreError> {
    let id: i64 = get(row, 0)?;
    let (state, failure): (String, Option<String>) = (get(row, 4)?, get(row, 7)?);
    Ok(AudioJob {
        id,
        parcours_id: ParcoursId(get(row, 1)?),
        language: get(row, 2)?,
        asked_by: UserId(get(row, 3)?),
        state: AudioJobState::parse(&state).ok_or_else(|| StoreError::row(TABLE, id, "no such state"))?,
        done: get(row, 5)?,
        total: get(row, 6)?,
        failure: failure.map(|failure| json(TABLE, id, &failure)).transpose()?,
        cancel: flag(row, 8)?,
        seq: get(row, 9)?,
        started_at: Instant(get(row, 10)?),
        finished_at: get::<Option<i64>>(row, 11)?.map(Instant),
    })
}

/// Begins a job.
pub async fn begin(
    tx: &Tx,
    parcours: ParcoursId,
    language: &str,
    total: i64,
    by: UserId,
    now: Instant,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO audio_job (parcours_id, language, asked_by, state, total, started_at)
        VALUES ($1, $2, $3, 'running', $4, $5)";
    let values: [Value; 5] = [parcours.0.into(), language.into(), by.0.into(), total.into(), now.0.into()];
    execute(tx, sql, values).await?;
    Ok(())
}

/// The last job of a walk.
pub async fn latest(
    db: &impl Connection,
    parcours: ParcoursId,
    language: &str,
) -> Result<Option<AudioJob>, StoreError> {
    let sql = format!("SELECT {COLUMNS} WHERE parcours_id = $1 AND language = $2 ORDER BY id DESC LIMIT 1");
    one(db, &sql, [parcours.0.into(), language.into()]).await?.map(|row| read(&row)).transpose()
}

/// The job that is to go on, the oldest first.
pub async fn next(db: &impl Connection) -> Result<Option<AudioJob>, StoreError> {
    let sql = format!("SELECT {COLUMNS} WHERE state = 'running' ORDER BY id LIMIT 1");
    one(db, &sql, []).await?.map(|row| read(&row)).transpose()
}

/// Notes that one more text is spoken. False when another server did the step, or somebody ended the job.
pub async fn advance(tx: &Tx, job: &AudioJob) -> Result<bool, StoreError> {
    let sql = "UPDATE audio_job SET seq = seq + 1, done = done + 1 WHERE id = $1 AND seq = $2 AND state = 'running'";
    Ok(execute(tx, sql, [job.id.into(), job.seq.into()]).await? == 1)
}

/// Ends a job.
pub async fn finish(
    tx: &Tx,
    job: &AudioJob,
    state: AudioJobState,
    failure: Option<&ImportNote>,
    now: Instant,
) -> Result<bool, StoreError> {
    let sql = "UPDATE audio_job SET seq = seq + 1, state = $3, failure = $4, finished_at = $5
        WHERE id = $1 AND seq = $2 AND state = 'running'";
    let values: [Value; 5] =
        [job.id.into(), job.seq.into(), state.as_str().into(), failure.map(text).into(), now.0.into()];
    Ok(execute(tx, sql, values).await? == 1)
}

/// Asks a job to stop after the text it is at. False when it is over.
pub async fn cancel(tx: &Tx, parcours: ParcoursId, language: &str) -> Result<bool, StoreError> {
    let sql = "UPDATE audio_job SET cancel = 1 WHERE parcours_id = $1 AND language = $2 AND state = 'running'";
    Ok(execute(tx, sql, [parcours.0.into(), language.into()]).await? > 0)
}
