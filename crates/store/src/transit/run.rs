//! Runs: how far each is, and which is next.

use domain::imports::{ImportNote, ImportState};
use domain::transit::FeedCounts;
use domain::{Instant, UserId, WhiteLabelId};
use sea_orm::{QueryResult, Value};

use crate::imports::run::overdue;
use crate::parcours::sql::{all, execute, flag, get, json, one, person, text};
use crate::{Connection, Page, StoreError, Tx};

/// A run.
#[derive(Debug, Clone, PartialEq)]
pub struct TransitRun {
    /// Its number, and that of what it reads.
    pub id: i64,
    /// Its feed.
    pub feed_id: i64,
    /// Whose it is.
    pub white_label_id: WhiteLabelId,
    /// How far it is.
    pub state: ImportState,
    /// `fetch`, `read` or `follow`.
    pub phase: String,
    /// Who asked: number and name; nobody for one that was due.
    pub asked_by: Option<(UserId, String)>,
    /// Steps so far.
    pub seq: i64,
    /// Rows of the phase that are written.
    pub at: i64,
    /// Rows of the phase.
    pub total: Option<i64>,
    /// The day it began, `20261231`: what is read again after a break is read as of that day.
    pub today: i64,
    /// Checksum of the file.
    pub sha256: Option<String>,
    /// By which the file is known the next time: entity tag and date.
    pub validators: (Option<String>, Option<String>),
    /// Whether the file was the same as the last time.
    pub unchanged: bool,
    /// What it did.
    pub counts: FeedCounts,
    /// What is told of the feed.
    pub notes: Vec<ImportNote>,
    /// Why it failed.
    pub failure: Option<ImportNote>,
    /// Whether somebody asked it to stop.
    pub cancel: bool,
    /// When it began.
    pub started_at: Instant,
    /// When it ended.
    pub finished_at: Option<Instant>,
}

const COLUMNS: &str = r#"r.id, r.feed_id, r.white_label_id, r.state, r.phase, r.asked_by, u.first_name, u.last_name, r.seq, r.at,
    r.total, r.today, r.sha256, r.etag, r.last_modified, r.unchanged, r.counts, r.notes, r.failure, r.cancel, r.started_at,
    r.finished_at FROM transport_run r LEFT JOIN "user" u ON u.id = r.asked_by"#;

fn read(row: &QueryResult) -> Result<TransitRun, StoreError> {
    let id: i64 = get(row, 0)?;
    let state: String = get(row, 3)?;
    let failure: Option<String> = get(row, 18)?;
    Ok(TransitRun {
        id,
        feed_id: get(row, 1)?,
        white_label_id: WhiteLabelId(get(row, 2)?),
        state: ImportState::parse(&state).ok_or_else(|| StoreError::row("transport_run", id, "no such state"))?,
        phase: get(row, 4)?,
        asked_by: person(row, 5)?,
        seq: get(row, 8)?,
        at: get(row, 9)?,
        total: get(row, 10)?,
        today: get(row, 11)?,
        sha256: get(row, 12)?,
        validators: (get(row, 13)?, get(row, 14)?),
        unchanged: flag(row, 15)?,
        counts: json("transport_run", id, &get::<String>(row, 16)?)?,
        notes: json("transport_run", id, &get::<String>(row, 17)?)?,
        failure: failure.map(|failure| json("transport_run", id, &failure)).transpose()?,
        cancel: flag(row, 19)?,
        started_at: Instant(get(row, 20)?),
        finished_at: get::<Option<i64>>(row, 21)?.map(Instant),
    })
}

/// Begins a run of a feed. None while one of it is at work.
pub async fn start(
    tx: &Tx,
    feed: i64,
    white_label: WhiteLabelId,
    asked_by: Option<UserId>,
    now: Instant,
) -> Result<Option<i64>, StoreError> {
    if open_run(tx, feed).await?.is_some() {
        return Ok(None);
    }
    let sql = "INSERT INTO transport_run (feed_id, white_label_id, state, asked_by, today, counts, notes, started_at)
        VALUES ($1, $2, 'running', $3, $4, $5, '[]', $6) RETURNING id";
    let values: [Value; 6] = [
        feed.into(),
        white_label.0.into(),
        asked_by.map(|user| user.0).into(),
        now.day().replace('-', "").parse::<i64>().unwrap_or_default().into(),
        text(&FeedCounts::default()).into(),
        now.0.into(),
    ];
    one(tx, sql, values).await?.map(|row| get(&row, 0)).transpose()
}

