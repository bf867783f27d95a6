//! The tables of another version: planned, wanted, refused, served.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use flate2::read::GzDecoder;
use store::server::run_sql;
use store::{DatabaseSettings, Store};

use crate::running::{Folder, Running, jalon};

/// What a command says, and whether it succeeded.
fn said(data: &Path, settings: &[(&str, &str)], arguments: &[&str]) -> (bool, String) {
    let output = jalon(data, settings, arguments).output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.success(), said)
}

/// The exit code of `jalon migrate --plan`, and what it prints.
fn planned(data: &Path) -> (Option<i32>, String) {
    let output = jalon(data, &[], &["migrate", "--plan"]).output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.code(), said)
}

/// The file of an earlier layout.
fn layout(data: &Path, version: &str) {
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../api/tests/layouts/{version}/jalon.sqlite.gz"));
    let mut bytes = Vec::new();
    GzDecoder::new(fs::File::open(packed).unwrap()).read_to_end(&mut bytes).unwrap();
    fs::write(data.join("jalon.sqlite"), bytes).unwrap();
}

/// Runs SQL in the database of a folder, beside the binary.
fn change(data: &Path, statements: &[&str]) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let url = format!("sqlite:{}", data.join("jalon.sqlite").display());
        let store = Store::connect(&DatabaseSettings::new(url)).await.unwrap();
        let tx = store.begin().await.unwrap();
        for statement in statements {
            run_sql(&tx, statement).await.unwrap();
        }
        tx.commit().await.unwrap();
        store.close().await.unwrap();
    });
}

const NO_MIGRATE: [(&str, &str); 1] = [("JALON_DATABASE__MIGRATE", "false")];

#[test]
fn older_tables_are_planned_and_changed_only_where_that_is_asked_for() {
    let folder = Folder::new("upgrade-older");
    let data = folder.path();
    let (code, plan) = planned(data);
    assert!(code == Some(3) && plan.contains("There is no database"), "{code:?}: {plan}");
    assert!(!data.join("jalon.sqlite").exists(), "a plan makes nothing");
    layout(data, "45");
    let (code, plan) = planned(data);
    assert_eq!(code, Some(3), "{plan}");
    assert!(plan.contains("The database has version 45; this Jalon has version"), "{plan}");
    assert!(plan.contains("m0046_schema_version: does not fit servers of earlier versions"), "{plan}");
    assert!(plan.contains("m0047_web_builds: fits running servers\n    CREATE TABLE web_build ("), "{plan}");
    assert!(plan.contains("First stop the servers of earlier versions"), "{plan}");
    for (settings, arguments) in [(&[][..], ["serve", "--no-migrate"].as_slice()), (&NO_MIGRATE, &["serve"])] {
        let (good, refusal) = said(data, settings, arguments);
        assert!(!good && refusal.contains("the tables have version 45, and this Jalon needs version"), "{refusal}");
    }
    assert!(said(data, &[], &["doctor"]).1.contains("FAILED: the tables have version 45"));
    let names = ["--first-name", "Ana", "--last-name", "Roux", "--structure", "Parc", "--white-label", "Parc"];
    let account = [&["user", "create", "--email", "ana@parc.example"][..], &names].concat();
    for arguments in [
        ["parcours", "export"].as_slice(),
        &["blobs", "verify"],
        &["jobs", "list"],
        &["backup", "create", "--to", "backups"],
        account.as_slice(),
    ] {
        let (good, refusal) = said(data, &[], arguments);
        let words = "the tables have version 45, and this Jalon needs version";
        assert!(!good && refusal.contains(words) && refusal.contains("jalon migrate"), "{arguments:?}: {refusal}");
    }
    assert!(!data.join("backups").exists(), "a backup that is refused makes no folder");
    let (code, _) = planned(data);
    assert_eq!(code, Some(3), "no command migrated the tables");
    let (good, done) = said(data, &NO_MIGRATE, &["migrate"]);
    assert!(good && done.contains("The database is at this version"), "{done}");
    let (code, plan) = planned(data);
    assert!(code == Some(0) && plan.contains("Nothing would be done."), "{code:?}: {plan}");
    assert!(said(data, &[], &account).0);
}

#[test]
fn newer_tables_are_served_or_refused_as_they_say() {
    let folder = Folder::new("upgrade-newer");
    let data = folder.path();
    assert!(said(data, &[], &["migrate"]).0);
    let step = "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m9001_later', 1)";
    change(data, &[step, "UPDATE schema_version SET version = 9001"]);
    let server = Running::start(data, &[]);
    drop(server);
    let (good, done) = said(data, &[], &["migrate"]);
    assert!(good && done.contains("The database has version 9001, which is newer than this one"), "{done}");
    change(data, &["UPDATE schema_version SET oldest_binary = 9001"]);
    for arguments in [["serve", "--port", "1"].as_slice(), &["serve", "--port", "1", "--no-migrate"], &["migrate"]] {
        let (good, refusal) = said(data, &[], arguments);
        let words = "the tables have version 9001, and only versions of Jalon from 9001 on may run on them";
        assert!(!good && refusal.contains(words), "{arguments:?}: {refusal}");
    }
    let (code, plan) = planned(data);
    assert!(code == Some(1) && plan.contains("nothing can be done: the tables have version 9001"), "{code:?}: {plan}");
}
