//! The way that was walked, of an entry from the ground.

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

// ground_entry.track: `[[longitude, latitude], …]`; null for an entry that is no track. Lists do not read it.
pub(super) const UP: &str = r"
ALTER TABLE ground_entry ADD COLUMN track TEXT;
";
