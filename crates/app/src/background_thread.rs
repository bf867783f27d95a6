//! Heavy work on a thread of low priority, so that requests are answered first.

use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tokio::time::timeout;

/// Upper bound for one job, from its beginning. A job that takes longer is stuck: its thread is replaced.
const JOB_TIMEOUT: Duration = Duration::from_secs(120);
/// How long a job waits for those before it.
const WAIT_TIMEOUT: Duration = Duration::from_secs(120);

/// A job, called with the number of its thread.
type Job = Box<dyn FnOnce(u64) + Send>;

/// Why a job gave no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotDone {
    #[error("the work panicked")]
    Panicked,
    /// It began, and took longer than it may.
    #[error("the work took too long")]
    TookTooLong,
    /// Those before it took too long, or no thread could be started. It does not begin later.
    #[error("the work did not begin in time")]
    NeverBegun,
}

/// One thread that runs jobs one after the other, with a niceness of 10.
#[derive(Debug)]
pub struct BackgroundThread {
    queue: Arc<Queue>,
    job_timeout: Duration,
    wait_timeout: Duration,
}

impl BackgroundThread {
    /// A thread of this name. It starts with its first job.
    pub fn new(name: &'static str) -> Self {
        Self::with_timeouts(name, JOB_TIMEOUT, WAIT_TIMEOUT)
    }

    fn with_timeouts(name: &'static str, job_timeout: Duration, wait_timeout: Duration) -> Self {
        let queue = Queue { name, job_timeout, state: Mutex::default(), changed: Condvar::new() };
        Self { queue: Arc::new(queue), job_timeout, wait_timeout }
    }

    /// Runs a job after those that wait. A job whose caller is gone does not begin.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, NotDone> {
        let (begin, mut begun) = oneshot::channel();
        let (sender, receiver) = oneshot::channel();
        self.queue.add(Box::new(move |thread| {
            if begin.send(thread).is_err() {
                return;
            }
            // A panic in a parser is contained: the job fails, the thread goes on.
            if let Ok(done) = catch_unwind(AssertUnwindSafe(work)) {
                let _ = sender.send(done);
            }
        }));
        let thread = if let Ok(begun) = timeout(self.wait_timeout, &mut begun).await {
            begun.map_err(|_| NotDone::NeverBegun)?
        } else {
            // It may have begun in this moment.
            begun.close();
            begun.try_recv().map_err(|_| {
                self.queue.replace_stuck();
                NotDone::NeverBegun
            })?
        };
        if let Ok(done) = timeout(self.job_timeout, receiver).await {
            return done.map_err(|_| NotDone::Panicked);
        }
        self.queue.replace(thread);
        Err(NotDone::TookTooLong)
    }
}

impl Drop for BackgroundThread {
    fn drop(&mut self) {
        self.queue.lock().thread = None;
        self.queue.changed.notify_all();
    }
}

/// The jobs that wait, and the thread that takes them.
struct Queue {
    name: &'static str,
    job_timeout: Duration,
    state: Mutex<State>,
    /// Notified when a job is added, when another thread takes the place of the present one, and when the thread shall end.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Job>,
    /// The number of the thread that takes jobs: one that was replaced ends after its job. None before the first job.
    thread: Option<u64>,
    /// How many threads were started.
    started: u64,
    /// When the job that this thread works on began.
    began: Option<Instant>,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(self: &Arc<Self>, job: Job) {
        let mut state = self.lock();
        state.waiting.push_back(job);
        if state.thread.is_none() || self.is_stuck(&state) {
            self.start(&mut state);
        }
        self.changed.notify_all();
    }

    /// Whether the present job has had its time. Its caller may be gone: the jobs after it replace its thread.
    fn is_stuck(&self, state: &State) -> bool {
        state.began.is_some_and(|began| began.elapsed() > self.job_timeout)
    }

    /// Replaces a thread whose job has had its time, for the jobs that wait.
    fn replace_stuck(self: &Arc<Self>) {
        let mut state = self.lock();
        if self.is_stuck(&state) {
            self.start(&mut state);
            self.changed.notify_all();
        }
    }

    /// Replaces a thread that may never come back: another one takes the jobs that wait.
    fn replace(self: &Arc<Self>, thread: u64) {
        let mut state = self.lock();
        if state.thread == Some(thread) {
            self.start(&mut state);
            self.changed.notify_all();
        }
    }

    /// Starts a thread in the place of the present one. Where the system gives none, the jobs that wait do not begin.
    fn start(self: &Arc<Self>, state: &mut State) {
        state.started += 1;
        let (queue, number) = (Arc::clone(self), state.started);
        let started = std::thread::Builder::new().name(self.name.to_owned()).spawn(move || queue.work(number));
        if started.is_err() {
            state.waiting.clear();
        }
        state.thread = started.is_ok().then_some(number);
        state.began = None;
    }

    fn work(&self, number: u64) {
        // It sets the niceness of this thread, not of the process: the Linux kernel has one for each thread.
        let _ = rustix::process::nice(10);
        while let Some(job) = self.next(number) {
            job(number);
        }
    }

