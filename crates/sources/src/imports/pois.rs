//! The POIs of a server: those that the parcours of another Jalon server name, or those of a Geotrek server whose source takes them.
//! They are imported with the parcours and updated when they change there. What an editor changed here is kept; a POI that was
//! deleted here is not imported again. Three phases of a run, each by small steps: `near` asks a Geotrek server which POIs it
//! shows along each trek, `pois` imports them page by page (then signage and infrastructure), `links` adds them to the parcours.

use std::collections::{BTreeMap, HashMap, HashSet};

use app::App;
use domain::imports::{ForcePublished, ImportKind, ImportNote, ImportOutcome, ImportSourceSheet};
use domain::record::Kind;
use domain::vocabulary::VocabularyKind;
use domain::{PoiSheet, UserId};
use feeds::incoming::{GeotrekEquipment, ImportedPoi, Word};
use jobs::{Failure, Lease};
use serde_json::json;
use store::StoreError;
use store::imports::{self as rows, CompanionKind, ImportItem, ImportLine, ImportRun, SourceRecord, WithLinks};
use store::poi::Pois;
use store::record::Stored;

use super::beside::{self, Arrived, item_of};
use super::halt::or_note;
use super::mapped::Meanings;
use super::media::{List, show};
use super::prepare::{sum_of, wanted_of};
use super::work::{author, commit, fail, finish, on};
use super::{desks, fetch, places};
use crate::sit_record::{safe, said, texts};

/// The most pages of POIs of one server.
const MAX_PAGES: usize = 1_000;
/// The most media of one POI.
pub(super) const MAX_MEDIA: usize = 10;
/// Parcours of one step.
const BATCH: u32 = 25;

const LIST: List = List { name: "poi_ids", kind: Kind::Poi, of: |sheet| &mut sheet.poi_ids };

/// Whether the runs of a source import POIs.
pub(super) fn takes_pois(sheet: &ImportSourceSheet) -> bool {
    match sheet.kind {
        ImportKind::Jalon => true,
        ImportKind::Geotrek => sheet.takes_pois && (sheet.url.is_some() || sheet.file.is_some()),
        _ => places::takes_places(sheet),
    }
}

/// Whether the runs of a source import signage and infrastructure: not from an address that narrows what is shown, because they are along no trek.
pub(super) fn takes_equipment(sheet: &ImportSourceSheet) -> bool {
    sheet.kind == ImportKind::Geotrek && sheet.takes_equipment && takes_pois(sheet) && !fetch::is_narrowed(sheet)
}

/// Where the phase `pois` is: `2` is a page of POIs, `signage 2` one of signage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct At {
    of: Option<GeotrekEquipment>,
    page: usize,
}

impl At {
    fn read(page: &str) -> Self {
        let (list, page) = page.split_once(' ').unwrap_or(("", page));
        let of = GeotrekEquipment::ALL.into_iter().find(|of| of.list() == list);
        Self { of, page: page.parse().unwrap_or(1) }
    }

    fn written(self) -> String {
        self.of.map_or_else(|| self.page.to_string(), |of| format!("{} {}", of.list(), self.page))
    }

    /// What is read after this page; none after the last list.
    fn next(self, sheet: &ImportSourceSheet, has_more: bool) -> Option<Self> {
        if has_more && self.page < MAX_PAGES {
            return Some(Self { page: self.page + 1, ..self });
        }
        let next = match self.of {
            None => takes_equipment(sheet).then_some(GeotrekEquipment::Infrastructure),
            Some(GeotrekEquipment::Infrastructure) => Some(GeotrekEquipment::Signage),
            Some(GeotrekEquipment::Signage) => None,
        };
        next.map(|of| Self { of: Some(of), page: 1 })
    }
}

/// The first phase of what comes beside the routes of a source that takes POIs.
pub(super) fn first_phase(sheet: &ImportSourceSheet) -> &'static str {
    if sheet.kind == ImportKind::Geotrek { "desks" } else { "pois" }
}

