//! Imports the items of a page, a hundred at a time. An unchanged item costs a checksum; the others are read on a thread for blocking work and
//! then written.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use app::App;
use app::markup::as_plain;
use app::problem::Internal;
use content::parcours::compute::planned_as;
use content::parcours::trace::source_key;
use domain::html::plain_line;
use domain::imports::{ImportMode, ImportNote, ImportOutcome, ImportSourceSheet};
use domain::parcours::line::Pace;
use domain::vocabulary::{VocabularyKind, practice_in};
use feeds::incoming::{Names, Package, Refused};
use jobs::{Failure, Lease};
use store::imports::{self as rows, CompanionKind, ImportItem, ImportLine, ImportRun, ItemState};
use store::record::Stored;

use super::apply::{Ctx, Done, apply};
use super::beside::{self, item_of};
use super::fetch::{At, Held, access, name_of, names, next_page, page, page_after, page_done};
use super::halt::Halt;
use super::mapped::{Meanings, is_absent, rules_of};
use super::mapping::terms;
use super::places::{self, Place};
use super::prepare::{Prepared, ReadingContext, Scoring, Unfit, note_of, prepare, sum_of};
use super::work::{ImportCache, author, commit, fail, on};
use super::{refused_lines, renamed, renumbered};

/// Items of one step.
const BATCH: usize = 100;
/// Items of one step whose lines are scored, which takes longer: the progress of the run is shown after each step.
const SCORED_BATCH: usize = 10;

/// What an item turned out to be, before anything is written.
enum Looked {
    /// Unchanged: counted with this outcome.
    Same(Option<ImportOutcome>),
    /// Not asked for in this run.
    Passed,
    /// A point, with its name in the report. It becomes a POI after the routes.
    Place(String, Box<Place>),
    /// It cannot be taken.
    Refused(String, Box<Unfit>),
    /// It is new, or changed.
    New(Box<Prepared>),
}

/// One step of a page.
pub(super) async fn step(
    app: &App,
    lease: &Lease,
    run: &ImportRun,
    source: &Stored<ImportSourceSheet>,
) -> Result<(), Failure> {
    let held = match page(app, run, source).await {
        Ok(At::Page(held)) => held,
        Ok(At::Same(known)) => {
            let validators = (known.etag, known.last_modified);
            return on(app, lease, ImportRun { validators, ..run.clone() }, "media", "").await;
        }
        Err(halt) => return fail(app, lease, run, halt.note()?).await,
    };
    let mut run = run.clone();
    if run.page_sum != held.sum {
        // The page changed: the run starts it again, and finds what was done already unchanged.
        run.at = 0;
        run.page_sum.clone_from(&held.sum);
    }
    run.total = run.total.or(held.package.total().map(|total| total as i64));
    if run.page.is_empty() && next_page(&source.sheet, &held).is_none() {
        run.total = Some(held.package.len() as i64);
        run.validators = (held.validators.etag.clone(), held.validators.last_modified.clone());
    }
    if run.page.is_empty()
        && let Some(until) = held.package.until()
    {
        // The next run asks from the moment of the first page: what changes while the others are read comes then.
        run.validators = (Some(until.to_owned()), None);
    }
    if run.at == 0 && !run.page.is_empty() && app.shared::<ImportCache>().repeats(&held) {
        // A source that answers every question with the same page has no more pages. The next run reads all again.
        app.shared::<ImportCache>().cut_off(run.id);
        (run.phase, run.validators) = (phase_after(run.mode), (None, None));
        return commit(lease, app.store.begin().await?, &run).await.map(|_| ());
    }
    if run.at == 0 {
        renamed::rename(app, lease, &run, &source.sheet, &held.package).await?;
        if let Some(fault) = renumbered::fault(app, &run, &source.sheet, &held.package).await? {
            return fail(app, lease, &run, fault).await;
        }
    }
    let from = run.at as usize;
    let scores = run.mode == ImportMode::Dry && !source.sheet.force_source_geometry && app.region().engine.is_some();
    let to = (from + if scores { SCORED_BATCH } else { BATCH }).min(held.package.len());
    let (looked, remarks) = match look(app, &run, source, &held, from..to, scores).await {
        Ok(looked) => looked,
        Err(halt) => return fail(app, lease, &run, halt.note()?).await,
    };
    run.at = to as i64;
    let (begun, is_last) = (run.clone(), to >= held.package.len());
    if is_last {
        match page_after(app, &begun, &source.sheet, &held) {
            Some(next) => (run.page, run.page_sum, run.at) = (next, String::new(), 0),
            None => run.phase = phase_after(run.mode),
        }
    }
    write(app, lease, run, source, (looked, remarks)).await?;
    if is_last {
        page_done(app, &begun, &source.sheet, &held);
    }
    Ok(())
}

