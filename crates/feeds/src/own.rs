//! The own JSON and GeoJSON: every field by its name in the API, metres and seconds, each text in all languages unless one is asked
//! for.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::itinerary::ItineraryKind;
use domain::transport_line::{LineBikes, LineMode};
use domain::white_label::{CustomType, sit_record_address};
use serde::Serialize;
use serde_json::Value;
use trace::Position;

use crate::object::{Object, json};
use crate::{
    Chosen, CustomValue, Feed, Instruction, Itinerary, Media, MediaKind, Owner, Parcours, Poi, Term, TransportLine,
    uuid,
};

/// The fields that a list gives only where `fields` names them.
pub const LONG_FIELDS: [&str; 16] = [
    "description",
    "steps",
    "line",
    "instructions",
    "poi_ids",
    "markings",
    "equipment",
    "tags",
    "ratings",
    "booking",
    "price_cents",
    "max_price_cents",
    "price_includes",
    "price_excludes",
    "deposit_percent",
    "availability",
];

/// A parcours in a list. The long fields are written only where `fields` names them.
pub fn parcours_row(feed: &Feed, parcours: &Parcours, chosen: &Chosen) -> String {
    let mut object = Object::new(chosen);
    put_head(feed, parcours, &mut object);
    if LONG_FIELDS.iter().any(|field| chosen.names(field)) {
        put_long(feed, parcours, &mut object);
    }
    object.end()
}

/// A parcours with all its fields, or those that are asked for.
pub fn parcours(feed: &Feed, parcours: &Parcours, chosen: &Chosen) -> String {
    let mut object = Object::new(chosen);
    put_head(feed, parcours, &mut object);
    put_long(feed, parcours, &mut object);
    object.end()
}

fn put_long(feed: &Feed, parcours: &Parcours, object: &mut Object) {
    object
        .put("description", || feed.say(&parcours.description))
        .put("steps", || steps(feed, parcours))
        .put("line", || &parcours.line)
        .put("instructions", || instructions(feed, &parcours.instructions))
        .put("poi_ids", || &parcours.poi_ids)
        .put("markings", || terms(feed, &parcours.markings))
        .put("equipment", || terms(feed, &parcours.equipment))
        .put("tags", || terms(feed, &parcours.tags))
        .put("ratings", || terms(feed, &parcours.ratings))
        .put("booking", || {
            parcours.booking.as_ref().map(|(url, label)| Booking { url: url.as_str(), label: feed.say(label) })
        })
        .put("price_cents", || parcours.price.cents)
        .put("max_price_cents", || parcours.price.most_cents)
        .put("price_includes", || feed.say(&parcours.price.includes))
        .put("price_excludes", || feed.say(&parcours.price.excludes))
        .put("deposit_percent", || parcours.price.deposit_percent)
        .put("availability", || periods(&parcours.availability));
}

/// Its reviews.
#[derive(Serialize)]
struct Reviews {
    average: f64,
    total: i64,
}

fn put_head(feed: &Feed, parcours: &Parcours, object: &mut Object) {
    object
        .put("id", || parcours.id)
        .put("uuid", || uuid(&feed.uuid_base, "parcours", parcours.id))
        .put("title", || feed.say(&parcours.title))
        .put("subtitle", || feed.say(&parcours.subtitle))
        .put("summary", || feed.say(&parcours.summary))
        .put("practice", || term(feed, parcours.practice.as_ref()))
        .put("level", || term(feed, parcours.level.as_ref()))
        .put("themes", || terms(feed, &parcours.themes))
        .put("itineraries", || itineraries(feed, &parcours.itineraries))
        .put("is_loop", || parcours.is_loop)
        .put("is_stay", || parcours.is_stay)
        .put("parent_id", || parcours.parent_id)
        .put("child_ids", || &parcours.children)
        .put("distance_m", || parcours.distance_m.map(f64::round))
        .put("duration_s", || parcours.duration_s.map(f64::round))
        .put("ascent_m", || parcours.ascent_m.map(f64::round))
        .put("descent_m", || parcours.descent_m.map(f64::round))
        .put("min_ele_m", || parcours.min_ele_m.map(f64::round))
        .put("max_ele_m", || parcours.max_ele_m.map(f64::round))
        .put("start", || parcours.start)
        .put("bbox", || parcours.bbox)
        .put("bike_carriage", || parcours.bike_carriage)
        .put("guided", || parcours.guided)
        .put("display_priority", || parcours.display_priority)
        .put("warning", || Some(&parcours.warning).filter(|words| !words.is_empty()).map(|words| feed.say(words)))
        .put("reviews", || parcours.reviews.map(|(average, total)| Reviews { average, total }))
        .put("media", || media(feed, &parcours.media))
        .put("copyright", || &parcours.copyright)
        .put("custom", || custom(feed, &parcours.custom))
        .put("source", || source(&parcours.owner))
        .put("page_url", || &parcours.page)
        .put("gpx_url", || &parcours.gpx)
        .put("kml_url", || &parcours.kml)
        .put("roadbook_url", || feed.say(&parcours.pdf))
        .put("created_at", || parcours.created_at)
        .put("updated_at", || parcours.updated_at);
}

