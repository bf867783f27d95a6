//! The data read from a feed. A run writes a new edition; readers change to it at once, and the old one is erased afterwards.

use domain::Instant;
use domain::fold;
use domain::transit::{Departures, FeedCounts, TransitLine};
use sea_orm::{QueryResult, Value};

use super::TransitRun;
use crate::sql::{all, execute, get, json, numbers, one, text};
use crate::{Connection, StoreError, Tx};

/// Rows of one statement, which takes some thousands of values.
const ROWS: usize = 200;
/// Stops whose calls go at once.
const SWEPT: i64 = 2_000;

/// The shown edition of a feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edition {
    pub feed_id: i64,
    /// The run that read it, whose number its rows have.
    pub run_id: i64,
    /// Checksum of the file.
    pub sha256: String,
    /// The validators of the file for the next request.
    pub validators: (Option<String>, Option<String>),
    /// The numbers of lines, stops and the like.
    pub counts: FeedCounts,
    /// Its first and last day.
    pub days: (Option<String>, Option<String>),
    /// When it was read.
    pub read_at: Instant,
}

fn read(row: &QueryResult) -> Result<Edition, StoreError> {
    let feed_id = get(row, "feed_id")?;
    Ok(Edition {
        feed_id,
        run_id: get(row, "run_id")?,
        sha256: get(row, "sha256")?,
        validators: (get(row, "etag")?, get(row, "last_modified")?),
        counts: json("transport_edition", feed_id, &get::<String>(row, "counts")?)?,
        days: (get(row, "from_day")?, get(row, "to_day")?),
        read_at: Instant(get(row, "read_at")?),
    })
}

const COLUMNS: &str =
    "feed_id, run_id, sha256, etag, last_modified, counts, from_day, to_day, read_at FROM transport_edition";

/// The shown edition of a feed.
pub async fn edition(db: &impl Connection, feed: i64) -> Result<Option<Edition>, StoreError> {
    let sql = format!("SELECT {COLUMNS} WHERE feed_id = $1");
    one(db, &sql, [feed.into()]).await?.map(|row| read(&row)).transpose()
}

/// The shown editions of some feeds.
pub async fn editions(db: &impl Connection, feeds: &[i64]) -> Result<Vec<Edition>, StoreError> {
    let sql = format!("SELECT {COLUMNS} WHERE feed_id IN {}", numbers(feeds));
    all(db, &sql, []).await?.iter().map(read).collect()
}

/// Shows what a run read.
pub async fn show_edition(
    tx: &Tx,
    run: &TransitRun,
    (from, to): (Option<String>, Option<String>),
    now: Instant,
) -> Result<(), StoreError> {
    execute(tx, "DELETE FROM transport_edition WHERE feed_id = $1", [run.feed_id.into()]).await?;
    let sql = "INSERT INTO transport_edition (feed_id, run_id, sha256, etag, last_modified, counts, from_day, to_day, read_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let values: [Value; 9] = [
        run.feed_id.into(),
        run.id.into(),
        run.sha256.clone().unwrap_or_default().into(),
        run.validators.0.clone().into(),
        run.validators.1.clone().into(),
        text(&run.counts).into(),
        from.into(),
        to.into(),
        now.0.into(),
    ];
    execute(tx, sql, values).await?;
    Ok(())
}

/// Writes rows of a table, some hundred a statement.
async fn insert<const N: usize>(
    tx: &Tx,
    into: &str,
    rows: impl ExactSizeIterator<Item = [Value; N]>,
) -> Result<(), StoreError> {
    let mut rows = rows;
    while rows.len() > 0 {
        let part: Vec<[Value; N]> = rows.by_ref().take(ROWS).collect();
        let places: Vec<String> = (0..part.len())
            .map(|row| format!("({})", (1..=N).map(|at| format!("${}", row * N + at)).collect::<Vec<_>>().join(", ")))
            .collect();
        let sql = format!("INSERT INTO {into} VALUES {}", places.join(", "));
        execute(tx, &sql, part.into_iter().flatten()).await?;
    }
    Ok(())
}

