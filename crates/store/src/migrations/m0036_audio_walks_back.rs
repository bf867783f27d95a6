//! A recording that comes back from the bin is heard again in the audio walks it was taken out of.

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

// A walk keeps no history: these are the walk before the recording was taken out of it, and after.
pub(super) const UP: &str = r"
CREATE TABLE audio_walk_freed (
  media_id BIGINT NOT NULL,
  parcours_id BIGINT NOT NULL,
  language TEXT NOT NULL,
  walk_before TEXT NOT NULL,
  walk_after TEXT NOT NULL,
  PRIMARY KEY (media_id, parcours_id, language)
);
";
