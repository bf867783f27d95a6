//! Lays the lines of imported parcours on the network by a job for each source, one line a step, while no run of the source is at work.

use app::App;
use content::parcours::compute::{arrange_steps, compute, pace_of};
use content::parcours::trace::again;
use domain::imports::ImportSourceSheet;
use domain::parcours::TraceMode;
use domain::record::Kind;
use jobs::{Enqueue, Failure, JobKind, Lease, Step};
use serde::{Deserialize, Serialize};
use store::imports::{self as rows, ImportRun, ImportSources};
use store::record::Stored;
use store::{StoreError, Tx, parcours};

use super::work::{ImportCache, OTHER_RUN_S};

/// How long lines wait, seconds, for a planner.
const NO_PLANNER_S: i64 = 60;

/// The source whose lines are matched.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Lines {
    /// Number of the source of routes.
    source: i64,
}

/// Lays lines on the network.
pub struct MatchLines;

impl JobKind for MatchLines {
    type Context = App;
    type Payload = Lines;
    const NAME: &'static str = "import_match";
    const LIMIT: i64 = 4;
    /// One thread does what is heavy.
    const LIMIT_PER_SERVER: i64 = 1;
    /// After all other jobs: the parcours are complete without it.
    const PRIORITY: i64 = 1;

    async fn run(app: App, lease: Lease, asked: Lines) -> Result<Step, Failure> {
        let db = app.store.read();
        let Some(name) = rows::next_waiting(db, asked.source).await? else { return Ok(Step::Done) };
        let region = app.region();
        if region.engine.is_none() {
            return Ok(Step::Later { seconds: NO_PLANNER_S });
        }
        if rows::open_run(db, Kind::ImportSource, asked.source).await?.is_some() {
            return Ok(Step::Later { seconds: OTHER_RUN_S });
        }
        let Some(item) = rows::item(db, asked.source, &name).await? else { return Ok(Step::Again) };
        let sheet: Option<Stored<ImportSourceSheet>> = store::record::load::<ImportSources>(db, asked.source).await?;
        let wanted = sheet.is_none_or(|source| !source.sheet.force_source_geometry);
        let loaded = match item.parcours_id.filter(|_| wanted) {
            Some(id) => parcours::load(db, id).await?.zip(parcours::trace(db, id).await?),
            None => None,
        };
        // Where a user replaced the line meanwhile, it is not changed.
        let Some((stored, kept)) = loaded.filter(|(stored, _)| stored.trace_revision == item.trace_revision) else {
            let tx = app.store.begin().await?;
            return keep(&lease, tx, asked.source, &name, None).await;
        };
        let (profile, pace) = pace_of(db, stored.sheet.practice_type_id).await?;
        let ask = again(&app, &kept, TraceMode::Planner, profile, pace);
        let engine = region.engine.clone();
        let old_length_m = trace::measure(&kept.line()).distance_m;
        let laid = app.shared::<ImportCache>().thread().run(move || compute(engine.as_deref(), ask)).await.ok();
        let tx = app.store.begin().await?;
        // A run locks its source when it begins: until this is committed none does.
        store::record::lock::<ImportSources>(&tx, asked.source).await?;
        if rows::open_run(&tx, Kind::ImportSource, asked.source).await?.is_some() {
            return Ok(Step::Later { seconds: OTHER_RUN_S });
        }
        let now = parcours::lock(&tx, stored.id).await?.filter(|now| now.trace_revision == stored.trace_revision);
        let mut revision = None;
        if let (Some(now), Some(laid)) = (now, laid.filter(|laid| laid.summary.notice.is_none())) {
            let mut steps = now.steps.clone();
            arrange_steps(&mut steps, &laid, pace, Some(old_length_m));
            // The version of the parcours stays the same, as no user edited it: an editor who has it open can still save.
            revision = Some(parcours::rescore(&tx, &now, steps, &laid, &app.settings.content_languages).await?);
        }
        keep(&lease, tx, asked.source, &name, revision).await
    }
}

async fn keep(lease: &Lease, tx: Tx, source: i64, name: &str, revision: Option<i64>) -> Result<Step, Failure> {
    rows::set_waits(&tx, source, name, revision).await?;
    lease.hold(&tx).await?;
    tx.commit().await?;
    Ok(Step::Again)
}

/// Enqueues the job for the lines of a run that ends.
pub(super) async fn enqueue(app: &App, tx: &Tx, run: &ImportRun) -> Result<(), StoreError> {
    if rows::next_waiting(tx, run.source_id).await?.is_none() {
        return Ok(());
    }
    let job = Enqueue::<MatchLines>::new(Lines { source: run.source_id }).unique(run.source_id);
    job.of_white_label(run.white_label_id).put(tx, app.now()).await.map(|_| ())
}
