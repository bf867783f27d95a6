//! Values of JSON as they really come: numbers in quotes, texts in one language or in several, nulls everywhere.

use domain::{Text, hexadecimal};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use trace::{Position, Repair};

use super::bounds;
use super::route::{Line, Refused};

/// The blanks that part thousands.
const BLANKS: [char; 3] = [' ', '\u{a0}', '\u{202f}'];
/// The most characters of what names a thing.
const MAX_KEY: usize = 200;
/// How many characters of a longer one are kept before its checksum.
const KEPT_OF_KEY: usize = 150;

/// A text: in the languages it is written in, or in French where no language is given.
pub(super) fn text(value: Option<&Value>) -> Text {
    match value {
        Some(Value::String(words)) => Text::in_french(words.trim()),
        Some(Value::Object(by_language)) => by_language
            .iter()
            .filter(|(language, _)| is_language(language))
            .filter_map(|(language, words)| Some((language.as_str(), words.as_str()?.trim())))
            .collect(),
        Some(Value::Number(number)) => Text::in_french(number.to_string()),
        _ => Text::default(),
    }
}

fn is_language(word: &str) -> bool {
    (2..=3).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// A number, also one in quotes or with a comma.
pub(super) fn number(value: Option<&Value>) -> Option<f64> {
    match value? {
        Value::Number(number) => number.as_f64(),
        Value::String(words) => number_of(words),
        _ => None,
    }
    .filter(|number: &f64| number.is_finite())
}

/// The number that is written in words, with a decimal point or comma. Blanks may part its thousands and nothing else: `44,9 6,3` is no number.
pub(super) fn number_of(words: &str) -> Option<f64> {
    let words = words.trim();
    let (whole, fraction) = words.split_at(words.find([',', '.']).unwrap_or(words.len()));
    let mut groups = whole.split(BLANKS);
    let begin = groups.next().unwrap_or_default().trim_start_matches(['+', '-']);
    let is_group = |group: &str| group.len() == 3 && group.bytes().all(|byte| byte.is_ascii_digit());
    let are_thousands = groups.all(|group| begin.len() <= 3 && is_group(group));
    let text = format!("{}{}", whole.replace(BLANKS, ""), fraction.replace(',', "."));
    text.parse().ok().filter(|number: &f64| are_thousands && number.is_finite())
}

/// A text or a number, on one line.
fn plain(value: Option<&Value>) -> Option<String> {
    let found = match value? {
        Value::String(words) => words.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    Some(found.chars().filter(|c| !c.is_control()).collect()).filter(|found: &String| !found.is_empty())
}

/// What names a thing: a text or a number. It is used in an index and in addresses: of a long one only the beginning is kept, and a checksum of it all.
pub(super) fn key(value: Option<&Value>) -> Option<String> {
    let found = plain(value)?;
    if found.chars().nth(MAX_KEY).is_none() {
        return Some(found);
    }
    let begin: String = found.chars().take(KEPT_OF_KEY).collect();
    Some(format!("{begin}#{}", checksum(found.as_bytes())))
}

/// A word of a list, cut where it is longer than any.
pub(super) fn word(value: Option<&Value>) -> Option<String> {
    plain(value).map(|found| found.chars().take(MAX_KEY).collect())
}

/// The first 64 bits of the SHA-256 of bytes, as hexadecimal digits.
pub(super) fn checksum(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes)[..8])
}

/// A written line.
pub(super) fn line(value: Option<&Value>) -> Option<String> {
    value.and_then(Value::as_str).map(|words| words.trim().to_owned()).filter(|words| !words.is_empty())
}

