//! Children of another white-label: what the owner of the parent decided of each. A pair without a row waits, those that exist
//! already too; a pair of one owner needs none. Documents and sounds are looked at again: their public copies lose their notes.

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
CREATE TABLE parcours_child_decision (
  parent_id BIGINT NOT NULL,
  child_id BIGINT NOT NULL,
  accepted SMALLINT NOT NULL,
  decided_at BIGINT NOT NULL,
  decided_by BIGINT,
  PRIMARY KEY (parent_id, child_id)
sqlite: ) WITHOUT ROWID;
postgres: );
CREATE INDEX parcours_child_decision_by_child ON parcours_child_decision (child_id, parent_id);
CREATE INDEX parcours_child_decision_by_time ON parcours_child_decision (decided_at);

-- 1 is `MediaState::Processing`: the worker takes what waits.
UPDATE media_made SET state = 1 WHERE state = 0 AND media_id IN (SELECT id FROM media WHERE kind IN ('pdf', 'audio'));
";
