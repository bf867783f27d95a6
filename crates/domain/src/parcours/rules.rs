//! The rules of a sheet: the faults of its fields.

use serde_json::{Map, Value};

use super::availability;
use super::sheet::Sheet;
use crate::Fault;
use crate::link::{LinkFault, MAX_LINK_CHARS, check_link};
use crate::record::texts_longer;
use crate::text::{Text, check_text, first_text};

/// What the rules need to know besides the sheet.
#[derive(Debug, Clone, Copy)]
pub struct RuleContext<'a> {
    /// Languages content is written in; the first is the one that is required where a text is.
    pub languages: &'a [String],
}

/// The most identifiers a list may hold.
const MAX_IDS: usize = 500;
/// Ten million euros: more is a typing error.
const MAX_PRICE_CENTS: i64 = 1_000_000_000;

/// All faults of a sheet. `changed` names the fields of this save: rules between fields apply only when one of them changed.
pub fn check(sheet: &Sheet, changed: &[&str], context: RuleContext<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    check_texts(sheet, context, &mut faults);
    check_lines(sheet, &mut faults);
    check_money(sheet, &mut faults);
    check_lists(sheet, &mut faults);
    faults.extend(availability::check(&sheet.availability));
    if sheet.relation.is_child() && sheet.parent_id.is_none() {
        faults.push(Fault::new("parcours/parent-required", "/parent_id"));
    }
    let distribution_moved = changed.iter().any(|name| ["distribute_own", "description"].contains(name));
    if sheet.distribute_own && distribution_moved && !described(sheet, context.languages) {
        faults.push(Fault::new("parcours/description-required", first_text("description", context.languages)));
    }
    faults
}

/// Whether the description is written in the first language ("The description is required for distribution on the app").
pub fn described(sheet: &Sheet, languages: &[String]) -> bool {
    languages.first().is_some_and(|lang| sheet.description.is_written(lang))
}

/// Whether there is a title in the first language, without which nothing is published or shared.
pub fn titled(sheet: &Sheet, languages: &[String]) -> bool {
    languages.first().is_some_and(|lang| sheet.title.is_written(lang))
}

/// The texts of a parcours that are written in several languages; true for those with markup.
pub(crate) const PARCOURS_TEXTS: [(&str, bool); 12] = [
    ("title", false),
    ("subtitle", false),
    ("summary", false),
    ("description", true),
    ("anonymous_title", false),
    ("anonymous_description", true),
    ("meta_title", false),
    ("meta_description", false),
    ("price_includes", true),
    ("price_excludes", true),
    ("booking_label", false),
    ("audio_guide", false),
];

/// Reads one text of a sheet.
type TextOf = fn(&Sheet) -> &Text;

/// The most characters of each text, by language.
const TEXTS: [(&str, TextOf, usize); 12] = [
    ("title", |sheet| &sheet.title, 200),
    ("subtitle", |sheet| &sheet.subtitle, 300),
    ("summary", |sheet| &sheet.summary, 2_000),
    ("description", |sheet| &sheet.description, 100_000),
    ("anonymous_title", |sheet| &sheet.anonymous_title, 200),
    ("anonymous_description", |sheet| &sheet.anonymous_description, 100_000),
    ("meta_title", |sheet| &sheet.meta_title, 200),
    ("meta_description", |sheet| &sheet.meta_description, 500),
    ("price_includes", |sheet| &sheet.price_includes, 20_000),
    ("price_excludes", |sheet| &sheet.price_excludes, 20_000),
    ("booking_label", |sheet| &sheet.booking_label, 100),
    ("audio_guide", |sheet| &sheet.audio_guide, 20_000),
];

fn check_texts(sheet: &Sheet, context: RuleContext<'_>, faults: &mut Vec<Fault>) {
    for (name, text, max) in TEXTS {
        check_text(&format!("/{name}"), text(sheet), max, context.languages, faults);
    }
}

/// The rich texts of a request that are longer than their fields allow, so that they are refused before they are parsed.
pub fn too_long(sent: &Map<String, Value>) -> Vec<Fault> {
    let rich = |name: &str| PARCOURS_TEXTS.contains(&(name, true));
    let limit = |name: &str| TEXTS.iter().find(|(field, _, _)| *field == name && rich(name)).map(|(_, _, max)| *max);
    sent.iter().filter_map(|(name, value)| Some(texts_longer(name, value, limit(name)?))).flatten().collect()
}

fn check_lines(sheet: &Sheet, faults: &mut Vec<Fault>) {
    for (field, line, max) in [("/copyright", &sheet.copyright, 500), ("/file_number", &sheet.file_number, 100)] {
        if line.as_ref().is_some_and(|line| line.chars().count() > max) {
            faults.push(Fault::new("validation/too-long", field).with("max", max));
        }
    }
    let Some(url) = &sheet.booking_url else { return };
    if let Err(wrong) = check_link(url) {
        let fault = Fault::new(wrong.code(), "/booking_url");
        faults.push(match wrong {
            LinkFault::TooLong => fault.with("max", MAX_LINK_CHARS),
            LinkFault::Invalid | LinkFault::Scheme => fault,
        });
    }
}

fn check_money(sheet: &Sheet, faults: &mut Vec<Fault>) {
    for (field, price) in [("/price_cents", sheet.price_cents), ("/max_price_cents", sheet.max_price_cents)] {
        if price.is_some_and(|cents| !(0..=MAX_PRICE_CENTS).contains(&cents)) {
            faults.push(Fault::new("validation/out-of-range", field).with("min", 0).with("max", MAX_PRICE_CENTS));
        }
    }
    if let (Some(price), Some(max)) = (sheet.price_cents, sheet.max_price_cents)
        && max < price
    {
        faults.push(Fault::new("parcours/max-price-below-price", "/max_price_cents"));
    }
    if sheet.deposit_percent.is_some_and(|percent| !(0..=100).contains(&percent)) {
        faults.push(Fault::new("parcours/deposit-out-of-range", "/deposit_percent").with("min", 0).with("max", 100));
    }
}

fn check_lists(sheet: &Sheet, faults: &mut Vec<Fault>) {
    let lists = [
        ("custom", sheet.custom.len()),
        ("theme_ids", sheet.theme_ids.len()),
        ("tag_ids", sheet.tag_ids.len()),
        ("marking_ids", sheet.marking_ids.len()),
        ("equipment_ids", sheet.equipment_ids.len()),
        ("poi_ids", sheet.poi_ids.len()),
        ("media_ids", sheet.media_ids.len()),
        ("itinerary_ids", sheet.itinerary_ids.len()),
        ("special_levels", sheet.special_levels.len()),
    ];
    for (name, count) in lists {
        if count > MAX_IDS {
            faults.push(Fault::new("validation/too-many", format!("/{name}")).with("max", MAX_IDS));
        }
    }
}
