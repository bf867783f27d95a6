//! The network watch: runs that score everything again, and what they found.

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

pub(super) const UP: &str = r"
CREATE TABLE watch_run (
  id {id},
  state TEXT NOT NULL,
  forced SMALLINT NOT NULL,
  asked_by BIGINT,
  before_name TEXT, before_engine TEXT, before_date TEXT, before_checksum TEXT,
  after_name TEXT NOT NULL, after_engine TEXT, after_date TEXT, after_checksum TEXT,
  last_id BIGINT NOT NULL DEFAULT 0,
  total BIGINT NOT NULL,
  scored BIGINT NOT NULL DEFAULT 0,
  failed BIGINT NOT NULL DEFAULT 0,
  started_at BIGINT NOT NULL,
  finished_at BIGINT
);

-- points: how far apart the scores are, in thousandths, for the order of the list.
CREATE TABLE watch_change (
  id {id},
  run_id BIGINT NOT NULL REFERENCES watch_run (id) ON DELETE CASCADE,
  parcours_id BIGINT NOT NULL REFERENCES parcours (id) ON DELETE CASCADE,
  turn SMALLINT NOT NULL,
  points BIGINT NOT NULL,
  before_score TEXT NOT NULL,
  after_score TEXT NOT NULL,
  before_revision BIGINT NOT NULL,
  after_revision BIGINT NOT NULL,
  stretches TEXT NOT NULL,
  at BIGINT NOT NULL,
  seen_at BIGINT,
  seen_by BIGINT
);
CREATE INDEX watch_change_by_parcours ON watch_change (parcours_id, after_revision);
CREATE INDEX watch_change_by_run ON watch_change (run_id, turn);
CREATE INDEX watch_change_unseen ON watch_change (turn, parcours_id) WHERE seen_at IS NULL;
";
