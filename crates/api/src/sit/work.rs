//! Runs of sources of records: the same row, the same steps and the same worker as those of routes.

use domain::UserId;
use domain::imports::{ImportNote, ImportState};
use domain::record::Kind;
use domain::sit::SitSourceSheet;
use store::imports::{self as runs, ImportRun, NewRun};
use store::record::Stored;
use store::sit::{self as rows, SitSources};

use super::{MODE, steps};
use crate::App;
use crate::imports::prepare::sum_of;
use crate::imports::work::end;
use crate::problem::Internal;

/// Begins the run of a source that is due. False when none is.
pub(crate) async fn due(app: &App) -> Result<bool, Internal> {
    for source in runs::due(app.store.read(), Kind::SitSource, app.now()).await? {
        if let Some(source) = store::record::load::<SitSources>(app.store.read(), source).await? {
            begin(app, &source, None).await?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// Begins a run. None while one of the same source is at work.
pub(super) async fn begin(
    app: &App,
    source: &Stored<SitSourceSheet>,
    asked_by: Option<UserId>,
) -> Result<Option<i64>, Internal> {
    let Some(white_label_id) = source.white_label_id else { return Ok(None) };
    let tx = app.store.begin().await?;
    let recipe = recipe_of(app, &source.sheet);
    let (kind, source_id) = (Kind::SitSource, source.id);
    let new = NewRun { kind, source_id, white_label_id, mode: MODE, of_run: None, asked_by, recipe, since: None };
    let made = runs::start(&tx, &new, app.now()).await?;
    if made.is_some() {
        rows::clear_seen(&tx, source.id).await?;
    }
    tx.commit().await?;
    app.imports.wake();
    Ok(made)
}

/// Checksum of all that decides what is kept of an item: with another one, what did not change is read again.
fn recipe_of(app: &App, sheet: &SitSourceSheet) -> String {
    /// Grows when the same bytes are to give something else.
    const EDITION: u32 = 1;
    let languages = &app.settings.content_languages;
    let parts = serde_json::json!([EDITION, sheet.kind, sheet.url, sheet.values, sheet.columns, languages]);
    sum_of(parts.to_string().as_bytes())
}

/// One step of a run.
pub(crate) async fn turn(app: &App, run: &ImportRun) -> Result<(), Internal> {
    let source = store::record::load::<SitSources>(app.store.read(), run.source_id).await?;
    let Some(source) = source else {
        return end(app, run, ImportState::Failed, Some(ImportNote::new("import/source-gone"))).await;
    };
    match run.phase.as_str() {
        "gone" => steps::gone(app, run, &source).await,
        "over" => end(app, run, ImportState::Done, None).await,
        _ => steps::items(app, run, &source).await,
    }
}
