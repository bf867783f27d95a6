//! Items that are missing from their source: their parcours are unpublished, and published again when the source has them again.
//! POIs that are missing stay as they are, and the report names them. Nothing is deleted.

use std::collections::HashSet;

use app::App;
use app::problem::Internal;
use domain::UserId;
use domain::imports::{ImportKind, ImportNote, ImportOutcome, ImportSourceSheet};
use domain::parcours::Progress;
use feeds::incoming::Package;
use jobs::{Failure, Lease};
use serde_json::json;
use store::imports::{self as rows, CompanionKind, ImportItem, ImportLine, ImportRun, ItemState, Undo};
use store::parcours::{self, Change};
use store::poi::Pois;
use store::record::{self as records, Stored};
use store::{StoreError, Tx};

use super::apply::PUBLISHED_FIELD;
use super::beside::{self, item_of};
use super::fetch::{self, At, all_ids, page};
use super::halt::Halt;
use super::refused_lines::MAX_REFUSED_LINES;
use super::work::{ImportCache, commit, fail};
use super::{pois, writable};

/// A source that loses more than this many and half of what it had is rather broken than empty.
const FEW: usize = 10;
/// The checksum of a POI that its source no longer has: it is reported once, and written again where it comes back.
const GONE: &str = "gone";
/// The note of a run that did not read all that its Geotrek server lists. The run after it asks for all again.
pub(super) const UNREAD: &str = "import/items-unread";
/// How many such POIs are reported in one transaction; the step is done again for the others.
const REPORTED_AT_ONCE: usize = 500;

/// The whole step.
pub(super) async fn step(
    app: &App,
    lease: &Lease,
    run: &ImportRun,
    source: &Stored<ImportSourceSheet>,
) -> Result<(), Failure> {
    let (there, deleted) = match there(app, run, source).await {
        Ok(found) => found,
        Err(halt) => return fail(app, lease, run, halt.note()?).await,
    };
    let mut known = rows::keys(app.store.read(), run.source_id).await?;
    // What this run made is no sign that the others are there.
    let before = known.len().saturating_sub(usize::try_from(run.counts.created).unwrap_or_default());
    // What the source itself shows as deleted is gone, whatever else can be believed of it.
    let mut lost: Vec<String> = deleted.into_iter().filter(|key| known.remove(key)).collect();
    let is_emptied = there.as_ref().is_some_and(Vec::is_empty) && has_some(app, run, source.sheet.kind, &known).await?;
    let there = match there {
        Some(there) if is_sound(app, run, source.sheet.kind, &there).await? => Some(there),
        _ => None,
    };
    if let Some(there) = &there {
        let there: HashSet<&String> = there.iter().collect();
        lost.extend(known.into_iter().filter(|key| !there.contains(key)));
    }
    lost.sort();
    if lost.len() > FEW && lost.len() * 2 > before {
        let note = ImportNote::new("import/too-many-gone").with("count", lost.len().to_string());
        return fail(app, lease, run, note).await;
    }
    let pois = match pois_gone(app, run, source, there.as_deref()).await {
        Ok(pois) => pois,
        Err(halt) => return fail(app, lease, run, halt.note()?).await,
    };
    let by = run.asked_by.as_ref().map(|(id, _)| *id);
    let mut run = run.clone();
    if source.sheet.kind == ImportKind::Jalon && !all_known(app, &run, there.as_deref().unwrap_or_default()).await? {
        // The settings of the source changed, which its list of changes does not show: the next run asks for all.
        run.validators = (None, None);
    }
    let back = if source.sheet.kind == ImportKind::Geotrek && run.since.is_some() {
        back(app, &run, there.as_deref().unwrap_or_default()).await?
    } else {
        Vec::new()
    };
    let is_unread =
        source.sheet.kind == ImportKind::Geotrek && has_unread(app, &run, there.as_deref().unwrap_or_default()).await?;
    let part = match part(app, &run, source).await {
        Ok(part) => part.filter(|_| !is_emptied),
        Err(halt) => return fail(app, lease, &run, halt.note()?).await,
    };
    let tx = app.store.begin().await?;
    if is_emptied || part.is_some() {
        // The next run reads the source again, and says it again.
        run.validators = (None, None);
    }
    let notes = remarks(is_emptied, is_unread, part);
    if !notes.is_empty() {
        let line = ImportLine::new(&source.sheet.name, &source.sheet.name, ImportOutcome::Kept, notes);
        beside::add_once(&tx, &mut run, vec![line]).await?;
    }
    let mut lines = Vec::new();
    for item in back {
        // The next run asks for all again, and reads it.
        rows::put_item(&tx, run.source_id, &ImportItem { state: ItemState::Linked, ..item }).await?;
    }
    for key in lost {
        let Some(line) = unpublish(app, &tx, run.source_id, &key, by).await? else { continue };
        lines.push(line);
        run.counts.add(Some(ImportOutcome::Gone));
    }
    let (wanted, before) = (pois.len(), lines.len());
    for number in pois.into_iter().take(REPORTED_AT_ONCE) {
        let Some(mut row) = rows::source_record(&tx, CompanionKind::Poi, run.source_id, &number).await? else {
            continue;
        };
        let Some(poi) = records::lock::<Pois>(&tx, row.id).await? else { continue };
        row.digest = GONE.to_owned();
        rows::put_source_record(&tx, CompanionKind::Poi, run.source_id, &row).await?;
        let title = poi.sheet.title.best("fr").to_owned();
        let notes = vec![ImportNote::new("import/poi-gone")];
        lines.push(ImportLine::new(&item_of(CompanionKind::Poi, &number), &title, ImportOutcome::Kept, notes));
        run.counts.add(Some(ImportOutcome::Kept));
    }
    rows::add_lines(&tx, run.id, &lines).await?;
    // Those that were deleted here since are not reported: a pass that reports none is the last.
    let is_last = wanted <= REPORTED_AT_ONCE || lines.len() == before;
    if is_last {
        run.phase = "media".to_owned();
        run.at = 0;
    }
    commit(lease, tx, &run).await.map(|_| ())
}

