//! The points of a source of features (GeoJSON, Shapefile, GeoPackage, a table): POIs of the white-label, where the source takes them.

use std::collections::BTreeMap;

use app::App;
use app::markup::as_plain;
use app::problem::Internal;
use domain::Text;
use domain::imports::{
    ForcePublished, ImportKind, ImportMode, ImportNote, ImportSourceSheet, ImportTarget, list_of_target,
};
use domain::sit::SitRecord;
use feeds::MediaKind;
use feeds::incoming::{Found, ImportedMedia, ImportedPoi, ImportedRoute, Package, words_of};
use jobs::{Failure, Lease};
use store::imports::{self as rows, CompanionKind, ImportRun};
use store::record::Stored;

use super::fetch::{At, page, page_after, page_done};
use super::mapped::{addresses, is_absent, joined, key_of, rules_of, samples};
use super::pois::{self, Public};
use super::prepare::note_of;
use super::work::{ImportCache, author, commit, fail, on};

/// Items of one step: their pictures are fetched with them.
const BATCH: usize = 25;

/// Whether the points of sources of a kind may become POIs.
pub(super) const fn has_places(kind: ImportKind) -> bool {
    matches!(kind, ImportKind::Files | ImportKind::Features | ImportKind::Directus)
}

/// Whether the points of a source become POIs.
pub(super) const fn takes_places(sheet: &ImportSourceSheet) -> bool {
    sheet.takes_pois && has_places(sheet.kind)
}

/// A point as a POI, and what the mapping shows of it.
#[derive(Debug)]
pub(super) struct Place {
    pub poi: ImportedPoi,
    /// The fields of the source, with the beginning of their values.
    pub fields: BTreeMap<String, String>,
    /// Words for our lists.
    pub words: BTreeMap<(&'static str, String), Text>,
    /// Why it is not taken.
    pub refused: Option<ImportNote>,
    /// The fields of the POI whose columns no item of the source has: they stay as they are.
    pub absent: Vec<&'static str>,
}

/// Reads an item that is a point, by the mapping of its source. None for a line. Of two items with one name the second is refused.
pub(super) fn read(package: &Package, index: usize, sheet: &ImportSourceSheet) -> Option<Result<Place, ImportNote>> {
    let position = package.position(index)?;
    let route = match package.read(index, &BTreeMap::new()) {
        Ok(route) => route,
        Err(refused) => return Some(Err(note_of(&refused))),
    };
    let mut place = place(&route, position, sheet);
    place.absent = absent(package, sheet);
    if package.is_repeated(index) {
        place.refused = Some(ImportNote::new("import/repeated-id"));
    }
    Some(Ok(place))
}

fn place(route: &ImportedRoute, position: [f64; 2], sheet: &ImportSourceSheet) -> Place {
    use ImportTarget as T;
    let record = SitRecord { id: route.id.clone(), position: Some(position), ..SitRecord::default() };
    let media = route.media.clone();
    let mut poi = ImportedPoi { record, categories: Vec::new(), themes: Vec::new(), media };
    let mut words = BTreeMap::new();
    for rule in rules_of(sheet) {
        let found: Vec<&Found> = rule.from.iter().filter_map(|from| route.fields.get(from)).collect();
        if found.is_empty() {
            continue;
        }
        let text = |between: &str| joined(&found, between, &|words: &str| words.trim().to_owned());
        let line = || Some(text(" ").best("fr").to_owned()).filter(|words| !words.is_empty());
        let record = &mut poi.record;
        match rule.to {
            T::Title => record.name = text(" "),
            T::Summary => record.short = text("\n\n"),
            T::Description => record.long = text("\n\n"),
            T::Opening => record.opening = text("\n"),
            T::BookingUrl => record.booking_url = line(),
            T::Street => record.address.street = line(),
            T::Postcode => record.address.postcode = line(),
            T::City => record.address.city = line(),
            T::Phone => record.phones.extend(line()),
            T::Email => record.emails.extend(line()),
            T::Website => record.websites.extend(line()),
            T::Photos => poi.media.extend(addresses(&found).into_iter().map(picture)),
            T::PoiCategory => {
                poi.categories = found.iter().flat_map(|found| words_of(found)).collect();
                let list = list_of_target(T::PoiCategory).map_or("", |list| list.as_str());
                words.extend(poi.categories.iter().map(|word| ((list, key_of(word)), word.label.clone())));
            }
            // A POI has none of these.
            T::Subtitle
            | T::AudioGuide
            | T::Copyright
            | T::Practice
            | T::Level
            | T::Themes
            | T::Tags
            | T::Markings
            | T::Shape
            | T::Distance
            | T::Duration
            | T::Departure
            | T::Arrival => {}
        }
    }
    words.retain(|(_, key), _| !key.is_empty());
    let is_named = poi.record.name.iter().any(|(_, name)| !as_plain(name).is_empty());
    let refused = (!is_named).then(|| ImportNote::new("import/no-title"));
    Place { poi, fields: samples(route), words, refused, absent: Vec::new() }
}

/// The fields of a POI of which the items of a source have no column any more.
fn absent(package: &Package, sheet: &ImportSourceSheet) -> Vec<&'static str> {
    let rules = rules_of(sheet);
    let (lost, read): (Vec<_>, Vec<_>) = rules
        .iter()
        .filter(|rule| !rule.from.is_empty())
        .partition(|rule| is_absent(rule, &|field: &str| package.has_field(field)));
    let is_read = |field: &&str| read.iter().any(|rule| fields_of(rule.to).contains(field));
    lost.iter().flat_map(|rule| fields_of(rule.to)).copied().filter(|field| !is_read(field)).collect()
}

