//! Records of tourist information systems: their sources, their fields, the overrides made here.

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

// import_run.source_kind: whose run it is, a source of routes (13) or one of tourist records (14); import_line.record_id: the record.
// sit_record: `digest` is of the bytes as they came, `recipe` of how they are read; `absent` counts the runs that missed it;
// `applied` holds the checksum of what was last written into each field of the linked POI; `wants_media` 1: pictures to fetch.
// sit_seen: what the run at work met, by which one knows what is absent, also after the server was killed.
pub(super) const UP: &str = r"
ALTER TABLE import_run ADD COLUMN source_kind SMALLINT NOT NULL DEFAULT 13;
ALTER TABLE import_line ADD COLUMN record_id BIGINT;

CREATE TABLE sit_source (
  id {id},
  white_label_id BIGINT NOT NULL REFERENCES white_label (id),
  sort_title TEXT NOT NULL,
  kind TEXT NOT NULL,
  schedule TEXT NOT NULL,
  credential {bytes},
  version BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  updated_by BIGINT
);
CREATE INDEX sit_source_by_owner ON sit_source (white_label_id, sort_title);

CREATE TABLE sit_record (
  id {id},
  source_id BIGINT NOT NULL,
  white_label_id BIGINT NOT NULL,
  item TEXT NOT NULL,
  status TEXT NOT NULL,
  absent BIGINT NOT NULL DEFAULT 0,
  digest TEXT NOT NULL,
  recipe TEXT NOT NULL,
  payload TEXT NOT NULL,
  overrides TEXT NOT NULL,
  languages TEXT NOT NULL,
  title TEXT NOT NULL,
  sort_title TEXT NOT NULL,
  lon DOUBLE PRECISION NOT NULL,
  lat DOUBLE PRECISION NOT NULL,
  x BIGINT NOT NULL,
  y BIGINT NOT NULL,
  categories TEXT NOT NULL,
  poi_id BIGINT,
  applied TEXT NOT NULL,
  wants_media SMALLINT NOT NULL DEFAULT 0,
  version BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  updated_by BIGINT
);
CREATE UNIQUE INDEX sit_record_by_item ON sit_record (source_id, item);
CREATE INDEX sit_record_by_title ON sit_record (white_label_id, sort_title, id);
CREATE INDEX sit_record_by_updated ON sit_record (white_label_id, updated_at, id);
CREATE INDEX sit_record_by_place ON sit_record (x, y);
CREATE UNIQUE INDEX sit_record_by_poi ON sit_record (poi_id) WHERE poi_id IS NOT NULL;
CREATE INDEX sit_record_wanting ON sit_record (id) WHERE wants_media > 0;
sqlite: CREATE VIRTUAL TABLE sit_record_search USING fts5 (words, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
postgres: CREATE TABLE sit_record_search (id BIGINT PRIMARY KEY, words TEXT NOT NULL);
postgres: DO $$ BEGIN CREATE EXTENSION IF NOT EXISTS pg_trgm; CREATE INDEX sit_record_search_words ON sit_record_search USING gin (words gin_trgm_ops); EXCEPTION WHEN OTHERS THEN RAISE NOTICE 'pg_trgm is not there: searches read the whole table'; END $$;

CREATE TABLE sit_seen (
  source_id BIGINT NOT NULL,
  item TEXT NOT NULL,
  PRIMARY KEY (source_id, item)
);

CREATE TABLE sit_word (
  source_id BIGINT NOT NULL,
  word TEXT NOT NULL,
  label TEXT NOT NULL,
  PRIMARY KEY (source_id, word)
);

CREATE TABLE sit_column (
  source_id BIGINT NOT NULL,
  name TEXT NOT NULL,
  sample TEXT NOT NULL,
  PRIMARY KEY (source_id, name)
);
";
