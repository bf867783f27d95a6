//! The writing assistant: which model a white-label asks, and what it cost.

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

// assistant_setting: `api_key` is sealed. assistant_use: one row a text, without the text; `month` is `2026-11`.
pub(super) const UP: &str = r"
CREATE TABLE assistant_setting (
  white_label_id BIGINT PRIMARY KEY REFERENCES white_label (id) ON DELETE CASCADE,
  enabled SMALLINT NOT NULL DEFAULT 0,
  base_url TEXT,
  model TEXT,
  api_key {bytes},
  key_hint TEXT,
  monthly_tokens BIGINT
);

CREATE TABLE assistant_use (
  id {id},
  white_label_id BIGINT NOT NULL,
  user_id BIGINT NOT NULL,
  month TEXT NOT NULL,
  task TEXT NOT NULL,
  model TEXT NOT NULL,
  tokens BIGINT NOT NULL,
  duration_ms BIGINT NOT NULL,
  made_at BIGINT NOT NULL
);
CREATE INDEX assistant_use_by_month ON assistant_use (white_label_id, month);
";
