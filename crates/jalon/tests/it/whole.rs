//! An installation as one file, into the other kind of database and back: nothing differs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use testkit::{Database, OtherDatabase, TestStore};

use crate::running::{Folder, Running, get, jalon};

const NAME: &str = "what_is_exported_and_imported_does_not_differ";

/// Where a database of the PostgreSQL server of the tests is.
const PLACE: &str =
    "SELECT 'postgres://' || current_user || '@127.0.0.1:' || current_setting('port') || '/' || current_database()";

fn run(data: &Path, database: Option<&str>, arguments: &[&str]) -> (bool, String) {
    let settings: Vec<(&str, &str)> = database.map(|url| ("JALON_DATABASE_URL", url)).into_iter().collect();
    let output = jalon(data, &settings, arguments).output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.success(), said)
}

fn done(data: &Path, database: Option<&str>, arguments: &[&str]) -> String {
    let (good, said) = run(data, database, arguments);
    assert!(good, "{arguments:?}: {said}");
    said
}

/// The entries of an export: lines of JSON as values, sorted; other files as their bytes. PostgreSQL writes JSON inside of columns its own way.
fn entries(file: &Path) -> BTreeMap<String, Vec<String>> {
    let folder = Folder::new("unpacked");
    let unpacked = Command::new("tar").arg("-xzf").arg(file).arg("-C").arg(folder.path()).status().unwrap();
    assert!(unpacked.success());
    let mut sums = Command::new("sha256sum");
    sums.args(["--check", "--quiet", "SHA256SUMS"]).current_dir(folder.path());
    assert!(sums.status().unwrap().success(), "the sums are those of sha256sum");
    let mut found = BTreeMap::new();
    let mut left = vec![folder.path().to_owned()];
    while let Some(next) = left.pop() {
        for entry in fs::read_dir(next).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                left.push(path);
                continue;
            }
            let name = path.strip_prefix(folder.path()).unwrap().display().to_string();
            let bytes = fs::read(&path).unwrap();
            let lines = match name.as_str() {
                "SHA256SUMS" | "manifest.json" | "jalon.gpkg" => continue,
                "export.json" => {
                    let mut about: Value = serde_json::from_slice(&bytes).unwrap();
                    about.as_object_mut().unwrap().remove("made_at");
                    vec![about.to_string()]
                }
                name if name.ends_with(".jsonl") => {
                    let text = String::from_utf8(bytes).unwrap();
                    let mut lines: Vec<String> =
                        text.lines().map(|line| plain(serde_json::from_str(line).unwrap()).to_string()).collect();
                    lines.sort_unstable();
                    lines
                }
                _ => vec![format!("{bytes:?}")],
            };
            found.insert(name, lines);
        }
    }
    found
}

/// A value with JSON texts inside as values.
fn plain(value: Value) -> Value {
    match value {
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, plain(value))).collect(),
        Value::String(text) if text.starts_with(['{', '[']) => {
            serde_json::from_str(&text).unwrap_or(Value::String(text))
        }
        other => other,
    }
}

fn assert_same(one: &Path, other: &Path) {
    let (one, other) = (entries(one), entries(other));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (name, lines) in &one {
        for (line, there) in lines.iter().zip(&other[name]) {
            assert_eq!(line, there, "{name}");
        }
        assert_eq!(lines.len(), other[name].len(), "{name}");
    }
}

/// What SQLite makes from rows to find them: words, boxes, sums of maps.
async fn found_by(data: &Path) -> Vec<Vec<String>> {
    let database = OtherDatabase::of_file(&data.join("jalon.sqlite")).await;
    let mut found = Vec::new();
    for sql in [
        "SELECT rowid || ' ' || words FROM poi_search ORDER BY rowid",
        "SELECT rowid || ' ' || words FROM contact_search ORDER BY rowid",
        "SELECT term || ' ' || doc || ' ' || cnt FROM parcours_terms ORDER BY term",
        "SELECT id || ' ' || west || ' ' || south || ' ' || east || ' ' || north FROM parcours_box ORDER BY id",
        "SELECT kind || ' ' || level || ' ' || across || ' ' || up || ' ' || white_label_id || ' ' || state || ' ' || total || ' ' || sum_x
         || ' ' || sum_y FROM map_cell WHERE total > 0 ORDER BY 1",
    ] {
        let rows = store::server::texts(database.store.read(), sql).await.unwrap();
        assert!(!rows.is_empty(), "{sql}");
        found.push(rows);
    }
    database.end().await;
    found
}

