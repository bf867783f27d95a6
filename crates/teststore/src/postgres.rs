//! A PostgreSQL of the tests' own: one cluster a process, in memory or in a temporary folder, on loopback, never as root.

use std::fs::Permissions;
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use tokio::sync::OnceCell;

use crate::scratch::{home, in_memory, kill_at_exit};

/// A server to make databases on.
#[derive(Debug, Clone)]
pub(crate) struct Server {
    /// Its address, up to the database's name.
    base: String,
    /// What follows the name: the folder of its socket.
    query: String,
    /// The database to connect to for making others.
    admin: String,
}

impl Server {
    /// The address of one of its databases.
    pub fn database(&self, name: &str) -> String {
        format!("{}/{name}{}", self.base, self.query)
    }

    /// The address to make databases at.
    pub fn admin(&self) -> &str {
        &self.admin
    }
}

/// The server of this process, started when first asked for; an error where it cannot be started.
pub(crate) async fn server() -> Result<Server, String> {
    static SERVER: OnceCell<Result<Server, String>> = OnceCell::const_new();
    SERVER
        .get_or_init(|| async {
            if let Ok(url) = std::env::var("JALON_TEST_POSTGRES_URL") {
                return given(&url);
            }
            let started = tokio::task::spawn_blocking(start).await.map_err(|error| error.to_string())??;
            wait_for(&started).await?;
            Ok(started)
        })
        .await
        .clone()
}

/// `postgres://user@host:port/database`: a server that is there already. The user is a superuser: tests of deadlocks set `deadlock_timeout`.
fn given(url: &str) -> Result<Server, String> {
    let (base, _) = url.rsplit_once('/').ok_or("JALON_TEST_POSTGRES_URL ends with /<database>")?;
    Ok(Server { base: base.to_owned(), query: String::new(), admin: url.to_owned() })
}

/// The settings of the server of the tests: what they write need not survive a power cut.
const SETTINGS: &[&str] = &[
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "max_connections=300",
    "shared_buffers=64MB",
    "autovacuum=off",
    "wal_level=minimal",
    "max_wal_senders=0",
    "max_wal_size=128MB",
    "min_wal_size=32MB",
    "log_min_messages=fatal",
];

fn start() -> Result<Server, String> {
    let programs = programs().ok_or("PostgreSQL is not installed (initdb and postgres were not found)")?;
    let owner = owner()?;
    let folder = folder_of(&in_memory().join("postgres"), owner)?;
    init(&programs, &folder, owner)?;
    let port = free_port().map_err(|error| error.to_string())?;
    serve(programs.join("postgres"), folder.clone(), owner, port, SETTINGS)?;
    Ok(at_socket(&folder, port))
}

/// The longest path of a socket, in bytes.
const MAX_SOCKET_PATH_BYTES: usize = 107;

/// The server at its socket, which takes less processor time than a port; at its port where the path of its folder is too long for a socket.
fn at_socket(folder: &Path, port: u16) -> Server {
    let server = at(port);
    let Some(text) = folder.to_str().filter(|_| socket_of(folder, port).as_os_str().len() <= MAX_SOCKET_PATH_BYTES)
    else {
        return server;
    };
    let query = format!("?host={text}");
    Server { admin: server.admin + &query, base: server.base, query }
}

fn socket_of(folder: &Path, port: u16) -> PathBuf {
    folder.join(format!(".s.PGSQL.{port}"))
}

/// The server at a port.
pub(crate) fn at(port: u16) -> Server {
    let base = format!("postgres://jalon@127.0.0.1:{port}");
    Server { admin: format!("{base}/postgres"), base, query: String::new() }
}

/// A folder that the user of the PostgreSQL server can write and no other user can read.
pub(crate) fn folder_of(folder: &Path, owner: Option<(u32, u32)>) -> Result<PathBuf, String> {
    std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    if let Some((uid, gid)) = owner {
        chown(folder, Some(uid), Some(gid)).map_err(|error| error.to_string())?;
    }
    std::fs::set_permissions(folder, Permissions::from_mode(0o700)).map_err(|error| error.to_string())?;
    Ok(folder.to_owned())
}