/// A POI.
pub fn poi(feed: &Feed, poi: &Poi, chosen: &Chosen) -> String {
    let mut object = Object::new(chosen);
    object
        .put("id", || poi.id)
        .put("uuid", || uuid(&feed.uuid_base, "poi", poi.id))
        .put("title", || feed.say(&poi.title))
        .put("description", || feed.say(&poi.description))
        .put("location", || poi.place)
        .put("categories", || terms(feed, &poi.categories))
        .put("themes", || terms(feed, &poi.themes))
        .put("flags", || poi.flags)
        .put("media", || media(feed, &poi.media))
        .put("address", || &poi.address)
        .put("phone", || &poi.phone)
        .put("email", || &poi.email)
        .put("website", || &poi.website)
        .put("opening", || feed.say(&poi.opening))
        .put("booking_url", || &poi.booking_url)
        .put("custom", || custom(feed, &poi.custom))
        .put("source", || source(&poi.owner))
        .put("record_url", || record_url(poi))
        .put("record_source", || record_source(poi))
        .put("created_at", || poi.created_at)
        .put("updated_at", || poi.updated_at);
    object.end()
}

/// Where its white-label shows the tourist record that a POI came from.
fn record_url(poi: &Poi) -> Option<String> {
    Some(sit_record_address(poi.owner.sit_record_url.as_deref()?, &poi.origin.as_ref()?.item))
}

/// The source of the tourist record that a POI came from, and its licence.
#[derive(Serialize)]
struct RecordSource<'a> {
    name: &'a str,
    licence: &'a str,
}

/// None where the licence is not known, as on the public page.
fn record_source(poi: &Poi) -> Option<impl Serialize> {
    let origin = poi.origin.as_ref()?;
    Some(RecordSource { name: &origin.source, licence: origin.licence.as_deref()? })
}

/// A page of a list, or what changed.
pub fn page(total: u64, number: u64, per_page: u64, next: Option<&str>, items: &[String]) -> String {
    let pages = total.div_ceil(per_page.max(1)).max(1);
    format!(
        r#"{{"total":{total},"page":{number},"per_page":{per_page},"pages":{pages},"next":{},"items":[{}]}}"#,
        json(&next),
        items.join(",")
    )
}

/// What changed since an instant: `until` is where the next question begins, `total` counts the parcours of all pages.
pub fn changes(until: domain::Instant, total: u64, next: Option<&str>, updated: &[String], removed: &[i64]) -> String {
    format!(
        r#"{{"until":{},"total":{total},"next":{},"updated":[{}],"removed":{}}}"#,
        json(&until),
        json(&next),
        updated.join(","),
        json(&removed)
    )
}

