//! What is acknowledged is on the disk: the calls of the system are counted.

use std::fs;
use std::path::Path;

use testkit::skipped;

use crate::running::{Folder, Running, post};

const COMMITS: usize = 6;

/// How often the journal of the database was written to the disk.
fn synced(calls: &Path) -> usize {
    let text = fs::read_to_string(calls).unwrap();
    text.lines().filter(|line| line.contains("sync(") && line.contains("jalon.sqlite-wal")).count()
}

#[test]
fn each_commit_that_sqlite_acknowledges_was_written_to_the_disk() {
    let folder = Folder::new("on-the-disk");
    let calls = folder.path().join("calls");
    let Some(server) = Running::traced(folder.path(), "fsync,fdatasync", &calls) else {
        return skipped("how often a commit is written to the disk", "strace is not installed (package strace)");
    };
    let before = synced(&calls);
    for number in 0..COMMITS {
        // A sign-in that fails is counted in the database before its answer.
        let account = format!(r#"{{"email":"personne-{number}@exemple.fr","password":"rien du tout"}}"#);
        let answer = post(server.port, "/api/v1/session", &account).unwrap();
        assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
        let since = synced(&calls) - before;
        assert!(since > number, "{since} for {} commits", number + 1);
    }
}
