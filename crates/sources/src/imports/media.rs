//! The pictures of imported items: each address is fetched once; its media stays here.

use std::sync::Arc;

use app::App;
use app::problem::{AsProblem, Internal};
use connect::http::Fetched;
use content::media::{MediaError, take_bytes};
use domain::imports::{ImportMode, ImportNote, ImportOutcome, ImportSourceSheet};
use domain::media::{MediaFile, MediaSheet};
use domain::parcours::Sheet;
use domain::record::Kind;
use domain::{Text, UserId, WhiteLabelId};
use feeds::incoming::UNKNOWN_ADDRESS;
use jobs::{Failure, Lease};
use store::imports::{self as rows, ImportLine, ImportRun, WantedMedia};
use store::media::Medias;
use store::parcours::{self, Change};
use store::record::Stored;
use store::{Connection, StoreError};

use super::fetch::Access;
use super::prepare::{note_of_fetch, sum_of};
use super::work::{ImportCache, author, commit, finish, on};
use super::{beside, fetch, inventory, pois};

/// Fetches the pictures of one item per step; after the last item come the POIs, where the source has some, or the run is done.
pub(super) async fn step(
    app: &App,
    lease: &Lease,
    run: &ImportRun,
    source: &Stored<ImportSourceSheet>,
) -> Result<(), Failure> {
    if run.mode == ImportMode::Dry {
        return inventory::count_lists(app, lease, run, source).await;
    }
    let Some(line) = rows::next_with_media(app.store.read(), run.id, run.at).await? else {
        super::steps::link(app, lease, run, source).await?;
        if !pois::takes_pois(&source.sheet) {
            return finish(app, lease, run).await;
        }
        return on(app, lease, run.clone(), pois::first_phase(&source.sheet), "").await;
    };
    let by = author(run, source);
    let (mut notes, mut left) = (Vec::new(), Vec::new());
    let mut ids = Vec::new();
    let item = rows::item(app.store.read(), run.source_id, &line.item).await?;
    let access = fetch::access(app, source).await?;
    for wanted in item.iter().flat_map(|item| &item.media) {
        match one(app, lease, run.white_label_id, by, wanted, access.clone()).await? {
            Ok(id) if !ids.contains(&id) => ids.push(id),
            Ok(_) => {}
            Err(note) if note.code == HOST_SILENT => left.push(note),
            Err(note) => notes.push(note.with("url", wanted.url.chars().take(200).collect::<String>()).on("media_ids")),
        }
    }
    let mut run = run.clone();
    run.at = line.id;
    let tx = app.store.begin().await?;
    if let Some(item) = item {
        show(app, &tx, &run, item, (&PICTURES, ids), by).await?;
    }
    if notes.iter().chain(&left).any(is_passing) {
        rows::mark_unread(&tx, run.source_id, &line.item).await?;
    }
    if !notes.is_empty() {
        rows::add_notes(&tx, line.id, line.notes.iter().cloned().chain(notes)).await?;
    }
    // Once for each host, not for each picture.
    let remark = |note: ImportNote| {
        let host = note.params.get("host").cloned().unwrap_or_default();
        ImportLine::new(&host, &host, ImportOutcome::Kept, vec![note])
    };
    beside::add_once(&tx, &mut run, left.into_iter().map(remark).collect()).await?;
    commit(lease, tx, &run).await.map(|_| ())
}

/// The code of a picture whose host did not answer for several others.
const HOST_SILENT: &str = "import/host-silent";

/// Whether a picture that could not be fetched may come with the next run.
pub(crate) fn is_passing(note: &ImportNote) -> bool {
    matches!(
        note.code.as_str(),
        "fetch/timed-out"
            | "fetch/unreachable"
            | "fetch/too-many-requests"
            | "fetch/status"
            | "fetch/not-http"
            | "fetch/broken"
            | HOST_SILENT
    )
}

