//! Reads the parcours and POIs of a page of a feed from the store, with a few queries for the whole page.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use app::App;
use app::slug::slug;
use content::custom::Shown;
use content::media::{file_address, fitting, translated_address};
use domain::feedback::Rating;
use domain::link::check_link;
use domain::media::{MediaMade, MediaSheet};
use domain::parcours::{Relation, ReliabilityState, Sheet};
use domain::transport_line::TransportLineSheet;
use domain::white_label::custom::CustomValues;
use domain::white_label::{CustomOn, deposit};
use domain::{MediaKind, ParcoursId, PoiSheet, Text, WhiteLabelId};
use feeds::{CustomValue, Feed, Instruction, Media, Origin, Parcours, Poi, Price, Stop, TransportLine};
use serde_json::Value;
use store::feed::ParcoursFeed;
use store::media::Medias;
use store::parcours::{self as rows, Inherited, Stored};
use store::poi::Pois;
use store::record::{self as records, Stored as Record};
use store::transport_line::TransportLines;
use store::{StoreError, feed as found, feedback};
use trace::{Position, rounded_degrees};

use super::facts::Facts;
use crate::visitor_words::{Language, PublicWarning, closed, closures_in, warnings_in};

/// The parts to read beside the sheet. Each costs a query.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wanted {
    pub line: bool,
    pub media: bool,
    /// The lines of public transport at the steps.
    pub transport: bool,
    /// The instructions of the step-by-step guidance.
    pub instructions: bool,
}

impl Wanted {
    /// What the formats of others have.
    pub const FOR_OTHERS: Self = Self { line: true, media: true, transport: false, instructions: false };
    /// Everything.
    pub const ALL: Self = Self { line: true, media: true, transport: true, instructions: true };
}

/// Parcours, in the order of the numbers given. A parent or child that `reach` does not have is not named.
pub async fn parcours(
    app: &App,
    facts: &Facts,
    feed: &Feed,
    reach: &ParcoursFeed,
    ids: &[ParcoursId],
    wanted: Wanted,
) -> Result<Vec<Parcours>, StoreError> {
    let stored = rows::load_many(app.store.read(), ids).await?;
    let mut related = RelatedRows::load(app, facts, feed, reach, &stored, ids, wanted).await?;
    let mut all: Vec<Parcours> = stored.into_iter().map(|one| related.parcours(facts, feed, one)).collect();
    if !ids.is_sorted() {
        let rank: HashMap<i64, usize> = ids.iter().enumerate().map(|(rank, id)| (id.0, rank)).collect();
        all.sort_by_key(|one| rank.get(&one.id).copied());
    }
    Ok(all)
}

/// The rows of other tables for a page of parcours, by the number of the parcours where no other key is named.
struct RelatedRows {
    lines: HashMap<i64, Vec<Position>>,
    media: MediaOfPage,
    /// By the number of the transport line.
    transport: HashMap<i64, TransportLineSheet>,
    instructions: HashMap<i64, Value>,
    /// The children of the parcours of the page and of their parents, by the number of the parent.
    families: HashMap<i64, Vec<i64>>,
    warnings: HashMap<i64, Text>,
    origins: HashMap<i64, found::Origin>,
    ratings: HashMap<i64, Rating>,
    /// By the number of the parent.
    inherited: HashMap<i64, Inherited>,
    custom_fields: Shown,
}

