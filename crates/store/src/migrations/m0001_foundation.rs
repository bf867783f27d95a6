//! Structures, white-labels, people and their sessions, reference lists, POIs, media.

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
CREATE TABLE structure (
  id {id},
  name TEXT NOT NULL,
  kind_code TEXT NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE TABLE white_label (
  id {id},
  structure_id BIGINT NOT NULL REFERENCES structure (id),
  name TEXT NOT NULL,
  slug TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  initials TEXT NOT NULL,
  color TEXT NOT NULL,
  settings {json} NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX white_label_structure ON white_label (structure_id);

CREATE TABLE "user" (
  id {id},
  structure_id BIGINT NOT NULL REFERENCES structure (id),
  active_white_label_id BIGINT REFERENCES white_label (id) ON DELETE SET NULL,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL,
  status TEXT NOT NULL,
  locale TEXT NOT NULL,
  advanced_view BOOLEAN NOT NULL,
  password_hash TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX user_structure ON "user" (structure_id, last_name);

CREATE TABLE user_white_label (
  user_id BIGINT NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
  white_label_id BIGINT NOT NULL REFERENCES white_label (id) ON DELETE CASCADE,
  PRIMARY KEY (user_id, white_label_id)
);

-- A token itself is never stored: whoever reads this table signs in as nobody.
CREATE TABLE session (
  token_hash {bytes} PRIMARY KEY,
  user_id BIGINT NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX session_by_user ON session (user_id);
CREATE INDEX session_expiry ON session (expires_at);

CREATE TABLE password_reset (
  token_hash {bytes} PRIMARY KEY,
  user_id BIGINT NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
  expires_at BIGINT NOT NULL
);
CREATE INDEX password_reset_user ON password_reset (user_id);

-- One row an account tried and one an address that tries.
CREATE TABLE login_failure (
  subject TEXT PRIMARY KEY,
  failures BIGINT NOT NULL,
  last_at BIGINT NOT NULL
);

CREATE TABLE vocabulary (
  id {id},
  kind TEXT NOT NULL,
  code TEXT NOT NULL,
  parent_id BIGINT REFERENCES vocabulary (id),
  label {json} NOT NULL,
  description {json} NOT NULL,
  icon TEXT,
  color TEXT,
  position BIGINT NOT NULL,
  attributes {json} NOT NULL,
  UNIQUE (kind, code)
);

CREATE TABLE media (
  id {id},
  white_label_id BIGINT NOT NULL REFERENCES white_label (id),
  kind TEXT NOT NULL,
  file_name TEXT NOT NULL,
  mime TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  width BIGINT,
  height BIGINT,
  legend {json} NOT NULL,
  alt {json} NOT NULL,
  copyright TEXT,
  blob_key TEXT NOT NULL,
  version BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX media_list ON media (white_label_id, updated_at);

CREATE TABLE poi (
  id {id},
  white_label_id BIGINT NOT NULL REFERENCES white_label (id),
  title {json} NOT NULL,
  sort_title TEXT NOT NULL,
  lon DOUBLE PRECISION NOT NULL,
  lat DOUBLE PRECISION NOT NULL,
  good_address BOOLEAN NOT NULL,
  must_see BOOLEAN NOT NULL,
  detour_point BOOLEAN NOT NULL,
  landmark BOOLEAN NOT NULL,
  bookable BOOLEAN NOT NULL,
  published BOOLEAN NOT NULL,
  version BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX poi_list ON poi (white_label_id, updated_at);
CREATE INDEX poi_title ON poi (sort_title);
CREATE INDEX poi_place ON poi (lat, lon);

-- Long texts stand aside, so that lists read narrow rows.
CREATE TABLE poi_text (
  poi_id BIGINT PRIMARY KEY REFERENCES poi (id) ON DELETE CASCADE,
  description {json} NOT NULL
);

CREATE TABLE poi_term (
  poi_id BIGINT NOT NULL REFERENCES poi (id) ON DELETE CASCADE,
  vocabulary_id BIGINT NOT NULL REFERENCES vocabulary (id),
  PRIMARY KEY (poi_id, vocabulary_id)
);
CREATE INDEX poi_term_back ON poi_term (vocabulary_id, poi_id);

CREATE TABLE poi_media (
  poi_id BIGINT NOT NULL REFERENCES poi (id) ON DELETE CASCADE,
  media_id BIGINT NOT NULL REFERENCES media (id),
  position BIGINT NOT NULL,
  PRIMARY KEY (poi_id, media_id)
);
CREATE INDEX poi_media_back ON poi_media (media_id, poi_id);

-- What a white-label added of others, with its own switch.
CREATE TABLE poi_white_label (
  poi_id BIGINT NOT NULL REFERENCES poi (id) ON DELETE CASCADE,
  white_label_id BIGINT NOT NULL REFERENCES white_label (id) ON DELETE CASCADE,
  published BOOLEAN NOT NULL,
  PRIMARY KEY (poi_id, white_label_id)
);
CREATE INDEX poi_white_label_back ON poi_white_label (white_label_id, poi_id);

sqlite: CREATE VIRTUAL TABLE poi_search USING fts5 (words, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
postgres: CREATE TABLE poi_search (id BIGINT PRIMARY KEY, words TEXT NOT NULL);
postgres: DO $$ BEGIN CREATE EXTENSION IF NOT EXISTS pg_trgm; CREATE INDEX poi_search_words ON poi_search USING gin (words gin_trgm_ops); EXCEPTION WHEN OTHERS THEN RAISE NOTICE 'pg_trgm is not there: searches read the whole table'; END $$;

sqlite: CREATE VIRTUAL TABLE media_search USING fts5 (words, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
postgres: CREATE TABLE media_search (id BIGINT PRIMARY KEY, words TEXT NOT NULL);
postgres: DO $$ BEGIN CREATE EXTENSION IF NOT EXISTS pg_trgm; CREATE INDEX media_search_words ON media_search USING gin (words gin_trgm_ops); EXCEPTION WHEN OTHERS THEN RAISE NOTICE 'pg_trgm is not there: searches read the whole table'; END $$;
"#;
