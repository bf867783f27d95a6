//! A move from Geotrek that is asked for on the command line: the source, the runs and the jobs of the back-office, without a user.

use std::path::Path;

use app::problem::Internal;
use app::source_key::address_faults;
use app::worker::step_only;
use app::{App, audit};
use content::media::checksum;
use content::parcours::compute::clean_name;
use domain::audit::Who;
use domain::imports::{ForcePublished, ImportFile, ImportKind, ImportMode, ImportNote, ImportSourceSheet};
use domain::record::{Kind, check, clean_changed};
use domain::{Fault, WhiteLabelId};
use jobs::JobKind as _;
use store::StoreError;
use store::imports::{self as rows, ImportLine, ImportRun, ImportSources, LineFilter};
use store::record::{Change, Record, Stored};

use super::fetch::file_key;
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
    /// What it is read from.
    pub from: Origin<'a>,
    /// Import points of interest and information desks too, where the source is new.
    pub takes_pois: bool,
    /// Import signage and infrastructure too, where the source is new.
    pub takes_equipment: bool,
    /// Publish what is imported, where the source is new.
    pub publishes: bool,
}

/// What a move is read from.
#[derive(Debug, Clone, Copy)]
pub enum Origin<'a> {
    /// A Geotrek server, by its address.
    Server(&'a str),
    /// An archive of the lists of its database, and the address of the server where it is known.
    Archive {
        /// The archive.
        file: &'a Path,
        /// What the archive was made from: `geotrek.dump`.
        name: &'a str,
        /// The public address of the Geotrek.
        address: Option<&'a str>,
    },
}

impl Origin<'_> {
    /// The address of the server.
    pub(crate) fn address(&self) -> Option<&str> {
        match self {
            Self::Server(url) => Some(url),
            Self::Archive { address, .. } => *address,
        }
    }

    /// Whether a source is read from the same Geotrek.
    fn is_of(&self, sheet: &ImportSourceSheet) -> bool {
        let own = sheet.url.as_deref().or_else(|| sheet.file.as_ref().and(sheet.host.as_deref()));
        let is_known = sheet.url.is_some() || sheet.file.is_some();
        sheet.kind == ImportKind::Geotrek && is_known && self.is_at(own)
    }

    /// Whether this is the address of the server; none where it is not known.
    pub(crate) fn is_at(&self, address: Option<&str>) -> bool {
        let plain = |url: &str| url.trim().trim_end_matches('/').to_owned();
        address.map(plain) == self.address().map(plain)
    }
}

/// Why a move does not begin.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    /// The address cannot be used.
    #[error("the address cannot be used: {0}")]
    Address(String),
    /// The archive cannot be read.
    #[error("the archive cannot be read: {}", remark(.0))]
    Archive(ImportNote),
    /// The archive cannot be read from the disk.
    #[error("the archive cannot be read: {0}")]
    File(#[from] std::io::Error),
    /// A source of tourist records may read the same Geotrek, and its file does not say.
    #[error(
        "the file of the source of tourist records \"{name}\" (number {source_id}) cannot be read ({}), so that it is not known whether it is of the same Geotrek: upload its file again in the back-office, or delete the source",
        remark(.note)
    )]
    Unread {
        /// Its number.
        source_id: i64,
        name: String,
        /// Why its file cannot be read.
        note: ImportNote,
    },
    /// Another run of the source works.
    #[error("another run of this source is at work (number {0}): wait for its end, or stop it in the back-office")]
    Running(i64),
    /// The source was deleted meanwhile.
    #[error("the source was deleted meanwhile")]
    Gone,
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

/// The source of a move: the one of this white-label that is read from the same Geotrek, or a new one where `may_make`. From an archive, it is
/// read from this archive from now on.
pub async fn source(
    app: &App,
    asked: Move<'_>,
    may_make: bool,
) -> Result<Option<Stored<ImportSourceSheet>>, MoveError> {
    let known = rows::list(app.store.read(), asked.white_label).await?;
    let known = known.into_iter().find(|source| asked.from.is_of(&source.sheet));
    if !may_make {
        return Ok(known);
    }
    if let Some(known) = known {
        return reading(app, known, asked.from).await.map(Some);
    }
    let made = made(app, asked).await?;
    let id = made.id;
    let read = reading(app, made, asked.from).await;
    if read.is_err()
        && let Err(error) = delete_unused(app, id).await
    {
        tracing::warn!(source = id, %error, "the new source of an import that did not begin is not deleted");
    }
    read.map(Some)
}

/// A source that reads from here.
async fn reading(
    app: &App,
    source: Stored<ImportSourceSheet>,
    from: Origin<'_>,
) -> Result<Stored<ImportSourceSheet>, MoveError> {
    match from {
        Origin::Server(_) if source.sheet.url.is_some() => Ok(source),
        // It was read from an archive before.
        Origin::Server(url) => {
            read_from::<ImportSources>(app, source.id, |sheet| {
                (sheet.url, sheet.host, sheet.file) = (Some(url.to_owned()), None, None);
            })
            .await
        }
        Origin::Archive { file, name, address } => {
            let file = kept(app, file, name, |sha256| file_key(source.id, sha256)).await?;
            read_from::<ImportSources>(app, source.id, |sheet| {
                (sheet.url, sheet.host, sheet.file) = (None, address.map(str::to_owned), Some(file));
            })
            .await
        }
    }
}

