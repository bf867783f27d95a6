//! The journal of user actions. Its rows are written once: triggers refuse changes, and deletions before their time is over.

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

// structure_id: whose administrators read the event, which is the record's structure, else the person's. No foreign keys: an
// event outlives the person and the record it names. audit_retention.erase_before is moved by the erasing alone; rows from that
// instant on cannot be deleted.
pub(super) const UP: &str = r"
CREATE TABLE audit_event (
  id {id},
  at BIGINT NOT NULL,
  actor_id BIGINT,
  structure_id BIGINT,
  white_label_id BIGINT,
  network TEXT,
  action TEXT NOT NULL,
  kind SMALLINT,
  record_id BIGINT,
  outcome TEXT NOT NULL,
  detail TEXT,
  request_id TEXT NOT NULL
);
CREATE INDEX audit_event_at ON audit_event (at);
CREATE INDEX audit_event_by_structure ON audit_event (structure_id, id);
CREATE INDEX audit_event_by_actor ON audit_event (actor_id, id);
CREATE INDEX audit_event_by_action ON audit_event (action, id);
CREATE INDEX audit_event_by_record ON audit_event (kind, record_id, id);
CREATE INDEX audit_event_not_done ON audit_event (at) WHERE outcome <> 'done';

CREATE TABLE audit_retention (
  id SMALLINT PRIMARY KEY,
  erase_before BIGINT NOT NULL
);
INSERT INTO audit_retention (id, erase_before) VALUES (1, 0);

sqlite: CREATE TRIGGER audit_event_no_update BEFORE UPDATE ON audit_event BEGIN SELECT RAISE(ABORT, 'audit_event is append-only'); END;
sqlite: CREATE TRIGGER audit_event_no_delete BEFORE DELETE ON audit_event WHEN OLD.at >= (SELECT erase_before FROM audit_retention WHERE id = 1) BEGIN SELECT RAISE(ABORT, 'audit_event is append-only'); END;

postgres: CREATE FUNCTION audit_event_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF TG_OP = 'DELETE' AND OLD.at < (SELECT erase_before FROM audit_retention WHERE id = 1) THEN RETURN OLD; END IF; RAISE EXCEPTION 'audit_event is append-only'; END $$;
postgres: CREATE TRIGGER audit_event_append_only BEFORE UPDATE OR DELETE ON audit_event FOR EACH ROW EXECUTE FUNCTION audit_event_append_only();
postgres: CREATE TRIGGER audit_event_no_truncate BEFORE TRUNCATE ON audit_event FOR EACH STATEMENT EXECUTE FUNCTION audit_event_append_only();
";
