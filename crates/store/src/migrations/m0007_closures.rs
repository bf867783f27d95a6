//! Why something is closed, for lists that ask for it.

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
ALTER TABLE closure ADD COLUMN kind TEXT NOT NULL DEFAULT 'other';
";
