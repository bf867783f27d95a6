//! Users can switch off shortcuts of a single letter (WCAG 2.1.4).

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

pub(super) const UP: &str = r#"
ALTER TABLE "user" ADD COLUMN single_keys BOOLEAN NOT NULL DEFAULT TRUE;
"#;