/// The fields of a POI that a target fills. Without a description a POI is not distributed.
const fn fields_of(target: ImportTarget) -> &'static [&'static str] {
    use ImportTarget as T;
    match target {
        T::Title => &["title"],
        T::Summary | T::Description => &["description", "distribute"],
        T::BookingUrl => &["booking_url"],
        T::Photos => &["media_ids"],
        T::PoiCategory => &["category_ids"],
        T::Street | T::Postcode | T::City => &["address"],
        T::Phone => &["phone"],
        T::Email => &["email"],
        T::Website => &["website"],
        T::Opening => &["opening"],
        _ => &[],
    }
}

/// A picture at an address.
pub(super) fn picture(url: String) -> ImportedMedia {
    let none = Text::default;
    ImportedMedia { kind: MediaKind::Image, url, legend: none(), alt: none(), author: None, licence: None }
}

/// Makes POIs of some of the points, after the routes.
pub(super) async fn step(
    app: &App,
    lease: &Lease,
    run: &ImportRun,
    source: &Stored<ImportSourceSheet>,
) -> Result<(), Failure> {
    let held = match page(app, run, source).await {
        Ok(At::Page(held)) => held,
        Ok(At::Same(_)) => return on(app, lease, run.clone(), "links", "").await,
        Err(halt) => return fail(app, lease, run, halt.note()?).await,
    };
    let mut run = run.clone();
    if run.page_sum != held.sum {
        // The page changed: what was made of it already is found unchanged.
        run.at = 0;
        run.page_sum.clone_from(&held.sum);
    }
    let (from, len) = (run.at as usize, held.package.len());
    let to = (from + BATCH).min(len);
    let (package, sheet) = (held.package.clone(), source.sheet.clone());
    let read = tokio::task::spawn_blocking(move || {
        // Those that are refused are in the report already, since the items were read.
        let places = (from..to).filter_map(|index| read(&package, index, &sheet)?.ok());
        places.filter(|place| place.refused.is_none()).collect::<Vec<_>>()
    });
    let read = read.await.map_err(Internal::new)?;
    let meanings = pois::meanings(app, &source.sheet).await?;
    let by = author(&run, source);
    for Place { poi, absent, .. } in read {
        // Refused when the items were read: the one of the earlier page is the POI.
        if app.shared::<ImportCache>().has_imported_point(&run, &poi.record.id) {
            continue;
        }
        let public = Public {
            publishes: source.sheet.force_published == ForcePublished::Published,
            distributes: source.sheet.distribute_own,
            keeps: &absent,
        };
        let known = rows::source_record(app.store.read(), CompanionKind::Poi, run.source_id, &poi.record.id).await?;
        // A POI that was deleted here is not imported again.
        if known.as_ref().is_none_or(|known| known.is_here)
            && pois::one(app, lease, &run, (source, public), &meanings, (poi, known), by).await?
        {
            run.counts.pois += 1;
        }
    }
    run.at = to as i64;
    let begun = run.clone();
    if to >= len {
        if let Some(next) = page_after(app, &begun, &source.sheet, &held) {
            (run.page, run.page_sum, run.at) = (next, String::new(), 0);
        } else {
            (run.phase, run.page, run.page_sum, run.at) = ("links".to_owned(), String::new(), String::new(), 0);
        }
    }
    commit(lease, app.store.begin().await?, &run).await?;
    if to >= len {
        page_done(app, &begun, &source.sheet, &held);
        app.shared::<ImportCache>().note_imported_points(&held);
    }
    Ok(())
}

/// In a dry run: how many of these POIs are not here yet.
pub(super) async fn new_ones(app: &App, run: &ImportRun, places: &[&Place]) -> Result<i64, Internal> {
    let mut count = 0;
    if run.mode == ImportMode::Dry {
        for place in places.iter().filter(|place| place.refused.is_none()) {
            let known =
                rows::source_record(app.store.read(), CompanionKind::Poi, run.source_id, &place.poi.record.id).await?;
            count += i64::from(known.is_none());
        }
    }
    Ok(count)
}
