//! Features of any origin (OGC API Features, WFS, a GeoJSON file): a line, and properties whose names follow no standard.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use domain::fold;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::bounds::{self, Items};
use super::layers::LAYER;
use super::lenient::{checksum, geometry, key, number, point, text, word};
use super::randonnee;
use super::route::{Found, ImportedRoute, Refused, Word};
use super::table::has_places;

/// A collection, its features unread.
#[derive(Deserialize)]
pub(super) struct Collection<'a> {
    #[serde(borrow, rename = "numberMatched")]
    matched: Option<&'a RawValue>,
    /// The number of matching features in a WFS before 2.0.
    #[serde(borrow, rename = "totalFeatures")]
    all: Option<&'a RawValue>,
    #[serde(default)]
    links: Items<Link>,
    #[serde(rename = "jalon_areas", default)]
    areas: u64,
    #[serde(rename = "jalon_twice", default)]
    twice: Items<String>,
    #[serde(rename = "jalon_sheet", default)]
    sheet: String,
    #[serde(rename = "jalon_sheets", default)]
    sheets: Items<String>,
    /// Whether the file that it was made of stops in the middle of its last row.
    #[serde(rename = "jalon_cut", default)]
    pub(super) is_cut: bool,
    #[serde(borrow)]
    pub(super) features: Items<&'a RawValue>,
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
        let twice = self
            .twice
            .iter()
            .take(MAX_FIELDS)
            .map(|name| Refused::new("table/column-twice").with("column", name.as_str()));
        let sheets = || {
            let read = listed(std::slice::from_ref(&self.sheet));
            Refused::new("table/other-sheets").with("read", read).with("sheets", listed(&self.sheets))
        };
        let sheets = (!self.sheets.is_empty()).then(sheets);
        (self.areas > 0).then_some(areas).into_iter().chain(sheets).chain(twice).collect()
    }

    /// How many there are in all.
    pub(super) fn total(&self) -> Option<u64> {
        // A WFS that did not count gives "unknown".
        let numbers = [self.matched, self.all].into_iter().flatten();
        numbers.filter_map(|number| bounds::parsed::<Value>(number.get()).ok()).find_map(|number| number.as_u64())
    }
}

/// Characters of a list of names in a remark.
const LISTED_CHARS: usize = 200;

/// Names one after the other; of a long list the beginning.
fn listed(names: &[String]) -> String {
    let names: Vec<&str> = names.iter().take(MAX_FIELDS).map(String::as_str).collect();
    let all: String = names.join(" · ").chars().filter(|sign| !sign.is_control()).collect();
    if all.chars().count() <= LISTED_CHARS {
        return all;
    }
    all.chars().take(LISTED_CHARS - 1).chain(['…']).collect()
}

/// Names that an identifier has in most tables.
const OWN_IDS: [&str; 2] = ["uuid", "id"];
/// Names of columns that identify an item where they are not what many items have in common.
const GIVEN_IDS: [&str; 4] = ["id_local", "identifiant", "code", "ref"];
/// Names that the number of a row has. Programs count the rows of a layer that is made anew from 1 again.
const ROW_IDS: [&str; 4] = ["gid", "fid", "ogc_fid", "objectid"];

/// Names that a title has in most tables, folded. Those that go on after a blank (`nom circuit`) are titles too.
const TITLES: [&str; 7] = ["nom", "name", "titre", "title", "libelle", "label", "intitule"];
/// A column that only tables of the national schema of hiking routes have.
const OF_SCHEMA: &str = "nom_itineraire";
/// Characters of a title in the name of a feature without an identifier.
const NAMED_CHARS: usize = 60;

