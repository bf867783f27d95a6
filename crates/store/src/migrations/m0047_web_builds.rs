//! The files of the last two builds of the web application, for pages that were loaded from another version (decision 0051).

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

// seen_at: when a server of this build last started. packed: 1 where a copy packed with brotli is stored too.
// The bytes are blobs, web/<build>/<path>.
pub(super) const UP: &str = r"
CREATE TABLE web_build (
  id TEXT PRIMARY KEY,
  seen_at BIGINT NOT NULL
);
CREATE TABLE web_file (
  path TEXT NOT NULL,
  build_id TEXT NOT NULL REFERENCES web_build (id) ON DELETE CASCADE,
  mime TEXT NOT NULL,
  etag TEXT NOT NULL,
  packed SMALLINT NOT NULL,
  PRIMARY KEY (path, build_id)
);
CREATE INDEX web_file_build ON web_file (build_id);
";
