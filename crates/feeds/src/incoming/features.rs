//! Features of any origin (OGC API Features, WFS, a GeoJSON file): a line, and properties whose names follow no standard.

use std::borrow::Cow;

use domain::fold;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::lenient::{checksum, geometry, key, number, point, text, word};
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
    #[serde(rename = "jalon_areas", default)]
    areas: u64,
    #[serde(rename = "jalon_twice", default)]
    twice: Vec<String>,
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

    /// What was left out of the file that it was made of.
    pub(super) fn remarks(&self) -> Vec<Refused> {
        let areas = Refused::new("import/areas-left").with("count", self.areas.to_string());
        let twice = self.twice.iter().map(|name| Refused::new("table/column-twice").with("column", name.as_str()));
        (self.areas > 0).then_some(areas).into_iter().chain(twice).collect()
    }

    /// How many there are in all.
    pub(super) fn total(&self) -> Option<u64> {
        // A WFS that did not count gives "unknown".
        [&self.matched, &self.all].into_iter().flatten().find_map(Value::as_u64)
    }
}

/// Names that a number has in most tables.
const IDS: [&str; 10] = ["uuid", "id", "gid", "fid", "ogc_fid", "objectid", "id_local", "identifiant", "code", "ref"];

/// Names that a title has in most tables, folded. Those that go on after a blank (`nom circuit`) are titles too.
const TITLES: [&str; 7] = ["nom", "name", "titre", "title", "libelle", "label", "intitule"];
/// Characters of a title in the name of a feature without an identifier.
const NAMED_CHARS: usize = 60;

/// Reads a feature; `id` is its name in the feed.
pub(super) fn route(raw: &str, id: &str) -> Result<ImportedRoute, Refused> {
    let feature: Value = serde_json::from_str(raw).map_err(|error| package::damaged(&error))?;
    if feature.get("properties").and_then(|properties| properties.get("nom_itineraire")).is_some() {
        return Ok(randonnee::route(&feature, id));
    }
    Ok(route_of(&feature, id.to_owned()))
}

/// The most fields of a feature.
const MAX_FIELDS: usize = 200;

/// The name of a field, cut where it is too long.
fn field_of(name: &str) -> String {
    name.chars().take(80).collect()
}

/// The names of the fields of a feature, filled or empty.
pub(super) fn fields(feature: &Value) -> impl Iterator<Item = String> + '_ {
    let properties = feature.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten().take(MAX_FIELDS).map(|(name, _)| field_of(name))
}

/// A feature with this name in its feed as a route.
pub(super) fn route_of(feature: &Value, id: String) -> ImportedRoute {
    let mut route = ImportedRoute::new(id);
    let properties = feature.get("properties").and_then(Value::as_object);
    for (name, value) in properties.into_iter().flatten().take(MAX_FIELDS) {
        let field = field_of(name);
        match value {
            Value::Number(_) => route.number(&field, number(Some(value))),
            Value::Array(parts) => {
                route.words(
                    &field,
                    parts.iter().filter_map(|part| word(Some(part))).map(|word| Word::plain(&word)).collect(),
                );
            }
            _ => route.text(&field, text(Some(value))),
        }
    }
    (route.line, route.repairs) = geometry(feature.get("geometry"));
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

/// The same of a geometry.
pub(super) fn point_of(geometry: &Value) -> Option<[f64; 2]> {
    point(geometry).map(|at| [at.lon, at.lat])
}

/// What names a feature: its own `id`, else a property that looks like one.
pub(super) fn id_of(feature: &Value) -> Option<String> {
    let properties = feature.get("properties");
    let of_properties = || {
        let properties = properties?.as_object()?;
        IDS.iter().find_map(|wanted| {
            let found = properties.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
            key(found.map(|(_, value)| value))
        })
    };
    key(feature.get("id")).or_else(of_properties)
}

/// The name of a feature without an identifier, from its text.
pub(super) fn name_of(raw: &str) -> String {
    match serde_json::from_str(raw) {
        Ok(feature) => named(&feature),
        Err(_) => format!("#{}", checksum(raw.as_bytes())),
    }
}

/// The name of a feature without an identifier: its title, and a checksum of its title and its positions. Its place in the file would be the place of
/// another feature once one before it is removed.
pub(super) fn named(feature: &Value) -> String {
    let title = title_of(feature);
    let mut positions = String::new();
    write_positions(feature.get("geometry").unwrap_or(&Value::Null), &mut positions);
    if title.is_empty() && positions.is_empty() {
        positions = feature.get("properties").unwrap_or(&Value::Null).to_string();
    }
    let sum = checksum(format!("{title}\n{positions}").as_bytes());
    let begin: String = title.chars().filter(|c| !c.is_control()).take(NAMED_CHARS).collect();
    format!("{} #{sum}", begin.trim()).trim_start().to_owned()
}

/// The title of a feature, by the name of its property. Empty where no property has such a name.
fn title_of(feature: &Value) -> String {
    let Some(properties) = feature.get("properties").and_then(Value::as_object) else { return String::new() };
    let properties: Vec<(String, &Value)> =
        properties.iter().take(MAX_FIELDS).map(|(name, value)| (fold(name), value)).collect();
    let titled = |is_title: fn(&str, &str) -> bool| {
        TITLES.iter().find_map(|wanted| {
            let mut of_name = properties.iter().filter(|(name, _)| is_title(name, wanted));
            of_name.find_map(|(_, value)| Some(text(Some(*value))).filter(|title| !title.is_empty()))
        })
    };
    let begins = |name: &str, wanted: &str| name.strip_prefix(wanted).is_some_and(|rest| rest.starts_with(' '));
    let found = titled(|name, wanted| name == wanted).or_else(|| titled(begins));
    found.map(|text| text.best("fr").to_owned()).unwrap_or_default()
}

/// Writes the positions of a geometry to a millionth of a degree (ten centimetres), without heights: the same line keeps its name where the last digits
/// differ.
fn write_positions(value: &Value, to: &mut String) {
    let micro = |degrees: Option<&Value>| number(degrees).map(|degrees| (degrees * 1e6).round() as i64);
    match value {
        Value::Array(parts) => {
            if let (Some(lon), Some(lat)) = (micro(parts.first()), micro(parts.get(1))) {
                to.push_str(&format!("{lon},{lat};"));
                return;
            }
            for part in parts {
                write_positions(part, to);
            }
            if !to.is_empty() && !to.ends_with('/') {
                to.push('/');
            }
        }
        Value::Object(members) => {
            for inner in ["coordinates", "geometries"].into_iter().filter_map(|name| members.get(name)) {
                write_positions(inner, to);
            }
        }
        _ => {}
    }
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