/// Reads a feature; `id` is its name in the feed.
pub(super) fn route(raw: &str, id: &str) -> Result<ImportedRoute, Refused> {
    let feature: Value = bounds::parsed(raw)?;
    if feature.get("properties").and_then(|properties| properties.get(OF_SCHEMA)).is_some() {
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

/// The columns of a table that are read into one of these fields, that have its places, or that name its items: its identifiers, else its titles. Of
/// two with one name the first; all columns of a table of a standard.
pub(super) fn columns_in_use(header: &[String], fields: &[String]) -> HashSet<usize> {
    if header.iter().any(|name| name == OF_SCHEMA) {
        return (0..header.len()).collect();
    }
    let named = |known: &[&str]| header.iter().any(|name| is_one_of(name, known));
    let is_title = |name: &str| {
        let name = fold(name);
        TITLES.iter().any(|title| name == *title || begins(&name, title))
    };
    let (has_own, has_other) = (named(&OWN_IDS), named(&GIVEN_IDS) || named(&ROW_IDS));
    let names_items = |name: &str| {
        if has_own {
            is_one_of(name, &OWN_IDS)
        } else if has_other {
            is_one_of(name, &GIVEN_IDS) || is_one_of(name, &ROW_IDS)
        } else {
            is_title(name)
        }
    };
    let mut seen = HashSet::new();
    let first = header.iter().enumerate().filter(|(_, name)| !name.is_empty() && seen.insert(name.as_str()));
    let is_used = |name: &str| fields.contains(&field_of(name)) || has_places(name) || names_items(name);
    first.filter(|(_, name)| is_used(name)).map(|(at, _)| at).collect()
}

fn is_one_of(name: &str, known: &[&str]) -> bool {
    known.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Whether a folded name goes on after a word: `nom circuit`.
fn begins(name: &str, word: &str) -> bool {
    name.strip_prefix(word).is_some_and(|rest| rest.starts_with(' '))
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
    point_of(&bounds::parsed(head.geometry.get()).ok()?)
}

/// The first point of a geometry: degrees east and north.
pub(super) fn point_of(geometry: &Value) -> Option<[f64; 2]> {
    point(geometry).map(|at| [at.lon, at.lat])
}

/// What may name a feature.
#[derive(Debug)]
pub(super) struct Ids {
    /// Its own `id`, or a property of this name.
    own: Option<String>,
    /// A property that its makers fill in.
    given: Option<String>,
    /// The number of its row.
    row: Option<String>,
}

impl Ids {
    /// The identifiers of a feature whose standard says what names it.
    pub(super) fn by_standard(own: Option<String>) -> Self {
        Self { own, given: None, row: None }
    }

    pub(super) fn of(feature: &Value) -> Self {
        let properties = feature.get("properties").and_then(Value::as_object);
        let named = |names: &[&str]| {
            names.iter().find_map(|wanted| {
                let found = properties?.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
                key(found.map(|(_, value)| value))
            })
        };
        let own = key(feature.get("id")).or_else(|| named(&OWN_IDS));
        Self { own, given: named(&GIVEN_IDS), row: named(&ROW_IDS) }
    }

    /// The value that takes precedence over the number of the row, where the feature has both.
    fn instead_of_row(&self) -> Option<&str> {
        self.given.as_deref().filter(|_| self.own.is_none() && self.row.is_some())
    }

    /// The values that name features of a layer instead of the numbers of their rows: of a column whose values mostly differ, those that one feature
    /// alone has. A column that many have in common, as the code of a commune, has none.
    pub(super) fn naming(features: &[&Self]) -> HashSet<String> {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for given in features.iter().copied().filter_map(Self::instead_of_row) {
            *counts.entry(given).or_default() += 1;
        }
        if counts.len() * 4 < counts.values().sum::<usize>() * 3 {
            return HashSet::new();
        }
        counts.retain(|_, count| *count == 1);
        let numbered = || features.iter().filter(|ids| ids.own.is_none() && ids.row.is_some());
        // Else a value would be the name of a feature that keeps the number of its row.
        if numbered().any(|ids| ids.given.as_deref().is_none_or(|given| !counts.contains_key(given))) {
            for row in numbered().filter_map(|ids| ids.row.as_deref()) {
                counts.remove(row);
            }
        }
        counts.into_keys().map(str::to_owned).collect()
    }

    /// Whether the number of its row is the name of the feature: a program that numbers the rows anew gives it to another one.
    pub(super) fn is_by_row(&self, naming: Option<&HashSet<String>>) -> bool {
        let names = |given: &String| naming.is_some_and(|naming| naming.contains(given));
        self.own.is_none() && self.row.is_some() && !self.given.as_ref().is_some_and(names)
    }

    /// The name of the feature, and the other one by which it may be known: earlier versions named all by their rows, and a value is no name any more
    /// once another feature has it too.
    pub(super) fn named(self, naming: Option<&HashSet<String>>) -> (Option<String>, Option<String>) {
        match (self.own, self.given, self.row) {
            (Some(own), ..) => (Some(own), None),
            (None, Some(given), Some(row)) if naming.is_some_and(|naming| naming.contains(&given)) => {
                (Some(given), Some(row))
            }
            (None, Some(given), Some(row)) => (Some(row), Some(given)),
            (None, given, row) => (row.or(given), None),
        }
    }
}

/// The name of a feature without an identifier, from its text.
pub(super) fn name_of(raw: &str) -> String {
    match bounds::parsed(raw) {
        Ok(feature) => named(&feature),
        Err(_) => format!("#{}", checksum(raw.as_bytes())),
    }
}

/// The name of a feature without an identifier: its title, and a checksum of its title and its positions. Its place in the file would be the place of
/// another feature once one before it is removed.
fn named(feature: &Value) -> String {
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

/// Whether one of the properties of a feature is this text.
pub(super) fn has_value(raw: &str, words: &str) -> bool {
    let feature: Value = bounds::parsed(raw).unwrap_or_default();
    let properties = feature.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten().any(|(_, value)| value.as_str().is_some_and(|value| value.trim() == words.trim()))
}

/// The bytes of a feature of a layer as earlier versions made them: they named it with its layer.
pub(super) fn of_earlier_version(raw: &str, id: &str) -> Option<String> {
    let mut feature: Value = bounds::parsed(raw).ok()?;
    if feature.as_object_mut()?.remove(LAYER).is_some() {
        feature["id"] = id.into();
        return Some(feature.to_string());
    }
    Some(raw.to_owned())
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
