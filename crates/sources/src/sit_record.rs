//! A record of a tourist information system, made safe, and as fields of a POI. Pure.

use app::markup::{as_html, as_plain, sanitise};
use domain::Text;
use domain::html::plain;
use domain::record::{Sheet, apply_patch, check, clean_changed};
use domain::sit::{OVERRIDES, SitPicture, SitRecord};
use serde_json::{Map, Value, json};
use store::imports::WantedMedia;

/// The most pictures of a record that come along.
const MAX_PICTURES: usize = 8;

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

/// The pictures of a record, as media to fetch.
pub(crate) fn wanted_pictures(record: &SitRecord) -> Vec<WantedMedia> {
    let wanted = |picture: &SitPicture| WantedMedia {
        url: picture.url.clone(),
        legend: picture.legend.clone(),
        author: picture.credit.clone(),
        licence: picture.licence.clone(),
        ..WantedMedia::default()
    };
    record.pictures.iter().take(MAX_PICTURES).map(wanted).collect()
}

/// Names of the fields with a text per language.
pub(crate) fn texts() -> Vec<&'static str> {
    OVERRIDES.iter().filter(|(_, text)| *text).map(|(field, _)| *field).collect()
}

/// A sheet with what may be written of a patch, and that part of it. A field that breaks a rule is left as it was.
pub(crate) fn filled<S: Sheet>(
    before: &S,
    patch: &Map<String, Value>,
    languages: &[String],
) -> (S, Map<String, Value>) {
    let mut patch = patch.clone();
    for _ in 0..=patch.len() {
        let faults = match apply_patch(before, &patch, &[], &[]) {
            Ok(mut sheet) => {
                clean_changed(&mut sheet, before, &sanitise);
                let changed = sheet.changed_since(before);
                let mut faults = check(&sheet, &changed, languages);
                faults.retain(|fault| patch.contains_key(field_of(&fault.field)));
                if faults.is_empty() {
                    return (sheet, patch);
                }
                faults
            }
            Err(faults) => faults,
        };
        for fault in faults {
            patch.remove(field_of(&fault.field));
        }
    }
    (before.clone(), Map::new())
}

fn field_of(pointer: &str) -> &str {
    pointer.split('/').nth(1).unwrap_or_default()
}
