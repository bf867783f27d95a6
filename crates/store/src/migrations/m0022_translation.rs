//! Translation: the services, what they said before, who made which words, and jobs over many sheets.

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

// translator: `api_key` is sealed; `own_chars` is what we sent, `used_chars` and `limit_chars` what the service says.
// text_mark: the words of a field that were not written by a person, known by their checksum: edited words have none.
// translation_job: `wanted` holds numbers, or nothing for all of a white-label; `at` is how far it came in them.
pub(super) const UP: &str = r"
CREATE TABLE translator (
  id {id},
  sort_title TEXT NOT NULL,
  service TEXT NOT NULL,
  is_default SMALLINT NOT NULL,
  api_key {bytes},
  key_hint TEXT,
  checked_at BIGINT,
  check_code TEXT,
  used_chars BIGINT,
  limit_chars BIGINT,
  own_chars BIGINT NOT NULL DEFAULT 0,
  version BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  updated_by BIGINT
);

CREATE TABLE translation_memory (
  sentence TEXT PRIMARY KEY,
  words TEXT NOT NULL,
  detected TEXT,
  made_at BIGINT NOT NULL
);

CREATE TABLE text_mark (
  kind SMALLINT NOT NULL,
  id BIGINT NOT NULL,
  field TEXT NOT NULL,
  language TEXT NOT NULL,
  words_sum TEXT NOT NULL,
  origin TEXT NOT NULL,
  source_language TEXT NOT NULL,
  source_sum TEXT NOT NULL,
  made_at BIGINT NOT NULL,
  PRIMARY KEY (kind, id, field, language, words_sum)
);

CREATE TABLE translation_job (
  id {id},
  white_label_id BIGINT NOT NULL,
  asked_by BIGINT NOT NULL,
  kind SMALLINT NOT NULL,
  source TEXT NOT NULL,
  target TEXT NOT NULL,
  state TEXT NOT NULL,
  wanted TEXT,
  agency SMALLINT NOT NULL,
  at BIGINT NOT NULL DEFAULT 0,
  seq BIGINT NOT NULL DEFAULT 0,
  total BIGINT NOT NULL,
  counts TEXT NOT NULL,
  failure TEXT,
  cancel SMALLINT NOT NULL DEFAULT 0,
  wait_until BIGINT NOT NULL DEFAULT 0,
  started_at BIGINT NOT NULL,
  finished_at BIGINT
);
CREATE INDEX translation_job_at_work ON translation_job (id) WHERE state = 'running';
CREATE INDEX translation_job_of ON translation_job (white_label_id, id);

CREATE TABLE translation_job_line (
  id {id},
  job_id BIGINT NOT NULL REFERENCES translation_job (id) ON DELETE CASCADE,
  record_id BIGINT NOT NULL,
  outcome TEXT NOT NULL,
  title TEXT NOT NULL,
  fields TEXT NOT NULL,
  notes TEXT NOT NULL
);
CREATE INDEX translation_job_line_of ON translation_job_line (job_id, outcome, id);
";
