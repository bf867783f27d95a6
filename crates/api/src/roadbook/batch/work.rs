//! The worker: one roadbook after the other, so that previews and single prints never wait long. What is printed lies in the
//! blobs and how far it is in the database: a server that was killed goes on where it was.

use std::time::Duration;

use domain::ParcoursId;
use domain::roadbook::{BATCH_DAYS, Batch, BatchItem};
use roadbook::Output;
use serde_json::Map;
use store::parcours::Stored;
use store::roadbook_batch as rows;

use super::super::assemble::{Audience, assemble};
use super::super::press::print;
use super::super::{RoadbookProblem, settings};
use super::file;
use crate::App;
use crate::problem::{AsProblem, Internal};
use crate::share::slug;
use crate::worker::{self, Bell, Worker};

/// How long the worker waits to be asked before it looks by itself: another server may have taken a batch and died.
const UNASKED: Duration = Duration::from_secs(600);

/// What the printing of many keeps in the application.
#[derive(Debug, Default)]
pub struct BatchRoom {
    bell: Bell,
}

impl BatchRoom {
    /// There is something to print.
    pub(super) fn wake(&self) {
        self.bell.ring();
    }
}

struct Batches;

impl Worker for Batches {
    const FAILURE: &'static str = "roadbooks could not be printed";

    fn bell(app: &App) -> &Bell {
        &app.batches.bell
    }

    fn patience(_: &App) -> Duration {
        UNASKED
    }

    async fn step(app: &App) -> Result<bool, Internal> {
        step(app).await
    }
}

/// Starts the printing; it ends with the runtime.
pub fn start(app: App) {
    worker::start::<Batches>(app);
}

/// Prints all that waits: for tests, which end.
pub async fn settle(app: &App) -> Result<(), Internal> {
    worker::settle::<Batches>(app).await
}

/// The next roadbook of the oldest batch, or its file. False when nothing waits.
async fn step(app: &App) -> Result<bool, Internal> {
    if app.press.is_none() {
        return Ok(false);
    }
    let Some(batch) = rows::next(app.store.read()).await? else { return Ok(false) };
    match batch.next() {
        Some(id) => one(app, &batch, id).await?,
        None => bind(app, &batch).await?,
    }
    Ok(true)
}

async fn one(app: &App, batch: &Batch, id: ParcoursId) -> Result<(), Internal> {
    let stored = store::parcours::load(app.store.read(), id).await?;
    let title = stored.as_ref().map(|stored| stored.sheet.title.clone()).unwrap_or_default();
    let item = match printed(app, id, stored).await {
        Ok((name, pdf)) => {
            app.blobs.put(&file::piece(batch.id, &name), pdf).await?;
            BatchItem { id, title, file: Some(name), code: None, params: Map::new() }
        }
        Err(problem) => {
            let told = problem.problem();
            if told.is_ours() {
                tracing::error!(parcours = id.0, error = %problem, "a roadbook of a batch could not be printed");
            }
            let (code, params) = told.reason();
            BatchItem { id, title, file: None, code: Some(code.to_owned()), params: params.clone() }
        }
    };
    let tx = app.store.begin().await?;
    let file = item.file.clone();
    let is_kept = rows::advance(&tx, batch, item).await?;
    tx.commit_aside().await?;
    if let Some(name) = file.filter(|_| !is_kept) {
        app.blobs.delete(&file::piece(batch.id, &name)).await?;
    }
    Ok(())
}

/// The PDF as it is saved, for its clients, and its name in the file.
async fn printed(app: &App, id: ParcoursId, stored: Option<Stored>) -> Result<(String, Vec<u8>), RoadbookProblem> {
    let db = app.store.read();
    let stored = stored.ok_or(crate::parcours::ParcoursError::NotFound { id })?;
    let settings = settings::kept(db, id).await?;
    let assembled = assemble(app, db, &stored, settings, Audience::Clients).await?;
    let pdf = print(app, assembled, Output::Pdf).await?.pdf;
    let first = app.settings.content_languages.first().map_or("fr", String::as_str);
    // With its number: two parcours may have one name.
    Ok((format!("carnet-{}-{id}.pdf", slug(stored.sheet.title.best(first))), pdf))
}

async fn bind(app: &App, batch: &Batch) -> Result<(), Internal> {
    let size_bytes = file::bind(app, batch).await?;
    let tx = app.store.begin().await?;
    let is_kept = rows::finish(&tx, batch, size_bytes, app.now()).await?;
    tx.commit_aside().await?;
    if is_kept {
        file::drop_pieces(app, batch).await?;
    } else {
        file::drop_all(app, batch).await?;
    }
    Ok(())
}

/// Forgets the batches that are over their time, with their files.
pub async fn tidy(app: &App) -> Result<(), Internal> {
    let before = app.now().plus_s(-BATCH_DAYS * 86_400);
    for batch in rows::finished_before(app.store.read(), before).await? {
        file::drop_all(app, &batch).await?;
        let tx = app.store.begin().await?;
        rows::delete(&tx, batch.id).await?;
        tx.commit_aside().await?;
    }
    Ok(())
}
