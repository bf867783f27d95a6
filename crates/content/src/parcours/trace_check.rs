//! The hourly check of stored traces: whether steps and length are as a save would store them. Every save keeps them so; what was
//! stored otherwise by an older version, or by hand, is found here and listed on the page of the network watch.

use app::App;
use app::background_thread::BackgroundThread;
use app::hourly::{self, Nothing};
use app::problem::Internal;
use app::worker::settle_only;
use domain::parcours::arrange::arrange;
use domain::parcours::{TraceFault, trace_faults};
use domain::{HOUR_S, ParcoursId};
use jobs::{Failure, JobEvent, JobKind, Lease, Step};
use store::parcours::{self as rows, NewTrace, Stored, StoredTrace, Unchecked};
use store::{Connection, Store, StoreError, Tx};

use super::compute::pace_of;

/// What the check keeps in the application.
#[derive(Debug)]
pub struct TraceChecks {
    thread: BackgroundThread,
}

impl Default for TraceChecks {
    fn default() -> Self {
        Self { thread: BackgroundThread::new("trace-check") }
    }
}

/// Checks the traces that changed since they were checked last, one after the other.
pub struct CheckTraces;

impl JobKind for CheckTraces {
    type Context = App;
    type Payload = Nothing;
    const NAME: &'static str = "trace_check";
    const LIMIT: i64 = 1;

    async fn run(app: App, lease: Lease, _: Nothing) -> Result<Step, Failure> {
        let mut last = ParcoursId(0);
        while let Some(next) = rows::next_unchecked(app.store.read(), last).await? {
            if lease.is_stopping() {
                return Ok(Step::Again);
            }
            check_one(&app, &lease, next).await?;
            last = next.id;
        }
        Ok(Step::Later { seconds: HOUR_S })
    }

    async fn on_event(app: &App, tx: &Tx, _: &Nothing, event: JobEvent) -> Result<(), StoreError> {
        hourly::on_event::<Self>(app, tx, event).await
    }
}

async fn check_one(app: &App, lease: &Lease, next: Unchecked) -> Result<(), Failure> {
    let kept = match Kept::load(app.store.read(), next.id).await {
        Ok(Some(kept)) => kept,
        Ok(None) => return Ok(()),
        // The others are still checked.
        Err(error) => {
            tracing::error!(parcours = next.id.0, %error, "a stored trace cannot be read");
            return Ok(());
        }
    };
    if (kept.stored.version, kept.trace.summary.revision) != (next.version, next.trace_revision) {
        // Saved meanwhile: the next run checks it.
        return Ok(());
    }
    let Ok(faults) = app.shared::<TraceChecks>().thread.run(move || kept.faults()).await else { return Ok(()) };
    if !faults.is_empty() {
        let found: Vec<String> = faults.iter().map(ToString::to_string).collect();
        tracing::warn!(
            parcours = next.id.0,
            faults = found.join("; "),
            "a stored trace is not as a save would store it"
        );
    }
    let tx = app.store.begin().await?;
    rows::note_check(&tx, next, &faults).await?;
    lease.hold(&tx).await?;
    Ok(tx.commit_aside().await?)
}

/// Checks all that waits: for tests, which end.
pub async fn settle(app: &App) -> Result<(), Internal> {
    let tx = app.store.begin().await?;
    hourly::enqueue::<CheckTraces>(app, &tx, 0).await?;
    tx.commit_aside().await?;
    Ok(settle_only(app, CheckTraces::NAME).await?)
}

/// A parcours with its stored trace.
struct Kept {
    stored: Stored,
    trace: StoredTrace,
    pace: domain::parcours::line::Pace,
}

impl Kept {
    async fn load(db: &impl Connection, id: ParcoursId) -> Result<Option<Self>, StoreError> {
        let (Some(stored), Some(trace)) = (rows::load(db, id).await?, rows::trace(db, id).await?) else {
            return Ok(None);
        };
        let (_, pace) = pace_of(db, stored.sheet.practice_type_id).await?;
        Ok(Some(Self { stored, trace, pace }))
    }

    fn faults(&self) -> Vec<TraceFault> {
        let line = self.trace.line();
        let along = self.trace.summary.along(&line, self.pace);
        trace_faults(&self.stored.steps, &self.trace.summary, &along)
    }

    fn checked(&self) -> Checked {
        let title = self.stored.sheet.title.best("fr").to_owned();
        Checked { title, faults: self.faults(), repaired: false }
    }
}

/// The findings about a parcours with a trace.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// Its title in French, else in English.
    pub title: String,
    pub faults: Vec<TraceFault>,
    /// Whether its steps were put in their places.
    pub repaired: bool,
}

/// Checks one parcours, for the command line. None without a trace.
pub async fn check(store: &Store, id: ParcoursId) -> Result<Option<Checked>, StoreError> {
    Ok(Kept::load(store.read(), id).await?.map(|kept| kept.checked()))
}

/// Checks one parcours, for the command line, and puts misplaced steps in their places. None without a trace.
pub async fn check_and_repair(
    store: &Store,
    languages: &[String],
    id: ParcoursId,
) -> Result<Option<Checked>, StoreError> {
    let Some(kept) = Kept::load(store.read(), id).await? else { return Ok(None) };
    let checked = kept.checked();
    let repaired = checked.faults.iter().any(TraceFault::is_of_a_step) && put_in_place(store, languages, &kept).await?;
    Ok(Some(Checked { repaired, ..checked }))
}

/// Places the steps of a parcours along its line again. `false` if the parcours was saved since it was read.
async fn put_in_place(store: &Store, languages: &[String], kept: &Kept) -> Result<bool, StoreError> {
    let tx = store.begin().await?;
    let same = |now: &Stored| now.version == kept.stored.version && now.trace_revision == kept.stored.trace_revision;
    let Some(now) = rows::lock(&tx, kept.stored.id).await?.filter(same) else { return Ok(false) };
    let line = kept.trace.line();
    let along = kept.trace.summary.along(&line, kept.pace);
    let mut steps = now.steps.clone();
    arrange(&mut steps, &along, Some(along.length_m()));
    rows::rescore(&tx, &now, steps, &NewTrace::from(&kept.trace), languages).await?;
    tx.commit().await?;
    Ok(true)
}
