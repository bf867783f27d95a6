//! White-labels as records: their sheets, their keys, and the values of the fields they add to content.

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
ALTER TABLE white_label ADD COLUMN domain TEXT;
-- The key of its translation service, sealed with the server's key; nothing of it is in a sheet or a revision.
ALTER TABLE white_label ADD COLUMN translation_key {bytes};
UPDATE white_label SET kind = 'destination' WHERE kind NOT IN ('common', 'destination', 'travel', 'app');
sqlite: UPDATE white_label SET domain = json_extract(settings, '$.production_domain');
postgres: UPDATE white_label SET domain = settings ->> 'production_domain';
sqlite: INSERT INTO record_sheet (kind, id, sheet) SELECT 5, id, json_object('name', name, 'slug', slug, 'kind', kind, 'structure_id', structure_id, 'published', json('true'), 'domain', domain, 'colors', json_object('primary', upper(color))) FROM white_label;
postgres: INSERT INTO record_sheet (kind, id, sheet) SELECT 5, id, CAST(jsonb_build_object('name', name, 'slug', slug, 'kind', kind, 'structure_id', structure_id, 'published', TRUE, 'domain', domain, 'colors', jsonb_build_object('primary', upper(color))) AS TEXT) FROM white_label;
sqlite: INSERT INTO white_label_search (rowid, words) SELECT id, lower(name) FROM white_label;
postgres: INSERT INTO white_label_search (id, words) SELECT id, ' ' || translate(lower(name), 'àâäéèêëîïôöùûüç''’-', 'aaaeeeeiioouuuc   ') FROM white_label;
ALTER TABLE white_label DROP COLUMN settings;
CREATE INDEX white_label_by_title ON white_label (sort_title, id);
CREATE INDEX white_label_by_updated ON white_label (updated_at, id);

-- A key itself is never stored: whoever reads this table asks in nobody's name.
CREATE TABLE white_label_key (
  white_label_id BIGINT PRIMARY KEY REFERENCES white_label (id) ON DELETE CASCADE,
  key_hash {bytes} NOT NULL UNIQUE,
  prefix TEXT NOT NULL,
  created_at BIGINT NOT NULL
);

-- The values of white-labels' own fields, one row each: as it was sent (JSON), and as lists look for it.
CREATE TABLE custom_value (
  white_label_id BIGINT NOT NULL,
  kind SMALLINT NOT NULL,
  key TEXT NOT NULL,
  record_id BIGINT NOT NULL,
  value TEXT NOT NULL,
  words TEXT NOT NULL,
  number DOUBLE PRECISION,
  PRIMARY KEY (white_label_id, kind, key, record_id)
sqlite: ) WITHOUT ROWID;
postgres: );
CREATE INDEX custom_value_of ON custom_value (kind, record_id);
";
