//! Deleted parcours that other white-labels had added: their feeds list them as removed.

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

// white_label_id: one that had added the parcours, not its owner. A parcours that is deleted again has its last day.
pub(super) const UP: &str = r"
CREATE TABLE parcours_deleted_elsewhere (
  white_label_id BIGINT NOT NULL,
  parcours_id BIGINT NOT NULL,
  deleted_at BIGINT NOT NULL,
  PRIMARY KEY (white_label_id, parcours_id)
);
";
