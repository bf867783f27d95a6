//! The ways round closed stretches that are published (decision 0039), and the closure that a field report became.

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
-- One for each closed stretch of a parcours. It goes when the closure, the stretch or the line under it does.
CREATE TABLE parcours_detour (
  closure_id BIGINT NOT NULL REFERENCES closure (id) ON DELETE CASCADE,
  parcours_id BIGINT NOT NULL,
  closed_from_m BIGINT NOT NULL,
  closed_to_m BIGINT NOT NULL,
  west DOUBLE PRECISION NOT NULL,
  south DOUBLE PRECISION NOT NULL,
  east DOUBLE PRECISION NOT NULL,
  north DOUBLE PRECISION NOT NULL,
  detour TEXT NOT NULL,
  published_at BIGINT NOT NULL,
  published_by BIGINT,
  PRIMARY KEY (closure_id, parcours_id, closed_from_m)
);
CREATE INDEX parcours_detour_back ON parcours_detour (parcours_id);

-- No foreign key: a closure may be deleted, and the report stays handled.
ALTER TABLE field_report ADD COLUMN closure_id BIGINT;
";
