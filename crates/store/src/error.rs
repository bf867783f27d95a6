//! What can go wrong in the store.

use sea_orm::{DbErr, SqlErr};

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
    /// The database refused or is not there.
    #[error("database: {0}")]
    Database(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A blob could not be read or written.
    #[error("blob: {0}")]
    Blob(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The bucket cannot be reached, fails or refuses the access key. The same request may succeed later.
    #[error("the bucket: {0}")]
    BlobsUnavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
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
            _ => Self::Database(Box::new(error)),
        }
    }
}

impl From<sea_orm::sqlx::Error> for StoreError {
    fn from(error: sea_orm::sqlx::Error) -> Self {
        Self::Database(Box::new(error))
    }
}
