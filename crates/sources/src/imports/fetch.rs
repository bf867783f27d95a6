//! The data of a source, page by page: fetched through the guarded client, or read from the uploaded file.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use app::App;
use app::problem::Internal;
use app::source_key::{self, Keyed};
use connect::http::{Ask, FetchError, Fetched, Fetcher, Validators, resolved};
use domain::imports::{ImportKind, ImportMode, ImportNote, ImportSourceSheet};
use domain::{Text, service_key};
use feeds::incoming::{
    Dialect, GeotrekDesk, GeotrekEquipment, GeotrekItem, GeotrekPois, ImportedPoi, JALON_FIELDS, Names, Package,
    WordList, geotrek_count, geotrek_desks, geotrek_equipment, geotrek_ids, geotrek_items, geotrek_kinds,
    geotrek_names, geotrek_pois, jalon_count, jalon_ids, jalon_pois,
};
use store::imports::{self as rows, ImportRun};
use store::record::Stored;
use store::sealed::SealedColumn;

use super::halt::{Halt, or_note};
use super::prepare::{note_of, note_of_fetch, sum_of};
use super::work::ImportCache;
use super::{archive, layers};

/// The most bytes of one answer of a source.
pub(crate) const MAX_PAGE_BYTES: u64 = 64 * 1024 * 1024;
/// Treks asked for at once.
const PAGE_SIZE: usize = 200;
/// Parcours of another Jalon server asked for at once: their lines come with them.
const JALON_PAGE_SIZE: usize = 100;
/// Items of a Directus server asked for at once, and the fields of each: its own, its relations' and theirs.
const DIRECTUS_ITEMS: usize = 100;
const DIRECTUS_FIELDS: &str = "*.*.*";
/// POIs of a Geotrek server asked for at once: a run can be stopped between two pages, and their pictures are fetched with them.
const GEOTREK_POIS: usize = 50;
/// Information desks asked for at once.
const GEOTREK_DESKS: usize = 100;
/// Items of a list that has no place here, asked for at once.
pub(super) const GEOTREK_LEFT: usize = 500;
/// The most POIs that are shown along one trek.
const MAX_POIS_OF_TREK: usize = 300;
/// Before any change: the first run asks for all.
const SINCE_EVER: &str = "1970-01-01T00:00:00Z";
/// The most pages of one source.
pub(crate) const MAX_PAGES: usize = 10_000;
/// The most names of the lists of one server, and the most items of a list that are in memory at once.
pub(crate) const MAX_NAMES: usize = 200_000;
const MAX_IDS: usize = 1_000_000;
/// Why a list of a server is not used: its answer is no list, lacks items, or has too many.
const LIST_UNREADABLE: &str = "import/list-unreadable";

/// A page, taken apart, kept while the run works on it.
#[derive(Debug)]
pub(super) struct Held {
    pub run: i64,
    pub page: String,
    pub sum: String,
    pub package: Arc<Package>,
    /// The address of the next page, without the key.
    pub next: Option<String>,
    pub validators: Validators,
    pub names: Option<Arc<Names>>,
}

/// The content of the page of a run.
pub(super) enum At {
    Page(Arc<Held>),
    /// Nothing changed since the last run, with the validators that show it.
    Same(Validators),
}

/// The format of a kind of source.
fn dialect(kind: ImportKind) -> Dialect {
    match kind {
        ImportKind::Files => Dialect::Files,
        ImportKind::Geotrek => Dialect::Geotrek,
        ImportKind::SchemaRandonnee => Dialect::Randonnee,
        ImportKind::Cirkwi => Dialect::Cirkwi,
        ImportKind::Features => Dialect::Features,
        ImportKind::Apidae => Dialect::Apidae,
        ImportKind::Datatourisme => Dialect::Datatourisme,
        ImportKind::Jalon => Dialect::Jalon,
        ImportKind::Directus => Dialect::Directus,
    }
}

/// The key of an uploaded file's bytes.
pub(super) fn file_key(source: i64, sha256: &str) -> String {
    format!("imports/{source}/{sha256}")
}

