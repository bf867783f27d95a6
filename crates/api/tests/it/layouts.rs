//! Databases of earlier versions, upgraded and read (decision 0051). A layout is a folder of `tests/layouts`, named after the version of the
//! tables: one of everything as `nothing_crosses` makes it, as an SQLite file, as rows for PostgreSQL (whose tables are made by the steps up to
//! that version), what the owner's people read of it, and (from version 70 on) the files of the blob store. `scripts/layout.sh` adds the
//! one of this version.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use std::collections::BTreeSet;
use std::fs;
use std::io::{Cursor, Read as _, Write as _};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use macros::app_test;
use serde_json::{Value, json};
use store::server::{make_tables, put_rows, rows_of_tables, texts};
use store::{Dialect, Store, blob_check};
use testkit::{OtherDatabase, TestApp};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::nothing_crosses::read_by_the_owner;
use crate::nothing_crosses::world::{A, World};

const SQLITE: &str = "jalon.sqlite.gz";
const ROWS: &str = "rows.json.gz";
/// A layout stays small.
const MAX_BYTES: u64 = 400_000;
/// The first version whose layout has the files of the blob store.
const FIRST_WITH_BLOBS: i64 = 70;

fn pack(file: &Path, bytes: &[u8]) {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes).unwrap();
    fs::write(file, packed.finish().unwrap()).unwrap();
}

fn unpacked(file: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    GzDecoder::new(fs::File::open(file).unwrap()).read_to_end(&mut bytes).unwrap();
    bytes
}

/// What is kept beside the rows, one for each database: their numbers differ.
const fn world_file(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => "sqlite.json",
        Dialect::Postgres => "postgres.json",
    }
}

/// The files of the blob store, one archive for each database: a key holds the number of its record.
const fn blobs_file(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => "sqlite-blobs.zip",
        Dialect::Postgres => "postgres-blobs.zip",
    }
}

/// Puts the files below a folder into an archive, by their paths.
fn pack_folder(file: &Path, folder: &Path) {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let mut folders = vec![folder.to_owned()];
    while let Some(inside) = folders.pop() {
        for path in fs::read_dir(inside).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            archive
                .start_file(path.strip_prefix(folder).unwrap().to_str().unwrap(), SimpleFileOptions::default())
                .unwrap();
            archive.write_all(&fs::read(path).unwrap()).unwrap();
        }
    }
    fs::write(file, archive.finish().unwrap().into_inner()).unwrap();
}

/// Puts the files of a layout, and nothing else, where the application of the test has its blobs; false where the layout has none.
fn put_blobs(layout: &Path, app: &TestApp) -> bool {
    let folder = app.scratch().path().join("blobs");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let Ok(archive) = fs::read(layout.join(blobs_file(app.store().dialect()))) else { return false };
    ZipArchive::new(Cursor::new(archive)).unwrap().extract(&folder).unwrap();
    true
}

/// Every blob that the upgraded database needs is among those of the layout, and the owner gets the files: a picture and its sizes, what a
/// trace was made of, printed roadbooks.
async fn the_files_are_read(world: &World, layout: &Path) {
    let (app, place) = (&world.app, layout.display());
    let found =
        blob_check::verify(app.store().read(), &app.app().blobs, content::parcours::trace::source_key).await.unwrap();
    assert!(found.missing.is_empty(), "{place}: {:?}", found.missing);
    assert!(found.needed > 10, "{place}: {} blobs", found.needed);
    let id = |segment: &str| world.ids(segment).unwrap()[0].clone();
    let admin = app.admin_of(A);
    let media = admin.get(format!("/api/v1/medias/{}", id("medias"))).await.expect(200).json();
    let names = media["variants"].as_array().unwrap().iter().map(|variant| variant["name"].as_str().unwrap());
    let sizes: Vec<String> = names.map(|name| format!("/media/{}/{name}", id("medias"))).collect();
    assert!(sizes.len() > 3, "{place}: {sizes:?}");
    for address in sizes.iter().map(String::as_str).chain(media["url"].as_str()) {
        assert!(!admin.get(address).await.expect(200).bytes.is_empty(), "{place}: {address}");
    }
    let source = admin.get(format!("/api/v1/parcours/{}/trace/source", id("parcours"))).await.expect(200);
    assert!(source.text().contains("<gpx"), "{place}");
    let batch = format!("/api/v1/roadbook-batches/{}/file", id("roadbook-batches"));
    let printed = app.agency_of(A).get(batch).await.expect(200).bytes;
    assert!(!ZipArchive::new(Cursor::new(printed)).unwrap().is_empty(), "{place}");
}

