//! Runs of sources. A run advances by small steps. Each step is one transaction with the records, the progress of the run
//! and the lease of its job: a server that continues for a stopped one misses nothing and writes nothing twice.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use app::background_thread::BackgroundThread;
use app::problem::Internal;
use app::worker::reason_of;
use app::{App, audit};
use domain::audit::{Action, Detail, Who};
use domain::imports::{ImportKind, ImportMode, ImportNote, ImportSourceSheet, ImportState};
use domain::record::Kind;
use domain::{DAY_S, UserId, WhiteLabelId};
use jobs::{Enqueue, Failure, Lease};
use serde::{Deserialize, Serialize};
use store::imports::{self as rows, ImportRun, ImportSources, NewRun, ScheduledSource};
use store::record::Stored;
use store::{StoreError, Tx};

use super::archive::OpenArchive;
use super::fetch::Held;
use super::prepare::sum_of;
use super::{desks, inventory, items, mail, matching, media, missing, places, pois, refused_lines, undo};

/// How long a scheduled run waits for another run of the same source, seconds.
pub(crate) const OTHER_RUN_S: i64 = 60;

/// The author of what a run writes: who started the run, or else who changed the source last.
pub(super) fn author(run: &ImportRun, source: &Stored<ImportSourceSheet>) -> Option<UserId> {
    run.asked_by.as_ref().or(source.updated_by.as_ref()).map(|(id, _)| *id)
}

/// What this server keeps in memory for the runs it works on. It is only a cache: another server, or this one after a restart, fetches
/// the page again.
#[derive(Debug)]
pub struct ImportCache {
    /// The thread that lays lines on the network.
    thread: BackgroundThread,
    /// The page that the last step worked on, already parsed.
    held: Mutex<Option<Arc<Held>>>,
    /// The archive that the last step read.
    archive: Mutex<Option<Arc<OpenArchive>>>,
    /// The addresses of the pages that a phase of a run has done here: a source that leads back to one of them has no more pages.
    done: Mutex<DonePages>,
    /// The items that runs met on their pages, by run: between two pages another run takes its turn.
    met: Mutex<HashMap<i64, MetItems>>,
    /// How many pictures in a row did not come from a host, by job and host.
    silent: Mutex<HashMap<(i64, String), u32>>,
}

/// Pictures in a row that a host does not answer for, after which a job asks it for no more.
const MAX_SILENT: u32 = 5;
/// Hosts whose silence is in memory at once.
const MAX_SILENT_HOSTS: usize = 1_000;

/// Runs whose items are in memory at once. Those that went on at another server are dropped with the others.
const MAX_MET: usize = 20;

/// The items of the pages of a run, from the first one on.
#[derive(Debug, Default)]
struct MetItems {
    /// Each once, however often pages that overlap have it.
    ids: Vec<String>,
    /// The same, to look one up.
    known: HashSet<String>,
    /// How many items the pages had (of a tourist source its records, routes or not), those of an earlier page left out. One that a page has twice counts twice: a page does not overlap itself.
    given: u64,
    /// Whether a page had an item of an earlier one.
    overlaps: bool,
    /// How many its source counts, where the last page says so.
    total: Option<u64>,
    /// The page that is to come; none after the last one.
    next: Option<String>,
    /// Whether each page has all items of its source: a part of them does not show which are gone.
    is_whole: bool,
    /// The items that a page shows as deleted.
    deleted: Vec<String>,
    /// The records of the pages of a tourist source, routes or not: it counts all of them.
    records: HashSet<String>,
    /// The items of the pages whose points became POIs.
    imported_points: HashSet<String>,
}

#[derive(Debug, Default)]
struct DonePages {
    /// The run and its phase.
    of: (i64, String),
    addresses: HashSet<String>,
}

impl Default for ImportCache {
    fn default() -> Self {
        let thread = BackgroundThread::new("imports");
        let (held, archive) = (Mutex::default(), Mutex::default());
        Self { thread, held, archive, done: Mutex::default(), met: Mutex::default(), silent: Mutex::default() }
    }
}

impl ImportCache {
    pub(super) fn thread(&self) -> &BackgroundThread {
        &self.thread
    }

