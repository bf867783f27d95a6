//! One store over two databases: SQLite in a file, or PostgreSQL.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use domain::white_label::PlannerPreference;
use sea_orm::sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sea_orm::sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sea_orm::sqlx::{self, ConnectOptions as _, Connection as _};
use sea_orm::{
    AccessMode, ConnectionTrait, DatabaseConnection, DatabaseExecutor, DatabaseTransaction, IsolationLevel,
    SqliteTransactionMode, SqlxPostgresConnector, SqlxSqliteConnector, TransactionOptions, TransactionTrait,
};
use tokio::sync::Notify;

use crate::StoreError;
use crate::audit_log::Pending;
use crate::file_access::may_write;
use crate::held_inserts::HeldInserts;
use crate::memo::{Memo, Writes};
use crate::parcours_counts::Counted;
use crate::replica::{Replica, ReplicaReport};
use crate::sealed_column::SealedColumn;

/// The database behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// A file.
    Sqlite,
    /// A server.
    Postgres,
}

/// Which database, and how its connections behave.
#[derive(Debug, Clone)]
pub struct DatabaseSettings {
    /// `sqlite:<file>` (made when missing) or `postgres://…`.
    pub url: String,
    /// `postgres://…` of a replica, which is asked what may be a moment old.
    pub replica_url: Option<String>,
    /// Connections of this process to PostgreSQL.
    pub max_connections: u32,
    /// How long a request waits for a connection.
    pub acquire_timeout: Duration,
    /// PostgreSQL ends a statement that takes longer; zero sets no limit.
    pub statement_timeout: Duration,
    /// How long a statement of PostgreSQL waits for a lock before it is ended; zero sets no limit.
    pub lock_timeout: Duration,
    /// How long SQLite waits for another program that writes to the file; none for as long as a request waits for a connection.
    pub busy_timeout: Option<Duration>,
    /// Whether SQLite waits until a commit is on the disk: what was acknowledged then survives a power cut. Tests and files that can be
    /// made again do without.
    pub is_durable: bool,
}

impl DatabaseSettings {
    /// The usual settings for this database.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            replica_url: None,
            max_connections: 10,
            acquire_timeout: Duration::from_secs(5),
            statement_timeout: Duration::from_secs(60),
            lock_timeout: Duration::from_secs(10),
            busy_timeout: None,
            is_durable: true,
        }
    }

    /// The same without limits on statements, and without the replica: an index over a large table takes longer than any request may.
    #[must_use]
    pub fn for_migration(&self) -> Self {
        Self {
            statement_timeout: Duration::ZERO,
            lock_timeout: Duration::ZERO,
            busy_timeout: Some(MIGRATION_BUSY_TIMEOUT),
            replica_url: None,
            ..self.clone()
        }
    }
}

/// How long one more connection is waited for that says why none was made.
const CONNECTION_CHECK_TIME: Duration = Duration::from_secs(2);
/// A PostgreSQL connection that was idle for longer is checked before it is used again.
const IDLE_BEFORE_CHECK: Duration = Duration::from_secs(1);
/// `work_mem` of PostgreSQL: the memory of one step of a statement.
const WORK_MEM: &str = "16MB";
/// PostgreSQL ends a transaction that was idle for longer, so that a server that hangs does not hold its locks for ever.
const IDLE_TRANSACTION_TIMEOUT: Duration = Duration::from_secs(60);
/// How long a migration of an SQLite file waits for another program that writes to it.
const MIGRATION_BUSY_TIMEOUT: Duration = Duration::from_secs(600);

tokio::task_local! {
    /// Set while an answer is made that may be a moment old.
    static RECENT: ();
}

/// The database. Cloning it is cheap and shares the connections.
#[derive(Debug, Clone)]
pub struct Store(Arc<Pools>);

#[derive(Debug)]
struct Pools {
    dialect: Dialect,
    /// The file of SQLite.
    file: Option<PathBuf>,
    reader: Reader,
    /// The same, which asks the replica first; none where there is no replica.
    recent: Option<Reader>,
    /// SQLite lets one writer in at a time: its one connection queues them, so that none fails with "busy".
    writer: DatabaseConnection,
    writes: Arc<Writes>,
    /// Notified when a transaction of this process that enqueued a job is committed.
    enqueued: Arc<Notify>,
}

