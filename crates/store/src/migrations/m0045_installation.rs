//! What all servers of this database must agree on: the name of the key that seals secrets.

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

// One row. server_key: the name of the key (64 bits derived from it), never the key.
pub(super) const UP: &str = r"
CREATE TABLE installation (
  id SMALLINT PRIMARY KEY CHECK (id = 1),
  server_key TEXT NOT NULL,
  written_at BIGINT NOT NULL
);
";
