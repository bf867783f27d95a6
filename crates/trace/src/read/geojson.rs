//! GeoJSON: LineString and MultiLineString as lines, Point and MultiPoint as waypoints; areas are no lines.
//!
//! Coordinates go straight into flat vectors: a document of brackets costs no tree of values.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::draft::{Draft, LineKind, WaypointWords, short_name, short_text};
use crate::error::{MAX_POINTS, NotATrace, ReadError, ReadErrorKind};
use crate::model::Format;
use crate::time;
use crate::write::MODEL_SOURCE;

const TOO_MANY: &str = "too many points";

/// Reads a GeoJSON text.
pub fn read(text: &str) -> Result<Draft, ReadError> {
    let root = parse(text).or_else(|error| match without_nan(text) {
        Some(cleaned) => parse(&cleaned),
        None => Err(error),
    });
    let root = root.map_err(|error| {
        if error.to_string().contains(TOO_MANY) {
            return ReadError::at(ReadErrorKind::TooManyPoints, error.line());
        }
        if text.starts_with('[') && error.is_data() {
            return ReadError::new(ReadErrorKind::NotATrace(NotATrace::OtherJson));
        }
        // The message ends with the place, which is returned apart.
        let message = error.to_string();
        let detail = message.split(" at line ").next().unwrap_or_default();
        ReadError::malformed(detail, Some(error.line()).filter(|line| *line > 0))
    })?;
    let known = [
        "FeatureCollection",
        "Feature",
        "GeometryCollection",
        "LineString",
        "MultiLineString",
        "Point",
        "MultiPoint",
        "Polygon",
        "MultiPolygon",
    ];
    if !root.kind.0.as_deref().is_some_and(|kind| known.contains(&kind)) {
        return Err(ReadError::new(ReadErrorKind::NotATrace(NotATrace::OtherJson)));
    }
    let mut draft = Draft::new(Format::GeoJson);
    add(&mut draft, &root, &Properties::default())?;
    draft.name = root.name.0.clone().or(draft.name);
    draft.description = root.description.0.clone().or(draft.description);
    Ok(draft)
}

fn parse(text: &str) -> serde_json::Result<Object> {
    serde_json::from_str(text.trim_start_matches('\u{feff}').trim_end_matches('\0'))
}

