//! The settings of the roadbook of a parcours.

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

// No reference to the parcours: a deleted one leaves its roadbook, as its revisions, for the day it comes back.
pub(super) const UP: &str = r"
CREATE TABLE roadbook (
  parcours_id BIGINT PRIMARY KEY,
  version BIGINT NOT NULL,
  settings TEXT NOT NULL,
  updated_at BIGINT NOT NULL,
  updated_by BIGINT
);
";