impl RelatedRows {
    /// Reads the rows for all parcours of the page at once. What is not wanted is left empty.
    async fn load(
        app: &App,
        facts: &Facts,
        feed: &Feed,
        reach: &ParcoursFeed,
        stored: &[Stored],
        ids: &[ParcoursId],
        wanted: Wanted,
    ) -> Result<Self, StoreError> {
        let db = app.store.read();
        let media_ids = stored.iter().filter(|_| wanted.media).flat_map(|one| &one.sheet.media_ids).copied().collect();
        let parents: Vec<i64> =
            stored.iter().filter_map(|one| parent(&one.sheet)).chain(ids.iter().map(|id| id.0)).collect();
        Ok(Self {
            lines: if wanted.line { found::lines(db, ids).await? } else { HashMap::new() },
            media: MediaOfPage::of(app, feed, media_ids).await?,
            transport: if wanted.transport { transport_lines(app, facts, stored).await? } else { HashMap::new() },
            instructions: if wanted.instructions { found::instructions(db, ids).await? } else { HashMap::new() },
            // In a box: a page of a feed is awaited in it.
            families: Box::pin(families(app, reach, ids, &parents)).await?,
            warnings: warnings(app, ids).await?,
            origins: found::origins(db, ids).await?,
            ratings: feedback::ratings(db, ids).await?,
            inherited: inherited(app, stored).await?,
            custom_fields: Shown::of(db, stored.iter().map(|one| one.white_label_id)).await?,
        })
    }

    /// One parcours of the page with its rows, which are taken out.
    fn parcours(&mut self, facts: &Facts, feed: &Feed, one: Stored) -> Parcours {
        let custom = custom_values(&self.custom_fields, one.white_label_id, CustomOn::Parcours, &one.sheet.custom);
        let above = one.sheet.parent_id.and_then(|parent| self.inherited.get(&parent).copied()).unwrap_or_default();
        let bike_carriage = one.sheet.bike_carriage.own().or(above.bike_carriage);
        let is_bookable = one.sheet.bookable.is_bookable(above.bookable, one.sheet.booking_url.is_some());
        let id = one.id.0;
        let parts = (self.media.pick(&one.sheet.media_ids), self.lines.remove(&id).unwrap_or_default());
        let stopping = stopping(facts, &one, &self.transport);
        let mut made = parcours_of(facts, feed, one, parts);
        for (stop, lines) in made.stops.iter_mut().zip(stopping) {
            stop.lines = lines;
        }
        made.instructions = self.instructions.remove(&id).map(instructions).unwrap_or_default();
        // A parent of another white-label counts only once it accepted the child.
        let is_child_of = |parent: &i64| self.families.get(parent).is_some_and(|children| children.contains(&id));
        made.parent_id = made.parent_id.filter(is_child_of);
        made.beside = neighbours(&self.families, made.parent_id, id);
        made.children = self.families.get(&id).cloned().unwrap_or_default();
        made.warning = self.warnings.remove(&id).unwrap_or_default();
        made.reviews = self.ratings.get(&id).and_then(|rating| Some((rating.shown()?, rating.reviews)));
        made.bike_carriage = bike_carriage;
        made.booking = made.booking.filter(|_| is_bookable);
        made.price.deposit_percent = made.price.deposit_percent.filter(|_| is_bookable);
        made.custom = custom;
        made.origin = self.origins.remove(&id).map(origin_of);
        made
    }
}

/// The values of the owner's custom fields, in the owner's order. Values of a deleted field are left out.
fn custom_values(fields: &Shown, owner: WhiteLabelId, on: CustomOn, values: &CustomValues) -> Vec<CustomValue> {
    let (mut shown, _) = fields.values(owner, on, values);
    let of_kind = fields.fields(owner).iter().filter(|field| field.on == on);
    let value = |field: &domain::white_label::CustomField| {
        let value = shown.remove(&field.key)?;
        Some(CustomValue { key: field.key.clone(), label: field.label.clone(), kind: field.kind, value })
    };
    of_kind.filter_map(value).collect()
}

/// The lines of public transport at the steps of parcours whose white-labels show public transport, by their numbers.
async fn transport_lines(
    app: &App,
    facts: &Facts,
    stored: &[Stored],
) -> Result<HashMap<i64, TransportLineSheet>, StoreError> {
    let shown = stored.iter().filter(|one| facts.owner(one.white_label_id.0).public_transport);
    let ids: BTreeSet<i64> = shown.flat_map(|one| &one.steps).flat_map(|step| &step.line_ids).copied().collect();
    let ids: Vec<i64> = ids.into_iter().collect();
    let found = records::load_many::<TransportLines>(app.store.read(), &ids).await?;
    Ok(found.into_iter().map(|one| (one.id, one.sheet)).collect())
}

