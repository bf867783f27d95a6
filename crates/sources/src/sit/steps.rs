//! Imports the records of a page, some hundreds at a time. An unchanged record costs a comparison; the others are read on a thread for
//! blocking work and written in one transaction.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use app::App;
use app::problem::Internal;
use domain::Text;
use domain::imports::{ImportNote, ImportOutcome, ImportState, word_key};
use domain::sit::{SitKind, SitSourceSheet};
use domain::vocabulary::VocabularyKind;
use feeds::incoming::Word;
use feeds::incoming::sit::{SitPackage, columns_of};
use jobs::{Failure, Lease};
use store::imports::{self as runs, ImportLine, ImportRun};
use store::record::Stored;
use store::sit::{self as rows, Known, Missing, NewRecord};
use store::{StoreError, Tx};

use super::clean::name_and_place;
use super::fetch::{At, Held, SitCache, page};
use super::follow;
use crate::imports::mapped::{Meaning, Meanings};
use crate::imports::prepare::{note_of, sum_of};
use crate::imports::refused_lines::add_lines;
use crate::imports::work::{commit, end, fail};
use crate::sit_record::safe;

/// Items of one step.
const BATCH: usize = 500;
/// What an item that its source shows as deleted is counted under, before its name: no record is called so.
const DELETED: &str = "#deleted ";
/// What an item is counted under that has no name of its own, before its page and its place there.
const PLACE: &str = "#at ";
/// What a run notes that met an item on two of its pages.
const AGAIN: &str = "#again";
/// A source that loses more than this many and half of what it had is rather broken than empty.
const FEW: i64 = 10;

/// What an item turned out to be, before anything is written.
enum Looked {
    /// Unchanged.
    Same,
    /// It cannot be taken.
    Refused(String, ImportNote),
    /// It is new, or changed.
    New(Box<NewRecord>, Vec<ImportNote>),
}

/// What all records of a page are read with.
struct ReadingContext {
    sheet: SitSourceSheet,
    recipe: String,
    meanings: Meanings,
    languages: Vec<String>,
    known: HashMap<String, Known>,
}

/// What a step read.
#[derive(Default)]
struct Read {
    looked: Vec<Looked>,
    words: BTreeMap<String, Text>,
    columns: BTreeMap<String, String>,
}

/// One step of a page.
pub(super) async fn items(
    app: &App,
    lease: &Lease,
    run: &ImportRun,
    source: &Stored<SitSourceSheet>,
) -> Result<(), Failure> {
    let held = match page(app, run, source).await {
        Ok(At::Page(held)) => held,
        // Nothing changed: what is here is what is there.
        Ok(At::Same(known)) => {
            let kept = ImportRun { validators: (known.etag, known.last_modified), ..run.clone() };
            return over(app, lease, app.store.begin().await?, kept, source.id).await;
        }
        Err(halt) => return fail(app, lease, run, halt.note()?).await,
    };
    let mut run = run.clone();
    let package = &held.package;
    let starts_again = run.page_sum != held.sum;
    if starts_again {
        // The page changed: the run starts it again.
        run.at = 0;
        run.page_sum.clone_from(&held.sum);
    }
    run.total = run.total.or(package.total().map(|total| total as i64));
    if run.page.is_empty() && held.next.is_none() {
        // A source that counts more than it gives, and names no other page.
        let counted = package.total().unwrap_or_default();
        run.total = Some((package.len() as u64).max(counted) as i64);
        run.validators = (held.validators.etag.clone(), held.validators.last_modified.clone());
    }
    let from = run.at as usize;
    let at = from..(from + BATCH).min(package.len());
    let ids: Vec<String> = at.clone().map(|index| package.id(index).to_owned()).collect();
    let met =
        if starts_again && run.page.is_empty() { HashSet::new() } else { met_before(app, source.id, &ids).await? };
    // A source that answers every question with the same page has no more pages.
    let repeats_itself = !run.page.is_empty() && from == 0 && !ids.is_empty() && ids.iter().all(|id| met.contains(id));
    let (read, names) = if repeats_itself {
        (Read::default(), vec![AGAIN.to_owned()])
    } else {
        let read = look(app, &run, source, &held, at.clone(), &met).await?;
        let names = names_of(source.sheet.kind, &held, at.clone(), &met, &read.looked);
        (read, names)
    };
    run.at = at.end as i64;
    if at.end >= package.len() || repeats_itself {
        match held.next.clone().filter(|_| !repeats_itself) {
            Some(next) => (run.page, run.page_sum, run.at) = (next, String::new(), 0),
            None => run.phase = "gone".to_owned(),
        }
    }
    write(app, lease, run, source, read, (&names, starts_again && held.page.is_empty())).await
}

