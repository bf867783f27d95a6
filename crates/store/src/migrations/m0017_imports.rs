//! Route imports: sources, their runs, what each run reported, and which items of each source have which parcours.

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

// import_run: `page` and `at` are how far it came; `seq` grows with each step, so that of two servers at work one wins.
// import_item: `digest` is of the bytes as they came, `recipe` of what was done with them; `applied` holds the checksum of what
// the import last wrote into each field, so that what was edited here is known; `waits` 1: to be laid on the network.
pub(super) const UP: &str = r"
CREATE TABLE import_source (
  id {id},
  white_label_id BIGINT NOT NULL REFERENCES white_label (id),
  sort_title TEXT NOT NULL,
  kind TEXT NOT NULL,
  schedule TEXT NOT NULL,
  version BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  updated_by BIGINT
);
CREATE INDEX import_source_by_owner ON import_source (white_label_id, sort_title);

CREATE TABLE import_run (
  id {id},
  source_id BIGINT NOT NULL,
  white_label_id BIGINT NOT NULL,
  mode TEXT NOT NULL,
  state TEXT NOT NULL,
  phase TEXT NOT NULL,
  of_run BIGINT,
  asked_by BIGINT,
  recipe TEXT NOT NULL,
  since TEXT,
  page TEXT NOT NULL DEFAULT '',
  page_sum TEXT NOT NULL DEFAULT '',
  at BIGINT NOT NULL DEFAULT 0,
  seq BIGINT NOT NULL DEFAULT 0,
  total BIGINT,
  counts TEXT NOT NULL,
  failure TEXT,
  etag TEXT,
  last_modified TEXT,
  cancel SMALLINT NOT NULL DEFAULT 0,
  started_at BIGINT NOT NULL,
  finished_at BIGINT,
  undone_at BIGINT
);
CREATE INDEX import_run_by_source ON import_run (source_id, id);
CREATE INDEX import_run_at_work ON import_run (id) WHERE state = 'running';

CREATE TABLE import_line (
  id {id},
  run_id BIGINT NOT NULL REFERENCES import_run (id) ON DELETE CASCADE,
  item TEXT NOT NULL,
  outcome TEXT NOT NULL,
  title TEXT NOT NULL,
  parcours_id BIGINT,
  notes TEXT NOT NULL,
  changes TEXT NOT NULL,
  undo TEXT
);
CREATE INDEX import_line_by_run ON import_line (run_id, outcome, id);
CREATE INDEX import_line_by_item ON import_line (run_id, item);

CREATE TABLE import_item (
  source_id BIGINT NOT NULL,
  item TEXT NOT NULL,
  state TEXT NOT NULL,
  parcours_id BIGINT,
  candidate_id BIGINT,
  digest TEXT NOT NULL,
  recipe TEXT NOT NULL,
  applied TEXT NOT NULL,
  locked TEXT NOT NULL,
  trace_revision BIGINT,
  media TEXT NOT NULL,
  waits SMALLINT NOT NULL DEFAULT 0,
  PRIMARY KEY (source_id, item)
);
CREATE INDEX import_item_by_parcours ON import_item (parcours_id);
CREATE INDEX import_item_by_state ON import_item (source_id, state);
CREATE INDEX import_item_waiting ON import_item (waits, source_id) WHERE waits > 0;

CREATE TABLE import_word (
  source_id BIGINT NOT NULL,
  list TEXT NOT NULL,
  word TEXT NOT NULL,
  label TEXT NOT NULL,
  PRIMARY KEY (source_id, list, word)
);

CREATE TABLE import_field (
  source_id BIGINT NOT NULL,
  name TEXT NOT NULL,
  sample TEXT NOT NULL,
  PRIMARY KEY (source_id, name)
);

CREATE TABLE import_media (
  white_label_id BIGINT NOT NULL,
  url TEXT NOT NULL,
  media_id BIGINT NOT NULL,
  PRIMARY KEY (white_label_id, url)
);
";