/// What the report says of the source as a whole.
fn remarks(is_emptied: bool, is_unread: bool, part: Option<ImportNote>) -> Vec<ImportNote> {
    let empty = is_emptied.then(|| ImportNote::new("import/source-empty"));
    let unread = is_unread.then(|| ImportNote::new(UNREAD));
    [empty, unread, part].into_iter().flatten().collect()
}

/// Why the items that the source gave are a part of what it has, where they are: it counts more, or its pages overlap. A server has a list of its items,
/// which is asked for apart.
async fn part(app: &App, run: &ImportRun, source: &Stored<ImportSourceSheet>) -> Result<Option<ImportNote>, Halt> {
    if source.sheet.kind.is_server() {
        return Ok(None);
    }
    let partial = |(given, counted): (u64, u64)| {
        ImportNote::new("import/source-partial").with("given", given.to_string()).with("counted", counted.to_string())
    };
    if !run.page.is_empty() {
        let cache = app.shared::<ImportCache>();
        let overlap = || cache.overlaps(run.id).then(|| ImportNote::new("import/pages-overlap"));
        return Ok(cache.part(run.id).map(partial).or_else(overlap));
    }
    Ok(match page(app, run, source).await? {
        At::Page(held) => part_of(&held.package).map(partial),
        At::Same(_) => None,
    })
}

/// How many items a source that is one page gave and how many it counts, where it counts more. One that it has twice counts twice, as it does there. A
/// tourist source counts all its records, of which some are routes.
fn part_of(package: &Package) -> Option<(u64, u64)> {
    let (given, total) = package.records();
    let given = given as u64;
    total.filter(|total| *total > given).map(|total| (given, total))
}

/// Whether something of the source is here. The POIs of a server are in a list of their own, which says nothing of its items.
async fn has_some(app: &App, run: &ImportRun, kind: ImportKind, items: &HashSet<String>) -> Result<bool, StoreError> {
    if !items.is_empty() || kind.is_server() {
        return Ok(!items.is_empty());
    }
    Ok(!rows::numbers_without(app.store.read(), CompanionKind::Poi, run.source_id, GONE).await?.is_empty())
}

/// Whether what a source has can be believed: one that has nothing, or of which a run refused all it read, is rather broken than empty. Of a server a run
/// reads only what changed; its list of items is asked for apart. The counts of a run have an item twice whose page was read twice.
async fn is_sound(app: &App, run: &ImportRun, kind: ImportKind, items: &[String]) -> Result<bool, StoreError> {
    if items.is_empty() || kind.is_server() {
        return Ok(!items.is_empty());
    }
    let items: HashSet<&String> = items.iter().collect();
    // Those beyond the bound have no line.
    let is_listed = run.counts.refused <= MAX_REFUSED_LINES;
    let refused = if is_listed { rows::refused_total(app.store.read(), run.id).await? } else { run.counts.refused };
    Ok(refused < items.len() as i64)
}

/// Notes that an item is gone, and unpublishes its parcours; what is reported of it. None where nothing is here.
async fn unpublish(
    app: &App,
    tx: &Tx,
    source: i64,
    key: &str,
    by: Option<UserId>,
) -> Result<Option<ImportLine>, StoreError> {
    let Some(item) = rows::item(tx, source, key).await? else { return Ok(None) };
    let before = match item.parcours_id {
        Some(id) => parcours::lock(tx, id).await?,
        None => None,
    };
    let mut gone = ImportItem { state: ItemState::Gone, digest: String::new(), ..item.clone() };
    if before.as_ref().is_some_and(|before| before.published) {
        gone.applied.insert(PUBLISHED_FIELD.to_owned(), writable::sum(&json!(false)));
    } else if !item.digest.is_empty() {
        // One that came back and was lost again before it was read keeps the mark.
        gone.applied.remove(PUBLISHED_FIELD);
    }
    rows::put_item(tx, source, &gone).await?;
    let Some(before) = before else { return Ok(None) };
    let mut after = before.clone();
    after.published = false;
    after.sheet.progress_status = before.sheet.progress_status.or(Some(Progress::ToReview));
    let languages = &app.settings.content_languages;
    let change = Change { by, at: app.now(), reason: Some("import"), languages };
    let undo = Undo {
        version: before.version,
        trace_revision: before.trace_revision,
        applied: item.applied,
        published: before.published,
    };
    let title = before.sheet.title.best("fr").to_owned();
    parcours::save(tx, &before, after, None, change).await?;
    let mut line = ImportLine::new(key, &title, ImportOutcome::Gone, vec![ImportNote::new("import/gone")]);
    (line.parcours_id, line.undo) = (item.parcours_id, Some(undo));
    Ok(Some(line))
}

