//! Geotrek's API v2: pages of treks whose practice, difficulty and themes are numbers of other lists.

use std::collections::{BTreeMap, BTreeSet};

use domain::Text;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::bounds::{self, Items};
use super::geotrek_practical::practical;
use super::jalon::ImportedPoi;
use super::lenient::{geometry, is_published, items, key, line, number, object, position, text};
use super::numbered::numbered;
use super::route::{ImportedMedia, ImportedRoute, Place, Refused, Word, WordList};
use super::{Names, package};
use crate::MediaKind;

/// A page of a list, its items unread.
#[derive(Deserialize)]
pub(super) struct Page<'a> {
    pub(super) count: Option<u64>,
    pub(super) next: Option<String>,
    #[serde(borrow)]
    pub(super) results: Items<&'a RawValue>,
}

/// Texts that are taken unchanged, HTML among them.
const TEXTS: [&str; 16] = [
    "name",
    "description_teaser",
    "ambiance",
    "description",
    "advice",
    "access",
    "advised_parking",
    "public_transport",
    "gear",
    "disabled_infrastructure",
    "accessibility_advice",
    "accessibility_covering",
    "ratings_description",
    "departure",
    "arrival",
    "transport",
];

/// The fields that name items of a list of their own by number.
const LISTED: [(&str, WordList); 6] = [
    ("practice", WordList::Practice),
    ("difficulty", WordList::Level),
    ("route", WordList::Shape),
    ("themes", WordList::Theme),
    ("networks", WordList::Marking),
    ("labels", WordList::Label),
];

/// A trek: its identifier is its UUID, which does not change when a server is moved; its number where it has no UUID.
pub(super) fn route(raw: &str, names: &Names) -> Result<ImportedRoute, Refused> {
    let trek: Value = bounds::parsed(raw)?;
    let id = id_of(&trek).ok_or_else(|| Refused::new("import/no-id"))?;
    let mut route = ImportedRoute::new(id);
    for field in TEXTS {
        route.text(field, text(trek.get(field)));
    }
    for (field, list) in LISTED {
        let value = trek.get(field);
        let numbers: Vec<&Value> = match value {
            Some(Value::Array(all)) => all.iter().collect(),
            one => one.into_iter().collect(),
        };
        let mut words = Vec::new();
        for key in numbers.into_iter().filter_map(|number| key(Some(number))) {
            let label = names.get(&(list, key.clone())).cloned();
            if label.is_none() {
                route.unnamed.push((field.to_owned(), key.clone()));
            }
            words.push(Word { label: label.unwrap_or_else(|| Text::in_french(key.clone())), key });
        }
        route.words(field, words);
    }
    route.number("length", number(trek.get("length_2d")));
    route.number("duration", number(trek.get("duration")).map(|hours| hours * 3_600.0));
    for link in items(trek.get("web_links")).iter().take(1) {
        route.text("web_link", line(link.get("url")).map(Text::in_french).unwrap_or_default());
    }
    practical(&trek, names, &mut route);
    (route.line, route.repairs) = geometry(trek.get("geometry"));
    route.places = places(&trek);
    if let Some(said) = numbered(&text(trek.get("description")), route.places.len()) {
        for (place, (title, description)) in route.places.iter_mut().zip(said) {
            (place.title, place.description) = (title, description);
        }
        // The steps describe the way; the ambiance describes its character.
        if route.fields.contains_key("ambiance") {
            route.fields.remove("description");
        }
    }
    route.media = items(trek.get("attachments")).iter().filter_map(media).collect();
    // Older servers name the children of a trek by UUID, newer ones by number.
    route.steps = items(trek.get("children")).iter().filter_map(|child| key(Some(child))).take(MAX_STEPS).collect();
    for name in KEPT {
        if let Some(said) = key(trek.get(name)) {
            route.said.insert(name.to_owned(), said);
        }
    }
    route.said.extend(key(trek.get("id")).map(|number| ("number".to_owned(), number)));
    if !is_published(trek.get("published")) {
        route.said.insert("draft".to_owned(), "yes".to_owned());
    }
    let desks: Vec<String> = items(trek.get("information_desks")).iter().filter_map(|desk| key(Some(desk))).collect();
    route.said.extend((!desks.is_empty()).then(|| ("desks".to_owned(), desks.join(","))));
    Ok(route)
}

