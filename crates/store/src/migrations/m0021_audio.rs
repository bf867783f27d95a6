//! Audio walks: one of a parcours in a language; the sounds that voices made, and the making of them.

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

// No reference to the parcours: a deleted one leaves its walks for the day it comes back.
// audio_walk: `sounds` are the media it is heard with, its own and those a voice made.
// audio_clip: what a voice said, by the checksum of all that its sound depends on.
pub(super) const UP: &str = r"
CREATE TABLE audio_walk (
  parcours_id BIGINT NOT NULL,
  language TEXT NOT NULL,
  version BIGINT NOT NULL,
  enabled SMALLINT NOT NULL,
  walk TEXT NOT NULL,
  sounds TEXT NOT NULL,
  updated_at BIGINT NOT NULL,
  updated_by BIGINT,
  PRIMARY KEY (parcours_id, language)
);

CREATE TABLE audio_clip (
  sum TEXT PRIMARY KEY,
  media_id BIGINT NOT NULL,
  made_at BIGINT NOT NULL
);
CREATE INDEX audio_clip_by_media ON audio_clip (media_id);

CREATE TABLE audio_job (
  id {id},
  parcours_id BIGINT NOT NULL,
  language TEXT NOT NULL,
  asked_by BIGINT NOT NULL,
  state TEXT NOT NULL,
  done BIGINT NOT NULL DEFAULT 0,
  total BIGINT NOT NULL,
  failure TEXT,
  cancel SMALLINT NOT NULL DEFAULT 0,
  seq BIGINT NOT NULL DEFAULT 0,
  started_at BIGINT NOT NULL,
  finished_at BIGINT
);
CREATE INDEX audio_job_of ON audio_job (parcours_id, language, id);
CREATE INDEX audio_job_at_work ON audio_job (id) WHERE state = 'running';
";