/// Writes lines of an edition, the first of them under `first`.
pub async fn add_lines(tx: &Tx, edition: i64, first: i64, lines: &[TransitLine]) -> Result<(), StoreError> {
    let rows = lines.iter().zip(first..).map(|(line, number)| -> [Value; 10] {
        let operator = line.operator.as_deref().unwrap_or_default();
        [
            edition.into(),
            number.into(),
            line.route.clone().into(),
            fold(&line.code).into(),
            fold(&format!("{} {}", line.code, line.long_name)).into(),
            fold(&format!("{} {} {operator}", line.code, line.long_name)).into(),
            fold(operator).into(),
            line.mode.as_str().into(),
            line.bikes.carriage().as_str().into(),
            text(line).into(),
        ]
    });
    let rows: Vec<_> = rows.collect();
    let into = "transit_line (edition, number, route, code, sort_title, words, operator, mode, bikes, body)";
    insert(tx, into, rows.into_iter()).await
}

/// Writes stops of an edition: name and position.
pub async fn add_stops(tx: &Tx, edition: i64, first: i64, stops: &[(&str, [f64; 2])]) -> Result<(), StoreError> {
    let micro = |degrees: f64| (degrees * 1e6).round() as i64;
    let rows = stops.iter().zip(first..).map(|((name, at), number)| -> [Value; 6] {
        [edition.into(), number.into(), (*name).into(), fold(name).into(), micro(at[0]).into(), micro(at[1]).into()]
    });
    let rows: Vec<_> = rows.collect();
    insert(tx, "transit_stop (edition, number, name, words, x, y)", rows.into_iter()).await
}

/// Writes which line stops where: line, stop, departures.
pub async fn add_calls(tx: &Tx, edition: i64, calls: &[(u32, u32, &[Departures])]) -> Result<(), StoreError> {
    let rows = calls.iter().map(|(line, stop, departures)| -> [Value; 4] {
        [edition.into(), i64::from(*stop).into(), i64::from(*line).into(), text(departures).into()]
    });
    insert(tx, "transit_call (edition, stop, line, departures)", rows).await
}

/// Lines of an edition, by their own name in the feed, with their number.
pub async fn lines_by_route(
    db: &impl Connection,
    edition: i64,
    routes: &[String],
) -> Result<Vec<(i64, TransitLine)>, StoreError> {
    let mut found = Vec::with_capacity(routes.len());
    for routes in routes.chunks(200) {
        let places: Vec<String> = (2..=routes.len() + 1).map(|at| format!("${at}")).collect();
        let sql = format!(
            "SELECT number, body FROM transit_line WHERE edition = $1 AND route IN ({}) ORDER BY number",
            places.join(", ")
        );
        let values = std::iter::once(Value::from(edition)).chain(routes.iter().map(|route| route.clone().into()));
        for row in all(db, &sql, values).await? {
            found.push((get(&row, 0)?, json("transit_line", edition, &get::<String>(&row, 1)?)?));
        }
    }
    Ok(found)
}

/// Deletes some rows that are no longer shown: of feeds that are gone, of runs that were replaced or failed. False when there is
/// nothing left.
pub async fn sweep(tx: &Tx) -> Result<bool, StoreError> {
    execute(tx, "DELETE FROM transport_edition WHERE feed_id NOT IN (SELECT id FROM transport_feed)", []).await?;
    let sql = "SELECT r.id FROM transport_run r WHERE r.stored = 1 AND r.state <> 'running'
        AND NOT EXISTS (SELECT 1 FROM transport_edition e WHERE e.run_id = r.id) ORDER BY r.id LIMIT 1";
    let Some(row) = one(tx, sql, []).await? else { return Ok(false) };
    let edition: i64 = get(&row, 0)?;
    let sql = "SELECT MIN(stop) FROM transit_call WHERE edition = $1";
    let first: Option<i64> = one(tx, sql, [edition.into()]).await?.map_or(Ok(None), |row| get(&row, 0))?;
    if let Some(first) = first {
        let sql = "DELETE FROM transit_call WHERE edition = $1 AND stop < $2";
        execute(tx, sql, [edition.into(), (first + SWEPT).into()]).await?;
        return Ok(true);
    }
    for table in ["transit_stop", "transit_line"] {
        execute(tx, &format!("DELETE FROM {table} WHERE edition = $1"), [edition.into()]).await?;
    }
    execute(tx, "UPDATE transport_run SET stored = 0 WHERE id = $1", [edition.into()]).await?;
    Ok(true)
}
