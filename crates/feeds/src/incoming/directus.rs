//! Items of a Directus server (<https://directus.io/docs/api/items>): collections of any fields. An item is read as a feature: its relations by the name of
//! what they lead to, its translations as one text in several languages, its files by their addresses.

use domain::Text;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::bounds::{self, Items};
use super::lenient::{is_geometry, key, object, word, written_geometry};
use super::route::{ImportedRoute, Line, Refused};
use super::{features, layers};

/// Fields that name what a relation leads to.
const NAMES: [&str; 10] = ["nom", "name", "titre", "title", "libelle", "label", "intitule", "value", "code", "slug"];
/// Fields of a translation with its language.
const LANGUAGES: [&str; 4] = ["languages_code", "languages_id", "language", "lang"];
/// Endings of the names of files that have a line.
const TRACKS: [&str; 7] = [".gpx", ".kml", ".kmz", ".geojson", ".json", ".tcx", ".fit"];

/// A page.
#[derive(Deserialize)]
pub(super) struct Page<'a> {
    #[serde(borrow)]
    pub data: Items<&'a RawValue>,
}

/// Reads an item. `id` is its name in the feed; `server` is the address of the server without a path, where the files of its items are.
pub(super) fn route(raw: &str, id: &str, server: &str) -> Result<ImportedRoute, Refused> {
    let (feature, track) = feature(raw, server)?;
    let mut route = features::route_of(&feature, id.to_owned());
    if let (Line::Missing | Line::Unfit(_), Some(track)) = (&route.line, track) {
        route.line = Line::At(track);
    }
    Ok(route)
}

/// The position of an item whose geometry is a point. None for an item with a file of a line: it is a route.
pub(super) fn position(raw: &str) -> Option<[f64; 2]> {
    let (feature, track) = feature(raw, "").ok()?;
    track.is_none().then(|| features::point_of(feature.get("geometry")?)).flatten()
}

/// The names of the fields of an item, filled or empty: its own, those of its relations, and those of its translations.
pub(super) fn fields(raw: &str) -> Vec<String> {
    let Ok(item) = bounds::parsed::<Map<String, Value>>(raw) else { return Vec::new() };
    let mut found: Vec<String> = item.keys().cloned().collect();
    for (name, value) in &item {
        match value {
            Value::Object(related) => found.extend(related.keys().map(|field| format!("{name}.{field}"))),
            Value::Array(items) => {
                let translations = items.iter().filter(|item| language_of(item).is_some());
                let named = translations.filter_map(Value::as_object).flat_map(Map::keys);
                found.extend(named.cloned());
            }
            _ => {}
        }
    }
    found
}

/// An item as a feature, and the address of the file with its line.
fn feature(raw: &str, server: &str) -> Result<(Value, Option<String>), Refused> {
    let item: Map<String, Value> = bounds::parsed(raw)?;
    let mut found = Flat { server, properties: Map::new(), geometry: Value::Null, track: None };
    for (name, value) in &item {
        found.take(name, value);
    }
    Ok((layers::feature(found.geometry, found.properties), found.track))
}

/// An item whose fields are being laid side by side.
struct Flat<'a> {
    server: &'a str,
    properties: Map<String, Value>,
    geometry: Value,
    track: Option<String>,
}

impl Flat<'_> {
    fn take(&mut self, name: &str, value: &Value) {
        if let Some(geometry) = geometry_of(value) {
            if self.geometry.is_null() {
                self.geometry = geometry;
            }
            return;
        }
        match value {
            Value::Object(related) => self.related(name, related),
            Value::Array(items) if items.iter().any(|item| language_of(item).is_some()) => {
                for (field, text) in translated(items) {
                    self.properties.insert(field, json!(text));
                }
            }
            Value::Array(items) => {
                let words: Vec<Value> = items.iter().filter_map(|item| self.word(item)).map(Value::from).collect();
                self.properties.insert(name.to_owned(), words.into());
            }
            Value::Null => {}
            other => {
                self.properties.insert(name.to_owned(), other.clone());
            }
        }
    }

    /// What a relation leads to: a file by its address, anything else by its name and field by field.
    fn related(&mut self, name: &str, related: &Map<String, Value>) {
        if let Some(address) = self.file(related) {
            let file = related.get("filename_download").and_then(Value::as_str).unwrap_or_default().to_lowercase();
            if TRACKS.iter().any(|ending| file.ends_with(ending)) {
                self.track.get_or_insert(address);
            } else {
                self.properties.insert(name.to_owned(), address.into());
            }
            return;
        }
        if let Some(called) = called(related) {
            self.properties.insert(name.to_owned(), json!(called));
        }
        for (field, value) in related {
            if matches!(value, Value::String(_) | Value::Number(_) | Value::Bool(_)) {
                self.properties.insert(format!("{name}.{field}"), value.clone());
            }
        }
    }

    /// An item of a list: a word, what it is called, or the address of a file. The table between two collections has what is meant in one of its fields.
    fn word(&self, item: &Value) -> Option<String> {
        let Some(fields) = object(Some(item)) else { return word(Some(item)) };
        let meant = || fields.values().filter_map(Value::as_object);
        let address = || meant().find_map(|meant| self.file(meant));
        let name = || std::iter::once(fields).chain(meant()).find_map(called).map(|text| text.best("fr").to_owned());
        self.file(fields).or_else(address).or_else(name)
    }

    /// The address of a file.
    fn file(&self, fields: &Map<String, Value>) -> Option<String> {
        fields.get("filename_download")?.as_str()?;
        Some(format!("{}/assets/{}", self.server, key(fields.get("id"))?))
    }
}