/// The lines that stop at each step of a parcours, as its white-label shows them.
fn stopping(facts: &Facts, one: &Stored, lines: &HashMap<i64, TransportLineSheet>) -> Vec<Vec<Arc<TransportLine>>> {
    let owner = facts.owner(one.white_label_id.0);
    let shown: HashMap<i64, Arc<TransportLine>> = if owner.public_transport {
        let ids: BTreeSet<i64> = one.steps.iter().flat_map(|step| &step.line_ids).copied().collect();
        let shown = |id: i64| {
            let sheet = lines.get(&id)?.shown_by(one.white_label_id.0, owner.tourist_maas);
            Some((id, Arc::new(TransportLine { id, sheet })))
        };
        ids.into_iter().filter_map(shown).collect()
    } else {
        HashMap::new()
    };
    let at = |step: &domain::step::Step| step.line_ids.iter().filter_map(|id| shown.get(id).cloned()).collect();
    one.steps.iter().map(at).collect()
}

/// What parcours take from their parents where they leave it empty, by the number of the parent.
async fn inherited(app: &App, stored: &[Stored]) -> Result<HashMap<i64, Inherited>, StoreError> {
    let heirs =
        stored.iter().filter(|one| one.sheet.bike_carriage.own().is_none() || one.sheet.bookable.own().is_none());
    let parents: BTreeSet<i64> = heirs.filter_map(|one| one.sheet.parent_id).collect();
    rows::inherited_from(app.store.read(), &parents.into_iter().collect::<Vec<_>>()).await
}

/// The parcours it is shown under.
fn parent(sheet: &Sheet) -> Option<i64> {
    sheet.parent_id.filter(|_| sheet.relation.is_child())
}

/// The children of the parcours of a page and of their parents, by the number of the parent. Parents and children that the reader does
/// not reach are left out, also those that the owner of the parent accepted: their numbers would lead nowhere.
async fn families(
    app: &App,
    reach: &ParcoursFeed,
    ids: &[ParcoursId],
    parents: &[i64],
) -> Result<HashMap<i64, Vec<i64>>, StoreError> {
    let db = app.store.read();
    let mut families = found::families(db, parents).await?;
    let here: BTreeSet<i64> = ids.iter().map(|id| id.0).collect();
    let named = families.iter().flat_map(|(parent, children)| std::iter::once(parent).chain(children)).copied();
    let elsewhere: BTreeSet<i64> = named.filter(|id| !here.contains(id)).collect();
    if elsewhere.is_empty() {
        return Ok(families);
    }
    // One more than there can be: the page is not full, so that nothing is counted.
    let limit = elsewhere.len() as u64 + 1;
    let narrowed = ParcoursFeed { ids: Some(elsewhere.into_iter().collect()), under_parents: true, ..reach.clone() };
    let (reached, _) = found::parcours(db, &narrowed, (0, limit)).await?;
    let reached: BTreeSet<i64> = reached.into_iter().map(|id| id.0).chain(here).collect();
    families.retain(|parent, _| reached.contains(parent));
    for children in families.values_mut() {
        children.retain(|child| reached.contains(child));
    }
    Ok(families)
}

fn neighbours(families: &HashMap<i64, Vec<i64>>, parent: Option<i64>, id: i64) -> (Option<i64>, Option<i64>) {
    let Some(siblings) = parent.and_then(|parent| families.get(&parent)) else { return (None, None) };
    let Some(place) = siblings.iter().position(|one| *one == id) else { return (None, None) };
    (place.checked_sub(1).and_then(|before| siblings.get(before)).copied(), siblings.get(place + 1).copied())
}

