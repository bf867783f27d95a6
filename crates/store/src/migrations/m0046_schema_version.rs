//! Which version the tables have, and the oldest version of Jalon that may run on them (decision 0051).

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

// One row. version: the number of the newest step that was run. oldest_binary: the number of the newest step that a binary must know
// to run on these tables.
pub(super) const UP: &str = r"
CREATE TABLE schema_version (
  id SMALLINT PRIMARY KEY CHECK (id = 1),
  version BIGINT NOT NULL,
  oldest_binary BIGINT NOT NULL
);
";
