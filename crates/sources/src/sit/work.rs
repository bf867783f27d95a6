//! Runs of sources of records: the same row, the same steps and the same job as those of routes.

use app::App;
use app::problem::Internal;
use domain::UserId;
use domain::imports::ImportNote;
use domain::record::Kind;
use domain::sit::{SitKind, SitSourceSheet};
use jobs::{Failure, Lease};
use store::Tx;
use store::imports::{self as runs, ImportRun, NewRun};
use store::record::Stored;
use store::sit::{self as rows, SitSources};

use super::{MODE, steps};
use crate::imports::prepare::sum_of;
use crate::imports::work::{enqueue, enqueue_refresh, fail, finish};

/// Begins a run. None while one of the same source is at work.
pub(super) async fn begin(
    app: &App,
    source: &Stored<SitSourceSheet>,
    asked_by: Option<UserId>,
) -> Result<Option<i64>, Internal> {
    let tx = app.store.begin().await?;
    let made = begin_in(app, &tx, source, asked_by).await?;
    if made.is_some() {
        enqueue_refresh(app, &tx, source.into()).await?;
    }
    tx.commit().await?;
    Ok(made)
}

/// Begins a run in a transaction.
pub(crate) async fn begin_in(
    app: &App,
    tx: &Tx,
    source: &Stored<SitSourceSheet>,
    asked_by: Option<UserId>,
) -> Result<Option<i64>, Internal> {
    let Some(white_label_id) = source.white_label_id else { return Ok(None) };
    // Locked, so that of two requests at once one begins a run.
    store::record::lock::<SitSources>(tx, source.id).await?;
    let recipe = recipe_of(app, &source.sheet);
    let (kind, source_id) = (Kind::SitSource, source.id);
    let new = NewRun { kind, source_id, white_label_id, mode: MODE, of_run: None, asked_by, recipe, since: None };
    let Some(id) = runs::start(tx, &new, app.now()).await? else { return Ok(None) };
    rows::clear_seen(tx, source.id).await?;
    enqueue(app, tx, id, white_label_id, asked_by).await?;
    Ok(Some(id))
}

/// Checksum of all that decides how an item is stored: when it differs, unchanged items are read again.
fn recipe_of(app: &App, sheet: &SitSourceSheet) -> String {
    // Grows when the same bytes are to give something else.
    let edition = match sheet.kind {
        SitKind::Apidae => 1,
        SitKind::Datatourisme | SitKind::Geotrek | SitKind::Tourinsoft | SitKind::Cirkwi | SitKind::Lei => 2,
    };
    let languages = &app.settings.content_languages;
    let parts = serde_json::json!([edition, sheet.kind, sheet.url, sheet.values, sheet.columns, languages]);
    sum_of(parts.to_string().as_bytes())
}

/// One step of a run.
pub(crate) async fn one_step(app: &App, lease: &Lease, run: &ImportRun) -> Result<(), Failure> {
    let source = store::record::load::<SitSources>(app.store.read(), run.source_id).await?;
    let Some(source) = source else {
        return fail(app, lease, run, ImportNote::new("import/source-gone")).await;
    };
    match run.phase.as_str() {
        "gone" => steps::gone(app, lease, run, &source).await,
        // A run that an earlier version left there.
        "over" => finish(app, lease, run).await,
        _ => steps::items(app, lease, run, &source).await,
    }
}
