//! Heavy work on a thread of low priority, so that requests are answered first.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

/// Upper bound for one job. A job that takes longer is stuck: its thread is replaced.
const JOB_TIMEOUT: Duration = Duration::from_secs(120);

type Job = Box<dyn FnOnce() + Send>;

/// One thread that runs jobs one after the other, with a niceness of 10.
#[derive(Debug)]
pub struct BackgroundThread {
    name: &'static str,
    thread: Mutex<Option<Sender<Job>>>,
}

impl BackgroundThread {
    /// A thread of this name. It starts with its first job.
    pub fn new(name: &'static str) -> Self {
        Self { name, thread: Mutex::default() }
    }

    /// Runs a job after those that wait. None when it panicked, or took longer than `JOB_TIMEOUT`.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let (sender, receiver) = oneshot::channel();
        let job: Job = Box::new(move || {
            // A panic in a parser is contained: the job fails, the thread goes on.
            if let Ok(done) = catch_unwind(AssertUnwindSafe(work)) {
                let _ = sender.send(done);
            }
        });
        self.send(job);
        if let Ok(done) = tokio::time::timeout(JOB_TIMEOUT, receiver).await {
            return done.ok();
        }
        // The thread may never come back: the next job gets another one.
        *self.thread.lock().unwrap_or_else(PoisonError::into_inner) = None;
        None
    }

    fn send(&self, job: Job) {
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        let left = match thread.as_ref() {
            Some(sender) => sender.send(job).err().map(|refused| refused.0),
            None => Some(job),
        };
        let Some(job) = left else { return };
        let (sender, jobs) = channel::<Job>();
        let started = std::thread::Builder::new().name(self.name.to_owned()).spawn(move || {
            // It sets the niceness of this thread, not of the process: the Linux kernel has one for each thread.
            let _ = rustix::process::nice(10);
            while let Ok(job) = jobs.recv() {
                job();
            }
        });
        if started.is_ok() {
            let _ = sender.send(job);
            *thread = Some(sender);
        }
    }
}
