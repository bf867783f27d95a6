//! The data of a source, made safe, and as fields of a POI. Pure.

use domain::Text;
use domain::html::plain;
use domain::sit::{OVERRIDES, Overrides, SitRecord, filled};
use serde_json::{Map, Value, json};
use store::sit::SitRow;

use crate::imports::mapped::{as_html, as_plain};
use crate::parcours::sanitise;

/// The longest text that is kept, in characters.
const MAX_TEXT: usize = 50_000;
/// The longest line that is kept, in characters.
const MAX_LINE: usize = 2_000;

fn each(text: &Text, how: impl Fn(&str) -> String, max: usize) -> Text {
    text.iter()
        .map(|(language, words)| (language.to_owned(), how(words).chars().take(max).collect::<String>()))
        .collect()
}

/// Markup that could do harm is taken out; what is a line has none.
pub(crate) fn safe(record: SitRecord) -> SitRecord {
    let rich = |words: &str| if words.contains(['<', '&']) { sanitise(words) } else { words.trim().to_owned() };
    let line = |words: &mut String| *words = plain(words).chars().take(200).collect();
    let mut safe = SitRecord {
        name: each(&record.name, as_plain, 200),
        short: each(&record.short, rich, MAX_TEXT),
        long: each(&record.long, rich, MAX_TEXT),
        opening: each(&record.opening, as_plain, MAX_LINE),
        tariff: each(&record.tariff, as_plain, MAX_LINE),
        ..record
    };
    for word in safe.words.iter_mut().chain(&mut safe.labels) {
        word.label = each(&word.label, as_plain, 200);
    }
    for picture in &mut safe.pictures {
        picture.legend = each(&picture.legend, as_plain, 300);
    }
    safe.phones.iter_mut().chain(&mut safe.emails).for_each(line);
    safe
}

/// The source's data as fields of a POI, in the languages content is written in.
pub(crate) fn said(record: &SitRecord, languages: &[String]) -> Map<String, Value> {
    let ours = |text: &Text| -> Text {
        let known = text.iter().filter(|(language, _)| languages.iter().any(|own| own == language));
        known.map(|(language, words)| (language.to_owned(), words.to_owned())).collect()
    };
    let mut description = Text::default();
    for language in languages {
        let parts = [record.long.get(language).or_else(|| record.short.get(language)), record.tariff.get(language)];
        let html: String = parts.into_iter().flatten().map(as_html).collect();
        description.set(language.clone(), html);
    }
    let mut title = ours(&record.name);
    // A place is named somehow in our first language: by its name in another, where it has none.
    if let Some(first) = languages.first().filter(|first| !title.is_written(first)) {
        title.set(first.clone(), record.name.best(first).to_owned());
    }
    let address = &record.address;
    let said = json!({
        "title": title,
        "description": description,
        "opening": ours(&record.opening),
        "location": record.position,
        "address": {"street": address.street, "postcode": address.postcode, "city": address.city, "country": null},
        "phone": record.phones.first().map(|phone| phone.chars().take(40).collect::<String>()),
        "email": record.emails.first(),
        "website": record.websites.first(),
        "booking_url": record.booking_url,
    });
    match said {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// The fields of a record as shown: those of the source, replaced by the overrides.
pub(super) fn shown(record: &SitRecord, overrides: &Overrides, languages: &[String]) -> Map<String, Value> {
    let said = said(record, languages);
    filled(&said, overrides).unwrap_or(said)
}

/// The fields of the linked POI that a record fills.
pub(super) fn patch_of(row: &SitRow, languages: &[String]) -> Map<String, Value> {
    let mut patch = shown(&row.record, &row.overrides, languages);
    if !row.categories.is_empty() {
        patch.insert("category_ids".to_owned(), json!(row.categories));
    }
    patch
}

/// Names of the fields with a text per language.
pub(crate) fn texts() -> Vec<&'static str> {
    OVERRIDES.iter().filter(|(_, text)| *text).map(|(field, _)| *field).collect()
}

/// The name and the place that are shown.
pub(super) fn name_and_place(record: &SitRecord, overrides: &Overrides, languages: &[String]) -> (Text, [f64; 2]) {
    let shown = shown(record, overrides, languages);
    let title = shown.get("title").and_then(|title| serde_json::from_value(title.clone()).ok());
    let place = shown.get("location").and_then(|place| serde_json::from_value(place.clone()).ok());
    (title.unwrap_or_else(|| record.name.clone()), place.or(record.position).unwrap_or_default())
}
