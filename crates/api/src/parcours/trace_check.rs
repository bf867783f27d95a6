//! The check of stored traces: whether steps and length are as a save would store them. Every save keeps them so; what was
//! stored otherwise by an older version, or by hand, is found here and listed on the page of the network watch.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use domain::ParcoursId;
use domain::parcours::arrange::arrange;
use domain::parcours::line::Along;
use domain::parcours::{TraceFault, trace_faults};
use store::parcours::{self as rows, NewTrace, Stored, StoredTrace};
use store::{Connection, Store, StoreError};

use super::compute::pace_of;
use crate::App;
use crate::bench::Bench;
use crate::problem::Internal;
use crate::worker::{self, Bell, Worker};

/// How often what changed meanwhile is looked at.
const EVERY: Duration = Duration::from_secs(3600);

/// What the check keeps in the application.
#[derive(Debug)]
pub struct TraceChecks {
    bench: Bench,
    bell: Bell,
    /// The parcours that the present round has come to.
    cursor: AtomicI64,
}

impl Default for TraceChecks {
    fn default() -> Self {
        Self { bench: Bench::new("trace-check"), bell: Bell::default(), cursor: AtomicI64::new(0) }
    }
}

/// Starts the check; it ends with the runtime.
pub fn start(app: App) {
    worker::start::<TraceCheck>(app);
}

/// Checks all that waits: for tests, which end.
pub async fn settle(app: &App) -> Result<(), Internal> {
    worker::settle::<TraceCheck>(app).await
}

struct TraceCheck;

impl Worker for TraceCheck {
    const FAILURE: &'static str = "stored traces could not be checked";

    fn bell(app: &App) -> &Bell {
        &app.trace_checks.bell
    }

    fn patience(_app: &App) -> Duration {
        EVERY
    }

    async fn step(app: &App) -> Result<bool, Internal> {
        let db = app.store.read();
        let cursor = &app.trace_checks.cursor;
        let Some(next) = rows::next_unchecked(db, ParcoursId(cursor.load(Ordering::Relaxed))).await? else {
            // The round is over; the next one begins with the first parcours.
            cursor.store(0, Ordering::Relaxed);
            return Ok(false);
        };
        cursor.store(next.id.0, Ordering::Relaxed);
        let Some(kept) = Kept::load(db, next.id).await? else { return Ok(true) };
        if (kept.stored.version, kept.trace.summary.revision) != (next.version, next.trace_revision) {
            // Saved meanwhile: the next round sees it.
            return Ok(true);
        }
        let Some(faults) = app.trace_checks.bench.run(move || kept.faults()).await else { return Ok(true) };
        if !faults.is_empty() {
            let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
            tracing::warn!(
                parcours = next.id.0,
                faults = told.join("; "),
                "a stored trace is not as a save would store it"
            );
        }
        let tx = app.store.begin().await?;
        rows::note_check(&tx, next, &faults).await?;
        tx.commit_aside().await?;
        Ok(true)
    }
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
        let along = Along::new(&line, self.pace, self.trace.summary.duration_s);
        trace_faults(&self.stored.steps, &self.trace.summary, &along)
    }
}

/// What was found of a parcours with a trace.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// Its title in French, else in English.
    pub title: String,
    /// What is wrong.
    pub faults: Vec<TraceFault>,
    /// Whether its steps were put in their places.
    pub mended: bool,
}

/// Checks one parcours, for the command line; puts its steps in their places where asked. None without a trace.
pub async fn check(
    store: &Store,
    languages: &[String],
    id: ParcoursId,
    mend: bool,
) -> Result<Option<Checked>, StoreError> {
    let Some(kept) = Kept::load(store.read(), id).await? else { return Ok(None) };
    let faults = kept.faults();
    let mended = mend && faults.iter().any(TraceFault::is_of_a_step) && put_in_place(store, languages, &kept).await?;
    Ok(Some(Checked { title: kept.stored.sheet.title.best("fr").to_owned(), faults, mended }))
}

/// Places the steps of a parcours along its line again. `false` if the parcours was saved since it was read.
async fn put_in_place(store: &Store, languages: &[String], kept: &Kept) -> Result<bool, StoreError> {
    let tx = store.begin().await?;
    let same = |now: &Stored| now.version == kept.stored.version && now.trace_revision == kept.stored.trace_revision;
    let Some(now) = rows::lock(&tx, kept.stored.id).await?.filter(same) else { return Ok(false) };
    let line = kept.trace.line();
    let along = Along::new(&line, kept.pace, kept.trace.summary.duration_s);
    let mut steps = now.steps.clone();
    arrange(&mut steps, &along, Some(along.length_m()));
    rows::rescore(&tx, &now, steps, &NewTrace::from(&kept.trace), languages).await?;
    tx.commit().await?;
    Ok(true)
}
