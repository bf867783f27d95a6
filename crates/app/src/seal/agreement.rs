//! The servers of one database seal with one key: what another key sealed, a server could not open.

use domain::Instant;
use store::{Store, StoreError, installation};

use super::{KeyId, KeyRing};

/// The servers of this database use a key that is not here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the servers of this database use the server key {recorded}, and this one has {here}")]
pub struct OtherKey {
    /// The name of their key.
    pub recorded: String,
    /// The name of the current key here.
    pub here: KeyId,
}

/// Whether the keys of this server are those of the database. The first server records its key; one that has the recorded key among its
/// old ones records its current key, which a rotation made.
pub async fn agree(ring: &KeyRing, store: &Store, now: Instant) -> Result<Result<(), OtherKey>, StoreError> {
    let here = ring.current.id();
    let name = here.to_string();
    if installation::server_key(store.read()).await?.as_ref() == Some(&name) {
        return Ok(Ok(()));
    }
    let tx = store.begin().await?;
    let recorded = installation::record_first_key(&tx, &name, now).await?;
    if recorded != name {
        if !ring.old.iter().any(|key| key.id().to_string() == recorded) {
            return Ok(Err(OtherKey { recorded, here }));
        }
        installation::record_key(&tx, &name, now).await?;
    }
    tx.commit_aside().await?;
    Ok(Ok(()))
}

/// Records the current key of this server, whatever was recorded before.
pub async fn adopt(ring: &KeyRing, store: &Store, now: Instant) -> Result<(), StoreError> {
    let tx = store.begin().await?;
    installation::record_key(&tx, &ring.current.id().to_string(), now).await?;
    tx.commit_aside().await
}
