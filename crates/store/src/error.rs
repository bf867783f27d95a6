//! What can go wrong in the store.

use std::io::ErrorKind;

use sea_orm::{DbErr, RuntimeErr, SqlErr, sqlx};

/// A failure of the store. None of its words reaches a user.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Something like it is already there.
    #[error("unique constraint: {0}")]
    UniqueViolation(String),
    /// Something it points to is not there, or something points to it.
    #[error("foreign key: {0}")]
    ForeignKeyViolation(String),
    /// A row that this version cannot read.
    #[error("{table} {id}: {reason}")]
    Row {
        table: &'static str,
        /// Its key.
        id: i64,
        /// The fault.
        reason: String,
    },
    /// The address of the database is of no kind we know.
    #[error("a database address starts with sqlite: or postgres:")]
    UnknownDatabase,
    /// The database refused a statement.
    #[error("database: {0}")]
    Database(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The database cannot be reached, has no connection or no room left, or a statement waited or worked for too long. The same
    /// request may succeed later.
    #[error("the database is unavailable: {0}")]
    DatabaseUnavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The disk of the database or of the blobs has no room left. What was to be written is not; reading works. The same request may
    /// succeed once there is room.
    #[error("no room is left: {0}")]
    Full(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The tables are not those that this version can run on.
    #[error(transparent)]
    Schema(#[from] SchemaFault),
    /// A blob could not be read or written.
    #[error("blob: {0}")]
    Blob(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The bucket cannot be reached, fails or refuses the access key. The same request may succeed later.
    #[error("the bucket: {0}")]
    BlobsUnavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Why this program may not run on the tables of a database. Versions are numbers of steps.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SchemaFault {
    /// They are of a newer version that this program does not fit.
    #[error(
        "the tables have version {database}, and only versions of Jalon from {oldest} on may run on them; this one knows versions up to \
         {own}. Start the newer Jalon"
    )]
    TooNew {
        /// The version of this program.
        own: i64,
        /// Version of the tables.
        database: i64,
        /// The oldest that may run on them.
        oldest: i64,
    },
    /// They have steps that this program does not know, and lack steps that it knows.
    #[error(
        "the tables have version {database} and lack steps of version {own}, which is that of this Jalon: they were made by another line \
         of versions"
    )]
    Diverged {
        /// The version of this program.
        own: i64,
        /// Version of the tables.
        database: i64,
    },
    /// They are of an older version, or there are none.
    #[error("{}", older(*own, *database))]
    Older {
        /// The version of this program.
        own: i64,
        /// Version of the tables; `None` if there are none.
        database: Option<i64>,
    },
}

fn older(own: i64, database: Option<i64>) -> String {
    let are = database.map_or_else(|| "are not made yet".to_owned(), |version| format!("have version {version}"));
    format!(
        "the tables {are}, and this Jalon needs version {own}: run `jalon migrate` (`jalon migrate --plan` shows what it does)"
    )
}

impl StoreError {
    /// A row that cannot be read.
    pub(crate) fn row(table: &'static str, id: i64, reason: impl Into<String>) -> Self {
        Self::Row { table, id, reason: reason.into() }
    }

    /// Whether another transaction wrote between the checks of this one and its writes, or both waited for each other. Done again,
    /// the operation finds what the other one wrote.
    pub fn is_of_race(&self) -> bool {
        match self {
            Self::UniqueViolation(_) | Self::ForeignKeyViolation(_) => true,
            Self::DatabaseUnavailable(error) => error.downcast_ref().and_then(of_sqlx).is_some_and(is_of_deadlock),
            _ => false,
        }
    }

    /// Whether SQLite reports that the file is damaged, cut, or no database of SQLite.
    pub fn is_of_damaged_file(&self) -> bool {
        let code = self.sqlite_code();
        code.is_some_and(|code| SQLITE_DAMAGED.contains(&(code & 0xff)) || code == SQLITE_SHORT_READ)
    }

    /// Whether SQLite reports that another program or connection has locked the file for longer than it was waited for.
    pub fn is_of_locked_file(&self) -> bool {
        self.sqlite_code().is_some_and(|code| SQLITE_LOCKED.contains(&(code & 0xff)))
    }

    /// Whether SQLite reports that the file, or its journal, may only be read.
    pub fn is_of_read_only_file(&self) -> bool {
        self.sqlite_code().is_some_and(|code| code & 0xff == SQLITE_READ_ONLY)
    }

    /// The extended result code of SQLite; none where the error is not one of SQLite.
    fn sqlite_code(&self) -> Option<i32> {
        let (Self::Database(error) | Self::DatabaseUnavailable(error)) = self else { return None };
        let error = error.downcast_ref::<sqlx::Error>().or_else(|| error.downcast_ref().and_then(of_sqlx));
        error.and_then(sqlx::Error::as_database_error).and_then(sqlite_code)
    }
}

