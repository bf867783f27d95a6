//! How often a share was opened, and whether its QR code was downloaded, so that it may be printed on paper.

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
ALTER TABLE parcours_share ADD COLUMN opened BIGINT NOT NULL DEFAULT 0;
ALTER TABLE parcours_share ADD COLUMN qr_taken_at BIGINT;
";
