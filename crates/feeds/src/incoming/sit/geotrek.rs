//! What a Geotrek shows beside its treks: POIs, tourist contents, information desks, services, tourist events. One page of one list.

use std::collections::BTreeMap;

use domain::Text;
use domain::sit::{SitAddress, SitPicture, SitRecord, SitWord};
use serde_json::Value;

use super::super::geotrek_event;
use super::super::lenient::{is_published, items, key, line, number, object, text};
use super::super::package::media_kind;
use super::super::route::Refused;
use super::json::figure;
use super::{place, web, whole};
use crate::MediaKind;

/// The lists that are read, one after the other: their names in addresses.
pub const LISTS: [&str; 5] = ["poi", "touristiccontent", "informationdesk", "service", "touristicevent"];

/// The list that names the kinds of the items of a list, where the items have a number for it alone.
pub fn kinds_of(list: &str) -> Option<&'static str> {
    match list {
        "touristiccontent" => Some("touristiccontent_category"),
        "service" => Some("service_type"),
        "touristicevent" => Some("touristicevent_type"),
        _ => None,
    }
}

/// The identifier of an item: its UUID, which does not change when a server is moved; its number where it has no UUID.
pub(super) fn id_of(uuid: &Value, id: &Value) -> Option<String> {
    key(Some(uuid)).or_else(|| key(Some(id)))
}

/// The names of a page of a list of kinds, by their numbers, those of the types of a category with [`type_key`]; and where the next page is.
pub(in crate::incoming) fn kinds(bytes: &[u8]) -> Result<(BTreeMap<String, Text>, Option<String>), Refused> {
    let page: Value = super::read_json(bytes)?;
    let name = |item: &Value| {
        // Types of events have their name in `type`, which is something else in other lists.
        let fields = ["label", "name"].into_iter().filter(|field| item.get(field).is_some());
        let fields: Vec<&str> = fields.collect();
        let fields = if fields.is_empty() { vec!["type"] } else { fields };
        let name = fields.into_iter().map(|field| text(item.get(field))).find(|name| !name.is_empty())?;
        Some((key(item.get("id"))?, name))
    };
    let all = items(page.get("results"));
    let types = all.iter().flat_map(|item| items(item.get("types"))).flat_map(|list| items(list.get("values")));
    let types = types.filter_map(name).map(|(number, name)| (type_key(&number), name));
    let next = page.get("next").and_then(Value::as_str).map(str::to_owned);
    Ok((all.iter().filter_map(name).chain(types).collect(), next))
}

/// The record of an item of one of the lists, from its JSON.
pub(super) fn record(raw: &[u8], kinds: &BTreeMap<String, Text>) -> Result<SitRecord, Refused> {
    record_of(&super::read_json(raw)?, kinds)
}

/// The record of an item of one of the lists.
pub(in crate::incoming) fn record_of(item: &Value, kinds: &BTreeMap<String, Text>) -> Result<SitRecord, Refused> {
    let at = |field: &str| item.get(field);
    let (type_name, word) = kind(item, kinds);
    let [mut words, labels] = types(item, kinds);
    words.extend(word);
    let named = text(at("name"));
    let position = at("geometry").and_then(place_of);
    let is_content = item.get("description_teaser").is_some();
    let contact = text(at("contact"));
    let mut long = joined(&[text(at("description")), text(at("accessibility"))]);
    if !contact.is_empty() {
        long = joined(&[long, contact]);
    }
    let mut opening = text(at("practical_info"));
    let mut tariff = Text::default();
    if geotrek_event::is_event(item) {
        long = joined(&[long, geotrek_event::facts(item)]);
        opening = joined(&[geotrek_event::dates(item)?, opening]);
        tariff = geotrek_event::tariff(item);
    }
    whole(SitRecord {
        id: id_of(at("uuid").unwrap_or(&Value::Null), at("id").unwrap_or(&Value::Null)).unwrap_or_default(),
        // A service without a name is called by its type.
        name: if named.is_empty() { type_name } else { named },
        short: if is_content { text(at("description_teaser")) } else { Text::default() },
        long,
        opening,
        tariff,
        position: position.or_else(|| place(figure(at("longitude")), figure(at("latitude")))),
        address: SitAddress {
            street: line(at("street")),
            postcode: line(at("postal_code")),
            city: line(at("municipality")),
            insee: line(at("departure_city_code")),
        },
        phones: line(at("phone")).into_iter().collect(),
        emails: line(at("email")).into_iter().collect(),
        websites: line(at("website")).and_then(|site| web(&site)).into_iter().collect(),
        pictures: pictures(item),
        words,
        labels,
        updated: line(at("update_datetime")).map(|at| at.chars().take(10).collect()),
        ..SitRecord::default()
    })
}

