//! The bytes of uploads are blobs and how far an upload is is in its row, so that pieces may arrive at any server.

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

// received: the bytes that came. finishing_until: a server makes the media and has until then.
// stored: 0 while a request writes the blob, 1 once the piece belongs to the upload. No foreign key: the blob outlives the row
// of its upload until it is deleted.
pub(super) const UP: &str = r"
ALTER TABLE upload ADD COLUMN received BIGINT NOT NULL DEFAULT 0;
ALTER TABLE upload ADD COLUMN finishing_until BIGINT NOT NULL DEFAULT 0;
CREATE TABLE upload_piece (
  blob_key TEXT PRIMARY KEY,
  token TEXT NOT NULL,
  first_byte BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  stored BIGINT NOT NULL,
  announced_at BIGINT NOT NULL
);
CREATE INDEX upload_piece_of ON upload_piece (token, first_byte);
";
