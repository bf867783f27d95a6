//! A PostgreSQL server and a replica that streams from it, each a cluster of its own, for tests of reads that either may answer.

use std::path::PathBuf;
use std::process::Command;

use store::{DatabaseSettings, Store, server};

use crate::database::{fill, open};
use crate::postgres::{self, as_owner, at, folder_of, free_port, init, programs, serve, wait_for};
use crate::scratch::in_memory;

const DATABASE: &str = "jalon";
/// Commits are acknowledged as in production: once they are in the log.
const SETTINGS: &[&str] = &[
    "fsync=off",
    "full_page_writes=off",
    "max_connections=100",
    "shared_buffers=32MB",
    "wal_level=replica",
    "max_wal_senders=4",
    "log_min_messages=fatal",
];

/// A PostgreSQL server that has a replica.
pub struct Replicated {
    /// A database of the server, filled, and its replica.
    pub store: Store,
    programs: PathBuf,
    owner: Option<(u32, u32)>,
    primary: u16,
    /// The folder and the port of the replica.
    replica: (PathBuf, u16),
}

impl std::fmt::Debug for Replicated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Replicated")
            .field("primary", &self.primary)
            .field("replica", &self.replica)
            .finish_non_exhaustive()
    }
}

impl Replicated {
    /// Starts both; none where PostgreSQL is not installed.
    ///
    /// # Panics
    /// When they cannot be started.
    pub async fn start() -> Option<Self> {
        // Where the package has put all of them.
        let programs = programs()?.join("postgres").canonicalize().ok()?.parent()?.to_owned();
        let owner = postgres::owner().expect("there is a user for PostgreSQL");
        let ports = [free_port().expect("a free port"), free_port().expect("a free port")];
        let folder = |name: &str| folder_of(&in_memory().join(name), owner).expect("a folder can be made");
        let (of_primary, of_replica) = (folder("primary"), folder("replica"));
        init(&programs, &of_primary, owner).expect("a cluster can be made");
        serve(programs.join("postgres"), of_primary, owner, ports[0], SETTINGS).expect("it starts");
        wait_for(&at(ports[0])).await.expect("it answers");
        server::create_database(at(ports[0]).admin(), DATABASE, None).await.expect("a database can be made");
        fill(&open(at(ports[0]).database(DATABASE)).await.expect("it can be opened")).await;
        let port = ports[0].to_string();
        let mut copy = as_owner(&programs.join("pg_basebackup"), owner);
        copy.args(["-h", "127.0.0.1", "-p", &port, "-U", "jalon", "-R", "-X", "stream", "-c", "fast", "-D"]);
        run(copy.arg(&of_replica).current_dir(&of_replica));
        let settings = DatabaseSettings {
            is_durable: false,
            replica_url: Some(at(ports[1]).database(DATABASE)),
            ..DatabaseSettings::new(at(ports[0]).database(DATABASE))
        };
        let store = Store::connect(&settings).await.expect("a replica that is not there yet stops nothing");
        let made = Self { store, programs, owner, primary: ports[0], replica: (of_replica, ports[1]) };
        made.start_replica().await;
        Some(made)
    }

    /// The same database, as another server process has it: its own connections to the primary, and no replica.
    ///
    /// # Panics
    /// When the primary does not answer.
    pub async fn other_store(&self) -> Store {
        open(at(self.primary).database(DATABASE)).await.expect("it can be opened")
    }

    /// Starts the replica, at first or again.
    ///
    /// # Panics
    /// When it does not start.
    pub async fn start_replica(&self) {
        let (folder, port) = self.replica.clone();
        serve(self.programs.join("postgres"), folder, self.owner, port, SETTINGS).expect("it starts");
        wait_for(&at(port)).await.expect("it answers");
    }

    /// Stops the replica at once, as a crash does.
    ///
    /// # Panics
    /// When it does not stop.
    pub fn stop_replica(&self) {
        let mut stop = as_owner(&self.programs.join("pg_ctl"), self.owner);
        run(stop.args(["stop", "-w", "-m", "immediate", "-D"]).arg(&self.replica.0).current_dir(&self.replica.0));
    }

    /// Whether the replica follows the log of the primary, which it receives in any case.
    ///
    /// # Panics
    /// When the replica does not answer.
    pub async fn follow(&self, follows: bool) {
        server::follow(at(self.replica.1).admin(), follows).await.expect("the replica answers");
    }
}

fn run(command: &mut Command) {
    let done = command.output().expect("the program is there");
    assert!(done.status.success(), "{command:?}: {}", String::from_utf8_lossy(&done.stderr));
}
