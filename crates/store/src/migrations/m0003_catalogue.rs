//! The catalogue: what all records share (sheets, links, revisions, a bin), and the rows of each kind.
//!
//! A record is a narrow row in the table of its kind, which lists filter and sort, and a sheet of JSON in `record_sheet`.
//! Every value of a narrow row follows from the sheet. Kinds are the numbers of `domain::record::Kind`.

use sea_orm_migration::prelude::*;

use super::run_script;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        run_script(manager, SHARED).await?;
        run_script(manager, KINDS).await?;
        let sqlite = manager.get_database_backend() == sea_orm::DbBackend::Sqlite;
        run_script(manager, &adopted(sqlite)).await?;
        run_script(manager, TIDY).await?;
        for kind in ["structure", "contact", "user", "white_label", "itinerary", "transport_line"] {
            run_script(manager, &WORDS.replace("{kind}", kind)).await?;
        }
        Ok(())
    }
}

const SHARED: &str = r#"
CREATE TABLE record_sheet (
  kind SMALLINT NOT NULL,
  id BIGINT NOT NULL,
  sheet TEXT NOT NULL,
  PRIMARY KEY (kind, id)
);

-- What points to what, one row a reference: for filters, and to know what uses what. Parcours have their own.
CREATE TABLE record_link (
  to_kind SMALLINT NOT NULL,
  to_id BIGINT NOT NULL,
  from_kind SMALLINT NOT NULL,
  from_id BIGINT NOT NULL,
  field TEXT NOT NULL,
  PRIMARY KEY (to_kind, to_id, from_kind, from_id, field)
sqlite: ) WITHOUT ROWID;
postgres: );
CREATE INDEX record_link_from ON record_link (from_kind, from_id);

-- What a white-label added of others, with its own switch.
CREATE TABLE record_white_label (
  kind SMALLINT NOT NULL,
  record_id BIGINT NOT NULL,
  white_label_id BIGINT NOT NULL,
  published BOOLEAN NOT NULL,
  PRIMARY KEY (kind, record_id, white_label_id)
sqlite: ) WITHOUT ROWID;
postgres: );
CREATE INDEX record_white_label_back ON record_white_label (white_label_id, kind, record_id);

CREATE TABLE record_revision (
  kind SMALLINT NOT NULL,
  record_id BIGINT NOT NULL,
  version BIGINT NOT NULL,
  at BIGINT NOT NULL,
  user_id BIGINT,
  reason TEXT,
  fields TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (kind, record_id, version)
);
-- The latest edits of everything, for the home page.
CREATE INDEX record_revision_latest ON record_revision (at);
CREATE INDEX parcours_revision_latest ON parcours_revision (at);