/// The present page of a run: the one in memory, or fetched.
pub(super) async fn page(app: &App, run: &ImportRun, source: &Stored<ImportSourceSheet>) -> Result<At, Halt> {
    if let Some(held) = app.shared::<ImportCache>().held().filter(|held| held.run == run.id && held.page == run.page) {
        return Ok(At::Page(held));
    }
    let names =
        app.shared::<ImportCache>().held().filter(|held| held.run == run.id).and_then(|held| held.names.clone());
    // The cached page is dropped before the next one comes: of two large pages only one is in memory.
    app.shared::<ImportCache>().hold(None);
    // What did not change since everything was taken is not sent again.
    let known = match (run.mode, run.page.as_str()) {
        (ImportMode::Real, "") if !source.sheet.kind.is_server() => known_since(app, run).await?,
        _ => Validators::default(),
    };
    let (column, url) = (SealedColumn::ImportCredential, source.sheet.url.as_deref());
    let key = source_key::opened(app, app.store.read(), column, source.id, url).await??;
    let Some((got, validators)) = bytes(app, run, source, key.as_deref(), &known).await? else {
        return Ok(At::Same(known));
    };
    let (kind, name) = (source.sheet.kind, name_of(&source.sheet));
    let sum = sum_of(&got);
    let got = layers::as_features(app, &source.sheet, &name, got).await?;
    let opened = tokio::task::spawn_blocking(move || Package::open(dialect(kind), got, &name));
    let package = opened.await.map_err(Internal::new)?.map_err(|refused| note_of(&refused))?;
    let next = next_of(run, &source.sheet, &package, key.as_deref());
    let held = Held { run: run.id, page: run.page.clone(), sum, package: Arc::new(package), next, validators, names };
    let held = Arc::new(held);
    app.shared::<ImportCache>().hold(Some(Arc::clone(&held)));
    Ok(At::Page(held))
}

/// The address of the next page, seen from the page that names it. It is stored without the key, which a source may repeat in it.
fn next_of(run: &ImportRun, sheet: &ImportSourceSheet, package: &Package, key: Option<&str>) -> Option<String> {
    let next = package.next()?;
    let asked = sheet.url.as_deref().and_then(|url| page_url(sheet, url, run).ok());
    let next = asked.and_then(|asked| resolved(&asked, next)).unwrap_or_else(|| next.to_owned());
    Some(service_key::without_key(&next, key.unwrap_or_default()))
}

/// What a lone file is called: its own name, else the last part of its address. For a Directus server it is the address of the server.
pub(super) fn name_of(sheet: &ImportSourceSheet) -> String {
    if let (ImportKind::Directus, Some(url)) = (sheet.kind, sheet.url.as_deref()) {
        return origin(url);
    }
    let of_url = || {
        let path = sheet.url.as_deref()?.split(['?', '#']).next()?;
        path.trim_end_matches('/').rsplit('/').next().map(str::to_owned)
    };
    sheet.file.as_ref().map(|file| file.name.clone()).or_else(of_url).unwrap_or_default()
}

/// The bytes of the page of a run, and their validators. None where they did not change since `known`.
async fn bytes(
    app: &App,
    run: &ImportRun,
    source: &Stored<ImportSourceSheet>,
    key: Option<&str>,
    known: &Validators,
) -> Result<Option<(Vec<u8>, Validators)>, Halt> {
    let sheet = &source.sheet;
    let Some(url) = sheet.url.as_deref() else {
        let nothing = || ImportNote::new("import/nothing-to-read");
        let file = sheet.file.as_ref().ok_or_else(nothing)?;
        let found = if sheet.kind == ImportKind::Geotrek {
            let page = run.page.parse().unwrap_or(1);
            archive::read(app, source.id, file, move |archive| archive.page("trek", page)).await?
        } else {
            app.blobs.get(&file_key(source.id, &file.sha256)).await?.map(Vec::from)
        };
        return Ok(Some((found.ok_or_else(nothing)?, Validators::default())));
    };
    let url = page_url(sheet, url, run)?;
    // A key with a place in the address goes there as it is.
    let is_token = sheet.kind == ImportKind::Directus && !service_key::has_placeholder(&url);
    let token = key.filter(|_| is_token).map(bearer);
    Ok(match fetched(app, &url, token.as_deref().or(key), known.clone()).await? {
        Fetched::New { bytes, validators, .. } => Some((bytes, validators)),
        Fetched::Same => None,
    })
}

/// The token of a Directus server as the source's key.
fn bearer(key: &str) -> String {
    format!("{}{key}", source_key::BEARER)
}

