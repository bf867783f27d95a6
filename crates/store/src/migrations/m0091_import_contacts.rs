//! Which contact here is which information desk of a source.

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

// number: by which its source knows it. contact_id: 0 for a desk that cannot be taken. digest: checksum of what came. applied: checksum of
// what was last written into each field. run_id: the run that made the contact; null for one that was here before.
pub(super) const UP: &str = r"
CREATE TABLE import_contact (
  source_id BIGINT NOT NULL,
  number TEXT NOT NULL,
  contact_id BIGINT NOT NULL,
  digest TEXT NOT NULL,
  applied TEXT NOT NULL,
  run_id BIGINT,
  PRIMARY KEY (source_id, number)
);
";
