//! Connections: what is written to the disk, how a failing database is reported, and what happens to broken connections.

use std::io::Read as _;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use macros::app_test;
use sea_orm::{ConnectionTrait as _, DbBackend, Statement};
use store::{Connection as _, DatabaseSettings, Dialect, Store, StoreError};
use teststore::{TestStore, WriteProtected};

async fn fails(test: &TestStore, statements: &[&str]) -> StoreError {
    let tx = test.store.begin().await.unwrap();
    for (at, sql) in statements.iter().enumerate() {
        match tx.executor().execute_unprepared(sql).await {
            Ok(_) => {}
            Err(error) if at + 1 == statements.len() => return error.into(),
            Err(error) => panic!("{sql}: {error}"),
        }
    }
    panic!("{statements:?} did not fail");
}

#[app_test]
async fn sqlite_answers_once_a_commit_is_on_the_disk(test: TestStore) {
    if test.store.dialect() != Dialect::Sqlite {
        return;
    }
    let file = test.scratch.path().join("durable.sqlite");
    let mut settings = DatabaseSettings::new(format!("sqlite:{}", file.display()));
    assert!(settings.is_durable, "it is what a server uses");
    for (is_durable, expected) in [(true, 2), (false, 1)] {
        settings.is_durable = is_durable;
        let store = Store::connect(&settings).await.unwrap();
        let tx = store.begin().await.unwrap();
        let asked = Statement::from_string(DbBackend::Sqlite, "PRAGMA synchronous");
        let row = tx.executor().query_one_raw(asked).await.unwrap().unwrap();
        assert_eq!(row.try_get_by_index::<i32>(0).unwrap(), expected, "durable: {is_durable} (2 is FULL, 1 is NORMAL)");
        drop(tx);
        store.close().await.unwrap();
    }
}