/// The headers that the files of a Directus server are asked for with. They are sent to its own origin only.
#[derive(Clone)]
pub(crate) struct Access {
    origin: String,
    headers: Vec<(&'static str, String)>,
}

/// The access to the files of a source. None where they are asked for without a token.
pub(super) async fn access(app: &App, source: &Stored<ImportSourceSheet>) -> Result<Option<Access>, Internal> {
    let (ImportKind::Directus, Some(url)) = (source.sheet.kind, source.sheet.url.as_deref()) else { return Ok(None) };
    let column = SealedColumn::ImportCredential;
    let key = source_key::opened(app, app.store.read(), column, source.id, Some(url)).await?.ok().flatten();
    let headers = key.map(|key| vec![("authorization", bearer(&key))]);
    Ok(headers.map(|headers| Access { origin: origin(url), headers }))
}

/// Fetches a file of an item.
pub(super) fn file(
    fetcher: &Fetcher,
    access: Option<&Access>,
    url: &str,
    max_bytes: u64,
) -> Result<Fetched, FetchError> {
    let headers = access.filter(|access| is_under(url, &access.origin)).map(|access| access.headers.as_slice());
    let (headers, has_key) = (headers.unwrap_or_default(), headers.is_some());
    fetcher.fetch_with(Ask { url, known: &Validators::default(), headers, has_key, max_bytes, into: None })
}

async fn known_since(app: &App, run: &ImportRun) -> Result<Validators, Internal> {
    if rows::has_unread(app.store.read(), run.source_id).await? {
        return Ok(Validators::default());
    }
    // What was refused may have been so for a reason that passes, as a line whose server did not answer.
    let last = rows::last_complete(app.store.read(), run.kind, run.source_id)
        .await?
        .filter(|last| last.recipe == run.recipe && last.counts.refused == 0);
    let (etag, last_modified) = last.map(|last| last.validators).unwrap_or_default();
    Ok(Validators { etag, last_modified })
}

/// Fetches an address of a source with its key, on a thread for blocking work.
pub(crate) async fn fetched(app: &App, url: &str, key: Option<&str>, known: Validators) -> Result<Fetched, Halt> {
    let Keyed { url, headers } = source_key::keyed(url, key)?;
    let (fetcher, has_key) = (Arc::clone(&app.fetcher), key.is_some());
    let got = tokio::task::spawn_blocking(move || {
        let max_bytes = MAX_PAGE_BYTES;
        fetcher.fetch_with(Ask { url: &url, known: &known, headers: &headers, has_key, max_bytes, into: None })
    });
    Ok(got.await.map_err(Internal::new)?.map_err(|error| note_of_fetch(&error))?)
}

/// The address of the page where a run is. A page on another host than the source's is refused.
fn page_url(sheet: &ImportSourceSheet, url: &str, run: &ImportRun) -> Result<String, ImportNote> {
    let host = sheet.host.clone().unwrap_or_else(|| origin(url));
    let asked = match (sheet.kind, run.page.as_str()) {
        (ImportKind::Geotrek, page) => {
            let page = if page.is_empty() { "1" } else { page };
            let since = run.since.as_deref().map(|day| format!("&updated_after={day}")).unwrap_or_default();
            geotrek(url, "trek", &format!("page={page}&page_size={PAGE_SIZE}{since}"))
        }
        (ImportKind::Jalon, page) => {
            let page = if page.is_empty() { "1" } else { page };
            let since = run.since.as_deref().unwrap_or(SINCE_EVER);
            let asked = format!("since={since}&page={page}&per_page={JALON_PAGE_SIZE}&fields={JALON_FIELDS}");
            jalon(url, "/parcours/changes", &asked)
        }
        (ImportKind::Directus, page) => directus(url, if page.is_empty() { "1" } else { page }),
        (_, "") => url.to_owned(),
        (ImportKind::Apidae, page) => apidae(url, page)?,
        (_, next) => next.to_owned(),
    };
    if is_under(&asked, &host) { Ok(asked) } else { Err(ImportNote::new("validation/url-host").with("host", host)) }
}

/// Whether an address starts with a host, the whole of it: `https://feed.example.org` is not under `https://feed.example`.
pub(crate) fn is_under(url: &str, host: &str) -> bool {
    let rest = url.strip_prefix(host);
    rest.is_some_and(|rest| host.ends_with('/') || rest.is_empty() || rest.starts_with(['/', '?', '#']))
}

/// `https://host`, of an address.
pub(crate) fn origin(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("https", url));
    format!("{scheme}://{}", rest.split(['/', '?', '#']).next().unwrap_or_default())
}

/// An address of Geotrek's API: the root may be given with `/api/v2` or without, with a query that narrows what is shown.
pub(crate) fn geotrek(url: &str, list: &str, query: &str) -> String {
    let (base, own) = url.split_once('?').unwrap_or((url, ""));
    let base = base.trim_end_matches('/');
    let base = base.strip_suffix("/trek").unwrap_or(base);
    let root = if base.ends_with("/api/v2") { base.to_owned() } else { format!("{base}/api/v2") };
    // What narrows treks (portals, structures, practices) is of treks alone; contents and events have portals and structures too.
    let is_kept = |part: &&str| match list {
        "trek" => !part.is_empty(),
        "touristiccontent" | "touristicevent" => part.starts_with("portals=") || part.starts_with("structures="),
        _ => false,
    };
    let own: String = own.split('&').filter(is_kept).map(|part| format!("&{part}")).collect();
    format!("{root}/{list}/?{query}{own}")
}

/// An address of the public API of a Jalon server: the root may be given alone, or with the address of a list or of its documentation.
fn jalon(url: &str, list: &str, query: &str) -> String {
    let base = url.split(['?', '#']).next().unwrap_or(url).trim_end_matches('/');
    let root = base.find("/api/").map_or(base, |at| &base[..at]);
    format!("{root}/api/public/v1{list}?{query}")
}