/// The phase of a run after the last page.
fn phase_after(mode: ImportMode) -> String {
    if mode == ImportMode::Real { "gone" } else { "media" }.to_owned()
}

/// A remark on a source as a whole, and what it is about.
type Remark = (String, ImportNote);

/// The columns that the mapping of a source reads and that none of these items has. One that the source never had is left out, unless a rule that a
/// person set reads no other.
async fn missing_columns(
    app: &App,
    source: &Stored<ImportSourceSheet>,
    package: &Package,
) -> Result<Vec<String>, Internal> {
    let rules = rules_of(&source.sheet);
    let has_field = |field: &str| package.has_field(field);
    if rules.iter().flat_map(|rule| &rule.from).all(|from| has_field(from)) {
        return Ok(Vec::new());
    }
    let known = rows::fields(app.store.read(), source.id).await?;
    let mut missing = Vec::new();
    for rule in &rules {
        let is_lost = source.sheet.fields.contains(rule) && is_absent(rule, &has_field);
        let was_met = |from: &String| known.iter().any(|field| field.name == *from);
        missing.extend(rule.from.iter().filter(|from| !has_field(from) && (is_lost || was_met(from))).cloned());
    }
    missing.sort();
    missing.dedup();
    Ok(missing)
}

/// The remarks on a source as a whole: columns that are gone, what was left out of its file, sheets that were not read.
fn remarks_of(source: &ImportSourceSheet, package: &Package, missing: &[String]) -> Vec<Remark> {
    let quoted = |name: &str| format!("\"{name}\"");
    let gone =
        |column: &String| (quoted(column), ImportNote::new("import/column-gone").with("column", column.as_str()));
    let left = |refused: &Refused| {
        let note = note_of(refused);
        // Each remark is about something of its own: a report has one line of it.
        let named = note.params.get("column").or_else(|| note.params.get("sheets"));
        let about = named.map_or_else(|| source.name.clone(), |name| quoted(name));
        (about, note)
    };
    missing.iter().map(gone).chain(package.remarks().iter().map(left)).collect()
}

/// The remark on a table that stops in its last row, with the name of its file: nothing that is missing from it counts as gone.
fn remark_of_cut(source: &ImportSourceSheet, package: &Package) -> Option<Remark> {
    if !package.is_cut() {
        return None;
    }
    let file = Some(name_of(source)).filter(|name| !name.is_empty());
    Some((file.unwrap_or_else(|| source.name.clone()), ImportNote::new("import/last-row-short")))
}