/// Asks a Geotrek server which POIs it shows along some of its treks. Those along a trek that did not change are asked again where the
/// server has another number of POIs than were read before.
pub(super) async fn near(
    app: &App,
    lease: &Lease,
    run: &ImportRun,
    source: &Stored<ImportSourceSheet>,
) -> Result<(), Failure> {
    let db = app.store.read();
    if !matches!(run.page.as_str(), "all" | "new") {
        let known = rows::records_known(db, CompanionKind::Poi, run.source_id).await?;
        let there = match fetch::count(app, source, "poi").await {
            Ok(there) => there,
            Err(halt) => return fail(app, lease, run, halt.note()?).await,
        };
        let page = if there == Some(known) { "new" } else { "all" };
        return on(app, lease, run.clone(), "near", page).await;
    }
    let items = rows::linked_after(db, run.source_id, &run.page_sum, BATCH).await?;
    let Some(last) = items.last().map(|item| item.item.clone()) else {
        return on(app, lease, run.clone(), "pois", "1").await;
    };
    let mut found = BTreeMap::new();
    for item in items {
        let Some(trek) = item.said.get("number").filter(|_| run.page == "all" || !item.said.contains_key("pois"))
        else {
            continue;
        };
        match fetch::pois_along(app, source, trek).await {
            Ok(pois) => found.insert(item.item.clone(), pois.join(",")),
            Err(halt) => return fail(app, lease, run, halt.note()?).await,
        };
    }
    let mut run = run.clone();
    run.page_sum = last;
    let tx = app.store.begin().await?;
    for (name, pois) in found {
        let Some(mut item) = rows::item(&tx, run.source_id, &name).await? else { continue };
        if item.said.insert("pois".to_owned(), pois.clone()).as_ref() != Some(&pois) {
            rows::put_item(&tx, run.source_id, &item).await?;
        }
    }
    commit(lease, tx, &run).await.map(|_| ())
}

/// Imports a page of POIs.
pub(super) async fn step(
    app: &App,
    lease: &Lease,
    run: &ImportRun,
    source: &Stored<ImportSourceSheet>,
) -> Result<(), Failure> {
    let db = app.store.read();
    let kind = source.sheet.kind;
    if !kind.is_server() {
        return places::step(app, lease, run, source).await;
    }
    // None where all POIs of the server are wanted.
    let is_part = kind == ImportKind::Jalon || fetch::is_narrowed(&source.sheet);
    let wanted = if is_part { Some(beside::all_named(app, run.source_id, "pois").await?) } else { None };
    if wanted.as_ref().is_some_and(HashSet::is_empty) {
        return on(app, lease, run.clone(), "links", "").await;
    }
    let at = At::read(&run.page);
    let read = match at.of {
        Some(of) => fetch::equipment(app, source, of, at.page).await,
        None => fetch::pois(app, source, at.page).await,
    };
    let read = match or_note(read)? {
        Ok(read) => read,
        Err(note) if kind == ImportKind::Geotrek => return fail(app, lease, run, note).await,
        Err(note) => return unread(app, lease, run, &note).await,
    };
    let meanings = meanings(app, &source.sheet).await?;
    let by = author(run, source);
    let mut run = run.clone();
    let mut words = BTreeMap::new();
    for poi in read.pois {
        if wanted.as_ref().is_some_and(|wanted| !wanted.contains(&poi.record.id)) {
            continue;
        }
        if kind == ImportKind::Geotrek {
            words.extend(poi.categories.iter().map(|word| {
                ((VocabularyKind::PoiCategory.as_str(), domain::imports::word_key(&word.key)), word.label.clone())
            }));
        }
        let known = rows::source_record(db, CompanionKind::Poi, run.source_id, &poi.record.id).await?;
        let is_draft = read.drafts.contains(&poi.record.id);
        let public = Public {
            publishes: source.sheet.force_published == ForcePublished::Published && !is_draft,
            // Equipment is for those who look after the ways.
            distributes: source.sheet.distribute_own && at.of.is_none(),
            keeps: &[],
        };
        // A POI that was deleted here is not imported again; its pictures are not fetched.
        if known.as_ref().is_none_or(|known| known.is_here)
            && one(app, lease, &run, (source, public), &meanings, (poi, known), by).await?
        {
            run.counts.pois += 1;
        }
    }
    let tx = app.store.begin().await?;
    rows::add_words(&tx, run.source_id, &words).await?;
    let refused = read.refused.into_iter().map(|(number, note)| {
        let item = item_of(CompanionKind::Poi, &number);
        ImportLine::new(&item, &item, ImportOutcome::Refused, vec![note])
    });
    beside::add_once(&tx, &mut run, refused.collect()).await?;
    if let Some(next) = at.next(&source.sheet, read.has_more) {
        run.page = next.written();
    } else {
        (run.phase, run.page, run.page_sum) = ("links".to_owned(), String::new(), String::new());
    }
    commit(lease, tx, &run).await.map(|_| ())
}