    pub(super) fn held(&self) -> Option<Arc<Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn hold(&self, held: Option<Arc<Held>>) {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = held;
    }

    pub(super) fn archive(&self) -> Option<Arc<OpenArchive>> {
        self.archive.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn hold_archive(&self, archive: Option<Arc<OpenArchive>>) {
        *self.archive.lock().unwrap_or_else(PoisonError::into_inner) = archive;
    }

    /// Whether a run has done a page in its present phase, as far as this server knows.
    pub(super) fn has_done(&self, run: &ImportRun, address: &str) -> bool {
        let done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        done.of == (run.id, run.phase.clone()) && done.addresses.contains(address)
    }

    /// Notes a page that a run has done.
    pub(super) fn done(&self, run: &ImportRun, address: &str) {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        let of = (run.id, run.phase.clone());
        if done.of != of {
            *done = DonePages { of, addresses: HashSet::new() };
        }
        done.addresses.insert(address.to_owned());
    }

    /// Notes the items of a page that a run has done, and the page after it. Those of a run that another server began are not known. `is_named`: the
    /// page before this one said that there is one, so that it has items.
    pub(super) fn meet(&self, held: &Held, next: Option<String>, is_named: bool) {
        let mut all = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        if held.page.is_empty() {
            if all.len() >= MAX_MET {
                all.clear();
            }
            all.insert(held.run, MetItems { is_whole: true, ..MetItems::default() });
        } else if all.get(&held.run).is_none_or(|met| met.next.as_ref() != Some(&held.page)) {
            all.remove(&held.run);
            return;
        }
        let met = all.entry(held.run).or_default();
        let package = &held.package;
        let ids: Vec<&str> = (0..package.len()).map(|index| package.id(index)).collect();
        // An item without an identifier is called by its place, which one of another page has too.
        let is_again = |known: &HashSet<String>, id: &str| !id.starts_with('#') && known.contains(id);
        let again = match package.record_ids() {
            Some(records) => {
                let records: Vec<&str> = records.collect();
                let again = records.iter().filter(|id| is_again(&met.records, id)).count();
                met.records.extend(records.into_iter().map(str::to_owned));
                again
            }
            None => ids.iter().filter(|id| is_again(&met.known, id)).count(),
        };
        for id in ids {
            if met.known.insert(id.to_owned()) {
                met.ids.push(id.to_owned());
            }
        }
        met.deleted.extend_from_slice(package.deleted());
        let (count, total) = package.records();
        met.given += (count - again) as u64;
        met.overlaps |= again > 0;
        let given = met.given;
        met.total = total;
        // A source that counts its items gave some of them on no page. Of one that does not count them, pages that overlap may lack others.
        let lacks_some = next.is_none() && total.map_or(met.overlaps, |total| total > given);
        let is_cut_off = is_named && count == 0 && total.is_none_or(|total| total > given);
        met.is_whole &= package.is_whole() && !lacks_some && !is_cut_off;
        met.next = next;
    }

    /// The items of all pages of a run. None where this server did not read each of them, to the last.
    pub(super) fn met(&self, run: i64) -> Option<Vec<String>> {
        let all = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(&run).filter(|met| met.next.is_none() && met.is_whole).map(|met| met.ids.clone())
    }

    /// The items that a page of a run shows as deleted and that none of its pages has. Empty where this server did not read them to the last.
    pub(super) fn deleted(&self, run: i64) -> Vec<String> {
        let all = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(met) = all.get(&run).filter(|met| met.next.is_none()) else { return Vec::new() };
        met.deleted.iter().filter(|id| !met.known.contains(*id)).cloned().collect()
    }

    /// How many items the pages of a run had and how many its source counts, where it counts more. None where this server did not read them to the last.
    pub(super) fn part(&self, run: i64) -> Option<(u64, u64)> {
        let all = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        let met = all.get(&run).filter(|met| met.next.is_none())?;
        met.total.filter(|total| *total > met.given).map(|total| (met.given, total))
    }

    /// Whether a page of a run had an item of an earlier one, at a source that does not count its items. False where this server did not read them to
    /// the last.
    pub(super) fn overlaps(&self, run: i64) -> bool {
        let all = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(&run).is_some_and(|met| met.next.is_none() && met.total.is_none() && met.overlaps)
    }

    /// The items, of these, that were on earlier pages of a run, as far as this server knows.
    pub(super) fn met_before(&self, run: &ImportRun, ids: &[String]) -> HashSet<String> {
        let all = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        // The first page is read anew: what is known is of an earlier reading.
        let met = all.get(&run.id).filter(|_| !run.page.is_empty());
        met.map_or_else(HashSet::new, |met| ids.iter().filter(|id| met.known.contains(*id)).cloned().collect())
    }

    /// Notes the items of a page whose points became POIs. Those of a run whose items another server read are not known.
    pub(super) fn note_imported_points(&self, held: &Held) {
        let mut all = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(met) = all.get_mut(&held.run) else { return };
        if held.page.is_empty() {
            met.imported_points.clear();
        }
        met.imported_points.extend((0..held.package.len()).map(|index| held.package.id(index).to_owned()));
    }

    /// Whether the points of an earlier page, with this item, became POIs, as far as this server knows.
    pub(super) fn has_imported_point(&self, run: &ImportRun, item: &str) -> bool {
        let all = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        // The first page is read anew: what is known is of an earlier reading.
        all.get(&run.id).is_some_and(|met| !run.page.is_empty() && met.imported_points.contains(item))
    }

    /// Whether a page has nothing but items that its run met on the pages before it, as far as this server knows.
    pub(super) fn repeats(&self, held: &Held) -> bool {
        let all = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(met) = all.get(&held.run).filter(|_| !held.package.is_empty()) else { return false };
        (0..held.package.len()).all(|index| met.known.contains(held.package.id(index)))
    }

    /// Notes that the pages of a run do not have all items of its source.
    pub(super) fn cut_off(&self, run: i64) {
        let mut all = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(met) = all.get_mut(&run) {
            (met.next, met.is_whole) = (None, false);
        }
    }

    /// Whether this server read the pages of a run to the last, and some items of its source were on none of them.
    pub(super) fn is_cut_off(&self, run: i64) -> bool {
        let all = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(&run).is_some_and(|met| met.next.is_none() && !met.is_whole)
    }

    /// Whether a job asks a host for no more pictures.
    pub(super) fn is_silent(&self, job: i64, host: &str) -> bool {
        let silent = self.silent.lock().unwrap_or_else(PoisonError::into_inner);
        silent.get(&(job, host.to_owned())).is_some_and(|count| *count >= MAX_SILENT)
    }

    /// Lets a job that is tried again ask every host.
    pub(crate) fn ask_again(&self, job: i64) {
        let mut silent = self.silent.lock().unwrap_or_else(PoisonError::into_inner);
        silent.retain(|(of, _), _| *of != job);
    }

    /// Notes whether a host answered a job that asked it for a picture.
    pub(super) fn answered(&self, job: i64, host: &str, has_answered: bool) {
        let mut silent = self.silent.lock().unwrap_or_else(PoisonError::into_inner);
        let of = (job, host.to_owned());
        if has_answered {
            silent.remove(&of);
            return;
        }
        if silent.len() >= MAX_SILENT_HOSTS {
            silent.clear();
        }
        *silent.entry(of).or_default() += 1;
    }

    /// Whether the page that a run is at is in memory.
    pub(crate) fn has_page_of(&self, run: &ImportRun) -> bool {
        self.held().is_some_and(|held| held.run == run.id && held.page == run.page)
    }

    /// Drops what is in memory for a run.
    pub(crate) fn forget(&self, run: i64) {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).take_if(|held| held.run == run);
        self.hold_archive(None);
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        if done.of.0 == run {
            *done = DonePages::default();
        }
        self.met.lock().unwrap_or_else(PoisonError::into_inner).remove(&run);
    }
}

