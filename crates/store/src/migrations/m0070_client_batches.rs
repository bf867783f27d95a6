//! Batches of roadbooks of client files.

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

// client_files: their numbers, one for each parcours of `wanted`; NULL where roadbooks of parcours are printed.
pub(super) const UP: &str = r"
ALTER TABLE roadbook_batch ADD COLUMN client_files TEXT;
";
