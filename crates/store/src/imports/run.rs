//! Runs, and how far each is.

use domain::imports::{ImportCounts, ImportInventoryItem, ImportMode, ImportNote, ImportState};
use domain::record::Kind;
use domain::{Instant, UserId, WhiteLabelId};
use sea_orm::{QueryResult, Value};

use crate::sql::{all, execute, get, json, one, person, text};
use crate::{Connection, Page, StoreError, Tx};

/// A run.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportRun {
    pub id: i64,
    /// The kind of its source: of routes, or of tourist records.
    pub kind: Kind,
    pub source_id: i64,
    /// The white-label that owns it.
    pub white_label_id: WhiteLabelId,
    /// Real import, dry run, retry or undo.
    pub mode: ImportMode,
    pub state: ImportState,
    /// `items`, `gone`, `media`, `desks`, `near`, `pois`, `links`, `left` or `undo`.
    pub phase: String,
    /// The run whose refused items it takes again, or that it takes back.
    pub of_run: Option<i64>,
    /// The user who asked for it: id and name; absent for a scheduled run.
    pub asked_by: Option<(UserId, String)>,
    /// Checksum of the mapping and the options it works with.
    pub recipe: String,
    /// The day after which the source is asked for changes.
    pub since: Option<String>,
    /// Its present page.
    pub page: String,
    /// Checksum of that page: a page that changed is processed from its start.
    pub page_sum: String,
    /// Items of it that were processed.
    pub at: i64,
    /// Number of items, where the source gives it.
    pub total: Option<i64>,
    pub counts: ImportCounts,
    /// Why it failed.
    pub failure: Option<ImportNote>,
    /// The validators of the source's file for the next request: entity tag and date.
    pub validators: (Option<String>, Option<String>),
    /// Whether a user asked it to stop.
    pub cancel: bool,
    /// When it began.
    pub started_at: Instant,
    /// When it ended.
    pub finished_at: Option<Instant>,
    /// When it was taken back.
    pub undone_at: Option<Instant>,
    /// What a dry run found in its server, list by list; empty where nothing was counted.
    pub inventory: Vec<ImportInventoryItem>,
}

/// A run to begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRun {
    /// What its source is.
    pub kind: Kind,
    pub source_id: i64,
    /// The white-label that owns it.
    pub white_label_id: WhiteLabelId,
    /// Real import, dry run, retry or undo.
    pub mode: ImportMode,
    /// The run to retry or to undo.
    pub of_run: Option<i64>,
    /// The user who asked for it.
    pub asked_by: Option<UserId>,
    /// Checksum of the mapping and the options.
    pub recipe: String,
    /// The day after which the source is asked for changes.
    pub since: Option<String>,
}

const COLUMNS: &str = r#"r.id, r.source_id, r.white_label_id, r.mode, r.state, r.phase, r.of_run, r.asked_by,
    u.first_name, u.last_name, r.recipe, r.since, r.page, r.page_sum, r.at, r.total, r.counts, r.failure, r.etag,
    r.last_modified, r.cancel, r.started_at, r.finished_at, r.undone_at, r.source_kind, r.inventory
    FROM import_run r LEFT JOIN "user" u ON u.id = r.asked_by"#;

fn read(row: &QueryResult) -> Result<ImportRun, StoreError> {
    let id: i64 = get(row, "id")?;
    let wrong = |word: String| StoreError::row("import_run", id, format!("no such word: {word}"));
    let (mode, state): (String, String) = (get(row, "mode")?, get(row, "state")?);
    let failure: Option<String> = get(row, "failure")?;
    let inventory: Option<String> = get(row, "inventory")?;
    let kind: i16 = get(row, "source_kind")?;
    Ok(ImportRun {
        id,
        kind: Kind::of_code(kind).ok_or_else(|| wrong(kind.to_string()))?,
        source_id: get(row, "source_id")?,
        white_label_id: WhiteLabelId(get(row, "white_label_id")?),
        mode: ImportMode::parse(&mode).ok_or_else(|| wrong(mode))?,
        state: ImportState::parse(&state).ok_or_else(|| wrong(state))?,
        phase: get(row, "phase")?,
        of_run: get(row, "of_run")?,
        asked_by: person(row, ["asked_by", "first_name", "last_name"])?,
        recipe: get(row, "recipe")?,
        since: get(row, "since")?,
        page: get(row, "page")?,
        page_sum: get(row, "page_sum")?,
        at: get(row, "at")?,
        total: get(row, "total")?,
        counts: json("import_run", id, &get::<String>(row, "counts")?)?,
        failure: failure.map(|failure| json("import_run", id, &failure)).transpose()?,
        validators: (get(row, "etag")?, get(row, "last_modified")?),
        cancel: get::<i16>(row, "cancel")? != 0,
        started_at: Instant(get(row, "started_at")?),
        finished_at: get::<Option<i64>>(row, "finished_at")?.map(Instant),
        undone_at: get::<Option<i64>>(row, "undone_at")?.map(Instant),
        inventory: inventory.map(|found| json("import_run", id, &found)).transpose()?.unwrap_or_default(),
    })
}

