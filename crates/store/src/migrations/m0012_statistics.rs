//! Statistics of use: events, their sums by day, the referring hosts, and installs reported by the app stores.

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
-- Nothing in it says who: no address, no cookie, no number of a person.
CREATE TABLE statistics_event (
  id {id},
  at BIGINT NOT NULL,
  white_label_id BIGINT NOT NULL,
  parcours_id BIGINT NOT NULL,
  kind TEXT NOT NULL,
  source TEXT NOT NULL,
  country TEXT NOT NULL,
  language TEXT NOT NULL,
  host TEXT NOT NULL
);
CREATE INDEX statistics_event_by_at ON statistics_event (at);

-- parcours_id 0: the sum over all of a white-label, so that years of many parcours are read in few rows.
CREATE TABLE statistics_day (
  white_label_id BIGINT NOT NULL,
  parcours_id BIGINT NOT NULL,
  day BIGINT NOT NULL,
  kind TEXT NOT NULL,
  source TEXT NOT NULL,
  country TEXT NOT NULL,
  language TEXT NOT NULL,
  total BIGINT NOT NULL,
  PRIMARY KEY (white_label_id, parcours_id, day, kind, source, country, language)
sqlite: ) WITHOUT ROWID;
postgres: );

CREATE TABLE statistics_host (
  white_label_id BIGINT NOT NULL,
  day BIGINT NOT NULL,
  host TEXT NOT NULL,
  total BIGINT NOT NULL,
  PRIMARY KEY (white_label_id, day, host)
sqlite: ) WITHOUT ROWID;
postgres: );

CREATE TABLE statistics_install (
  white_label_id BIGINT NOT NULL,
  store TEXT NOT NULL,
  day BIGINT NOT NULL,
  country TEXT NOT NULL,
  installs BIGINT NOT NULL,
  uninstalls BIGINT NOT NULL,
  PRIMARY KEY (white_label_id, store, day, country)
sqlite: ) WITHOUT ROWID;
postgres: );
";
