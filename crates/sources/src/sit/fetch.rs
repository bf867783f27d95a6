//! The data of a source: fetched into a file through the guarded client, or read from the uploaded file.

use std::fs::File;
use std::io::{BufReader, Read as _};
use std::sync::{Arc, Mutex, PoisonError};

use app::problem::Internal;
use app::{App, source_key};
use connect::http::{Ask, Fetched, Validators};
use content::media::Scratch;
use domain::imports::ImportNote;
use domain::sit::{SitKind, SitSourceSheet};
use feeds::incoming::sit::{Bytes, GEOTREK_LISTS, SitPackage, geotrek_kinds_of};
use feeds::incoming::{GeotrekArchive, Refused};
use store::imports::{self as runs, ImportRun};
use store::record::Stored;
use store::sealed::SealedColumn;
use store::sit as rows;

use super::pages::{geotrek_page, next, question};
use crate::imports::fetch::{MAX_NAMES, MAX_PAGES, fetched, geotrek};
use crate::imports::halt::{Halt, or_note};
use crate::imports::prepare::{note_of, note_of_fetch, sum_of};

/// The most bytes of one answer of a source. It is written to a file: only one object at a time is in memory.
pub(super) const MAX_BYTES: u64 = 500 * 1024 * 1024;

/// The refusal of a file that is no archive of a Geotrek.
const NO_ARCHIVE: &str = "import/no-geotrek-archive";
/// What an archive begins with.
const ZIP: &[u8] = b"PK\x03\x04";
/// A page of a list of a Geotrek without items.
const NO_ITEMS: &[u8] = br#"{"results": []}"#;

/// A page, taken apart, kept while the run works on it.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) run: i64,
    pub(crate) page: String,
    pub(super) sum: String,
    pub(super) package: Arc<SitPackage>,
    pub(super) validators: Validators,
    /// Where the page after it is.
    pub(super) next: Option<String>,
    /// Its file, deleted with the page.
    _file: Option<Scratch>,
}

/// An archive of the lists of a Geotrek, which the command makes of its database.
#[derive(Debug)]
pub(super) struct OpenArchive {
    run: i64,
    archive: Mutex<GeotrekArchive<BufReader<File>>>,
    /// Its file, deleted with it.
    _file: Scratch,
}

impl OpenArchive {
    /// A page of a list; an empty one of a list that it does not have.
    fn page(&self, list: &str, page: usize) -> Result<Vec<u8>, Refused> {
        let found = self.archive.lock().unwrap_or_else(PoisonError::into_inner).page(list, page)?;
        Ok(found.unwrap_or_else(|| NO_ITEMS.to_vec()))
    }
}

/// What this server keeps in memory for the runs it works on. It is only a cache: another server, or this one after a restart, fetches
/// the page again.
#[derive(Debug, Default)]
pub(crate) struct SitCache {
    page: Mutex<Option<Arc<Held>>>,
    archive: Mutex<Option<Arc<OpenArchive>>>,
}