/// A list of a parcours that an import fills.
pub(super) struct List {
    pub name: &'static str,
    /// What it is a list of.
    pub kind: Kind,
    pub of: fn(&mut Sheet) -> &mut Vec<i64>,
}

impl List {
    /// What is remembered of the numbers that an import wrote: `ids 12,15`.
    fn written(ids: &[i64]) -> String {
        format!("ids {}", ids.iter().map(i64::to_string).collect::<Vec<_>>().join(","))
    }

    /// What earlier versions remembered of them: a checksum.
    fn sum(ids: &[i64]) -> String {
        sum_of(format!("{ids:?}").as_bytes())
    }

    /// Whether the last import already filled the list of the item's parcours with these numbers.
    pub fn holds(&self, item: &rows::ImportItem, ids: &[i64]) -> bool {
        let was = |applied: &String| *applied == Self::written(ids) || *applied == Self::sum(ids);
        item.applied.get(self.name).map_or(ids.is_empty(), was)
    }

    /// Whether a list is as the last import left it, apart from records that were deleted since. Otherwise a person changed it, and the
    /// import does not replace it.
    async fn is_ours(&self, db: &impl Connection, item: &rows::ImportItem, stands: &[i64]) -> Result<bool, StoreError> {
        let Some(applied) = item.applied.get(self.name) else { return Ok(stands.is_empty()) };
        let Some(written) = applied.strip_prefix("ids ") else { return Ok(*applied == Self::sum(stands)) };
        let written: Vec<i64> = written.split(',').filter_map(|id| id.parse().ok()).collect();
        let (left, gone): (Vec<i64>, Vec<i64>) = written.iter().partition(|id| stands.contains(id));
        Ok(left == stands && (gone.is_empty() || store::uses::titles(db, self.kind, &gone).await?.is_empty()))
    }
}

const PICTURES: List = List { name: "media_ids", kind: Kind::Media, of: |sheet| &mut sheet.media_ids };

/// Fills a list of the item's parcours with these numbers, unless an editor changed this list.
pub(super) async fn show(
    app: &App,
    tx: &store::Tx,
    run: &ImportRun,
    mut item: rows::ImportItem,
    (list, ids): (&List, Vec<i64>),
    by: Option<UserId>,
) -> Result<(), Internal> {
    let Some(id) = item.parcours_id else { return Ok(()) };
    let Some(before) = parcours::lock(tx, id).await? else { return Ok(()) };
    let mut after = before.clone();
    let stands = (list.of)(&mut after.sheet);
    if ids == *stands || !list.is_ours(tx, &item, stands).await? {
        return Ok(());
    }
    item.applied.insert(list.name.to_owned(), List::written(&ids));
    *stands = ids;
    let change = Change { by, at: app.now(), reason: Some("import"), languages: &app.settings.content_languages };
    parcours::save(tx, &before, after, None, change).await?;
    rows::put_item(tx, run.source_id, &item).await?;
    Ok(())
}

