//! The data of a source: fetched into a file through the guarded client, or read from the uploaded file.

use std::sync::{Arc, Mutex, PoisonError};

use app::problem::Internal;
use app::{App, source_key};
use connect::http::{Ask, Fetched, Validators};
use content::media::Scratch;
use domain::imports::ImportNote;
use domain::sit::{SitKind, SitSourceSheet};
use feeds::incoming::sit::{Bytes, SitPackage, geotrek_kinds_of};
use store::imports::{self as runs, ImportRun};
use store::record::Stored;
use store::sealed::SealedColumn;

use super::pages::{geotrek_page, next, question};
use crate::imports::fetch::{fetched, geotrek};
use crate::imports::prepare::{note_of, note_of_fetch, sum_of};

/// The most bytes of one answer of a source. It is written to a file: only one object at a time is in memory.
pub(super) const MAX_BYTES: u64 = 500 * 1024 * 1024;

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

/// What this server keeps in memory for the runs it works on. It is only a cache: another server, or this one after a restart, fetches
/// the page again.
#[derive(Debug, Default)]
pub(crate) struct SitCache(Mutex<Option<Arc<Held>>>);

impl SitCache {
    /// The page that the last step worked on, already parsed.
    pub(super) fn held(&self) -> Option<Arc<Held>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn hold(&self, held: Option<Arc<Held>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = held;
    }

    /// Whether the page that a run is at is in memory.
    pub(crate) fn has_page_of(&self, run: &ImportRun) -> bool {
        self.held().is_some_and(|held| held.run == run.id && held.page == run.page)
    }

    /// Drops what is in memory for a run.
    pub(crate) fn forget(&self, run: i64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take_if(|held| held.run == run);
    }
}

/// The content of the page of a run.
pub(super) enum At {
    /// A page.
    Page(Arc<Held>),
    /// Nothing changed since the last run, with the validators that show it.
    Same(Validators),
    /// Nothing that can be read, and why.
    Failed(ImportNote),
}

/// The key of an uploaded file's bytes.
pub(super) fn file_key(source: i64, sha256: &str) -> String {
    format!("sit/{source}/{sha256}")
}

/// The present page of a run: the one at hand, or fetched.
pub(super) async fn page(app: &App, run: &ImportRun, source: &Stored<SitSourceSheet>) -> Result<At, Internal> {
    if let Some(held) = app.shared::<SitCache>().held().filter(|held| held.run == run.id && held.page == run.page) {
        return Ok(At::Page(held));
    }
    // The cached page is dropped before the next one comes: of two large pages only one is in memory.
    app.shared::<SitCache>().hold(None);
    let key =
        source_key::opened(app, app.store.read(), SealedColumn::SitCredential, source.id, source.sheet.url.as_deref());
    let key = match key.await? {
        Ok(key) => key,
        Err(note) => return Ok(At::Failed(note)),
    };
    let known = if run.page.is_empty() { known_since(app, run).await? } else { Validators::default() };
    let got = match bytes(app, run, source, key.as_deref(), &known).await? {
        Ok(Some(got)) => got,
        Ok(None) => return Ok(At::Same(known)),
        Err(note) => return Ok(At::Failed(note)),
    };
    let kind = source.sheet.kind;
    let (bytes, file, validators) = got;
    let opened = tokio::task::spawn_blocking(move || SitPackage::open(kind, bytes));
    let mut package = match opened.await.map_err(Internal::new)? {
        Ok(package) => package,
        Err(refused) => return Ok(At::Failed(note_of(&refused))),
    };
    name_kinds(app, &source.sheet, &run.page, &mut package).await?;
    // The same items in the same order: a run goes on in it where it was.
    let ids: String = (0..package.len()).map(|index| format!("{}\n", package.id(index))).collect();
    let held = Arc::new(Held {
        run: run.id,
        page: run.page.clone(),
        sum: sum_of(ids.as_bytes()),
        next: next(&source.sheet, key.as_deref(), &run.page, &package),
        package: Arc::new(package),
        validators,
        _file: file,
    });
    app.shared::<SitCache>().hold(Some(Arc::clone(&held)));
    Ok(At::Page(held))
}

/// Geotrek has the names of some kinds in separate lists. Without them records are imported without a category.
async fn name_kinds(app: &App, sheet: &SitSourceSheet, page: &str, package: &mut SitPackage) -> Result<(), Internal> {
    let url = sheet.url.as_deref().filter(|_| sheet.kind == SitKind::Geotrek && !package.is_empty());
    let Some((url, list)) = url.zip(geotrek_kinds_of(geotrek_page(page).0)) else { return Ok(()) };
    let asked = geotrek(url, list, "page_size=1000");
    if let Ok(Fetched::New { bytes, .. }) = fetched(app, &asked, None, Validators::default()).await?
        && let Err(refused) = package.name_kinds(&bytes)
    {
        tracing::info!(list, code = refused.code, "a list could not be read");
    }
    Ok(())
}

type Got = Result<Option<(Bytes, Option<Scratch>, Validators)>, ImportNote>;

async fn bytes(
    app: &App,
    run: &ImportRun,
    source: &Stored<SitSourceSheet>,
    key: Option<&str>,
    known: &Validators,
) -> Result<Got, Internal> {
    if source.sheet.url.is_none() {
        let Some(file) = &source.sheet.file else { return Ok(Err(ImportNote::new("import/nothing-to-read"))) };
        let scratch = Scratch::new(app)?;
        if !app.blobs.get_file(&file_key(source.id, &file.sha256), &scratch.0).await? {
            return Ok(Err(ImportNote::new("import/nothing-to-read")));
        }
        return Ok(Ok(Some((opened(&scratch)?, Some(scratch), Validators::default()))));
    }
    let asked = match question(&source.sheet, key, &run.page) {
        Ok(asked) => asked,
        Err(note) => return Ok(Err(note)),
    };
    let has_key = key.is_some();
    let (fetcher, scratch, known) = (Arc::clone(&app.fetcher), Scratch::new(app)?, known.clone());
    let got = tokio::task::spawn_blocking(move || {
        let into = Some(scratch.0.as_path());
        let ask = Ask { url: &asked.url, known: &known, headers: &asked.headers, has_key, max_bytes: MAX_BYTES, into };
        fetcher.fetch_with(ask).map(|fetched| (fetched, scratch))
    });
    Ok(match got.await.map_err(Internal::new)? {
        Ok((Fetched::Same, _)) => Ok(None),
        Ok((Fetched::New { validators, .. }, scratch)) => Ok(Some((opened(&scratch)?, Some(scratch), validators))),
        // A Geotrek may lack one of the lists; without the first one it is no Geotrek.
        Err(error)
            if source.sheet.kind == SitKind::Geotrek && !run.page.is_empty() && error.code() == "fetch/not-found" =>
        {
            Ok(Some((Bytes::Memory(br#"{"results": []}"#.to_vec()), None, Validators::default())))
        }
        Err(error) => Err(note_of_fetch(&error)),
    })
}

fn opened(scratch: &Scratch) -> Result<Bytes, Internal> {
    Ok(Bytes::File(std::fs::File::open(&scratch.0).map_err(Internal::new)?))
}

/// The validators of the last run, where it took everything in the same manner.
async fn known_since(app: &App, run: &ImportRun) -> Result<Validators, Internal> {
    let last = runs::last_complete(app.store.read(), run.kind, run.source_id).await?;
    let last = last.filter(|last| last.recipe == run.recipe && last.counts.refused == 0);
    let (etag, last_modified) = last.map(|last| last.validators).unwrap_or_default();
    Ok(Validators { etag, last_modified })
}
