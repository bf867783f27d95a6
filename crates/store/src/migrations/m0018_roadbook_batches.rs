//! Roadbooks printed many at once.

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

// done: how many of wanted are in items, so that two servers never print the same one twice.
pub(super) const UP: &str = r#"
CREATE TABLE roadbook_batch (
  id {id},
  asked_by BIGINT NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
  state TEXT NOT NULL,
  wanted TEXT NOT NULL,
  items TEXT NOT NULL,
  done BIGINT NOT NULL,
  size_bytes BIGINT,
  created_at BIGINT NOT NULL,
  finished_at BIGINT
);
CREATE INDEX roadbook_batch_of ON roadbook_batch (asked_by, id);
"#;
