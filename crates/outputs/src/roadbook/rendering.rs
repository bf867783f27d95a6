//! Limits on rendering: who may ask for it, and how much at once. Rendering a PDF takes a core for a second.
//!
//! Equal requests of visitors share one rendering, and its result is kept in the blobs, where other servers find it. Of the two
//! children that render, visitors use one: staff never wait behind them. What does not fit is refused at once, with a time to come
//! back, instead of waiting in memory. What failed is not tried again for some minutes: it would take the place of the others for a
//! minute each time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use app::App;
use app::problem::Internal;
use app::rate_limit::RateLimiter;
use axum::body::Bytes;
use domain::{ClientNetwork, Instant};
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::error::RoadbookProblem;

/// Files of public pages that one address may ask for in a minute, whether they are kept or not.
pub const FILES_A_MINUTE: u32 = 120;
/// Renderings that one address may cause in a minute.
pub const RENDERINGS_A_MINUTE: u32 = 20;
/// Renderings for visitors at once: one of the two children.
const PUBLIC_AT_ONCE: usize = 1;
/// Renderings for visitors that run or wait.
pub const PUBLIC_WAITING: usize = 8;
/// Renderings for staff that run or wait.
const STAFF_WAITING: usize = 16;
/// How long a rendering for visitors waits for its turn.
const MAX_WAIT: Duration = Duration::from_secs(30);
/// When to come back where all places are taken.
const RETRY_AFTER_S: i64 = 10;
/// How long a rendering for visitors that took too long or crashed is not tried again.
pub const FAILED_S: i64 = 300;
/// Failed renderings that are remembered.
const MAX_FAILED: usize = 1_000;

/// One rendering: where its result is kept, and the digest of what it is made from.
type Key = (String, [u8; 32]);
type Running = Shared<BoxFuture<'static, Result<Bytes, Arc<RoadbookProblem>>>>;

/// The renderings of this server.
#[derive(Debug)]
pub(crate) struct Renderings {
    running: Mutex<HashMap<Key, Running>>,
    /// Until when a failed rendering is not tried again. Each server has its own: one that knows nothing of it tries once.
    failed: Mutex<HashMap<Key, Instant>>,
    public: Arc<Semaphore>,
    public_waiting: Arc<Semaphore>,
    staff_waiting: Semaphore,
    rate: RateLimiter,
}

impl Default for Renderings {
    fn default() -> Self {
        Self {
            running: Mutex::default(),
            failed: Mutex::default(),
            public: Arc::new(Semaphore::new(PUBLIC_AT_ONCE)),
            public_waiting: Arc::new(Semaphore::new(PUBLIC_WAITING)),
            staff_waiting: Semaphore::new(STAFF_WAITING),
            rate: RateLimiter::default(),
        }
    }
}

impl Renderings {
    /// Refuses what failed some minutes ago.
    fn check_failed(&self, key: &Key, now: Instant) -> Result<(), RoadbookProblem> {
        let until = self.failed.lock().unwrap_or_else(PoisonError::into_inner).get(key).copied();
        let retry_after_s = until.map_or(0, |until| until.since_s(now));
        if retry_after_s > 0 { Err(RoadbookProblem::Busy { retry_after_s }) } else { Ok(()) }
    }

    fn note_failed(&self, key: Key, now: Instant) {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.retain(|_, until| until.since_s(now) > 0);
        if failed.len() < MAX_FAILED {
            failed.insert(key, now.plus_s(FAILED_S));
        }
    }
}

/// Counts a file of a public page that an address asks for; call it before anything is read.
pub fn count_file(app: &App, client: ClientNetwork) -> Result<(), RoadbookProblem> {
    let counted = app.shared::<Renderings>().rate.take(("file", client), app.now(), FILES_A_MINUTE);
    counted.map_err(|retry_after_s| RoadbookProblem::TooMany { retry_after_s })
}

const BUSY: RoadbookProblem = RoadbookProblem::Busy { retry_after_s: RETRY_AFTER_S };

/// The result of a rendering for visitors: of the one that is running where an equal one is, else of a new one. It goes on when the
/// client hangs up, as the next visitor wants the same.
pub(super) async fn shared<W>(app: &App, client: ClientNetwork, key: Key, work: W) -> Result<Bytes, RoadbookProblem>
where
    W: Future<Output = Result<Bytes, RoadbookProblem>> + Send + 'static,
{
    let renderings = app.shared::<Renderings>();
    let running = {
        let mut running = renderings.running.lock().unwrap_or_else(PoisonError::into_inner);
        let known = running.get(&key).cloned();
        if let Some(known) = known {
            known
        } else {
            renderings.check_failed(&key, app.now())?;
            let place = Arc::clone(&renderings.public_waiting).try_acquire_owned().map_err(|_| BUSY)?;
            let counted = renderings.rate.take(("rendering", client), app.now(), RENDERINGS_A_MINUTE);
            counted.map_err(|retry_after_s| RoadbookProblem::TooMany { retry_after_s })?;
            let started = start(app, key.clone(), place, work);
            running.insert(key, started.clone());
            started
        }
    };
    running.await.map_err(|problem| problem.again())
}

fn start<W>(app: &App, key: Key, place: OwnedSemaphorePermit, work: W) -> Running
where
    W: Future<Output = Result<Bytes, RoadbookProblem>> + Send + 'static,
{
    let (ends, renderings) = (Ends { app: app.clone(), key }, app.shared::<Renderings>());
    let task = tokio::spawn(async move {
        let (ends, _place) = (ends, place);
        let turn = Arc::clone(&renderings.public).acquire_owned();
        let Ok(Ok(_turn)) = tokio::time::timeout(MAX_WAIT, turn).await else { return Err(BUSY) };
        let done = work.await;
        if let Err(RoadbookProblem::TimedOut { .. } | RoadbookProblem::Crashed) = &done {
            renderings.note_failed(ends.key.clone(), ends.app.now());
        }
        done
    });
    let result = task.map(|done| done.unwrap_or_else(|panic| Err(Internal::new(panic).into())).map_err(Arc::new));
    result.boxed().shared()
}

/// Takes a rendering out of the list when it ends, a panic included.
struct Ends {
    app: App,
    key: Key,
}

impl Drop for Ends {
    fn drop(&mut self) {
        self.app.shared::<Renderings>().running.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.key);
    }
}

/// Does a rendering for staff, for whom places in the queue are reserved.
pub(super) async fn for_staff<T>(
    app: &App,
    work: impl Future<Output = Result<T, RoadbookProblem>>,
) -> Result<T, RoadbookProblem> {
    let renderings = app.shared::<Renderings>();
    let _place = renderings.staff_waiting.try_acquire().map_err(|_| BUSY)?;
    work.await
}