/// The POIs of the source that it no longer has, and that no run reported yet. `items` is what it has of items, where that is known: points among them.
/// Equipment of a Geotrek is named with its list (`signage 12`); it is not looked for.
async fn pois_gone(
    app: &App,
    run: &ImportRun,
    source: &Stored<ImportSourceSheet>,
    items: Option<&[String]>,
) -> Result<Vec<String>, Halt> {
    let is_geotrek = source.sheet.kind == ImportKind::Geotrek;
    let pois = match source.sheet.kind {
        _ if !pois::takes_pois(&source.sheet) => None,
        // Those that the parcours name are a part of it.
        ImportKind::Jalon => None,
        ImportKind::Geotrek if fetch::is_narrowed(&source.sheet) => None,
        ImportKind::Geotrek => all_ids(app, source, "poi").await?,
        _ => items.map(<[String]>::to_vec),
    };
    let Some(there) = pois else { return Ok(Vec::new()) };
    let there: HashSet<String> = there.into_iter().collect();
    let known = rows::numbers_without(app.store.read(), CompanionKind::Poi, run.source_id, GONE).await?;
    let is_equipment = |number: &String| is_geotrek && number.contains(' ');
    Ok(known.into_iter().filter(|number| !is_equipment(number) && !there.contains(number)).collect())
}

/// Whether each of these items was imported, or waits for an answer.
async fn all_known(app: &App, run: &ImportRun, there: &[String]) -> Result<bool, Internal> {
    for names in there.chunks(500) {
        let known = rows::items(app.store.read(), run.source_id, names).await?;
        if names.iter().any(|name| known.get(name).is_none_or(|item| item.state == ItemState::Gone)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether the server has items that a run should have read and did not: its pages were not whole, or its list changed between two of them. Those that a
/// run refused are asked for again where they change.
async fn has_unread(app: &App, run: &ImportRun, there: &[String]) -> Result<bool, Internal> {
    if app.shared::<ImportCache>().is_cut_off(run.id) {
        return Ok(true);
    }
    let db = app.store.read();
    for names in there.chunks(500) {
        let known = rows::items(db, run.source_id, names).await?;
        // A run that asked for all has read each of them with its settings.
        let is_old = |item: &ImportItem| {
            run.since.is_none()
                && item.state == ItemState::Linked
                && !item.recipe.is_empty()
                && item.recipe != run.recipe
        };
        let is_read = |name: &&String| known.get(*name).is_some_and(|item| !is_old(item));
        let unread: Vec<String> = names.iter().filter(|name| !is_read(name)).cloned().collect();
        let refused = rows::refused_among(db, run.source_id, &unread).await?;
        if unread.iter().any(|name| !refused.contains(name)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The items that were gone and that the server lists again. Asked for its changes alone, it does not send one whose date is the same as before.
async fn back(app: &App, run: &ImportRun, there: &[String]) -> Result<Vec<ImportItem>, Internal> {
    let mut found = Vec::new();
    for names in there.chunks(500) {
        let known = rows::items(app.store.read(), run.source_id, names).await?;
        found.extend(known.into_values().filter(|item| item.state == ItemState::Gone));
    }
    Ok(found)
}

/// What the source has today, and what it shows as deleted. The first is `None` where it is not known: this server did not read every
/// page of the source in this run, or the only page says that the source has more items than it gives.
async fn there(
    app: &App,
    run: &ImportRun,
    source: &Stored<ImportSourceSheet>,
) -> Result<(Option<Vec<String>>, Vec<String>), Halt> {
    if source.sheet.kind.is_server() {
        return Ok((all_ids(app, source, "trek").await?, Vec::new()));
    }
    if !run.page.is_empty() {
        let cache = app.shared::<ImportCache>();
        return Ok((cache.met(run.id), cache.deleted(run.id)));
    }
    let At::Page(held) = page(app, run, source).await? else { return Ok((None, Vec::new())) };
    let package = &held.package;
    // One that gave nothing is reported as empty, whatever it counts.
    let gave_some = part_of(package).is_some_and(|(given, _)| given > 0);
    let items = || (0..package.len()).map(|index| package.id(index).to_owned()).collect();
    let there = (package.is_whole() && !gave_some).then(items);
    Ok((there, package.deleted().to_vec()))
}
