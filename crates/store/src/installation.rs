//! What all servers of one database must agree on.

use domain::Instant;

use crate::sql::{execute, get, one};
use crate::{Connection, StoreError, Tx};

/// The name of the key that the servers seal secrets with; none before the first start.
pub async fn server_key(db: &impl Connection) -> Result<Option<String>, StoreError> {
    let row = one(db, "SELECT server_key FROM installation WHERE id = 1", []).await?;
    row.map(|row| get(&row, 0)).transpose()
}

/// Records the name of the key, if none is recorded yet. Returns the recorded one: that of the server that was first.
pub async fn record_first_key(tx: &Tx, name: &str, now: Instant) -> Result<String, StoreError> {
    let sql = "INSERT INTO installation (id, server_key, written_at) VALUES (1, $1, $2) ON CONFLICT (id) DO NOTHING";
    execute(tx, sql, [name.into(), now.0.into()]).await?;
    Ok(server_key(tx).await?.unwrap_or_default())
}

/// Records the name of another key.
pub async fn record_key(tx: &Tx, name: &str, now: Instant) -> Result<(), StoreError> {
    let sql = "INSERT INTO installation (id, server_key, written_at) VALUES (1, $1, $2)
        ON CONFLICT (id) DO UPDATE SET server_key = excluded.server_key, written_at = excluded.written_at";
    execute(tx, sql, [name.into(), now.0.into()]).await?;
    Ok(())
}

/// The address from which UUIDs of records are made; none before a server with a public address has started.
pub async fn uuid_base(db: &impl Connection) -> Result<Option<String>, StoreError> {
    let row = one(db, "SELECT uuid_base FROM installation WHERE id = 1", []).await?;
    Ok(row.map(|row| get::<Option<String>>(&row, 0)).transpose()?.flatten())
}

/// Records the address from which UUIDs of records are made, if none is recorded yet. Returns the recorded one: that of the server that was
/// first. The name of the key is recorded before.
pub async fn record_first_uuid_base(tx: &Tx, base: &str) -> Result<String, StoreError> {
    let sql = "UPDATE installation SET uuid_base = $1 WHERE id = 1 AND uuid_base IS NULL";
    execute(tx, sql, [base.into()]).await?;
    Ok(uuid_base(tx).await?.unwrap_or_else(|| base.to_owned()))
}
