//! Personal tokens, with which programs act for a person, and what they propose for a parcours.

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

// personal_token: `scopes` are words with a space between; `last_used_at` is written every few minutes at most.
// parcours_proposal: `base_version` is the version of the parcours that the proposal was made from, `body` the change.
pub(super) const UP: &str = r#"
CREATE TABLE personal_token (
  id {id},
  token_hash {bytes} NOT NULL UNIQUE,
  user_id BIGINT NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  last_used_at BIGINT
);
CREATE INDEX personal_token_by_user ON personal_token (user_id);
CREATE INDEX personal_token_expiry ON personal_token (expires_at);

CREATE TABLE parcours_proposal (
  id {id},
  parcours_id BIGINT NOT NULL,
  user_id BIGINT NOT NULL,
  token_name TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  base_version BIGINT NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX parcours_proposal_by_parcours ON parcours_proposal (parcours_id);
"#;
