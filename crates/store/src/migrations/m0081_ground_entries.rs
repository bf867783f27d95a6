//! Entries that people make on the ground and send later.

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

// `id` is the UUID that the device made. `body` is what the entry says, `media_ids` a JSON list of numbers.
// `made_at` is corrected by the server's clock. `result_kind` (poi, field_report) and `result_id` are what was made from it.
pub(super) const UP: &str = r"
CREATE TABLE ground_entry (
  id TEXT PRIMARY KEY,
  white_label_id BIGINT NOT NULL REFERENCES white_label (id) ON DELETE CASCADE,
  parcours_id BIGINT,
  user_id BIGINT NOT NULL,
  kind TEXT NOT NULL,
  made_at BIGINT NOT NULL,
  received_at BIGINT NOT NULL,
  lon DOUBLE PRECISION,
  lat DOUBLE PRECISION,
  accuracy_m DOUBLE PRECISION,
  body TEXT NOT NULL,
  media_ids TEXT NOT NULL,
  result_kind TEXT,
  result_id BIGINT,
  reviewed_at BIGINT,
  reviewed_by BIGINT
);
CREATE INDEX ground_entry_by_white_label ON ground_entry (white_label_id, received_at);
CREATE INDEX ground_entry_waiting ON ground_entry (white_label_id, received_at) WHERE reviewed_at IS NULL;
CREATE INDEX ground_entry_by_parcours ON ground_entry (parcours_id, received_at);
";