/// The items, of these, that the run met before. One that its source showed as deleted was met too.
async fn met_before(app: &App, source: i64, ids: &[String]) -> Result<HashSet<String>, StoreError> {
    let asked: Vec<String> = ids.iter().flat_map(|id| [id.clone(), format!("{DELETED}{id}")]).collect();
    let found = rows::present(app.store.read(), source, &asked).await?;
    Ok(found.iter().map(|name| name.strip_prefix(DELETED).unwrap_or(name).to_owned()).collect())
}

async fn look(
    app: &App,
    run: &ImportRun,
    source: &Stored<SitSourceSheet>,
    held: &Arc<Held>,
    at: Range<usize>,
    met: &HashSet<String>,
) -> Result<Read, Internal> {
    let db = app.store.read();
    let ids: Vec<String> = at.clone().map(|index| held.package.id(index).to_owned()).collect();
    let lists = store::vocabulary::list(db, VocabularyKind::PoiCategory).await?;
    let sheet = source.sheet.clone();
    let context = ReadingContext {
        meanings: Meanings::of(&sheet.values, sheet.kind.as_str(), &lists),
        recipe: run.recipe.clone(),
        languages: app.settings.content_languages.clone(),
        known: rows::known(db, run.source_id, &ids).await?,
        sheet,
    };
    let (package, mut met) = (Arc::clone(&held.package), met.clone());
    let worked = tokio::task::spawn_blocking(move || {
        let mut read = Read::default();
        for index in at {
            let id = package.id(index).to_owned();
            let looked = if met.insert(id.clone()) {
                one(&context, &package, index, &mut read)
            } else {
                Looked::Refused(id, ImportNote::new("import/repeated-id"))
            };
            read.looked.push(looked);
        }
        read
    });
    worked.await.map_err(Internal::new)
}

/// The name of an item that its source shows as deleted. It was read, and its record is absent.
fn deleted(looked: &Looked) -> Option<&str> {
    let Looked::Refused(id, note) = looked else { return None };
    let is_deleted =
        note.code == "sit/not-published" && note.params.get("state").is_some_and(|state| state == "DELETED");
    is_deleted.then_some(id.as_str())
}

/// Looks at one: read only where it changed.
fn one(context: &ReadingContext, package: &SitPackage, index: usize, read: &mut Read) -> Looked {
    let id = package.id(index).to_owned();
    let digest = match package.digest(index) {
        Ok(digest) => digest,
        Err(refused) => return Looked::Refused(id, note_of(&refused)),
    };
    let known = context.known.get(&id);
    if known.is_some_and(|known| known.digest == digest && known.recipe == context.recipe) {
        return Looked::Same;
    }
    if context.sheet.kind == SitKind::Tourinsoft {
        seen_columns(package, index, read);
    }
    let record = match package.read(index, &context.sheet.columns) {
        Ok(record) => safe(record),
        Err(refused) => return Looked::Refused(id, note_of(&refused)),
    };
    let (mut categories, mut notes) = (Vec::new(), Vec::new());
    for word in &record.words {
        let list = VocabularyKind::PoiCategory;
        let named = word.label.iter().map(|(_, label)| word_key(label)).find(|key| !key.is_empty());
        let key = named.unwrap_or_else(|| word_key(&word.key));
        let meaning = context.meanings.of_word(list, &Word { key: word.key.clone(), label: word.label.clone() });
        match meaning.term() {
            Some(term) if !categories.contains(&term) => categories.push(term),
            None if meaning == Meaning::Waiting => {
                notes.push(ImportNote::new("import/word-waits").with("word", word.label.best("fr")).on("category_ids"));
            }
            _ => {}
        }
        read.words.entry(key).or_insert_with(|| word.label.clone());
    }
    // A place with a category needs no mapping of its less precise words.
    if !categories.is_empty() {
        notes.clear();
    }
    if package.is_draft(index) {
        notes.push(ImportNote::new("sit/draft"));
    }
    let none = BTreeMap::new();
    let overrides = known.map_or(&none, |known| &known.overrides);
    let (title, position) = name_and_place(&record, overrides, &context.languages);
    Looked::New(Box::new(NewRecord { record, digest, title, position, categories }), notes)
}

