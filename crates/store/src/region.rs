//! Regions that are published to all servers: bundles of files in the blobs, and which of them is current (decision 0054).

use domain::Instant;
use domain::region::{BundleId, Manifest};
use domain::watch::KnownNetwork;
use sea_orm::{QueryResult, Value};

use crate::sql::{all, execute, get, one};
use crate::{Connection, StoreError, Tx};

/// A region whose files are stored in the blobs, or are being stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundle {
    /// The SHA-256 of the manifest.
    pub id: BundleId,
    /// Its files.
    pub manifest: Manifest,
    /// The planner's network in it.
    pub network: KnownNetwork,
    /// When its publication began for the first time.
    pub noted_at: Instant,
    /// When all its files were stored for the last time; none while they are not.
    pub published_at: Option<Instant>,
}

/// The bundle that all servers use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrentBundle {
    /// Its identifier.
    pub id: BundleId,
    /// Grows whenever a bundle is published or made current again.
    pub number: i64,
    /// When it was made current.
    pub set_at: Instant,
}

const COLUMNS: &str =
    "id, manifest, network_name, network_engine, network_date, network_checksum, noted_at, published_at";

fn read(row: &QueryResult) -> Result<Bundle, StoreError> {
    let text: String = get(row, "id")?;
    let fault = |what: &str| StoreError::row("region_bundle", 0, format!("{text}: {what}"));
    let id = BundleId::parse(&text).ok_or_else(|| fault("not an id"))?;
    let manifest = Manifest::parse(&get::<String>(row, "manifest")?).map_err(|error| fault(&error.to_string()))?;
    if manifest.id() != id {
        return Err(fault("its manifest was changed"));
    }
    Ok(Bundle {
        id,
        manifest,
        network: KnownNetwork {
            name: get(row, "network_name")?,
            engine: get(row, "network_engine")?,
            data_date: get(row, "network_date")?,
            checksum: get(row, "network_checksum")?,
        },
        noted_at: Instant(get(row, "noted_at")?),
        published_at: get::<Option<i64>>(row, "published_at")?.map(Instant),
    })
}

/// The bundle that all servers use; none where none was published.
pub async fn current(db: &impl Connection) -> Result<Option<CurrentBundle>, StoreError> {
    let row = one(db, "SELECT bundle, number, set_at FROM region_current WHERE id = 1", []).await?;
    row.map(|row| read_current(&row)).transpose()
}

fn read_current(row: &QueryResult) -> Result<CurrentBundle, StoreError> {
    let text: String = get(row, 0)?;
    let id = BundleId::parse(&text).ok_or_else(|| StoreError::row("region_current", 1, format!("bundle {text}")))?;
    Ok(CurrentBundle { id, number: get(row, 1)?, set_at: Instant(get(row, 2)?) })
}

/// The same under a lock until the transaction ends: of two servers that do something once for a bundle, one waits for the other.
pub async fn lock_current(tx: &Tx) -> Result<Option<CurrentBundle>, StoreError> {
    let sql = "UPDATE region_current SET number = number WHERE id = 1 RETURNING bundle, number, set_at";
    one(tx, sql, []).await?.map(|row| read_current(&row)).transpose()
}

/// A bundle.
pub async fn find(db: &impl Connection, id: &BundleId) -> Result<Option<Bundle>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM region_bundle WHERE id = $1");
    one(db, &sql, [id.as_str().into()]).await?.map(|row| read(&row)).transpose()
}

/// All bundles, the newest first.
pub async fn list(db: &impl Connection) -> Result<Vec<Bundle>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM region_bundle ORDER BY COALESCE(published_at, noted_at) DESC, id");
    all(db, &sql, []).await?.iter().map(read).collect()
}

/// Notes a bundle before its files are stored, so that none of them is taken for an orphan. One that is known stays as it is.
pub async fn note(tx: &Tx, manifest: &Manifest, network: &KnownNetwork, now: Instant) -> Result<(), StoreError> {
    let sql = "INSERT INTO region_bundle
        (id, manifest, bytes, network_name, network_engine, network_date, network_checksum, noted_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO NOTHING";
    let values: [Value; 8] = [
        manifest.id().as_str().into(),
        manifest.text().into(),
        (manifest.bytes() as i64).into(),
        network.name.clone().into(),
        network.engine.clone().into(),
        network.data_date.clone().into(),
        network.checksum.clone().into(),
        now.0.into(),
    ];
    execute(tx, sql, values).await?;
    Ok(())
}

/// Notes that all files of a bundle are stored. False when there is no such bundle: it was removed meanwhile.
pub async fn complete(tx: &Tx, id: &BundleId, now: Instant) -> Result<bool, StoreError> {
    let sql = "UPDATE region_bundle SET published_at = $2 WHERE id = $1";
    Ok(execute(tx, sql, [id.as_str().into(), now.0.into()]).await? == 1)
}

/// Makes a bundle the one that all servers use. False when there is no such bundle, or its files are not all stored.
pub async fn set_current(tx: &Tx, id: &BundleId, now: Instant) -> Result<bool, StoreError> {
    let sql = "INSERT INTO region_current (id, bundle, number, set_at)
        SELECT 1, b.id, 1, $2 FROM region_bundle b WHERE b.id = $1 AND b.published_at IS NOT NULL
        ON CONFLICT (id) DO UPDATE SET bundle = excluded.bundle, number = region_current.number + 1, set_at = excluded.set_at";
    Ok(execute(tx, sql, [id.as_str().into(), now.0.into()]).await? == 1)
}

/// Forgets a bundle, so that its files become orphans. False when there is no such bundle, or when it is the current one.
pub async fn forget(tx: &Tx, id: &BundleId) -> Result<bool, StoreError> {
    let sql =
        "DELETE FROM region_bundle WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM region_current c WHERE c.bundle = $1)";
    Ok(execute(tx, sql, [id.as_str().into()]).await? == 1)
}