#[test]
fn what_is_exported_and_imported_does_not_differ() {
    testkit::run(Database::Postgres, NAME, async |_: TestStore| {
        let (first, second, third) = (Folder::new("whole-1"), Folder::new("whole-2"), Folder::new("whole-3"));
        let file = |number: u32| -> PathBuf { first.path().join(format!("{number}.tar.gz")) };
        let text = |path: &Path| path.display().to_string();
        done(first.path(), None, &["demo", "--people-only", "--catalogue", "20", "--parcours", "12"]);
        let gpx: String =
            (0..40).map(|at| format!("<trkpt lat=\"{}\" lon=\"3.1\"/>", 47.0 + f64::from(at) * 0.0005)).collect();
        let gpx = format!("<gpx version=\"1.1\"><trk><name>Tour du lac</name><trkseg>{gpx}</trkseg></trk></gpx>");
        fs::write(first.path().join("walk.gpx"), gpx).unwrap();
        done(first.path(), None, &["parcours", "import", "--no-match", "walk.gpx"]);
        let said = done(first.path(), None, &["export", "all", &text(&file(1))]);
        assert!(said.contains("508 records, 1 blobs") && said.contains("every checksum is right"), "{said}");
        let (good, said) = run(first.path(), None, &["export", "all", &text(&file(1))]);
        assert!(!good && said.contains("exists already"), "{said}");

        // From SQLite to PostgreSQL.
        let empty = OtherDatabase::empty().await;
        let url = store::server::texts(empty.store.read(), PLACE).await.unwrap().concat();
        let said = done(second.path(), Some(&url), &["import", "all", &text(&file(1))]);
        assert!(said.contains("are imported"), "{said}");
        let (good, said) = run(second.path(), Some(&url), &["import", "all", &text(&file(1))]);
        assert!(!good && said.contains("has tables already"), "{said}");
        done(second.path(), Some(&url), &["export", "all", &text(&file(2))]);
        assert_same(&file(1), &file(2));

        // And back; a new record gets a number that was never given.
        done(third.path(), None, &["import", "all", &text(&file(2))]);
        done(third.path(), None, &["export", "all", &text(&file(3))]);
        assert_same(&file(1), &file(3));
        let found = |data: &Path| done(data, None, &["parcours", "export"]);
        assert_eq!(found(first.path()), found(third.path()));
        assert_eq!(found_by(first.path()).await, found_by(third.path()).await);
        fs::copy(first.path().join("walk.gpx"), third.path().join("walk.gpx")).unwrap();
        done(third.path(), None, &["parcours", "import", "--no-match", "walk.gpx"]);
        assert!(found(third.path()).contains("\"id\":14"), "the next number");
        let server = Running::start(third.path(), &[]);
        assert_eq!(get(server.port, "/readyz").map(|(status, _)| status), Some(200));
        server.terminate();
        assert!(server.wait().success());
        empty.end().await;
    });
}

#[test]
fn a_file_that_is_no_export_or_is_damaged_leaves_nothing() {
    let folder = Folder::new("whole-bad");
    let data = folder.path();
    fs::write(data.join("bad.tar.gz"), "nothing of the kind").unwrap();
    let (good, said) = run(data, None, &["import", "all", "bad.tar.gz"]);
    assert!(!good && said.contains("damaged"), "{said}");
    let other = Folder::new("whole-good");
    done(other.path(), None, &["demo", "--people-only"]);
    done(other.path(), None, &["export", "all", "good.tar.gz"]);
    let mut bytes = fs::read(other.path().join("good.tar.gz")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(data.join("bad.tar.gz"), bytes).unwrap();
    let (good, said) = run(data, None, &["import", "all", "bad.tar.gz"]);
    assert!(!good && said.contains("damaged"), "{said}");
    // A backup is not an export.
    done(other.path(), None, &["backup", "create", "--to", "backups"]);
    let backup = fs::read_dir(other.path().join("backups")).unwrap().flatten().next().unwrap().path();
    let (good, said) = run(data, None, &["import", "all", &backup.display().to_string()]);
    assert!(!good && said.contains("is no export"), "{said}");
    assert!(!data.join("jalon.sqlite").exists(), "no database was made");
    fs::copy(other.path().join("good.tar.gz"), data.join("good.tar.gz")).unwrap();
    done(data, None, &["import", "all", "good.tar.gz"]);
}