/// An address of a page of a collection of a Directus server. What it asks for already (`filter`, `fields`) stays.
fn directus(url: &str, page: &str) -> String {
    let (base, own) = url.split_once('?').unwrap_or((url, ""));
    let kept: Vec<&str> = own.split('&').filter(|part| !part.is_empty()).collect();
    let has = |name: &str| kept.iter().any(|part| part.split('=').next() == Some(name));
    let mut asked: Vec<String> =
        kept.iter().filter(|part| !part.starts_with("page=")).map(|part| (*part).to_owned()).collect();
    if !has("fields") {
        asked.push(format!("fields={DIRECTUS_FIELDS}"));
    }
    if !has("limit") {
        asked.push(format!("limit={DIRECTUS_ITEMS}"));
    }
    format!("{base}?{}&page={page}", asked.join("&"))
}

/// How many items a page of it has at most. `limit=-1` asks for all at once.
fn directus_limit(url: &str) -> usize {
    let own = url.split_once('?').map_or("", |(_, own)| own);
    match own.split('&').find_map(|part| part.strip_prefix("limit=")) {
        Some(limit) => limit.parse().ok().filter(|limit| *limit > 0).unwrap_or(usize::MAX),
        None => DIRECTUS_ITEMS,
    }
}

/// An address of Apidae's API from an object on: its question is JSON inside the address, the key with it.
fn apidae(url: &str, first: &str) -> Result<String, ImportNote> {
    let unknown = || ImportNote::new("import/apidae-question");
    let (base, question) = url.split_once('?').ok_or_else(unknown)?;
    let mut pairs: Vec<(String, String)> = form_urlencoded::parse(question.as_bytes()).into_owned().collect();
    let (_, asked) = pairs.iter_mut().find(|(name, _)| name == "query").ok_or_else(unknown)?;
    let mut query: serde_json::Value = serde_json::from_str(asked).map_err(|_| unknown())?;
    let first: u64 = first.parse().map_err(|_| unknown())?;
    query.as_object_mut().ok_or_else(unknown)?.insert("first".to_owned(), first.into());
    *asked = query.to_string();
    let question = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
    Ok(format!("{base}?{question}"))
}

/// The address of the next features of a WFS (`request=GetFeature`) whose answer says that there are more. `None` for any other
/// service: paged sources return the address of the next page.
fn after_these(url: &str, (count, total): (usize, Option<u64>)) -> Option<String> {
    let (base, question) = url.split_once('?')?;
    let mut pairs: Vec<(String, String)> = form_urlencoded::parse(question.as_bytes()).into_owned().collect();
    let named = |name: &'static str| move |pair: &(String, String)| pair.0.eq_ignore_ascii_case(name);
    let request = pairs.iter().find(|pair| named("request")(pair))?;
    if !request.1.eq_ignore_ascii_case("GetFeature") {
        return None;
    }
    let begun = pairs.iter().find(|pair| named("startIndex")(pair)).and_then(|(_, index)| index.parse().ok());
    let next = begun.unwrap_or(0_u64).saturating_add(count as u64);
    if count == 0 || total.is_none_or(|total| next >= total) {
        return None;
    }
    pairs.retain(|pair| !named("startIndex")(pair));
    pairs.push(("startIndex".to_owned(), next.to_string()));
    Some(format!("{base}?{}", form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()))
}

/// Where the next page of a run is; none after the last one, or where the source leads back to a page that the run has done.
pub(super) fn page_after(app: &App, run: &ImportRun, sheet: &ImportSourceSheet, held: &Held) -> Option<String> {
    next_page(sheet, held).filter(|next| !app.shared::<ImportCache>().has_done(run, next))
}

/// Notes that the last item of a page is written.
pub(super) fn page_done(app: &App, run: &ImportRun, sheet: &ImportSourceSheet, held: &Held) {
    let address = if held.page.is_empty() { sheet.url.as_deref().unwrap_or_default() } else { &held.page };
    app.shared::<ImportCache>().done(run, address);
    if run.phase == "items" {
        // The second page of a Directus server is asked for where the first one is full.
        let is_named = !held.page.is_empty() && sheet.kind != ImportKind::Directus;
        // A page that leads back to one before it is not the last of its source.
        app.shared::<ImportCache>().meet(held, next_page(sheet, held), is_named);
    }
}

