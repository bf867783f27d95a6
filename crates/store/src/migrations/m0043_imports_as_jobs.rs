//! Runs of sources, the lines of imported parcours and the pictures of tourist records become jobs (decision 0042).

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

// source_kind: 13 a source of routes, 14 one of tourist records.
pub(super) const UP: &str = r#"
INSERT INTO job (kind, version, payload, unique_key, white_label_id, asked_by, state, run_after, max_attempts, total, created_at)
SELECT 'import_run', 1, '{"run":' || id || '}', CAST(id AS TEXT), white_label_id, asked_by, 'waiting', started_at, 8, total, started_at
FROM import_run WHERE state = 'running';
DROP INDEX import_run_at_work;
ALTER TABLE import_run DROP COLUMN seq;

INSERT INTO job (kind, version, payload, unique_key, white_label_id, state, run_after, max_attempts, created_at)
SELECT 'import_refresh', 1, '{"kind":"import_source","source":' || id || '}', 'import_source/' || id, white_label_id, 'waiting', 0, 8, 0
FROM import_source WHERE schedule <> 'never' AND id IN (SELECT source_id FROM import_run WHERE source_kind = 13 AND mode = 'real');
INSERT INTO job (kind, version, payload, unique_key, white_label_id, state, run_after, max_attempts, created_at)
SELECT 'import_refresh', 1, '{"kind":"sit_source","source":' || id || '}', 'sit_source/' || id, white_label_id, 'waiting', 0, 8, 0
FROM sit_source WHERE schedule <> 'never' AND id IN (SELECT source_id FROM import_run WHERE source_kind = 14 AND mode = 'real');

INSERT INTO job (kind, version, payload, unique_key, white_label_id, state, priority, run_after, max_attempts, created_at)
SELECT 'import_match', 1, '{"source":' || i.source_id || '}', CAST(i.source_id AS TEXT), s.white_label_id, 'waiting', 1, 0, 8, 0
FROM (SELECT DISTINCT source_id FROM import_item WHERE waits > 0) i LEFT JOIN import_source s ON s.id = i.source_id;

INSERT INTO job (kind, version, payload, unique_key, white_label_id, state, run_after, max_attempts, created_at)
SELECT 'sit_pictures', 1, '{"record":' || id || '}', CAST(id AS TEXT), white_label_id, 'waiting', 0, 5, 0
FROM sit_record WHERE wants_media > 0;
DROP INDEX sit_record_wanting;
"#;
