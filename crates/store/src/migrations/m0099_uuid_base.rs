//! The address from which UUIDs of records are made in feeds: the `public_url` may change, they may not.

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

// uuid_base: the first public_url with which a server started; null before.
pub(super) const UP: &str = r"
ALTER TABLE installation ADD COLUMN uuid_base TEXT;
";
