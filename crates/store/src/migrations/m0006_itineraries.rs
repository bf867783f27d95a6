//! Itineraries: a key of each line, and which parcours were found to follow them. The publication passport: what each parcours
//! lacks, a bit each (`domain::parcours::passport`).

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
-- A checksum of the line: what was worked out of one holds for as long as it is the same.
ALTER TABLE itinerary ADD COLUMN line_key BIGINT NOT NULL DEFAULT 0;

-- How many metres of a parcours follow an itinerary, worked out when first asked for. A row holds for one line of the
-- itinerary and one revision of the parcours' trace; other rows are as good as absent.
CREATE TABLE itinerary_parcours (
  itinerary_id BIGINT NOT NULL REFERENCES itinerary (id) ON DELETE CASCADE,
  parcours_id BIGINT NOT NULL,
  line_key BIGINT NOT NULL,
  trace_revision BIGINT NOT NULL,
  share_m BIGINT NOT NULL,
  PRIMARY KEY (itinerary_id, parcours_id)
sqlite: ) WITHOUT ROWID;
postgres: );

-- Below zero: not worked out yet, which the next start of the server does.
ALTER TABLE parcours ADD COLUMN lack_bits BIGINT NOT NULL DEFAULT -1;
ALTER TABLE poi ADD COLUMN lack_bits SMALLINT NOT NULL DEFAULT -1;
CREATE INDEX parcours_unlooked ON parcours (id) WHERE lack_bits < 0;
CREATE INDEX poi_unlooked ON poi (id) WHERE lack_bits < 0;
";