/// Which run.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Run {
    pub(crate) run: i64,
}

/// Runs a source of routes or of tourist records; `import_job` says how.
pub struct RunSource;

/// Begins a run. None while another run of the same source is working.
pub(super) async fn begin(
    app: &App,
    source: &Stored<ImportSourceSheet>,
    mode: ImportMode,
    of_run: Option<i64>,
    asked_by: Option<UserId>,
) -> Result<Option<i64>, Internal> {
    let tx = app.store.begin().await?;
    let made = begin_in(app, &tx, source, mode, of_run, asked_by).await?;
    if made.is_some() {
        enqueue_refresh(app, &tx, source.into()).await?;
    }
    tx.commit().await?;
    Ok(made)
}

pub(crate) async fn begin_in(
    app: &App,
    tx: &Tx,
    source: &Stored<ImportSourceSheet>,
    mode: ImportMode,
    of_run: Option<i64>,
    asked_by: Option<UserId>,
) -> Result<Option<i64>, Internal> {
    let Some(white_label_id) = source.white_label_id else { return Ok(None) };
    // Locked, so that of two requests at once one begins a run.
    store::record::lock::<ImportSources>(tx, source.id).await?;
    let recipe = recipe_of(&source.sheet);
    let since = match (mode, rows::last_complete(tx, Kind::ImportSource, source.id).await?) {
        (ImportMode::Real, Some(last)) if last.recipe == recipe && !rows::has_unread(tx, source.id).await? => {
            match source.sheet.kind {
                // The moment from which to ask next time, which the source sent by its own clock.
                ImportKind::Jalon => last.validators.0,
                // What it did not read would be in no list of changes.
                ImportKind::Geotrek if rows::has_note(tx, last.id, missing::UNREAD).await? => None,
                // One day earlier, because the clock and the time zone of the source may differ from ours.
                _ => Some(last.started_at.plus_s(-DAY_S).day()),
            }
        }
        _ => None,
    };
    let kind = Kind::ImportSource;
    let new = NewRun { kind, source_id: source.id, white_label_id, mode, of_run, asked_by, recipe, since };
    let Some(id) = rows::start(tx, &new, app.now()).await? else { return Ok(None) };
    if mode == ImportMode::Undo {
        let who = Who { user: asked_by, structure: None };
        audit::done(app, tx, who, Action::ImportUndone, audit::on::<ImportSources>(source), Detail::None).await?;
    }
    enqueue(app, tx, id, white_label_id, asked_by).await?;
    Ok(Some(id))
}

