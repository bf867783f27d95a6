//! A backup beside a server that runs, damaged, put back elsewhere, and served again.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use testkit::bucket;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::running::{Folder, Running, jalon};

fn run(data: &Path, arguments: &[&str]) -> Output {
    jalon(data, &[], arguments).output().unwrap()
}

fn done(data: &Path, arguments: &[&str]) -> String {
    let output = run(data, arguments);
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{arguments:?}: {said}{errors}");
    said.into_owned()
}

fn refused(data: &Path, arguments: &[&str], words: &str) {
    let output = run(data, arguments);
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(!output.status.success() && said.contains(words), "{arguments:?}: {said}");
}

/// A walk of two kilometres as GPX.
fn recording(folder: &Path) -> PathBuf {
    let points: String =
        (0..40).map(|at| format!("<trkpt lat=\"{}\" lon=\"3.1\"/>", 47.0 + f64::from(at) * 0.0005)).collect();
    let file = folder.join("walk.gpx");
    let text = format!("<gpx version=\"1.1\"><trk><name>Tour du lac</name><trkseg>{points}</trkseg></trk></gpx>");
    fs::write(&file, text).unwrap();
    file
}

/// The files below a folder with their bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut left = vec![folder.to_owned()];
    while let Some(next) = left.pop() {
        for entry in fs::read_dir(next).unwrap().flatten() {
            if entry.path().is_dir() {
                left.push(entry.path());
            } else {
                found.insert(entry.path().strip_prefix(folder).unwrap().to_owned(), fs::read(entry.path()).unwrap());
            }
        }
    }
    found
}