/// Deletes a source and its file for good, unless it has several runs or one that has not ended.
pub async fn delete_unused(app: &App, id: i64) -> Result<(), MoveError> {
    let tx = app.store.begin().await?;
    let Some(source) = store::record::lock::<ImportSources>(&tx, id).await? else { return Ok(()) };
    let white_label = source.white_label_id.unwrap_or_default();
    let (_, runs) = rows::runs(&tx, white_label, Kind::ImportSource, Some(id), store::Page::new(1, 1)).await?;
    if runs > 1 || rows::open_run(&tx, Kind::ImportSource, id).await?.is_some() {
        return Ok(());
    }
    for (action, detail) in audit::saved(Some(&source.sheet), None, audit::SERVICE) {
        audit::done(app, &tx, Who::default(), action, audit::on::<ImportSources>(&source), detail).await?;
    }
    store::binned::delete_for_good::<ImportSources>(&tx, id).await?;
    tx.commit().await?;
    if let Some(file) = &source.sheet.file {
        app.blobs.delete(&file_key(id, &file.sha256)).await?;
    }
    Ok(())
}

/// Deletes a dry run of the command that has ended, with its report. One that a user asked for in the back-office stays.
pub async fn delete_dry(app: &App, run: i64) -> Result<(), StoreError> {
    let tx = app.store.begin().await?;
    rows::delete_dry(&tx, run).await?;
    tx.commit().await
}

/// Keeps an archive as the file of a source.
pub(crate) async fn kept(
    app: &App,
    file: &Path,
    name: &str,
    key: impl FnOnce(&str) -> String,
) -> Result<ImportFile, MoveError> {
    let at = file.to_owned();
    let looked = tokio::task::spawn_blocking(move || Ok((checksum(&at)?, std::fs::metadata(&at)?.len())));
    let (sha256, bytes) = looked.await.map_err(Internal::new)?.map_err(MoveError::File)?;
    app.blobs.put_file(&key(&sha256), file).await?;
    Ok(ImportFile { name: clean_name(name), bytes, sha256 })
}

/// A new source of a move.
async fn made(app: &App, asked: Move<'_>) -> Result<Stored<ImportSourceSheet>, MoveError> {
    let address = asked.from.address().map(str::to_owned);
    let (url, host) = match asked.from {
        Origin::Server(_) => (address, None),
        Origin::Archive { .. } => (None, address),
    };
    let blank = ImportSourceSheet::default();
    let mut sheet = ImportSourceSheet {
        name: "Geotrek".to_owned(),
        kind: ImportKind::Geotrek,
        url,
        host,
        takes_pois: asked.takes_pois,
        takes_equipment: asked.takes_equipment,
        force_published: if asked.publishes { ForcePublished::Published } else { ForcePublished::Keep },
        ..blank.clone()
    };
    clean_changed(&mut sheet, &blank, &str::to_owned);
    let languages = &app.settings.content_languages;
    let mut faults = check(&sheet, &["url", "host"], languages);
    let addresses = [("url", sheet.url.as_deref()), ("host", sheet.host.as_deref())];
    faults.extend(address_faults(&addresses, &["url", "host"]));
    let is_lost = asked.from.address().is_some() && sheet.url.is_none() && sheet.host.is_none();
    if is_lost || !faults.is_empty() {
        return Err(MoveError::Address(words_of(&faults)));
    }
    inserted::<ImportSources>(app, asked.white_label, sheet).await
}

/// Makes a source.
pub(crate) async fn inserted<R: Record>(
    app: &App,
    white_label: WhiteLabelId,
    sheet: R::Sheet,
) -> Result<Stored<R::Sheet>, MoveError> {
    let mut new = Stored::blank(Some(white_label), app.now());
    new.sheet = sheet;
    let tx = app.store.begin().await?;
    let change = Change { by: None, at: app.now(), reason: None, languages: &app.settings.content_languages };
    let made = store::record::insert::<R>(&tx, new, change).await?;
    for (action, detail) in audit::saved(None, Some(&made.sheet), audit::SERVICE) {
        audit::done(app, &tx, Who::default(), action, audit::on::<R>(&made), detail).await?;
    }
    tx.commit().await?;
    Ok(made)
}

/// Reads a source from elsewhere from now on: not while a run reads it, which would continue with other items.
pub(crate) async fn read_from<R: Record>(
    app: &App,
    source: i64,
    set: impl FnOnce(&mut R::Sheet),
) -> Result<Stored<R::Sheet>, MoveError> {
    let tx = app.store.begin().await?;
    let Some(before) = store::record::lock::<R>(&tx, source).await? else {
        return Err(MoveError::Gone);
    };
    let mut after = before.clone();
    set(&mut after.sheet);
    if after.sheet == before.sheet {
        return Ok(before);
    }
    if let Some(open) = rows::open_run(&tx, R::KIND, source).await? {
        return Err(MoveError::Running(open));
    }
    let change = Change { by: None, at: app.now(), reason: None, languages: &app.settings.content_languages };
    let saved = store::record::save::<R>(&tx, &before, after, change).await?;
    for (action, detail) in audit::saved(Some(&before.sheet), Some(&saved.sheet), audit::SERVICE) {
        audit::done(app, &tx, Who::default(), action, audit::on::<R>(&saved), detail).await?;
    }
    tx.commit().await?;
    Ok(saved)
}

pub(crate) fn words_of(faults: &[Fault]) -> String {
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