/// The columns of an object, with the beginning of each value.
fn seen_columns(package: &SitPackage, index: usize, read: &mut Read) {
    let columns = package.raw(index).and_then(|raw| columns_of(&raw)).unwrap_or_default();
    for (name, words) in columns {
        let is_kept = |c: &char| !c.is_control() || c.is_whitespace();
        let short = |words: &str, most: usize| words.chars().filter(is_kept).take(most).collect::<String>();
        read.columns.entry(short(&name, 80)).or_insert_with(|| short(&words, 80));
    }
}

/// The names under which the items of a step are counted, each once. One without an identifier, and one whose name an earlier item of its page has, is
/// counted by its place: a page does not overlap itself. One of an earlier page is counted already, and shows that the pages overlap.
fn names_of(kind: SitKind, held: &Held, at: Range<usize>, met: &HashSet<String>, looked: &[Looked]) -> Vec<String> {
    let package = &held.package;
    let deleted: HashSet<&str> = looked.iter().filter_map(deleted).collect();
    let before: HashSet<&str> = (0..at.start).map(|index| package.id(index)).collect();
    let mut on_page = before.clone();
    // The lists of a Geotrek may have the same numbers.
    let is_of_list = |id: &str| kind == SitKind::Geotrek && id.bytes().all(|byte| byte.is_ascii_digit());
    let page = sum_of(held.page.as_bytes());
    let mut names = Vec::with_capacity(at.len());
    for index in at {
        let id = package.id(index);
        let is_repeated = !on_page.insert(id);
        names.push(if met.contains(id) && !before.contains(id) && !is_of_list(id) {
            AGAIN.to_owned()
        } else if is_repeated || id.starts_with('#') {
            format!("{PLACE}{page} {index}")
        } else if deleted.contains(id) {
            format!("{DELETED}{id}")
        } else {
            id.to_owned()
        });
    }
    names
}

/// Writes what was read, and how far the run came, at once.
async fn write(
    app: &App,
    lease: &Lease,
    mut run: ImportRun,
    source: &Stored<SitSourceSheet>,
    read: Read,
    (names, first): (&[String], bool),
) -> Result<(), Failure> {
    let tx = app.store.begin().await?;
    if first {
        rows::clear_seen(&tx, source.id).await?;
    }
    let known = rows::known(&tx, source.id, names).await?;
    let (mut lines, mut records, mut notes_of_each) = (Vec::new(), Vec::new(), Vec::new());
    for looked in read.looked {
        match looked {
            Looked::Same => run.counts.add(None),
            Looked::Refused(item, note) => {
                run.counts.add(Some(ImportOutcome::Refused));
                lines.push(ImportLine::new(&item, &item, ImportOutcome::Refused, vec![note]));
            }
            Looked::New(new, notes) => {
                records.push(*new);
                notes_of_each.push(notes);
            }
        }
    }
    let owner = (source.id, run.white_label_id);
    let numbers = rows::put_records(&tx, owner, &run.recipe, &records, app.now()).await?;
    for (new, notes) in records.iter().zip(notes_of_each) {
        let was = known.get(&new.record.id);
        let outcome = if was.is_some() { ImportOutcome::Updated } else { ImportOutcome::Created };
        run.counts.add(Some(outcome));
        let number = numbers.get(&new.record.id).copied();
        if let Some(number) = number.filter(|_| was.is_some_and(|was| was.poi_id.is_some())) {
            follow::changed(app, &tx, number, run.asked_by.as_ref().map(|(id, _)| *id)).await?;
        }
        let line = ImportLine::new(&new.record.id, new.title.best("fr"), outcome, notes);
        lines.push(ImportLine { record_id: number, ..line });
    }
    add_lines(&tx, &run, lines).await?;
    rows::add_seen(&tx, source.id, names).await?;
    rows::add_words(&tx, source.id, &read.words).await?;
    rows::add_columns(&tx, source.id, &read.columns).await?;
    commit(lease, tx, &run).await.map(|_| ())
}