/// What the words of POIs mean.
pub(super) async fn meanings(app: &App, sheet: &ImportSourceSheet) -> Result<Meanings, StoreError> {
    let mut lists = store::vocabulary::list(app.store.read(), VocabularyKind::PoiCategory).await?;
    lists.extend(store::vocabulary::list(app.store.read(), VocabularyKind::PoiTheme).await?);
    Ok(Meanings::of(&sheet.values, sheet.kind.as_str(), &lists))
}

/// The POIs of another Jalon server cannot be read: the parcours that name some say so, and the run ends.
async fn unread(app: &App, lease: &Lease, run: &ImportRun, note: &ImportNote) -> Result<(), Failure> {
    let mut walk = WithLinks::of(run.source_id);
    while let Some(items) = walk.next(app.store.read()).await? {
        let tx = app.store.begin().await?;
        for item in items {
            if let Some(line) = rows::line_of(&tx, run.id, &item.item).await? {
                rows::add_notes(&tx, line.id, line.notes.into_iter().chain([note.clone().on("poi_ids")])).await?;
            }
        }
        lease.hold(&tx).await?;
        tx.commit().await?;
    }
    on(app, lease, run.clone(), "links", "").await
}

/// Adds the POIs to the parcours that name them, and the contacts of their information desks.
pub(super) async fn link(
    app: &App,
    lease: &Lease,
    run: &ImportRun,
    source: &Stored<ImportSourceSheet>,
) -> Result<(), Failure> {
    let (db, by) = (app.store.read(), author(run, source));
    let here = rows::records_of_source(db, CompanionKind::Poi, run.source_id).await?;
    let contacts = rows::records_of_source(db, CompanionKind::Contact, run.source_id).await?;
    let mut walk = WithLinks::of(run.source_id);
    while let Some(items) = walk.next(db).await? {
        for item in items {
            link_one(app, lease, run, &item, [&here, &contacts], by).await?;
        }
    }
    finish(app, lease, run).await
}

/// Adds what one item names to its parcours, if that is not there: `here` are the POIs of its source and its contacts, by their numbers there.
async fn link_one(
    app: &App,
    lease: &Lease,
    run: &ImportRun,
    item: &ImportItem,
    [here, contacts]: [&HashMap<String, i64>; 2],
    by: Option<UserId>,
) -> Result<(), Failure> {
    let ids: Vec<i64> = beside::named(item, "pois").filter_map(|number| here.get(number).copied()).collect();
    let contact = beside::named(item, desks::LIST).find_map(|number| contacts.get(number).copied());
    let (has_pois, is_bound) = (LIST.holds(item, &ids), desks::is_bound(item, contact));
    if has_pois && is_bound {
        return Ok(());
    }
    let tx = app.store.begin().await?;
    // The parcours is read again, because an editor may have saved it while the POIs were fetched.
    if !has_pois && let Some(item) = rows::item(&tx, run.source_id, &item.item).await? {
        show(app, &tx, run, item, (&LIST, ids), by).await?;
    }
    if !is_bound && let Some(item) = rows::item(&tx, run.source_id, &item.item).await? {
        desks::bind(app, &tx, run.source_id, item, contact, by).await?;
    }
    lease.hold(&tx).await?;
    tx.commit().await?;
    Ok(())
}

/// What a new POI is to the public, and the fields that an import leaves as they are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Public<'a> {
    pub publishes: bool,
    pub distributes: bool,
    pub keeps: &'a [&'static str],
}

