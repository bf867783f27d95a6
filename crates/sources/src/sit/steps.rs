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
use store::Tx;
use store::imports::{self as runs, ImportLine, ImportRun};
use store::record::Stored;
use store::sit::{self as rows, Known, Missing, NewRecord};

use super::clean::name_and_place;
use super::fetch::{At, Held, SitCache, page};
use super::follow;
use crate::imports::mapped::{Meaning, Meanings};
use crate::imports::prepare::note_of;
use crate::imports::work::{commit, end, fail};
use crate::sit_record::safe;

/// Items of one step.
const BATCH: usize = 500;
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
        // A source that counts more than it gives, and names no other page. An uploaded file may be a part.
        let counted = package.total().filter(|_| source.sheet.url.is_some()).unwrap_or_default();
        run.total = Some((package.len() as u64).max(counted) as i64);
        run.validators = (held.validators.etag.clone(), held.validators.last_modified.clone());
    }
    let from = run.at as usize;
    let at = from..(from + BATCH).min(package.len());
    let ids: Vec<String> = at.clone().map(|index| package.id(index).to_owned()).collect();
    let met: HashSet<String> = if starts_again && run.page.is_empty() {
        HashSet::new()
    } else {
        rows::present(app.store.read(), source.id, &ids).await?.into_iter().collect()
    };
    // A source that answers every question with the same page has no more pages.
    let repeats_itself = !run.page.is_empty() && from == 0 && !ids.is_empty() && ids.iter().all(|id| met.contains(id));
    let read = if repeats_itself { Read::default() } else { look(app, &run, source, &held, at.clone(), &met).await? };
    run.at = at.end as i64;
    if at.end >= package.len() || repeats_itself {
        match held.next.clone().filter(|_| !repeats_itself) {
            Some(next) => (run.page, run.page_sum, run.at) = (next, String::new(), 0),
            None => run.phase = "gone".to_owned(),
        }
    }
    write(app, lease, run, source, read, (&ids, starts_again && held.page.is_empty())).await
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

/// Writes what was read, and how far the run came, at once.
async fn write(
    app: &App,
    lease: &Lease,
    mut run: ImportRun,
    source: &Stored<SitSourceSheet>,
    read: Read,
    (ids, first): (&[String], bool),
) -> Result<(), Failure> {
    let tx = app.store.begin().await?;
    if first {
        rows::clear_seen(&tx, source.id).await?;
    }
    // An item without an identifier is called by its place, which another item of the next page has too.
    let names: Vec<String> = ids.iter().filter(|id| !id.starts_with('#')).cloned().collect();
    let known = rows::known(&tx, source.id, &names).await?;
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
    runs::add_lines(&tx, run.id, &lines).await?;
    rows::add_seen(&tx, source.id, &names).await?;
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
    let withdrawn = match app.shared::<SitCache>().held().filter(|held| held.run == run.id) {
        Some(held) => withdrawn(&held),
        None => match page(app, run, source).await {
            Ok(At::Page(held)) => withdrawn(&held),
            Ok(At::Same(_)) => Some(Vec::new()),
            Err(halt) => return fail(app, lease, run, halt.note()?).await,
        },
    };
    let (all, absent) = rows::absences(app.store.read(), source.id).await?;
    if withdrawn.is_none() && absent > FEW && absent * 2 > all {
        let note = ImportNote::new("sit/too-many-gone").with("count", absent.to_string());
        return fail(app, lease, run, note).await;
    }
    let mut run = run.clone();
    let met = run.counts.total();
    let is_emptied = withdrawn.is_none() && met == 0 && all > 0;
    let is_part = run.total.is_some_and(|total| total > met);
    let tx = app.store.begin().await?;
    let found: Vec<Missing> = match withdrawn {
        Some(names) => rows::withdraw(&tx, source.id, &names, app.now()).await?,
        // A source that gave nothing, or less than it counts, does not show what is gone.
        None if is_emptied || is_part => {
            rows::back(&tx, source.id).await?;
            Vec::new()
        }
        None => rows::missing(&tx, source.id, app.now()).await?,
    };
    if is_emptied {
        let name = source.sheet.name.as_str();
        let note = vec![ImportNote::new("import/source-empty")];
        runs::add_lines(&tx, run.id, &[ImportLine::new(name, name, ImportOutcome::Kept, note)]).await?;
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

/// The items that an answer of changes lists as deleted; `None` for a whole answer, where every missing item is gone.
fn withdrawn(held: &Held) -> Option<Vec<String>> {
    (!held.package.is_whole()).then(|| held.package.deleted().to_vec())
}

/// Ends the run in the transaction of its last step.
async fn over(app: &App, lease: &Lease, tx: Tx, mut run: ImportRun, source: i64) -> Result<(), Failure> {
    rows::clear_seen(&tx, source).await?;
    run.phase = "over".to_owned();
    if runs::advance(&tx, &run).await? {
        end(app, lease, tx, &run, ImportState::Done, None).await?;
    }
    Ok(())
}
