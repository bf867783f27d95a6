//! Features of any origin (OGC API Features, WFS, a GeoJSON file): a line, and properties whose names follow no standard.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::lenient::{geometry, key, number, position, text};
use super::route::{Found, ImportedRoute, Refused, Word};
use super::{package, randonnee};

/// A collection, its features unread.
#[derive(Deserialize)]
pub(super) struct Collection<'a> {
    #[serde(rename = "numberMatched")]
    pub(super) matched: Option<Value>,
    /// The same in a WFS before 2.0.
    #[serde(rename = "totalFeatures")]
    all: Option<Value>,
    #[serde(default)]
    links: Vec<Link>,
    #[serde(borrow)]
    pub(super) features: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Link {
    #[serde(default)]
    rel: String,
    #[serde(default)]
    href: String,
}

impl Collection<'_> {
    /// Where the next page is.
    pub(super) fn next(&self) -> Option<String> {
        self.links.iter().find(|link| link.rel == "next").map(|link| link.href.clone()).filter(|href| !href.is_empty())
    }

    /// How many there are in all.
    pub(super) fn total(&self) -> Option<u64> {
        // A WFS that did not count gives "unknown".
        [&self.matched, &self.all].into_iter().flatten().find_map(Value::as_u64)
    }
}

/// Names that a number has in most tables.
const IDS: [&str; 10] = ["uuid", "id", "gid", "fid", "ogc_fid", "objectid", "id_local", "identifiant", "code", "ref"];

/// Reads a feature. What names it is its own `id`, else a property that looks like one, else its place in the file.
pub(super) fn route(raw: &str, index: usize) -> Result<ImportedRoute, Refused> {
    let feature: Value = serde_json::from_str(raw).map_err(|error| package::damaged(&error))?;
    if feature.get("properties").and_then(|properties| properties.get("nom_itineraire")).is_some() {
        return randonnee::route(raw);
    }
    let id = id_of(&feature, index);
    Ok(route_of(&feature, id))
}

/// A feature with this name in its feed as a route.
pub(super) fn route_of(feature: &Value, id: String) -> ImportedRoute {
    let mut route = ImportedRoute::new(id);
    let properties = feature.get("properties").and_then(Value::as_object);
    for (name, value) in properties.into_iter().flatten().take(200) {
        let field = name.chars().take(80).collect::<String>();
        match value {
            Value::Number(_) => route.number(&field, number(Some(value))),
            Value::Array(parts) => {
                route.words(
                    &field,
                    parts.iter().filter_map(|part| key(Some(part))).map(|word| Word::plain(&word)).collect(),
                );
            }
            _ => route.text(&field, text(Some(value))),
        }
    }
    route.line = geometry(feature.get("geometry"));
    route
}

/// The position of a feature that is a point.
pub(super) fn position_of(raw: &str) -> Option<[f64; 2]> {
    #[derive(Deserialize)]
    struct Kind<'a> {
        #[serde(rename = "type", borrow)]
        kind: Cow<'a, str>,
    }
    #[derive(Deserialize)]
    struct Head<'a> {
        #[serde(borrow)]
        geometry: &'a RawValue,
    }
    let head: Head = serde_json::from_str(raw).ok()?;
    // The coordinates of a line are skipped.
    let kind: Kind = serde_json::from_str(head.geometry.get()).ok()?;
    if !matches!(&*kind.kind, "Point" | "MultiPoint") {
        return None;
    }
    point_of(&serde_json::from_str(head.geometry.get()).ok()?)
}

/// The position of a geometry that is a point, or the first of several points.
pub(super) fn point_of(geometry: &Value) -> Option<[f64; 2]> {
    let coordinates = geometry.get("coordinates");
    let point = match geometry.get("type").and_then(Value::as_str)? {
        "Point" => coordinates,
        "MultiPoint" => coordinates.and_then(|points| points.get(0)),
        _ => None,
    };
    position(point).map(|at| [at.lon, at.lat])
}

/// What names a feature.
pub(super) fn id_of(feature: &Value, index: usize) -> String {
    let properties = feature.get("properties");
    let of_properties = || {
        let properties = properties?.as_object()?;
        IDS.iter().find_map(|wanted| {
            let found = properties.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
            key(found.map(|(_, value)| value))
        })
    };
    key(feature.get("id")).or_else(of_properties).unwrap_or_else(|| (index + 1).to_string())
}

/// The words of a field that may be a text or a list: a vocabulary needs a list of words.
pub fn words_of(found: &Found) -> Vec<Word> {
    match found {
        Found::Words(words) => words.clone(),
        Found::Text(text) => {
            let split = text.best("fr").split([',', ';', '|']).map(str::trim).filter(|word| !word.is_empty());
            split.map(Word::plain).collect()
        }
        Found::Number(number) => vec![Word::plain(&number.to_string())],
    }
}