#[app_test]
async fn a_statement_that_takes_too_long_or_waits_too_long_is_not_a_fault_of_the_request(test: TestStore) {
    if test.store.dialect() != Dialect::Postgres {
        return;
    }
    let slow = fails(&test, &["SET LOCAL statement_timeout = 50", "SELECT pg_sleep(10)"]).await;
    assert!(matches!(slow, StoreError::DatabaseUnavailable(_)), "{slow}");
    let holding = test.store.begin().await.unwrap();
    holding.executor().execute_unprepared("LOCK TABLE structure IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let waits = fails(&test, &["SET LOCAL lock_timeout = 50", "UPDATE structure SET name = name"]).await;
    assert!(matches!(waits, StoreError::DatabaseUnavailable(_)), "{waits}");
    let wrong = fails(&test, &["SELECT nothing FROM nowhere"]).await;
    assert!(matches!(wrong, StoreError::Database(_)), "a fault of ours stays one: {wrong}");
}

#[app_test]
async fn connections_that_the_database_closed_are_replaced(test: TestStore) {
    if test.store.dialect() != Dialect::Postgres {
        return;
    }
    let asked = || async {
        let asked = (0..10).map(|_| test.store.ping());
        futures_util::future::try_join_all(asked).await
    };
    asked().await.unwrap();
    let tx = test.store.begin().await.unwrap();
    let others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    tx.executor().execute_unprepared(others).await.unwrap();
    tx.commit().await.unwrap();
    // Connections that were idle for a second are asked before they are used.
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    asked().await.unwrap();
}

#[tokio::test]
async fn a_proxy_without_a_database_behind_it_is_a_database_that_is_away() {
    let proxy = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("postgres://jalon@{}/jalon", proxy.local_addr().unwrap());
    std::thread::spawn(move || {
        for connection in proxy.incoming() {
            // What the client begins with is read, so that it sees an end and not a reset.
            let _ = connection.unwrap().read(&mut [0; 256]);
        }
    });
    let settings = DatabaseSettings { acquire_timeout: Duration::from_secs(2), ..DatabaseSettings::new(url) };
    let error = Store::connect(&settings).await.err().unwrap();
    assert!(matches!(error, StoreError::DatabaseUnavailable(_)), "{error}");
}

#[app_test]
async fn a_database_without_its_last_step_is_not_migrated(test: TestStore) {
    assert_eq!(test.store.schema().await.unwrap().fault(), None);
    let tx = test.store.begin().await.unwrap();
    let last = "DELETE FROM seaql_migrations WHERE version = (SELECT MAX(version) FROM seaql_migrations)";
    tx.executor().execute_unprepared(last).await.unwrap();
    tx.commit().await.unwrap();
    assert!(test.store.schema().await.unwrap().wants_migration());
}

#[app_test]
async fn servers_that_start_at_once_run_each_step_once(test: TestStore) {
    // SQLite has one server.
    if test.store.dialect() == store::Dialect::Sqlite {
        return;
    }
    let tx = test.store.begin().await.unwrap();
    for statement in [
        "DROP TABLE web_file",
        "DROP TABLE web_build",
        "DELETE FROM seaql_migrations WHERE version = 'm0047_web_builds'",
    ] {
        tx.executor().execute_unprepared(statement).await.unwrap();
    }
    tx.commit().await.unwrap();
    assert!(test.store.schema().await.unwrap().wants_migration());
    let clock = domain::FrozenClock::at(teststore::NOW);
    let starts = (0..4).map(|_| test.store.migrate(&clock));
    futures_util::future::try_join_all(starts).await.unwrap();
    let schema = test.store.schema().await.unwrap();
    assert_eq!((schema.fault(), schema.database), (None, Some(schema.own)));
}

#[app_test]
async fn after_a_disk_was_full_what_is_committed_is_there_and_what_is_not_is_not(test: TestStore) {
    if test.store.dialect() != Dialect::Sqlite {
        return;
    }
    let file = test.scratch.path().join("full.sqlite");
    let settings = DatabaseSettings::new(format!("sqlite:{}", file.display()));
    let store = Store::connect(&settings).await.unwrap();
    let insert = |id: u8, bytes: u32| format!("INSERT INTO note VALUES ({id}, hex(zeroblob({bytes})))");
    let tx = store.begin().await.unwrap();
    tx.executor().execute_unprepared("CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL)").await.unwrap();
    tx.commit().await.unwrap();
    // The file may not grow: SQLite fails as it does on a full disk, and ends the transaction itself.
    let full = store.begin().await.unwrap();
    full.executor().execute_unprepared("PRAGMA max_page_count = 1").await.unwrap();
    let error = full.executor().execute_unprepared(&insert(1, 100_000)).await.unwrap_err();
    assert!(matches!(StoreError::from(error), StoreError::Full(_)));
    drop(full);
    let refused = store.begin().await.unwrap();
    refused.executor().execute_unprepared(&insert(2, 1)).await.unwrap();
    drop(refused);
    let kept = store.begin().await.unwrap();
    kept.executor().execute_unprepared(&insert(3, 1)).await.unwrap();
    kept.commit().await.unwrap();
    // Other connections see it, and so does the next server.
    let ids = || async {
        let asked = Statement::from_string(DbBackend::Sqlite, "SELECT group_concat(id) FROM note");
        let store = Store::connect(&settings).await.unwrap();
        let row = store.read().executor().query_one_raw(asked).await.unwrap().unwrap();
        store.close().await.unwrap();
        row.try_get_by_index::<String>(0).unwrap()
    };
    assert_eq!(ids().await, "3");
    store.close().await.unwrap();
    assert_eq!(ids().await, "3");
}

#[app_test]
async fn a_file_that_is_damaged_or_no_database_is_told_from_one_that_may_not_be_read(test: TestStore) {
    if test.store.dialect() != Dialect::Sqlite {
        return;
    }
    let file = test.scratch.path().join("damaged.sqlite");
    let settings = DatabaseSettings::new(format!("sqlite:{}", file.display()));
    std::fs::write(&file, "Bonjour. ".repeat(1_000)).unwrap();
    let other = Store::connect(&settings).await.unwrap_err();
    assert!(other.is_of_damaged_file(), "{other}");
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    let folder = Store::connect(&settings).await.unwrap_err();
    assert!(!folder.is_of_damaged_file(), "{folder}");
    let wrong = fails(&test, &["SELECT nothing FROM nowhere"]).await;
    assert!(!wrong.is_of_damaged_file(), "{wrong}");
}

#[app_test]
async fn a_file_that_another_connection_locks_is_told_from_one_that_may_not_be_written(test: TestStore) {
    if test.store.dialect() != Dialect::Sqlite {
        return;
    }
    let file = test.scratch.path().join("locked.sqlite");
    let usual = DatabaseSettings::new(format!("sqlite:{}", file.display()));
    let settings = DatabaseSettings { busy_timeout: Some(Duration::from_millis(100)), ..usual };
    let (first, second) = (Store::connect(&settings).await.unwrap(), Store::connect(&settings).await.unwrap());
    let writing = first.begin().await.unwrap();
    let locked = second.begin().await.unwrap_err();
    assert!(locked.is_of_locked_file() && !locked.is_of_damaged_file(), "{locked}");
    drop(writing);
    let wrong = fails(&test, &["SELECT nothing FROM nowhere"]).await;
    assert!(!wrong.is_of_locked_file(), "{wrong}");
    first.close().await.unwrap();
    second.close().await.unwrap();
}

#[tokio::test]
async fn a_postgresql_server_that_does_not_run_refuses_the_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let mut settings = DatabaseSettings::new(format!("postgres://jalon@127.0.0.1:{port}/jalon"));
    settings.acquire_timeout = Duration::from_millis(300);
    let error = Store::connect(&settings).await.unwrap_err();
    assert!(matches!(error, StoreError::DatabaseUnavailable(_)), "{error}");
    assert!(error.to_string().contains("refused"), "{error}");
}

/// Statements that write, on a database that only reads.
async fn takes_no_writes(store: &Store, test: &TestStore, sql: &str) {
    assert!(!store.takes_writes().await.unwrap());
    let only_reads = TestStore { store: store.clone(), scratch: Arc::clone(&test.scratch) };
    let refused = fails(&only_reads, &[sql]).await;
    assert!(matches!(refused, StoreError::DatabaseUnavailable(_)), "{refused}");
    store.close().await.unwrap();
}