/// The last step: a record that is absent for the second time is gone.
pub(super) async fn gone(
    app: &App,
    lease: &Lease,
    run: &ImportRun,
    source: &Stored<SitSourceSheet>,
) -> Result<(), Failure> {
    // An export of changes lists the records that are gone; the others are still there.
    let held = match app.shared::<SitCache>().held().filter(|held| held.run == run.id) {
        Some(held) => Some(held),
        None => match page(app, run, source).await {
            Ok(At::Page(held)) => Some(held),
            Ok(At::Same(_)) => None,
            Err(halt) => return fail(app, lease, run, halt.note()?).await,
        },
    };
    let withdrawn = held.as_deref().map_or_else(|| Some(Vec::new()), withdrawn);
    let (all, absent) = rows::absences(app.store.read(), source.id).await?;
    // Each item counts once: pages that overlap have one twice, and lack another.
    let overlaps = !rows::present(app.store.read(), source.id, &[AGAIN.to_owned()]).await?.is_empty();
    let given = rows::seen_total(app.store.read(), source.id).await? - i64::from(overlaps);
    let is_emptied = withdrawn.is_none() && run.counts.total() == 0 && all > 0;
    let counted = counted(run, held.as_deref());
    let is_unsure = overlaps && counted.is_none() && withdrawn.is_none();
    let counted = counted.filter(|counted| *counted > given && withdrawn.is_none());
    // A source that says that it gave a part only is not broken: nothing of it counts as gone.
    if withdrawn.is_none() && counted.is_none() && !is_emptied && absent > FEW && absent * 2 > all {
        let note = ImportNote::new("sit/too-many-gone").with("count", absent.to_string());
        return fail(app, lease, run, note).await;
    }
    let mut run = run.clone();
    let tx = app.store.begin().await?;
    let found: Vec<Missing> = match withdrawn {
        Some(names) => rows::withdraw(&tx, source.id, &names, app.now()).await?,
        // A source that gave nothing, or less than it counts, does not show what is gone; nor does one that counts nothing and whose pages overlap.
        None if is_emptied || is_unsure || counted.is_some() => {
            rows::back(&tx, source.id).await?;
            Vec::new()
        }
        None => rows::missing(&tx, source.id, app.now()).await?,
    };
    let remark = match counted {
        Some(counted) => {
            let note = ImportNote::new("import/source-partial").with("given", given.to_string());
            Some(note.with("counted", counted.to_string()))
        }
        None if is_emptied => Some(ImportNote::new("import/source-empty")),
        None => is_unsure.then(|| ImportNote::new("import/pages-overlap")),
    };
    if let Some(remark) = remark {
        let name = source.sheet.name.as_str();
        let line = ImportLine::new(name, name, ImportOutcome::Kept, vec![remark]);
        runs::add_lines(&tx, run.id, &[line]).await?;
        run.counts.add(Some(ImportOutcome::Kept));
        // The next run reads the source again, and says it again.
        run.validators = (None, None);
    }
    let note = || vec![ImportNote::new("sit/gone")];
    let lines: Vec<ImportLine> = found
        .iter()
        .map(|gone| ImportLine {
            record_id: Some(gone.id),
            ..ImportLine::new(&gone.item, gone.title.best("fr"), ImportOutcome::Gone, note())
        })
        .collect();
    run.counts.gone += lines.len() as i64;
    runs::add_lines(&tx, run.id, &lines).await?;
    over(app, lease, tx, run, source.id).await
}

/// How many items the source counts. An uploaded file that is a part of an answer says so too.
fn counted(run: &ImportRun, last: Option<&Held>) -> Option<i64> {
    if !run.page.is_empty() {
        return run.total;
    }
    last.and_then(|held| held.package.total()).map(|total| total as i64)
}

/// The items that an answer of changes lists as deleted; `None` for a whole answer, where every missing item is gone.
fn withdrawn(held: &Held) -> Option<Vec<String>> {
    (!held.package.is_whole()).then(|| held.package.deleted().to_vec())
}

/// Ends the run in the transaction of its last step.
async fn over(app: &App, lease: &Lease, tx: Tx, mut run: ImportRun, source: i64) -> Result<(), Failure> {
    rows::clear_seen(&tx, source).await?;
    // Pictures that did not come are asked for again.
    rows::enqueue_wanted_pictures(&tx, source, app.now()).await?;
    run.phase = "over".to_owned();
    if runs::advance(&tx, &run).await? {
        end(app, lease, tx, &run, ImportState::Done, None).await?;
    }
    Ok(())
}