    /// Waits for the next job; none where the thread was replaced.
    fn next(&self, number: u64) -> Option<Job> {
        let mut state = self.lock();
        while state.thread == Some(number) {
            if let Some(job) = state.waiting.pop_front() {
                state.began = Some(Instant::now());
                return Some(job);
            }
            state.began = None;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue").field("name", &self.name).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    use super::*;

    const LONG: Duration = Duration::from_secs(20);

    /// A job that waits until the sender is dropped.
    fn blocked() -> (mpsc::Sender<()>, impl FnOnce() + Send + 'static) {
        let (sender, receiver) = mpsc::channel::<()>();
        let job = move || {
            let _ = receiver.recv();
        };
        (sender, job)
    }

    /// Begins a job that waits until the sender is dropped, and whose caller is gone.
    async fn stuck_without_caller(thread: &BackgroundThread) -> mpsc::Sender<()> {
        let (open, stuck) = blocked();
        let (begun, has_begun) = oneshot::channel();
        let job = move || {
            let _ = begun.send(());
            stuck();
        };
        tokio::select! {
            done = thread.run(job) => assert_eq!(done, Err(NotDone::TookTooLong)),
            begun = has_begun => assert_eq!(begun, Ok(())),
        }
        open
    }

    /// The same thread, for a caller that waits for a short time only.
    fn impatient(thread: &BackgroundThread) -> BackgroundThread {
        let (queue, wait_timeout) = (Arc::clone(&thread.queue), Duration::from_millis(50));
        BackgroundThread { queue, job_timeout: LONG, wait_timeout }
    }

    /// From now on the present job has had its time.
    fn let_time_pass(thread: &BackgroundThread) {
        thread.queue.lock().began = Instant::now().checked_sub(2 * LONG);
    }

    #[tokio::test]
    async fn the_time_of_a_job_starts_with_the_job() {
        let thread = BackgroundThread::with_timeouts("test", Duration::from_secs(1), LONG);
        // Together they take longer than one of them may.
        let job = |number: u32| {
            thread.run(move || {
                std::thread::sleep(Duration::from_millis(400));
                number
            })
        };
        assert_eq!(tokio::join!(job(1), job(2), job(3)), (Ok(1), Ok(2), Ok(3)));
    }

    #[tokio::test]
    async fn a_stuck_job_is_given_up_and_those_that_wait_are_run_by_another_thread() {
        let thread = BackgroundThread::with_timeouts("test", Duration::from_secs(1), LONG);
        let (open, stuck) = blocked();
        let (first, second) = tokio::join!(thread.run(stuck), thread.run(|| 2));
        assert_eq!((first, second), (Err(NotDone::TookTooLong), Ok(2)));
        drop(open);
        assert_eq!(thread.run(|| 3).await, Ok(3));
    }

    #[tokio::test]
    async fn a_stuck_job_whose_caller_is_gone_does_not_hold_up_the_next() {
        let thread = BackgroundThread::with_timeouts("test", LONG, LONG);
        let _open = stuck_without_caller(&thread).await;
        let_time_pass(&thread);
        assert_eq!(thread.run(|| 2).await, Ok(2));
    }

    #[tokio::test]
    async fn a_job_that_waited_too_long_behind_a_stuck_one_frees_the_others() {
        let thread = BackgroundThread::with_timeouts("test", LONG, LONG);
        let impatient = impatient(&thread);
        let _open = stuck_without_caller(&thread).await;
        // Both wait already when the time of the stuck job is over.
        let (patient, impatient, ()) =
            tokio::join!(thread.run(|| 2), impatient.run(|| 3), async { let_time_pass(&thread) });
        assert_eq!((patient, impatient), (Ok(2), Err(NotDone::NeverBegun)));
    }

    #[tokio::test]
    async fn a_job_that_waited_too_long_never_begins() {
        static RUNS: AtomicUsize = AtomicUsize::new(0);
        let thread = Arc::new(BackgroundThread::with_timeouts("test", LONG, LONG));
        let impatient = impatient(&thread);
        let (open, busy) = blocked();
        let (begun, has_begun) = oneshot::channel();
        let first = Arc::clone(&thread);
        let first = tokio::spawn(async move {
            let job = move || {
                let _ = begun.send(());
                busy();
            };
            first.run(job).await
        });
        assert_eq!(has_begun.await, Ok(()));
        let waited = impatient.run(|| RUNS.fetch_add(1, Ordering::SeqCst)).await;
        assert_eq!(waited, Err(NotDone::NeverBegun));
        drop(open);
        assert_eq!(first.await.ok(), Some(Ok(())));
        assert_eq!(thread.run(|| RUNS.load(Ordering::SeqCst)).await, Ok(0), "it was not run afterwards either");
    }

    #[tokio::test]
    async fn a_panic_fails_its_job_alone() {
        let thread = BackgroundThread::new("test");
        // Without the message of the panic in the output of the tests.
        let panicked: Result<(), NotDone> = thread.run(|| std::panic::resume_unwind(Box::new(()))).await;
        assert_eq!(panicked, Err(NotDone::Panicked));
        assert_eq!(thread.run(|| 2).await, Ok(2));
    }
}