/// A parcours as a GeoJSON feature: its line, or the point where it starts when the reader did not want the line.
pub fn parcours_feature(feed: &Feed, parcours: &Parcours, chosen: &Chosen) -> String {
    let geometry = if parcours.line.len() > 1 {
        json(&Geometry { r#type: "LineString", coordinates: &parcours.line })
    } else {
        parcours
            .start
            .map_or_else(|| "null".to_owned(), |start| json(&Geometry { r#type: "Point", coordinates: start }))
    };
    feature(parcours.id, &geometry, &parcours_row(feed, parcours, chosen))
}

/// A POI as a GeoJSON feature.
pub fn poi_feature(feed: &Feed, one: &Poi, chosen: &Chosen) -> String {
    feature(one.id, &json(&Geometry { r#type: "Point", coordinates: one.place }), &poi(feed, one, chosen))
}

fn feature(id: i64, geometry: &str, properties: &str) -> String {
    format!(r#"{{"type":"Feature","id":{id},"geometry":{geometry},"properties":{properties}}}"#)
}

/// A page of features.
pub fn collection(total: u64, next: Option<&str>, features: &[String]) -> String {
    format!(
        r#"{{"type":"FeatureCollection","numberMatched":{total},"numberReturned":{},"next":{},"features":[{}]}}"#,
        features.len(),
        json(&next),
        features.join(",")
    )
}

#[derive(Serialize)]
struct Geometry<C: Serialize> {
    r#type: &'static str,
    coordinates: C,
}

#[derive(Serialize)]
struct Named<L: Serialize> {
    id: i64,
    code: String,
    label: L,
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    colors: Vec<String>,
}

fn term<'a>(feed: &'a Feed, term: Option<&'a Arc<Term>>) -> Option<impl Serialize> {
    term.map(|term| Named {
        id: term.id,
        code: term.code.clone(),
        label: feed.say(&term.label),
        color: term.color.clone(),
        colors: term.colors.clone(),
    })
}

fn terms<'a>(feed: &'a Feed, terms: &'a [Arc<Term>]) -> Vec<impl Serialize> {
    terms.iter().filter_map(|one| term(feed, Some(one))).collect()
}

/// An instruction of the step-by-step guidance.
#[derive(Serialize)]
struct Turn<'a, L: Serialize> {
    kind: &'a Value,
    at_m: f64,
    length_m: f64,
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit: Option<u8>,
    text: L,
    position: Position,
}

fn instructions<'a>(feed: &'a Feed, instructions: &'a [Instruction]) -> Vec<impl Serialize> {
    let one = |one: &'a Instruction| Turn {
        kind: &one.kind,
        at_m: one.at_m,
        length_m: one.length_m,
        name: one.name.as_deref(),
        exit: one.exit,
        text: feed.say(&one.text),
        position: one.position,
    };
    instructions.iter().map(one).collect()
}

#[derive(Serialize)]
struct LongWay<'a, L: Serialize> {
    id: i64,
    name: L,
    kind: ItineraryKind,
    code: Option<&'a str>,
    color: Option<&'a str>,
}

fn itineraries<'a>(feed: &'a Feed, itineraries: &'a [Arc<Itinerary>]) -> Vec<impl Serialize> {
    let one = |one: &'a Arc<Itinerary>| LongWay {
        id: one.id,
        name: feed.say(&one.name),
        kind: one.kind,
        code: one.code.as_deref(),
        color: one.color.as_deref(),
    };
    itineraries.iter().map(one).collect()
}

/// A field that the owner adds to its content.
#[derive(Serialize)]
struct Custom<'a, L: Serialize> {
    label: L,
    r#type: CustomType,
    value: &'a Value,
}

/// The owner's own fields, by their keys.
fn custom<'a>(feed: &'a Feed, values: &'a [CustomValue]) -> BTreeMap<&'a str, impl Serialize> {
    let one = |one: &'a CustomValue| {
        let shown = Custom { label: feed.say(&one.label), r#type: one.kind, value: &one.value };
        (one.key.as_str(), shown)
    };
    values.iter().map(one).collect()
}

#[derive(Serialize)]
struct Source<'a> {
    id: i64,
    name: &'a str,
    structure: &'a str,
    website: Option<&'a str>,
}

fn source(owner: &Owner) -> impl Serialize {
    Source {
        id: owner.id,
        name: &owner.name,
        structure: &owner.structure,
        website: owner.site.as_deref().or(owner.website.as_deref()),
    }
}

