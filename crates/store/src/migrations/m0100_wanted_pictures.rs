//! The tourist records of a source that still want pictures: each of its runs asks for them.

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

// An index that a server began and did not finish is made again. `m0043_imports_as_jobs` dropped another one of this name.
pub(super) const UP: &str = r"
postgres: DROP INDEX CONCURRENTLY IF EXISTS sit_record_wanting;
postgres: CREATE INDEX CONCURRENTLY sit_record_wanting ON sit_record (source_id) WHERE wants_media > 0;
sqlite: CREATE INDEX IF NOT EXISTS sit_record_wanting ON sit_record (source_id) WHERE wants_media > 0;
";
