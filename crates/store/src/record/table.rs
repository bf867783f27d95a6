//! What a table changed, kept under its token in slices, one for each transaction.

use domain::record::Kind;
use domain::{Instant, UserId};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{record_bulk, take_bulk};
use crate::sql::one;
use crate::{Connection, StoreError, Tx};

/// The name of a slice of a table's undo. No token of an action on many has a dot.
fn slice_of(token: &str, slice: usize) -> String {
    format!("{token}.{slice}")
}

/// Whether something was written under the token of a table.
pub async fn is_table_written(db: &impl Connection, token: &str) -> Result<bool, StoreError> {
    let found = one(db, "SELECT 1 FROM record_bulk WHERE token = $1", [slice_of(token, 0).into()]).await?;
    Ok(found.is_some())
}

/// Keeps what one slice of a table replaced. A second writer of the same slice fails: the token is unique.
pub async fn record_table<T: Serialize>(
    tx: &Tx,
    (token, slice): (&str, usize),
    kind: Kind,
    by: UserId,
    at: Instant,
    items: &[T],
) -> Result<(), StoreError> {
    record_bulk(tx, &slice_of(token, slice), kind, by, at, items).await
}

/// Takes a slice back out, once: only by the person who wrote the table, and not when it is too old.
pub async fn take_table<T: DeserializeOwned>(
    tx: &Tx,
    (token, slice): (&str, usize),
    kind: Kind,
    by: UserId,
    at: Instant,
) -> Result<Option<Vec<T>>, StoreError> {
    take_bulk(tx, &slice_of(token, slice), kind, by, at).await
}