fn parcours_of(facts: &Facts, feed: &Feed, stored: Stored, (media, line): (Vec<Media>, Vec<Position>)) -> Parcours {
    let Stored { id, sheet, steps, trace, drawing, .. } = stored;
    let main = feed.languages.first().map_or("fr", String::as_str);
    let alone = sheet.relation != Relation::ChildOnly;
    let name = format!("{}-{id}", slug(sheet.title.best(main)));
    // The page and the files beside it are English under `/en`, French elsewhere.
    let prefix = if feed.language.as_deref() == Some("en") { "/en" } else { "" };
    let page = format!("{}{prefix}/p/{name}", feed.base);
    let file = |name: &str| if alone { format!("{page}/trace.{name}") } else { String::new() };
    let trace = trace.as_ref();
    let bookable = sheet.booking_url.as_ref().filter(|url| check_link(url).is_ok());
    let owner = facts.owner(stored.white_label_id.0);
    let deposit = deposit(sheet.deposit_percent, owner.deposit_percent);
    let stop = |step: domain::step::Step| Stop {
        id: step.id,
        kind: step.kind,
        title: step.title,
        description: step.description,
        position: step.position.rounded(),
        at_m: step.at_m,
        distance_to_next_m: step.distance_to_next_m,
        duration_to_next_s: step.duration_to_next_s,
        nights: step.nights,
        practice: facts.term(step.practice_type_id),
        lines: Vec::new(),
    };
    Parcours {
        id: id.0,
        practice: facts.term(sheet.practice_type_id),
        level: facts.term(sheet.level_id),
        ratings: facts.terms(&sheet.special_levels.values().copied().collect::<Vec<_>>()),
        themes: facts.terms(&sheet.theme_ids),
        tags: facts.terms(&sheet.tag_ids),
        markings: facts.terms(&sheet.marking_ids),
        itineraries: facts.itineraries(&sheet.itinerary_ids),
        equipment: facts.terms(&sheet.equipment_ids),
        is_loop: sheet.is_loop,
        is_stay: sheet.is_stay,
        stops: steps.into_iter().map(stop).collect(),
        start: drawing.start.map(|start| start.map(rounded_degrees)),
        bbox: trace.and_then(|trace| trace.bbox),
        distance_m: trace.and_then(|trace| trace.distance_m),
        duration_s: trace.and_then(|trace| trace.duration_s),
        ascent_m: trace.and_then(|trace| trace.ascent_m),
        descent_m: trace.and_then(|trace| trace.descent_m),
        min_ele_m: trace.and_then(|trace| trace.min_ele_m),
        max_ele_m: trace.and_then(|trace| trace.max_ele_m),
        parent_id: parent(&sheet),
        children: Vec::new(),
        beside: (None, None),
        owner,
        origin: None,
        display_priority: sheet.display_priority.value(),
        guided: trace.map(|trace| trace.reliability_state == ReliabilityState::Ok),
        price: Price {
            cents: sheet.price_cents,
            most_cents: sheet.max_price_cents,
            includes: sheet.price_includes,
            excludes: sheet.price_excludes,
            deposit_percent: deposit
                .filter(|_| [sheet.price_cents, sheet.max_price_cents].into_iter().flatten().any(|cents| cents > 0)),
        },
        booking: bookable.map(|url| (url.clone(), sheet.booking_label.clone())),
        reviews: None,
        warning: Text::default(),
        bike_carriage: None,
        custom: Vec::new(),
        availability: sheet.availability.into_iter().filter_map(|period| period.from.zip(period.to)).collect(),
        created_at: stored.created_at,
        updated_at: stored.updated_at,
        gpx: file("gpx"),
        kml: file("kml"),
        pdf: if alone { in_both(feed, &name, "/roadbook.pdf") } else { Text::default() },
        pages: if alone { in_both(feed, &name, "") } else { Text::default() },
        page: if alone { page.clone() } else { String::new() },
        title: sheet.title,
        subtitle: sheet.subtitle,
        summary: sheet.summary,
        description: sheet.description,
        copyright: sheet.copyright,
        poi_ids: sheet.poi_ids,
        media,
        line,
        instructions: Vec::new(),
    }
}

