//! The servers of this database and what each says of itself, and the last backup.

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

// node: one row for each server process, written again every few seconds; its name is that of the table of jobs.
// backup_made: one row, the last backup that `jalon backup create` made.
pub(super) const UP: &str = r"
CREATE TABLE node (
  name TEXT PRIMARY KEY,
  version TEXT NOT NULL,
  build TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  seen_at BIGINT NOT NULL,
  bundle TEXT,
  data_date TEXT,
  region_state TEXT NOT NULL,
  region_percent SMALLINT,
  region_problem TEXT,
  disk_free BIGINT,
  disk_total BIGINT
);
CREATE TABLE backup_made (
  id SMALLINT PRIMARY KEY CHECK (id = 1),
  file TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  blobs BIGINT NOT NULL,
  missing BIGINT NOT NULL,
  made_at BIGINT NOT NULL
);
";