fn only_backup(folder: &Path) -> PathBuf {
    let mut found: Vec<_> = fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

#[test]
fn what_was_there_is_there_again_and_a_damaged_backup_is_refused() {
    let (folder, backups, other) = (Folder::new("backup"), Folder::new("backups"), Folder::new("restored"));
    let data = folder.path();
    done(data, &["demo", "--people-only"]);
    done(data, &["parcours", "import", "--no-match", recording(data).to_str().unwrap()]);
    let to = backups.path().to_str().unwrap();
    let server = Running::start(data, &[]);
    let said = done(data, &["backup", "create", "--to", to]);
    assert!(said.contains("every checksum is right") && said.contains("not in it: "), "{said}");
    server.terminate();
    assert!(server.wait().success());

    let backup = only_backup(backups.path());
    let file = backup.to_str().unwrap();
    assert!(done(data, &["backup", "list", to]).contains(backup.file_name().unwrap().to_str().unwrap()));
    assert!(done(data, &["backup", "verify", file]).contains("0 of 1 needed are missing"));
    refused(data, &["backup", "restore", "--from", file], "exists already");

    let whole = fs::read(&backup).unwrap();
    let bad = data.join("bad.tar.gz");
    for (name, bytes) in [
        ("cut", whole[..whole.len() / 2].to_vec()),
        ("cut at its end", whole[..whole.len() - 9].to_vec()),
        ("no backup", b"nothing of the kind".to_vec()),
        ("empty", Vec::new()),
    ] {
        fs::write(&bad, bytes).unwrap();
        let output = run(data, &["backup", "verify", bad.to_str().unwrap()]);
        assert!(!output.status.success(), "{name}: {output:?}");
    }
    let mut altered = whole.clone();
    let middle = altered.len() / 2;
    altered[middle] ^= 1;
    fs::write(&bad, altered).unwrap();
    refused(data, &["backup", "verify", bad.to_str().unwrap()], "damaged");
    refused(other.path(), &["backup", "restore", "--from", bad.to_str().unwrap()], "damaged");
    assert!(files(other.path()).is_empty() && !other.path().join("blobs").exists(), "nothing is half restored");
    let new = other.path().join("new/data");
    refused(data, &["backup", "restore", "--from", bad.to_str().unwrap(), "--data", new.to_str().unwrap()], "damaged");
    assert!(!other.path().join("new").exists(), "the folders that the command made are gone");

    assert!(done(other.path(), &["backup", "restore", "--from", file]).contains("Now copy server.key"));
    // Each server stores the files of its own web app.
    let mut stored = files(&data.join("blobs"));
    stored.retain(|name, _| !name.starts_with("web"));
    assert_eq!(files(&other.path().join("blobs")), stored);
    fs::copy(data.join("server.key"), other.path().join("server.key")).unwrap();
    assert!(done(other.path(), &["blobs", "verify"]).contains("0 of 1 blobs are missing"));
    let exported = |data: &Path| done(data, &["parcours", "export"]);
    assert_eq!(exported(other.path()), exported(data));
    let server = Running::start(other.path(), &[]);
    server.terminate();
    assert!(server.wait().success());
}

#[test]
fn a_program_encrypts_a_backup_and_only_the_newest_are_kept() {
    let (folder, backups, other) = (Folder::new("backup-enc"), Folder::new("backups-enc"), Folder::new("restored-enc"));
    let (data, to) = (folder.path(), backups.path().to_str().unwrap());
    done(data, &["migrate"]);
    // Any program that changes bytes back and forth will do here.
    let turn = "[\"/usr/bin/tr\", \"\\\\000-\\\\377\", \"\\\\001-\\\\377\\\\000\"]";
    let back = "[\"/usr/bin/tr\", \"\\\\001-\\\\377\\\\000\", \"\\\\000-\\\\377\"]";
    for folder in [data, other.path()] {
        fs::write(folder.join("jalon.toml"), format!("[backup]\nencrypt = {turn}\ndecrypt = {back}\n")).unwrap();
    }
    for old in ["jalon-2020-01-01-000000.tar.gz.enc", "jalon-2021-01-01-000000.tar.gz", "other.tar.gz"] {
        fs::write(backups.path().join(old), "old").unwrap();
    }
    done(data, &["backup", "create", "--to", to, "--keep", "2"]);
    let listed = done(data, &["backup", "list", to]);
    let names: Vec<&str> = listed.lines().map(|line| line.split("  ").next().unwrap()).collect();
    assert_eq!((names.len(), names[1]), (2, "jalon-2021-01-01-000000.tar.gz"), "{listed}");
    assert!(names[0].ends_with(".tar.gz.enc") && backups.path().join("other.tar.gz").exists());
    let made = backups.path().join(names[0]);
    assert_ne!(fs::read(&made).unwrap()[..2], [0x1f, 0x8b], "not gzip any more");
    done(other.path(), &["backup", "restore", "--from", made.to_str().unwrap()]);
    fs::write(data.join("jalon.toml"), "[backup]\nencrypt = [\"/bin/false\"]\n").unwrap();
    refused(data, &["backup", "create", "--to", to], "`/bin/false` failed");
    assert_eq!(done(data, &["backup", "list", to]), listed, "one that failed leaves nothing");
}

#[test]
fn backups_with_names_later_than_now_push_out_none_of_the_others() {
    let (folder, backups) = (Folder::new("backup-later"), Folder::new("backups-later"));
    let (data, to) = (folder.path(), backups.path().to_str().unwrap());
    done(data, &["migrate"]);
    fs::write(data.join("jalon.toml"), format!("[backup]\nto = \"{to}\"\nkeep = 2\n")).unwrap();
    let later = ["jalon-2990-01-01-000000.tar.gz", "jalon-2990-01-02-000000.tar.gz"];
    for old in later.iter().chain(&["jalon-2020-01-01-000000.tar.gz", "jalon-2021-01-01-000000.tar.gz"]) {
        fs::write(backups.path().join(old), "old").unwrap();
    }
    let said = done(data, &["backup", "create"]);
    assert!(later.iter().all(|name| said.contains(&format!("WARNING: {name}"))), "{said}");
    assert!(said.contains("jalon-2020-01-01-000000.tar.gz: deleted"), "{said}");
    let listed = done(data, &["backup", "list"]);
    let names: Vec<&str> = listed.lines().map(|line| line.split("  ").next().unwrap()).collect();
    assert_eq!((names.len(), &names[..2], names[3]), (4, &[later[1], later[0]][..], "jalon-2021-01-01-000000.tar.gz"));
    let checked = || String::from_utf8_lossy(&run(data, &["doctor"]).stdout).into_owned();
    let found = checked();
    assert!(
        found.contains("backups       WARNING") && found.contains("2 backups there have names later than now"),
        "{found}"
    );
    for name in later {
        fs::remove_file(backups.path().join(name)).unwrap();
    }
    assert!(checked().contains("backups       ok"), "{}", checked());
    fs::remove_file(backups.path().join(names[2])).unwrap();
    assert!(checked().contains("it is not there"), "{}", checked());
}

/// Starts an S3 server over a folder, which has its one bucket; it ends with the runtime. Returns its address.
fn start_bucket(runtime: &Runtime, folder: &Path) -> String {
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let folder = folder.to_owned();
    runtime.spawn(async move { bucket::serve(listener, &folder).await });
    address
}

/// Bytes that gzip does not make smaller: a backup with them is sent in more than one part.
fn noise(count: usize) -> Vec<u8> {
    let mut roll = teststore::dice(1);
    (0..count).map(|_| roll(256) as u8).collect()
}

fn configure(data: &Path, endpoint: &str, to: &str, secret: &str) {
    let text = format!(
        "[backup]\nto = \"{to}\"\nkeep = 2\nendpoint = \"{endpoint}\"\naccess_key_id = \"{}\"\nsecret_access_key = \"{secret}\"\n",
        bucket::KEY
    );
    fs::write(data.join("jalon.toml"), text).unwrap();
}

#[test]
fn backups_in_a_bucket_are_listed_verified_restored_and_only_the_newest_are_kept() {
    let (folder, other, stored) = (Folder::new("backup-s3"), Folder::new("restored-s3"), Folder::new("s3"));
    let data = folder.path();
    let runtime = Runtime::new().unwrap();
    let endpoint = start_bucket(&runtime, stored.path());
    let place = format!("s3://{}/nights", bucket::NAME);
    done(data, &["demo", "--people-only"]);
    done(data, &["parcours", "import", "--no-match", recording(data).to_str().unwrap()]);
    fs::create_dir_all(data.join("blobs/media")).unwrap();
    fs::write(data.join("blobs/media/large"), noise(6_000_000)).unwrap();
    for data in [data, other.path()] {
        configure(data, &endpoint, &place, bucket::SECRET);
    }
    assert_eq!(done(data, &["backup", "list"]), "");
    let bucket = stored.path().join(bucket::NAME).join("nights");
    fs::create_dir_all(&bucket).unwrap();
    for old in ["jalon-2020-01-01-000000.tar.gz", "jalon-2021-01-01-000000.tar.gz", "other.tar.gz"] {
        fs::write(bucket.join(old), "old").unwrap();
    }

    let server = Running::start(data, &[]);
    let said = done(data, &["backup", "create"]);
    assert!(
        said.contains("every checksum is right") && said.contains("jalon-2020-01-01-000000.tar.gz: deleted"),
        "{said}"
    );
    server.terminate();
    assert!(server.wait().success());
    let listed = done(data, &["backup", "list", &place]);
    let names: Vec<&str> = listed.lines().map(|line| line.split("  ").next().unwrap()).collect();
    assert_eq!((names.len(), names[1]), (2, "jalon-2021-01-01-000000.tar.gz"), "{listed}");
    assert!(bucket.join("other.tar.gz").exists(), "what is no backup stays");
    let made = format!("{place}/{}", names[0]);
    assert!(said.contains(&made), "{said}");
    assert!(done(data, &["backup", "verify", &made]).contains("0 of 1 needed are missing"));
    let doctor = String::from_utf8(run(data, &["doctor"]).stdout).unwrap();
    assert!(doctor.contains(&format!("backups       ok: 2 in {place}; the last backup was made 0 h ago")), "{doctor}");

    done(other.path(), &["backup", "restore", "--from", &made]);
    let mut expected = files(&data.join("blobs"));
    expected.retain(|name, _| !name.starts_with("web"));
    assert_eq!(files(&other.path().join("blobs")), expected);
    assert_eq!(done(other.path(), &["parcours", "export"]), done(data, &["parcours", "export"]));

    let object = bucket.join(names[0]);
    let whole = fs::read(&object).unwrap();
    assert!(whole.len() > 5 * 1024 * 1024, "sent in one request");
    fs::write(&object, &whole[..whole.len() / 2]).unwrap();
    refused(data, &["backup", "verify", &made], "damaged");
    refused(data, &["backup", "verify", &format!("{place}/jalon-2019-01-01-000000.tar.gz")], "has no backup");
    refused(data, &["backup", "verify", &format!("s3://{}", bucket::NAME)], "names no backup");
}

#[test]
fn a_bucket_that_cannot_have_backups_is_named_with_the_setting_to_correct() {
    let (folder, stored) = (Folder::new("backup-refused"), Folder::new("s3-refused"));
    let data = folder.path();
    let runtime = Runtime::new().unwrap();
    let endpoint = start_bucket(&runtime, stored.path());
    done(data, &["migrate"]);
    refused(data, &["backup", "create"], "backup.to");
    let create = ["backup", "create"];
    configure(data, &endpoint, "s3://jalon", "another secret");
    refused(data, &create, "backup.secret_access_key");
    configure(data, &endpoint, "s3://missing", bucket::SECRET);
    refused(data, &create, "Make the bucket");
    configure(data, "http://127.0.0.1:1", "s3://jalon", bucket::SECRET);
    refused(data, &create, "Check backup.endpoint");
    configure(data, &endpoint, "s3://jalon", "");
    refused(data, &create, "set backup.access_key_id and backup.secret_access_key too");
    fs::remove_file(data.join("jalon.toml")).unwrap();
    refused(data, &["backup", "create", "--to", "s3://jalon"], "set backup.access_key_id");
    let among = data.join("blobs/nights");
    refused(data, &["backup", "create", "--to", among.to_str().unwrap()], "is in the folder or bucket of the blobs");
    // With the server and the key of the blobs, and never among them.
    let blobs = format!(
        "[blobs]\nurl = \"s3://jalon/files\"\nendpoint = \"{endpoint}\"\naccess_key_id = \"{}\"\nsecret_access_key = \"{}\"\n",
        bucket::KEY,
        bucket::SECRET
    );
    fs::write(data.join("jalon.toml"), blobs).unwrap();
    for among in ["s3://jalon/files", "s3://jalon/files/nights/"] {
        refused(data, &["backup", "create", "--to", among], "is in the folder or bucket of the blobs");
    }
    done(data, &["backup", "create", "--to", "s3://jalon/files-nights"]);
    assert!(done(data, &["backup", "list", "s3://jalon/files-nights"]).starts_with("jalon-"));
}
