//! Links of providers, and how often each was opened.

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
CREATE TABLE provider_link (
  id {id},
  white_label_id BIGINT NOT NULL REFERENCES white_label (id),
  sort_title TEXT NOT NULL,
  revoked BOOLEAN NOT NULL,
  version BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  updated_by BIGINT
);
CREATE INDEX provider_link_by_title ON provider_link (sort_title, id);
CREATE INDEX provider_link_by_updated ON provider_link (updated_at, id);
CREATE INDEX provider_link_by_owner ON provider_link (white_label_id, sort_title, id);

-- By itself: a link that comes back from the bin was opened as often as before.
CREATE TABLE provider_link_opening (
  link_id BIGINT NOT NULL PRIMARY KEY,
  opened BIGINT NOT NULL
);
";
