//! What a white-label shows around a parcours: the POIs on its way, and the lines one comes with. Its switches decide.

use std::collections::{HashMap, HashSet};

use app::App;
use content::media::for_page;
use content::stops_near;
use domain::media::{MediaMade, MediaSheet};
use domain::parcours::line::{Along, Pace};
use domain::record::Kind;
use domain::step::Step;
use domain::transit::TransitLine;
use domain::transport_line::TransportLineSheet;
use domain::white_label::{PoiChoice, WhiteLabelSheet, sit_record_address};
use domain::{Address, MediaKind, PoiSheet, WhiteLabelId};
use outputs::feed::{white_labels_without_pois, with_those_under};
use outputs::visitor_words::{Language, Words, figures};
use store::media::{self, Medias};
use store::poi::Pois;
use store::record::{self as rows, LinkedWhiteLabel, Stored};
use store::transport_line::TransportLines;
use store::{Connection, StoreError, parcours};
use trace::{Position, rounded_degrees};

use super::load::{names, picture};
use super::view::{Picture, PublicLine, PublicPlace, PublicPoi, PublicStop, PublicTransport};

/// Which white-labels have POIs: the owner of each, and those that added it, unless the owner hands no POI on.
pub struct PoiLinks {
    links: HashMap<i64, Vec<LinkedWhiteLabel>>,
    /// The white-labels that hand no POI on.
    closed: Vec<i64>,
}

impl PoiLinks {
    /// Reads the links of these POIs.
    pub async fn of(app: &App, ids: &[i64]) -> Result<Self, StoreError> {
        let links = rows::links_of(app.store.read(), Kind::Poi, ids).await?;
        Ok(Self { links, closed: white_labels_without_pois(app).await? })
    }

    /// Whether a white-label has a POI that is published.
    pub fn has(&self, own: WhiteLabelId, poi: &Stored<PoiSheet>) -> bool {
        let is_added = self.links.get(&poi.id).into_iter().flatten().any(|link| link.id == own && link.published);
        let is_handed_on = poi.white_label_id.is_some_and(|owner| !self.closed.contains(&owner.0));
        poi.published && (poi.white_label_id == Some(own) || is_added && is_handed_on)
    }
}

/// The categories and the themes of the POIs that a white-label shows, with those under them; none where it hands on no POI.
pub async fn choice_of(app: &App, white_label: &WhiteLabelSheet) -> Result<Option<PoiChoice>, StoreError> {
    if !white_label.flags.distribute_pois {
        return Ok(None);
    }
    let PoiChoice { category_ids, theme_ids } = &white_label.poi_filter;
    Ok(Some(PoiChoice {
        category_ids: with_those_under(app, category_ids).await?,
        theme_ids: with_those_under(app, theme_ids).await?,
    }))
}

/// The POIs of a parcours that its white-label shows, in the parcours' order; none where it hands on no POI.
pub async fn pois(
    app: &App,
    owner: (WhiteLabelId, &WhiteLabelSheet),
    ids: &[i64],
    line: &[Position],
    language: Language,
) -> Result<Vec<PublicPoi>, StoreError> {
    let (db, (own, white_label)) = (app.store.read(), owner);
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let Some(choice) = choice_of(app, white_label).await? else { return Ok(Vec::new()) };
    let links = PoiLinks::of(app, ids).await?;
    let shown = |poi: &Stored<PoiSheet>| links.has(own, poi) && chosen(&choice, &poi.sheet);
    let along = Along::new(line, Pace::default(), None);
    let at_m = |place: [f64; 2]| along.nearest(Position::new(place[0], place[1]), None, 0.0).map(|foot| foot.at_m);
    let found: Vec<_> = rows::load_many::<Pois>(db, ids).await?.into_iter().filter(shown).collect();
    let here: Vec<i64> = found.iter().map(|poi| poi.id).collect();
    let origins = if here.is_empty() { HashMap::new() } else { store::feed::poi_origins(db, &here).await? };
    let licence = |id: i64| {
        let origin = origins.get(&id)?;
        Some((origin.source.clone(), origin.licence.clone()?))
    };
    let record_url =
        |id: i64| Some(sit_record_address(white_label.sit_record_url.as_deref()?, &origins.get(&id)?.item));
    let mut pictures = pictures(db, &found, language).await?;
    let mut pois = Vec::with_capacity(found.len());
    for Stored { id, white_label_id, sheet, .. } in found {
        let Some(title) = Words::of(&sheet.title, language) else { continue };
        pois.push(PublicPoi {
            title,
            description_html: Words::of(&sheet.description, language),
            at_m: sheet.location.and_then(at_m),
            place: sheet.location.map(|place| place.map(rounded_degrees)),
            categories: names(app, &sheet.category_ids, language).await?,
            themes: names(app, &sheet.theme_ids, language).await?,
            picture: pictures.remove(&id),
            opening: Words::of(&sheet.opening, language),
            address: on_one_line(&sheet.address),
            phone: sheet.phone,
            email: sheet.email,
            website: sheet.website,
            flags: sheet.flags,
            booking_url: sheet.booking_url.filter(|_| sheet.flags.bookable),
            // Another white-label's records are of another system.
            record_url: record_url(id).filter(|_| white_label_id == Some(own)),
            licence: licence(id),
        });
    }
    Ok(pois)
}

