//! A program on this machine, run with bounded time, memory and output.

use std::ffi::OsString;
use std::io::{Error, ErrorKind, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Where a program is looked for when the configuration gives a name and no path.
const SEARCH_PATH: &str = "/usr/local/bin:/usr/bin:/bin";
/// The most bytes that are read of what it writes.
const MAX_OUTPUT: u64 = 64 * 1024 * 1024;
/// The most bytes of its error output that are kept, and the most characters of it that an error has.
const MAX_ERROR_OUTPUT: u64 = 64 * 1024;
const MAX_ERROR_TEXT: usize = 300;
const LOOK: Duration = Duration::from_millis(5);

/// What a program may take. Processor time, memory and files are bounded on Linux only.
#[derive(Debug, Clone, Copy, Default)]
pub struct ProgramLimits {
    /// How long it may run.
    pub within: Duration,
    /// The most seconds of processor time; none where they are not bounded.
    pub processor_s: Option<u64>,
    /// The most bytes of its address space; none where it is not bounded.
    pub memory: Option<u64>,
    /// The most bytes of a file that it writes; none where it is not bounded.
    pub file: Option<u64>,
}

/// A program with its arguments. It gets nothing of the server's environment, which may hold passwords: `PATH`, `LANG` and `environment` alone.
#[derive(Debug, Clone)]
pub struct Program<'a> {
    /// Its name, or its path.
    pub path: &'a Path,
    /// Its arguments, as it gets them: no shell reads them.
    pub arguments: Vec<OsString>,
    /// Variables of its environment.
    pub environment: Vec<(&'static str, OsString)>,
    /// What it reads on its input.
    pub input: Vec<u8>,
    /// What it may take.
    pub limits: ProgramLimits,
}

/// What a program wrote that ended well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramOutput {
    pub output: Vec<u8>,
    /// The beginning of its error output.
    pub errors: String,
}

/// Why a program gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// It is not installed, or may not be run.
    #[error("the program is not there")]
    NotThere,
    /// The system did not start it, or did not set its limits.
    #[error("the program did not start: {0}")]
    NotStarted(Error),
    /// It ran longer than it may.
    #[error("the program took too long")]
    TimedOut,
    /// It ended with an error.
    #[error("{status}: {errors}")]
    Failed {
        /// Its exit code, or the signal that ended it.
        status: ExitStatus,
        /// The beginning of its error output.
        errors: String,
    },
}

impl Program<'_> {
    /// Runs it, and returns what it wrote. It blocks the thread.
    pub fn run(self) -> Result<ProgramOutput, ProgramError> {
        let mut command = Command::new(self.path);
        command.env_clear().env("PATH", SEARCH_PATH).env("LANG", "C.UTF-8").envs(self.environment);
        command.args(self.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| match error.kind() {
            ErrorKind::NotFound | ErrorKind::PermissionDenied => ProgramError::NotThere,
            _ => ProgramError::NotStarted(error),
        })?;
        let pipes = bound(&child, self.limits).and_then(|()| {
            let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
            let (Some(stdin), Some(stdout), Some(stderr)) = pipes else { return Err(Error::other("no pipes")) };
            Ok((stdin, stdout, stderr))
        });
        let (mut stdin, stdout, stderr) = match pipes {
            Ok(pipes) => pipes,
            Err(error) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(ProgramError::NotStarted(error));
            }
        };
        let output = thread::spawn(move || whole(stdout));
        let errors = thread::spawn(move || beginning(stderr));
        // A program that ends early does not read it: its error output says why.
        let given = thread::spawn(move || stdin.write_all(&self.input));
        let ended = ended(&mut child, self.limits.within);
        let _ = given.join();
        let (output, errors) = (output.join().unwrap_or_default(), errors.join().unwrap_or_default());
        match ended {
            None => Err(ProgramError::TimedOut),
            Some(status) if status.success() => Ok(ProgramOutput { output, errors }),
            Some(status) => {
                let errors = errors.chars().take(MAX_ERROR_TEXT).collect();
                Err(ProgramError::Failed { status, errors })
            }
        }
    }
}

/// Bounds what a program that has just begun may take. One that crashes leaves no core file, which would hold what it read.
#[cfg(target_os = "linux")]
fn bound(child: &Child, limits: ProgramLimits) -> Result<(), Error> {
    use rustix::io::Errno;
    use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};
    let limits = [
        (Resource::Cpu, limits.processor_s),
        (Resource::As, limits.memory),
        (Resource::Fsize, limits.file),
        (Resource::Core, Some(0)),
    ];
    for (resource, most) in limits {
        let Some(most) = most else { continue };
        // The program has the limits of this process, which it may not raise.
        let most = getrlimit(resource).maximum.map_or(most, |own| own.min(most));
        match prlimit(Some(Pid::from_child(child)), resource, Rlimit { current: Some(most), maximum: Some(most) }) {
            // The program has ended already.
            Ok(_) | Err(Errno::SRCH) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "on Linux it can fail")]
