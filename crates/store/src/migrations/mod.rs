//! The tables, one step after another. A step that was released is never changed: the next one corrects it. How to write one:
//! `docs/dev/migrations.md`.

use std::time::Duration;

use domain::Clock;
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend, SqliteTransactionMode, Statement, TransactionOptions,
    TransactionTrait,
};
use sea_orm_migration::prelude::*;

use crate::{Dialect, SchemaFault, Store, StoreError, advisory_lock, seeds};

mod m0001_foundation;
mod m0002_parcours;
mod m0003_catalogue;
mod m0004_media;
mod m0005_white_labels;
mod m0006_itineraries;
mod m0007_closures;
mod m0008_shares;
mod m0009_orders;
mod m0010_watch;
mod m0011_roadbook;
mod m0012_statistics;
mod m0013_feeds;
mod m0014_reviews;
mod m0015_provider_links;
mod m0017_imports;
mod m0018_roadbook_batches;
mod m0019_sit;
mod m0020_transport;
mod m0021_audio;
mod m0022_translation;
mod m0023_assistant;
mod m0025_children;
mod m0028_accounts;
mod m0029_service_keys;
mod m0030_audit;
mod m0031_import_said;
mod m0032_single_keys;
mod m0035_detours;
mod m0036_audio_walks_back;
mod m0037_trace_checks;
mod m0038_client_files;
mod m0040_import_pois;
mod m0041_jobs;
mod m0042_queues;
mod m0043_imports_as_jobs;
mod m0044_upload_pieces;
mod m0045_installation;
mod m0046_schema_version;
mod m0047_web_builds;
mod m0055_client_count;
mod m0060_regions;
mod m0061_nodes;
mod m0070_client_batches;
mod m0080_personal_tokens;
mod m0081_ground_entries;
mod m0082_moving_in;
mod m0083_ground_tracks;
mod m0090_survey_campaigns;
mod m0091_import_contacts;
mod m0092_campaign_mails;
mod m0093_map_cells;
mod m0094_statistics_of_all;
mod m0095_words_by_vector;
mod m0096_covering_box;
mod m0097_deleted_elsewhere;
mod m0098_favoured_parcours;
mod m0099_uuid_base;
mod m0100_wanted_pictures;
mod m0101_created_and_priority;
mod m0102_strips_of_places;
mod m0103_uses_of_binned_parcours;
mod schema;
mod steps;

pub use self::schema::{PendingStep, Schema};

struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        steps::steps().into_iter().map(|step| step.migration).collect()
    }
}

impl Store {
    /// Brings the tables to this version and fills the reference lists that are empty. Safe to call at each start. Tables of a newer
    /// version are left alone, where they say that this one may run on them; else they are refused.
    pub async fn migrate(&self, clock: &dyn Clock) -> Result<(), StoreError> {
        let schema = run(self.writer(), self.dialect()).await?;
        if schema.has_unknown {
            // The newer version filled them.
            return Ok(());
        }
        if seeds::are_filled(self.read_now()).await? {
            return Ok(());
        }
        let tx = self.begin().await?;
        seeds::fill(&tx, clock.now()).await?;
        tx.commit().await
    }
}

/// Makes the tables of an earlier version in an empty database: for tests that upgrade them.
pub(crate) async fn run_until(store: &Store, version: i64) -> Result<(), StoreError> {
    let steps = steps::steps().iter().filter(|step| schema::number(&step.name()) <= version).count();
    Migrator::up(store.writer(), Some(steps as u32)).await?;
    Ok(())
}

/// How often a server that waits for another one's steps looks again.
const LOOK_AGAIN: Duration = Duration::from_millis(200);

