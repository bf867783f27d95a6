//! Regions that are published to all servers (decision 0054), and the bundle that a run of the network watch belongs to.

use sea_orm_migration::prelude::*;

use super::run_script;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        run_script(manager, UP).await
    }
}

// region_bundle: noted before its files are stored, complete (published_at) once they are. manifest: names, sums and sizes of the
// files, whose SHA-256 is the id. network_…: the planner's network in it, as the watch knows it.
// region_current: one row; number grows whenever a bundle is published or taken again.
pub(super) const UP: &str = r"
CREATE TABLE region_bundle (
  id TEXT PRIMARY KEY,
  manifest TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  network_name TEXT NOT NULL, network_engine TEXT, network_date TEXT, network_checksum TEXT,
  noted_at BIGINT NOT NULL,
  published_at BIGINT
);
CREATE TABLE region_current (
  id SMALLINT PRIMARY KEY CHECK (id = 1),
  bundle TEXT NOT NULL REFERENCES region_bundle (id),
  number BIGINT NOT NULL,
  set_at BIGINT NOT NULL
);
ALTER TABLE watch_run ADD COLUMN bundle TEXT;
";
