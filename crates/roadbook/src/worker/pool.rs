//! The parent's side: a few warm children, each with one request at a time.

use std::ffi::OsString;
use std::io::{BufReader, BufWriter, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::error::RoadbookError;
use crate::request::{Rendered, Request};
use crate::worker::frame;

/// How children are started and how long they may take.
#[derive(Debug, Clone)]
pub struct PoolOptions {
    /// The program that runs [`crate::serve`].
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
    /// How many work at once; others wait their turn.
    pub workers: usize,
    /// After this a child is killed.
    pub timeout: Duration,
}

impl PoolOptions {
    /// `program arguments…`, two at once, a minute each.
    pub fn new(program: impl Into<PathBuf>, arguments: &[&str]) -> Self {
        let arguments = arguments.iter().map(OsString::from).collect();
        Self { program: program.into(), arguments, workers: 2, timeout: Duration::from_secs(60) }
    }
}

/// Children that set pages. Dropping it ends them. Calls block: from async code, `spawn_blocking`.
#[derive(Debug)]
pub struct Pool {
    options: PoolOptions,
    state: Mutex<State>,
    freed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    idle: Vec<Worker>,
    busy: usize,
}

/// How one request ended, and whether its child may take another.
enum Turn {
    Answered(Result<Rendered, RoadbookError>, Option<Worker>),
    /// The child was gone before the request reached it.
    Stale,
}

impl Pool {
    /// Starts no child yet: the first request does.
    pub fn new(options: PoolOptions) -> Self {
        Self { options, state: Mutex::default(), freed: Condvar::new() }
    }

    /// Makes a roadbook in a child: waits for its turn, then for its answer.
    pub fn render(&self, request: &Request) -> Result<Rendered, RoadbookError> {
        self.render_unless(request, &AtomicBool::new(false))
    }

    /// The same, unless `unwanted` is set when its turn comes.
    pub fn render_unless(&self, request: &Request, unwanted: &AtomicBool) -> Result<Rendered, RoadbookError> {
        let mut kept = self.take_turn();
        if unwanted.load(Ordering::SeqCst) {
            self.give_turn(kept);
            return Err(crashed("given up before its turn"));
        }
        // A child that died while idle is replaced, once.
        let (result, worker) = loop {
            let fresh = kept.is_none();
            let worker = match kept.take().map_or_else(|| Worker::start(&self.options), Ok) {
                Ok(worker) => worker,
                Err(error) => break (Err(error), None),
            };
            match worker.turn(request, self.options.timeout) {
                Turn::Answered(result, worker) => break (result, worker),
                Turn::Stale if fresh => break (Err(crashed("it ended at once")), None),
                Turn::Stale => {}
            }
        };
        self.give_turn(worker);
        result
    }

    fn give_turn(&self, worker: Option<Worker>) {
        let mut state = self.state();
        state.busy -= 1;
        state.idle.extend(worker);
        self.freed.notify_one();
    }

    fn take_turn(&self) -> Option<Worker> {
        let most = self.options.workers.max(1);
        let mut state =
            self.freed.wait_while(self.state(), |state| state.busy >= most).unwrap_or_else(PoisonError::into_inner);
        state.busy += 1;
        state.idle.pop()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn crashed(detail: impl ToString) -> RoadbookError {
    RoadbookError::Crashed { detail: detail.to_string() }
}

/// A running child; killed when dropped.
#[derive(Debug)]
struct Worker {
    child: Arc<Mutex<Child>>,
    input: BufWriter<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Worker {
    fn start(options: &PoolOptions) -> Result<Self, RoadbookError> {
        let mut child = Command::new(&options.program)
            .args(&options.arguments)
            // It needs nothing of what the server knows.
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .map_err(|error| crashed(format!("{}: {error}", options.program.display())))?;
        let (input, output) = child.stdin.take().zip(child.stdout.take()).ok_or_else(|| crashed("no pipes"))?;
        Ok(Self { child: Arc::new(Mutex::new(child)), input: BufWriter::new(input), output: BufReader::new(output) })
    }

    fn turn(mut self, request: &Request, timeout: Duration) -> Turn {
        let watch = Watch::over(&self.child, timeout);
        if frame::ask(&mut self.input, request).is_err() && !watch.struck() {
            return Turn::Stale;
        }
        match frame::answered(&mut self.output) {
            Ok(answer) => Turn::Answered(answer.result, (!answer.retires && !watch.struck()).then_some(self)),
            Err(_) if watch.struck() => Turn::Answered(Err(RoadbookError::TimedOut { after: timeout }), None),
            Err(error) => Turn::Answered(Err(crashed(self.ending(&error))), None),
        }
    }

    /// How it ended, for the log; never waits for one that goes on.
    fn ending(&self, error: &std::io::Error) -> String {
        match lock(&self.child).try_wait() {
            Ok(Some(status)) => status.to_string(),
            _ => error.to_string(),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.input.flush();
        let mut child = lock(&self.child);
        // It may have ended already: both calls then do nothing.
        let _ = child.kill();
        let _ = child.wait();
    }
}

fn lock(child: &Mutex<Child>) -> MutexGuard<'_, Child> {
    child.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills a child that takes too long; stops watching when dropped.
struct Watch {
    _stand_down: Sender<()>,
    struck: Arc<AtomicBool>,
}

impl Watch {
    fn over(child: &Arc<Mutex<Child>>, timeout: Duration) -> Self {
        let (stand_down, stood_down) = mpsc::channel::<()>();
        let struck = Arc::new(AtomicBool::new(false));
        let (child, strikes) = (Arc::clone(child), Arc::clone(&struck));
        std::thread::spawn(move || {
            if stood_down.recv_timeout(timeout) == Err(RecvTimeoutError::Timeout) {
                strikes.store(true, Ordering::SeqCst);
                let _ = lock(&child).kill();
            }
        });
        Self { _stand_down: stand_down, struck }
    }

    fn struck(&self) -> bool {
        self.struck.load(Ordering::SeqCst)
    }
}
