//! Which POI here is which one of a source.

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

// number: by which its source knows it. digest: checksum of what came. applied: checksum of what was last written into each field.
pub(super) const UP: &str = r"
CREATE TABLE import_poi (
  source_id BIGINT NOT NULL,
  number TEXT NOT NULL,
  poi_id BIGINT NOT NULL,
  digest TEXT NOT NULL,
  applied TEXT NOT NULL,
  PRIMARY KEY (source_id, number)
);
";