/// The most routes shown under one.
const MAX_STEPS: usize = 200;
/// What a trek is called in other systems.
const KEPT: [&str; 4] = ["external_id", "second_external_id", "reservation_id", "provider"];

/// What names a trek.
pub(super) fn id_of(trek: &Value) -> Option<String> {
    key(trek.get("uuid")).or_else(|| key(trek.get("id")))
}

/// The points of reference have no name in this API: they are numbered, as the description often numbers them too.
fn places(trek: &Value) -> Vec<Place> {
    let points = object(trek.get("points_reference")).map(|geometry| items(geometry.get("coordinates")));
    let place = |(index, at): (usize, &Value)| {
        Some(Place {
            kind: None,
            title: Text::in_french((index + 1).to_string()),
            description: Text::default(),
            position: position(Some(at))?,
        })
    };
    points.unwrap_or_default().iter().take(300).enumerate().filter_map(place).collect()
}

/// An attachment that is a file. A film of another site is a link: it is listed with the other links.
pub(super) fn media(attachment: &Value) -> Option<ImportedMedia> {
    let url = line(attachment.get("url"))?;
    let is_film = attachment.get("type").and_then(Value::as_str) == Some("video");
    if is_film && package::media_kind(&url) != MediaKind::Video {
        return None;
    }
    let legend =
        [attachment.get("legend"), attachment.get("title")].into_iter().map(text).find(|text| !text.is_empty());
    Some(ImportedMedia {
        kind: match attachment.get("type").and_then(Value::as_str) {
            Some("video") => MediaKind::Video,
            Some("image") => MediaKind::Image,
            _ => package::media_kind(&url),
        },
        url,
        legend: legend.unwrap_or_default(),
        alt: Text::default(),
        author: line(attachment.get("author")),
        licence: line(attachment.get("license")),
    })
}

/// The names of a list: `label`, `name` or `route`, as each list calls it.
pub(super) fn names(list: WordList, bytes: &[u8], names: &mut Names) -> Result<Option<String>, Refused> {
    let decoded = trace::decoded(bytes);
    let page: Page = serde_json::from_str(&decoded).map_err(|error| package::damaged(&error))?;
    for raw in page.results {
        let Ok(item) = bounds::parsed::<Value>(raw.get()) else { continue };
        let label = ["label", "name", "route", "network"].into_iter().map(|name| text(item.get(name)));
        if let (Some(id), Some(label)) = (key(item.get("id")), label.into_iter().find(|text| !text.is_empty())) {
            let label = if list == WordList::Desk { desk(&item, &label) } else { label };
            names.insert((list, id), label);
        }
    }
    Ok(page.next)
}

/// The identifiers of a page, and where the next one is.
pub(super) fn ids(bytes: &[u8]) -> Result<(Vec<String>, Option<String>), Refused> {
    let decoded = trace::decoded(bytes);
    let page: Page = serde_json::from_str(&decoded).map_err(|error| package::damaged(&error))?;
    let id = |raw: &&RawValue| id_of(&bounds::parsed(raw.get()).ok()?);
    Ok((page.results.iter().filter_map(id).collect(), page.next))
}

/// How many items a list has. A list that is no page, as some servers answer, is counted item by item.
pub(super) fn count(bytes: &[u8]) -> Result<u64, Refused> {
    let decoded = trace::decoded(bytes);
    if decoded.trim_start().starts_with('[') {
        let items: Items<&RawValue> = serde_json::from_str(&decoded).map_err(|error| package::damaged(&error))?;
        return Ok(items.len() as u64);
    }
    let page: Page = serde_json::from_str(&decoded).map_err(|error| package::damaged(&error))?;
    Ok(page.count.unwrap_or(page.results.len() as u64))
}

/// A page of POIs.
#[derive(Debug, Default)]
pub struct GeotrekPois {
    /// Those that can be read.
    pub pois: Vec<ImportedPoi>,
    /// The others: what names each, and why it cannot.
    pub refused: Vec<(String, Refused)>,
    /// What names those that are not published there: a database shows them too.
    pub drafts: BTreeSet<String>,
    /// Whether there is another page.
    pub has_more: bool,
}

