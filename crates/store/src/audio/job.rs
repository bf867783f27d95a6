//! Jobs that make voices, and how far each is.

use domain::audio::AudioJobState;
use domain::imports::ImportNote;
use domain::{Instant, ParcoursId, UserId};
use sea_orm::{QueryResult, Value};

use crate::sql::{all, execute, flag, get, json, one, text};
use crate::{Connection, StoreError, Tx};

const TABLE: &str = "audio_job";

/// A job.
#[derive(Debug, Clone, PartialEq)]
pub struct AudioJob {
    pub id: i64,
    /// The parcours whose walk is spoken.
    pub parcours_id: ParcoursId,
    pub language: String,
    /// The user who asked for it.
    pub asked_by: UserId,
    pub state: AudioJobState,
    /// Texts spoken.
    pub done: i64,
    /// Texts to speak.
    pub total: i64,
    /// Why it stopped.
    pub failure: Option<ImportNote>,
    /// Whether a user asked it to stop.
    pub cancel: bool,
    /// When it began.
    pub started_at: Instant,
    /// When it ended.
    pub finished_at: Option<Instant>,
}

const COLUMNS: &str =
    "id, parcours_id, language, asked_by, state, done, total, failure, cancel, started_at, finished_at FROM audio_job";

fn read(row: &QueryResult) -> Result<AudioJob, StoreError> {
    let id: i64 = get(row, "id")?;
    let (state, failure): (String, Option<String>) = (get(row, "state")?, get(row, "failure")?);
    Ok(AudioJob {
        id,
        parcours_id: ParcoursId(get(row, "parcours_id")?),
        language: get(row, "language")?,
        asked_by: UserId(get(row, "asked_by")?),
        state: AudioJobState::parse(&state).ok_or_else(|| StoreError::row(TABLE, id, "no such state"))?,
        done: get(row, "done")?,
        total: get(row, "total")?,
        failure: failure.map(|failure| json(TABLE, id, &failure)).transpose()?,
        cancel: flag(row, "cancel")?,
        started_at: Instant(get(row, "started_at")?),
        finished_at: get::<Option<i64>>(row, "finished_at")?.map(Instant),
    })
}

/// Begins a job, and gives its number.
pub async fn begin(
    tx: &Tx,
    parcours: ParcoursId,
    language: &str,
    total: i64,
    by: UserId,
    now: Instant,
) -> Result<i64, StoreError> {
    let sql = "INSERT INTO audio_job (parcours_id, language, asked_by, state, total, started_at)
        VALUES ($1, $2, $3, 'running', $4, $5) RETURNING id";
    let values: [Value; 5] = [parcours.0.into(), language.into(), by.0.into(), total.into(), now.0.into()];
    one(tx, sql, values).await?.map_or_else(|| Err(StoreError::row(TABLE, 0, "no number")), |row| get(&row, 0))
}

/// One job.
pub async fn job(db: &impl Connection, id: i64) -> Result<Option<AudioJob>, StoreError> {
    one(db, &format!("SELECT {COLUMNS} WHERE id = $1"), [id.into()]).await?.map(|row| read(&row)).transpose()
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

/// Notes that one more text is spoken. False when a user ended the job.
pub async fn advance(tx: &Tx, id: i64) -> Result<bool, StoreError> {
    let sql = "UPDATE audio_job SET done = done + 1 WHERE id = $1 AND state = 'running'";
    Ok(execute(tx, sql, [id.into()]).await? == 1)
}

/// Ends a job. A job that has ended is not changed.
pub async fn finish(
    tx: &Tx,
    id: i64,
    state: AudioJobState,
    failure: Option<&ImportNote>,
    now: Instant,
) -> Result<(), StoreError> {
    let sql = "UPDATE audio_job SET state = $2, failure = $3, finished_at = $4 WHERE id = $1 AND state = 'running'";
    let values: [Value; 4] = [id.into(), state.as_str().into(), failure.map(text).into(), now.0.into()];
    execute(tx, sql, values).await?;
    Ok(())
}

/// Lets a job go on that failed.
pub async fn resume(tx: &Tx, id: i64) -> Result<(), StoreError> {
    let sql = "UPDATE audio_job SET state = 'running', failure = NULL, finished_at = NULL
        WHERE id = $1 AND state = 'failed'";
    execute(tx, sql, [id.into()]).await?;
    Ok(())
}

/// Asks the jobs of a walk to stop after the text they are at, and returns them.
pub async fn ask_to_stop(tx: &Tx, parcours: ParcoursId, language: &str) -> Result<Vec<AudioJob>, StoreError> {
    let sql = "UPDATE audio_job SET cancel = 1 WHERE parcours_id = $1 AND language = $2 AND state = 'running'";
    execute(tx, sql, [parcours.0.into(), language.into()]).await?;
    let sql = format!("SELECT {COLUMNS} WHERE parcours_id = $1 AND language = $2 AND state = 'running' ORDER BY id");
    all(tx, &sql, [parcours.0.into(), language.into()]).await?.iter().map(read).collect()
}
