//! Commands in a wrong place or with wrong words: what they refuse, and that they leave nothing behind.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use domain::Instant;
use rustix::fs::{FlockOperation, fcntl_lock};
use store::job::{self, NewJob};
use store::{DatabaseSettings, Store};
use testkit::{WriteProtected, skipped};

use crate::running::{Folder, jalon};

/// Whether a command succeeded, and what it printed.
fn run(data: &Path, arguments: &[&str]) -> (bool, String) {
    let output = jalon(data, &[], arguments).output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.success(), said)
}

fn done(data: &Path, arguments: &[&str]) -> String {
    let (good, said) = run(data, arguments);
    assert!(good, "{arguments:?}: {said}");
    said
}

fn refused(data: &Path, arguments: &[&str], words: &str) {
    let (good, said) = run(data, arguments);
    assert!(!good && said.contains(words), "{arguments:?}: {said}");
}

#[test]
fn a_command_on_a_folder_without_a_database_fails_and_makes_none() {
    let folder = Folder::new("wrong-folder");
    let data = folder.path();
    for arguments in [
        &["export", "all", "export.tar.gz"][..],
        &["blobs", "verify"],
        &["blobs", "sweep"],
        &["parcours", "export"],
        &["parcours", "check"],
        &["parcours", "import", "walk.gpx"],
        &["network", "list"],
        &["network", "build", "region.osm.pbf", "--publish"],
        &["jobs", "list"],
        &["jobs", "cancel", "1"],
        &["key", "status"],
        &["key", "adopt"],
        &["migrate-from", "geotrek", "https://geotrek.example"],
        &["backup", "create", "--to", "backups"],
    ] {
        refused(data, arguments, "there is no database at ");
    }
    refused(data, &["blobs", "move", "--to", "s3://jalon"], "there are no blobs at ");
    refused(data, &["backup", "list", "nowhere"], "nowhere");
    let left: Vec<_> = fs::read_dir(data).unwrap().flatten().map(|entry| entry.path()).collect();
    assert_eq!(left, Vec::<PathBuf>::new());
    refused(data, &["doctor"], "database      FAILED: there is no database at ");
    for name in ["jalon.sqlite", "server.key", "blobs"] {
        assert!(!data.join(name).exists(), "{name}");
    }
}

#[test]
fn a_folder_that_cannot_be_looked_into_is_not_taken_for_an_empty_one() {
    let folder = Folder::new("no-folder");
    let data = folder.path();
    // A file in the place of the folder: unlike a folder without rights it stops root too.
    fs::write(data.join("notes.txt"), "Bonjour").unwrap();
    for (arguments, part) in [
        (&["blobs", "verify"][..], "jalon.sqlite"),
        (&["migrate", "--plan"], "jalon.sqlite"),
        (&["backup", "create", "--to", "backups"], "jalon.sqlite"),
        (&["blobs", "move", "--to", "s3://jalon"], "blobs"),
        (&["doctor"], "jalon.sqlite"),
    ] {
        let arguments = [arguments, &["--data", "notes.txt"]].concat();
        refused(data, &arguments, &format!("notes.txt/{part} cannot be used: "));
    }
}

#[test]
fn a_database_file_that_may_not_be_written_is_reported() {
    let folder = Folder::new("read-only");
    let data = folder.path();
    done(data, &["migrate"]);
    let Some(_protected) = WriteProtected::new(&data.join("jalon.sqlite")) else {
        return skipped("a database file that may not be written", "this user may write every file");
    };
    refused(data, &["doctor"], "takes no writes: a standby, or read-only");
    refused(data, &["doctor"], "-> Give the server's user the right to write the file and its folder");
}

#[test]
fn a_database_that_is_damaged_is_to_be_restored() {
    let folder = Folder::new("damaged-database");
    let data = folder.path();
    fs::write(data.join("jalon.sqlite"), "Bonjour. ".repeat(1_000)).unwrap();
    let (good, said) = run(data, &["doctor"]);
    assert!(!good && said.contains("restore a backup") && !said.contains("the right to write the file"), "{said}");
}