/// Begins a run. None while one of the same source is at work.
pub async fn start(tx: &Tx, new: &NewRun, now: Instant) -> Result<Option<i64>, StoreError> {
    if open_run(tx, new.kind, new.source_id).await?.is_some() {
        return Ok(None);
    }
    let phase = if new.mode == ImportMode::Undo { "undo" } else { "items" };
    let sql = "INSERT INTO import_run (source_id, white_label_id, mode, state, phase, of_run, asked_by, recipe, since, counts, started_at, source_kind)
        VALUES ($1, $2, $3, 'running', $4, $5, $6, $7, $8, $9, $10, $11) RETURNING id";
    let values: [Value; 11] = [
        new.source_id.into(),
        new.white_label_id.0.into(),
        new.mode.as_str().into(),
        phase.into(),
        new.of_run.into(),
        new.asked_by.map(|user| user.0).into(),
        new.recipe.clone().into(),
        new.since.clone().into(),
        text(&ImportCounts::default()).into(),
        now.0.into(),
        new.kind.code().into(),
    ];
    one(tx, sql, values).await?.map(|row| get(&row, 0)).transpose()
}

/// The run of a source that is at work.
pub async fn open_run(db: &impl Connection, kind: Kind, source: i64) -> Result<Option<i64>, StoreError> {
    let sql =
        "SELECT id FROM import_run WHERE source_id = $1 AND source_kind = $2 AND state = 'running' ORDER BY id LIMIT 1";
    one(db, sql, [source.into(), kind.code().into()]).await?.map(|row| get(&row, 0)).transpose()
}

/// One run.
pub async fn find_run(db: &impl Connection, id: i64) -> Result<Option<ImportRun>, StoreError> {
    let sql = format!("SELECT {COLUMNS} WHERE r.id = $1");
    one(db, &sql, [id.into()]).await?.map(|row| read(&row)).transpose()
}

/// The runs of a white-label's sources of a kind, of one source where it is named, the newest first; and how many.
pub async fn runs(
    db: &impl Connection,
    white_label: WhiteLabelId,
    kind: Kind,
    source: Option<i64>,
    page: Page,
) -> Result<(Vec<ImportRun>, i64), StoreError> {
    // Always with `$2`: PostgreSQL refuses a value that no statement names.
    let of = "r.white_label_id = $1 AND ($2 = 0 OR r.source_id = $2) AND r.source_kind = $3";
    let values: [Value; 3] = [white_label.0.into(), source.unwrap_or(0).into(), kind.code().into()];
    let total = one(db, &format!("SELECT COUNT(*) FROM import_run r WHERE {of}"), values.clone()).await?;
    let sql =
        format!("SELECT {COLUMNS} WHERE {of} ORDER BY r.id DESC LIMIT {} OFFSET {}", page.per_page(), page.offset());
    let found = all(db, &sql, values).await?.iter().map(read).collect::<Result<_, _>>()?;
    Ok((found, total.map_or(Ok(0), |row| get(&row, 0))?))
}

