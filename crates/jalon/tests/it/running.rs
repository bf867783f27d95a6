//! A server in a folder of its own, ended with the value.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// A debug build on a loaded machine brings an empty database to this version in some seconds.
const SERVER_TIMEOUT: Duration = Duration::from_secs(60);

/// The log of a server, in its data folder.
pub const LOG: &str = "serve.log";

/// A folder that goes away with the value.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("jalon-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A port that was free a moment ago.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// The binary over a data folder; of the environment of the test only what is listed here.
pub fn jalon(data: &Path, settings: &[(&str, &str)], arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jalon"));
    command.env_clear().current_dir(data).env("JALON_DATA", data).envs(settings.iter().copied()).args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A server that runs.
pub struct Running {
    child: Child,
    pub port: u16,
}

impl Running {
    /// Starts one and waits until it is ready.
    pub fn start(data: &Path, settings: &[(&str, &str)]) -> Self {
        let mut running = Self::begin(data, settings);
        running.until(|port| status(port, "/readyz") == Some(200), "the server is ready");
        running
    }

    /// Starts one whose standard output goes there, and waits until it is ready.
    pub fn printing_to(data: &Path, output: impl Into<Stdio>) -> Self {
        let port = free_port();
        let command = jalon(data, &[], &["serve", "--port", &port.to_string()]);
        let mut running = Self::of(data, command, port, output);
        running.until(|port| status(port, "/readyz") == Some(200), "the server is ready");
        running
    }

    /// Starts one.
    pub fn begin(data: &Path, settings: &[(&str, &str)]) -> Self {
        let port = free_port();
        Self::of(data, jalon(data, settings, &["serve", "--port", &port.to_string()]), port, Stdio::null())
    }

    /// Starts one whose calls of the system are written to a file by strace, and waits until it is ready. None where strace is not installed.
    pub fn traced(data: &Path, calls: &str, file: &Path) -> Option<Self> {
        Command::new("strace").arg("-V").output().ok()?;
        let port = free_port();
        // With `-D` the process is the server, and strace another one that ends with it.
        let mut command = Command::new("strace");
        command.args(["-D", "-f", "-qq", "-y", "-e", &format!("trace={calls}"), "-o"]).arg(file);
        command.arg(env!("CARGO_BIN_EXE_jalon")).args(["serve", "--port", &port.to_string()]);
        command.env("JALON_DATA", data).current_dir(data).stdin(Stdio::null());
        let mut running = Self::of(data, command, port, Stdio::null());
        running.until(|port| status(port, "/readyz") == Some(200), "the server is ready under strace");
        Some(running)
    }

    fn of(data: &Path, mut command: Command, port: u16, output: impl Into<Stdio>) -> Self {
        let log = std::fs::File::create(data.join(LOG)).unwrap();
        let child = command.stdout(output).stderr(log).spawn().unwrap();
        Self { child, port }
    }

    /// Waits until something is so.
    pub fn until(&mut self, is_so: impl Fn(u16) -> bool, what: &str) {
        let until = Instant::now() + SERVER_TIMEOUT;
        while !is_so(self.port) {
            assert!(self.child.try_wait().unwrap().is_none(), "the server ended before this: {what}");
            assert!(Instant::now() < until, "not within {SERVER_TIMEOUT:?}: {what}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Ends it as the kernel does when there is no memory left.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks it to stop, as a supervisor does.
    pub fn terminate(&self) {
        kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
    }

    /// Asks it to read its configuration again, as one does with other services.
    pub fn hang_up(&self) {
        kill_process(Pid::from_child(&self.child), Signal::HUP).unwrap();
    }

    /// Waits until it has ended.
    pub fn wait(mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The status and the body of an answer, on a connection of its own; none where there is no answer.
pub fn get(port: u16, path: &str) -> Option<(u16, String)> {
    let answer = get_with(port, path, &[])?;
    let status = answer.split(' ').nth(1)?.parse().ok()?;
    Some((status, answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default()))
}

/// The whole answer, head and body, to a request with headers.
pub fn get_with(port: u16, path: &str, headers: &[(&str, &str)]) -> Option<String> {
    send(port, "GET", path, headers, "")
}

/// The whole answer to a request with JSON.
pub fn post(port: u16, path: &str, json: &str) -> Option<String> {
    let length = json.len().to_string();
    send(port, "POST", path, &[("content-type", "application/json"), ("content-length", &length)], json)
}

fn send(port: u16, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Option<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.set_read_timeout(Some(SERVER_TIMEOUT)).ok()?;
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    write!(stream, "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{headers}\r\n{body}").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    Some(answer)
}

/// The status alone.
pub fn status(port: u16, path: &str) -> Option<u16> {
    get(port, path).map(|(status, _)| status)
}
