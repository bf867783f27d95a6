//! Prints a batch by a job, one roadbook a step: batches of several white-labels take turns, and previews and single prints
//! never wait long. What is printed is in the blobs and how far it is in the database: another server goes on where one died.

use app::App;
use app::problem::{AsProblem, Internal};
use app::worker;
use domain::roadbook::{BATCH_DAYS, Batch, BatchItem, BatchState, CLIENT_BATCH_DAYS};
use domain::{DAY_S, ParcoursId};
use jobs::{Failure, JobEvent, JobKind, Lease, Step};
use roadbook::Output;
use serde::{Deserialize, Serialize};
use serde_json::Map;
use store::parcours::Stored;
use store::{StoreError, Tx, roadbook_batch as rows};

use super::super::assemble::{Audience, assemble};
use super::super::client_file::{self, ForClient};
use super::super::pdf::base_name;
use super::super::renderer::print;
use super::super::{RoadbookProblem, settings};
use super::file;

/// Which batch.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Print {
    pub(super) batch: i64,
}

/// Prints the roadbooks of parcours of a batch into one file.
pub struct PrintBatch;

/// Prints the roadbooks of client files of a batch into one file. A kind of its own: a server of an older version would print the
/// parcours' roadbook instead.
pub struct PrintClientFiles;

impl JobKind for PrintBatch {
    type Context = App;
    type Payload = Print;
    const NAME: &'static str = "roadbook_batch";
    const LIMIT: i64 = 16;
    const LIMIT_PER_SERVER: i64 = 1;
    const MAX_ATTEMPTS: i64 = 5;

    async fn run(app: App, lease: Lease, asked: Print) -> Result<Step, Failure> {
        step(app, lease, asked).await
    }

    async fn on_event(app: &App, tx: &Tx, asked: &Print, event: JobEvent) -> Result<(), StoreError> {
        follow(app, tx, asked, event).await
    }
}

impl JobKind for PrintClientFiles {
    type Context = App;
    type Payload = Print;
    const NAME: &'static str = "client_roadbooks";
    const LIMIT: i64 = 16;
    const LIMIT_PER_SERVER: i64 = 1;
    const MAX_ATTEMPTS: i64 = 5;

    async fn run(app: App, lease: Lease, asked: Print) -> Result<Step, Failure> {
        step(app, lease, asked).await
    }

    async fn on_event(app: &App, tx: &Tx, asked: &Print, event: JobEvent) -> Result<(), StoreError> {
        follow(app, tx, asked, event).await
    }
}

/// Prints the next roadbook, or puts all of them into one file.
async fn step(app: App, lease: Lease, asked: Print) -> Result<Step, Failure> {
    let found = rows::find(app.store.read(), asked.batch).await?;
    let Some(batch) = found.filter(|batch| batch.state == BatchState::Running) else { return Ok(Step::Done) };
    if let Some(next) = batch.next() {
        one(&app, &lease, &batch, next).await?;
        Ok(Step::Again)
    } else {
        bind(&app, &lease, &batch).await?;
        Ok(Step::Done)
    }
}

async fn follow(app: &App, tx: &Tx, asked: &Print, event: JobEvent) -> Result<(), StoreError> {
    match event {
        JobEvent::Dead | JobEvent::Cancelled => rows::cancel(tx, asked.batch, app.now()).await.map(|_| ()),
        JobEvent::TriedAgain => rows::resume(tx, asked.batch).await,
    }
}

async fn one(
    app: &App,
    lease: &Lease,
    batch: &Batch,
    (id, client_file): (ParcoursId, Option<i64>),
) -> Result<(), Failure> {
    let stored = store::parcours::load(app.store.read(), id).await?;
    let title = stored.as_ref().map(|stored| stored.sheet.title.clone()).unwrap_or_default();
    let rank = batch.items.len() + 1;
    let item = match printed(app, id, client_file, (stored, rank)).await {
        Ok((name, pdf)) => {
            // In a folder of this run: one that lost its lease meanwhile deletes its own file only.
            let file = format!("{}/{name}", lease.number());
            app.blobs.put(&file::piece(batch.id, &file), pdf).await?;
            BatchItem { id, client_file, title, file: Some(file), code: None, params: Map::new() }
        }
        Err(problem) => {
            let refusal = problem.problem();
            if let Some(failure) = worker::unavailable(&refusal) {
                tracing::warn!(parcours = id.0, error = %problem, "a roadbook of a batch waits");
                return Err(failure);
            }
            if refusal.is_ours() {
                tracing::error!(parcours = id.0, error = %problem, "a roadbook of a batch could not be printed");
            }
            let (code, params) = refusal.reason();
            BatchItem { id, client_file, title, file: None, code: Some(code.to_owned()), params: params.clone() }
        }
    };
    let file = item.file.clone();
    let advanced = advance(app, lease, batch, item).await;
    // After another failure it may be committed nevertheless: nothing that may be in use is deleted.
    if matches!(advanced, Ok(false) | Err(Failure::LeaseLost))
        && let Some(file) = file
    {
        app.blobs.delete(&file::piece(batch.id, &file)).await?;
    }
    advanced.map(|_| ())
}

