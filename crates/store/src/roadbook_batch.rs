//! Roadbooks printed many at once: what was asked for, and how far it has come.

use domain::roadbook::{Batch, BatchItem, BatchState};
use domain::{Instant, ParcoursId, UserId};
use sea_orm::{QueryResult, Value};

use crate::sql::{all, execute, get, json, one, text};
use crate::{Connection, StoreError, Tx};

const COLUMNS: &str = "id, asked_by, state, wanted, items, size_bytes, created_at, finished_at, file, client_files";

/// Begins a batch of roadbooks of parcours, the first of which may be settled already, and gives its number.
pub async fn start(
    tx: &Tx,
    asked_by: UserId,
    wanted: &[ParcoursId],
    items: &[BatchItem],
    now: Instant,
) -> Result<i64, StoreError> {
    insert(tx, asked_by, (wanted, None), items, now).await
}

/// Begins a batch of roadbooks of client files of a parcours, and gives its number.
pub async fn start_of_clients(
    tx: &Tx,
    asked_by: UserId,
    parcours: ParcoursId,
    client_files: &[i64],
    now: Instant,
) -> Result<i64, StoreError> {
    let wanted = vec![parcours; client_files.len()];
    insert(tx, asked_by, (&wanted, Some(client_files)), &[], now).await
}

async fn insert(
    tx: &Tx,
    asked_by: UserId,
    (wanted, client_files): (&[ParcoursId], Option<&[i64]>),
    items: &[BatchItem],
    now: Instant,
) -> Result<i64, StoreError> {
    let sql = "INSERT INTO roadbook_batch (asked_by, state, wanted, items, done, created_at, client_files)
        VALUES ($1, 'running', $2, $3, $4, $5, $6) RETURNING id";
    let done = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let client_files = client_files.map(|files| text(&files));
    let values: [Value; 6] =
        [asked_by.0.into(), text(&wanted).into(), text(&items).into(), done.into(), now.0.into(), client_files.into()];
    let row = one(tx, sql, values).await?;
    row.map_or_else(|| Err(StoreError::row("roadbook_batch", 0, "no number")), |row| get(&row, 0))
}

/// A batch.
pub async fn find(db: &impl Connection, id: i64) -> Result<Option<Batch>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM roadbook_batch WHERE id = $1");
    one(db, &sql, [id.into()]).await?.map(|row| read(&row)).transpose()
}

/// The batches of a user, the newest first.
pub async fn list(db: &impl Connection, asked_by: UserId) -> Result<Vec<Batch>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM roadbook_batch WHERE asked_by = $1 ORDER BY id DESC LIMIT 20");
    all(db, &sql, [asked_by.0.into()]).await?.iter().map(read).collect()
}

/// Stores the outcome of the next parcours. False when the batch was stopped, or another server did it meanwhile.
pub async fn advance(tx: &Tx, batch: &Batch, item: BatchItem) -> Result<bool, StoreError> {
    let done = i64::try_from(batch.items.len()).unwrap_or(i64::MAX);
    let items: Vec<&BatchItem> = batch.items.iter().chain([&item]).collect();
    let sql = "UPDATE roadbook_batch SET items = $3, done = done + 1 WHERE id = $1 AND done = $2 AND state = 'running'";
    Ok(execute(tx, sql, [batch.id.into(), done.into(), text(&items).into()]).await? == 1)
}

/// Notes that all are in one file of this key and length. False when the batch was stopped meanwhile.
pub async fn finish(tx: &Tx, batch: &Batch, file: &str, size_bytes: i64, now: Instant) -> Result<bool, StoreError> {
    let sql = "UPDATE roadbook_batch SET state = 'done', file = $4, size_bytes = $2, finished_at = $3
        WHERE id = $1 AND state = 'running'";
    Ok(execute(tx, sql, [batch.id.into(), size_bytes.into(), now.0.into(), file.into()]).await? == 1)
}

/// Stops a batch that is being printed. False when none is.
pub async fn cancel(tx: &Tx, id: i64, now: Instant) -> Result<bool, StoreError> {
    let sql = "UPDATE roadbook_batch SET state = 'cancelled', finished_at = $2 WHERE id = $1 AND state = 'running'";
    Ok(execute(tx, sql, [id.into(), now.0.into()]).await? == 1)
}

/// Prints a batch on that was stopped.
pub async fn resume(tx: &Tx, id: i64) -> Result<(), StoreError> {
    let sql = "UPDATE roadbook_batch SET state = 'running', finished_at = NULL WHERE id = $1 AND state = 'cancelled'";
    execute(tx, sql, [id.into()]).await?;
    Ok(())
}

/// Withdraws the batches that hold the roadbook of a client file that is being erased: they are stopped, their files are answered
/// no longer, and the next hourly deletion erases them.
pub async fn withdraw(tx: &Tx, parcours: ParcoursId, client_file: i64) -> Result<(), StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM roadbook_batch WHERE client_files IS NOT NULL ORDER BY id");
    for row in all(tx, &sql, []).await? {
        let batch = read(&row)?;
        if batch.of_clients() == Some(parcours) && batch.client_files.contains(&client_file) {
            let sql = "UPDATE roadbook_batch SET state = 'cancelled', finished_at = 0 WHERE id = $1";
            execute(tx, sql, [batch.id.into()]).await?;
        }
    }
    Ok(())
}

/// Forgets a batch.
pub async fn delete(tx: &Tx, id: i64) -> Result<(), StoreError> {
    execute(tx, "DELETE FROM roadbook_batch WHERE id = $1", [id.into()]).await?;
    Ok(())
}

/// The batches that were made or stopped before an instant: before another one where they are of client files.
pub async fn finished_before(
    db: &impl Connection,
    instant: Instant,
    of_clients: Instant,
) -> Result<Vec<Batch>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM roadbook_batch
        WHERE finished_at < $1 OR (finished_at < $2 AND client_files IS NOT NULL) ORDER BY id LIMIT 200"
    );
    all(db, &sql, [instant.0.into(), of_clients.0.into()]).await?.iter().map(read).collect()
}

fn read(row: &QueryResult) -> Result<Batch, StoreError> {
    let id: i64 = get(row, "id")?;
    let state: String = get(row, "state")?;
    Ok(Batch {
        id,
        asked_by: UserId(get(row, "asked_by")?),
        state: BatchState::parse(&state)
            .ok_or_else(|| StoreError::row("roadbook_batch", id, format!("state {state}")))?,
        wanted: json("roadbook_batch", id, &get::<String>(row, "wanted")?)?,
        items: json("roadbook_batch", id, &get::<String>(row, "items")?)?,
        size_bytes: get(row, "size_bytes")?,
        created_at: Instant(get(row, "created_at")?),
        finished_at: get::<Option<i64>>(row, "finished_at")?.map(Instant),
        file: get(row, "file")?,
        client_files: match get::<Option<String>>(row, "client_files")? {
            Some(files) => json("roadbook_batch", id, &files)?,
            None => Vec::new(),
        },
    })
}