/// Where a page says that the next one is; none on the last one.
pub(super) fn next_page(sheet: &ImportSourceSheet, held: &Held) -> Option<String> {
    if sheet.kind == ImportKind::Apidae {
        let (count, total) = held.package.records();
        let met = count + held.page.parse::<usize>().unwrap_or_default();
        // An uploaded file is one page, whatever total it gives.
        let more = sheet.url.is_some() && count > 0 && total.is_some_and(|total| (met as u64) < total);
        return more.then(|| met.to_string());
    }
    if sheet.kind == ImportKind::Directus {
        let page: usize = held.page.parse().unwrap_or(1);
        let is_full = sheet.url.as_deref().is_some_and(|url| held.package.len() >= directus_limit(url));
        return (is_full && page < MAX_PAGES).then(|| (page + 1).to_string());
    }
    if !sheet.kind.is_server() {
        if held.package.records().0 == 0 {
            return None;
        }
        let asked = if held.page.is_empty() { sheet.url.as_deref() } else { Some(held.page.as_str()) };
        let next = held.next.clone().or_else(|| after_these(asked?, held.package.records()));
        return next.filter(|next| *next != held.page);
    }
    held.package.next()?;
    // Behind a proxy servers name themselves wrongly: only the number is believed.
    let page: usize = held.page.parse().unwrap_or(1);
    (page < MAX_PAGES && !held.package.is_empty()).then(|| (page + 1).to_string())
}

/// The names of a Geotrek server's lists, asked for when the first trek is read.
pub(super) async fn names(app: &App, held: &Arc<Held>, source: &Stored<ImportSourceSheet>) -> Result<Arc<Names>, Halt> {
    if let Some(names) = &held.names {
        return Ok(Arc::clone(names));
    }
    let mut names = Names::new();
    if source.sheet.kind == ImportKind::Geotrek {
        for (list, path) in [
            (WordList::Practice, "trek_practice"),
            (WordList::Level, "trek_difficulty"),
            (WordList::Theme, "theme"),
            (WordList::Label, "label"),
            (WordList::Marking, "trek_network"),
            (WordList::Shape, "trek_route"),
        ] {
            match read_names(app, source, list, path, &mut names).await {
                Ok(()) => {}
                // An older server does not have all of these lists. The fields that name items of a missing list keep their values here.
                Err(Halt::Source(note)) if note.code == "fetch/not-found" => {}
                Err(halt) => return Err(halt),
            }
        }
        // Lists that treks refer to. Where a server has no such list or refuses it, its numbers stay without a name.
        for (list, path) in [
            (WordList::Rating, "trek_rating"),
            (WordList::Accessibility, "trek_accessibility"),
            (WordList::AccessibilityLevel, "trek_accessibility_level"),
            (WordList::Source, "source"),
            (WordList::Portal, "portal"),
            (WordList::City, "city"),
            (WordList::Desk, "informationdesk"),
            (WordList::Reservation, "reservationsystem"),
        ] {
            if let Err(note) = or_note(read_names(app, source, list, path, &mut names).await)?
                && note.code == LIST_UNREADABLE
            {
                return Err(note.into());
            }
        }
    }
    let names = Arc::new(names);
    let (page, sum, validators) = (held.page.clone(), held.sum.clone(), held.validators.clone());
    let (package, next) = (Arc::clone(&held.package), held.next.clone());
    let with = Held { run: held.run, page, sum, package, next, validators, names: Some(Arc::clone(&names)) };
    app.shared::<ImportCache>().hold(Some(Arc::new(with)));
    Ok(names)
}

/// Reads the names of a list of a Geotrek server, page by page.
async fn read_names(
    app: &App,
    source: &Stored<ImportSourceSheet>,
    list: WordList,
    path: &str,
    names: &mut Names,
) -> Result<(), Halt> {
    // The outlines of communes are large, and nothing here needs them.
    let fields = if list == WordList::City { "&fields=id,name" } else { "" };
    for page in 1..=MAX_PAGES {
        let asked = format!("page={page}&page_size=1000{fields}");
        let Some(bytes) = list_page(app, source, path, page, &asked).await? else { break };
        let known = names.len();
        let Ok(next) = geotrek_names(list, &bytes, names) else {
            return Err(ImportNote::new(LIST_UNREADABLE).with("list", path).into());
        };
        if names.len() > MAX_NAMES {
            return Err(ImportNote::new(LIST_UNREADABLE).with("list", path).into());
        }
        // A server that answers every question with the same page has no more pages.
        if next.is_none() || names.len() == known {
            break;
        }
    }
    Ok(())
}

