//! Sums of maps on PostgreSQL too: each change is a row of its own, so that writers never wait for each other at a sum they share; every
//! thousandth change adds those that are there to the sums.

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

// `map_level`, `map_cell` and the numbers in them are those of SQLite (`m0009_orders`). map_change.step: 1 for a record that came, -1 for one
// that went. map_filled: kinds whose sums hold; `store::cells::fill` works out the others. 319358889839 is the lock of those who add changes
// to the sums.
pub(super) const UP: &str = r"
postgres: CREATE TABLE map_level (level SMALLINT PRIMARY KEY, side BIGINT NOT NULL);
postgres: INSERT INTO map_level VALUES (3, 42187500 >> 3), (5, 42187500 >> 5), (7, 42187500 >> 7), (9, 42187500 >> 9), (11, 42187500 >> 11);
postgres: CREATE TABLE map_cell (
postgres:   kind SMALLINT NOT NULL, level SMALLINT NOT NULL, across BIGINT NOT NULL, up BIGINT NOT NULL,
postgres:   white_label_id BIGINT NOT NULL, state SMALLINT NOT NULL,
postgres:   total BIGINT NOT NULL, sum_x BIGINT NOT NULL, sum_y BIGINT NOT NULL,
postgres:   PRIMARY KEY (kind, level, across, up, white_label_id, state) INCLUDE (total, sum_x, sum_y)
postgres: );
postgres: CREATE TABLE map_change (
postgres:   id {id},
postgres:   kind SMALLINT NOT NULL, x BIGINT NOT NULL, y BIGINT NOT NULL, white_label_id BIGINT NOT NULL, state SMALLINT NOT NULL,
postgres:   step SMALLINT NOT NULL
postgres: );
postgres: CREATE TABLE map_filled (kind SMALLINT PRIMARY KEY);

postgres: CREATE FUNCTION map_fold() RETURNS void LANGUAGE sql AS $$
postgres:   WITH gone AS (DELETE FROM map_change c WHERE EXISTS (SELECT 1 FROM map_filled f WHERE f.kind = c.kind) RETURNING *)
postgres:   INSERT INTO map_cell
postgres:   SELECT g.kind, l.level, (g.x + 180000000) / l.side, (g.y + 90000000) / l.side, g.white_label_id, g.state,
postgres:     SUM(g.step), SUM(g.step * g.x), SUM(g.step * g.y)
postgres:   FROM gone g CROSS JOIN map_level l GROUP BY 1, 2, 3, 4, 5, 6
postgres:   ON CONFLICT (kind, level, across, up, white_label_id, state) DO UPDATE
postgres:   SET total = map_cell.total + excluded.total, sum_x = map_cell.sum_x + excluded.sum_x, sum_y = map_cell.sum_y + excluded.sum_y
postgres: $$;
postgres: CREATE FUNCTION map_changed(kind BIGINT, x BIGINT, y BIGINT, white_label_id BIGINT, state BIGINT, step BIGINT) RETURNS void
postgres: LANGUAGE plpgsql AS $$ DECLARE number BIGINT; BEGIN IF x IS NULL OR y IS NULL THEN RETURN; END IF
postgres:   ; INSERT INTO map_change (kind, x, y, white_label_id, state, step) VALUES (kind, x, y, white_label_id, state, step) RETURNING id INTO number
postgres:   ; IF number % 1000 = 0 AND pg_try_advisory_xact_lock(319358889839) THEN PERFORM map_fold(); END IF
postgres: ; END $$;

postgres: CREATE FUNCTION poi_map() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
postgres:   IF TG_OP <> 'INSERT' THEN PERFORM map_changed(2, OLD.x, OLD.y, OLD.white_label_id, OLD.published::int, -1); END IF
postgres:   ; IF TG_OP <> 'DELETE' THEN PERFORM map_changed(2, NEW.x, NEW.y, NEW.white_label_id, NEW.published::int, 1); END IF
postgres: ; RETURN NULL; END $$;
postgres: CREATE TRIGGER poi_map_in_or_out AFTER INSERT OR DELETE ON poi FOR EACH ROW EXECUTE FUNCTION poi_map();
postgres: CREATE TRIGGER poi_map_moved AFTER UPDATE OF x, y, white_label_id, published ON poi FOR EACH ROW
postgres:   WHEN ((OLD.x, OLD.y, OLD.white_label_id, OLD.published) IS DISTINCT FROM (NEW.x, NEW.y, NEW.white_label_id, NEW.published))
postgres:   EXECUTE FUNCTION poi_map();

postgres: CREATE FUNCTION parcours_map() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
postgres:   IF TG_OP <> 'INSERT' THEN PERFORM map_changed(1, OLD.start_x, OLD.start_y, OLD.white_label_id, OLD.progress * 2 + OLD.shared, -1); END IF
postgres:   ; IF TG_OP <> 'DELETE' THEN PERFORM map_changed(1, NEW.start_x, NEW.start_y, NEW.white_label_id, NEW.progress * 2 + NEW.shared, 1); END IF
postgres: ; RETURN NULL; END $$;
postgres: CREATE TRIGGER parcours_map_in_or_out AFTER INSERT OR DELETE ON parcours FOR EACH ROW EXECUTE FUNCTION parcours_map();
postgres: CREATE TRIGGER parcours_map_moved AFTER UPDATE OF start_x, start_y, white_label_id, progress, shared ON parcours FOR EACH ROW
postgres:   WHEN ((OLD.start_x, OLD.start_y, OLD.white_label_id, OLD.progress, OLD.shared)
postgres:     IS DISTINCT FROM (NEW.start_x, NEW.start_y, NEW.white_label_id, NEW.progress, NEW.shared))
postgres:   EXECUTE FUNCTION parcours_map();

postgres: INSERT INTO map_filled SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM parcours);
postgres: INSERT INTO map_filled SELECT 2 WHERE NOT EXISTS (SELECT 1 FROM poi);
";
