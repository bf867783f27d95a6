//! What waits in the queues that became jobs (decision 0042), and the claims of paid calls.

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

// paid_call: what is being paid for now. subject: a sentence, or a text that a voice reads, by its checksum. job_id and lease: the
// job that pays; without a job, lease is a random number of a request.
pub(super) const UP: &str = r#"
CREATE TABLE paid_call (
  subject TEXT PRIMARY KEY,
  job_id BIGINT,
  lease BIGINT NOT NULL,
  until BIGINT NOT NULL
);
CREATE INDEX paid_call_until ON paid_call (until);

INSERT INTO job (kind, version, payload, unique_key, white_label_id, asked_by, state, run_after, max_attempts, total, created_at)
SELECT 'translation', 1, '{"translation":' || id || '}', CAST(id AS TEXT), white_label_id, asked_by, 'waiting',
  CASE WHEN cancel = 1 THEN started_at ELSE wait_until END, 8, total, started_at
FROM translation_job WHERE state = 'running';
DROP INDEX translation_job_at_work;
ALTER TABLE translation_job DROP COLUMN seq;

INSERT INTO job (kind, version, payload, unique_key, white_label_id, asked_by, state, run_after, max_attempts, total, created_at)
SELECT 'audio_speech', 1, '{"speech":' || a.id || '}', CAST(a.id AS TEXT), p.white_label_id, a.asked_by, 'waiting', a.started_at, 8,
  a.total, a.started_at
FROM audio_job a LEFT JOIN parcours p ON p.id = a.parcours_id WHERE a.state = 'running';
DROP INDEX audio_job_at_work;
ALTER TABLE audio_job DROP COLUMN seq;

INSERT INTO job (kind, version, payload, unique_key, white_label_id, asked_by, state, run_after, max_attempts, created_at)
SELECT 'transport_run', 1, '{"run":' || id || '}', CAST(id AS TEXT), white_label_id, asked_by, 'waiting', started_at, 8, started_at
FROM transport_run WHERE state = 'running';
INSERT INTO job (kind, version, payload, unique_key, white_label_id, state, run_after, max_attempts, created_at)
SELECT 'transport_refresh', 1, '{"feed":' || id || '}', CAST(id AS TEXT), white_label_id, 'waiting', 0, 8, 0
FROM transport_feed WHERE schedule <> 'never' AND id IN (SELECT feed_id FROM transport_run);
DROP INDEX transport_run_at_work;
ALTER TABLE transport_run DROP COLUMN seq;

INSERT INTO job (kind, version, payload, unique_key, asked_by, state, run_after, max_attempts, done, total, created_at)
SELECT 'network_watch', 1, '{"run":' || id || '}', CAST(id AS TEXT), asked_by, 'waiting', started_at, 8, scored, total, started_at
FROM watch_run WHERE state = 'running';
"#;
