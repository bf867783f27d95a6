//! The list of parcours in the order of their creation, and of their display priority.

use sea_orm_migration::prelude::*;

use super::run_script;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Indexes are made concurrently, which no transaction may do.
    fn use_transaction(&self) -> Option<bool> {
        Some(false)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        run_script(manager, UP).await
    }
}

// An index that a server began and did not finish is made again. Each index holds whose a row is, so that a page is walked to without its rows.
pub(super) const UP: &str = r"
postgres: DROP INDEX CONCURRENTLY IF EXISTS parcours_by_created;
postgres: CREATE INDEX CONCURRENTLY parcours_by_created ON parcours (progress, created_at, id, white_label_id, shared);
postgres: DROP INDEX CONCURRENTLY IF EXISTS parcours_by_priority;
postgres: CREATE INDEX CONCURRENTLY parcours_by_priority ON parcours (progress, priority, id, white_label_id, shared);
sqlite: CREATE INDEX IF NOT EXISTS parcours_by_created ON parcours (progress, created_at, id, white_label_id, shared);
sqlite: CREATE INDEX IF NOT EXISTS parcours_by_priority ON parcours (progress, priority, id, white_label_id, shared);
";