#[test]
fn a_database_that_another_program_locks_is_reported_as_locked() {
    let folder = Folder::new("locked-database");
    let data = folder.path();
    done(data, &["migrate"]);
    let held = File::options().read(true).write(true).open(data.join("jalon.sqlite")).unwrap();
    fcntl_lock(&held, FlockOperation::LockExclusive).unwrap();
    let output = jalon(data, &[("JALON_DATABASE__ACQUIRE_TIMEOUT_S", "1")], &["doctor"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("database      FAILED: another program has locked sqlite:"), "{said}");
    assert!(said.contains("another jalon serve") && !said.contains("the right to write the file"), "{said}");
}

#[test]
fn the_numbers_below_a_list_of_jobs_are_those_of_the_jobs_that_are_asked_for() {
    let folder = Folder::new("jobs");
    let data = folder.path();
    done(data, &["migrate"]);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let settings = DatabaseSettings::new(format!("sqlite:{}", data.join("jalon.sqlite").display()));
        let store = Store::connect(&settings).await.unwrap();
        let tx = store.begin().await.unwrap();
        for kind in ["mail", "mail", "trace_check"] {
            job::enqueue(&tx, &NewJob::new(kind, "{}", Instant(0)), Instant(0)).await.unwrap();
        }
        tx.commit().await.unwrap();
        store.close().await.unwrap();
    });
    let last = |arguments: &[&str]| {
        let said = done(data, &[&["jobs", "list"][..], arguments].concat());
        said.lines().last().unwrap_or_default().to_owned()
    };
    assert_eq!(last(&[]), "3 waiting, 0 running, 0 done, 0 dead, 0 cancelled");
    assert_eq!(last(&["--kind", "mail"]), "2 waiting, 0 running, 0 done, 0 dead, 0 cancelled");
    assert_eq!(last(&["--kind", "trace_check", "--state", "waiting"]), "1 waiting");
    assert_eq!(last(&["--state", "dead"]), "0 dead");
}