/// Python and others write bare `NaN` and `Infinity`, which JSON does not know: they become `null`.
fn without_nan(text: &str) -> Option<Cow<'_, str>> {
    let mut cleaned = String::with_capacity(text.len());
    let (mut rest, mut in_string, mut changed) = (text, false, false);
    while let Some(c) = rest.chars().next() {
        if in_string && c == '\\' {
            let len = 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
            cleaned.push_str(&rest[..len]);
            rest = &rest[len..];
            continue;
        }
        in_string ^= c == '"';
        let word =
            ["NaN", "nan", "-Infinity", "Infinity"].into_iter().find(|word| !in_string && rest.starts_with(word));
        if let Some(word) = word {
            cleaned.push_str("null");
            rest = &rest[word.len()..];
            changed = true;
        } else {
            cleaned.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    changed.then_some(Cow::Owned(cleaned))
}

fn add(draft: &mut Draft, object: &Object, inherited: &Properties) -> Result<(), ReadError> {
    let properties = object.properties.as_ref().unwrap_or(inherited);
    for inner in object.features.0.iter().chain(&object.geometries.0).chain(object.geometry.as_deref()) {
        add(draft, inner, properties)?;
    }
    let Some(coordinates) = &object.coordinates else { return Ok(()) };
    let name = properties.name.0.clone().or_else(|| properties.title.0.clone()).map(short_name);
    match object.kind.0.as_deref() {
        Some("LineString" | "MultiLineString") => {
            draft.name = draft.name.take().or_else(|| name.clone());
            draft.description = draft.description.take().or_else(|| properties.description());
            let mut start = 0;
            for &end in &coordinates.line_ends {
                draft.begin_line(LineKind::Track, name.clone());
                draft.set_model_heights(properties.src.0.as_deref() == Some(MODEL_SOURCE));
                for (i, [lon, lat, ele]) in coordinates.points[start..end].iter().enumerate() {
                    if let Some(point) = draft.push(*lat, *lon, 0)? {
                        point.ele = *ele;
                        point.time_ms = properties.times().get(start + i).copied().flatten();
                    }
                }
                start = end;
            }
        }
        Some("Point" | "MultiPoint") => {
            // A text belongs to the first of many points: it must not multiply.
            let mut description = properties.description();
            for [lon, lat, ele] in &coordinates.points {
                let words = WaypointWords {
                    name: name.clone(),
                    description: if lat.is_some() && lon.is_some() { description.take() } else { None },
                    symbol: properties.symbol.0.clone().map(short_name),
                };
                draft.push_waypoint(*lat, *lon, *ele, words)?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// Any GeoJSON object: what is not of its type is empty.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Object {
    #[serde(rename = "type")]
    kind: Word,
    name: Word,
    description: Word,
    features: Objects,
    geometries: Objects,
    geometry: Option<Box<Object>>,
    coordinates: Option<Coordinates>,
    properties: Option<Properties>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Properties {
    name: Word,
    title: Word,
    symbol: Word,
    description: Word,
    desc: Word,
    src: Word,
    #[serde(rename = "coordTimes")]
    coord_times: Times,
    times: Times,
}

impl Properties {
    /// What programs write under two names, some under both.
    fn description(&self) -> Option<String> {
        self.description.0.clone().or_else(|| self.desc.0.clone())
    }

    fn times(&self) -> &[Option<i64>] {
        if self.coord_times.0.is_empty() { &self.times.0 } else { &self.coord_times.0 }
    }
}

/// A list of objects, bounded.
#[derive(Default)]
struct Objects(Vec<Object>);

impl<'de> Deserialize<'de> for Objects {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Several;
        impl<'de> Visitor<'de> for Several {
            type Value = Objects;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of GeoJSON objects")
            }

            fn visit_unit<E>(self) -> Result<Objects, E> {
                Ok(Objects::default())
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Objects, A::Error> {
                let mut objects = Vec::new();
                while let Some(object) = seq.next_element::<Option<Object>>()? {
                    if objects.len() >= MAX_POINTS {
                        return Err(A::Error::custom(TOO_MANY));
                    }
                    objects.extend(object);
                }
                Ok(Objects(objects))
            }
        }
        deserializer.deserialize_any(Several)
    }
}

/// What one value of a nest of numbers turned out to be.
enum Shape {
    Number(Option<f64>),
    /// A list without anything: a position that lacks its numbers, or a line without points.
    Empty,
    Position,
    Other,
}

/// A nest of numbers of any depth, flattened: positions, and where each line of them ends.
#[derive(Default)]
struct Coordinates {
    points: Vec<[Option<f64>; 3]>,
    line_ends: Vec<usize>,
}

/// A place in a line that is no position: it is counted as an invalid point, and keeps the times of the others in their places.
const NO_POSITION: [Option<f64>; 3] = [None; 3];

impl Coordinates {
    fn push<E: serde::de::Error>(&mut self, position: [Option<f64>; 3]) -> Result<(), E> {
        if self.points.len() >= MAX_POINTS {
            return Err(E::custom(TOO_MANY));
        }
        self.points.push(position);
        Ok(())
    }

    /// Adds places without a position before the points from `start` on.
    fn put_before<E: serde::de::Error>(&mut self, start: usize, count: usize) -> Result<(), E> {
        if count > MAX_POINTS.saturating_sub(self.points.len()) {
            return Err(E::custom(TOO_MANY));
        }
        self.points.splice(start..start, std::iter::repeat_n(NO_POSITION, count));
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Coordinates {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut coordinates = Self::default();
        Nest(&mut coordinates).deserialize(deserializer)?;
        Ok(coordinates)
    }
}

struct Nest<'a>(&'a mut Coordinates);

impl<'de> DeserializeSeed<'de> for Nest<'_> {
    type Value = Shape;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Shape, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Nest<'_> {
    type Value = Shape;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("coordinates")
    }

    fn visit_f64<E>(self, value: f64) -> Result<Shape, E> {
        Ok(Shape::Number(Some(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Shape, E> {
        Ok(Shape::Number(Some(value as f64)))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Shape, E> {
        Ok(Shape::Number(Some(value as f64)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Shape, E> {
        Ok(Shape::Number(super::xml::parse_number(value)))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Shape, E> {
        Ok(Shape::Number(None))
    }

    fn visit_unit<E>(self) -> Result<Shape, E> {
        Ok(Shape::Number(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Shape, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Shape::Number(None))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Shape, A::Error> {
        let Self(coordinates) = self;
        let start = coordinates.points.len();
        let mut values = [None; 3];
        let (mut numbers, mut empties, mut lines, mut is_line) = (0, 0, 0, false);
        while let Some(shape) = seq.next_element_seed(Nest(coordinates))? {
            match shape {
                Shape::Position => is_line = true,
                Shape::Number(_) | Shape::Empty if is_line => coordinates.push::<A::Error>(NO_POSITION)?,
                Shape::Number(value) => {
                    if let Some(slot) = values.get_mut(numbers) {
                        *slot = value;
                    }
                    numbers += 1;
                }
                Shape::Empty => empties += 1,
                Shape::Other => lines += 1,
            }
        }
        if is_line {
            if numbers + empties > 0 {
                coordinates.put_before::<A::Error>(start, numbers + empties)?;
            }
            coordinates.line_ends.push(coordinates.points.len());
        } else if numbers > 0 && lines == 0 {
            coordinates.push::<A::Error>(values)?;
            return Ok(Shape::Position);
        } else if empties + lines == 0 {
            return Ok(Shape::Empty);
        }
        Ok(Shape::Other)
    }
}

/// A text where one is expected, a number as text, anything else as none.
#[derive(Default)]
struct Word(Option<String>);

/// The times of a line's points, as togeojson and others write them.
#[derive(Default)]
struct Times(Vec<Option<i64>>);

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut texts = Texts { found: Vec::new(), most: 1 };
        deserializer.deserialize_any(&mut texts)?;
        Ok(Self(texts.found.pop().map(|text| short_text(text.trim().to_owned())).filter(|text| !text.is_empty())))
    }
}

impl<'de> Deserialize<'de> for Times {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut texts = Texts { found: Vec::new(), most: MAX_POINTS };
        deserializer.deserialize_any(&mut texts)?;
        Ok(Self(texts.found.iter().map(|text| time::parse_ms(text)).collect()))
    }
}

/// The texts and numbers of a value, those inside lists too.
struct Texts {
    found: Vec<String>,
    most: usize,
}

impl Texts {
    fn add(&mut self, text: String) {
        if self.found.len() < self.most {
            self.found.push(text);
        }
    }
}

impl<'de> DeserializeSeed<'de> for &mut Texts {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut Texts {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E>(self, value: &str) -> Result<(), E> {
        self.add(value.to_owned());
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.add(value.to_string());
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.add(value.to_string());
        Ok(())
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        self.add(value.to_string());
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element_seed(&mut *self)?.is_some() {}
        Ok(())
    }
}
