//! What a source says of a route that no field takes: numbers in other systems, stored for the feeds.

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

// import_item.said: `{"external_id": "EXT-44"}`; null where its source gives none.
// import_item.steps: the items that its source shows under it, `["uuid", …]`; null where it shows none.
pub(super) const UP: &str = r"
ALTER TABLE import_item ADD COLUMN said TEXT;
ALTER TABLE import_item ADD COLUMN steps TEXT;
";