/// The instructions of the planner as they are stored; those that cannot be read are left out.
fn instructions(stored: Value) -> Vec<Instruction> {
    let Value::Array(stored) = stored else { return Vec::new() };
    let found = stored.into_iter().filter_map(|one| serde_json::from_value::<routing::Instruction>(one).ok());
    let one = |one: routing::Instruction| Instruction {
        kind: serde_json::to_value(one.kind).unwrap_or_default(),
        at_m: one.at_m,
        length_m: one.length_m,
        name: one.name,
        exit: one.exit,
        text: [("fr", one.fr), ("en", one.en)].into_iter().filter(|(_, text)| !text.is_empty()).collect(),
        position: one.position,
    };
    found.map(one).collect()
}

/// The public page or a file beside it, in the two languages the page has.
fn in_both(feed: &Feed, name: &str, file: &str) -> Text {
    let both = [("fr", ""), ("en", "/en")].into_iter();
    let made = both.filter(|(language, _)| feed.languages.iter().any(|one| one == language));
    made.map(|(language, prefix)| (language, format!("{}{prefix}/p/{name}{file}", feed.base))).collect()
}

/// The closures and the warnings of each, in both languages, with the kilometres of the line that is delivered beside them.
async fn warnings(app: &App, ids: &[ParcoursId]) -> Result<HashMap<i64, Text>, StoreError> {
    let mut all = HashMap::new();
    let (db, today) = (app.store.read(), app.today());
    let touched = found::touched_by_closures(db, ids).await?.into_iter().chain(feedback::warned(db, ids).await?);
    for id in touched.collect::<BTreeSet<_>>() {
        let mut text = Text::default();
        let closures = store::closure::of_parcours(db, id, &today).await?;
        let warnings = feedback::warnings(db, id).await?;
        for language in [Language::French, Language::English] {
            let closures = closures_in(language, closures.clone(), &today);
            let warnings = warnings_in(app, language, &warnings, 1.0);
            let lines =
                closures.iter().map(|one| closed(language, one)).chain(warnings.iter().map(PublicWarning::line));
            let lines: Vec<String> = lines.collect();
            text.set(language.code(), lines.join("\n"));
        }
        all.insert(id.0, text);
    }
    Ok(all)
}

/// POIs, in the order of the numbers given.
pub async fn pois(app: &App, facts: &Facts, feed: &Feed, ids: &[i64]) -> Result<Vec<Poi>, StoreError> {
    let stored = records::load_many::<Pois>(app.store.read(), ids).await?;
    let media_ids = stored.iter().flat_map(|one| &one.sheet.media_ids).copied().collect();
    let media = MediaOfPage::of(app, feed, media_ids).await?;
    let mut origins = found::poi_origins(app.store.read(), ids).await?;
    let owners = stored.iter().map(|one| one.white_label_id.unwrap_or_default());
    let custom_fields = Shown::of(app.store.read(), owners).await?;
    let of_poi = |one: Record<PoiSheet>| {
        let owner = one.white_label_id.unwrap_or_default();
        let custom = custom_values(&custom_fields, owner, CustomOn::Poi, &one.sheet.custom);
        Some(Poi { custom, ..poi_of(facts, &media, one)? })
    };
    let mut all: Vec<Poi> = stored.into_iter().filter_map(of_poi).collect();
    for poi in &mut all {
        poi.origin = origins.remove(&poi.id).map(origin_of);
    }
    Ok(all)
}

fn origin_of(found: found::Origin) -> Origin {
    Origin { item: found.item, source: found.source, licence: found.licence, said: found.said }
}

