//! Records that a source brings beside its routes (POIs, contacts): written, updated without replacing what an editor changed, taken back.

use std::collections::HashSet;

use app::App;
use domain::UserId;
use domain::imports::{ImportNote, ImportOutcome};
use jobs::{Failure, Lease};
use serde_json::{Map, Value};
use store::imports::{self as rows, CompanionKind, ImportItem, ImportLine, ImportRun, SourceRecord, WithLinks};
use store::record::{self as records, Change, Record, Stored};
use store::{StoreError, Tx};

use super::work::commit;
use super::{refused_lines, writable};
use crate::sit_record::filled;

/// Records of one step of taking a run back.
const BATCH: u32 = 25;

/// What is known of a record that a source brings.
pub(super) struct Arrived<'a, S> {
    /// Which list it is of.
    pub of: CompanionKind,
    /// Its row, with the checksum of what came now.
    pub row: SourceRecord,
    /// The empty record that the patch fills, where there is none yet.
    pub blank: Stored<S>,
    /// What the source says of it.
    pub patch: &'a Map<String, Value>,
    /// Names of its fields with a text per language.
    pub texts: &'a [&'a str],
    /// Whether a sheet has all that a record needs.
    pub is_whole: fn(&S) -> bool,
}

/// Makes a record, or updates it. Whether something changed.
pub(super) async fn write<R: Record>(
    app: &App,
    lease: &Lease,
    run: &ImportRun,
    arrived: Arrived<'_, R::Sheet>,
    by: Option<UserId>,
) -> Result<bool, Failure> {
    let Arrived { of, mut row, blank, patch, texts, is_whole } = arrived;
    let languages = &app.settings.content_languages;
    let change = Change { by, at: app.now(), reason: Some("import"), languages };
    let tx = app.store.begin().await?;
    let is_new = row.id == 0;
    let before = if is_new {
        blank
    } else {
        match records::lock::<R>(&tx, row.id).await? {
            Some(before) => before,
            None => return Ok(false),
        }
    };
    let stands = serde_json::to_value(&before.sheet).unwrap_or_default();
    let patch = writable::unlocked(texts, patch, &stands, &row.applied, &mut Vec::new());
    let (sheet, patch) = filled(&before.sheet, &patch, languages);
    if !is_whole(&sheet) {
        return Ok(false);
    }
    let now = serde_json::to_value(&sheet).unwrap_or_default();
    writable::remember(texts, &patch, &now, &mut row.applied);
    let after = Stored { sheet, ..before.clone() };
    let is_changed = after.sheet != before.sheet;
    if is_new {
        row.id = records::insert::<R>(&tx, after, change).await?.id;
        row.run_id = Some(run.id);
    } else if is_changed {
        records::save::<R>(&tx, &before, after, change).await?;
    }
    rows::put_source_record(&tx, of, run.source_id, &row).await?;
    lease.hold(&tx).await?;
    tx.commit().await?;
    Ok(is_new || is_changed)
}

/// Takes back the records of a list that a run made, some a step: those that a person changed since, or that something uses, stay. Whether
/// there are more.
pub(super) async fn undo<R: Record>(
    app: &App,
    lease: &Lease,
    run: &ImportRun,
    (of, run_to_undo): (CompanionKind, i64),
) -> Result<bool, Failure> {
    let made = rows::records_made_by(app.store.read(), of, run.source_id, run_to_undo, BATCH).await?;
    if made.is_empty() {
        return Ok(false);
    }
    let tx = app.store.begin().await?;
    let mut run = run.clone();
    let mut lines = Vec::new();
    for (number, id) in made {
        let Some(now) = records::lock::<R>(&tx, id).await? else {
            rows::drop_source_record(&tx, of, run.source_id, &number).await?;
            continue;
        };
        let note = if records::is_saved_otherwise(&tx, of.kind(), id, 0, "import").await? {
            Some(ImportNote::new("import/edited-since"))
        } else if store::uses::of(&tx, of.kind(), id, 1).await?.total > 0 {
            Some(ImportNote::new("import/in-use"))
        } else {
            None
        };
        if let Some(note) = note {
            rows::keep_source_record(&tx, of, run.source_id, &number).await?;
            let title = R::title(&now.sheet);
            let line = ImportLine::new(&item_of(of, &number), title.best("fr"), ImportOutcome::Kept, vec![note]);
            run.counts.add(Some(line.outcome));
            lines.push(line);
            continue;
        }
        let by = run.asked_by.as_ref().map(|(id, _)| *id);
        let change = Change { by, at: app.now(), reason: Some("import"), languages: &app.settings.content_languages };
        store::binned::remove::<R>(&tx, &now, &[], change).await?;
        rows::drop_source_record(&tx, of, run.source_id, &number).await?;
        *counted(of, &mut run) += 1;
    }
    rows::add_lines(&tx, run.id, &lines).await?;
    commit(lease, tx, &run).await.map(|_| true)
}

/// Adds lines to the report of a run, each once: a run that was continued may have the line of an item already.
pub(super) async fn add_once(tx: &Tx, run: &mut ImportRun, lines: Vec<ImportLine>) -> Result<(), StoreError> {
    let mut new: Vec<ImportLine> = Vec::new();
    for line in lines {
        let is_there = new.iter().any(|other| other.item == line.item);
        if !is_there && !rows::has_line(tx, run.id, &line.item).await? {
            run.counts.add(Some(line.outcome));
            new.push(line);
        }
    }
    refused_lines::add_lines(tx, run, new).await
}

/// The records that an item names in one of its lists (`pois`, `desks`), by their numbers on the other server.
pub(super) fn named<'a>(item: &'a ImportItem, list: &str) -> impl Iterator<Item = &'a str> + use<'a> {
    item.said.get(list).into_iter().flat_map(|numbers| numbers.split(',')).filter(|number| !number.is_empty())
}

/// All that the items of a source name in a list.
pub(super) async fn all_named(app: &App, source: i64, list: &str) -> Result<HashSet<String>, StoreError> {
    let mut all = HashSet::new();
    let mut walk = WithLinks::of(source);
    while let Some(items) = walk.next(app.store.read()).await? {
        all.extend(items.iter().flat_map(|item| named(item, list)).map(str::to_owned));
    }
    Ok(all)
}

/// The count of a run that these records are counted in.
pub(super) fn counted(of: CompanionKind, run: &mut ImportRun) -> &mut i64 {
    match of {
        CompanionKind::Poi => &mut run.counts.pois,
        CompanionKind::Contact => &mut run.counts.contacts,
    }
}

/// The name of a record in a report, apart from those of routes.
pub(super) fn item_of(of: CompanionKind, number: &str) -> String {
    match of {
        CompanionKind::Poi => format!("poi {number}"),
        CompanionKind::Contact => format!("desk {number}"),
    }
}
