//! Heavy work that yields to everybody else.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

/// Longer than any work takes that is what it says.
const PATIENCE: Duration = Duration::from_secs(120);

type Job = Box<dyn FnOnce() + Send>;

/// One thread, of the lowest priority that costs no rights, that works in turn.
#[derive(Debug)]
pub(crate) struct Bench {
    name: &'static str,
    thread: Mutex<Option<Sender<Job>>>,
}

impl Bench {
    /// A bench whose thread has this name; it starts with its first work.
    pub(crate) fn new(name: &'static str) -> Self {
        Self { name, thread: Mutex::default() }
    }

    /// Does something heavy in its turn. None when it failed, or took so long that it was left behind.
    pub(crate) async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let (tell, told) = oneshot::channel();
        let job: Job = Box::new(move || {
            // A reader that panics has met a file that lies; the thread stays.
            if let Ok(done) = catch_unwind(AssertUnwindSafe(work)) {
                let _ = tell.send(done);
            }
        });
        self.send(job);
        if let Ok(done) = tokio::time::timeout(PATIENCE, told).await {
            return done.ok();
        }
        // The thread may never come back: the next work gets another one.
        *self.thread.lock().unwrap_or_else(PoisonError::into_inner) = None;
        None
    }

    fn send(&self, job: Job) {
        let mut bench = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        let left = match bench.as_ref() {
            Some(sender) => sender.send(job).err().map(|refused| refused.0),
            None => Some(job),
        };
        let Some(job) = left else { return };
        let (sender, jobs) = channel::<Job>();
        let started = std::thread::Builder::new().name(self.name.to_owned()).spawn(move || {
            // Of threads, not of the process: the kernel counts a thread's own niceness.
            let _ = rustix::process::nice(10);
            while let Ok(job) = jobs.recv() {
                job();
            }
        });
        if started.is_ok() {
            let _ = sender.send(job);
            *bench = Some(sender);
        }
    }
}
