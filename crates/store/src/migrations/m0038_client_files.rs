//! Client files: the settings of one client's roadbook that differ from those of the parcours.

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

// No reference to the parcours: a deleted one leaves its client files, as its roadbook, for the day it comes back.
// reference, clients and starts_on are what the list shows, so that it need not read whole files.
pub(super) const UP: &str = r"
CREATE TABLE roadbook_client_file (
  id {id},
  parcours_id BIGINT NOT NULL,
  version BIGINT NOT NULL,
  reference TEXT NOT NULL,
  clients TEXT NOT NULL,
  starts_on TEXT,
  file TEXT NOT NULL,
  updated_at BIGINT NOT NULL,
  updated_by BIGINT
);
CREATE INDEX roadbook_client_file_of ON roadbook_client_file (parcours_id, id);
";