/// The database of a layout, not upgraded yet.
async fn opened(folder: &Path, app: &TestApp) -> OtherDatabase {
    match app.store().dialect() {
        Dialect::Sqlite => {
            let file = app.scratch().path().join("layout.sqlite");
            fs::write(&file, unpacked(&folder.join(SQLITE))).unwrap();
            OtherDatabase::of_file(&file).await
        }
        Dialect::Postgres => {
            let other = OtherDatabase::empty().await;
            let version = folder.file_name().unwrap().to_str().unwrap().parse().unwrap();
            make_tables(&other.store, version).await.unwrap();
            let tables: Vec<(String, Value)> = serde_json::from_slice(&unpacked(&folder.join(ROWS))).unwrap();
            let tables: Vec<_> = tables.into_iter().map(|(table, rows)| (table, rows.to_string())).collect();
            put_rows(&other.store, &tables).await.unwrap();
            other
        }
    }
}

/// The statements that make all tables, indexes and triggers of an SQLite database. PostgreSQL keeps none.
async fn statements(store: &Store) -> Vec<String> {
    match store.dialect() {
        Dialect::Sqlite => {
            texts(store.read(), "SELECT type || ' ' || name || ': ' || COALESCE(sql, '') FROM sqlite_master ORDER BY 1")
                .await
                .unwrap()
        }
        Dialect::Postgres => Vec::new(),
    }
}

/// Upgrades a layout and reads all of it as its owner's people.
async fn read(folder: &Path, app: &TestApp) -> (BTreeSet<String>, Vec<String>) {
    let other = opened(folder, app).await;
    let saved = fs::read(folder.join(world_file(app.store().dialect()))).unwrap();
    let saved: Value = serde_json::from_slice(&saved).unwrap();
    other.store.migrate(app.clock()).await.unwrap();
    assert_eq!(other.store.schema().await.unwrap().fault(), None, "{}", folder.display());
    // A step that was released and changed afterwards would give new installations other tables than upgraded ones.
    assert_eq!(statements(&other.store).await, statements(app.store()).await, "{}", folder.display());
    let has_blobs = put_blobs(folder, app);
    let version: i64 = folder.file_name().unwrap().to_str().unwrap().parse().unwrap();
    assert_eq!(has_blobs, version >= FIRST_WITH_BLOBS, "{}: the files of the blob store", folder.display());
    let world = World::over(&app.changed(|parts| parts.store = other.store.clone()), &saved);
    if has_blobs {
        the_files_are_read(&world, folder).await;
    }
    let found = read_by_the_owner(&world).await;
    other.end().await;
    found
}

fn expected(folder: &Path, dialect: Dialect) -> BTreeSet<String> {
    let saved: Value = serde_json::from_slice(&fs::read(folder.join(world_file(dialect))).unwrap()).unwrap();
    saved["read"].as_array().unwrap().iter().map(|mark| mark.as_str().unwrap().to_owned()).collect()
}

fn layouts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/layouts")
}

