//! Campaigns of surveys.

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

// survey_campaign.due_on: `YYYY-MM-DD`; `9999-12-31` for one without a last day, which lists show last.
pub(super) const UP: &str = r"
CREATE TABLE survey_campaign (
  id {id},
  white_label_id BIGINT NOT NULL REFERENCES white_label (id),
  sort_title TEXT NOT NULL,
  due_on TEXT NOT NULL,
  closed BOOLEAN NOT NULL,
  version BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  updated_by BIGINT
);
CREATE INDEX survey_campaign_by_title ON survey_campaign (sort_title, id);
CREATE INDEX survey_campaign_by_updated ON survey_campaign (updated_at, id);
CREATE INDEX survey_campaign_by_owner ON survey_campaign (white_label_id, due_on, id);
";
