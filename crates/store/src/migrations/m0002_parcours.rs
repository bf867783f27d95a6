//! Parcours: a narrow row for lists, side tables for what is long, a revision for each save.
//!
//! Flags are 0 or 1, instants are seconds since 1970, JSON is text that is passed through unread.
//! What a parcours points to is checked by the rules that know the codes; what is deleted leaves its revisions behind.

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

pub(super) const UP: &str = r#"
CREATE TABLE parcours (
  id {id},
  white_label_id BIGINT NOT NULL REFERENCES white_label (id),
  version BIGINT NOT NULL,
  published SMALLINT NOT NULL,
  shared SMALLINT NOT NULL,
  progress SMALLINT NOT NULL,
  relation SMALLINT NOT NULL,
  parent_id BIGINT,
  model_id BIGINT,
  practice_type_id BIGINT,
  level_id BIGINT,
  is_loop SMALLINT,
  is_stay SMALLINT,
  priority SMALLINT NOT NULL,
  lacks SMALLINT NOT NULL,
  sqlite: title_sort TEXT NOT NULL,
  postgres: title_sort TEXT COLLATE "C" NOT NULL,
  distance_dm BIGINT NOT NULL,
  reliability_pm SMALLINT NOT NULL,
  reliability_state SMALLINT NOT NULL,
  network BIGINT,
  start_x BIGINT,
  start_y BIGINT,
  trace_revision BIGINT,
  last_step_id BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  updated_by BIGINT
);
CREATE INDEX parcours_by_updated ON parcours (progress, updated_at, id, white_label_id, shared);
CREATE INDEX parcours_by_title ON parcours (progress, title_sort, id, white_label_id, shared);
CREATE INDEX parcours_by_distance ON parcours (progress, distance_dm, id);
CREATE INDEX parcours_by_reliability ON parcours (progress, reliability_pm, id);
CREATE INDEX parcours_by_owner ON parcours (white_label_id, progress, updated_at, id);
CREATE INDEX parcours_by_practice ON parcours (practice_type_id, progress, updated_at, id, white_label_id, shared);
CREATE INDEX parcours_by_level ON parcours (level_id, progress, updated_at, id);
-- Starts on a map, counted without reading a row.
CREATE INDEX parcours_by_start ON parcours (progress, start_x, start_y, white_label_id, shared);
CREATE INDEX parcours_by_share ON parcours (shared, progress, white_label_id);
-- Everything a count asks for, so that counting reads no row.
CREATE INDEX parcours_facts ON parcours (white_label_id, progress, published, shared, practice_type_id, level_id, relation, lacks, reliability_pm);
CREATE INDEX parcours_by_parent ON parcours (parent_id);
CREATE INDEX parcours_by_model ON parcours (model_id);

CREATE TABLE parcours_card (
  sqlite: parcours_id INTEGER PRIMARY KEY,
  postgres: parcours_id BIGINT PRIMARY KEY,
  card TEXT NOT NULL
);

CREATE TABLE parcours_sheet (
  sqlite: parcours_id INTEGER PRIMARY KEY,
  postgres: parcours_id BIGINT PRIMARY KEY,
  sheet TEXT NOT NULL,
  steps TEXT NOT NULL,
  trace TEXT,
  drawing TEXT
);

CREATE TABLE parcours_link (
  kind SMALLINT NOT NULL,
  target_id BIGINT NOT NULL,
  parcours_id BIGINT NOT NULL,
  PRIMARY KEY (kind, target_id, parcours_id)
sqlite: ) WITHOUT ROWID;
postgres: );
CREATE INDEX parcours_link_by_parcours ON parcours_link (parcours_id);

CREATE TABLE parcours_white_label (
  parcours_id BIGINT NOT NULL,
  white_label_id BIGINT NOT NULL,
  published SMALLINT NOT NULL,
  PRIMARY KEY (parcours_id, white_label_id)
sqlite: ) WITHOUT ROWID;
postgres: );
CREATE INDEX parcours_white_label_by_owner ON parcours_white_label (white_label_id, parcours_id);

CREATE TABLE parcours_trace (
  parcours_id BIGINT NOT NULL,
  revision BIGINT NOT NULL,
  summary TEXT NOT NULL,
  drawing TEXT NOT NULL,
  legs TEXT NOT NULL,
  planned_line TEXT,
  source_line TEXT,
  extra TEXT NOT NULL,
  PRIMARY KEY (parcours_id, revision)
);

CREATE TABLE parcours_shape (
  sqlite: parcours_id INTEGER PRIMARY KEY,
  postgres: parcours_id BIGINT PRIMARY KEY,
  line TEXT NOT NULL
);

CREATE TABLE parcours_revision (
  parcours_id BIGINT NOT NULL,
  version BIGINT NOT NULL,
  at BIGINT NOT NULL,
  user_id BIGINT,
  reason TEXT,
  fields TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (parcours_id, version)
);

CREATE TABLE parcours_share (
  id {id},
  parcours_id BIGINT NOT NULL,
  kind TEXT NOT NULL,
  token TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  created_by BIGINT,
  expires_at BIGINT,
  revoked_at BIGINT
);
CREATE UNIQUE INDEX parcours_share_by_token ON parcours_share (token);
CREATE INDEX parcours_share_by_parcours ON parcours_share (parcours_id);

CREATE TABLE parcours_bulk (
  token TEXT PRIMARY KEY,
  user_id BIGINT NOT NULL,
  at BIGINT NOT NULL,
  items TEXT NOT NULL
);

CREATE TABLE parcours_presence (
  parcours_id BIGINT NOT NULL,
  user_id BIGINT NOT NULL,
  since BIGINT NOT NULL,
  seen BIGINT NOT NULL,
  editing SMALLINT NOT NULL,
  PRIMARY KEY (parcours_id, user_id)
sqlite: ) WITHOUT ROWID;
postgres: );

CREATE TABLE parcours_deleted (
  sqlite: parcours_id INTEGER PRIMARY KEY,
  postgres: parcours_id BIGINT PRIMARY KEY,
  white_label_id BIGINT NOT NULL,
  version BIGINT NOT NULL,
  deleted_at BIGINT NOT NULL,
  deleted_by BIGINT
);

-- The words are folded before they come here, so that both databases find alike. Of the text itself nothing is kept.
sqlite: CREATE VIRTUAL TABLE parcours_search USING fts5(words, content='', contentless_delete=1, tokenize='unicode61', prefix='2 3');
sqlite: CREATE VIRTUAL TABLE parcours_terms USING fts5vocab(parcours_search, row);
sqlite: CREATE VIRTUAL TABLE parcours_box USING rtree(id, west, east, south, north);
postgres: CREATE TABLE parcours_search (id BIGINT PRIMARY KEY, words TSVECTOR NOT NULL);
postgres: CREATE INDEX parcours_search_by_word ON parcours_search USING gin (words) WITH (fastupdate = off);
postgres: CREATE TABLE parcours_box (id BIGINT PRIMARY KEY, extent BOX NOT NULL);
postgres: CREATE INDEX parcours_box_by_place ON parcours_box USING gist (extent);
"#;
