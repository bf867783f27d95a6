//! What a Geotrek server shows beside its treks: POIs, touristic contents, information desks, services. One page of one list.

use std::collections::BTreeMap;

use domain::Text;
use domain::sit::{SitAddress, SitPicture, SitRecord, SitWord};
use serde_json::Value;

use super::super::lenient::{items, key, line, text};
use super::super::package::media_kind;
use super::super::route::Refused;
use super::json::figure;
use super::{place, web, whole};
use crate::MediaKind;

/// The lists that are read, one after the other: their names in addresses.
pub const LISTS: [&str; 4] = ["poi", "touristiccontent", "informationdesk", "service"];

/// The list that names the kinds of the items of a list, where the items have a number for it alone.
pub fn kinds_of(list: &str) -> Option<&'static str> {
    match list {
        "touristiccontent" => Some("touristiccontent_category"),
        "service" => Some("service_type"),
        _ => None,
    }
}

/// The identifier of an item: its UUID, which does not change when a server is moved; its number where it has no UUID.
pub(super) fn id_of(uuid: &Value, id: &Value) -> Option<String> {
    key(Some(uuid)).or_else(|| key(Some(id)))
}

/// The names of a list of kinds, by their numbers.
pub(in crate::incoming) fn kinds(bytes: &[u8]) -> Result<BTreeMap<String, Text>, Refused> {
    let page: Value = super::read_json(bytes)?;
    let name = |item: &Value| {
        let name = ["label", "name"].into_iter().map(|field| text(item.get(field))).find(|name| !name.is_empty())?;
        Some((key(item.get("id"))?, name))
    };
    Ok(items(page.get("results")).iter().filter_map(name).collect())
}

/// An item of one of the lists.
pub(super) fn record(raw: &[u8], kinds: &BTreeMap<String, Text>) -> Result<SitRecord, Refused> {
    record_of(&super::read_json(raw)?, kinds)
}

/// The same of an item that was read.
pub(in crate::incoming) fn record_of(item: &Value, kinds: &BTreeMap<String, Text>) -> Result<SitRecord, Refused> {
    let at = |field: &str| item.get(field);
    let words = kind(item, kinds);
    let named = text(at("name"));
    let coordinates = at("geometry").and_then(|geometry| geometry.get("coordinates"));
    let coordinate = |index: usize| coordinates.and_then(|pair| figure(pair.get(index)));
    let lon = coordinate(0).or_else(|| figure(at("longitude")));
    let lat = coordinate(1).or_else(|| figure(at("latitude")));
    let is_content = item.get("description_teaser").is_some();
    let contact = text(at("contact"));
    let mut long = joined(&[text(at("description")), text(at("accessibility"))]);
    if !contact.is_empty() {
        long = joined(&[long, contact]);
    }
    whole(SitRecord {
        id: id_of(at("uuid").unwrap_or(&Value::Null), at("id").unwrap_or(&Value::Null)).unwrap_or_default(),
        // A service without a name is called by its type.
        name: if named.is_empty() { words.first().map(|word| word.label.clone()).unwrap_or_default() } else { named },
        short: if is_content { text(at("description_teaser")) } else { Text::default() },
        long,
        opening: text(at("practical_info")),
        position: place(lon, lat),
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
        updated: line(at("update_datetime")).map(|at| at.chars().take(10).collect()),
        ..SitRecord::default()
    })
}

/// What it is: its type in words, or the name of its number.
fn kind(item: &Value, kinds: &BTreeMap<String, Text>) -> Vec<SitWord> {
    let written = [item.get("type_label"), item.get("type").and_then(|kind| kind.get("label"))];
    let number = ["category", "type"].into_iter().find_map(|field| key(item.get(field)));
    let named = || number.as_ref().and_then(|number| kinds.get(number)).cloned();
    let label = written.into_iter().map(text).find(|label| !label.is_empty()).or_else(named);
    let Some(label) = label else { return Vec::new() };
    vec![SitWord { key: label.best("fr").to_owned(), label }]
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
