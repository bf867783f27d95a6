//! What a dry run found in a Geotrek server, and which run made a point of interest.

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

// import_run.inventory: `[{"list": "trek", "place": "parcours", "count": 220}, …]`; null where nothing was counted.
// import_poi.run_id: the run that made it; null where it was made before this step, or stays when its run is taken back.
pub(super) const UP: &str = r"
ALTER TABLE import_run ADD COLUMN inventory TEXT;
ALTER TABLE import_poi ADD COLUMN run_id BIGINT;
";
