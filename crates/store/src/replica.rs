//! A replica of a PostgreSQL database, for reads whose answer may be a moment old (decision 0062).
//!
//! It is asked only while it is known to have everything that the primary had half a second ago, and everything that this process
//! wrote. Whatever it does not answer is asked of the primary instead.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use sea_orm::{ConnectionTrait as _, DatabaseConnection, DbBackend, DbErr, Statement};
use tokio::time::{sleep, timeout};

use crate::StoreError;
use crate::memo::Writes;

/// The replica is read only while its data is at most this old.
pub const MAX_REPLICA_LAG: Duration = Duration::from_millis(500);
/// How often the replica is compared with the primary while it answers.
const COMPARE_INTERVAL: Duration = Duration::from_millis(150);
/// How often it is tried while it does not answer.
const RECONNECT_INTERVAL: Duration = Duration::from_secs(1);
/// How many times one comparison asks a replica that is behind, and how long it waits each time.
const MAX_CHECKS: u32 = 5;
const CHECK_INTERVAL: Duration = Duration::from_millis(20);
/// How long a comparison waits for an answer.
const COMPARE_TIMEOUT: Duration = Duration::from_secs(1);
/// How long a read waits for the replica, before the primary is asked.
const READ_TIMEOUT: Duration = Duration::from_secs(10);
/// A replica that was behind for this long is reported as late.
const LATE_AFTER: Duration = Duration::from_secs(5);

/// Where the log of the primary ends, on which timeline, and which database it is.
const OF_PRIMARY: &str = "SELECT CAST(pg_current_wal_flush_lsn() AS TEXT),
    CAST(left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) AS TEXT),
    CAST((SELECT system_identifier FROM pg_control_system()) AS BIGINT)";
/// Whether a replica of that timeline and database has all of the log up to there.
const OF_REPLICA: &str = "SELECT pg_is_in_recovery() AS is_replica,
    COALESCE(pg_last_wal_replay_lsn() >= CAST($1 AS PG_LSN), FALSE) AS has_all,
    CAST(lpad(upper(to_hex((SELECT timeline_id FROM pg_control_checkpoint()))), 8, '0') AS TEXT) AS timeline,
    CAST((SELECT system_identifier FROM pg_control_system()) AS BIGINT) AS database";

/// The state of the replica.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplicaState {
    /// It answers, and has what the primary has, or had a few seconds ago.
    Ok,
    /// It answers, and has lacked something for some seconds: the primary is asked instead.
    Late,
    /// It does not answer, or is no replica of this database: the primary is asked instead.
    Away,
}

/// What is known of the replica.
#[derive(Debug, Clone)]
pub struct ReplicaReport {
    /// Its state.
    pub state: ReplicaState,
    /// Why it is not used; empty while it is.
    pub why: String,
    /// The maximum age of its data; none if it was never compared.
    pub behind: Option<Duration>,
    /// Reads that it answered since the start of this process.
    pub reads: u64,
    /// Reads that the primary answered instead of it.
    pub reads_instead: u64,
}

/// The replica, and what is known of it.
#[derive(Debug)]
pub struct Replica {
    pool: DatabaseConnection,
    writes: Arc<Writes>,
    known: Mutex<Known>,
    reads: AtomicU64,
    reads_instead: AtomicU64,
}

#[derive(Debug, Default)]
struct Known {
    /// The replica has all that the primary had at this moment, and this number of writes of this process.
    has_all_of: Option<(Instant, u64)>,
    /// Since its last failure no comparison succeeded.
    is_away: bool,
    why: String,
}

impl Replica {
    /// The replica behind these connections. It is compared with the primary until it is dropped.
    pub(crate) fn start(pool: DatabaseConnection, primary: DatabaseConnection, writes: Arc<Writes>) -> Arc<Self> {
        let known = Mutex::new(Known { is_away: true, why: "it was not asked yet".to_owned(), ..Known::default() });
        let (reads, reads_instead) = (AtomicU64::new(0), AtomicU64::new(0));
        let replica = Arc::new(Self { pool, writes, known, reads, reads_instead });
        tokio::spawn(compare_until_dropped(Arc::downgrade(&replica), primary));
        replica
    }

