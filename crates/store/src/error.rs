//! What can go wrong in the store.

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
        /// The table.
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
        /// That of the tables.
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
        /// That of the tables.
        database: i64,
    },
    /// They are of an older version, or there are none.
    #[error("{}", older(*own, *database))]
    Older {
        /// The version of this program.
        own: i64,
        /// That of the tables; none where there are none.
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
}

impl From<DbErr> for StoreError {
    fn from(error: DbErr) -> Self {
        match error.sql_err() {
            Some(SqlErr::UniqueConstraintViolation(words)) => Self::UniqueViolation(words),
            Some(SqlErr::ForeignKeyConstraintViolation(words)) => Self::ForeignKeyViolation(words),
            _ if is_unavailable(&error) => Self::DatabaseUnavailable(Box::new(error)),
            _ => Self::Database(Box::new(error)),
        }
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        if cannot_answer(&error) { Self::DatabaseUnavailable(Box::new(error)) } else { Self::Database(Box::new(error)) }
    }
}

fn is_unavailable(error: &DbErr) -> bool {
    match error {
        DbErr::ConnectionAcquire(_) => true,
        DbErr::Conn(RuntimeErr::SqlxError(error))
        | DbErr::Exec(RuntimeErr::SqlxError(error))
        | DbErr::Query(RuntimeErr::SqlxError(error)) => cannot_answer(error),
        _ => false,
    }
}

/// What the codes of PostgreSQL start with (appendix A of its manual): connection, resources, cancelled by a time-out, the server stops
/// or starts, lock not available, serialization failure, deadlock, a standby that does not write.
const POSTGRES: [&str; 8] = ["08", "53", "57014", "57P", "55P03", "40001", "40P01", "25006"];
/// The primary result codes of SQLite: busy, locked, input or output error, disk full, file that cannot be opened.
const SQLITE: [i32; 5] = [5, 6, 10, 13, 14];

fn cannot_answer(error: &sqlx::Error) -> bool {
    use sqlx::Error::{Database, Io, PoolClosed, PoolTimedOut, Tls, WorkerCrashed};
    match error {
        Io(_) | Tls(_) | PoolTimedOut | PoolClosed | WorkerCrashed => true,
        Database(error) => error.code().is_some_and(|code| {
            // The codes of PostgreSQL have five characters; those of SQLite are numbers, whose last byte is the primary code.
            let is_sqlite = error.try_downcast_ref::<sqlx::sqlite::SqliteError>().is_some();
            if is_sqlite {
                code.parse::<i32>().is_ok_and(|code| SQLITE.contains(&(code & 0xff)))
            } else {
                POSTGRES.iter().any(|prefix| code.starts_with(prefix))
            }
        }),
        _ => false,
    }
}