/// Where a query runs: the readers, or a transaction.
pub trait Connection: Sync {
    /// The executor of SeaORM.
    #[doc(hidden)]
    fn executor(&self) -> DatabaseExecutor<'_>;

    /// The database behind it.
    fn dialect(&self) -> Dialect;

    /// The replica that is asked first.
    #[doc(hidden)]
    fn replica(&self) -> Option<&Replica> {
        None
    }

    /// Whether rows that are read can be locked until a transaction ends.
    #[doc(hidden)]
    fn is_transaction(&self) -> bool {
        false
    }

    /// Where inserts wait until there are many of them.
    #[doc(hidden)]
    fn held(&self) -> Option<&HeldInserts> {
        None
    }

    /// Totals of lists that hold as long as nothing is written; a transaction counts for itself.
    #[doc(hidden)]
    fn totals(&self) -> Option<Totals<'_>> {
        None
    }
}

/// How a white-label changes the profiles of the planner, by the names of the profiles.
pub type PlannerPreferences = BTreeMap<String, PlannerPreference>;

/// Values cached until the next write (totals of lists, white-labels' planner settings), and the number of writes.
#[derive(Debug, Clone, Copy)]
pub struct Totals<'a> {
    pub(crate) memo: &'a Memo<Counted>,
    pub(crate) numbers: &'a Memo<Vec<i64>>,
    pub(crate) preferences: &'a Memo<PlannerPreferences>,
    pub(crate) writes: u64,
}

/// Read-only connections, with the values that are cached until the next write.
#[derive(Debug)]
pub struct Reader {
    pool: DatabaseConnection,
    dialect: Dialect,
    writes: Arc<Writes>,
    totals: Memo<Counted>,
    numbers: Memo<Vec<i64>>,
    preferences: Memo<PlannerPreferences>,
    replica: Option<Arc<Replica>>,
}

/// A transaction that may write. Dropped without [`Tx::commit`], it leaves nothing behind.
#[derive(Debug)]
pub struct Tx {
    inner: DatabaseTransaction,
    dialect: Dialect,
    writes: Arc<Writes>,
    /// Events recorded in it, which are logged once it is committed.
    pub(crate) audited: Pending,
    /// Keys of services that it forgot, until the journal takes them.
    pub(crate) forgotten_keys: Mutex<Vec<(SealedColumn, i64)>>,
    enqueued: Arc<Notify>,
    has_enqueued: AtomicBool,
    /// Inserts that wait for others of their kind; see [`Store::begin_filling`].
    held: Option<HeldInserts>,
}

impl Reader {
    /// How many writes of content this process has seen: what was cached before the last one is read again.
    pub fn writes(&self) -> u64 {
        self.writes.seen()
    }

    /// The connections, for what no statement of `sql` reads.
    pub(crate) fn pool(&self) -> &DatabaseConnection {
        &self.pool
    }
}

impl Connection for Reader {
    fn executor(&self) -> DatabaseExecutor<'_> {
        DatabaseExecutor::Connection(&self.pool)
    }

    fn dialect(&self) -> Dialect {
        self.dialect
    }

    fn replica(&self) -> Option<&Replica> {
        self.replica.as_deref()
    }

    fn totals(&self) -> Option<Totals<'_>> {
        // What the replica answers is a moment old already, and is not remembered here.
        self.replica.is_none().then_some(Totals {
            memo: &self.totals,
            numbers: &self.numbers,
            preferences: &self.preferences,
            writes: self.writes.seen(),
        })
    }
}

impl Connection for Tx {
    fn executor(&self) -> DatabaseExecutor<'_> {
        DatabaseExecutor::Transaction(&self.inner)
    }

    fn dialect(&self) -> Dialect {
        self.dialect
    }

    fn is_transaction(&self) -> bool {
        true
    }

    fn held(&self) -> Option<&HeldInserts> {
        self.held.as_ref()
    }
}