/// The identifiers of all items of a list that a server has today (`trek`, `poi`; another Jalon server has one list), to find those that are gone.
/// None where there is neither a server nor an archive to ask.
pub(super) async fn all_ids(
    app: &App,
    source: &Stored<ImportSourceSheet>,
    list: &str,
) -> Result<Option<Vec<String>>, Halt> {
    if source.sheet.url.is_none() && archive::of(&source.sheet).is_none() {
        return Ok(None);
    }
    let kind = source.sheet.kind;
    let (mut found, mut met) = (Vec::new(), HashSet::<String>::new());
    let (mut counted, mut is_cut_off) = (0_u64, false);
    for page in 1..=MAX_PAGES {
        let answer = match (kind, source.sheet.url.as_deref()) {
            (ImportKind::Jalon, Some(url)) => {
                let asked = jalon(url, "/parcours", &format!("fields=uuid,id&page={page}&per_page=500"));
                with_key(app, source.id, url, &asked).await?
            }
            _ => list_page(app, source, list, page, &format!("fields=uuid,id&page={page}&page_size=1000")).await?,
        };
        let Some(bytes) = answer else { break };
        let read = if kind == ImportKind::Jalon { jalon_ids } else { geotrek_ids };
        let count = if kind == ImportKind::Jalon { jalon_count } else { geotrek_count };
        let (ids, next) = read(&bytes).map_err(|refused| note_of(&refused))?;
        counted = counted.max(count(&bytes).unwrap_or_default());
        // A server that answers every question with the same page does not give the others.
        let repeats = next.is_some() && !ids.is_empty() && ids.iter().all(|id| met.contains(id));
        // The page before it said that there are more.
        is_cut_off |= repeats || (ids.is_empty() && page > 1);
        let is_last = next.is_none() || ids.is_empty() || repeats;
        met.extend(ids.iter().cloned());
        found.extend(ids);
        is_cut_off |= found.len() > MAX_IDS;
        if is_last || is_cut_off {
            break;
        }
    }
    if is_cut_off || counted > found.len() as u64 {
        let list = if kind == ImportKind::Jalon { "parcours" } else { list };
        return Err(ImportNote::new(LIST_UNREADABLE).with("list", list).into());
    }
    Ok(Some(found))
}

/// A page of the POIs of a server.
#[derive(Debug, Default)]
pub(super) struct PoiPage {
    pub pois: Vec<ImportedPoi>,
    /// Those that cannot be read: what names each, and why.
    pub refused: Vec<(String, ImportNote)>,
    /// What names those that are not published there.
    pub drafts: BTreeSet<String>,
    pub has_more: bool,
}

impl From<GeotrekPois> for PoiPage {
    fn from(GeotrekPois { pois, refused, drafts, has_more }: GeotrekPois) -> Self {
        let refused = refused.into_iter().map(|(number, refused)| (number, note_of(&refused))).collect();
        Self { pois, refused, drafts, has_more }
    }
}

/// A page of the POIs of a Geotrek or Jalon server.
pub(super) async fn pois(app: &App, source: &Stored<ImportSourceSheet>, page: usize) -> Result<PoiPage, Halt> {
    let is_geotrek = source.sheet.kind == ImportKind::Geotrek;
    let answer = match source.sheet.url.as_deref() {
        Some(url) if !is_geotrek => {
            let asked = jalon(url, "/pois", &format!("page={page}&per_page={JALON_PAGE_SIZE}"));
            with_key(app, source.id, url, &asked).await?
        }
        _ => list_page(app, source, "poi", page, &format!("page={page}&page_size={GEOTREK_POIS}")).await?,
    };
    let Some(bytes) = answer else { return Ok(PoiPage::default()) };
    let read = tokio::task::spawn_blocking(move || {
        if is_geotrek {
            return geotrek_pois(&bytes).map(PoiPage::from);
        }
        let (pois, next) = jalon_pois(&bytes)?;
        Ok(PoiPage { has_more: next.is_some() && !pois.is_empty(), pois, ..PoiPage::default() })
    });
    Ok(read.await.map_err(Internal::new)?.map_err(|refused| note_of(&refused))?)
}

/// A page of the signage or infrastructure of a Geotrek server. A server that does not show them has none.
pub(super) async fn equipment(
    app: &App,
    source: &Stored<ImportSourceSheet>,
    of: GeotrekEquipment,
    page: usize,
) -> Result<PoiPage, Halt> {
    let asked = format!("page={page}&page_size={GEOTREK_POIS}");
    let Some(bytes) = shown(list_page(app, source, of.list(), page, &asked).await)? else {
        return Ok(PoiPage::default());
    };
    let mut names = [BTreeMap::new(), BTreeMap::new()];
    for (names, list) in names.iter_mut().zip(of.names()) {
        // Without this list, its numbers have no name: the items still come.
        if let Ok(read) = or_note(read_kinds(app, source, list).await)? {
            *names = read;
        }
    }
    let read = tokio::task::spawn_blocking(move || geotrek_equipment(of, &bytes, &names).map(PoiPage::from));
    Ok(read.await.map_err(Internal::new)?.map_err(|refused| note_of(&refused))?)
}