fn bound(_child: &Child, _limits: ProgramLimits) -> Result<(), Error> {
    Ok(())
}

fn whole(from: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = from.take(MAX_OUTPUT).read_to_end(&mut bytes);
    bytes
}

/// The beginning of a text. The rest is read too: a program that cannot write its errors would end.
fn beginning(mut from: impl Read) -> String {
    let mut bytes = Vec::new();
    let _ = from.by_ref().take(MAX_ERROR_OUTPUT).read_to_end(&mut bytes);
    let _ = std::io::copy(&mut from, &mut std::io::sink());
    String::from_utf8_lossy(&bytes).into_owned()
}

/// How it ended; none where its time was up.
fn ended(child: &mut Child, within: Duration) -> Option<ExitStatus> {
    let until = Instant::now() + within;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < until => thread::sleep(LOOK),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    /// A script run by the shell, with these limits.
    fn run(script: &str, limits: ProgramLimits) -> Result<String, ProgramError> {
        let program = Program {
            path: Path::new("sh"),
            arguments: vec!["-c".into(), script.into()],
            environment: vec![("KEPT", "yes".into())],
            input: b"words".to_vec(),
            limits,
        };
        program.run().map(|wrote| String::from_utf8(wrote.output).unwrap() + &wrote.errors)
    }

    const LIMITS: ProgramLimits =
        ProgramLimits { within: Duration::from_secs(20), processor_s: None, memory: None, file: None };

    #[test]
    fn a_program_gets_its_input_and_nothing_of_the_environment() {
        let came = run("cat; env", LIMITS).unwrap();
        assert!(came.starts_with("words") && came.contains("KEPT=yes"), "{came}");
        // The shell adds its own three.
        let own = ["PWD=", "SHLVL=", "_=", "OLDPWD=", "PATH=", "LANG=", "KEPT="];
        let came = came.trim_start_matches("words");
        assert!(std::env::vars_os().count() > 3, "this test has an environment to hide");
        assert!(came.lines().all(|line| own.iter().any(|own| line.starts_with(own))), "{came}");
    }

    #[test]
    fn a_program_that_fails_or_lasts_is_reported() {
        assert_eq!(run("echo words; echo why >&2", LIMITS).unwrap(), "words\nwhy\n");
        let Err(ProgramError::Failed { status, errors }) = run("echo why >&2; exit 3", LIMITS) else {
            panic!("a failure is expected");
        };
        assert_eq!((status.code(), errors.as_str()), (Some(3), "why\n"));
        let soon = ProgramLimits { within: Duration::from_millis(50), ..LIMITS };
        assert!(matches!(run("exec sleep 20", soon), Err(ProgramError::TimedOut)));
        let program = Program {
            path: Path::new("/nowhere/program"),
            arguments: Vec::new(),
            environment: Vec::new(),
            input: Vec::new(),
            limits: LIMITS,
        };
        assert!(matches!(program.run(), Err(ProgramError::NotThere)));
    }

    #[cfg(unix)]
    #[test]
    fn a_program_in_another_format_is_not_started_and_one_that_a_signal_ends_has_failed() {
        use std::os::unix::fs::PermissionsExt as _;
        use std::os::unix::process::ExitStatusExt as _;

        let path = std::env::temp_dir().join(format!("jalon-program-format-{}", std::process::id()));
        std::fs::write(&path, [0; 64]).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        let program =
            Program { path: &path, arguments: Vec::new(), environment: Vec::new(), input: Vec::new(), limits: LIMITS };
        assert!(matches!(program.run(), Err(ProgramError::NotStarted(_))));
        std::fs::remove_file(path).unwrap();
        let Err(ProgramError::Failed { status, .. }) = run("kill -TERM $$", LIMITS) else {
            panic!("a failure is expected");
        };
        assert_eq!(status.signal(), Some(rustix::process::Signal::TERM.as_raw()));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_program_that_uses_up_its_processor_time_ends() {
        let second = ProgramLimits { processor_s: Some(1), ..LIMITS };
        assert!(matches!(run("while :; do :; done", second), Err(ProgramError::Failed { .. })));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_program_stays_within_its_memory_and_its_files() {
        // It waits for its limits, which are set once it runs.
        let memory = ProgramLimits { memory: Some(50_000_000), ..LIMITS };
        let large = "sleep 0.5; head -c 200000000 /dev/zero | tail -c 100000000 | wc -c";
        assert_eq!(run(large, LIMITS).unwrap().trim(), "100000000");
        assert_ne!(run(large, memory).unwrap_or_default().trim(), "100000000");
        let path = std::env::temp_dir().join(format!("jalon-program-{}", std::process::id()));
        let file = ProgramLimits { file: Some(1_000), ..LIMITS };
        let written = format!("sleep 0.5; head -c 5000 /dev/zero > {}", path.display());
        assert!(run(&written, file).is_err());
        assert!(std::fs::metadata(&path).unwrap().len() <= 1_000);
        std::fs::remove_file(path).unwrap();
    }
}
