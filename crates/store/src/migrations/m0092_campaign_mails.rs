//! Which mails about a campaign of surveys were sent.

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

// about: `begun` or `overdue`. Rows stay while a campaign is in the bin, so that no mail is sent a second time after it is restored.
pub(super) const UP: &str = r"
CREATE TABLE survey_campaign_mail (
  campaign_id BIGINT NOT NULL,
  user_id BIGINT NOT NULL,
  about TEXT NOT NULL,
  PRIMARY KEY (campaign_id, user_id, about)
);
";