/// Reads the names of a list of kinds of a Geotrek server by their numbers, page by page.
async fn read_kinds(app: &App, source: &Stored<ImportSourceSheet>, list: &str) -> Result<BTreeMap<String, Text>, Halt> {
    let unreadable = || ImportNote::new(LIST_UNREADABLE).with("list", list);
    let mut names = BTreeMap::new();
    for page in 1..=MAX_PAGES {
        let asked = format!("page={page}&page_size=1000");
        let Some(bytes) = list_page(app, source, list, page, &asked).await? else { break };
        let known = names.len();
        let (read, next) = geotrek_kinds(&bytes).map_err(|_| unreadable())?;
        names.extend(read);
        if names.len() > MAX_NAMES {
            return Err(unreadable().into());
        }
        // A server that answers every question with the same page has no more pages.
        if next.is_none() || names.len() == known {
            break;
        }
    }
    Ok(names)
}

/// A page of a list that a server may not have, or may not show: then there is no such page.
fn shown(answer: Result<Option<Vec<u8>>, Halt>) -> Result<Option<Vec<u8>>, Halt> {
    match answer {
        Err(Halt::Source(note)) if matches!(note.code.as_str(), "fetch/not-found" | "fetch/forbidden") => Ok(None),
        answer => answer,
    }
}

/// A page of the information desks of a Geotrek server, and whether there is another page. A server that has no such list has no desk.
pub(super) async fn desks(
    app: &App,
    source: &Stored<ImportSourceSheet>,
    page: usize,
) -> Result<(Vec<GeotrekDesk>, bool), Halt> {
    let asked = format!("page={page}&page_size={GEOTREK_DESKS}");
    let Some(bytes) = shown(list_page(app, source, "informationdesk", page, &asked).await)? else {
        return Ok((Vec::new(), false));
    };
    Ok(geotrek_desks(&bytes).map_err(|refused| note_of(&refused))?)
}

/// A page of a list of a Geotrek server that has no place here, and whether there is another page.
pub(super) async fn left(
    app: &App,
    source: &Stored<ImportSourceSheet>,
    list: &str,
    page: usize,
) -> Result<(Vec<GeotrekItem>, bool), Halt> {
    let asked = format!("page={page}&page_size={GEOTREK_LEFT}&fields=id,uuid,name,title,label");
    let Some(bytes) = list_page(app, source, list, page, &asked).await? else { return Ok((Vec::new(), false)) };
    Ok(geotrek_items(&bytes).map_err(|refused| note_of(&refused))?)
}

/// The address of an item of a list of a Geotrek server; none of one whose address is not known.
pub(super) fn item_address(source: &ImportSourceSheet, list: &str, number: &str) -> Option<String> {
    let url = source.url.as_deref().or(source.host.as_deref())?;
    let whole = geotrek(url.split(['?', '#']).next().unwrap_or(url), list, "");
    Some(format!("{}{number}/", whole.trim_end_matches('?')))
}

/// The POIs that a Geotrek server shows along one of its treks. A trek that is no longer published has none.
pub(super) async fn pois_along(app: &App, source: &Stored<ImportSourceSheet>, trek: &str) -> Result<Vec<String>, Halt> {
    let answer = if let Some(file) = archive::of(&source.sheet) {
        let trek = trek.to_owned();
        archive::read(app, source.id, file, move |archive| archive.along(&trek)).await
    } else {
        let asked = format!("trek={trek}&fields=id,uuid&page_size={MAX_POIS_OF_TREK}");
        list_page(app, source, "poi", 1, &asked).await
    };
    match answer {
        Ok(Some(bytes)) => Ok(geotrek_ids(&bytes).map(|(ids, _)| ids).map_err(|refused| note_of(&refused))?),
        Ok(None) => Ok(Vec::new()),
        Err(Halt::Source(note)) if note.code == "fetch/not-found" => Ok(Vec::new()),
        Err(halt) => Err(halt),
    }
}

/// How many items a list of a Geotrek server has. None where the server has no such list, or refuses it.
pub(crate) async fn count(app: &App, source: &Stored<ImportSourceSheet>, list: &str) -> Result<Option<u64>, Halt> {
    if let Some(file) = archive::of(&source.sheet) {
        let list = list.to_owned();
        return archive::read(app, source.id, file, move |archive| Ok(archive.count(&list))).await;
    }
    match list_page(app, source, list, 1, "page=1&page_size=1&fields=id").await {
        Ok(Some(bytes)) => Ok(geotrek_count(&bytes).ok()),
        Ok(None) => Ok(None),
        Err(Halt::Source(note))
            if matches!(note.code.as_str(), "fetch/not-found" | "fetch/forbidden" | "fetch/status") =>
        {
            Ok(None)
        }
        Err(halt) => Err(halt),
    }
}