/// The POIs of a page.
pub(super) fn pois(bytes: &[u8]) -> Result<GeotrekPois, Refused> {
    let decoded = trace::decoded(bytes);
    let page: Page = serde_json::from_str(&decoded).map_err(|error| package::damaged(&error))?;
    let mut read = GeotrekPois { has_more: page.next.is_some() && !page.results.is_empty(), ..GeotrekPois::default() };
    for raw in page.results {
        let item: Value = bounds::parsed(raw.get())?;
        match poi(&item) {
            Ok(poi) => {
                if !is_published(item.get("published")) {
                    read.drafts.insert(poi.record.id.clone());
                }
                read.pois.push(poi);
            }
            Err(refused) => read.refused.push((id_of(&item).unwrap_or_default(), refused)),
        }
    }
    Ok(read)
}

fn poi(item: &Value) -> Result<ImportedPoi, Refused> {
    let record = super::sit::geotrek::record_of(item, &BTreeMap::new())?;
    let categories =
        record.words.iter().map(|word| Word { key: word.key.clone(), label: word.label.clone() }).collect();
    let media = items(item.get("attachments")).iter().filter_map(media).collect();
    Ok(ImportedPoi { record, categories, themes: Vec::new(), media })
}

/// An information desk: a place where one asks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GeotrekDesk {
    /// The number by which treks name it.
    pub number: String,
    /// Its name; empty where it has none.
    pub name: Text,
    /// What it is: `Maison du parc`.
    pub kind: Text,
    /// Its telephone number, as the Geotrek server has it.
    pub phone: Option<String>,
    /// Its e-mail address, in small letters.
    pub email: Option<String>,
}

/// The information desks of a page, and whether there is another page.
pub(super) fn desks(bytes: &[u8]) -> Result<(Vec<GeotrekDesk>, bool), Refused> {
    let decoded = trace::decoded(bytes);
    let page: Page = serde_json::from_str(&decoded).map_err(|error| package::damaged(&error))?;
    let has_more = page.next.is_some() && !page.results.is_empty();
    let desk = |raw: &&RawValue| {
        let item: Value = bounds::parsed(raw.get()).ok()?;
        Some(GeotrekDesk {
            number: key(item.get("id"))?,
            name: text(item.get("name")),
            kind: text(item.get("type").and_then(|kind| kind.get("label"))),
            phone: line(item.get("phone")),
            email: line(item.get("email")).map(|email| email.to_lowercase()),
        })
    };
    Ok((page.results.iter().filter_map(desk).collect(), has_more))
}

/// An item of a list that has no place here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeotrekItem {
    pub number: String,
    /// Its name; empty where it has none.
    pub name: Text,
}

/// The items of a page of any list, by number and name, and whether there is another page.
pub(super) fn named_items(bytes: &[u8]) -> Result<(Vec<GeotrekItem>, bool), Refused> {
    let decoded = trace::decoded(bytes);
    let page: Page = serde_json::from_str(&decoded).map_err(|error| package::damaged(&error))?;
    let has_more = page.next.is_some() && !page.results.is_empty();
    let named = |raw: &&RawValue| {
        let item: Value = bounds::parsed(raw.get()).ok()?;
        let name = ["name", "title", "label"].into_iter().map(|field| text(item.get(field)));
        let number = key(item.get("id")).or_else(|| key(item.get("uuid")))?;
        Some(GeotrekItem { number, name: name.into_iter().find(|name| !name.is_empty()).unwrap_or_default() })
    };
    Ok((page.results.iter().filter_map(named).collect(), has_more))
}

/// A place where one asks: its name, and how it is reached.
fn desk(item: &Value, name: &Text) -> Text {
    let reached = ["street", "postal_code", "municipality", "phone", "email", "website"];
    let reached: Vec<String> = reached.into_iter().filter_map(|field| line(item.get(field))).collect();
    let said = |words: &str| std::iter::once(words.to_owned()).chain(reached.clone()).collect::<Vec<_>>().join(", ");
    name.iter().map(|(language, words)| (language.to_owned(), said(words))).collect()
}
