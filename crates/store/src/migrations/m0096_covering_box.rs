//! On PostgreSQL, the index of the boxes of parcours also stores the number of each parcours. A query for a box then reads the index only, and not the
//! table.

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

// An index that a server began and did not finish is made again. Servers of the version before use the new index as they did the old one.
pub(super) const UP: &str = r"
postgres: DROP INDEX CONCURRENTLY IF EXISTS parcours_box_covering;
postgres: CREATE INDEX CONCURRENTLY parcours_box_covering ON parcours_box USING gist (extent) INCLUDE (id);
postgres: DROP INDEX CONCURRENTLY IF EXISTS parcours_box_by_place;
";
