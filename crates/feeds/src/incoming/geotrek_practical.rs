//! Practical texts of a trek: gear, parking, accessibility, ratings, desks, communes, links. Here they are parts of its text, each
//! under a separate heading; values without a field are reported.

use domain::Text;
use serde_json::Value;

use super::Names;
use super::lenient::{items, key, line, position, text};
use super::package::media_kind;
use super::route::{ImportedRoute, Refused, Word, WordList};
use crate::MediaKind;

/// Headings in French and in English.
const GEAR: [&str; 2] = ["Équipement", "Gear"];
const PARKING: [&str; 2] = ["Stationnement", "Parking"];
const ACCESSIBILITY: [&str; 2] = ["Accessibilité", "Accessibility"];
const RATINGS: [&str; 2] = ["Cotations", "Ratings"];
const DESKS: [&str; 2] = ["Où se renseigner", "Where to ask"];
const CITIES: [&str; 2] = ["Communes traversées", "Communes on the way"];
const LINKS: [&str; 2] = ["Liens utiles", "Useful links"];
/// The most items of a list.
const MAX_ENTRIES: usize = 100;

/// Reads all of it.
pub(super) fn practical(trek: &Value, names: &Names, route: &mut ImportedRoute) {
    let at = |field: &str| trek.get(field);
    let part = |heading: [&str; 2], parts: Vec<Text>| under(heading, &parts);
    route.text("equipment", part(GEAR, vec![text(at("gear"))]));
    route.text("parking", part(PARKING, vec![text(at("advised_parking")), parking_place(at("parking_location"))]));
    let texts = [
        "accessibility_advice",
        "accessibility_covering",
        "accessibility_exposure",
        "accessibility_slope",
        "accessibility_width",
        "accessibility_signage",
        "disabled_infrastructure",
    ];
    let suits = named(names, WordList::Accessibility, items(at("accessibilities")));
    let level = named(names, WordList::AccessibilityLevel, at("accessibility_level"));
    let texts = texts.into_iter().map(|field| text(at(field)));
    route.text(
        "accessibility",
        part(ACCESSIBILITY, [listed(&suits), listed(&level)].into_iter().chain(texts).collect()),
    );
    let ratings = named(names, WordList::Rating, items(at("ratings")));
    route.text("ratings", part(RATINGS, vec![listed(&ratings), text(at("ratings_description"))]));
    route.text("desks", part(DESKS, vec![listed(&named(names, WordList::Desk, items(at("information_desks"))))]));
    route.text("cities", part(CITIES, vec![in_a_row(&named(names, WordList::City, items(at("cities"))))]));
    links(trek, route);
    let sources = named(names, WordList::Source, items(at("source")));
    route.words("source", sources.into_iter().map(|label| Word { key: label.best("fr").to_owned(), label }).collect());
    left(trek, names, route);
}

/// Reports the values without a field here.
fn left(trek: &Value, names: &Names, route: &mut ImportedRoute) {
    let words = |list, field: &str| {
        let all = named(names, list, items(trek.get(field)));
        all.iter().map(|text| text.best("fr").to_owned()).collect::<Vec<_>>().join(", ")
    };
    let portals = words(WordList::Portal, "portal");
    if !portals.is_empty() {
        route.left.push(Refused::new("import/left-portals").with("portals", portals));
    }
    let kept = ["external_id", "second_external_id", "reservation_id", "provider"];
    let kept: Vec<String> = kept.into_iter().filter_map(|name| key(trek.get(name))).collect();
    if !kept.is_empty() {
        route.left.push(Refused::new("import/kept-aside").with("names", kept.join(", ")));
    }
    let taker = named(names, WordList::Reservation, trek.get("reservation_system"));
    if let Some(taker) = taker.first() {
        route.left.push(Refused::new("import/left-reservation").with("system", taker.best("fr")));
    }
    let views = items(trek.get("view_points")).len();
    if views > 0 {
        route.left.push(Refused::new("import/left-views").with("count", views.to_string()));
    }
}

/// The names of what a field points to; what has no name is left out.
fn named<'a>(names: &Names, list: WordList, ids: impl IntoIterator<Item = &'a Value>) -> Vec<Text> {
    let one = |id: &Value| names.get(&(list, key(Some(id))?)).cloned();
    ids.into_iter().take(MAX_ENTRIES).filter_map(one).collect()
}