impl Tx {
    /// Commits, and invalidates cached totals of lists.
    pub async fn commit(self) -> Result<(), StoreError> {
        self.end(true).await
    }

    /// Commits changes that no list of content shows, such as presence and sign-ins: cached totals stay valid.
    pub async fn commit_aside(self) -> Result<(), StoreError> {
        self.end(false).await
    }

    async fn end(self, changes_lists: bool) -> Result<(), StoreError> {
        if let Some(held) = &self.held {
            held.send(&self.executor()).await?;
        }
        self.inner.commit().await?;
        if changes_lists {
            self.writes.note();
        }
        self.audited.log();
        if self.has_enqueued.into_inner() {
            self.enqueued.notify_one();
        }
        Ok(())
    }

    /// Notes that a job may start once this is committed, so that the worker of this process looks at once.
    pub(crate) fn note_enqueued(&self) {
        self.has_enqueued.store(true, Ordering::Relaxed);
    }
}

impl Store {
    /// Opens a database. Nothing is migrated.
    pub async fn connect(settings: &DatabaseSettings) -> Result<Self, StoreError> {
        let url = &settings.url;
        if let Some(file) = url.strip_prefix("sqlite:") {
            Self::open_file(Path::new(file.strip_prefix("//").unwrap_or(file)), settings).await
        } else if is_postgres(url) {
            Self::open_server(settings).await
        } else {
            Err(StoreError::UnknownDatabase)
        }
    }

    async fn open_file(file: &Path, settings: &DatabaseSettings) -> Result<Self, StoreError> {
        let synchronous = if settings.is_durable { SqliteSynchronous::Full } else { SqliteSynchronous::Normal };
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(synchronous)
            .foreign_keys(true)
            .busy_timeout(settings.busy_timeout.unwrap_or(settings.acquire_timeout))
            .statement_cache_capacity(256)
            .pragma("temp_store", "memory")
            .pragma("cache_size", "-4000")
            // The file is in the system's own cache: mapping it gained nothing that could be measured, and each connection's map
            // counted as memory of this process.
            .pragma("mmap_size", "0")
            // 16 MB of journal before it is folded into the file: saves touch the same index pages again and again.
            .pragma("wal_autocheckpoint", "4000")
            .disable_statement_logging();
        // Where the file may not be written when it is opened, SQLite opens it for reading and never tries again.
        let opened_to_write = Arc::new(AtomicBool::new(true));
        let (opened, path) = (Arc::clone(&opened_to_write), file.to_owned());
        let known_path = path.clone();
        // The writer comes first: it makes the file and turns its journal to WAL.
        let writer = SqlitePoolOptions::new()
            .max_connections(1)
            .test_before_acquire(false)
            .after_connect(move |_, _| {
                opened.store(may_write(&path), Ordering::Relaxed);
                Box::pin(async { Ok(()) })
            })
            // SQLite ends a transaction itself where the disk is full or fails. sqlx then still counts it as open, and what follows would
            // never be committed: such a connection is replaced. So is one that was opened for reading, once the file may be written.
            .before_acquire(move |connection, _| {
                let is_only_reading = !opened_to_write.load(Ordering::Relaxed) && may_write(&known_path);
                Box::pin(async move {
                    if connection.is_in_transaction() {
                        // The connection works in order: a rollback that was just asked for is done before it answers.
                        connection.ping().await?;
                    }
                    Ok(!is_only_reading && !connection.is_in_transaction())
                })
            })
            .connect_with(options.clone())
            .await?;
        let readers = std::thread::available_parallelism().map_or(2, std::num::NonZero::get).clamp(2, 8) as u32;
        let reader = SqlitePoolOptions::new()
            .max_connections(readers)
            .min_connections(1)
            .test_before_acquire(false)
            .connect_with(options.pragma("query_only", "on"))
            .await?;
        Ok(Self::over(
            Dialect::Sqlite,
            Some(file.to_owned()),
            SqlxSqliteConnector::from_sqlx_sqlite_pool(reader),
            SqlxSqliteConnector::from_sqlx_sqlite_pool(writer),
            None,
        ))
    }