/// Enqueues the job of a run that begins or is to stop.
pub(crate) async fn enqueue(
    app: &App,
    tx: &Tx,
    run: i64,
    white_label: WhiteLabelId,
    asked_by: Option<UserId>,
) -> Result<(), StoreError> {
    let job = Enqueue::<RunSource>::new(Run { run }).unique(run).of_white_label(white_label).asked_by(asked_by);
    job.put(tx, app.now()).await.map(|_| ())
}

/// Enqueues the job that runs a source again once its time has come.
pub(crate) async fn enqueue_refresh(app: &App, tx: &Tx, source: ScheduledSource) -> Result<(), StoreError> {
    let Some(every_s) = source.schedule.every_s() else { return Ok(()) };
    rows::enqueue_refresh(tx, source, app.now().plus_s(every_s), app.now()).await
}

/// Checksum of the settings that decide how an item is imported: when it differs, unchanged items are imported again.
fn recipe_of(sheet: &ImportSourceSheet) -> String {
    /// Grows when this version of Jalon makes something else of the same bytes.
    const EDITION: u32 = 10;
    // The archive of a Geotrek is one file of many items, as its server is one address: what did not change in it is not imported again.
    let file = sheet.file.as_ref().filter(|_| sheet.kind != ImportKind::Geotrek).map(|file| &file.sha256);
    let mut parts = serde_json::json!([
        EDITION,
        sheet.kind,
        sheet.url,
        sheet.distribute_own,
        sheet.force_published,
        sheet.force_source_geometry,
        sheet.fields,
        sheet.values,
        file,
    ]);
    // Whether points are refused or become POIs; sources of another kind keep the checksum that they had.
    if let (true, Some(parts)) = (places::takes_places(sheet), parts.as_array_mut()) {
        parts.push("pois".into());
    }
    sum_of(parts.to_string().as_bytes())
}

