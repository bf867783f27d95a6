//! Points of interest by place on PostgreSQL: by strips of longitude, and within a strip by latitude (`store::poi`).

use sea_orm_migration::prelude::*;

use super::run_script;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// The index is made concurrently, which no transaction may do.
    fn use_transaction(&self) -> Option<bool> {
        Some(false)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        run_script(manager, UP).await
    }
}

// An index that a server began and did not finish is made again. Besides the place it holds all that decides who sees a row.
pub(super) const UP: &str = r"
postgres: DROP INDEX CONCURRENTLY IF EXISTS poi_by_strip;
postgres: CREATE INDEX CONCURRENTLY poi_by_strip ON poi ((x / 20000), y, x, white_label_id, published, id);
postgres: ANALYZE poi;
";