/// Looks at some items: those that changed are read and worked out.
async fn look(
    app: &App,
    run: &ImportRun,
    source: &Stored<ImportSourceSheet>,
    held: &Arc<Held>,
    at: std::ops::Range<usize>,
    scores: bool,
) -> Result<(Vec<Looked>, Vec<Remark>), Halt> {
    let db = app.store.read();
    let ids: Vec<String> = at.clone().map(|index| held.package.id(index).to_owned()).collect();
    let met_before = app.shared::<ImportCache>().met_before(run, &ids);
    let known = rows::items(db, run.source_id, &ids).await?;
    let only = match (run.mode, run.of_run) {
        (ImportMode::Retry, Some(of)) => Some(rows::refused_of(db, of).await?),
        _ => None,
    };
    let (package, recipe) = (Arc::clone(&held.package), run.recipe.clone());
    let (takes_places, sheet) = (places::takes_places(&source.sheet), source.sheet.clone());
    let asked = move |id: &str, item: Option<&ImportItem>| {
        only.as_ref().is_none_or(|only| only.contains(id) || item.is_some_and(|item| item.digest.is_empty()))
    };
    let first = tokio::task::spawn_blocking(move || {
        at.map(|index| {
            let id = package.id(index);
            let item = known.get(id);
            if takes_places && let Some(place) = places::read(&package, index, &sheet) {
                let name = item_of(CompanionKind::Poi, id);
                return (
                    index,
                    Err(match place {
                        Ok(_) if met_before.contains(id) => {
                            Looked::Refused(name, ImportNote::new("import/repeated-id").into())
                        }
                        Ok(place) => Looked::Place(name, place.into()),
                        Err(note) => Looked::Refused(name, note.into()),
                    }),
                );
            }
            if !asked(id, item) {
                return (index, Err(Looked::Passed));
            }
            // Before it is compared: what is stored under its name is the first one's, of this page or of one before.
            if package.is_repeated(index) || met_before.contains(id) {
                let note = ImportNote::new("import/repeated-id");
                return (index, Err(Looked::Refused(id.to_owned(), note.into())));
            }
            let digest = match package.raw(index) {
                Ok(raw) => sum_of(&raw),
                Err(refused) => return (index, Err(Looked::Refused(id.to_owned(), note_of(&refused).into()))),
            };
            let is_same = |item: &ImportItem| item.digest == digest && item.recipe == recipe;
            match item.filter(|item| is_same(item)).map(|item| item.state) {
                Some(ItemState::Linked) => (index, Err(Looked::Same(None))),
                Some(ItemState::ToMerge) => (index, Err(Looked::Same(Some(ImportOutcome::ToMerge)))),
                _ => (index, Ok(digest)),
            }
        })
        .collect::<Vec<_>>()
    });
    let first = first.await.map_err(Internal::new)?;
    let has_news = first.iter().any(|(_, looked)| matches!(looked, Ok(_) | Err(Looked::Place(..))));
    let missing = if has_news { missing_columns(app, source, &held.package).await? } else { Vec::new() };
    let mut remarks = if has_news { remarks_of(&source.sheet, &held.package, &missing) } else { Vec::new() };
    remarks.extend(remark_of_cut(&source.sheet, &held.package));
    if first.iter().all(|(_, looked)| looked.is_err()) {
        return Ok((first.into_iter().filter_map(|(_, looked)| looked.err()).collect(), remarks));
    }
    let names = names(app, held, source).await?;
    let context = ReadingContext { missing, ..context(app, source, &names, scores).await? };
    let (package, fetcher) = (Arc::clone(&held.package), Arc::clone(&app.fetcher));
    let worked = tokio::task::spawn_blocking(move || {
        let read = |(index, looked): (usize, Result<String, Looked>)| match looked {
            Err(looked) => looked,
            Ok(digest) => match prepare(&context, &fetcher, &package, index, digest) {
                Ok(prepared) => Looked::New(Box::new(prepared)),
                Err(unfit) => Looked::Refused(package.id(index).to_owned(), unfit),
            },
        };
        first.into_iter().map(read).collect::<Vec<_>>()
    });
    Ok((worked.await.map_err(Internal::new)?, remarks))
}

async fn context(
    app: &App,
    source: &Stored<ImportSourceSheet>,
    names: &Arc<Names>,
    scores: bool,
) -> Result<ReadingContext, Internal> {
    let db = app.store.read();
    let lists = terms(db).await?;
    let practices = lists.iter().filter(|item| item.kind == VocabularyKind::PracticeType);
    let practices: Vec<_> = practices.map(|item| (item.id.0, planned_as(&practice_in(&lists, item.id)))).collect();
    let paces: HashMap<i64, Pace> = practices.iter().map(|(id, (_, pace))| (*id, *pace)).collect();
    let engine = app.region().engine.clone().filter(|_| scores);
    let scoring = engine.map(|engine| Scoring {
        engine,
        profiles: practices.iter().map(|(id, (profile, _))| (*id, *profile)).collect(),
    });
    Ok(ReadingContext {
        meanings: Meanings::of(&source.sheet.values, source.sheet.kind.as_str(), &lists),
        sheet: source.sheet.clone(),
        paces,
        scoring,
        names: (**names).clone(),
        access: access(app, source).await?,
        languages: app.settings.content_languages.clone(),
        missing: Vec::new(),
        at: app.now(),
    })
}

