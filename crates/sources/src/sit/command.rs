//! The tourist contents, events and services of a Geotrek that is moved by the command line: their source and its runs.

use app::App;
use app::source_key::address_faults;
use domain::WhiteLabelId;
use domain::imports::ImportSourceSheet;
use domain::record::{Kind, check, clean_changed};
use domain::sit::{SitKind, SitSourceSheet};
use store::imports as runs;
use store::record::Stored;
use store::sit::{SitSources, list_sources};

use super::fetch::{file_key, geotrek_address};
use super::work::begin;
use crate::imports::command::{MoveError, Origin, inserted, kept, read_from, words_of};
use crate::imports::fetch::count;
use crate::imports::halt::or_note;

/// The lists of a Geotrek that the source of a move reads: its points of interest and information desks come with the treks.
const LISTS: [&str; 3] = ["touristiccontent", "service", "touristicevent"];

/// The source of tourist records of a move: the one of this white-label that is read from the same Geotrek, or a new one where that Geotrek has
/// contents, events or services. From an archive, it is read from this archive from now on. `moved`: the source of the treks.
pub async fn source(
    app: &App,
    white_label: WhiteLabelId,
    from: Origin<'_>,
    moved: &Stored<ImportSourceSheet>,
) -> Result<Option<Stored<SitSourceSheet>>, MoveError> {
    let (mut known, mut unread) = (None, None);
    for source in list_sources(app.store.read(), white_label).await? {
        match or_note(geotrek_address(app, &source).await)? {
            Ok(address) if address.as_ref().is_some_and(|address| from.is_at(address.as_deref())) => {
                known = Some(source);
                break;
            }
            Ok(_) => {}
            Err(note) => unread = Some(MoveError::Unread { source_id: source.id, name: source.sheet.name, note }),
        }
    }
    let known = match (known, unread) {
        (Some(known), _) => known,
        (None, _) if !has_any(app, moved).await? => return Ok(None),
        // It may read the same Geotrek: another source would have each record twice.
        (None, Some(unread)) => return Err(unread),
        (None, None) => made(app, white_label, from).await?,
    };
    match from {
        Origin::Server(_) if known.sheet.url.is_some() => Ok(Some(known)),
        // It was read from an archive before.
        Origin::Server(url) => {
            let set = |sheet: &mut SitSourceSheet| (sheet.url, sheet.file) = (Some(url.to_owned()), None);
            read_from::<SitSources>(app, known.id, set).await.map(Some)
        }
        Origin::Archive { file, name, .. } => {
            let file = kept(app, file, name, |sha256| file_key(known.id, sha256)).await?;
            let set = |sheet: &mut SitSourceSheet| (sheet.url, sheet.file) = (None, Some(file));
            read_from::<SitSources>(app, known.id, set).await.map(Some)
        }
    }
}

/// Whether the Geotrek of a move has contents, events or services; true where it does not answer, so that the run reports why.
async fn has_any(app: &App, moved: &Stored<ImportSourceSheet>) -> Result<bool, MoveError> {
    for list in LISTS {
        match or_note(count(app, moved, list).await)? {
            Ok(count) if count.unwrap_or(0) == 0 => {}
            _ => return Ok(true),
        }
    }
    Ok(false)
}

/// A new source of a move.
async fn made(app: &App, white_label: WhiteLabelId, from: Origin<'_>) -> Result<Stored<SitSourceSheet>, MoveError> {
    let url = match from {
        Origin::Server(url) => Some(url.to_owned()),
        Origin::Archive { .. } => None,
    };
    let is_server = url.is_some();
    let blank = SitSourceSheet::default();
    let mut sheet = SitSourceSheet {
        name: "Geotrek".to_owned(),
        kind: SitKind::Geotrek,
        url,
        selections: Some(LISTS.join(",")),
        ..blank.clone()
    };
    clean_changed(&mut sheet, &blank, &str::to_owned);
    let mut faults = check(&sheet, &["url"], &app.settings.content_languages);
    faults.extend(address_faults(&[("url", sheet.url.as_deref())], &["url"]));
    if (is_server && sheet.url.is_none()) || !faults.is_empty() {
        return Err(MoveError::Address(words_of(&faults)));
    }
    inserted::<SitSources>(app, white_label, sheet).await
}

/// Asks for a run of a source; returns its number, and whether it is a run that was stopped before its end and continues.
pub async fn ask(app: &App, source: &Stored<SitSourceSheet>) -> Result<(i64, bool), MoveError> {
    let db = app.store.read();
    if let Some(open) = runs::open_run(db, Kind::SitSource, source.id).await? {
        return Ok((open, true));
    }
    match begin(app, source, None).await? {
        Some(run) => Ok((run, false)),
        None => Err(MoveError::Running(runs::open_run(db, Kind::SitSource, source.id).await?.unwrap_or_default())),
    }
}
