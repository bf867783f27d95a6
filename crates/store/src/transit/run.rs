//! Runs, and how far each is.

use domain::imports::{ImportNote, ImportState};
use domain::transit::FeedCounts;
use domain::{Instant, UserId, WhiteLabelId};
use sea_orm::{QueryResult, Value};

use crate::sql::{all, execute, flag, get, json, one, person, text};
use crate::{Connection, Page, StoreError, Tx};

/// A run.
#[derive(Debug, Clone, PartialEq)]
pub struct TransitRun {
    /// Its number, and that of what it reads.
    pub id: i64,
    pub feed_id: i64,
    /// The white-label that owns it.
    pub white_label_id: WhiteLabelId,
    pub state: ImportState,
    /// `fetch`, `read` or `follow`.
    pub phase: String,
    /// The user who asked for it: id and name; absent for a scheduled run.
    pub asked_by: Option<(UserId, String)>,
    /// Rows of the phase that are written.
    pub at: i64,
    /// Rows of the phase.
    pub total: Option<i64>,
    /// The day it began, `20261231`: what is read again after a break is read as of that day.
    pub today: i64,
    /// Checksum of the file.
    pub sha256: Option<String>,
    /// The validators of the file for the next request: entity tag and date.
    pub validators: (Option<String>, Option<String>),
    /// Whether the file was the same as the last time.
    pub unchanged: bool,
    pub counts: FeedCounts,
    /// The remarks about the feed.
    pub notes: Vec<ImportNote>,
    /// Why it failed.
    pub failure: Option<ImportNote>,
    /// Whether a user asked it to stop.
    pub cancel: bool,
    /// When it began.
    pub started_at: Instant,
    /// When it ended.
    pub finished_at: Option<Instant>,
}

const COLUMNS: &str = r#"r.id, r.feed_id, r.white_label_id, r.state, r.phase, r.asked_by, u.first_name, u.last_name, r.at,
    r.total, r.today, r.sha256, r.etag, r.last_modified, r.unchanged, r.counts, r.notes, r.failure, r.cancel, r.started_at,
    r.finished_at FROM transport_run r LEFT JOIN "user" u ON u.id = r.asked_by"#;

fn read(row: &QueryResult) -> Result<TransitRun, StoreError> {
    let id: i64 = get(row, "id")?;
    let state: String = get(row, "state")?;
    let failure: Option<String> = get(row, "failure")?;
    Ok(TransitRun {
        id,
        feed_id: get(row, "feed_id")?,
        white_label_id: WhiteLabelId(get(row, "white_label_id")?),
        state: ImportState::parse(&state).ok_or_else(|| StoreError::row("transport_run", id, "no such state"))?,
        phase: get(row, "phase")?,
        asked_by: person(row, ["asked_by", "first_name", "last_name"])?,
        at: get(row, "at")?,
        total: get(row, "total")?,
        today: get(row, "today")?,
        sha256: get(row, "sha256")?,
        validators: (get(row, "etag")?, get(row, "last_modified")?),
        unchanged: flag(row, "unchanged")?,
        counts: json("transport_run", id, &get::<String>(row, "counts")?)?,
        notes: json("transport_run", id, &get::<String>(row, "notes")?)?,
        failure: failure.map(|failure| json("transport_run", id, &failure)).transpose()?,
        cancel: flag(row, "cancel")?,
        started_at: Instant(get(row, "started_at")?),
        finished_at: get::<Option<i64>>(row, "finished_at")?.map(Instant),
    })
}

/// Begins a run of a feed. None while one of it is at work.
pub async fn start(
    tx: &Tx,
    feed: i64,
    white_label: WhiteLabelId,
    asked_by: Option<UserId>,
    (now, today): (Instant, &str),
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
        today.replace('-', "").parse::<i64>().unwrap_or_default().into(),
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

/// Stores the progress of a run. False when it has ended: the caller then rolls back.
pub async fn advance(tx: &Tx, run: &TransitRun) -> Result<bool, StoreError> {
    let sql = "UPDATE transport_run SET phase = $2, at = $3, total = $4, sha256 = $5, etag = $6,
        last_modified = $7, counts = $8, notes = $9, stored = CASE WHEN $2 = 'fetch' THEN stored ELSE 1 END
        WHERE id = $1 AND state = 'running'";
    let values: [Value; 9] = [
        run.id.into(),
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

/// Ends a run. False when it had ended before.
pub async fn finish(
    tx: &Tx,
    run: &TransitRun,
    state: ImportState,
    failure: Option<&ImportNote>,
    now: Instant,
) -> Result<bool, StoreError> {
    let sql =
        "UPDATE transport_run SET state = $2, failure = $3, finished_at = $4, counts = $5, notes = $6, unchanged = $7
        WHERE id = $1 AND state = 'running'";
    let values: [Value; 7] = [
        run.id.into(),
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

/// Starts the last run of a feed again if it failed before it wrote anything, or if everything it wrote was deleted.
pub async fn begin_anew(tx: &Tx, id: i64) -> Result<(), StoreError> {
    let sql = "UPDATE transport_run SET state = 'running', phase = 'fetch', at = 0, failure = NULL, finished_at = NULL
        WHERE id = $1 AND state = 'failed' AND stored = 0
        AND NOT EXISTS (SELECT 1 FROM transport_run o WHERE o.feed_id = transport_run.feed_id AND o.id > transport_run.id)";
    execute(tx, sql, [id.into()]).await?;
    Ok(())
}