/// The first public picture of each POI.
async fn pictures(
    db: &impl Connection,
    pois: &[Stored<PoiSheet>],
    language: Language,
) -> Result<HashMap<i64, Picture>, StoreError> {
    let ids: Vec<i64> = pois.iter().flat_map(|poi| &poi.sheet.media_ids).copied().collect();
    let ids: Vec<i64> = media::public_among(db, &ids).await?.into_iter().collect();
    let (found, made) = (rows::load_many::<Medias>(db, &ids).await?, media::made_of(db, &ids).await?);
    let none = MediaMade::default();
    let images: HashMap<i64, Stored<MediaSheet>> =
        found.into_iter().filter(|one| one.sheet.file.kind == MediaKind::Image).map(|one| (one.id, one)).collect();
    let mut pictures = HashMap::new();
    for poi in pois {
        let Some(image) = poi.sheet.media_ids.iter().find_map(|id| images.get(id)) else { continue };
        if let Some((src, size)) = for_page(image, made.get(&image.id).unwrap_or(&none), language.code()) {
            pictures.insert(poi.id, picture(image, src, size, language));
        }
    }
    Ok(pictures)
}

/// `1 rue du Lac, 58000 Brève`.
fn on_one_line(address: &Address) -> Option<String> {
    let town =
        [&address.postcode, &address.city].into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ");
    let parts = [address.street.as_deref(), Some(town.as_str()).filter(|town| !town.is_empty())];
    let line = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    (!line.is_empty()).then_some(line)
}

/// Whether a POI is of the categories and the themes that the white-label chose, or under them.
pub fn chosen(choice: &PoiChoice, poi: &PoiSheet) -> bool {
    let among = |asked: &[i64], has: &[i64]| asked.is_empty() || has.iter().any(|id| asked.contains(id));
    among(&choice.category_ids, &poi.category_ids) && among(&choice.theme_ids, &poi.theme_ids)
}

/// The lines that stop at the steps, in the steps' order; none where the white-label shows no public transport.
pub async fn lines(
    db: &impl Connection,
    owner: (WhiteLabelId, &WhiteLabelSheet),
    steps: &[Step],
    language: Language,
) -> Result<Vec<PublicLine>, StoreError> {
    let (own, white_label) = owner;
    if !white_label.flags.public_transport {
        return Ok(Vec::new());
    }
    let mut seen = HashSet::new();
    let ids: Vec<i64> = steps.iter().flat_map(|step| &step.line_ids).copied().filter(|id| seen.insert(*id)).collect();
    let one = |line: Stored<TransportLineSheet>| {
        let sheet = line.sheet.shown_by(own.0, white_label.flags.tourist_maas);
        PublicLine {
            mode: sheet.mode,
            stops: stops(steps, line.id, language),
            conditions: conditions(&sheet, language),
            booking_url: sheet.booking_url,
            bookable: sheet.bookable,
            booking_phone: sheet.booking_phone,
            booking_note: Words::of(&sheet.booking_note, language),
            short_name: sheet.short_name,
            long_name: sheet.long_name,
            operator: sheet.operator,
            bikes: sheet.bike_carriage,
            website: sheet.website,
        }
    };
    Ok(rows::load_many::<TransportLines>(db, &ids).await?.into_iter().map(one).collect())
}

/// The stops around a parcours and the last ways home, from the feeds that show theirs; nothing where the white-label shows no
/// public transport.
pub async fn transport(
    db: &impl Connection,
    owner: (WhiteLabelId, &WhiteLabelSheet),
    stored: &parcours::Stored,
    line: &[Position],
    language: Language,
) -> Result<PublicTransport, StoreError> {
    let (own, white_label) = owner;
    if !white_label.flags.public_transport {
        return Ok(PublicTransport::default());
    }
    let feeds = store::transit::feeds_of(db, own, true).await?;
    if feeds.is_empty() {
        return Ok(PublicTransport::default());
    }
    let places = stops_near::places(&stored.steps, line);
    let found = stops_near::near(db, &feeds, &places, stops_near::RADIUS_M).await?;
    let duration_s = stored.trace.as_ref().and_then(|trace| trace.duration_s);
    let home = places.iter().zip(&found).rfind(|(place, _)| place.kind.is_end());
    let ways_home =
        home.map(|(_, stops)| stops_near::ways_home(stops, duration_s, white_label.pauses())).unwrap_or_default();
    let shown = places.into_iter().zip(found).filter(|(_, stops)| !stops.is_empty());
    let places = shown.map(|(place, stops)| PublicPlace {
        kind: place.kind,
        title: Words::of(&place.title, language),
        stops: stops.into_iter().map(stop).collect(),
    });
    Ok(PublicTransport { places: places.collect(), ways_home })
}

fn stop(near: stops_near::NearStop) -> PublicStop {
    let line = |near: stops_near::NearLine| {
        let TransitLine { mode, code, bikes, bookable, .. } = near.line;
        (mode, code, bikes.carriage(), bookable)
    };
    let lines = near.lines.into_iter().map(line).collect();
    PublicStop { name: near.name, distance_m: near.distance_m, lines }
}

/// The steps a line stops at, each name once: a loop begins where it ends.
fn stops(steps: &[Step], line: i64, language: Language) -> Vec<Words> {
    let here = steps.iter().filter(|step| step.line_ids.contains(&line));
    let mut stops: Vec<Words> = Vec::new();
    for words in here.filter_map(|step| Words::of(&step.title, language)) {
        if !stops.contains(&words) {
            stops.push(words);
        }
    }
    stops
}

/// The conditions of a line, each with its region.
fn conditions(line: &TransportLineSheet, language: Language) -> Vec<Words> {
    line.conditions
        .iter()
        .filter_map(|one| {
            let words = Words::of(&one.text, language)?;
            Some(match &one.region {
                Some(region) => {
                    Words { text: format!("{region}{}{}", figures::colon(language), words.text), lang: words.lang }
                }
                None => words,
            })
        })
        .collect()
}