/// The versions of the tables that the headings of the change log name, `## 0.1.0 (2026-12-01, tables 70)`; the first heading may be
/// `(in progress)`.
fn released(changes: &str) -> Result<Vec<i64>, String> {
    let headings = changes.lines().filter_map(|line| line.strip_prefix("## "));
    let mut found = Vec::new();
    for (at, heading) in headings.enumerate() {
        if at == 0 && heading.ends_with(" (in progress)") {
            continue;
        }
        let tables = heading.strip_suffix(')').and_then(|rest| rest.rsplit_once(", tables ")).map(|(_, tables)| tables);
        found.push(tables.and_then(|tables| tables.parse().ok()).ok_or_else(|| heading.to_owned())?);
    }
    Ok(found)
}

#[test]
fn every_release_has_its_layout() {
    let changes = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../CHANGELOG.md")).unwrap();
    for version in released(&changes).expect("a release names the version of its tables") {
        assert!(
            layouts().join(version.to_string()).is_dir(),
            "no layout {version}: run scripts/layout.sh on the release"
        );
    }
    let two = "# Changes\n\n## 0.2.0 (in progress)\n\n## 0.1.0 (2026-12-01, tables 70)\n";
    assert_eq!(released(two), Ok(vec![70]));
    assert_eq!(released("## 0.2.0 (2027-01-05, tables 82)\n## 0.1.0 (2026-12-01, tables 70)"), Ok(vec![82, 70]));
    for wrong in ["0.1.0 (2026-12-01)", "0.1.0", "0.1.0 (2026-12-01, tables new)"] {
        assert_eq!(released(&format!("## 0.2.0 (in progress)\n## {wrong}")), Err(wrong.to_owned()));
    }
    let unreleased = "## 0.2.0 (in progress)\n## 0.1.0 (in progress)";
    assert_eq!(released(unreleased), Err("0.1.0 (in progress)".to_owned()), "only the newest is in progress");
}

#[app_test]
async fn each_earlier_layout_is_upgraded_and_every_record_of_it_is_read(app: TestApp) {
    let folders: Vec<PathBuf> = fs::read_dir(layouts()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!folders.is_empty());
    for folder in folders {
        let bytes: u64 = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().metadata().unwrap().len()).sum();
        assert!(bytes < MAX_BYTES, "{}: {bytes} bytes", folder.display());
        let (seen, failed) = read(&folder, &app).await;
        assert!(failed.is_empty(), "{}: {failed:#?}", folder.display());
        let expected = expected(&folder, app.store().dialect());
        let lost: Vec<_> = expected.difference(&seen).collect();
        assert!(expected.len() > 100 && lost.is_empty(), "{}: nobody reads {lost:#?}", folder.display());
    }
}

/// Writes the layout of this version to a folder of the target directory, from where `scripts/layout.sh` takes it, and reads it.
#[app_test]
async fn the_layout_of_this_version_is_written_and_read(app: TestApp) {
    let version = app.store().schema().await.unwrap().own;
    let dialect = app.store().dialect();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("layouts").join(version.to_string());
    fs::create_dir_all(&folder).unwrap();
    let world = World::build(&app).await;
    match dialect {
        Dialect::Sqlite => {
            let file = app.scratch().path().join("copy.sqlite");
            app.store().copy_to_file(&file).await.unwrap();
            pack(&folder.join(SQLITE), &fs::read(file).unwrap());
        }
        Dialect::Postgres => {
            let tables = rows_of_tables(app.store().read()).await.unwrap();
            let tables: Vec<(String, Value)> =
                tables.into_iter().map(|(table, rows)| (table, serde_json::from_str(&rows).unwrap())).collect();
            pack(&folder.join(ROWS), json!(tables).to_string().as_bytes());
        }
    }
    let mut saved = world.saved();
    let file = folder.join(world_file(dialect));
    fs::write(&file, saved.to_string()).unwrap();
    pack_folder(&folder.join(blobs_file(dialect)), &app.scratch().path().join("blobs"));
    let (seen, failed) = read(&folder, &app).await;
    assert!(failed.is_empty(), "{failed:#?}");
    assert!(seen.len() > 100, "{} marks", seen.len());
    saved["read"] = json!(seen);
    fs::write(&file, saved.to_string()).unwrap();
}