/// The media of a picture: the one that was fetched from this address before, or a new one.
pub(crate) async fn one(
    app: &App,
    lease: &Lease,
    white_label: WhiteLabelId,
    by: Option<UserId>,
    wanted: &WantedMedia,
    access: Option<Access>,
) -> Result<Result<i64, ImportNote>, Failure> {
    let url = &wanted.url;
    if let Some(id) = known(app, white_label, url).await? {
        return Ok(Ok(id));
    }
    if url.starts_with(UNKNOWN_ADDRESS) {
        return Ok(Err(ImportNote::new("import/original-missing")));
    }
    let (cache, host) = (app.shared::<ImportCache>(), fetch::origin(url));
    if cache.is_silent(lease.job(), &host) {
        return Ok(Err(ImportNote::new(HOST_SILENT).with("host", host)));
    }
    let (fetcher, asked, max_bytes) = (Arc::clone(&app.fetcher), url.clone(), app.settings.media.max_bytes());
    let got = tokio::task::spawn_blocking(move || fetch::file(&fetcher, access.as_ref(), &asked, max_bytes));
    let got = got.await.map_err(Internal::new)?;
    let is_silent = got.as_ref().is_err_and(|error| matches!(error.code(), "fetch/unreachable" | "fetch/timed-out"));
    cache.answered(lease.job(), &host, !is_silent);
    let bytes = match got {
        Ok(Fetched::New { bytes, .. }) => bytes,
        Ok(Fetched::Same) => return Ok(Err(ImportNote::new("fetch/not-found"))),
        Err(error) => return Ok(Err(note_of_fetch(&error))),
    };
    let file = match take_bytes(app, &bytes).await {
        Ok(file) => file,
        // A bucket that is away is not the fault of the picture: the step is tried again.
        Err(failed) if failed.problem().is_ours() => return Err(failed.into()),
        Err(refused) => return Ok(Err(refused_as(&refused))),
    };
    Ok(Ok(keep(app, Some(lease), white_label, by, wanted, file).await?))
}

/// The media that was made of the file at an address before.
pub(super) async fn known(app: &App, white_label: WhiteLabelId, url: &str) -> Result<Option<i64>, StoreError> {
    Ok(rows::media_of(app.store.read(), white_label, &[url.to_owned()]).await?.remove(url))
}

/// Makes a media of a file that was taken.
pub(super) async fn keep(
    app: &App,
    lease: Option<&Lease>,
    white_label: WhiteLabelId,
    by: Option<UserId>,
    wanted: &WantedMedia,
    file: MediaFile,
) -> Result<i64, Failure> {
    let url = &wanted.url;
    let name = url.split(['?', '#']).next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
    let sheet = MediaSheet {
        file_name: name.chars().take(200).collect(),
        file,
        legend: text_of(app, &wanted.legend, 2_000),
        alt: text_of(app, &wanted.alt, 1_000),
        copyright: line_of(wanted.author.as_deref(), 300),
        licence: line_of(wanted.licence.as_deref(), 200),
        ..MediaSheet::default()
    };
    let tx = app.store.begin().await?;
    let mut new = Stored::blank(Some(white_label), app.now());
    new.sheet = sheet;
    let change = Change { by, at: app.now(), reason: Some("import"), languages: &app.settings.content_languages };
    let made = store::record::insert::<Medias>(&tx, new, change).await?;
    rows::put_media(&tx, white_label, url, made.id).await?;
    if let Some(lease) = lease {
        lease.hold(&tx).await?;
    }
    tx.commit().await?;
    Ok(made.id)
}

/// A line of a feed, cut at `max_chars`.
fn line_of(words: Option<&str>, max_chars: usize) -> Option<String> {
    let words: String = words?.trim().chars().take(max_chars).collect();
    Some(words).filter(|words| !words.is_empty())
}

/// A text of a feed in the content languages of this server, cut at `max_chars`. A media with another language could not be saved.
fn text_of(app: &App, text: &Text, max_chars: usize) -> Text {
    let ours = text.iter().filter(|(language, _)| app.settings.content_languages.iter().any(|own| own == language));
    ours.map(|(language, words)| (language.to_owned(), words.trim().chars().take(max_chars).collect::<String>()))
        .collect()
}

/// Why a picture is not taken, in the words of the media library.
pub(super) fn refused_as(refused: &MediaError) -> ImportNote {
    let problem = serde_json::to_value(refused.problem()).unwrap_or_default();
    // The first fault of a refused file gives the reason.
    let fault = problem.pointer("/errors/0").unwrap_or(&problem);
    let note = ImportNote::new(fault["code"].as_str().unwrap_or("media/broken"));
    let params = fault["params"].as_object().cloned().unwrap_or_default();
    params.iter().fold(note, |note, (name, value)| {
        note.with(name, value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    })
}