#[derive(Serialize)]
struct Shown<'a, L: Serialize> {
    kind: &'static str,
    url: &'a str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    translations: &'a BTreeMap<String, String>,
    thumbnail_url: Option<&'a str>,
    mime: &'a str,
    legend: L,
    alt: L,
    copyright: Option<&'a str>,
    licence: Option<&'a str>,
}

fn media<'a>(feed: &'a Feed, media: &'a [Media]) -> Vec<impl Serialize> {
    let one = |media: &'a Media| {
        let Media { kind, url, translations, thumbnail, mime, legend, alt, copyright, licence, .. } = media;
        Shown {
            kind: match kind {
                MediaKind::Image => "image",
                MediaKind::Video => "video",
                MediaKind::Audio => "audio",
                MediaKind::Document => "document",
            },
            url,
            translations,
            thumbnail_url: thumbnail.as_deref(),
            mime,
            legend: feed.say(legend),
            alt: feed.say(alt),
            copyright: copyright.as_deref(),
            licence: licence.as_deref(),
        }
    };
    media.iter().map(one).collect()
}

#[derive(Serialize)]
struct Step<L: Serialize, P: Serialize, T: Serialize> {
    id: i64,
    kind: domain::step::StepKind,
    title: L,
    description: L,
    position: Position,
    at_m: Option<f64>,
    distance_to_next_m: Option<f64>,
    duration_to_next_s: Option<f64>,
    nights: Option<i64>,
    practice: Option<P>,
    lines: Vec<T>,
}

fn steps<'a>(feed: &'a Feed, parcours: &'a Parcours) -> Vec<impl Serialize> {
    let one = |stop: &'a crate::Stop| Step {
        id: stop.id,
        kind: stop.kind,
        title: feed.say(&stop.title),
        description: feed.say(&stop.description),
        position: stop.position,
        at_m: stop.at_m.map(f64::round),
        distance_to_next_m: stop.distance_to_next_m.map(f64::round),
        duration_to_next_s: stop.duration_to_next_s.map(f64::round),
        nights: stop.nights,
        practice: term(feed, stop.practice.as_ref()),
        lines: transport_lines(feed, &stop.lines),
    };
    parcours.stops.iter().map(one).collect()
}

/// A line of public transport.
#[derive(Serialize)]
struct LineHere<'a, L: Serialize> {
    id: i64,
    mode: LineMode,
    short_name: &'a str,
    long_name: &'a str,
    operator: Option<&'a str>,
    color: Option<&'a str>,
    bike_carriage: LineBikes,
    conditions: Vec<ConditionHere<'a, L>>,
    bookable: bool,
    booking_url: Option<&'a str>,
    booking_phone: Option<&'a str>,
    booking_note: L,
    website: Option<&'a str>,
}

/// A condition of a line.
#[derive(Serialize)]
struct ConditionHere<'a, L: Serialize> {
    region: Option<&'a str>,
    text: L,
}

fn transport_lines<'a>(feed: &'a Feed, lines: &'a [Arc<TransportLine>]) -> Vec<impl Serialize> {
    let one = |line: &'a Arc<TransportLine>| {
        let sheet = &line.sheet;
        let conditions = sheet.conditions.iter();
        LineHere {
            id: line.id,
            mode: sheet.mode,
            short_name: &sheet.short_name,
            long_name: &sheet.long_name,
            operator: sheet.operator.as_deref(),
            color: sheet.color.as_deref(),
            bike_carriage: sheet.bike_carriage,
            conditions: conditions
                .map(|one| ConditionHere { region: one.region.as_deref(), text: feed.say(&one.text) })
                .collect(),
            bookable: sheet.bookable,
            booking_url: sheet.booking_url.as_deref(),
            booking_phone: sheet.booking_phone.as_deref(),
            booking_note: feed.say(&sheet.booking_note),
            website: sheet.website.as_deref(),
        }
    };
    lines.iter().map(one).collect()
}

#[derive(Serialize)]
struct Booking<'a, L: Serialize> {
    url: &'a str,
    label: L,
}

#[derive(Serialize)]
struct Period<'a> {
    from: &'a str,
    to: &'a str,
}

fn periods(periods: &[(String, String)]) -> Vec<impl Serialize> {
    periods.iter().map(|(from, to)| Period { from, to }).collect()
}