impl From<DbErr> for StoreError {
    fn from(error: DbErr) -> Self {
        match error.sql_err() {
            Some(SqlErr::UniqueConstraintViolation(words)) => Self::UniqueViolation(words),
            Some(SqlErr::ForeignKeyConstraintViolation(words)) => Self::ForeignKeyViolation(words),
            _ => match cause(&error) {
                Cause::Full => Self::Full(Box::new(error)),
                Cause::Unavailable => Self::DatabaseUnavailable(Box::new(error)),
                Cause::Statement => Self::Database(Box::new(error)),
            },
        }
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match cause_of(&error) {
            Cause::Full => Self::Full(Box::new(error)),
            Cause::Unavailable => Self::DatabaseUnavailable(Box::new(error)),
            Cause::Statement => Self::Database(Box::new(error)),
        }
    }
}

/// Why the database did not do what a statement says.
enum Cause {
    /// Its disk is full.
    Full,
    /// It cannot answer at the moment.
    Unavailable,
    /// Anything else.
    Statement,
}

fn cause(error: &DbErr) -> Cause {
    match error {
        DbErr::ConnectionAcquire(_) => Cause::Unavailable,
        error => of_sqlx(error).map_or(Cause::Statement, cause_of),
    }
}

/// The error of the driver behind it.
fn of_sqlx(error: &DbErr) -> Option<&sqlx::Error> {
    match error {
        DbErr::Conn(RuntimeErr::SqlxError(error))
        | DbErr::Exec(RuntimeErr::SqlxError(error))
        | DbErr::Query(RuntimeErr::SqlxError(error)) => Some(error),
        _ => None,
    }
}

/// Whether PostgreSQL ended a transaction because of another one.
fn is_of_deadlock(error: &sqlx::Error) -> bool {
    let Some(error) = error.as_database_error() else { return false };
    error.code().is_some_and(|code| POSTGRES_CONFLICT.contains(&code.as_ref()))
}

/// Whether an error, or one that caused it, is that of a disk without room.
pub fn is_of_full_disk(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        let kind = error.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        if matches!(kind, Some(ErrorKind::StorageFull | ErrorKind::QuotaExceeded)) {
            return true;
        }
        next = error.source();
    }
    false
}

/// What the codes of PostgreSQL start with (appendix A of its manual): connection, resources, cancelled by a time-out, the server stops
/// or starts, lock not available, serialization failure, deadlock, a standby that does not write.
const POSTGRES: [&str; 8] = ["08", "53", "57014", "57P", "55P03", "40001", "40P01", "25006"];
/// Of those above, PostgreSQL's codes for transactions that cannot both be done: serialization failure, deadlock.
const POSTGRES_CONFLICT: [&str; 2] = ["40001", "40P01"];
/// PostgreSQL's code for a full disk, of those above.
const POSTGRES_FULL: &str = "53100";
/// The primary result codes of SQLite: busy, locked, read-only, input or output error, file that cannot be opened.
const SQLITE: [i32; 5] = [5, 6, 8, 10, 14];
/// The primary result codes of SQLite for a file, and for a table, that is locked: busy, locked.
const SQLITE_LOCKED: [i32; 2] = [5, 6];
/// The primary result code of SQLite for a file that may only be read.
const SQLITE_READ_ONLY: i32 = 8;
/// The primary result codes of SQLite for a damaged file, and for one that is no database.
const SQLITE_DAMAGED: [i32; 2] = [11, 26];
/// SQLite's extended code for a file that is shorter than it says.
const SQLITE_SHORT_READ: i32 = 522;
/// SQLite's code for a full disk.
const SQLITE_FULL: i32 = 13;

/// The extended result code of an error of SQLite.
fn sqlite_code(error: &(dyn sqlx::error::DatabaseError + 'static)) -> Option<i32> {
    error.try_downcast_ref::<sqlx::sqlite::SqliteError>()?;
    error.code()?.parse().ok()
}

fn cause_of(error: &sqlx::Error) -> Cause {
    use sqlx::Error::{Database, Io, PoolClosed, PoolTimedOut, Protocol, Tls, WorkerCrashed};
    let error = match error {
        // `Protocol`: a proxy in front of PostgreSQL accepts a connection and closes it while there is no database behind it.
        Io(_) | Tls(_) | Protocol(_) | PoolTimedOut | PoolClosed | WorkerCrashed => return Cause::Unavailable,
        Database(error) => error,
        _ => return Cause::Statement,
    };
    // The codes of PostgreSQL have five characters; those of SQLite are numbers, whose last byte is the primary code.
    if let Some(code) = sqlite_code(&**error) {
        return match code & 0xff {
            SQLITE_FULL => Cause::Full,
            code if SQLITE.contains(&code) => Cause::Unavailable,
            _ => Cause::Statement,
        };
    }
    let Some(code) = error.code() else { return Cause::Statement };
    if code == POSTGRES_FULL {
        return Cause::Full;
    }
    if POSTGRES.iter().any(|prefix| code.starts_with(prefix)) { Cause::Unavailable } else { Cause::Statement }
}