/// Writes what was worked out, and how far the run came, at once.
async fn write(
    app: &App,
    lease: &Lease,
    mut run: ImportRun,
    source: &Stored<ImportSourceSheet>,
    (looked, remarks): (Vec<Looked>, Vec<Remark>),
) -> Result<(), Failure> {
    let is_dry = run.mode == ImportMode::Dry;
    if !is_dry {
        for line in looked.iter().filter_map(new).filter_map(|prepared| prepared.line.as_ref()) {
            let sha256 = line.trace.summary.source_file.as_ref().map(|file| file.sha256.clone()).unwrap_or_default();
            app.blobs.put(&source_key(&sha256), line.file.clone()).await?;
        }
    }
    let by = author(&run, source);
    let before = run.clone();
    let ctx = Ctx::of(app, &before, &source.sheet, by);
    let points: Vec<&Place> = looked.iter().filter_map(point).collect();
    run.counts.pois += places::new_ones(app, &before, &points).await?;
    let tx = app.store.begin().await?;
    let ids: Vec<String> = looked.iter().filter_map(new).map(|prepared| prepared.item.clone()).collect();
    let mut known = rows::items(&tx, run.source_id, &ids).await?;
    for new in looked.iter().filter_map(new) {
        if let Some(item) = known.get_mut(&new.item) {
            renamed::keep_line(item, new.line.as_ref());
        }
    }
    let (mut lines, mut seen): (Vec<ImportLine>, HashSet<String>) = (Vec::new(), HashSet::new());
    let (mut words, mut fields) = (BTreeMap::new(), BTreeMap::new());
    for looked in looked {
        let (outcome, line): Done = match looked {
            Looked::Passed => continue,
            Looked::Same(outcome) => (outcome, None),
            Looked::Place(item, place) => {
                let Place { poi, fields: met, words: named, refused, .. } = *place;
                words.extend(named);
                for (name, sample) in met {
                    fields.entry(name).or_insert(sample);
                }
                match refused {
                    Some(note) => ctx.refused(&item, &plain_line(&as_plain(poi.record.name.best("fr"))), note),
                    None => continue,
                }
            }
            Looked::Refused(item, unfit) => {
                words.extend(unfit.words);
                for (name, sample) in unfit.fields {
                    fields.entry(name).or_insert(sample);
                }
                ctx.refused(&item, &unfit.title, unfit.note)
            }
            Looked::New(new) => {
                let repeats = !seen.insert(new.item.clone()) || rows::has_line(&tx, ctx.run, &new.item).await?;
                run.counts.unreliable += i64::from(new.is_unreliable);
                words.extend(new.mapped.words.clone());
                for (name, sample) in &new.mapped.fields {
                    fields.entry(name.clone()).or_insert_with(|| sample.clone());
                }
                if repeats {
                    ctx.refused(&new.item, &new.mapped.title(), ImportNote::new("import/repeated-id"))
                } else {
                    apply(&ctx, &tx, &new, known.get(&new.item)).await?
                }
            }
        };
        run.counts.add(outcome);
        lines.extend(line);
    }
    refused_lines::add_lines(&tx, &run, lines).await?;
    let line = |(about, note): Remark| ImportLine::new(&about, &about, ImportOutcome::Kept, vec![note]);
    beside::add_once(&tx, &mut run, remarks.into_iter().map(line).collect()).await?;
    rows::add_words(&tx, run.source_id, &words).await?;
    rows::add_fields(&tx, run.source_id, &fields).await?;
    commit(lease, tx, &run).await.map(|_| ())
}

fn point(looked: &Looked) -> Option<&Place> {
    match looked {
        Looked::Place(_, place) => Some(place),
        _ => None,
    }
}

fn new(looked: &Looked) -> Option<&Prepared> {
    match looked {
        Looked::New(prepared) => Some(prepared),
        _ => None,
    }
}