/// Runs the steps that were not run yet. Several programs may do so at once: one works, the others wait.
async fn run(writer: &DatabaseConnection, dialect: Dialect) -> Result<Schema, StoreError> {
    if dialect == Dialect::Sqlite {
        // Where nothing is to be done, no program that writes to the file is waited for.
        let schema = schema::read(writer, dialect).await?;
        if schema.fault().is_none() && (schema.has_unknown || schema.is_recorded) {
            return Ok(schema);
        }
        // One transaction for all steps and their records: a program that is killed, or meets a full disk, leaves the tables as they were.
        // It begins with the lock of the writer, so the tables are read after another program's steps.
        let sqlite_transaction_mode = Some(SqliteTransactionMode::Immediate);
        let options = TransactionOptions { sqlite_transaction_mode, ..TransactionOptions::default() };
        let tx = writer.begin_with_options(options).await?;
        let schema = run_steps(&tx, dialect).await?;
        tx.commit().await?;
        return Ok(schema);
    }
    let guard = writer.begin().await?;
    // The lock is asked for again and again: a statement that waits for it would be an open transaction, for whose end
    // CREATE INDEX CONCURRENTLY of the server that works waits.
    let take = format!("SELECT pg_try_advisory_xact_lock({})", advisory_lock::MIGRATIONS);
    let take = Statement::from_string(DbBackend::Postgres, take);
    while !guard.query_one_raw(take.clone()).await?.is_some_and(|row| row.try_get_by_index(0).unwrap_or(false)) {
        tokio::time::sleep(LOOK_AGAIN).await;
    }
    let done = run_steps(writer, dialect).await;
    guard.commit().await?;
    done
}

async fn run_steps<'c, C>(writer: &'c C, dialect: Dialect) -> Result<Schema, StoreError>
where
    C: ConnectionTrait,
    &'c C: IntoSchemaManagerConnection<'c>,
{
    let schema = schema::read(writer, dialect).await?;
    match schema.fault() {
        // A server that died after the steps has not recorded them.
        None if !schema.has_unknown && !schema.is_recorded => schema::record(writer, dialect).await?,
        None => {}
        Some(SchemaFault::Older { .. }) => {
            // Before the steps too: an older server that meets one of them must know whether it may go on.
            schema::record(writer, dialect).await?;
            Migrator::up(writer, None).await?;
            schema::record(writer, dialect).await?;
        }
        Some(fault) => return Err(fault.into()),
    }
    Ok(schema)
}

/// Runs statements written once for both databases. In them `{id}`, `{json}` and `{bytes}` are column types, and
/// lines that start with `sqlite:` or `postgres:` are for one of them alone. Statements end with `;` at the end of a line.
pub(crate) async fn run_script(manager: &SchemaManager<'_>, script: &str) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    let sqlite = connection.get_database_backend() == sea_orm::DbBackend::Sqlite;
    for statement in statements(script, sqlite) {
        connection.execute_unprepared(&statement).await?;
    }
    Ok(())
}

