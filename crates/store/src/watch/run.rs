//! Runs: which network, how far.

use domain::region::BundleId;
use domain::watch::{KnownNetwork, RunState, WatchRun};
use domain::{Instant, ParcoursId, UserId};
use sea_orm::{QueryResult, Value};

use crate::parcours::network_number;
use crate::sql::{execute, get, one, person};
use crate::{Connection, StoreError, Tx};

/// A run to begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRun {
    /// The network before, where it is known.
    pub before: Option<KnownNetwork>,
    /// Today's.
    pub after: KnownNetwork,
    /// Its bundle, where it is a region that was published to all servers.
    pub bundle: Option<BundleId>,
    /// Whether parcours that were scored on today's network are scored again too.
    pub forced: bool,
    /// The user who asked for it.
    pub asked_by: Option<UserId>,
}

/// Traces that the planner scored, or tried to: the codes of `ok`, `low` and `not_calculable` in the row.
const SCORED: &str = "reliability_state IN (1, 2, 3)";

/// The condition that a parcours is to be scored again; `$1` is the number of today's network.
fn to_score(forced: bool) -> String {
    // Always with `$1`: PostgreSQL refuses a value that no statement names.
    let other = if forced { "(network = $1 OR TRUE)" } else { "(network IS NULL OR network <> $1)" };
    format!("{SCORED} AND {other}")
}

/// The last run.
pub async fn latest(db: &impl Connection) -> Result<Option<WatchRun>, StoreError> {
    let sql = r#"SELECT r.id, r.state, r.forced, r.asked_by, u.first_name, u.last_name,
        r.before_name, r.before_engine, r.before_date, r.before_checksum,
        r.after_name, r.after_engine, r.after_date, r.after_checksum,
        r.last_id, r.total, r.scored, r.failed, r.started_at, r.finished_at, r.bundle
        FROM watch_run r LEFT JOIN "user" u ON u.id = r.asked_by ORDER BY r.id DESC LIMIT 1"#;
    one(db, sql, []).await?.map(|row| read(&row)).transpose()
}

fn read(row: &QueryResult) -> Result<WatchRun, StoreError> {
    let id: i64 = get(row, "id")?;
    let state: String = get(row, "state")?;
    let network = |[name, engine, date, checksum]: [&str; 4]| -> Result<Option<KnownNetwork>, StoreError> {
        let Some(name) = get(row, name)? else { return Ok(None) };
        let (engine, data_date, checksum) = (get(row, engine)?, get(row, date)?, get(row, checksum)?);
        Ok(Some(KnownNetwork { name, engine, data_date, checksum }))
    };
    Ok(WatchRun {
        id,
        state: RunState::parse(&state).ok_or_else(|| StoreError::row("watch_run", id, format!("state {state}")))?,
        forced: get::<i16>(row, "forced")? != 0,
        asked_by: person(row, ["asked_by", "first_name", "last_name"])?,
        before: network(["before_name", "before_engine", "before_date", "before_checksum"])?,
        after: network(["after_name", "after_engine", "after_date", "after_checksum"])?
            .ok_or_else(|| StoreError::row("watch_run", id, "no network"))?,
        bundle: get::<Option<String>>(row, "bundle")?.and_then(|text| BundleId::parse(&text)),
        cursor: get(row, "last_id")?,
        total: get(row, "total")?,
        scored: get(row, "scored")?,
        failed: get(row, "failed")?,
        started_at: Instant(get(row, "started_at")?),
        finished_at: get::<Option<i64>>(row, "finished_at")?.map(Instant),
    })
}

