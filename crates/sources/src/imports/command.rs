//! A move from Geotrek that is asked for on the command line: the source, the runs and the jobs of the back-office, without a user.

use app::problem::Internal;
use app::source_key::address_faults;
use app::worker::step_only;
use app::{App, audit};
use domain::audit::Who;
use domain::imports::{ForcePublished, ImportKind, ImportMode, ImportNote, ImportSourceSheet};
use domain::record::{Kind, check, clean_changed};
use domain::{Fault, WhiteLabelId};
use jobs::JobKind as _;
use store::StoreError;
use store::imports::{self as rows, ImportLine, ImportRun, ImportSources, LineFilter};
use store::record::{Change, Stored};

use super::matching::MatchLines;
use super::runs::undoable;
use super::work::{RunSource, begin};

/// Seconds after which a server that has not written how it is does not work on jobs.
const SILENT_S: i64 = 60;

/// A move to find or to begin.
#[derive(Debug, Clone, Copy)]
pub struct Move<'a> {
    /// The white-label that it goes to.
    pub white_label: WhiteLabelId,
    /// The address of the Geotrek server.
    pub url: &'a str,
    /// Import points of interest and information desks too, where the source is new.
    pub takes_pois: bool,
    /// Publish what is imported, where the source is new.
    pub publishes: bool,
}

/// Why a move does not begin.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    /// The address cannot be used.
    #[error("the address cannot be used: {0}")]
    Address(String),
    /// Another run of the source works.
    #[error("another run of this source is at work (number {0}): wait for its end, or stop it in the back-office")]
    Running(i64),
    /// There is no import to take back.
    #[error("no import of this source can be taken back: an import can be taken back within 30 days, once")]
    NothingToUndo,
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Another part.
    #[error(transparent)]
    Internal(#[from] Internal),
}

/// The source of a move: the one of this white-label with this address, or a new one where `may_make`.
pub async fn source(
    app: &App,
    asked: Move<'_>,
    may_make: bool,
) -> Result<Option<Stored<ImportSourceSheet>>, MoveError> {
    let plain = |url: &str| url.trim().trim_end_matches('/').to_owned();
    let wanted = plain(asked.url);
    let known = rows::list(app.store.read(), asked.white_label).await?.into_iter().find(|source| {
        source.sheet.kind == ImportKind::Geotrek && source.sheet.url.as_deref().map(plain).as_ref() == Some(&wanted)
    });
    if known.is_some() || !may_make {
        return Ok(known);
    }
    let blank = ImportSourceSheet::default();
    let mut sheet = ImportSourceSheet {
        name: "Geotrek".to_owned(),
        kind: ImportKind::Geotrek,
        url: Some(asked.url.to_owned()),
        takes_pois: asked.takes_pois,
        force_published: if asked.publishes { ForcePublished::Published } else { ForcePublished::Keep },
        ..blank.clone()
    };
    clean_changed(&mut sheet, &blank, &str::to_owned);
    let languages = &app.settings.content_languages;
    let mut faults = check(&sheet, &["url"], languages);
    faults.extend(address_faults(&[("url", sheet.url.as_deref())], &["url"]));
    if sheet.url.is_none() || !faults.is_empty() {
        return Err(MoveError::Address(words_of(&faults)));
    }
    let mut new = Stored::blank(Some(asked.white_label), app.now());
    new.sheet = sheet;
    let tx = app.store.begin().await?;
    let change = Change { by: None, at: app.now(), reason: None, languages };
    let made = store::record::insert::<ImportSources>(&tx, new, change).await?;
    for (action, detail) in audit::saved(None, Some(&made.sheet), audit::SERVICE) {
        audit::done(app, &tx, Who::default(), action, audit::on::<ImportSources>(&made), detail).await?;
    }
    tx.commit().await?;
    Ok(Some(made))
}

fn words_of(faults: &[Fault]) -> String {
    let words: Vec<&str> = faults.iter().map(|fault| fault.code).collect();
    if words.is_empty() { "it must begin with https:// or http://".to_owned() } else { words.join(", ") }
}

/// Asks for a run of a source; returns its number, and whether it is a run of this mode that was stopped before its end and continues.
pub async fn ask(app: &App, source: &Stored<ImportSourceSheet>, mode: ImportMode) -> Result<(i64, bool), MoveError> {
    let db = app.store.read();
    if let Some(open) = rows::open_run(db, Kind::ImportSource, source.id).await? {
        let run = rows::find_run(db, open).await?;
        return if run.is_some_and(|run| run.mode == mode) { Ok((open, true)) } else { Err(MoveError::Running(open)) };
    }
    let mut of_run = None;
    if mode == ImportMode::Undo {
        let white_label = source.white_label_id.unwrap_or_default();
        let page = store::Page::new(1, 200);
        let (runs, _) = rows::runs(db, white_label, Kind::ImportSource, Some(source.id), page).await?;
        let last = runs.iter().find(|run| undoable(run, app.now())).ok_or(MoveError::NothingToUndo)?;
        of_run = Some(last.id);
    }
    let begun = begin(app, source, mode, of_run, None).await?;
    match begun {
        Some(run) => Ok((run, false)),
        None => Err(MoveError::Running(rows::open_run(db, Kind::ImportSource, source.id).await?.unwrap_or_default())),
    }
}

/// Reads a run from the database; none where it was deleted.
pub async fn run(app: &App, id: i64) -> Result<Option<ImportRun>, StoreError> {
    rows::find_run(app.store.read(), id).await
}

/// Whether a server works on the jobs of this database.
pub async fn is_served(app: &App) -> Result<bool, StoreError> {
    let nodes = store::node::list(app.store.read(), app.now().plus_s(-SILENT_S)).await?;
    Ok(nodes.iter().any(|node| node.name != app.jobs().node()))
}

/// Does one turn of the runs that may work now. False when none may.
pub async fn step(app: &App) -> Result<bool, StoreError> {
    step_only(app, RunSource::NAME).await
}

/// Lays one of the imported lines on the network. False when none waits, or this program has no planner.
pub async fn match_one(app: &App) -> Result<bool, StoreError> {
    step_only(app, MatchLines::NAME).await
}

/// A page of the report of a run, from 1; lines with remarks alone where asked for.
pub async fn lines(app: &App, run: i64, with_notes: bool, page: u64) -> Result<(Vec<ImportLine>, i64), StoreError> {
    let filter = LineFilter { with_notes, ..LineFilter::default() };
    rows::lines(app.store.read(), run, &filter, store::Page::new(page, store::MAX_PER_PAGE)).await
}

/// A remark in one line: its code, and what its sentence names.
pub fn remark(note: &ImportNote) -> String {
    let named = note.params.iter().map(|(name, value)| format!("{name}={value}"));
    let field = note.field.iter().map(|field| format!("field={field}"));
    std::iter::once(note.code.clone()).chain(field).chain(named).collect::<Vec<_>>().join(" ")
}
