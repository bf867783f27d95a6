//! The kinds of jobs of this server, and its name.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use domain::job::Job;
use jobs::Kinds;

use super::App;

/// The kinds of jobs of this server, and its name.
#[derive(Debug)]
pub struct JobRunner {
    kinds: Arc<Kinds<App>>,
    node: String,
    is_worked: AtomicBool,
}

impl JobRunner {
    pub(super) fn new(kinds: Kinds<App>) -> Self {
        static APPLICATIONS: AtomicU64 = AtomicU64::new(0);
        let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
        // A test runs several applications in one process: each counts as a separate server.
        let number = APPLICATIONS.fetch_add(1, Ordering::Relaxed);
        let suffix = if number == 0 { String::new() } else { format!(".{number}") };
        Self {
            kinds: Arc::new(kinds),
            node: format!("{host}:{}{suffix}", std::process::id()),
            is_worked: AtomicBool::new(false),
        }
    }

    /// The kinds.
    pub fn kinds(&self) -> &Arc<Kinds<App>> {
        &self.kinds
    }

    /// The name of this server in the table of jobs.
    pub fn node(&self) -> &str {
        &self.node
    }

    /// Notes that a worker runs in this process.
    pub fn start(&self) {
        self.is_worked.store(true, Ordering::Relaxed);
    }

    /// Whether this server can run a job, or at least judge it.
    pub fn knows(&self, job: &Job) -> bool {
        self.kinds.knows(&job.kind, job.version)
    }

    /// Whether a worker runs in this process. Commands and tests have none: they run a job themselves where they need it done.
    pub(crate) fn is_worked(&self) -> bool {
        self.is_worked.load(Ordering::Relaxed)
    }
}
