//! Each table that is listed has an index by name and one by day, `…_by_title` and `…_by_updated`, that hold whose a row is:
//! a page is then walked to (`record::list`). Those of media began with the owner.
//!
//! SQLite keeps what a map shows from afar, summed by cell (`cells`). A view takes what enters and what leaves, so that each
//! table's triggers say only that.

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

pub(super) const UP: &str = r#"
DROP INDEX media_by_updated;
DROP INDEX media_by_title;
CREATE INDEX media_by_updated ON media (updated_at, id, white_label_id, kind, lacks);
CREATE INDEX media_by_title ON media (sort_title, id, white_label_id);
CREATE INDEX media_by_owner ON media (white_label_id, kind, lacks);
CREATE INDEX user_by_updated ON "user" (updated_at, id);
CREATE INDEX closure_by_title ON closure (sort_title, id);
CREATE INDEX parcours_in_order ON parcours (updated_at, id, white_label_id, shared);
CREATE INDEX poi_owners ON poi (id, white_label_id, published);
CREATE INDEX media_owners ON media (id, white_label_id, lacks);

sqlite: CREATE TABLE map_level (level INTEGER PRIMARY KEY, side BIGINT NOT NULL);
sqlite: INSERT INTO map_level VALUES (3, 42187500 >> 3), (5, 42187500 >> 5), (7, 42187500 >> 7), (9, 42187500 >> 9), (11, 42187500 >> 11);
-- state: published or not of a POI; twice the progress and shared or not of a parcours.
sqlite: CREATE TABLE map_cell (
sqlite:   kind SMALLINT NOT NULL, level SMALLINT NOT NULL, across BIGINT NOT NULL, up BIGINT NOT NULL,
sqlite:   white_label_id BIGINT NOT NULL, state SMALLINT NOT NULL,
sqlite:   total BIGINT NOT NULL, sum_x BIGINT NOT NULL, sum_y BIGINT NOT NULL,
sqlite:   PRIMARY KEY (kind, level, across, up, white_label_id, state)
sqlite: ) WITHOUT ROWID;
sqlite: CREATE VIEW map_entry (kind, x, y, white_label_id, state, step) AS SELECT 0, 0, 0, 0, 0, 0;
sqlite: CREATE TRIGGER map_entered INSTEAD OF INSERT ON map_entry WHEN NEW.x IS NOT NULL BEGIN
sqlite:   INSERT INTO map_cell
sqlite:   SELECT NEW.kind, l.level, (NEW.x + 180000000) / l.side, (NEW.y + 90000000) / l.side, NEW.white_label_id, NEW.state,
sqlite:     NEW.step, NEW.step * NEW.x, NEW.step * NEW.y
sqlite:   FROM map_level l WHERE TRUE
sqlite:   ON CONFLICT DO UPDATE SET total = total + excluded.total, sum_x = sum_x + excluded.sum_x, sum_y = sum_y + excluded.sum_y
sqlite: ; END;

sqlite: CREATE TRIGGER poi_map_in AFTER INSERT ON poi BEGIN
sqlite:   INSERT INTO map_entry VALUES (2, NEW.x, NEW.y, NEW.white_label_id, NEW.published, 1)
sqlite: ; END;
sqlite: CREATE TRIGGER poi_map_out AFTER DELETE ON poi BEGIN
sqlite:   INSERT INTO map_entry VALUES (2, OLD.x, OLD.y, OLD.white_label_id, OLD.published, -1)
sqlite: ; END;
sqlite: CREATE TRIGGER poi_map_moved AFTER UPDATE OF x, y, white_label_id, published ON poi
sqlite: WHEN (OLD.x, OLD.y, OLD.white_label_id, OLD.published) IS NOT (NEW.x, NEW.y, NEW.white_label_id, NEW.published) BEGIN
sqlite:   INSERT INTO map_entry VALUES (2, OLD.x, OLD.y, OLD.white_label_id, OLD.published, -1)
sqlite:   ; INSERT INTO map_entry VALUES (2, NEW.x, NEW.y, NEW.white_label_id, NEW.published, 1)
sqlite: ; END;

sqlite: CREATE TRIGGER parcours_map_in AFTER INSERT ON parcours BEGIN
sqlite:   INSERT INTO map_entry VALUES (1, NEW.start_x, NEW.start_y, NEW.white_label_id, NEW.progress * 2 + NEW.shared, 1)
sqlite: ; END;
sqlite: CREATE TRIGGER parcours_map_out AFTER DELETE ON parcours BEGIN
sqlite:   INSERT INTO map_entry VALUES (1, OLD.start_x, OLD.start_y, OLD.white_label_id, OLD.progress * 2 + OLD.shared, -1)
sqlite: ; END;
sqlite: CREATE TRIGGER parcours_map_moved AFTER UPDATE OF start_x, start_y, white_label_id, progress, shared ON parcours
sqlite: WHEN (OLD.start_x, OLD.start_y, OLD.white_label_id, OLD.progress, OLD.shared)
sqlite:   IS NOT (NEW.start_x, NEW.start_y, NEW.white_label_id, NEW.progress, NEW.shared) BEGIN
sqlite:   INSERT INTO map_entry VALUES (1, OLD.start_x, OLD.start_y, OLD.white_label_id, OLD.progress * 2 + OLD.shared, -1)
sqlite:   ; INSERT INTO map_entry VALUES (1, NEW.start_x, NEW.start_y, NEW.white_label_id, NEW.progress * 2 + NEW.shared, 1)
sqlite: ; END;

sqlite: INSERT INTO map_cell
sqlite:   SELECT r.kind, l.level, (r.x + 180000000) / l.side, (r.y + 90000000) / l.side, r.white_label_id, r.state, COUNT(*), SUM(r.x), SUM(r.y)
sqlite:   FROM (SELECT 2 AS kind, x, y, white_label_id, published AS state FROM poi
sqlite:     UNION ALL SELECT 1, start_x, start_y, white_label_id, progress * 2 + shared FROM parcours WHERE start_x IS NOT NULL) r, map_level l
sqlite:   GROUP BY 1, 2, 3, 4, 5, 6;
"#;