    /// Ends its connections: from now on the primary answers.
    pub(crate) async fn close(&self) -> Result<(), StoreError> {
        self.mark_away("its connections are closed".to_owned());
        Ok(self.pool.close_by_ref().await?)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it has all that the primary had half a second ago, and all that this process wrote.
    fn is_current(&self) -> bool {
        let known = self.known();
        !known.is_away
            && known
                .has_all_of
                .is_some_and(|(at, writes)| at.elapsed() <= MAX_REPLICA_LAG && writes == self.writes.seen())
    }

    /// What a statement finds in the replica; none where the primary is to be asked.
    pub(crate) async fn ask<'a, T, F>(&'a self, run: impl FnOnce(&'a DatabaseConnection) -> F) -> Option<T>
    where
        F: Future<Output = Result<T, DbErr>> + 'a,
    {
        if self.is_current() {
            match timeout(READ_TIMEOUT, run(&self.pool)).await {
                Ok(Ok(found)) => {
                    self.reads.fetch_add(1, Ordering::Relaxed);
                    return Some(found);
                }
                Ok(Err(error)) => self.mark_away(StoreError::from(error).to_string()),
                Err(_) => self.mark_away(format!("a statement took more than {} s", READ_TIMEOUT.as_secs())),
            }
        }
        self.reads_instead.fetch_add(1, Ordering::Relaxed);
        None
    }

    fn mark_away(&self, why: String) {
        let mut known = self.known();
        if !known.is_away {
            tracing::warn!(why, "the replica is away: the primary answers instead");
        }
        (known.is_away, known.why) = (true, why);
    }

    /// What is known of it.
    pub fn report(&self) -> ReplicaReport {
        let known = self.known();
        let behind = known.has_all_of.map(|(at, _)| at.elapsed());
        let state = match behind {
            _ if known.is_away => ReplicaState::Away,
            Some(behind) if behind <= LATE_AFTER => ReplicaState::Ok,
            _ => ReplicaState::Late,
        };
        let why = if state == ReplicaState::Ok { String::new() } else { known.why.clone() };
        let (reads, reads_instead) = (self.reads.load(Ordering::Relaxed), self.reads_instead.load(Ordering::Relaxed));
        ReplicaReport { state, why, behind, reads, reads_instead }
    }

    /// Compares it with the primary once.
    async fn compare(&self, primary: &DatabaseConnection) {
        // Both are taken before the primary is asked where it is.
        let (at, writes) = (Instant::now(), self.writes.seen());
        let position = match timeout(COMPARE_TIMEOUT, position_of(primary)).await {
            Ok(Ok(position)) => position,
            failed => {
                let why = failed.map_or_else(|late| late.to_string(), |failed| failed.err().unwrap_or_default());
                self.known().why = format!("the primary does not say how far it is: {why}");
                return;
            }
        };
        for _ in 0..MAX_CHECKS {
            match timeout(COMPARE_TIMEOUT, has_all(&self.pool, &position)).await {
                Ok(Ok(true)) => {
                    let mut known = self.known();
                    if known.is_away {
                        tracing::info!("the replica answers again");
                    }
                    *known = Known { has_all_of: Some((at, writes)), is_away: false, why: String::new() };
                    return;
                }
                Ok(Ok(false)) => sleep(CHECK_INTERVAL).await,
                Ok(Err(why)) => return self.mark_away(why),
                Err(_) => return self.mark_away("it does not answer in time".to_owned()),
            }
        }
        let mut known = self.known();
        (known.is_away, known.why) = (false, "it does not have yet what the primary has".to_owned());
    }
}

/// How far the write-ahead log of the primary is.
struct LogPosition {
    lsn: String,
    timeline: String,
    database: i64,
}

async fn position_of(primary: &DatabaseConnection) -> Result<LogPosition, String> {
    let row = primary.query_one_raw(Statement::from_string(DbBackend::Postgres, OF_PRIMARY)).await;
    let row = row.map_err(|error| error.to_string())?.ok_or("no row")?;
    let read = || {
        Ok::<_, DbErr>(LogPosition {
            lsn: row.try_get_by_index(0)?,
            timeline: row.try_get_by_index(1)?,
            database: row.try_get_by_index(2)?,
        })
    };
    read().map_err(|error| error.to_string())
}

/// Whether a replica has everything up to a log position of the primary. An error says why it is no replica of that primary.
async fn has_all(replica: &DatabaseConnection, position: &LogPosition) -> Result<bool, String> {
    let asked = Statement::from_sql_and_values(DbBackend::Postgres, OF_REPLICA, [position.lsn.as_str().into()]);
    let row = replica.query_one_raw(asked).await.map_err(|error| error.to_string())?.ok_or("no row")?;
    let read = || {
        Ok::<_, DbErr>((
            row.try_get_by("is_replica")?,
            row.try_get_by("has_all")?,
            row.try_get_by("timeline")?,
            row.try_get_by("database")?,
        ))
    };
    let found: (bool, bool, String, i64) = read().map_err(|error| error.to_string())?;
    let (is_replica, has_all, timeline, database) = found;
    if !is_replica {
        return Err("it is no replica: it takes writes itself".to_owned());
    }
    if database != position.database {
        return Err("it is a replica of another database server".to_owned());
    }
    if timeline != position.timeline {
        return Err(format!("it is on timeline {timeline} and the primary on {}", position.timeline));
    }
    Ok(has_all)
}

async fn compare_until_dropped(replica: Weak<Replica>, primary: DatabaseConnection) {
    loop {
        let wait = {
            let Some(replica) = replica.upgrade() else { return };
            replica.compare(&primary).await;
            if replica.known().is_away { RECONNECT_INTERVAL } else { COMPARE_INTERVAL }
        };
        sleep(wait).await;
    }
}