CREATE TABLE bin (
  id {id},
  kind SMALLINT NOT NULL,
  record_id BIGINT NOT NULL,
  white_label_id BIGINT,
  structure_id BIGINT,
  title {json} NOT NULL,
  words TEXT NOT NULL,
  version BIGINT NOT NULL,
  deleted_at BIGINT NOT NULL,
  deleted_by BIGINT,
  expires_at BIGINT NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX bin_expiry ON bin (expires_at);
CREATE INDEX bin_owner ON bin (white_label_id, deleted_at);

CREATE TABLE record_bulk (
  token TEXT PRIMARY KEY,
  kind SMALLINT NOT NULL,
  user_id BIGINT NOT NULL,
  at BIGINT NOT NULL,
  items TEXT NOT NULL
);

CREATE TABLE saved_view (
  id {id},
  user_id BIGINT NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
  white_label_id BIGINT NOT NULL REFERENCES white_label (id) ON DELETE CASCADE,
  resource TEXT NOT NULL,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  columns TEXT NOT NULL,
  shared BOOLEAN NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX saved_view_list ON saved_view (resource, white_label_id, name);
"#;

const KINDS: &str = r#"
ALTER TABLE vocabulary ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE vocabulary ADD COLUMN created_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE vocabulary ADD COLUMN updated_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE vocabulary ADD COLUMN updated_by BIGINT;

ALTER TABLE structure ADD COLUMN kind_id BIGINT;
ALTER TABLE structure ADD COLUMN sort_title TEXT NOT NULL DEFAULT '';
ALTER TABLE structure ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE structure ADD COLUMN updated_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE structure ADD COLUMN updated_by BIGINT;
CREATE INDEX structure_by_title ON structure (sort_title, id);
CREATE INDEX structure_by_updated ON structure (updated_at, id);

ALTER TABLE white_label ADD COLUMN sort_title TEXT NOT NULL DEFAULT '';
ALTER TABLE white_label ADD COLUMN published BOOLEAN NOT NULL DEFAULT TRUE;
ALTER TABLE white_label ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE white_label ADD COLUMN updated_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE white_label ADD COLUMN updated_by BIGINT;

ALTER TABLE "user" ADD COLUMN sort_title TEXT NOT NULL DEFAULT '';
ALTER TABLE "user" ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE "user" ADD COLUMN updated_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "user" ADD COLUMN updated_by BIGINT;
ALTER TABLE "user" ADD COLUMN last_login_at BIGINT;
ALTER TABLE "user" ADD COLUMN invited_at BIGINT;
-- The secret of the second factor, sealed with the server's key; nothing of it is in a sheet or a revision.
ALTER TABLE "user" ADD COLUMN totp_secret {bytes};
ALTER TABLE "user" ADD COLUMN totp_enabled BOOLEAN NOT NULL DEFAULT FALSE;
-- The last thirty seconds whose code was taken: a code works once.
ALTER TABLE "user" ADD COLUMN totp_step BIGINT NOT NULL DEFAULT 0;
CREATE INDEX user_by_title ON "user" (sort_title, id);
CREATE INDEX user_by_structure ON "user" (structure_id, sort_title, id);
CREATE INDEX user_by_role ON "user" (role, status);

CREATE TABLE recovery_code (
  user_id BIGINT NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
  code_hash {bytes} NOT NULL,
  PRIMARY KEY (user_id, code_hash)
);

ALTER TABLE media ADD COLUMN created_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE media ADD COLUMN updated_by BIGINT;

ALTER TABLE poi ADD COLUMN updated_by BIGINT;
ALTER TABLE poi ADD COLUMN distribute BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE poi ADD COLUMN lacks SMALLINT NOT NULL DEFAULT 0;
-- Its place in millionths of a degree, which both databases divide alike.
ALTER TABLE poi ADD COLUMN x BIGINT NOT NULL DEFAULT 0;
ALTER TABLE poi ADD COLUMN y BIGINT NOT NULL DEFAULT 0;
DROP INDEX poi_list;
DROP INDEX poi_title;
DROP INDEX poi_place;
CREATE INDEX poi_by_updated ON poi (updated_at, id, white_label_id, published);
CREATE INDEX poi_by_title ON poi (sort_title, id, white_label_id, published);
CREATE INDEX poi_by_owner ON poi (white_label_id, updated_at, id, published);
-- Everything a count or a cluster asks for, so that neither reads a row.
CREATE INDEX poi_by_place ON poi (x, y, white_label_id, published);
CREATE INDEX poi_facts ON poi (white_label_id, published, lacks);
CREATE INDEX poi_shared ON poi (published, white_label_id);

CREATE TABLE contact (
  id {id},
  structure_id BIGINT NOT NULL REFERENCES structure (id),
  email TEXT NOT NULL UNIQUE,
  sort_title TEXT NOT NULL,
  version BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  updated_by BIGINT
);
CREATE INDEX contact_by_title ON contact (sort_title, id);
CREATE INDEX contact_by_structure ON contact (structure_id, sort_title, id);
CREATE INDEX contact_by_updated ON contact (updated_at, id);

CREATE TABLE itinerary (
  id {id},
  type TEXT NOT NULL,
  sort_title TEXT NOT NULL,
  length_m BIGINT NOT NULL,
  west DOUBLE PRECISION,
  south DOUBLE PRECISION,
  east DOUBLE PRECISION,
  north DOUBLE PRECISION,
  version BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  updated_by BIGINT
);
CREATE INDEX itinerary_by_title ON itinerary (sort_title, id);
CREATE INDEX itinerary_by_updated ON itinerary (updated_at, id);

CREATE TABLE closure (
  id {id},
  white_label_id BIGINT NOT NULL REFERENCES white_label (id),
  sort_title TEXT NOT NULL,
  starts TEXT NOT NULL,
  ends TEXT,
  west DOUBLE PRECISION NOT NULL,
  south DOUBLE PRECISION NOT NULL,
  east DOUBLE PRECISION NOT NULL,
  north DOUBLE PRECISION NOT NULL,
  version BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  updated_by BIGINT
);
CREATE INDEX closure_by_dates ON closure (starts, ends, id);
CREATE INDEX closure_by_updated ON closure (updated_at, id);

-- The stretches of each parcours that a closure touches, worked out when either is saved.
CREATE TABLE parcours_closure (
  closure_id BIGINT NOT NULL REFERENCES closure (id) ON DELETE CASCADE,
  parcours_id BIGINT NOT NULL,
  starts TEXT NOT NULL,
  ends TEXT,
  stretches TEXT NOT NULL,
  PRIMARY KEY (closure_id, parcours_id)
);
CREATE INDEX parcours_closure_back ON parcours_closure (parcours_id);
"#;

const WORDS: &str = r"
sqlite: CREATE VIRTUAL TABLE {kind}_search USING fts5 (words, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
postgres: CREATE TABLE {kind}_search (id BIGINT PRIMARY KEY, words TEXT NOT NULL);
postgres: DO $$ BEGIN CREATE EXTENSION IF NOT EXISTS pg_trgm; CREATE INDEX {kind}_search_words ON {kind}_search USING gin (words gin_trgm_ops); EXCEPTION WHEN OTHERS THEN RAISE NOTICE 'pg_trgm is not there: searches read the whole table'; END $$;
";

const TIDY: &str = r"
ALTER TABLE structure DROP COLUMN kind_code;
DROP TABLE poi_term;
DROP TABLE poi_media;
DROP TABLE poi_text;
DROP TABLE poi_white_label;
";

/// Makes the sheets and links of the rows that exist already.
fn adopted(sqlite: bool) -> String {
    let (object, close) = if sqlite { ("json_object(", ")") } else { ("CAST(jsonb_build_object(", ") AS TEXT)") };
    let json = |column: &str| if sqlite { format!("json({column})") } else { column.to_owned() };
    let flag = |column: &str| {
        if sqlite { format!("json(CASE WHEN {column} THEN 'true' ELSE 'false' END)") } else { column.to_owned() }
    };
    let list = |column: &str, from: &str| {
        if sqlite {
            format!("json((SELECT json_group_array({column}) FROM {from}))")
        } else {
            format!("(SELECT COALESCE(jsonb_agg({column}), '[]'::jsonb) FROM {from})")
        }
    };
    let list_of_terms = |kind: &str| {
        list(
            "t.vocabulary_id",
            &format!(
                "poi_term t JOIN vocabulary v ON v.id = t.vocabulary_id WHERE t.poi_id = p.id AND v.kind = '{kind}'"
            ),
        )
    };
    let flags: Vec<String> =
        domain::PoiFlags::NAMES.iter().map(|name| format!("'{name}', {}", flag(&format!("p.{name}")))).collect();
    let pair = if sqlite { "json_object(" } else { "jsonb_build_object(" };
    let place = if sqlite { "json_array(p.lon, p.lat)" } else { "jsonb_build_array(p.lon, p.lat)" };
    format!(
        r#"
UPDATE structure SET kind_id = (SELECT v.id FROM vocabulary v WHERE v.kind = 'structure_type' AND v.code = kind_code), sort_title = lower(name);
UPDATE white_label SET sort_title = lower(name);
UPDATE "user" SET sort_title = lower(last_name || ' ' || first_name);
UPDATE poi SET x = CAST(lon * 1000000 AS BIGINT), y = CAST(lat * 1000000 AS BIGINT);
INSERT INTO record_sheet (kind, id, sheet) SELECT 10, id, {object}'kind', kind, 'code', code, 'parent_id', parent_id, 'label', {label}, 'description', {description}, 'icon', icon, 'color', color, 'order', position, 'attributes', {attributes}{close} FROM vocabulary;
INSERT INTO record_sheet (kind, id, sheet) SELECT 6, id, {object}'name', name, 'kind_id', COALESCE(kind_id, 0){close} FROM structure;
INSERT INTO record_sheet (kind, id, sheet) SELECT 8, u.id, {object}'first_name', u.first_name, 'last_name', u.last_name, 'email', u.email, 'role', u.role, 'status', u.status, 'locale', u.locale, 'structure_id', u.structure_id, 'white_label_ids', {white_labels}{close} FROM "user" u;
INSERT INTO record_sheet (kind, id, sheet) SELECT 2, p.id, {object}'title', {title}, 'description', {words}, 'location', {place}, 'flags', {pair}{flags}), 'category_ids', {categories}, 'theme_ids', {themes}, 'media_ids', {medias}{close} FROM poi p JOIN poi_text x ON x.poi_id = p.id;
INSERT INTO record_link (to_kind, to_id, from_kind, from_id, field) SELECT 10, t.vocabulary_id, 2, t.poi_id, CASE WHEN v.kind = 'poi_theme' THEN 'theme_ids' ELSE 'category_ids' END FROM poi_term t JOIN vocabulary v ON v.id = t.vocabulary_id;
INSERT INTO record_link (to_kind, to_id, from_kind, from_id, field) SELECT 3, media_id, 2, poi_id, 'media_ids' FROM poi_media;
INSERT INTO record_link (to_kind, to_id, from_kind, from_id, field) SELECT 10, parent_id, 10, id, 'parent_id' FROM vocabulary WHERE parent_id IS NOT NULL;
INSERT INTO record_link (to_kind, to_id, from_kind, from_id, field) SELECT 10, kind_id, 6, id, 'kind_id' FROM structure WHERE kind_id IS NOT NULL;
INSERT INTO record_link (to_kind, to_id, from_kind, from_id, field) SELECT 6, structure_id, 8, id, 'structure_id' FROM "user";
INSERT INTO record_link (to_kind, to_id, from_kind, from_id, field) SELECT 6, structure_id, 5, id, 'structure_id' FROM white_label;
INSERT INTO record_link (to_kind, to_id, from_kind, from_id, field) SELECT 5, white_label_id, 8, user_id, 'white_label_ids' FROM user_white_label;
INSERT INTO record_white_label (kind, record_id, white_label_id, published) SELECT 2, poi_id, white_label_id, published FROM poi_white_label;
"#,
        label = json("label"),
        description = json("description"),
        attributes = json("attributes"),
        title = json("p.title"),
        words = json("x.description"),
        white_labels = list("w.white_label_id", "user_white_label w WHERE w.user_id = u.id"),
        flags = flags.join(", "),
        categories = list_of_terms("poi_category"),
        themes = list_of_terms("poi_theme"),
        medias = list("m.media_id", "poi_media m WHERE m.poi_id = p.id"),
    )
}