#[app_test]
async fn a_server_that_is_set_to_read_only_takes_no_writes(test: TestStore) {
    assert!(test.store.takes_writes().await.unwrap());
    if test.store.dialect() != Dialect::Postgres {
        return;
    }
    let set = |settings: &mut DatabaseSettings| {
        let start = if settings.url.contains('?') { '&' } else { '?' };
        settings.url.push(start);
        settings.url.push_str("options[default_transaction_read_only]=on");
    };
    takes_no_writes(&test.reopened(set).await, &test, "UPDATE structure SET name = name").await;
}

/// Adds a row to the table that [`a_file_that_can_be_written_again_is_written_without_a_restart`] makes.
async fn add_note(store: &Store, id: u8) -> Result<(), StoreError> {
    let tx = store.begin().await?;
    tx.executor().execute_unprepared(&format!("INSERT INTO note VALUES ({id})")).await?;
    tx.commit().await
}

#[app_test]
async fn a_file_that_can_be_written_again_is_written_without_a_restart(test: TestStore) {
    if test.store.dialect() != Dialect::Sqlite {
        return;
    }
    let file = test.scratch.path().join("protected.sqlite");
    let settings = DatabaseSettings::new(format!("sqlite:{}", file.display()));
    let store = Store::connect(&settings).await.unwrap();
    let tx = store.begin().await.unwrap();
    tx.executor().execute_unprepared("CREATE TABLE note (id INTEGER PRIMARY KEY)").await.unwrap();
    tx.commit().await.unwrap();
    store.close().await.unwrap();
    let Some(protected) = WriteProtected::new(&file) else {
        return teststore::skipped("a file that can be written again", "this user may write every file");
    };
    // Opened while it may not be written.
    let store = Store::connect(&settings).await.unwrap();
    add_note(&store, 1).await.unwrap_err();
    drop(protected);
    // SQLite gives its journal the rights of the file.
    for part in ["protected.sqlite", "protected.sqlite-wal", "protected.sqlite-shm"] {
        let part = test.scratch.path().join(part);
        if part.exists() {
            std::fs::set_permissions(&part, std::fs::Permissions::from_mode(0o644)).unwrap();
        }
    }
    assert!(store.takes_writes().await.unwrap());
    add_note(&store, 2).await.unwrap();
    store.close().await.unwrap();
}

#[app_test]
async fn a_journal_that_was_read_only_when_it_was_opened_takes_no_writes(test: TestStore) {
    if test.store.dialect() != Dialect::Sqlite {
        return;
    }
    let [made, copied] = ["journal.sqlite", "journal-copied.sqlite"].map(|name| test.scratch.path().join(name));
    let settings = |file: &Path| DatabaseSettings::new(format!("sqlite:{}", file.display()));
    let store = Store::connect(&settings(&made)).await.unwrap();
    let tx = store.begin().await.unwrap();
    tx.executor().execute_unprepared("CREATE TABLE note (id INTEGER PRIMARY KEY)").await.unwrap();
    tx.commit().await.unwrap();
    // While it is open: the last connection deletes the journal.
    let part = |file: &Path, end: &str| format!("{}{end}", file.display());
    for end in ["", "-wal", "-shm"] {
        std::fs::copy(part(&made, end), part(&copied, end)).unwrap();
    }
    store.close().await.unwrap();
    let memory = part(&copied, "-shm");
    let Some(protected) = WriteProtected::new(Path::new(&memory)) else {
        return teststore::skipped("a journal that was read-only", "this user may write every file");
    };
    let store = Store::connect(&settings(&copied)).await.unwrap();
    add_note(&store, 1).await.unwrap_err();
    assert!(!store.takes_writes().await.unwrap());
    drop(protected);
    std::fs::set_permissions(&memory, std::fs::Permissions::from_mode(0o644)).unwrap();
    add_note(&store, 1).await.unwrap_err();
    assert!(!store.takes_writes().await.unwrap(), "SQLite still refuses each save");
    store.close().await.unwrap();
}

#[app_test]
async fn a_file_that_may_not_be_written_takes_no_writes(test: TestStore) {
    if test.store.dialect() != Dialect::Sqlite {
        return;
    }
    let file = test.scratch.path().join("read-only.sqlite");
    let settings = DatabaseSettings::new(format!("sqlite:{}", file.display()));
    let store = Store::connect(&settings).await.unwrap();
    let tx = store.begin().await.unwrap();
    tx.executor().execute_unprepared("CREATE TABLE note (id INTEGER PRIMARY KEY)").await.unwrap();
    assert!(store.takes_writes().await.unwrap(), "another transaction that writes is no fault");
    tx.commit().await.unwrap();
    store.close().await.unwrap();
    let Some(_protected) = WriteProtected::new(&file) else {
        return teststore::skipped("a file that may not be written", "this user may write every file");
    };
    let store = Store::connect(&settings).await.unwrap();
    takes_no_writes(&store, &test, "INSERT INTO note VALUES (1)").await;
}
