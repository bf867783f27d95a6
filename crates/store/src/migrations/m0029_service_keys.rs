//! Keys of outside services belong to the server they were entered for; sources of routes and transport feeds have keys too.

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

// An origin is `https://host:443`. Null beside a key that was sealed before: the first start of the server fills it in.
pub(super) const UP: &str = r"
ALTER TABLE white_label ADD COLUMN translation_key_origin TEXT;
ALTER TABLE translator ADD COLUMN api_key_origin TEXT;
ALTER TABLE assistant_setting ADD COLUMN api_key_origin TEXT;
ALTER TABLE sit_source ADD COLUMN credential_origin TEXT;
ALTER TABLE import_source ADD COLUMN credential {bytes};
ALTER TABLE import_source ADD COLUMN credential_origin TEXT;
ALTER TABLE transport_feed ADD COLUMN credential {bytes};
ALTER TABLE transport_feed ADD COLUMN credential_origin TEXT;
";