    async fn open_server(settings: &DatabaseSettings) -> Result<Self, StoreError> {
        let pool = server_pool(settings, &settings.url)?;
        // Without the database nothing works: it must answer now. A replica may come later.
        if let Err(error) = pool.acquire().await {
            return Err(connection_fault(&pool, error).await.into());
        }
        let connection = SqlxPostgresConnector::from_sqlx_postgres_pool(pool);
        let replica = settings.replica_url.as_ref().map(|url| server_pool(settings, url)).transpose()?;
        let replica = replica.map(SqlxPostgresConnector::from_sqlx_postgres_pool);
        Ok(Self::over(Dialect::Postgres, None, connection.clone(), connection, replica))
    }

    fn over(
        dialect: Dialect,
        file: Option<PathBuf>,
        reader: DatabaseConnection,
        writer: DatabaseConnection,
        replica: Option<DatabaseConnection>,
    ) -> Self {
        let writes = Arc::new(Writes::default());
        let reading = |replica: Option<Arc<Replica>>| Reader {
            pool: reader.clone(),
            dialect,
            writes: Arc::clone(&writes),
            totals: Memo::small("totals"),
            numbers: Memo::small("numbers"),
            preferences: Memo::small("planner_preferences"),
            replica,
        };
        let replica = replica.map(|pool| Replica::start(pool, reader.clone(), Arc::clone(&writes)));
        let (recent, reader) = (replica.map(|replica| reading(Some(replica))), reading(None));
        Self(Arc::new(Pools { dialect, file, reader, recent, writer, writes, enqueued: Arc::default() }))
    }

    /// The database behind it.
    pub fn dialect(&self) -> Dialect {
        self.0.dialect
    }

    /// Connections for reading: each query runs alone, without a transaction. Within [`Self::recent`] the replica is asked first, where there
    /// is one.
    pub fn read(&self) -> &Reader {
        match &self.0.recent {
            Some(recent) if RECENT.try_with(|()| ()).is_ok() => recent,
            _ => &self.0.reader,
        }
    }

    /// The same, never the replica: for what is remembered, or compared with what others saw.
    pub fn read_now(&self) -> &Reader {
        &self.0.reader
    }

    /// An answer that may be [`MAX_REPLICA_LAG`](crate::MAX_REPLICA_LAG) old: what it reads may come from the replica.
    pub async fn recent<T>(&self, answer: impl Future<Output = T>) -> T {
        if self.0.recent.is_some() { RECENT.scope((), answer).await } else { answer.await }
    }

    /// The state of the replica; none if no replica is configured.
    pub fn replica(&self) -> Option<ReplicaReport> {
        self.0.recent.as_ref().and_then(Connection::replica).map(Replica::report)
    }

    /// Returns once a transaction of this process has enqueued a job, or already has since this was last awaited.
    pub async fn job_enqueued(&self) {
        self.0.enqueued.notified().await;
    }

    /// Starts a transaction that may write. On SQLite it occupies the one writer until it ends.
    pub async fn begin(&self) -> Result<Tx, StoreError> {
        self.begin_as(None, None).await
    }

    /// Starts a transaction that adds many records. On PostgreSQL their rows are held back and sent many at a time: what is read in it does not
    /// see those that wait, a statement that changes or deletes rows does.
    pub async fn begin_filling(&self) -> Result<Tx, StoreError> {
        let held = (self.0.dialect == Dialect::Postgres).then(HeldInserts::default);
        Ok(Tx { held, ..self.begin().await? })
    }