/// Makes a cluster in a folder.
pub(crate) fn init(programs: &Path, folder: &Path, owner: Option<(u32, u32)>) -> Result<(), String> {
    let made = as_owner(&programs.join("initdb"), owner)
        .current_dir(folder)
        .args(["--username=jalon", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "--pgdata"])
        .arg(folder)
        .output()
        .map_err(|error| format!("initdb: {error}"))?;
    if !made.status.success() {
        return Err(format!("initdb: {}", String::from_utf8_lossy(&made.stderr)));
    }
    Ok(())
}

/// Starts the server from a thread that stays: the kernel ends it when the thread that started it ends, which is when
/// this process does, however it does.
pub(crate) fn serve(
    program: PathBuf,
    folder: PathBuf,
    owner: Option<(u32, u32)>,
    port: u16,
    settings: &'static [&'static str],
) -> Result<(), String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut command = as_owner(&program, owner);
        command.current_dir(&folder).arg("-D").arg(&folder).args(["-h", "127.0.0.1", "-p", &port.to_string(), "-k"]);
        // PostgreSQL refuses to start where the path of its socket is too long.
        if socket_of(&folder, port).as_os_str().len() <= MAX_SOCKET_PATH_BYTES {
            command.arg(&folder);
        } else {
            command.arg("");
        }
        for setting in settings {
            command.args(["-c", setting]);
        }
        let log = std::fs::File::create(home().join("postgres.log"));
        let stderr = log.map_or_else(|_| Stdio::null(), Stdio::from);
        let started = die_with_parent(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(stderr)).spawn();
        match started {
            Ok(mut child) => {
                kill_at_exit(child.id());
                let _ = sender.send(Ok(()));
                let _ = child.wait();
            }
            Err(error) => {
                let _ = sender.send(Err(format!("postgres: {error}")));
            }
        }
    });
    receiver.recv().map_err(|error| error.to_string())?
}

pub(crate) async fn wait_for(server: &Server) -> Result<(), String> {
    let until = Instant::now() + Duration::from_mins(1);
    loop {
        match store::Store::connect(&store::DatabaseSettings::new(server.admin())).await {
            Ok(store) => return store.close().await.map_err(|error| error.to_string()),
            Err(error) if Instant::now() > until => {
                let log = std::fs::read_to_string(home().join("postgres.log")).unwrap_or_default();
                return Err(format!("PostgreSQL does not answer: {error} {log}"));
            }
            // The one place that waits for a program that is not ours.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

/// The folder of both programs.
pub(crate) fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    folders.push("/usr/local/bin".into());
    let mut versions: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path().join("bin"))
        .collect();
    versions.sort();
    folders.extend(versions.into_iter().rev());
    folders.into_iter().find(|folder| folder.join("initdb").is_file() && folder.join("postgres").is_file())
}

/// The user who runs it: the current one, or an unprivileged one for root, as which PostgreSQL refuses to run.
pub(crate) fn owner() -> Result<Option<(u32, u32)>, String> {
    if current_uid() != 0 {
        return Ok(None);
    }
    let users = std::fs::read_to_string("/etc/passwd").map_err(|error| error.to_string())?;
    let found = ["postgres", "nobody"].into_iter().find_map(|name| {
        let fields: Vec<&str> =
            users.lines().map(|line| line.split(':').collect::<Vec<_>>()).find(|fields| fields[0] == name)?;
        Some((fields.get(2)?.parse().ok()?, fields.get(3)?.parse().ok()?))
    });
    found.map(Some).ok_or_else(|| "there is no user `postgres` or `nobody` to run PostgreSQL as".to_owned())
}

pub(crate) fn as_owner(program: &Path, owner: Option<(u32, u32)>) -> Command {
    let mut command = Command::new(program);
    if let Some((uid, gid)) = owner {
        command.uid(uid).gid(gid);
    }
    command.env("LC_ALL", "C");
    command
}

pub(crate) fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

#[expect(unsafe_code, reason = "the user's number is not in the standard library")]
fn current_uid() -> u32 {
    // SAFETY: takes nothing, cannot fail.
    unsafe { libc::geteuid() }
}

#[expect(unsafe_code, reason = "what runs between fork and exec is unsafe by nature")]
fn die_with_parent(command: &mut Command) -> &mut Command {
    // SAFETY: one system call, no allocation, no lock.
    unsafe {
        command.pre_exec(|| {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGQUIT);
            Ok(())
        })
    }
}