/// Creates a POI, or updates it. Whether something changed.
pub(super) async fn one(
    app: &App,
    lease: &Lease,
    run: &ImportRun,
    (source, public): (&Stored<ImportSourceSheet>, Public<'_>),
    meanings: &Meanings,
    (poi, known): (ImportedPoi, Option<SourceRecord>),
    by: Option<UserId>,
) -> Result<bool, Failure> {
    let number = poi.record.id.clone();
    let categories = terms(meanings, VocabularyKind::PoiCategory, &poi.categories);
    // A word may get another meaning in the mapping; those of another Jalon server are ours.
    let mapped = if source.sheet.kind == ImportKind::Jalon { String::new() } else { format!(" {categories:?}") };
    let digest = sum_of(format!("{poi:?} {:?}{mapped}", public.distributes).as_bytes());
    if known.as_ref().is_some_and(|known| known.digest == digest) {
        return Ok(false);
    }
    let mut media_ids = Vec::new();
    let mut lacks_some = false;
    let access = fetch::access(app, source).await?;
    for wanted in wanted_of(&poi.media).into_iter().take(MAX_MEDIA) {
        // A picture that cannot be fetched does not keep the POI from being imported.
        match super::media::one(app, lease, run.white_label_id, by, &wanted, access.clone()).await? {
            Ok(id) if !media_ids.contains(&id) => media_ids.push(id),
            Ok(_) => {}
            Err(note) => lacks_some |= super::media::is_passing(&note),
        }
    }
    let languages = app.settings.content_languages.clone();
    let terms = [
        ("category_ids", categories),
        ("theme_ids", terms(meanings, VocabularyKind::PoiTheme, &poi.themes)),
        ("media_ids", media_ids),
    ];
    let cleaned = tokio::task::spawn_blocking(move || {
        let patch = said(&safe(poi.record), &languages);
        let described =
            languages.first().is_some_and(|first| !patch["description"][first].as_str().unwrap_or("").is_empty());
        (patch, described)
    });
    let (mut patch, described) = cleaned.await.map_err(Failure::internal)?;
    patch.extend(terms.into_iter().map(|(field, ids)| (field.to_owned(), json!(ids))));
    patch.insert("distribute".to_owned(), json!(public.distributes && described));
    patch.retain(|field, _| !public.keeps.contains(&field.as_str()));
    let mut row = known.unwrap_or_else(|| SourceRecord { number, ..SourceRecord::default() });
    // Without a digest it is looked at again by the next run.
    row.digest = if lacks_some { String::new() } else { digest };
    let mut blank: Stored<PoiSheet> = Stored::blank(Some(run.white_label_id), app.now());
    blank.published = public.publishes;
    let is_whole = |sheet: &PoiSheet| !sheet.title.is_empty() && sheet.location.is_some();
    let arrived = Arrived { of: CompanionKind::Poi, row, blank, patch: &patch, texts: &texts(), is_whole };
    beside::write::<Pois>(app, lease, run, arrived, by).await
}

fn terms(meanings: &Meanings, list: VocabularyKind, words: &[Word]) -> Vec<i64> {
    let mut ids: Vec<i64> = words.iter().filter_map(|word| meanings.of_word(list, word).term()).collect();
    let mut seen = HashSet::new();
    ids.retain(|id| seen.insert(*id));
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signage_and_infrastructure_are_read_after_the_pois_where_they_are_wanted() {
        let url = |url: &str| ImportSourceSheet {
            kind: ImportKind::Geotrek,
            url: Some(url.to_owned()),
            takes_pois: true,
            takes_equipment: true,
            ..ImportSourceSheet::default()
        };
        let whole = url("https://g.example");
        let after = |page: &str, has_more| At::read(page).next(&whole, has_more).map(At::written);
        assert_eq!(after("1", true), Some("2".to_owned()));
        assert_eq!(after("2", false), Some("infrastructure 1".to_owned()));
        assert_eq!(after("infrastructure 1", true), Some("infrastructure 2".to_owned()));
        assert_eq!(after("infrastructure 2", false), Some("signage 1".to_owned()));
        assert_eq!(after("signage 1", false), None);
        for sheet in [
            url("https://g.example/?portals=2"),
            ImportSourceSheet { takes_equipment: false, ..whole.clone() },
            ImportSourceSheet { takes_pois: false, ..whole.clone() },
            ImportSourceSheet { kind: ImportKind::Jalon, ..whole.clone() },
        ] {
            assert_eq!(At::read("2").next(&sheet, false), None, "{sheet:?}");
        }
    }
}