    /// Begins a transaction of a level of isolation, which may be for reading alone.
    pub(crate) async fn begin_as(
        &self,
        isolation_level: Option<IsolationLevel>,
        access_mode: Option<AccessMode>,
    ) -> Result<Tx, StoreError> {
        let sqlite_transaction_mode = (self.0.dialect == Dialect::Sqlite).then_some(SqliteTransactionMode::Immediate);
        let options = TransactionOptions { sqlite_transaction_mode, isolation_level, access_mode };
        let inner = self.0.writer.begin_with_options(options).await?;
        let (dialect, writes) = (self.0.dialect, Arc::clone(&self.0.writes));
        Ok(Tx {
            inner,
            dialect,
            writes,
            audited: Pending::default(),
            forgotten_keys: Mutex::default(),
            enqueued: Arc::clone(&self.0.enqueued),
            has_enqueued: AtomicBool::new(false),
            held: None,
        })
    }

    /// The file of SQLite; none with PostgreSQL.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.0.file.as_deref()
    }

    /// The connection that writes, for migrations.
    pub(crate) fn writer(&self) -> &DatabaseConnection {
        &self.0.writer
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.0.reader.pool.execute_unprepared("SELECT 1").await?;
        Ok(())
    }

    /// The connections of this process: how many there are, and how many of them are idle; of readers and of the writer.
    pub fn connections(&self) -> [(&'static str, u32, usize); 2] {
        let of = |connection: &DatabaseConnection| match self.0.dialect {
            Dialect::Sqlite => {
                let pool = connection.get_sqlite_connection_pool();
                (pool.size(), pool.num_idle())
            }
            Dialect::Postgres => {
                let pool = connection.get_postgres_connection_pool();
                (pool.size(), pool.num_idle())
            }
        };
        let ((readers, idle_readers), (writers, idle_writers)) = (of(&self.0.reader.pool), of(&self.0.writer));
        [("reader", readers, idle_readers), ("writer", writers, idle_writers)]
    }

    /// Ends all connections, which makes SQLite fold its journal into the file.
    pub async fn close(&self) -> Result<(), StoreError> {
        if let Some(replica) = self.0.recent.as_ref().and_then(Connection::replica) {
            replica.close().await?;
        }
        self.0.reader.pool.close_by_ref().await?;
        self.0.writer.close_by_ref().await?;
        Ok(())
    }
}

/// Whether the address of a database is one of PostgreSQL.
pub fn is_postgres(url: &str) -> bool {
    url.starts_with("postgres:") || url.starts_with("postgresql:")
}

/// Why a pool got no connection: it tries until its time is over, and does not say what each try met.
async fn connection_fault(pool: &PgPool, error: sqlx::Error) -> sqlx::Error {
    if !matches!(error, sqlx::Error::PoolTimedOut) {
        return error;
    }
    match tokio::time::timeout(CONNECTION_CHECK_TIME, pool.connect_options().connect()).await {
        Ok(Err(fault)) => fault,
        Ok(Ok(_)) | Err(_) => error,
    }
}

/// Connections to a PostgreSQL server; they are opened when they are needed.
fn server_pool(settings: &DatabaseSettings, url: &str) -> Result<PgPool, StoreError> {
    let ms = |time: Duration| time.as_millis().to_string();
    // During a migration one connection holds the lock that other servers wait for, and is idle otherwise: it has no limit.
    let idle_transaction = if settings.statement_timeout.is_zero() { Duration::ZERO } else { IDLE_TRANSACTION_TIMEOUT };
    let options = PgConnectOptions::from_str(url)?
        .application_name("jalon")
        .options([
            ("statement_timeout", ms(settings.statement_timeout)),
            ("lock_timeout", ms(settings.lock_timeout)),
            ("idle_in_transaction_session_timeout", ms(idle_transaction)),
            // Beyond it PostgreSQL keeps only the pages of what the index of words finds, and reads each row of them again.
            ("work_mem", WORK_MEM.to_owned()),
        ])
        .statement_cache_capacity(256)
        .disable_statement_logging();
    let pool = PgPoolOptions::new()
        .max_connections(settings.max_connections)
        .acquire_timeout(settings.acquire_timeout)
        .test_before_acquire(false)
        // After a restart of PostgreSQL no request meets a connection that is gone; busy connections are not asked each time.
        .before_acquire(|connection, meta| {
            Box::pin(async move {
                if meta.idle_for >= IDLE_BEFORE_CHECK {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
        .connect_lazy_with(options);
    Ok(pool)
}