/// Links and films: the one where it is booked is a field, the others are listed.
fn links(trek: &Value, route: &mut ImportedRoute) {
    let mut all: Vec<(String, Text)> = Vec::new();
    for link in items(trek.get("web_links")).iter().take(MAX_ENTRIES) {
        let Some(url) = web(link.get("url")) else { continue };
        let category = text(link.get("category").and_then(|category| category.get("label")));
        let books = category.iter().any(|(_, words)| {
            let words = domain::fold(words);
            words.contains("reserv") || words.contains("book")
        });
        if books && !route.fields.contains_key("booking") {
            route.text("booking", Text::in_french(url));
        } else {
            all.push((url, text(link.get("name"))));
        }
    }
    for film in items(trek.get("attachments")).iter().take(MAX_ENTRIES) {
        let is_film = film.get("type").and_then(Value::as_str) == Some("video");
        if let Some(url) = web(film.get("url")).filter(|url| is_film && media_kind(url) != MediaKind::Video) {
            all.push((url, text(film.get("legend"))));
        }
    }
    let mut shown = Text::default();
    for language in ["fr", "en"] {
        let items: String = all
            .iter()
            .map(|(url, name)| {
                let name = if name.is_empty() { url.as_str() } else { name.best(language) };
                format!("<li><a href=\"{}\">{}</a></li>", escaped(url), escaped(name))
            })
            .collect();
        let is_written = language == "fr" || all.iter().any(|(_, name)| name.is_written(language));
        if !items.is_empty() && is_written {
            shown.set(language, format!("<ul>{items}</ul>"));
        }
    }
    route.text("links", under(LINKS, &[shown]));
}

fn web(value: Option<&Value>) -> Option<String> {
    line(value).filter(|url| url.starts_with("https://") || url.starts_with("http://"))
}

/// Where one parks, as a link to a map.
fn parking_place(value: Option<&Value>) -> Text {
    let Some(at) = position(value) else { return Text::default() };
    let (lat, lon) = (at.lat, at.lon);
    let link = |words: &str| {
        let url = format!("https://www.openstreetmap.org/?mlat={lat:.5}&amp;mlon={lon:.5}#map=17/{lat:.5}/{lon:.5}");
        format!("<p><a href=\"{url}\">{words} ({lat:.5}, {lon:.5})</a></p>")
    };
    Text::in_french(link("Voir sur la carte"))
}

/// Texts as the items of a list, language by language.
fn listed(texts: &[Text]) -> Text {
    each(
        texts,
        |words| words.iter().map(|words| format!("<li>{}</li>", escaped(words))).collect(),
        |items| format!("<ul>{items}</ul>"),
    )
}

/// Texts one after the other.
fn in_a_row(texts: &[Text]) -> Text {
    each(texts, |words| escaped(&words.join(", ")), |words| format!("<p>{words}</p>"))
}

/// French always, and the languages in which something is written.
fn each(texts: &[Text], join: impl Fn(&[&str]) -> String, around: impl Fn(String) -> String) -> Text {
    let written = |language: &&str| *language == "fr" || texts.iter().any(|text| text.is_written(language));
    let made = ["fr", "en"].into_iter().filter(|language| !texts.is_empty() && written(language));
    made.map(|language| (language, around(join(&texts.iter().map(|text| text.best(language)).collect::<Vec<_>>()))))
        .collect()
}

/// Parts under a heading, language by language; empty where all parts are.
pub(super) fn under([fr, en]: [&str; 2], parts: &[Text]) -> Text {
    let mut all = Text::default();
    for part in parts {
        for (language, words) in part.iter() {
            let words = words.trim();
            if words.is_empty() {
                continue;
            }
            let html = if words.contains('<') { words.to_owned() } else { format!("<p>{}</p>", escaped(words)) };
            let heading = if language == "en" { en } else { fr };
            let before = all.get(language).map_or_else(|| format!("<h3>{heading}</h3>"), str::to_owned);
            all.set(language, format!("{before}{html}"));
        }
    }
    all
}

/// Plain text escaped for markup and for the values of attributes.
pub(super) fn escaped(words: &str) -> String {
    domain::html::escaped(words).replace('"', "&quot;")
}
