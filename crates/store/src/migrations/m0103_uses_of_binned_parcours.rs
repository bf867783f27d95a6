//! What used a parcours in the bin: its children, its copies and the white-labels that had added it. Other records keep it in the body.

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

// JSON. A column of its own: servers of the version before read the body of a parcours as a number.
pub(super) const UP: &str = r"
ALTER TABLE bin ADD COLUMN former_uses TEXT;
";