fn poi_of(facts: &Facts, media: &MediaOfPage, stored: Record<PoiSheet>) -> Option<Poi> {
    let sheet = stored.sheet;
    Some(Poi {
        id: stored.id,
        place: sheet.location?.map(rounded_degrees),
        categories: facts.terms(&sheet.category_ids),
        themes: facts.terms(&sheet.theme_ids),
        flags: sheet.flags,
        media: media.pick(&sheet.media_ids),
        owner: facts.owner(stored.white_label_id.unwrap_or_default().0),
        origin: None,
        title: sheet.title,
        description: sheet.description,
        address: sheet.address,
        phone: sheet.phone,
        email: sheet.email,
        website: sheet.website,
        opening: sheet.opening,
        booking_url: sheet.booking_url,
        custom: Vec::new(),
        created_at: stored.created_at,
        updated_at: stored.updated_at,
    })
}

/// The media of a page.
struct MediaOfPage(HashMap<i64, Media>);

impl MediaOfPage {
    async fn of(app: &App, feed: &Feed, ids: Vec<i64>) -> Result<Self, StoreError> {
        let db = app.store.read();
        let mut ids: Vec<i64> = store::media::public_among(db, &ids).await?.into_iter().collect();
        ids.sort_unstable();
        let stored = records::load_many::<Medias>(db, &ids).await?;
        let made = store::media::made_of(db, &ids).await?;
        let none = MediaMade::default();
        let media = |one: Record<MediaSheet>| {
            let made = made.get(&one.id).unwrap_or(&none);
            media_of(feed, one, made)
        };
        Ok(Self(stored.into_iter().filter_map(media).map(|one| (one.id, one)).collect()))
    }

    fn pick(&self, ids: &[i64]) -> Vec<Media> {
        ids.iter().filter_map(|id| self.0.get(id).cloned()).collect()
    }
}

/// A media with its public address: the file in the language of the feed, else a size for a page; never the original. None where its
/// sizes are still made.
fn media_of(feed: &Feed, stored: Record<MediaSheet>, made: &MediaMade) -> Option<Media> {
    let base = &feed.base;
    let in_language = |language: &str| {
        let (address, mime) = translated_address(&stored, language)?;
        Some((format!("{base}{address}"), mime.to_owned()))
    };
    let translated = feed.language.as_deref().and_then(in_language);
    let others = stored.sheet.translated.keys().filter(|_| feed.language.is_none());
    let translations =
        others.filter_map(|language| in_language(language).map(|(url, _)| (language.clone(), url))).collect();
    let (id, sheet) = (stored.id, stored.sheet);
    let whole = |name: &str, mime: &str| format!("{base}{}", file_address(id, name, mime, made.made));
    let kind = match sheet.file.kind {
        MediaKind::Image => feeds::MediaKind::Image,
        MediaKind::Video => feeds::MediaKind::Video,
        MediaKind::Audio => feeds::MediaKind::Audio,
        MediaKind::Pdf => feeds::MediaKind::Document,
        MediaKind::Font => return None,
    };
    let (url, mime) = if let Some(translated) = translated {
        translated
    } else if kind == feeds::MediaKind::Image {
        let size = fitting(made, "image/jpeg", 1280).or_else(|| fitting(made, "image/webp", 1280))?;
        (whole(&size.name, &size.mime), size.mime.clone())
    } else {
        (whole("file", &sheet.file.mime), sheet.file.mime)
    };
    let small = fitting(made, "image/jpeg", 640).or_else(|| fitting(made, "image/webp", 640));
    Some(Media {
        id,
        kind,
        url,
        translations,
        thumbnail: small.map(|size| whole(&size.name, &size.mime)),
        mime,
        name: sheet.file_name,
        legend: sheet.legend,
        alt: sheet.alt,
        copyright: sheet.copyright,
        licence: sheet.licence,
    })
}