#[test]
fn the_doctor_tries_the_programs_of_backups_and_names_the_folders() {
    let folder = Folder::new("doctor-backups");
    let data = folder.path();
    done(data, &["migrate"]);
    let backups = data.join("backups");
    let found = |programs: &str| {
        let text = format!("[backup]\nto = \"{}\"\n{programs}\n", backups.display());
        fs::write(data.join("jalon.toml"), text).unwrap();
        run(data, &["doctor"])
    };
    let (_, said) = found("");
    assert!(said.contains("backups       WARNING: no backup was made yet; the folder "), "{said}");
    fs::create_dir_all(&backups).unwrap();
    let (_, said) = found("");
    for folder in [data, backups.as_path()] {
        assert!(said.contains(&format!(": {}: ", folder.display())) && said.contains("MB free of"), "{said}");
    }
    assert!(!said.contains("\nencryption "), "{said}");
    let rotate = r#"["/usr/bin/tr", "a-z", "b-za"]"#;
    let back = r#"["/usr/bin/tr", "b-za", "a-z"]"#;
    let (_, said) = found(&format!("encrypt = {rotate}\ndecrypt = {back}"));
    assert!(said.contains("encryption    ok: /usr/bin/tr encrypts, and /usr/bin/tr decrypts it"), "{said}");
    for (programs, words) in [
        (r#"encrypt = ["nosuch-age"]"#.to_owned(), "FAILED: backup.encrypt is nosuch-age: the program is not there"),
        (r#"encrypt = ["/bin/false"]"#.to_owned(), "FAILED: backup.encrypt is /bin/false: exit status: 1"),
        (r#"decrypt = ["nosuch-age"]"#.to_owned(), "FAILED: backup.decrypt is nosuch-age: the program is not there"),
        (format!("encrypt = {rotate}\ndecrypt = {rotate}"), "FAILED: /usr/bin/tr does not give back"),
    ] {
        let (good, said) = found(&programs);
        assert!(!good && said.contains(&format!("encryption    {words}")), "{programs}: {said}");
    }
    // Where the private key is elsewhere.
    assert!(found(&format!("encrypt = {rotate}")).1.contains("encryption    ok: /usr/bin/tr encrypts"));
    assert!(found(r#"decrypt = ["/bin/false"]"#).1.contains("encryption    ok: /bin/false starts"));
}

#[test]
fn the_doctor_finds_an_outbox_a_program_and_files_of_the_region_that_cannot_be_used() {
    let folder = Folder::new("doctor-parts");
    let data = folder.path();
    done(data, &["migrate"]);
    // A file in the place of a folder stops root too.
    fs::write(data.join("outbox"), "").unwrap();
    fs::create_dir_all(data.join("region/dem")).unwrap();
    fs::write(data.join("region/dem/N47E003.hgt"), "cut").unwrap();
    // Of a folder without one good tile, the doctor names the fault of the first one.
    fs::write(data.join("region/dem/N46E003.hgt"), vec![0_u8; 1_201 * 1_201 * 2]).unwrap();
    let settings = [("JALON_IMPORTS__OGR2OGR", "nosuch-ogr2ogr"), ("JALON_VOICES__ESPEAK", "nosuch-espeak")];
    let output = jalon(data, &settings, &["doctor"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    for words in [
        "mail          FAILED: the outbox cannot be written",
        "elevation     WARNING: 1 tiles are left out",
        "imports       WARNING: imports.ogr2ogr is nosuch-ogr2ogr: the program is not there",
        "voices        WARNING: voices.espeak is nosuch-espeak: the program is not there",
    ] {
        assert!(said.contains(words), "{words} is not in\n{said}");
    }
}

#[test]
fn a_key_of_the_configuration_is_not_rotated_to_itself_and_adopting_one_succeeds() {
    let folder = Folder::new("configured-key");
    let data = folder.path();
    done(data, &["migrate"]);
    let key = done(data, &["key", "new"]);
    fs::write(data.join("jalon.toml"), format!("server_key = \"{}\"\n", key.trim())).unwrap();
    done(data, &["key", "adopt"]);
    refused(data, &["key", "rotate"], "nothing to rotate");
}

#[test]
fn a_copy_of_the_key_with_a_number_in_its_name_is_named_and_stays() {
    let folder = Folder::new("copied-key");
    let data = folder.path();
    done(data, &["migrate"]);
    let key = done(data, &["key", "new"]);
    fs::write(data.join("jalon.toml"), format!("server_key = \"{}\"\n", key.trim())).unwrap();
    done(data, &["key", "adopt"]);
    let copy = data.join("server.key.20261130");
    fs::write(&copy, &key).unwrap();
    let said = done(data, &["key", "retire"]);
    assert!(said.contains("server.key.20261130 may hold a key"), "{said}");
    assert_eq!(fs::read_to_string(&copy).unwrap(), key);
}

#[test]
fn files_of_another_database_are_not_swept_unless_that_is_asked_for() {
    let folder = Folder::new("wrong-blobs");
    let data = folder.path();
    done(data, &["migrate"]);
    let blob = data.join("blobs/media/of-another-installation");
    fs::create_dir_all(blob.parent().unwrap()).unwrap();
    let file = File::create(&blob).unwrap();
    #[expect(clippy::disallowed_methods, reason = "a file is as old as the clock of the machine says")]
    let long_ago = SystemTime::now() - Duration::from_secs(30 * 86_400);
    file.set_modified(long_ago).unwrap();
    let words = "this database names none of the 1 files in the store";
    assert!(done(data, &["blobs", "sweep"]).contains(words));
    let (_, said) = run(data, &["doctor"]);
    assert!(said.contains(words) && said.contains("-> Check database_url and [blobs]."), "{said}");
    assert!(!said.contains("--delete"), "{said}");
    refused(data, &["blobs", "sweep", "--delete"], words);
    assert!(blob.exists());
    assert!(done(data, &["blobs", "sweep", "--delete", "--all"]).contains("1 orphans deleted"));
    assert!(!blob.exists());
    fs::write(&blob, "young").unwrap();
    let said = done(data, &["blobs", "sweep", "--delete"]);
    assert!(said.contains("0 orphans deleted") && said.contains("1 younger ones are left"), "{said}");
    assert!(said.contains("last 7 days (--days)") && blob.exists(), "{said}");
}

#[test]
fn output_that_cannot_be_written_is_a_fault_and_a_closed_pipe_is_none() {
    let folder = Folder::new("output");
    let data = folder.path();
    done(data, &["migrate"]);
    for arguments in [&["key", "new"][..], &["parcours", "export"]] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = jalon(data, &[], arguments).stdout(full).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains("output cannot be written"), "{arguments:?}: {said}");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = jalon(data, &[], arguments).stdout(Stdio::from(writer)).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
    }
}

#[test]
fn an_account_needs_names_and_a_white_label_that_is_free() {
    let folder = Folder::new("accounts");
    let data = folder.path();
    let create = |email: &str, first: &str, structure: &str, white_label: &str| {
        let arguments = ["user", "create", "--email", email, "--last-name", "Roux", "--first-name", first];
        let names = ["--structure", structure, "--white-label", white_label];
        run(data, &[&arguments[..], &names].concat())
    };
    for (first, structure, white_label, flag) in [
        (" ", "Parc", "Parc", "--first-name"),
        ("Ana", "", "Parc", "--structure"),
        ("Ana", "Parc", "", "--white-label"),
    ] {
        let (good, said) = create("ana@parc.example", first, structure, white_label);
        assert!(!good && said.contains(&format!("{flag} must not be empty")), "{said}");
    }
    assert!(create("ana@parc.example", "Ana", "Parc", "Parc").0);
    for name in ["Parc", "parc"] {
        let (good, said) = create("luc@agglo.example", "Luc", "Agglo", name);
        assert!(!good && said.contains("the structure `Parc` has the white-label `Parc`"), "{said}");
    }
    assert!(create("luc@agglo.example", "Luc", "Parc", "Parc").0);
}

#[test]
fn a_file_that_is_no_backup_or_cannot_be_decrypted_is_named() {
    let folder = Folder::new("no-backup");
    let data = folder.path();
    done(data, &["migrate"]);
    done(data, &["export", "all", "export.tar.gz"]);
    let words = "an export is read with `jalon import all`";
    refused(data, &["backup", "verify", "export.tar.gz"], words);
    refused(data, &["backup", "restore", "--from", "export.tar.gz", "--data", "new"], words);
    assert!(!data.join("new").exists(), "a folder that was made for a restore is deleted where it is refused");
    fs::write(data.join("jalon-2026-01-01-000000.tar.gz.enc"), "age-encryption.org/v1").unwrap();
    refused(data, &["backup", "verify", "jalon-2026-01-01-000000.tar.gz.enc"], "is encrypted: set backup.decrypt");
    let encrypted = "jalon-2026-01-01-000000.tar.gz.enc";
    refused(data, &["backup", "restore", "--from", encrypted, "--data", "closed"], "is encrypted: set backup.decrypt");
    assert!(!data.join("closed").exists(), "a restore that is refused makes no folder");
    fs::write(data.join("notes.txt"), "Bonjour").unwrap();
    let (good, said) = run(data, &["import", "all", "notes.txt", "--data", "other"]);
    assert!(!good && said.contains("not one that Jalon made") && !said.contains("backup"), "{said}");
}

#[test]
fn the_nightly_unit_lets_the_binary_decide_whether_there_is_something_to_back_up() {
    let unit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/debian/jalon-backup.service");
    let unit = fs::read_to_string(unit).unwrap();
    assert!(unit.contains("backup create --sqlite-only\n") && !unit.contains("ConditionPathExists"), "{unit}");
    let folder = Folder::new("nightly");
    let postgres = [("DATABASE_URL", "postgres://nowhere.invalid/jalon")];
    let create = |arguments: &[&str]| {
        let output = jalon(folder.path(), &postgres, arguments).output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    assert!(!create(&["backup", "create", "--to", "."]).0);
    let (good, said) = create(&["backup", "create", "--sqlite-only"]);
    assert!(good && said.contains("the database is PostgreSQL"), "{said}");
    refused(folder.path(), &["backup", "create", "--to", ".", "--sqlite-only"], "there is no database at ");
}

#[test]
fn an_isochrone_is_asked_for_in_minutes_and_refused_in_minutes() {
    let folder = Folder::new("isochrone");
    let asked = ["plan", "isochrone", "--network", "none", "--profile", "hiking", "--from", "3,47", "--minutes"];
    for minutes in ["0", "361"] {
        refused(folder.path(), &[&asked[..], &[minutes]].concat(), &format!("{minutes} is not in 1..=360"));
    }
}
