//! Our own feed, as another Jalon server publishes it: pages of `parcours/changes` or of `parcours`, texts in all languages, words of
//! the reference lists with their codes, the line and the steps inside each item.

use domain::Text;
use domain::sit::{SitAddress, SitRecord};
use domain::step::StepKind;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::bounds::{self, Items};
use super::geotrek::id_of;
use super::geotrek_practical::{escaped, under};
use super::lenient::{items, key, line, number, object, position, positions, text};
use super::package;
use super::route::{ImportedMedia, ImportedRoute, Line, Place, Refused, Word};
use crate::MediaKind;

/// The fields that are asked for. What changes without the parcours itself (reviews, addresses of its pages) is not among them:
/// an item is read again where its bytes changed.
pub const FIELDS: &str = "id,uuid,title,subtitle,summary,description,practice,level,themes,markings,tags,equipment,ratings,is_loop,\
    child_ids,poi_ids,duration_s,warning,media,copyright,source,booking,steps,line,custom";

/// The most routes shown under one, and the most steps of one.
const MAX_ENTRIES: usize = 300;
/// Above what is closed and what walkers are warned of.
const WARNING: [&str; 2] = ["Avertissement", "Warning"];

/// A page, its items unread.
#[derive(Deserialize)]
pub(super) struct Page<'a> {
    pub(super) next: Option<String>,
    pub(super) total: Option<u64>,
    /// The instant from which the next run asks for changes.
    pub(super) until: Option<String>,
    #[serde(borrow, alias = "updated")]
    pub(super) items: Items<&'a RawValue>,
}

/// A parcours.
pub(super) fn route(raw: &str) -> Result<ImportedRoute, Refused> {
    let parcours: Value = bounds::parsed(raw)?;
    let at = |field: &str| parcours.get(field);
    let id = id_of(&parcours).ok_or_else(|| Refused::new("import/no-id"))?;
    let mut route = ImportedRoute::new(id);
    for field in ["title", "subtitle", "summary", "description"] {
        route.text(field, text(at(field)));
    }
    route.text("warning", under(WARNING, &[lines(&text(at("warning")))]));
    let owner = at("source").and_then(|source| line(source.get("structure")).or_else(|| line(source.get("name"))));
    route.text("copyright", line(at("copyright")).or(owner).map(Text::in_french).unwrap_or_default());
    let booking = at("booking").and_then(|booking| line(booking.get("url")));
    route.text("booking_url", booking.map(Text::in_french).unwrap_or_default());
    for field in ["practice", "level"] {
        route.words(field, word(at(field)).into_iter().collect());
    }
    for field in ["themes", "markings", "tags", "equipment", "ratings"] {
        route.words(field, items(at(field)).iter().filter_map(|one| word(Some(one))).collect());
    }
    let shape = at("is_loop").and_then(Value::as_bool).map(|is_loop| if is_loop { "boucle" } else { "aller simple" });
    route.words("is_loop", shape.map(Word::plain).into_iter().collect());
    route.number("duration_s", number(at("duration_s")));
    for (name, field) in object(at("custom")).into_iter().flatten().take(MAX_ENTRIES) {
        let value = match field.get("value") {
            Some(Value::Bool(yes)) => Text::new(if *yes { "oui" } else { "non" }, if *yes { "yes" } else { "no" }),
            value => text(value),
        };
        route.text(&format!("custom.{name}"), value);
    }
    let points = positions(items(at("line")));
    route.line = if points.len() > 1 { Line::Pieces(vec![points]) } else { Line::Missing };
    route.places = items(at("steps")).iter().take(MAX_ENTRIES).filter_map(place).collect();
    route.media = items(at("media")).iter().filter_map(media).collect();
    route.steps = items(at("child_ids")).iter().filter_map(|child| key(Some(child))).take(MAX_ENTRIES).collect();
    route.said.extend(key(at("id")).map(|number| ("number".to_owned(), number)));
    let pois: Vec<String> = items(at("poi_ids")).iter().filter_map(|poi| key(Some(poi))).take(MAX_ENTRIES).collect();
    route.said.extend((!pois.is_empty()).then(|| ("pois".to_owned(), pois.join(","))));
    Ok(route)
}

