//! The POIs that the parcours of another Jalon server name: they are imported with these parcours and updated when they change
//! there. What an editor changed here is kept; a POI that was deleted here is not imported again.

use std::collections::HashSet;

use app::App;
use domain::imports::{ForcePublished, ImportKind, ImportNote, ImportSourceSheet};
use domain::vocabulary::VocabularyKind;
use domain::{PoiSheet, UserId};
use feeds::incoming::{ImportedPoi, Word};
use jobs::{Failure, Lease};
use serde_json::{Map, Value, json};
use store::imports::{self as rows, ImportItem, ImportRun, SourcePoi};
use store::poi::Pois;
use store::record::{self as records, Change, Stored};

use super::mapped::Meanings;
use super::media::{List, show};
use super::prepare::{sum_of, wanted_of};
use super::work::author;
use super::{fetch, writable};
use crate::sit_record::{filled, safe, said, texts};

/// The most pages of POIs of one server.
const MAX_PAGES: usize = 1_000;
/// The most media of one POI.
const MAX_MEDIA: usize = 10;

const LIST: List = List { name: "poi_ids", of: |sheet| &mut sheet.poi_ids };

/// Imports the POIs that the parcours of the source name, and adds them to these parcours.
pub(super) async fn link(
    app: &App,
    lease: &Lease,
    run: &ImportRun,
    source: &Stored<ImportSourceSheet>,
) -> Result<(), Failure> {
    if source.sheet.kind != ImportKind::Jalon {
        return Ok(());
    }
    let items = rows::with_pois(app.store.read(), run.source_id).await?;
    let wanted: HashSet<String> = items.iter().flat_map(named).map(str::to_owned).collect();
    let by = author(run, source);
    let failure = bring(app, lease, run, source, &wanted, by).await?.err();
    let here = rows::pois_of_source(app.store.read(), run.source_id).await?;
    for item in items {
        let ids: Vec<i64> = named(&item).filter_map(|number| here.get(number).copied()).collect();
        if failure.is_none() && LIST.holds(&item, &ids) {
            continue;
        }
        let tx = app.store.begin().await?;
        if let Some(note) = &failure
            && let Some(line) = rows::line_of(&tx, run.id, &item.item).await?
        {
            rows::add_notes(&tx, line.id, line.notes.into_iter().chain([note.clone().on("poi_ids")])).await?;
        }
        // The parcours is read again, because an editor may have saved it while the POIs were fetched.
        if let Some(item) = rows::item(&tx, run.source_id, &item.item).await? {
            show(app, &tx, run, item, (&LIST, ids), by).await?;
        }
        lease.hold(&tx).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// The POIs that an item names, by their numbers on the other server.
fn named(item: &ImportItem) -> impl Iterator<Item = &str> {
    item.said.get("pois").into_iter().flat_map(|numbers| numbers.split(','))
}

/// Reads the POIs of the other server page by page, and imports those that are wanted.
async fn bring(
    app: &App,
    lease: &Lease,
    run: &ImportRun,
    source: &Stored<ImportSourceSheet>,
    wanted: &HashSet<String>,
    by: Option<UserId>,
) -> Result<Result<(), ImportNote>, Failure> {
    let Some(url) = source.sheet.url.as_deref().filter(|_| !wanted.is_empty()) else { return Ok(Ok(())) };
    let db = app.store.read();
    let mut lists = store::vocabulary::list(db, VocabularyKind::PoiCategory).await?;
    lists.extend(store::vocabulary::list(db, VocabularyKind::PoiTheme).await?);
    let here = rows::pois_of_source(db, run.source_id).await?;
    let meanings = Meanings::of(&[], source.sheet.kind.as_str(), &lists);
    for page in 1..=MAX_PAGES {
        let (pois, has_more) = match fetch::pois(app, run.source_id, url, page).await? {
            Ok(read) => read,
            Err(note) => return Ok(Err(note)),
        };
        let has_more = has_more && !pois.is_empty();
        for poi in pois.into_iter().filter(|poi| wanted.contains(&poi.record.id)) {
            let known = rows::source_poi(db, run.source_id, &poi.record.id).await?;
            // A POI that was deleted here is not imported again; its pictures are not fetched.
            if known.is_none() || here.contains_key(&poi.record.id) {
                one(app, lease, run, source, &meanings, (poi, known), by).await?;
            }
        }
        if !has_more {
            break;
        }
    }
    Ok(Ok(()))
}

/// Creates a POI, or updates it.
async fn one(
    app: &App,
    lease: &Lease,
    run: &ImportRun,
    source: &Stored<ImportSourceSheet>,
    meanings: &Meanings,
    (poi, known): (ImportedPoi, Option<SourcePoi>),
    by: Option<UserId>,
) -> Result<(), Failure> {
    let number = poi.record.id.clone();
    let digest = sum_of(format!("{poi:?} {:?}", source.sheet.distribute_own).as_bytes());
    if known.as_ref().is_some_and(|known| known.digest == digest) {
        return Ok(());
    }
    let mut media_ids = Vec::new();
    for wanted in wanted_of(&poi.media).into_iter().take(MAX_MEDIA) {
        // A picture that cannot be fetched does not keep the POI from being imported.
        if let Ok(id) = super::media::one(app, lease, run.white_label_id, by, &wanted).await?
            && !media_ids.contains(&id)
        {
            media_ids.push(id);
        }
    }
    let languages = app.settings.content_languages.clone();
    let terms = [
        ("category_ids", terms(meanings, VocabularyKind::PoiCategory, &poi.categories)),
        ("theme_ids", terms(meanings, VocabularyKind::PoiTheme, &poi.themes)),
        ("media_ids", media_ids),
    ];
    let distribute = source.sheet.distribute_own;
    let cleaned = tokio::task::spawn_blocking(move || {
        let patch = said(&safe(poi.record), &languages);
        let described =
            languages.first().is_some_and(|first| !patch["description"][first].as_str().unwrap_or("").is_empty());
        (patch, described)
    });
    let (mut patch, described) = cleaned.await.map_err(Failure::internal)?;
    patch.extend(terms.into_iter().map(|(field, ids)| (field.to_owned(), json!(ids))));
    patch.insert("distribute".to_owned(), json!(distribute && described));
    let mut written = known.unwrap_or_else(|| SourcePoi { number, ..SourcePoi::default() });
    written.digest = digest;
    write(app, lease, run, source, written, &patch, by).await
}

fn terms(meanings: &Meanings, list: VocabularyKind, words: &[Word]) -> Vec<i64> {
    let mut ids: Vec<i64> = words.iter().filter_map(|word| meanings.of_word(list, word).term()).collect();
    let mut seen = HashSet::new();
    ids.retain(|id| seen.insert(*id));
    ids
}

async fn write(
    app: &App,
    lease: &Lease,
    run: &ImportRun,
    source: &Stored<ImportSourceSheet>,
    mut written: SourcePoi,
    patch: &Map<String, Value>,
    by: Option<UserId>,
) -> Result<(), Failure> {
    let languages = &app.settings.content_languages;
    let change = Change { by, at: app.now(), reason: Some("import"), languages };
    let tx = app.store.begin().await?;
    let is_new = written.poi_id == 0;
    let before: Stored<PoiSheet> = if is_new {
        Stored::blank(Some(run.white_label_id), app.now())
    } else {
        match records::lock::<Pois>(&tx, written.poi_id).await? {
            Some(before) => before,
            None => return Ok(()),
        }
    };
    let texts = texts();
    let stands = serde_json::to_value(&before.sheet).unwrap_or_default();
    let patch = writable::unlocked(&texts, patch, &stands, &written.applied, &mut Vec::new());
    let (sheet, patch) = filled(&before.sheet, &patch, languages);
    if sheet.title.is_empty() || sheet.location.is_none() {
        return Ok(());
    }
    let now = serde_json::to_value(&sheet).unwrap_or_default();
    writable::remember(&texts, &patch, &now, &mut written.applied);
    let mut after = Stored { sheet, ..before.clone() };
    if is_new {
        after.published = source.sheet.force_published == ForcePublished::Published;
        written.poi_id = records::insert::<Pois>(&tx, after, change).await?.id;
    } else if after.sheet != before.sheet {
        records::save::<Pois>(&tx, &before, after, change).await?;
    }
    rows::put_source_poi(&tx, run.source_id, &written).await?;
    lease.hold(&tx).await?;
    tx.commit().await?;
    Ok(())
}
