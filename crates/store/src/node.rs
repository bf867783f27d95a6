//! The servers of this database. Each writes its state every few seconds.

use domain::Instant;
use domain::region::BundleId;
use sea_orm::Value;

use crate::sql::{all, execute, get};
use crate::{Connection, StoreError, Tx};

/// The state of a server, as it reported it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Its name, that of the table of jobs: the machine and the number of the process.
    pub name: String,
    /// The version of its program.
    pub version: String,
    /// The web application it serves.
    pub build: String,
    /// When it started.
    pub started_at: Instant,
    /// When it last wrote this.
    pub seen_at: Instant,
    /// The bundle of its region; none where the region is a folder of its own, and where it has none.
    pub bundle: Option<BundleId>,
    /// The day of its region's data.
    pub data_date: Option<String>,
    /// The state of its region, as one word.
    pub region_state: String,
    /// How much of a region it has fetched, while it fetches one.
    pub region_percent: Option<u8>,
    /// Why it cannot use the region that is published.
    pub region_problem: Option<String>,
    /// Free and all bytes of the disk of its data folder.
    pub disk: Option<(u64, u64)>,
}

/// Stores the state of a server.
pub async fn put(tx: &Tx, node: &Node) -> Result<(), StoreError> {
    let sql = "INSERT INTO node (name, version, build, started_at, seen_at, bundle, data_date, region_state, region_percent,
        region_problem, disk_free, disk_total) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        ON CONFLICT (name) DO UPDATE SET version = excluded.version, build = excluded.build, started_at = excluded.started_at,
        seen_at = excluded.seen_at, bundle = excluded.bundle, data_date = excluded.data_date,
        region_state = excluded.region_state, region_percent = excluded.region_percent,
        region_problem = excluded.region_problem, disk_free = excluded.disk_free, disk_total = excluded.disk_total";
    let bytes = |of: fn((u64, u64)) -> u64| node.disk.map(|disk| of(disk) as i64);
    let values: [Value; 12] = [
        node.name.clone().into(),
        node.version.clone().into(),
        node.build.clone().into(),
        node.started_at.0.into(),
        node.seen_at.0.into(),
        node.bundle.as_ref().map(|id| id.as_str().to_owned()).into(),
        node.data_date.clone().into(),
        node.region_state.clone().into(),
        node.region_percent.map(i16::from).into(),
        node.region_problem.clone().into(),
        bytes(|disk| disk.0).into(),
        bytes(|disk| disk.1).into(),
    ];
    execute(tx, sql, values).await?;
    Ok(())
}

/// All servers that wrote since an instant, by name.
pub async fn list(db: &impl Connection, since: Instant) -> Result<Vec<Node>, StoreError> {
    let sql = "SELECT name, version, build, started_at, seen_at, bundle, data_date, region_state, region_percent,
        region_problem, disk_free, disk_total FROM node WHERE seen_at >= $1 ORDER BY name";
    let rows = all(db, sql, [since.0.into()]).await?;
    let nodes = rows.iter().map(|row| {
        let (free, total): (Option<i64>, Option<i64>) = (get(row, "disk_free")?, get(row, "disk_total")?);
        Ok(Node {
            name: get(row, "name")?,
            version: get(row, "version")?,
            build: get(row, "build")?,
            started_at: Instant(get(row, "started_at")?),
            seen_at: Instant(get(row, "seen_at")?),
            bundle: get::<Option<String>>(row, "bundle")?.and_then(|text| BundleId::parse(&text)),
            data_date: get(row, "data_date")?,
            region_state: get(row, "region_state")?,
            region_percent: get::<Option<i16>>(row, "region_percent")?.map(|percent| percent.clamp(0, 100) as u8),
            region_problem: get(row, "region_problem")?,
            disk: free.zip(total).map(|(free, total)| (free.max(0) as u64, total.max(0) as u64)),
        })
    });
    nodes.collect()
}

/// Forgets a server that stopped.
pub async fn remove(tx: &Tx, name: &str) -> Result<(), StoreError> {
    execute(tx, "DELETE FROM node WHERE name = $1", [name.into()]).await?;
    Ok(())
}

/// Forgets the servers that have not written since an instant.
pub async fn forget_before(tx: &Tx, before: Instant) -> Result<(), StoreError> {
    execute(tx, "DELETE FROM node WHERE seen_at < $1", [before.0.into()]).await?;
    Ok(())
}