/// The names of the parcours of a page, and where the next page is.
pub(super) fn ids(bytes: &[u8]) -> Result<(Vec<String>, Option<String>), Refused> {
    let decoded = trace::decoded(bytes);
    let page: Page = serde_json::from_str(&decoded).map_err(|error| package::damaged(&error))?;
    let id = |raw: &&RawValue| id_of(&bounds::parsed(raw.get()).ok()?);
    Ok((page.items.iter().filter_map(id).collect(), page.next))
}

/// How many items the list has.
pub(super) fn count(bytes: &[u8]) -> Result<u64, Refused> {
    let decoded = trace::decoded(bytes);
    let page: Page = serde_json::from_str(&decoded).map_err(|error| package::damaged(&error))?;
    Ok(page.total.unwrap_or(page.items.len() as u64))
}

/// A POI of another Jalon server.
#[derive(Debug, Clone)]
pub struct ImportedPoi {
    /// The source's data; its `id` is the number that parcours name.
    pub record: SitRecord,
    /// Its categories there.
    pub categories: Vec<Word>,
    /// Its themes there.
    pub themes: Vec<Word>,
    /// Its media, the main one first.
    pub media: Vec<ImportedMedia>,
}

/// The POIs of a page, and where the next page is.
pub(super) fn pois(bytes: &[u8]) -> Result<(Vec<ImportedPoi>, Option<String>), Refused> {
    let decoded = trace::decoded(bytes);
    let page: Page = serde_json::from_str(&decoded).map_err(|error| package::damaged(&error))?;
    Ok((page.items.iter().filter_map(|raw| poi(&bounds::parsed(raw.get()).ok()?)).collect(), page.next))
}

fn poi(poi: &Value) -> Option<ImportedPoi> {
    let at = |field: &str| poi.get(field);
    let words = |field: &str| items(at(field)).iter().filter_map(|one| word(Some(one))).collect();
    let of_address = |field: &str| line(at("address").and_then(|address| address.get(field)));
    let all = |field: &str| line(at(field)).into_iter().collect();
    let record = SitRecord {
        id: key(at("id"))?,
        name: text(at("title")),
        long: text(at("description")),
        opening: text(at("opening")),
        position: position(at("location")).map(|place| [place.lon, place.lat]),
        address: SitAddress {
            street: of_address("street"),
            postcode: of_address("postcode"),
            city: of_address("city"),
            insee: None,
        },
        phones: all("phone"),
        emails: all("email"),
        websites: all("website"),
        booking_url: line(at("booking_url")),
        ..SitRecord::default()
    };
    let media = items(at("media")).iter().filter_map(media).collect();
    Some(ImportedPoi { record, categories: words("categories"), themes: words("themes"), media })
}

/// An item of a reference list. Its code is the same on every server for the items that all begin with.
fn word(value: Option<&Value>) -> Option<Word> {
    let item = value?;
    let label = text(item.get("label"));
    let key = key(item.get("code")).or_else(|| key(item.get("id")))?;
    Some(if label.is_empty() { Word::plain(&key) } else { Word { key, label } })
}

fn place(step: &Value) -> Option<Place> {
    let kind: Option<StepKind> = step.get("kind").and_then(|kind| serde_json::from_value(kind.clone()).ok());
    Some(Place {
        // Where it begins and ends follows from the line.
        kind: kind.filter(|kind| !matches!(kind, StepKind::Departure | StepKind::Arrival)),
        title: text(step.get("title")),
        description: text(step.get("description")),
        position: position(step.get("position"))?,
    })
}

fn media(media: &Value) -> Option<ImportedMedia> {
    let url = line(media.get("url"))?;
    Some(ImportedMedia {
        kind: match media.get("kind").and_then(Value::as_str) {
            Some("image") => MediaKind::Image,
            Some("video") => MediaKind::Video,
            Some("audio") => MediaKind::Audio,
            Some("document") => MediaKind::Document,
            _ => package::media_kind(&url),
        },
        url,
        legend: text(media.get("legend")),
        alt: text(media.get("alt")),
        author: line(media.get("copyright")),
        licence: line(media.get("licence")),
    })
}

/// Plain words as markup.
fn lines(words: &Text) -> Text {
    let written = words.iter().filter(|(_, words)| !words.is_empty());
    written
        .map(|(language, words)| (language.to_owned(), format!("<p>{}</p>", escaped(words).replace('\n', "<br>"))))
        .collect()
}