/// The name of its type or category, and the word for it.
fn kind(item: &Value, kinds: &BTreeMap<String, Text>) -> (Text, Option<SitWord>) {
    let written = [item.get("type_label"), item.get("type").and_then(|kind| kind.get("label"))];
    let number = ["category", "type"].into_iter().find_map(|field| Some((field, key(item.get(field))?)));
    let named = || number.as_ref().and_then(|(_, number)| kinds.get(number)).cloned();
    let name = written.into_iter().map(text).find(|label| !label.is_empty()).or_else(named);
    // A number that no list names is a word too: the run remarks on it, and a person can give it a meaning.
    let unnamed = || {
        let (field, number) = number.as_ref()?;
        let (fr, en) = if *field == "category" { ("Catégorie", "Category") } else { ("Type", "Type") };
        Some(Text::new(format!("{fr} {number}"), format!("{en} {number}")))
    };
    let word = name.clone().or_else(unnamed).map(word_of);
    (name.unwrap_or_default(), word)
}

fn word_of(label: Text) -> SitWord {
    SitWord { key: label.best("fr").to_owned(), label }
}

/// The types of a tourist content, of the two lists that its category has: `{"101": [1], "102": [3]}` in category 1. In the second one are mostly
/// labels.
fn types(item: &Value, kinds: &BTreeMap<String, Text>) -> [Vec<SitWord>; 2] {
    let mut lists = [Vec::new(), Vec::new()];
    for (list, numbers) in object(item.get("types")).into_iter().flatten() {
        let is_second = list.ends_with("02");
        let named = |number: &Value| kinds.get(&type_key(&key(Some(number))?)).cloned();
        lists[usize::from(is_second)].extend(items(Some(numbers)).iter().filter_map(named).map(word_of));
    }
    lists
}

/// The key of a type of tourist contents among the names of a list of kinds: categories have numbers of their own.
fn type_key(number: &str) -> String {
    format!("type {number}")
}

/// Where a geometry is: a point or the first point of a line, the middle of an area.
fn place_of(geometry: &Value) -> Option<[f64; 2]> {
    let geometry = geometry.get("geometries").and_then(|all| all.get(0)).unwrap_or(geometry);
    let mut positions = Vec::new();
    collect(geometry.get("coordinates")?, &mut positions);
    let is_area = geometry.get("type").and_then(Value::as_str).is_some_and(|kind| kind.ends_with("Polygon"));
    let first = *positions.first()?;
    let found = if is_area {
        let (least, most) = positions.iter().fold((first, first), |(least, most), at| {
            ([least[0].min(at[0]), least[1].min(at[1])], [most[0].max(at[0]), most[1].max(at[1])])
        });
        [least[0].midpoint(most[0]), least[1].midpoint(most[1])]
    } else {
        first
    };
    place(Some(found[0]), Some(found[1]))
}

/// The positions of coordinates, however they are nested.
fn collect(coordinates: &Value, into: &mut Vec<[f64; 2]>) {
    let parts = items(Some(coordinates));
    match (number(parts.first()), number(parts.get(1))) {
        (Some(lon), Some(lat)) => into.push([lon, lat]),
        _ => parts.iter().for_each(|part| collect(part, into)),
    }
}

pub(in crate::incoming) fn joined(parts: &[Text]) -> Text {
    let mut all = Text::default();
    for (language, words) in parts.iter().flat_map(Text::iter).filter(|(_, words)| !words.trim().is_empty()) {
        let html =
            if words.contains('<') { words.to_owned() } else { format!("<p>{}</p>", words.replace('\n', "<br>")) };
        let before = all.get(language).unwrap_or_default().to_owned();
        all.set(language, format!("{before}{html}"));
    }
    all
}

/// Whether an item is published in no language, which only an archive of a database shows.
pub(super) fn is_draft(raw: &[u8]) -> bool {
    super::read_json(raw).is_ok_and(|item: Value| !is_published(item.get("published")))
}

fn pictures(item: &Value) -> Vec<SitPicture> {
    let attached = items(item.get("attachments")).iter().filter_map(|one| {
        let url = line(one.get("url"))?;
        let is_picture =
            one.get("type").and_then(Value::as_str) == Some("image") && media_kind(&url) == MediaKind::Image;
        let legend = [one.get("legend"), one.get("title")].into_iter().map(text).find(|text| !text.is_empty());
        is_picture.then(|| SitPicture {
            url,
            legend: legend.unwrap_or_default(),
            credit: line(one.get("author")),
            licence: line(one.get("license")),
        })
    });
    let photo = line(item.get("photo_url")).map(|url| SitPicture { url, ..SitPicture::default() });
    attached.chain(photo).collect()
}
