//! The table of jobs (decision 0042), and what waited in the queues that it replaces.

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

// sealed: the part of a payload that holds secrets or addresses of people; erased once the job is done.
// again: it was enqueued once more while it ran. lease: how often a server took it; each write of a server carries it.
// No foreign keys: a job outlives its white-label and the user who asked for it.
pub(super) const UP: &str = r#"
CREATE TABLE job (
  id {id},
  kind TEXT NOT NULL,
  version BIGINT NOT NULL,
  payload TEXT NOT NULL,
  sealed {bytes},
  unique_key TEXT,
  white_label_id BIGINT,
  asked_by BIGINT,
  state TEXT NOT NULL,
  priority BIGINT NOT NULL DEFAULT 0,
  run_after BIGINT NOT NULL,
  attempts BIGINT NOT NULL DEFAULT 0,
  max_attempts BIGINT NOT NULL,
  again SMALLINT NOT NULL DEFAULT 0,
  cancel SMALLINT NOT NULL DEFAULT 0,
  lease BIGINT NOT NULL DEFAULT 0,
  lease_until BIGINT,
  node TEXT,
  done BIGINT,
  total BIGINT,
  reason TEXT,
  created_at BIGINT NOT NULL,
  started_at BIGINT,
  finished_at BIGINT
);
CREATE UNIQUE INDEX job_unique ON job (kind, unique_key) WHERE unique_key IS NOT NULL AND state IN ('waiting', 'running');
CREATE INDEX job_waiting ON job (run_after) WHERE state = 'waiting';
CREATE INDEX job_running ON job (lease_until) WHERE state = 'running';
CREATE INDEX job_finished ON job (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX job_white_label ON job (white_label_id, id);

-- When each white-label was last served, per kind: the numbers grow, the lowest is served next.
CREATE TABLE job_turn (
  kind TEXT NOT NULL,
  white_label_id BIGINT NOT NULL,
  turn BIGINT NOT NULL,
  PRIMARY KEY (kind, white_label_id)
);

-- Key of the file of a batch: another one for each making.
ALTER TABLE roadbook_batch ADD COLUMN file TEXT;

INSERT INTO job (kind, version, payload, unique_key, asked_by, state, run_after, max_attempts, done, created_at)
SELECT 'roadbook_batch', 1, '{"batch":' || id || '}', CAST(id AS TEXT), asked_by, 'waiting', created_at, 5, done, created_at
FROM roadbook_batch WHERE state = 'running';

INSERT INTO job (kind, version, payload, unique_key, white_label_id, state, run_after, max_attempts, created_at)
SELECT 'media_sizes', 1, '{"media":' || m.media_id || '}', CAST(m.media_id AS TEXT), n.white_label_id, 'waiting', 0, 5, 0
FROM media_made m JOIN media n ON n.id = m.media_id WHERE m.state = 1;
DROP INDEX media_made_waiting;
"#;