/// The last run of a source that imported everything, and was not undone.
pub async fn last_complete(db: &impl Connection, kind: Kind, source: i64) -> Result<Option<ImportRun>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} WHERE r.source_id = $1 AND r.source_kind = $2 AND r.mode IN ('real', 'undo') AND r.state = 'done' ORDER BY r.id DESC LIMIT 1"
    );
    let found = one(db, &sql, [source.into(), kind.code().into()]).await?.map(|row| read(&row)).transpose()?;
    // After one that was taken back everything is asked for again.
    Ok(found.filter(|run| run.mode == ImportMode::Real))
}

/// When the last run of a source started, previews left out. None for a source that was never run.
pub async fn last_started(db: &impl Connection, kind: Kind, source: i64) -> Result<Option<Instant>, StoreError> {
    let sql = "SELECT MAX(started_at) FROM import_run WHERE source_id = $1 AND source_kind = $2 AND mode = 'real'";
    let row = one(db, sql, [source.into(), kind.code().into()]).await?;
    Ok(row.map_or(Ok(None), |row| get::<Option<i64>>(&row, 0))?.map(Instant))
}

/// Notes how far a run came. False when it has ended: nothing of the step is to be kept.
pub async fn advance(tx: &Tx, run: &ImportRun) -> Result<bool, StoreError> {
    let sql = "UPDATE import_run SET phase = $2, page = $3, page_sum = $4, at = $5, total = $6, counts = $7, etag = $8,
        last_modified = $9, since = $10 WHERE id = $1 AND state = 'running'";
    let values: [Value; 10] = [
        run.id.into(),
        run.phase.clone().into(),
        run.page.clone().into(),
        run.page_sum.clone().into(),
        run.at.into(),
        run.total.into(),
        text(&run.counts).into(),
        run.validators.0.clone().into(),
        run.validators.1.clone().into(),
        run.since.clone().into(),
    ];
    Ok(execute(tx, sql, values).await? == 1)
}

/// Keeps what a dry run found in its server.
pub async fn put_inventory(tx: &Tx, run: i64, found: &[ImportInventoryItem]) -> Result<(), StoreError> {
    execute(tx, "UPDATE import_run SET inventory = $2 WHERE id = $1", [run.into(), text(&found).into()]).await?;
    Ok(())
}

/// Ends a run. False when it had ended before.
pub async fn finish(
    tx: &Tx,
    run: &ImportRun,
    state: ImportState,
    failure: Option<&ImportNote>,
    now: Instant,
) -> Result<bool, StoreError> {
    let sql = "UPDATE import_run SET state = $2, failure = $3, finished_at = $4, counts = $5
        WHERE id = $1 AND state = 'running'";
    let values: [Value; 5] =
        [run.id.into(), state.as_str().into(), failure.map(text).into(), now.0.into(), text(&run.counts).into()];
    Ok(execute(tx, sql, values).await? == 1)
}

/// Lets a run that failed go on after its last step, unless a later run of its source began or it was taken back.
pub async fn resume(tx: &Tx, id: i64) -> Result<(), StoreError> {
    let sql = "UPDATE import_run SET state = 'running', failure = NULL, finished_at = NULL
        WHERE id = $1 AND state = 'failed' AND undone_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM import_run o WHERE o.source_id = import_run.source_id
          AND o.source_kind = import_run.source_kind AND o.id > import_run.id)";
    execute(tx, sql, [id.into()]).await?;
    Ok(())
}

/// Asks a run to stop after its step.
pub async fn cancel(tx: &Tx, id: i64) -> Result<bool, StoreError> {
    let sql = "UPDATE import_run SET cancel = 1 WHERE id = $1 AND state = 'running'";
    Ok(execute(tx, sql, [id.into()]).await? == 1)
}

/// Notes that a run was taken back.
pub async fn mark_undone(tx: &Tx, id: i64, now: Instant) -> Result<(), StoreError> {
    execute(tx, "UPDATE import_run SET undone_at = $2 WHERE id = $1", [id.into(), now.0.into()]).await?;
    Ok(())
}

/// Deletes a dry run that has ended, with its lines. One that a user asked for stays: it is their report. False for any other run.
pub async fn delete_dry(tx: &Tx, id: i64) -> Result<bool, StoreError> {
    let sql = "DELETE FROM import_run WHERE id = $1 AND mode = 'dry' AND state <> 'running' AND asked_by IS NULL";
    Ok(execute(tx, sql, [id.into()]).await? == 1)
}