/// The items of a list; empty for any other value.
pub(super) fn items(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The members of an object.
pub(super) fn object(value: Option<&Value>) -> Option<&Map<String, Value>> {
    value.and_then(Value::as_object)
}

/// A GeoJSON geometry that is written in a text. None for any other text.
pub(super) fn written_geometry(text: &str) -> Option<Value> {
    let text = text.trim();
    let is_likely = text.starts_with('{') && text.contains("\"coordinates\"");
    is_likely.then(|| bounds::parsed(text).ok()).flatten().filter(is_geometry)
}

/// A geometry with this member is that of an item whose line cannot be read.
const UNREADABLE: &str = "jalon_unreadable";

/// The geometry of an item whose line cannot be read.
pub(super) fn unreadable() -> Value {
    json!({"type": "LineString", "coordinates": [], UNREADABLE: true})
}

/// Whether a value has the members of a GeoJSON geometry.
pub(super) fn is_geometry(value: &Value) -> bool {
    value.get("type").is_some() && value.get("coordinates").is_some()
}

/// The line of a GeoJSON geometry, repaired as the line of a file is, and what was repaired. A point without a position cannot be taken.
pub(super) fn geometry(value: Option<&Value>) -> (Line, Vec<Repair>) {
    if object(value).is_some_and(|geometry| geometry.contains_key(UNREADABLE)) {
        return (Line::Unfit(Refused::new("import/line-unreadable")), Vec::new());
    }
    let pieces = object(value).map(pieces_of).unwrap_or_default();
    if pieces.is_empty() {
        let is_nowhere = value.is_some_and(|geometry| is_point(geometry) && point(geometry).is_none());
        let line = if is_nowhere { Line::Unfit(Refused::new("import/no-position")) } else { Line::Missing };
        return (line, Vec::new());
    }
    match trace::read_lines(&pieces) {
        Ok(reading) => {
            let pieces: Vec<_> = reading.joined().into_iter().filter(|piece| piece.len() > 1).collect();
            let line = if pieces.is_empty() { Line::Missing } else { Line::Pieces(pieces) };
            (line, reading.repairs)
        }
        Err(error) => (Line::Unfit(error.into()), Vec::new()),
    }
}

fn is_point(geometry: &Value) -> bool {
    matches!(geometry.get("type").and_then(Value::as_str), Some("Point" | "MultiPoint"))
}

/// The position of a geometry that is a point, or the first of several points. None for 0, 0, which programs write for an unknown place.
pub(super) fn point(geometry: &Value) -> Option<Position> {
    let coordinates = geometry.get("coordinates");
    let point = match geometry.get("type").and_then(Value::as_str)? {
        "Point" => coordinates,
        "MultiPoint" => coordinates.and_then(|points| points.get(0)),
        _ => None,
    };
    position(point).filter(|at| at.lon != 0.0 || at.lat != 0.0)
}

/// A point as it was read: longitude, latitude and height, None where it is no number.
type RawPoint = [Option<f64>; 3];

fn pieces_of(geometry: &Map<String, Value>) -> Vec<Vec<RawPoint>> {
    let coordinates = geometry.get("coordinates");
    let found: Vec<Vec<RawPoint>> = match geometry.get("type").and_then(Value::as_str) {
        Some("LineString") => vec![raw_points(items(coordinates))],
        Some("MultiLineString") => items(coordinates).iter().map(|piece| raw_points(items(Some(piece)))).collect(),
        Some("GeometryCollection") => items(geometry.get("geometries"))
            .iter()
            .filter_map(Value::as_object)
            // One level is all that is met; more could nest without end.
            .filter(|inner| inner.get("type").and_then(Value::as_str) != Some("GeometryCollection"))
            .flat_map(pieces_of)
            .collect(),
        _ => Vec::new(),
    };
    found.into_iter().filter(|piece| !piece.is_empty()).collect()
}

fn raw_points(values: &[Value]) -> Vec<RawPoint> {
    let point = |value: &Value| {
        let parts = items(Some(value));
        [number(parts.first()), number(parts.get(1)), number(parts.get(2))]
    };
    values.iter().map(point).collect()
}

/// A line, as a list of positions.
pub(super) fn positions(values: &[Value]) -> Vec<Position> {
    values.iter().filter_map(|value| position(Some(value))).take(trace::MAX_POINTS).collect()
}

/// A position `[lon, lat]` or `[lon, lat, height]` inside the world.
pub(super) fn position(value: Option<&Value>) -> Option<Position> {
    let parts = items(value);
    let (lon, lat) = (number(parts.first())?, number(parts.get(1))?);
    let inside = (-180.0..=180.0).contains(&lon) && (-90.0..=90.0).contains(&lat);
    inside.then(|| Position { ele: number(parts.get(2)), ..Position::new(lon, lat) })
}

/// Whether an item is published in any language. An item of a list that shows only what is published does not have to say it.
pub(super) fn is_published(value: Option<&Value>) -> bool {
    match value {
        Some(Value::Bool(is)) => *is,
        Some(Value::Object(by_language)) => by_language.values().any(|is| is.as_bool() == Some(true)),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_a_decimal_sign_and_blanks_between_its_thousands() {
        for (words, number) in [
            ("725 000,50", Some(725_000.5)),
            ("6\u{a0}465\u{202f}427.22", Some(6_465_427.22)),
            (" -1 200 ", Some(-1_200.0)),
            ("960678.84", Some(960_678.84)),
            ("44,9", Some(44.9)),
            ("44,9 6,3", None),
            ("9 6,3", None),
            ("1200 300", None),
            ("12,5 00", None),
            ("1,2,3", None),
            ("inf", None),
            ("", None),
        ] {
            assert_eq!(number_of(words), number, "{words}");
        }
    }
}