/// One step of a run.
pub(crate) async fn one_step(app: &App, lease: &Lease, run: &ImportRun) -> Result<(), Failure> {
    let source = store::record::load::<ImportSources>(app.store.read(), run.source_id).await?;
    let Some(source) = source else {
        return fail(app, lease, run, ImportNote::new("import/source-gone")).await;
    };
    match run.phase.as_str() {
        "undo" => undo::step(app, lease, run).await,
        "gone" => missing::step(app, lease, run, &source).await,
        "media" => media::step(app, lease, run, &source).await,
        "desks" => desks::step(app, lease, run, &source).await,
        "left" => inventory::list(app, lease, run, &source).await,
        "near" => pois::near(app, lease, run, &source).await,
        "pois" => pois::step(app, lease, run, &source).await,
        "links" => pois::link(app, lease, run, &source).await,
        _ => items::step(app, lease, run, &source).await,
    }
}

/// Commits a step with how far the run came. False when the run has ended meanwhile: nothing is written.
pub(crate) async fn commit(lease: &Lease, tx: Tx, run: &ImportRun) -> Result<bool, Failure> {
    if !rows::advance(&tx, run).await? {
        return Ok(false);
    }
    match run.total {
        // It fails where the lease is lost, as `Lease::hold` does.
        Some(total) => {
            let done = run.counts.total();
            lease.progress_in(&tx, done, total.max(done)).await?;
        }
        None => lease.hold(&tx).await?,
    }
    tx.commit().await?;
    Ok(true)
}

/// Goes on to another part of a run, or to another page of one.
pub(super) async fn on(app: &App, lease: &Lease, mut run: ImportRun, phase: &str, page: &str) -> Result<(), Failure> {
    (run.phase, run.page, run.page_sum, run.at) = (phase.to_owned(), page.to_owned(), String::new(), 0);
    commit(lease, app.store.begin().await?, &run).await.map(|_| ())
}

/// Ends a run that came to its end.
pub(crate) async fn finish(app: &App, lease: &Lease, run: &ImportRun) -> Result<(), Failure> {
    end(app, lease, app.store.begin().await?, run, ImportState::Done, None).await
}

/// Ends a run that cannot go on, and notifies the people in charge. Its job is dead with the same reason.
pub(crate) async fn fail(app: &App, lease: &Lease, run: &ImportRun, failure: ImportNote) -> Result<(), Failure> {
    end(app, lease, app.store.begin().await?, run, ImportState::Failed, Some(&failure)).await?;
    Err(Failure::Final(reason_of(&failure)))
}

/// Ends a run in the transaction of its last step.
pub(crate) async fn end(
    app: &App,
    lease: &Lease,
    tx: Tx,
    run: &ImportRun,
    state: ImportState,
    failure: Option<&ImportNote>,
) -> Result<(), Failure> {
    let mails = end_in(app, &tx, run, state, failure).await?;
    lease.hold(&tx).await?;
    tx.commit().await?;
    tracing::info!(run = run.id, state = state.as_str(), counts = ?run.counts, ?failure, "an import ended");
    app::mail::flush(app, &mails).await;
    Ok(())
}

/// Ends a run in a transaction. Enqueues the mail that reports its failure, and the job that lays its lines on the network.
pub(crate) async fn end_in(
    app: &App,
    tx: &Tx,
    run: &ImportRun,
    state: ImportState,
    failure: Option<&ImportNote>,
) -> Result<Vec<i64>, StoreError> {
    let (mut run, more) = (run.clone(), refused_lines::line_of_more(tx, run).await?);
    if let Some(line) = &more {
        run.counts.add(Some(line.outcome));
    }
    if !rows::finish(tx, &run, state, failure, app.now()).await? {
        return Ok(Vec::new());
    }
    rows::add_lines(tx, run.id, more.as_slice()).await?;
    if run.kind == Kind::ImportSource {
        matching::enqueue(app, tx, &run).await?;
        // A run that goes on fetches them; one that is cancelled, or followed by another, leaves them to that one.
        if run.mode != ImportMode::Dry && ["items", "gone", "media"].contains(&run.phase.as_str()) {
            let at = if run.phase == "media" { run.at } else { 0 };
            rows::mark_without_media(tx, run.source_id, run.id, at).await?;
        }
    }
    if let Some(failure) = failure
        && let Some(letter) = mail::letter(app, tx, &run, failure).await?
    {
        return Ok(vec![letter.enqueue(app, tx).await?]);
    }
    Ok(Vec::new())
}