impl SitCache {
    /// The page that the last step worked on, already parsed.
    pub(super) fn held(&self) -> Option<Arc<Held>> {
        self.page.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn hold(&self, held: Option<Arc<Held>>) {
        *self.page.lock().unwrap_or_else(PoisonError::into_inner) = held;
    }

    fn archive(&self) -> Option<Arc<OpenArchive>> {
        self.archive.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn hold_archive(&self, archive: Option<Arc<OpenArchive>>) {
        *self.archive.lock().unwrap_or_else(PoisonError::into_inner) = archive;
    }

    /// Whether the page that a run is at is in memory.
    pub(crate) fn has_page_of(&self, run: &ImportRun) -> bool {
        self.held().is_some_and(|held| held.run == run.id && held.page == run.page)
    }

    /// Drops what is in memory for a run.
    pub(crate) fn forget(&self, run: i64) {
        self.page.lock().unwrap_or_else(PoisonError::into_inner).take_if(|held| held.run == run);
        self.archive.lock().unwrap_or_else(PoisonError::into_inner).take_if(|held| held.run == run);
    }
}

/// The content of the page of a run.
pub(super) enum At {
    Page(Arc<Held>),
    /// Nothing changed since the last run, with the validators that show it.
    Same(Validators),
}

/// The key of an uploaded file's bytes.
pub(super) fn file_key(source: i64, sha256: &str) -> String {
    format!("sit/{source}/{sha256}")
}

/// The present page of a run, from memory or fetched.
pub(super) async fn page(app: &App, run: &ImportRun, source: &Stored<SitSourceSheet>) -> Result<At, Halt> {
    if let Some(held) = app.shared::<SitCache>().held().filter(|held| held.run == run.id && held.page == run.page) {
        return Ok(At::Page(held));
    }
    // The cached page is dropped before the next one comes: of two large pages only one is in memory.
    app.shared::<SitCache>().hold(None);
    let (column, url) = (SealedColumn::SitCredential, source.sheet.url.as_deref());
    let key = source_key::opened(app, app.store.read(), column, source.id, url).await??;
    let archive = open_archive(app, run, source).await?;
    let known = if run.page.is_empty() { known_since(app, run).await? } else { Validators::default() };
    let got = match &archive {
        Some(archive) => Some(of_archive(archive, geotrek_page(&source.sheet, &run.page)).await?),
        None => bytes(app, run, source, key.as_deref(), &known).await?,
    };
    let Some((bytes, file, validators)) = got else { return Ok(At::Same(known)) };
    let kind = source.sheet.kind;
    let opened = tokio::task::spawn_blocking(move || SitPackage::open(kind, bytes));
    let mut package = opened.await.map_err(Internal::new)?.map_err(|refused| note_of(&refused))?;
    name_kinds(app, &source.sheet, archive.as_deref(), &run.page, &mut package).await?;
    let has_pages = source.sheet.url.is_some() || archive.is_some();
    // The same items in the same order: a run goes on in it where it was.
    let ids: String = (0..package.len()).map(|index| format!("{}\n", package.id(index))).collect();
    let held = Arc::new(Held {
        run: run.id,
        page: run.page.clone(),
        sum: sum_of(ids.as_bytes()),
        next: next(&source.sheet, key.as_deref(), &run.page, &package).filter(|_| has_pages),
        package: Arc::new(package),
        validators,
        _file: file,
    });
    app.shared::<SitCache>().hold(Some(Arc::clone(&held)));
    Ok(At::Page(held))
}

/// Geotrek has the names of some kinds in separate lists. Without them records are imported with the numbers of their kinds.
async fn name_kinds(
    app: &App,
    sheet: &SitSourceSheet,
    archive: Option<&OpenArchive>,
    page: &str,
    package: &mut SitPackage,
) -> Result<(), Internal> {
    if sheet.kind != SitKind::Geotrek || package.is_empty() {
        return Ok(());
    }
    let Some(list) = geotrek_kinds_of(geotrek_page(sheet, page).0) else { return Ok(()) };
    let mut known = 0;
    for number in 1..=MAX_PAGES {
        let named = match (archive, sheet.url.as_deref()) {
            (Some(archive), _) => archive.page(list, number).ok(),
            (None, Some(url)) => {
                let asked = geotrek(url, list, &format!("page={number}&page_size=1000"));
                match or_note(fetched(app, &asked, None, Validators::default()).await)? {
                    Ok(Fetched::New { bytes, .. }) => Some(bytes),
                    _ => None,
                }
            }
            (None, None) => None,
        };
        let Some(bytes) = named else { break };
        let (count, next) = match package.name_kinds(&bytes) {
            Ok(read) => read,
            Err(refused) => {
                tracing::info!(list, code = refused.code, "a list could not be read");
                break;
            }
        };
        // A server that answers every question with the same page has no more pages.
        if next.is_none() || count == known || count > MAX_NAMES {
            break;
        }
        known = count;
    }
    Ok(())
}

/// The archive of a source that is read from the database of a Geotrek; none of any other source. Kept open while its run works.
async fn open_archive(
    app: &App,
    run: &ImportRun,
    source: &Stored<SitSourceSheet>,
) -> Result<Option<Arc<OpenArchive>>, Halt> {
    if let Some(held) = app.shared::<SitCache>().archive().filter(|held| held.run == run.id) {
        return Ok(Some(held));
    }
    let Some(Uploaded::Archive(read)) = uploaded(app, source).await? else { return Ok(None) };
    let (file, archive) = *read;
    let held = Arc::new(OpenArchive { run: run.id, archive: Mutex::new(archive), _file: file });
    app.shared::<SitCache>().hold_archive(Some(Arc::clone(&held)));
    Ok(Some(held))
}

/// What the file of a Geotrek is.
enum Uploaded {
    /// An archive of its lists, and its file.
    Archive(Box<(Scratch, GeotrekArchive<BufReader<File>>)>),
    /// No such archive: JSON, which is read as a page, or a ZIP of something else or that is damaged.
    Other { is_zip: bool },
}

/// Opens the file of a source. None where it has an address, or is of no Geotrek.
async fn uploaded(app: &App, source: &Stored<SitSourceSheet>) -> Result<Option<Uploaded>, Halt> {
    let SitSourceSheet { kind: SitKind::Geotrek, url: None, file: Some(file), .. } = &source.sheet else {
        return Ok(None);
    };
    let scratch = Scratch::new(app)?;
    if !app.blobs.get_file(&file_key(source.id, &file.sha256), &scratch.0).await? {
        return Err(ImportNote::new("import/nothing-to-read").into());
    }
    let read = tokio::task::spawn_blocking(move || -> Result<Uploaded, Halt> {
        let open = || File::open(&scratch.0).map_err(Internal::new);
        match GeotrekArchive::read(BufReader::new(open()?)) {
            Ok(archive) => Ok(Uploaded::Archive(Box::new((scratch, archive)))),
            Err(refused) if refused.code == NO_ARCHIVE => {
                let mut head = Vec::new();
                open()?.take(ZIP.len() as u64).read_to_end(&mut head).map_err(Internal::new)?;
                Ok(Uploaded::Other { is_zip: head == ZIP })
            }
            Err(refused) => Err(note_of(&refused).into()),
        }
    });
    read.await.map_err(Internal::new)?.map(Some)
}

/// The address of the Geotrek that a source reads: its own, or the one in its archive. The outer `None`: it reads no Geotrek, or a page of JSON, which
/// does not say of which server it is.
///
/// # Errors
/// A note, where its file is missing or cannot be read.
pub(super) async fn geotrek_address(
    app: &App,
    source: &Stored<SitSourceSheet>,
) -> Result<Option<Option<String>>, Halt> {
    if source.sheet.kind != SitKind::Geotrek {
        return Ok(None);
    }
    if let Some(url) = &source.sheet.url {
        return Ok(Some(Some(url.clone())));
    }
    match uploaded(app, source).await? {
        Some(Uploaded::Archive(read)) => Ok(Some(read.1.address().map(str::to_owned))),
        Some(Uploaded::Other { is_zip: true }) => Err(ImportNote::new(NO_ARCHIVE).into()),
        Some(Uploaded::Other { is_zip: false }) | None => Ok(None),
    }
}

/// The bytes of a page, the file that they are in, and their validators.
type Got = (Bytes, Option<Scratch>, Validators);

/// A page of an archive.
async fn of_archive(archive: &Arc<OpenArchive>, (list, page): (&str, usize)) -> Result<Got, Halt> {
    let (archive, list) = (Arc::clone(archive), list.to_owned());
    let read = tokio::task::spawn_blocking(move || archive.page(&list, page));
    let bytes = read.await.map_err(Internal::new)?.map_err(|refused| note_of(&refused))?;
    Ok((Bytes::Memory(bytes), None, Validators::default()))
}

/// The page of a run. None where it did not change since `known`.
async fn bytes(
    app: &App,
    run: &ImportRun,
    source: &Stored<SitSourceSheet>,
    key: Option<&str>,
    known: &Validators,
) -> Result<Option<Got>, Halt> {
    if source.sheet.url.is_none() {
        let nothing = || ImportNote::new("import/nothing-to-read");
        let file = source.sheet.file.as_ref().ok_or_else(nothing)?;
        let scratch = Scratch::new(app)?;
        if !app.blobs.get_file(&file_key(source.id, &file.sha256), &scratch.0).await? {
            return Err(nothing().into());
        }
        return Ok(Some((opened(&scratch)?, Some(scratch), Validators::default())));
    }
    let asked = question(&source.sheet, key, &run.page)?;
    let has_key = key.is_some();
    let (fetcher, scratch, known) = (Arc::clone(&app.fetcher), Scratch::new(app)?, known.clone());
    let got = tokio::task::spawn_blocking(move || {
        let into = Some(scratch.0.as_path());
        let ask = Ask { url: &asked.url, known: &known, headers: &asked.headers, has_key, max_bytes: MAX_BYTES, into };
        fetcher.fetch_with(ask).map(|fetched| (fetched, scratch))
    });
    match got.await.map_err(Internal::new)? {
        Ok((Fetched::Same, _)) => Ok(None),
        Ok((Fetched::New { validators, .. }, scratch)) => Ok(Some((opened(&scratch)?, Some(scratch), validators))),
        // A Geotrek may lack one of the lists; without the first one it is no Geotrek.
        Err(error)
            if source.sheet.kind == SitKind::Geotrek
                && (!run.page.is_empty() || geotrek_page(&source.sheet, "").0 != GEOTREK_LISTS[0])
                && error.code() == "fetch/not-found" =>
        {
            Ok(Some((Bytes::Memory(NO_ITEMS.to_vec()), None, Validators::default())))
        }
        Err(error) => Err(note_of_fetch(&error).into()),
    }
}

fn opened(scratch: &Scratch) -> Result<Bytes, Internal> {
    Ok(Bytes::File(File::open(&scratch.0).map_err(Internal::new)?))
}

/// The validators of the last run, where it took everything in the same manner.
async fn known_since(app: &App, run: &ImportRun) -> Result<Validators, Internal> {
    // Whether it is gone shows in what the source has, also where that did not change.
    if rows::has_absent(app.store.read(), run.source_id).await? {
        return Ok(Validators::default());
    }
    let last = runs::last_complete(app.store.read(), run.kind, run.source_id).await?;
    let last = last.filter(|last| last.recipe == run.recipe && last.counts.refused == 0);
    let (etag, last_modified) = last.map(|last| last.validators).unwrap_or_default();
    Ok(Validators { etag, last_modified })
}
