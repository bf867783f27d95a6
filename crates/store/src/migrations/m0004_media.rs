//! Media as records with a history; what is made of them, their blobs, and files that are still on their way. Lines of
//! public transport.

use sea_orm_migration::prelude::*;

use super::run_script;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        run_script(manager, TABLES).await?;
        let sqlite = manager.get_database_backend() == sea_orm::DbBackend::Sqlite;
        run_script(manager, &adopted(sqlite)).await?;
        run_script(manager, TIDY).await
    }
}

const TABLES: &str = r#"
ALTER TABLE media ADD COLUMN sort_title TEXT NOT NULL DEFAULT '';
ALTER TABLE media ADD COLUMN sha256 TEXT NOT NULL DEFAULT '';
ALTER TABLE media ADD COLUMN lacks SMALLINT NOT NULL DEFAULT 7;
DROP INDEX media_list;
CREATE INDEX media_by_updated ON media (white_label_id, updated_at, id, kind, lacks);
CREATE INDEX media_by_title ON media (white_label_id, sort_title, id);
CREATE INDEX media_by_content ON media (sha256, id);

-- What was made of each, and what is still to be made: the worker's queue.
CREATE TABLE media_made (
  sqlite: media_id INTEGER PRIMARY KEY,
  postgres: media_id BIGINT PRIMARY KEY,
  state SMALLINT NOT NULL,
  recipe TEXT NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX media_made_waiting ON media_made (state, media_id);

-- Every blob that a media has or had: they go when the media has left the bin for good.
CREATE TABLE media_blob (
  blob_key TEXT PRIMARY KEY,
  media_id BIGINT NOT NULL
);
CREATE INDEX media_blob_owner ON media_blob (media_id);

CREATE TABLE upload (
  token TEXT PRIMARY KEY,
  user_id BIGINT NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
  white_label_id BIGINT NOT NULL,
  file_name TEXT NOT NULL,
  purpose TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  media_id BIGINT,
  problem TEXT
);
CREATE INDEX upload_expiry ON upload (expires_at);

CREATE TABLE transport_line (
  id {id},
  white_label_id BIGINT NOT NULL REFERENCES white_label (id),
  sort_title TEXT NOT NULL,
  operator TEXT NOT NULL,
  mode TEXT NOT NULL,
  bike_carriage TEXT NOT NULL,
  version BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  updated_by BIGINT
);
CREATE INDEX transport_line_by_title ON transport_line (sort_title, id);
CREATE INDEX transport_line_by_updated ON transport_line (updated_at, id);
CREATE INDEX transport_line_by_owner ON transport_line (white_label_id, sort_title, id);
"#;

const TIDY: &str = r"
ALTER TABLE media DROP COLUMN legend;
ALTER TABLE media DROP COLUMN alt;
ALTER TABLE media DROP COLUMN copyright;
ALTER TABLE media DROP COLUMN mime;
ALTER TABLE media DROP COLUMN blob_key;
";

/// The sheets of the media that are there already; their sizes are made at the next start.
fn adopted(sqlite: bool) -> String {
    let (object, inner, close) = if sqlite {
        ("json_object(", "json_object(", ")")
    } else {
        ("CAST(jsonb_build_object(", "jsonb_build_object(", ") AS TEXT)")
    };
    let json = |column: &str| if sqlite { format!("json({column})") } else { column.to_owned() };
    format!(
        r"
UPDATE media SET sort_title = lower(file_name);
INSERT INTO record_sheet (kind, id, sheet) SELECT 3, id, {object}'file_name', file_name, 'legend', {legend}, 'alt', {alt}, 'copyright', copyright, 'file', {inner}'kind', kind, 'mime', mime, 'bytes', bytes, 'width', width, 'height', height, 'blob_key', blob_key){close} FROM media;
INSERT INTO media_made (media_id, state, recipe, body) SELECT id, 1, '', '{{}}' FROM media;
INSERT INTO media_blob (blob_key, media_id) SELECT DISTINCT blob_key, MIN(id) FROM media GROUP BY blob_key;
",
        legend = json("legend"),
        alt = json("alt"),
    )
}
