//! The sums of the days of all white-labels together: a year of two thousand white-labels is read in some ten thousand rows, not in millions.

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

// Triggers keep the sums, as servers of the version before write `statistics_day` too. The key of one of its rows is never changed.
// On PostgreSQL two servers would wait for each other at a sum they share: each change is a row of `statistics_change`, and every thousandth
// one adds those that are there to the sums, under the lock 319358889840. statistics_filled: a row once the sums hold, which
// `store::statistics::fill` sees to.
pub(super) const UP: &str = r"
CREATE TABLE statistics_all (
  day BIGINT NOT NULL,
  kind TEXT NOT NULL,
  source TEXT NOT NULL,
  country TEXT NOT NULL,
  language TEXT NOT NULL,
  total BIGINT NOT NULL,
  PRIMARY KEY (day, kind, source, country, language)
sqlite: ) WITHOUT ROWID;
postgres: );

sqlite: CREATE TRIGGER statistics_day_in AFTER INSERT ON statistics_day WHEN NEW.parcours_id = 0 BEGIN
sqlite:   INSERT INTO statistics_all VALUES (NEW.day, NEW.kind, NEW.source, NEW.country, NEW.language, NEW.total)
sqlite:   ON CONFLICT DO UPDATE SET total = total + excluded.total
sqlite: ; END;
sqlite: CREATE TRIGGER statistics_day_more AFTER UPDATE OF total ON statistics_day WHEN NEW.parcours_id = 0 BEGIN
sqlite:   INSERT INTO statistics_all VALUES (NEW.day, NEW.kind, NEW.source, NEW.country, NEW.language, NEW.total - OLD.total)
sqlite:   ON CONFLICT DO UPDATE SET total = total + excluded.total
sqlite: ; END;
sqlite: CREATE TRIGGER statistics_day_out AFTER DELETE ON statistics_day WHEN OLD.parcours_id = 0 BEGIN
sqlite:   INSERT INTO statistics_all VALUES (OLD.day, OLD.kind, OLD.source, OLD.country, OLD.language, - OLD.total)
sqlite:   ON CONFLICT DO UPDATE SET total = total + excluded.total
sqlite: ; END;
sqlite: INSERT INTO statistics_all SELECT day, kind, source, country, language, SUM(total) FROM statistics_day WHERE parcours_id = 0 GROUP BY 1, 2, 3, 4, 5;

postgres: CREATE TABLE statistics_change (
postgres:   id {id},
postgres:   day BIGINT NOT NULL, kind TEXT NOT NULL, source TEXT NOT NULL, country TEXT NOT NULL, language TEXT NOT NULL,
postgres:   step BIGINT NOT NULL
postgres: );
postgres: CREATE TABLE statistics_filled (id SMALLINT PRIMARY KEY);

postgres: CREATE FUNCTION statistics_fold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
postgres:   IF NOT EXISTS (SELECT 1 FROM statistics_filled) THEN RETURN NULL; END IF
postgres:   ; IF pg_try_advisory_xact_lock(319358889840) THEN
postgres:     WITH gone AS (DELETE FROM statistics_change RETURNING *)
postgres:     INSERT INTO statistics_all SELECT day, kind, source, country, language, SUM(step) FROM gone GROUP BY 1, 2, 3, 4, 5
postgres:     ON CONFLICT (day, kind, source, country, language) DO UPDATE SET total = statistics_all.total + excluded.total
postgres:   ; END IF
postgres: ; RETURN NULL; END $$;
postgres: CREATE TRIGGER statistics_change_fold AFTER INSERT ON statistics_change FOR EACH ROW WHEN (NEW.id % 1000 = 0)
postgres:   EXECUTE FUNCTION statistics_fold();

postgres: CREATE FUNCTION statistics_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
postgres:   IF TG_OP = 'INSERT' THEN
postgres:     INSERT INTO statistics_change (day, kind, source, country, language, step)
postgres:     SELECT day, kind, source, country, language, SUM(total) FROM came WHERE parcours_id = 0 GROUP BY 1, 2, 3, 4, 5
postgres:   ; ELSIF TG_OP = 'DELETE' THEN
postgres:     INSERT INTO statistics_change (day, kind, source, country, language, step)
postgres:     SELECT day, kind, source, country, language, - SUM(total) FROM went WHERE parcours_id = 0 GROUP BY 1, 2, 3, 4, 5
postgres:   ; ELSE
postgres:     INSERT INTO statistics_change (day, kind, source, country, language, step)
postgres:     SELECT day, kind, source, country, language, SUM(step) FROM (
postgres:       SELECT day, kind, source, country, language, total AS step FROM came WHERE parcours_id = 0
postgres:       UNION ALL SELECT day, kind, source, country, language, - total FROM went WHERE parcours_id = 0) c
postgres:     GROUP BY 1, 2, 3, 4, 5 HAVING SUM(step) <> 0
postgres:   ; END IF
postgres: ; RETURN NULL; END $$;
postgres: CREATE TRIGGER statistics_day_in AFTER INSERT ON statistics_day REFERENCING NEW TABLE AS came
postgres:   FOR EACH STATEMENT EXECUTE FUNCTION statistics_changed();
postgres: CREATE TRIGGER statistics_day_more AFTER UPDATE ON statistics_day REFERENCING OLD TABLE AS went NEW TABLE AS came
postgres:   FOR EACH STATEMENT EXECUTE FUNCTION statistics_changed();
postgres: CREATE TRIGGER statistics_day_out AFTER DELETE ON statistics_day REFERENCING OLD TABLE AS went
postgres:   FOR EACH STATEMENT EXECUTE FUNCTION statistics_changed();
postgres: INSERT INTO statistics_filled SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM statistics_day);
";
