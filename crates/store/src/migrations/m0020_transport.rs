//! Feeds of public transport: their runs, what was read of each, and which of our lines follow them.

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

// A run reads the feed under its own number, the edition, which is not shown until it is whole; transport_edition says which is
// shown.
// transport_run: `at` and `seq` as in import_run; `stored` 1 while rows of its edition may be there.
// Positions in millionths of a degree. transport_added.applied is what the feed last wrote into the line.
pub(super) const UP: &str = r"
CREATE TABLE transport_feed (
  id {id},
  white_label_id BIGINT NOT NULL REFERENCES white_label (id),
  sort_title TEXT NOT NULL,
  schedule TEXT NOT NULL,
  show_stops SMALLINT NOT NULL,
  version BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  updated_by BIGINT
);
CREATE INDEX transport_feed_by_owner ON transport_feed (white_label_id, sort_title);

CREATE TABLE transport_run (
  id {id},
  feed_id BIGINT NOT NULL,
  white_label_id BIGINT NOT NULL,
  state TEXT NOT NULL,
  phase TEXT NOT NULL DEFAULT 'fetch',
  asked_by BIGINT,
  seq BIGINT NOT NULL DEFAULT 0,
  at BIGINT NOT NULL DEFAULT 0,
  total BIGINT,
  today BIGINT NOT NULL,
  sha256 TEXT,
  etag TEXT,
  last_modified TEXT,
  unchanged SMALLINT NOT NULL DEFAULT 0,
  counts TEXT NOT NULL,
  notes TEXT NOT NULL,
  failure TEXT,
  cancel SMALLINT NOT NULL DEFAULT 0,
  stored SMALLINT NOT NULL DEFAULT 0,
  started_at BIGINT NOT NULL,
  finished_at BIGINT
);
CREATE INDEX transport_run_by_feed ON transport_run (feed_id, id);
CREATE INDEX transport_run_at_work ON transport_run (id) WHERE state = 'running';
CREATE INDEX transport_run_stored ON transport_run (id) WHERE stored = 1;

CREATE TABLE transport_edition (
  feed_id BIGINT PRIMARY KEY,
  run_id BIGINT NOT NULL,
  sha256 TEXT NOT NULL,
  etag TEXT,
  last_modified TEXT,
  counts TEXT NOT NULL,
  from_day TEXT,
  to_day TEXT,
  read_at BIGINT NOT NULL
);

CREATE TABLE transit_line (
  edition BIGINT NOT NULL,
  number BIGINT NOT NULL,
  route TEXT NOT NULL,
  code TEXT NOT NULL,
  sort_title TEXT NOT NULL,
  words TEXT NOT NULL,
  operator TEXT NOT NULL,
  mode TEXT NOT NULL,
  bikes TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (edition, number)
);
CREATE INDEX transit_line_by_route ON transit_line (edition, route);

CREATE TABLE transit_stop (
  edition BIGINT NOT NULL,
  number BIGINT NOT NULL,
  name TEXT NOT NULL,
  words TEXT NOT NULL,
  x BIGINT NOT NULL,
  y BIGINT NOT NULL,
  PRIMARY KEY (edition, number)
);
CREATE INDEX transit_stop_by_place ON transit_stop (edition, y, x);

CREATE TABLE transit_call (
  edition BIGINT NOT NULL,
  stop BIGINT NOT NULL,
  line BIGINT NOT NULL,
  departures TEXT NOT NULL,
  PRIMARY KEY (edition, stop, line)
);
CREATE INDEX transit_call_by_line ON transit_call (edition, line);

CREATE TABLE transport_added (
  feed_id BIGINT NOT NULL,
  route TEXT NOT NULL,
  line_id BIGINT NOT NULL,
  applied TEXT NOT NULL,
  PRIMARY KEY (feed_id, route)
);
CREATE INDEX transport_added_by_line ON transport_added (line_id);
";
