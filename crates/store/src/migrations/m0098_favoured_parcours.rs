//! The published parcours with a display priority above normal, in the order in which sites and widgets show them first.

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

// An index that a server began and did not finish is made again.
pub(super) const UP: &str = r"
postgres: DROP INDEX CONCURRENTLY IF EXISTS parcours_favoured;
postgres: CREATE INDEX CONCURRENTLY parcours_favoured ON parcours (white_label_id, priority DESC, id) WHERE published = 1 AND priority > 0;
sqlite: CREATE INDEX IF NOT EXISTS parcours_favoured ON parcours (white_label_id, priority DESC, id) WHERE published = 1 AND priority > 0;
";
