//! Public feeds: a white-label's parcours in the order of their numbers, without reading a row.

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
CREATE INDEX parcours_by_feed ON parcours (white_label_id, published, id, relation, lack_bits, updated_at, practice_type_id, is_loop);
CREATE INDEX poi_by_feed ON poi (white_label_id, published, distribute, id, updated_at);
";
