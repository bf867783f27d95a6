//! What the check of stored traces found, and of which state of each parcours.

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

pub(super) const UP: &str = r"
CREATE TABLE trace_check (
  parcours_id BIGINT NOT NULL PRIMARY KEY REFERENCES parcours (id) ON DELETE CASCADE,
  version BIGINT NOT NULL,
  trace_revision BIGINT NOT NULL,
  faults TEXT
);
CREATE INDEX trace_check_faulty ON trace_check (parcours_id) WHERE faults IS NOT NULL;
";
