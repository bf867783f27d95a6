//! What clients sent in the present minute or hour, counted by all servers together.

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

// subject: a hash, with the server key, of what is counted, of the client's network and of the period: no address is stored.
// ends_at: the end of the period, after which the row is deleted.
pub(super) const UP: &str = r"
CREATE TABLE client_count (
  subject TEXT PRIMARY KEY,
  ends_at BIGINT NOT NULL,
  count BIGINT NOT NULL
);
CREATE INDEX client_count_ends ON client_count (ends_at);
";