/// The run of a feed that is at work.
pub async fn open_run(db: &impl Connection, feed: i64) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT id FROM transport_run WHERE feed_id = $1 AND state = 'running' ORDER BY id LIMIT 1";
    one(db, sql, [feed.into()]).await?.map(|row| get(&row, 0)).transpose()
}

/// One run.
pub async fn find_run(db: &impl Connection, id: i64) -> Result<Option<TransitRun>, StoreError> {
    let sql = format!("SELECT {COLUMNS} WHERE r.id = $1");
    one(db, &sql, [id.into()]).await?.map(|row| read(&row)).transpose()
}

/// The run that is at work, the oldest first.
pub async fn next_run(db: &impl Connection) -> Result<Option<TransitRun>, StoreError> {
    let sql = format!("SELECT {COLUMNS} WHERE r.state = 'running' ORDER BY r.id LIMIT 1");
    one(db, &sql, []).await?.map(|row| read(&row)).transpose()
}

/// The last run of a feed.
pub async fn last_run(db: &impl Connection, feed: i64) -> Result<Option<TransitRun>, StoreError> {
    let sql = format!("SELECT {COLUMNS} WHERE r.feed_id = $1 ORDER BY r.id DESC LIMIT 1");
    one(db, &sql, [feed.into()]).await?.map(|row| read(&row)).transpose()
}

/// The runs of a feed, the newest first; and how many.
pub async fn runs(db: &impl Connection, feed: i64, page: Page) -> Result<(Vec<TransitRun>, i64), StoreError> {
    let total = one(db, "SELECT COUNT(*) FROM transport_run WHERE feed_id = $1", [feed.into()]).await?;
    let sql = format!(
        "SELECT {COLUMNS} WHERE r.feed_id = $1 ORDER BY r.id DESC LIMIT {} OFFSET {}",
        page.per_page(),
        page.offset()
    );
    let found = all(db, &sql, [feed.into()]).await?.iter().map(read).collect::<Result<_, _>>()?;
    Ok((found, total.map_or(Ok(0), |row| get(&row, 0))?))
}

/// Feeds that are to be asked again by themselves: those that somebody read once.
pub async fn due(db: &impl Connection, now: Instant) -> Result<Vec<i64>, StoreError> {
    let sql =
        "SELECT f.id, f.schedule, MAX(r.started_at) FROM transport_feed f JOIN transport_run r ON r.feed_id = f.id
        WHERE f.schedule <> 'never' GROUP BY f.id, f.schedule ORDER BY f.id";
    overdue(&all(db, sql, []).await?, now)
}

/// Notes how far a run came. False when another server did the step, or somebody ended it: what was done is thrown away.
pub async fn advance(tx: &Tx, run: &TransitRun) -> Result<bool, StoreError> {
    let sql = "UPDATE transport_run SET seq = seq + 1, phase = $3, at = $4, total = $5, sha256 = $6, etag = $7,
        last_modified = $8, counts = $9, notes = $10, stored = CASE WHEN $3 = 'fetch' THEN stored ELSE 1 END
        WHERE id = $1 AND seq = $2 AND state = 'running'";
    let values: [Value; 10] = [
        run.id.into(),
        run.seq.into(),
        run.phase.clone().into(),
        run.at.into(),
        run.total.into(),
        run.sha256.clone().into(),
        run.validators.0.clone().into(),
        run.validators.1.clone().into(),
        text(&run.counts).into(),
        text(&run.notes).into(),
    ];
    Ok(execute(tx, sql, values).await? == 1)
}

/// Ends a run.
pub async fn finish(
    tx: &Tx,
    run: &TransitRun,
    state: ImportState,
    failure: Option<&ImportNote>,
    now: Instant,
) -> Result<bool, StoreError> {
    let sql =
        "UPDATE transport_run SET state = $3, failure = $4, finished_at = $5, counts = $6, notes = $7, unchanged = $8,
        seq = seq + 1 WHERE id = $1 AND seq = $2 AND state = 'running'";
    let values: [Value; 8] = [
        run.id.into(),
        run.seq.into(),
        state.as_str().into(),
        failure.map(text).into(),
        now.0.into(),
        text(&run.counts).into(),
        text(&run.notes).into(),
        i16::from(run.unchanged).into(),
    ];
    Ok(execute(tx, sql, values).await? == 1)
}

/// Asks a run to stop after its step.
pub async fn cancel(tx: &Tx, id: i64) -> Result<bool, StoreError> {
    let sql = "UPDATE transport_run SET cancel = 1 WHERE id = $1 AND state = 'running'";
    Ok(execute(tx, sql, [id.into()]).await? == 1)
}