/// Stores the outcome of the next parcours. False when the batch was stopped meanwhile.
async fn advance(app: &App, lease: &Lease, batch: &Batch, item: BatchItem) -> Result<bool, Failure> {
    let tx = app.store.begin().await?;
    let is_kept = rows::advance(&tx, batch, item).await?;
    // It fails where the lease is lost, as `Lease::hold` does.
    lease.progress_in(&tx, batch.items.len() as i64 + 1, batch.wanted.len() as i64).await?;
    tx.commit_aside().await?;
    Ok(is_kept)
}

/// The PDF of the saved roadbook, for its clients, and the name of its piece. That of a client file is its number: what it is
/// called in the whole file is added there. The number of a parcours leads to its public page: an anonymous roadbook has its rank in
/// the batch instead.
async fn printed(
    app: &App,
    id: ParcoursId,
    client_file: Option<i64>,
    (stored, rank): (Option<Stored>, usize),
) -> Result<(String, Vec<u8>), RoadbookProblem> {
    let db = app.store.read();
    let mut stored = stored.ok_or_else(|| content::parcours::not_found(id))?;
    let mut settings = settings::kept(db, id).await?;
    if let Some(file) = ForClient::of(client_file).find(db, id).await? {
        settings = client_file::applied(&mut stored, settings, &file);
    }
    let assembled = assemble(app, db, &stored, settings, Audience::Clients).await?;
    // With a number: two parcours may have one name. `n` keeps ranks apart from the numbers of parcours.
    let number =
        if assembled.roadbook.anonymous { format!("n{rank}") } else { client_file.unwrap_or(id.0).to_string() };
    let name = format!("{}-{number}.pdf", base_name(&assembled.roadbook));
    Ok((name, print(app, assembled, Output::Pdf).await?.pdf))
}

async fn bind(app: &App, lease: &Lease, batch: &Batch) -> Result<(), Failure> {
    let key = file::key_of_run(batch.id, lease.number());
    let size_bytes = file::bind(app, batch, &key).await?;
    let finished = finish(app, lease, batch, &key, size_bytes).await;
    match finished {
        Ok(true) => file::drop_pieces(app, batch).await?,
        Ok(false) | Err(Failure::LeaseLost) => app.blobs.delete(&key).await?,
        Err(_) => {}
    }
    finished.map(|_| ())
}

async fn finish(app: &App, lease: &Lease, batch: &Batch, key: &str, size_bytes: i64) -> Result<bool, Failure> {
    let tx = app.store.begin().await?;
    let is_kept = rows::finish(&tx, batch, key, size_bytes, app.now()).await?;
    lease.hold(&tx).await?;
    tx.commit_aside().await?;
    Ok(is_kept)
}

/// Prints all that waits: for tests, which end.
pub async fn settle(app: &App) -> Result<(), Internal> {
    app::worker::settle_only(app, PrintBatch::NAME).await?;
    Ok(app::worker::settle_only(app, PrintClientFiles::NAME).await?)
}

/// Forgets the batches that are over their time, with their files.
pub async fn tidy(app: &App) -> Result<(), Internal> {
    let days_ago = |days: i64| app.now().plus_s(-days * DAY_S);
    let (before, of_clients) = (days_ago(BATCH_DAYS), days_ago(CLIENT_BATCH_DAYS));
    for batch in rows::finished_before(app.store.read(), before, of_clients).await? {
        file::drop_all(app, &batch).await?;
        let tx = app.store.begin().await?;
        rows::delete(&tx, batch.id).await?;
        tx.commit_aside().await?;
    }
    Ok(())
}
