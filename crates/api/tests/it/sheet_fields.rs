//! What has to know each field of a sheet by its name: the labels of the web application, its list of translated texts, and the public
//! feed. Nothing else fails where one of them does not have a new field.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use domain::record::Sheet;
use domain::{ContactSheet, PoiSheet, StructureSheet, UserSheet};
use serde_json::Value;

fn web_file(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src").join(path)).unwrap()
}

/// The texts under `field` of an area of the web application.
fn labels(locale: &str, area: &str) -> Value {
    let texts: Value = serde_json::from_str(&web_file(&format!("i18n/{locale}/{area}.json"))).unwrap();
    texts["field"].clone()
}

/// The fields of a sheet without a label in one of the languages, as `area:field`.
fn without_label<S: Sheet>(area: &str) -> Vec<String> {
    let words = |locale: &str| [labels(locale, area), labels(locale, "resource")];
    let (french, english) = (words("fr"), words("en"));
    let has = |of: &[Value; 2], name: &str| {
        of.iter().any(|labels| labels[name].as_str().is_some_and(|text| !text.is_empty()))
    };
    let lacking = S::NAMES.iter().filter(|name| !(has(&french, name) && has(&english, name)));
    lacking.map(|name| format!("{area}:{name}")).collect()
}

/// Histories and conflicts show each field by its label, also those that no form has. Imports, tourist records and transport feeds have
/// screens of their own, without a history.
#[test]
fn each_field_of_a_sheet_has_a_label_in_both_languages() {
    let lacking = [
        without_label::<domain::parcours::Sheet>("sheet"),
        without_label::<PoiSheet>("pois"),
        without_label::<domain::media::MediaSheet>("media"),
        without_label::<domain::closure::ClosureSheet>("closures"),
        without_label::<domain::itinerary::ItinerarySheet>("itineraries"),
        without_label::<domain::provider_link::ProviderLinkSheet>("providers"),
        without_label::<domain::vocabulary::TermSheet>("settings"),
        without_label::<domain::survey_campaign::SurveyCampaignSheet>("campaigns"),
        without_label::<domain::transport_line::TransportLineSheet>("lines"),
        without_label::<domain::white_label::WhiteLabelSheet>("whiteLabels"),
        without_label::<StructureSheet>("people"),
        without_label::<ContactSheet>("people"),
        without_label::<UserSheet>("people"),
        without_label::<domain::translation::TranslatorSheet>("translation"),
    ];
    assert_eq!(lacking.concat(), Vec::<String>::new(), "add them to web/src/i18n/{{fr,en}}, under `field`");
    // A label of another area does not count.
    assert!(without_label::<PoiSheet>("lines").contains(&"lines:flags".to_owned()));
}

/// Texts by field: whether they are HTML.
type Texts = BTreeMap<String, bool>;

/// `fields` of `web/src/records/translation/texts.ts`, by kind.
fn texts_of_the_web() -> BTreeMap<String, Texts> {
    let code = web_file("records/translation/texts.ts");
    let list = code.split("export const fields = {").nth(1).unwrap().split("} satisfies").next().unwrap();
    let kinds = list.split('}').filter_map(|kind| kind.split_once('{'));
    let fields = |list: &str| -> Texts {
        let fields = list.split(',').filter_map(|field| field.split_once(':'));
        fields.map(|(name, rich)| (name.trim().to_owned(), rich.trim() == "true")).collect()
    };
    kinds.map(|(kind, list)| (kind.trim_matches([' ', ',', ':', '\n']).to_owned(), fields(list))).collect()
}

fn texts_of<S: Sheet>() -> Texts {
    let texts = domain::translation::texts_of(&S::default());
    texts.into_iter().map(|text| (text.field, text.format.is_html())).collect()
}

#[test]
fn the_web_application_knows_each_translated_text() {
    let of_the_server = BTreeMap::from([
        ("parcours".to_owned(), texts_of::<domain::parcours::Sheet>()),
        ("poi".to_owned(), texts_of::<PoiSheet>()),
        ("media".to_owned(), texts_of::<domain::media::MediaSheet>()),
        ("itinerary".to_owned(), texts_of::<domain::itinerary::ItinerarySheet>()),
        ("closure".to_owned(), texts_of::<domain::closure::ClosureSheet>()),
        ("provider_link".to_owned(), texts_of::<domain::provider_link::ProviderLinkSheet>()),
        ("vocabulary".to_owned(), texts_of::<domain::vocabulary::TermSheet>()),
    ]);
    assert_eq!(texts_of_the_web(), of_the_server, "`fields` of web/src/records/translation/texts.ts");
}

/// The rows of `crates/api/src/api_docs/words.rs`, which a test compares with the answers of the feed.
fn published(list: &str) -> BTreeSet<String> {
    let code = include_str!("../../src/api_docs/words.rs");
    let rows = code.split(&format!("pub const {list}: &[FieldWords] = &[")).nth(1).unwrap();
    let rows = rows.split("\n];").next().unwrap().split("FieldWords(").skip(1);
    rows.map(|row| row.split('"').nth(1).unwrap().to_owned()).collect()
}

/// What of a sheet is not published under its own name: under another one, or not at all.
const POI_APART: &[(&str, Option<&str>)] = &[
    ("category_ids", Some("categories")),
    ("theme_ids", Some("themes")),
    ("media_ids", Some("media")),
    ("distribute", None),
];
const PARCOURS_APART: &[(&str, Option<&str>)] = &[
    ("practice_type_id", Some("practice")),
    ("level_id", Some("level")),
    ("special_levels", Some("ratings")),
    ("theme_ids", Some("themes")),
    ("tag_ids", Some("tags")),
    ("marking_ids", Some("markings")),
    ("itinerary_ids", Some("itineraries")),
    ("equipment_ids", Some("equipment")),
    ("media_ids", Some("media")),
    ("booking_url", Some("booking")),
    ("booking_label", Some("booking")),
    ("bookable", Some("booking")),
    // Which parcours are published, and where.
    ("relation", None),
    ("model_id", None),
    ("progress_status", None),
    ("distribute_partners", None),
    ("distribute_own", None),
    // For the customers of an agency.
    ("anonymous_title", None),
    ("anonymous_description", None),
    ("file_number", None),
    // For pages of Jalon: search engines, persons.
    ("meta_title", None),
    ("meta_description", None),
    ("contact_id", None),
    // Sounds have an answer of their own, `audio`.
    ("audio_main_media_id", None),
    ("audio_transition_media_id", None),
    ("audio_guide", None),
];

fn assert_every_field_decided<S: Sheet>(list: &str, apart: &[(&str, Option<&str>)]) {
    let published = published(list);
    let undecided: Vec<_> = S::NAMES
        .iter()
        .filter(|name| match apart.iter().find(|(known, _)| known == *name) {
            Some((_, Some(other))) => !published.contains(*other),
            Some((_, None)) => false,
            None => !published.contains(**name),
        })
        .collect();
    assert!(
        undecided.is_empty(),
        "publish them (docs/dev/feeds.md, \"A field more\"), or name them in this test: {undecided:?}"
    );
    let needless: Vec<_> =
        apart.iter().filter(|(name, _)| !S::NAMES.contains(name) || published.contains(*name)).collect();
    assert!(needless.is_empty(), "these are no fields, or published by their names: {needless:?}");
}

#[test]
fn each_field_of_a_sheet_is_published_or_kept_on_purpose() {
    assert_every_field_decided::<PoiSheet>("POI", POI_APART);
    assert_every_field_decided::<domain::parcours::Sheet>("PARCOURS", PARCOURS_APART);
}