/// A page of a list of a Geotrek: of its server, which is asked `query`, or of the archive of its database. None where there is no such page.
async fn list_page(
    app: &App,
    source: &Stored<ImportSourceSheet>,
    list: &str,
    page: usize,
    query: &str,
) -> Result<Option<Vec<u8>>, Halt> {
    if let Some(file) = archive::of(&source.sheet) {
        let list = list.to_owned();
        return archive::read(app, source.id, file, move |archive| archive.page(&list, page)).await;
    }
    let Some(url) = source.sheet.url.as_deref() else { return Ok(None) };
    with_key(app, source.id, url, &geotrek(url, list, query)).await
}

/// Whether the address of a Geotrek server narrows what is shown of it: `https://geotrek.example/?portals=2`.
pub(super) fn is_narrowed(source: &ImportSourceSheet) -> bool {
    let query = source.url.as_deref().and_then(|url| url.split_once('?'));
    query.is_some_and(|(_, query)| !query.is_empty())
}

/// The answer of an address of a source, requested with its key. `url` is the address that the key was entered for. None where nothing changed.
async fn with_key(app: &App, source: i64, url: &str, asked: &str) -> Result<Option<Vec<u8>>, Halt> {
    let column = SealedColumn::ImportCredential;
    let key = source_key::opened(app, app.store.read(), column, source, Some(url)).await??;
    Ok(match fetched(app, asked, key.as_deref(), Validators::default()).await? {
        Fetched::New { bytes, .. } => Some(bytes),
        Fetched::Same => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_geotrek_server_is_asked_at_its_api_however_it_is_written() {
        for url in
            ["https://g.example", "https://g.example/", "https://g.example/api/v2/", "https://g.example/api/v2/trek/"]
        {
            assert_eq!(geotrek(url, "trek", "page=1"), "https://g.example/api/v2/trek/?page=1", "{url}");
        }
        assert_eq!(
            geotrek("https://g.example/?portals=2", "trek", "page=1"),
            "https://g.example/api/v2/trek/?page=1&portals=2"
        );
        assert_eq!(
            geotrek("https://g.example/?portals=2", "theme", "page_size=9"),
            "https://g.example/api/v2/theme/?page_size=9"
        );
        assert_eq!(origin("https://g.example:8443/a?b"), "https://g.example:8443");
    }

    #[test]
    fn a_jalon_server_is_asked_at_its_api_however_it_is_written() {
        for url in [
            "https://j.example",
            "https://j.example/",
            "https://j.example/api/docs",
            "https://j.example/api/public/v1/parcours?practices=3",
        ] {
            assert_eq!(jalon(url, "/parcours", "page=1"), "https://j.example/api/public/v1/parcours?page=1", "{url}");
        }
        let pages = "https://j.example/k/w1-a/api/public/v1/parcours";
        assert_eq!(
            jalon(pages, "/parcours", "page=1"),
            format!("{pages}?page=1"),
            "the key of pages stays in its place"
        );
    }

    #[test]
    fn apidae_is_asked_on_from_an_object() {
        let url = "https://a.example/list/?x=1&query=%7B%22apiKey%22%3A%22k%22%2C%22first%22%3A0%7D";
        let next = apidae(url, "200").unwrap_or_default();
        let pairs: Vec<_> = form_urlencoded::parse(next.split_once('?').unwrap_or_default().1.as_bytes()).collect();
        assert_eq!(pairs[0].1, "1");
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&pairs[1].1).unwrap_or_default(),
            serde_json::json!({"apiKey": "k", "first": 200})
        );
        for wrong in ["https://a.example/list", "https://a.example/?query=abc", "https://a.example/?query=[]"] {
            assert_eq!(apidae(wrong, "200").err().map(|note| note.code), Some("import/apidae-question".to_owned()));
        }
    }

    #[test]
    fn a_wfs_is_asked_on_until_all_features_came() {
        let url = "https://w.example/ows?service=WFS&REQUEST=getfeature&count=2";
        let second = after_these(url, (2, Some(5))).unwrap_or_default();
        assert_eq!(second, format!("{url}&startIndex=2"));
        assert_eq!(after_these(&second, (2, Some(5))), Some(format!("{url}&startIndex=4")));
        assert_eq!(after_these(&format!("{url}&STARTINDEX=4"), (1, Some(5))), None, "the last");
        assert_eq!(after_these(url, (2, None)), None, "it does not say how many there are");
        assert_eq!(after_these(url, (0, Some(5))), None, "an empty page ends it");
        assert_eq!(after_these("https://w.example/items?limit=2", (2, Some(5))), None, "no WFS");
    }

    #[test]
    fn a_page_of_another_host_is_none_of_the_source() {
        let host = "https://g.example";
        assert!(is_under("https://g.example/items?page=2", host) && is_under("https://g.example", host));
        for other in
            ["https://g.example.org/", "https://g.example@h.example/", "https://g.example:8443/", "http://g.example/"]
        {
            assert!(!is_under(other, host), "{other}");
        }
    }
}