/// Begins a run and returns its number and how many parcours it has; one that is still running is given up for it.
pub async fn start(tx: &Tx, new: &NewRun, now: Instant) -> Result<(i64, i64), StoreError> {
    let sql = "UPDATE watch_run SET state = 'failed', finished_at = $1 WHERE state = 'running'";
    execute(tx, sql, [now.0.into()]).await?;
    let total = count(tx, &new.after.name, new.forced).await?;
    let before = new.before.as_ref();
    let part = |of: fn(&KnownNetwork) -> Option<String>| Value::from(before.and_then(of));
    let sql =
        "INSERT INTO watch_run (state, forced, asked_by, before_name, before_engine, before_date, before_checksum,
        after_name, after_engine, after_date, after_checksum, total, started_at, bundle)
        VALUES ('running', $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING id";
    let values: [Value; 13] = [
        i16::from(new.forced).into(),
        new.asked_by.map(|user| user.0).into(),
        part(|known| Some(known.name.clone())),
        part(|known| known.engine.clone()),
        part(|known| known.data_date.clone()),
        part(|known| known.checksum.clone()),
        new.after.name.clone().into(),
        new.after.engine.clone().into(),
        new.after.data_date.clone().into(),
        new.after.checksum.clone().into(),
        total.into(),
        now.0.into(),
        new.bundle.as_ref().map(|id| id.as_str().to_owned()).into(),
    ];
    let row = one(tx, sql, values).await?.ok_or_else(|| StoreError::row("watch_run", 0, "no number"))?;
    Ok((get(&row, 0)?, total))
}

/// How many parcours are to be scored again on a network.
pub async fn count(db: &impl Connection, network: &str, forced: bool) -> Result<i64, StoreError> {
    let sql = format!("SELECT COUNT(*) FROM parcours WHERE {}", to_score(forced));
    let row = one(db, &sql, [network_number(network).into()]).await?;
    row.map_or(Ok(0), |row| get(&row, 0))
}

/// A parcours that was scored on another network than this one.
pub async fn scored_elsewhere(db: &impl Connection, network: &str) -> Result<Option<ParcoursId>, StoreError> {
    let sql = format!("SELECT id FROM parcours WHERE {SCORED} AND network <> $1 ORDER BY id DESC LIMIT 1");
    one(db, &sql, [network_number(network).into()]).await?.map(|row| get(&row, 0).map(ParcoursId)).transpose()
}

/// The next parcours of a run.
pub async fn next(db: &impl Connection, run: &WatchRun) -> Result<Option<ParcoursId>, StoreError> {
    let sql = format!("SELECT id FROM parcours WHERE {} AND id > $2 ORDER BY id LIMIT 1", to_score(run.forced));
    let values: [Value; 2] = [network_number(&run.after.name).into(), run.cursor.into()];
    one(db, &sql, values).await?.map(|row| get(&row, 0).map(ParcoursId)).transpose()
}

/// Counts a processed parcours. False when the run was given up: the caller then rolls back.
pub async fn advance(tx: &Tx, run: &WatchRun, id: ParcoursId, failed: bool) -> Result<bool, StoreError> {
    let sql = "UPDATE watch_run SET last_id = $2, scored = scored + 1, failed = failed + $3
        WHERE id = $1 AND state = 'running'";
    let values: [Value; 3] = [run.id.into(), id.0.into(), i64::from(failed).into()];
    Ok(execute(tx, sql, values).await? == 1)
}

/// Notes that nothing is left to score.
pub async fn finish(tx: &Tx, run: &WatchRun, now: Instant) -> Result<(), StoreError> {
    let sql = "UPDATE watch_run SET state = 'done', finished_at = $2 WHERE id = $1 AND state = 'running'";
    execute(tx, sql, [run.id.into(), now.0.into()]).await?;
    Ok(())
}

/// Gives a run up.
pub async fn give_up(tx: &Tx, id: i64, now: Instant) -> Result<(), StoreError> {
    let sql = "UPDATE watch_run SET state = 'failed', finished_at = $2 WHERE id = $1 AND state = 'running'";
    execute(tx, sql, [id.into(), now.0.into()]).await?;
    Ok(())
}

/// Lets the last run go on that was given up.
pub async fn resume(tx: &Tx, id: i64) -> Result<(), StoreError> {
    let sql = "UPDATE watch_run SET state = 'running', finished_at = NULL
        WHERE id = $1 AND state = 'failed' AND id = (SELECT MAX(id) FROM watch_run)";
    execute(tx, sql, [id.into()]).await?;
    Ok(())
}