fn statements(script: &str, sqlite: bool) -> Vec<String> {
    let (own, other) = if sqlite { ("sqlite:", "postgres:") } else { ("postgres:", "sqlite:") };
    let (id, json, bytes) = if sqlite {
        ("INTEGER PRIMARY KEY AUTOINCREMENT", "TEXT", "BLOB")
    } else {
        ("BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY", "JSONB", "BYTEA")
    };
    let mut found = Vec::new();
    let mut statement = String::new();
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("--")) {
        if line.starts_with(other) {
            continue;
        }
        statement.push_str(line.strip_prefix(own).unwrap_or(line).trim());
        statement.push('\n');
        if line.ends_with(';') {
            found.push(statement.replace("{id}", id).replace("{json}", json).replace("{bytes}", bytes));
            statement.clear();
        }
    }
    found
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use sea_orm::SqlxSqliteConnector;
    use sea_orm::sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};

    use super::*;
    use crate::DatabaseSettings;

    /// A database file of a test alone, and its folder.
    fn new_file(name: &str) -> (DatabaseSettings, std::path::PathBuf) {
        let folder = std::env::temp_dir().join(format!("jalon-migrations-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let settings = DatabaseSettings::new(format!("sqlite:{}", folder.join("jalon.sqlite").display()));
        (DatabaseSettings { is_durable: false, ..settings }.for_migration(), folder)
    }

    #[tokio::test]
    async fn steps_that_are_cut_anywhere_leave_a_file_on_which_they_run_again() {
        let (settings, folder) = new_file("cut");
        let clock = domain::FrozenClock::at(domain::Instant(1_700_000_000));
        let mut cuts = 0;
        // The file may not grow beyond `pages` pages: SQLite fails as it does on a full disk, each time at a later statement.
        for pages in (20..).step_by(60) {
            let store = Store::connect(&settings).await.unwrap();
            store.writer().execute_unprepared(&format!("PRAGMA max_page_count = {pages}")).await.unwrap();
            let migrated = store.migrate(&clock).await;
            let _ = store.close().await;
            let store = Store::connect(&settings).await.unwrap();
            let schema = store.schema().await.unwrap();
            store.close().await.unwrap();
            match migrated {
                Ok(()) => {
                    assert_eq!((schema.fault(), schema.is_recorded), (None, true));
                    break;
                }
                Err(error) => assert!(matches!(error, StoreError::Full(_)), "{error}"),
            }
            assert!(schema.database.is_none() || schema.fault().is_none(), "all steps or none: {:?}", schema.database);
            cuts += 1;
        }
        assert!(cuts > 1, "{cuts}");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[tokio::test]
    async fn programs_that_migrate_one_file_at_once_wait_for_each_other() {
        let (settings, folder) = new_file("at-once");
        let clock = domain::FrozenClock::at(domain::Instant(1_700_000_000));
        let (one, other) = (Store::connect(&settings).await.unwrap(), Store::connect(&settings).await.unwrap());
        let (of_one, of_other) = tokio::join!(one.migrate(&clock), other.migrate(&clock));
        of_one.unwrap();
        of_other.unwrap();
        for store in [one, other] {
            assert_eq!(store.schema().await.unwrap().fault(), None);
            store.close().await.unwrap();
        }
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[tokio::test]
    async fn a_file_of_this_version_is_opened_while_another_program_writes_to_it() {
        let (settings, folder) = new_file("current");
        let clock = domain::FrozenClock::at(domain::Instant(1_700_000_000));
        let (one, other) = (Store::connect(&settings).await.unwrap(), Store::connect(&settings).await.unwrap());
        one.migrate(&clock).await.unwrap();
        let writing = one.begin().await.unwrap();
        tokio::time::timeout(Duration::from_secs(20), other.migrate(&clock)).await.unwrap().unwrap();
        drop(writing);
        for store in [one, other] {
            store.close().await.unwrap();
        }
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[tokio::test]
    async fn what_waited_in_the_old_queues_is_carried_to_the_table_of_jobs() {
        let options = SqliteConnectOptions::new().in_memory(true).foreign_keys(false);
        let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await.unwrap();
        let database = SqlxSqliteConnector::from_sqlx_sqlite_pool(pool);
        let before = Migrator::migrations().iter().position(|step| step.name() == "m0041_jobs").unwrap();
        Migrator::up(&database, Some(before as u32)).await.unwrap();
        for row in [
            "INSERT INTO roadbook_batch (id, asked_by, state, wanted, items, done, created_at)
             VALUES (7, 3, 'running', '[1,2]', '[]', 1, 100), (8, 3, 'done', '[1]', '[]', 1, 100)",
            "INSERT INTO media (id, white_label_id, kind, file_name, bytes, version, updated_at)
             VALUES (4, 2, 'image', 'a.jpg', 1, 1, 0)",
            "INSERT INTO translation_job (id, white_label_id, asked_by, kind, source, target, state, agency, total, counts, started_at)
             VALUES (9, 2, 3, 1, 'fr', 'en', 'running', 0, 12, '{}', 100), (10, 2, 3, 1, 'fr', 'en', 'paused', 0, 12, '{}', 100)",
            "INSERT INTO audio_job (id, parcours_id, language, asked_by, state, total, started_at)
             VALUES (12, 11, 'fr', 3, 'running', 2, 100), (14, 11, 'fr', 3, 'done', 2, 100)",
            "INSERT INTO transport_run (id, feed_id, white_label_id, state, today, counts, notes, started_at)
             VALUES (15, 5, 2, 'running', 20261231, '{}', '[]', 100), (16, 5, 2, 'done', 20261231, '{}', '[]', 100)",
            "INSERT INTO watch_run (id, state, forced, after_name, total, started_at)
             VALUES (17, 'running', 0, 'today', 9, 100), (18, 'done', 0, 'today', 9, 100)",
            "INSERT INTO import_source (id, white_label_id, sort_title, kind, schedule, version, created_at, updated_at)
             VALUES (20, 2, 'a', 'geotrek', 'daily', 1, 0, 0), (21, 2, 'b', 'geotrek', 'daily', 1, 0, 0)",
            "INSERT INTO sit_source (id, white_label_id, sort_title, kind, schedule, version, created_at, updated_at)
             VALUES (20, 2, 'a', 'apidae', 'hourly', 1, 0, 0), (22, 2, 'c', 'apidae', 'never', 1, 0, 0)",
            "INSERT INTO import_run (id, source_id, source_kind, white_label_id, mode, state, phase, recipe, counts, started_at)
             VALUES (30, 20, 13, 2, 'real', 'running', 'items', '', '{}', 100), (31, 20, 14, 2, 'real', 'done', 'over', '', '{}', 100),
             (32, 21, 13, 2, 'dry', 'done', 'media', '', '{}', 100), (33, 22, 14, 2, 'real', 'running', 'gone', '', '{}', 100)",
            "INSERT INTO import_item (source_id, item, state, digest, recipe, applied, locked, media, waits)
             VALUES (21, 'x', 'linked', '', '', '{}', '[]', '[]', 1), (21, 'y', 'linked', '', '', '{}', '[]', '[]', 1),
             (20, 'z', 'linked', '', '', '{}', '[]', '[]', 0)",
            "INSERT INTO sit_record (id, source_id, white_label_id, item, status, digest, recipe, payload, overrides, languages, title,
             sort_title, lon, lat, x, y, categories, applied, wants_media, version, updated_at)
             VALUES (40, 20, 2, 'a', 'active', '', '', '{}', '{}', '', '{}', '', 4, 47, 0, 0, '', '{}', 1, 1, 0),
             (41, 20, 2, 'b', 'active', '', '', '{}', '{}', '', '{}', '', 4, 47, 0, 0, '', '{}', 0, 1, 0)",
            "INSERT INTO media_made (media_id, state, recipe, body) VALUES (4, 1, 'r', '{}'), (5, 1, 'r', '{}'), (6, 0, 'r', '{}')",
        ] {
            database.execute_unprepared(row).await.unwrap();
        }
        Migrator::up(&database, None).await.unwrap();
        let sql = "SELECT kind || ' ' || payload || ' ' || unique_key || ' ' || COALESCE(white_label_id, 0) FROM job ORDER BY id";
        let statement = Statement::from_string(DbBackend::Sqlite, sql);
        let found = database.query_all_raw(statement).await.unwrap();
        let found: Vec<String> = found.iter().map(|row| row.try_get_by_index(0).unwrap()).collect();
        assert_eq!(
            found,
            [
                r#"roadbook_batch {"batch":7} 7 0"#,
                r#"media_sizes {"media":4} 4 2"#,
                r#"translation {"translation":9} 9 2"#,
                r#"audio_speech {"speech":12} 12 0"#,
                r#"transport_run {"run":15} 15 2"#,
                r#"network_watch {"run":17} 17 0"#,
                r#"import_run {"run":30} 30 2"#,
                r#"import_run {"run":33} 33 2"#,
                r#"import_refresh {"kind":"import_source","source":20} import_source/20 2"#,
                r#"import_refresh {"kind":"sit_source","source":20} sit_source/20 2"#,
                r#"import_match {"source":21} 21 2"#,
                r#"sit_pictures {"record":40} 40 2"#
            ]
        );
    }
}