/// A geometry of GeoJSON, which some collections keep as a text.
fn geometry_of(value: &Value) -> Option<Value> {
    match value {
        Value::Object(_) if is_geometry(value) => Some(value.clone()),
        Value::String(text) => written_geometry(text),
        _ => None,
    }
}

/// What something is called, in the languages it is written in.
fn called(fields: &Map<String, Value>) -> Option<Text> {
    let translations = fields.get("translations").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mut texts = translated(translations);
    let in_languages = NAMES.iter().find_map(|name| {
        let at = texts.iter().position(|(field, _)| field == name)?;
        Some(texts.swap_remove(at).1)
    });
    let plain = || NAMES.iter().find_map(|name| word(fields.get(*name))).map(Text::in_french);
    in_languages.or_else(plain)
}

/// The two letters of the language of a translation.
fn language_of(translation: &Value) -> Option<String> {
    let fields = object(Some(translation))?;
    let said = LANGUAGES.iter().find_map(|name| fields.get(*name))?;
    let code = said.get("code").unwrap_or(said).as_str()?;
    let letters: String = code.chars().take_while(char::is_ascii_alphabetic).collect::<String>().to_ascii_lowercase();
    (letters.len() == 2).then_some(letters)
}

/// The texts of some translations, by field.
fn translated(translations: &[Value]) -> Vec<(String, Text)> {
    let mut found: Vec<(String, Text)> = Vec::new();
    for translation in translations {
        let (Some(language), Some(fields)) = (language_of(translation), object(Some(translation))) else { continue };
        for (field, words) in fields {
            let Some(words) = words.as_str().filter(|_| !LANGUAGES.contains(&field.as_str())) else { continue };
            match found.iter_mut().find(|(known, _)| known == field) {
                Some((_, text)) => text.set(language.clone(), words.to_owned()),
                None => found.push((field.clone(), std::iter::once((language.clone(), words.to_owned())).collect())),
            }
        }
    }
    found
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::super::route::Found;
    use super::*;

    const ITEM: &str = r#"{"id": 12, "status": "published", "distance": "8400",
        "translations": [
            {"id": 1, "languages_code": "fr-FR", "titre": "Tour du lac", "texte": "<p>Par la rive.</p>"},
            {"id": 2, "languages_code": {"code": "en-GB"}, "titre": "Around the lake"}],
        "difficulte": {"id": 3, "nom": "Facile", "couleur": "green"},
        "themes": [{"id": 8, "themes_id": {"id": 4, "translations": [{"languages_code": "fr-FR", "nom": "Eau"}]}},
                   {"id": 9, "themes_id": {"id": 5, "nom": "Faune"}}],
        "photos": [{"id": 1, "directus_files_id": {"id": "aa-1", "filename_download": "lac.jpg", "type": "image/jpeg"}}],
        "trace": {"id": "bb-2", "filename_download": "Tour.GPX", "type": "application/gpx+xml"}, "vide": null}"#;

    fn words(route: &ImportedRoute, field: &str) -> String {
        match route.fields.get(field) {
            Some(Found::Text(text)) => text.iter().map(|(language, words)| format!("{language} {words} ")).collect(),
            Some(Found::Words(words)) => words.iter().map(|word| format!("{} ", word.key)).collect(),
            Some(Found::Number(number)) => number.to_string(),
            None => String::new(),
        }
    }

    #[test]
    fn an_item_is_a_route_whose_relations_have_their_names() {
        let route = route(ITEM, "12", "https://d.example").unwrap();
        assert_eq!(route.id, "12");
        assert_eq!(words(&route, "titre"), "en Around the lake fr Tour du lac ");
        assert_eq!(
            (words(&route, "difficulte"), words(&route, "difficulte.couleur")),
            ("fr Facile ".into(), "fr green ".into())
        );
        assert_eq!((words(&route, "themes"), words(&route, "distance")), ("Eau Faune ".into(), "fr 8400 ".into()));
        assert_eq!(words(&route, "photos"), "https://d.example/assets/aa-1 ");
        assert_eq!(route.line, Line::At("https://d.example/assets/bb-2".to_owned()));
        assert_eq!(position(ITEM), None);
    }

    #[test]
    fn a_geometry_may_be_a_text() {
        let point = r#"{"id": "a", "nom": "Cascade", "lieu": "{\"type\":\"Point\",\"coordinates\":[6.3,44.9]}"}"#;
        assert_eq!(position(point), Some([6.3, 44.9]));
        let line =
            r#"{"id": "b", "nom": "Sentier", "trace": {"type": "LineString", "coordinates": [[6, 44], [6.1, 44.1]]}}"#;
        assert_eq!(position(line), None);
        assert!(matches!(route(line, "b", "").unwrap().line, Line::Pieces(pieces) if pieces[0].len() == 2));
        assert_eq!(route("[1]", "1", "").unwrap_err().code, "import/damaged");
    }
}
