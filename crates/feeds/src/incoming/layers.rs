//! Layers of any file format (Shapefile, GeoPackage, tables with places) as one collection of features in degrees, so that everything after it is
//! what GeoJSON has.

use serde_json::{Map, Number, Value, json};

use super::bounds::too_many;
use super::projections::Projections;
use super::route::Refused;
use super::shape::{Point, Shape};
use super::systems::{guessed, unknown};

/// The most features of a file.
pub const MAX_FEATURES: usize = 20_000;

/// The most bytes of a collection as text. A file of 64 MB has fewer, unless its columns have long names: each feature repeats them.
const MAX_TEXT_BYTES: usize = 256_000_000;

/// The member of a feature with the name of its layer: the name of the feature in the feed begins with it.
pub(super) const LAYER: &str = "jalon_layer";

/// What a collection begins with.
const HEAD: &str = r#"{"type":"FeatureCollection","features":["#;

/// Features as text: their points as values would take five times the memory.
#[derive(Debug, Default)]
pub(super) struct Features {
    /// The collection, open at its end.
    text: String,
    count: usize,
    /// The number of areas that were left out.
    areas: usize,
    /// The names of columns that the file has twice.
    twice: Vec<String>,
    /// The name of the sheet that was read, where others were not.
    sheet: String,
    /// The names of sheets that were not read.
    unread_sheets: Vec<String>,
    /// Whether the file stops in the middle of its last row.
    is_cut: bool,
}

impl Features {
    /// Adds a feature of GeoJSON.
    pub fn add(&mut self, feature: &Value) -> Result<(), Refused> {
        if self.count == MAX_FEATURES {
            return Err(too_many(MAX_FEATURES));
        }
        self.text.push_str(if self.count > 0 { "," } else { HEAD });
        self.text.push_str(&feature.to_string());
        self.count += 1;
        if self.text.len() > MAX_TEXT_BYTES { Err(Refused::new("import/too-large")) } else { Ok(()) }
    }

    /// Notes that the file has a column of this name before.
    pub fn has_twice(&mut self, column: &str) {
        if !self.twice.iter().any(|name| name == column) {
            self.twice.push(column.to_owned());
        }
    }

    /// Notes the sheets of the file that were not read, beside the one that was.
    pub fn lacks_sheets(&mut self, read: &str, unread: &[String]) {
        read.clone_into(&mut self.sheet);
        self.unread_sheets = unread.to_vec();
    }

    /// Notes that the file stops in the middle of its last row: others may have come after it.
    pub fn was_cut(&mut self) {
        self.is_cut = true;
    }

    /// All of them as a collection, with what was left out as members of its own; a file without any is refused.
    pub fn finish(self) -> Result<String, Refused> {
        if self.count == 0 {
            return Err(Refused::new("import/nothing-inside"));
        }
        // The text is long: what is known at its end comes after it, so that it is not copied.
        let mut text = self.text;
        text.push(']');
        let mut member = |name: &str, value: Value| text.push_str(&format!(r#","{name}":{value}"#));
        if self.areas > 0 {
            member("jalon_areas", json!(self.areas));
        }
        if !self.twice.is_empty() {
            member("jalon_twice", json!(self.twice));
        }
        if !self.unread_sheets.is_empty() {
            member("jalon_sheet", json!(self.sheet));
            member("jalon_sheets", json!(self.unread_sheets));
        }
        if self.is_cut {
            member("jalon_cut", json!(true));
        }
        text.push('}');
        Ok(text)
    }
}

/// A feature with a geometry of GeoJSON, in degrees.
pub(super) fn feature(geometry: Value, properties: Map<String, Value>) -> Value {
    json!({"type": "Feature", "properties": properties, "geometry": geometry})
}

/// A layer whose features are added one by one.
pub(super) struct Layer<'a> {
    /// Its name, where the file has several layers: their features may have the same numbers.
    name: Option<&'a str>,
    /// Its coordinate system; worked out from the first point where its file does not say it.
    system: Option<u32>,
    projections: Projections,
}

impl<'a> Layer<'a> {
    pub fn new(name: Option<&'a str>, system: Option<u32>) -> Self {
        Self { name, system, projections: Projections::new() }
    }

    /// Adds a feature: its lines, or its first point. Areas are left out. A feature without geometry is added all the same, and so is a point without a
    /// position: the import names it when it refuses it.
    pub fn add(
        &mut self,
        to: &mut Features,
        shape: Option<&Shape>,
        properties: Map<String, Value>,
    ) -> Result<(), Refused> {
        let geometry = match shape {
            Some(Shape::Points(points)) => match points.first().filter(|point| is_known(point)) {
                Some(point) => json!({"type": "Point", "coordinates": self.degrees(point)?}),
                None => json!({"type": "Point", "coordinates": []}),
            },
            Some(Shape::Lines(lines)) => {
                let mut long: Vec<&Vec<Point>> = lines.iter().filter(|line| line.len() > 1).collect();
                if long.is_empty() {
                    // A line of one point is refused as such.
                    long.extend(lines.first());
                }
                let line = |line: &Vec<Point>| line.iter().map(|point| self.degrees(point)).collect();
                let lines: Vec<Vec<Value>> = long.into_iter().map(line).collect::<Result<_, Refused>>()?;
                json!({"type": "MultiLineString", "coordinates": lines})
            }
            Some(Shape::Areas(_)) => {
                to.areas += 1;
                return Ok(());
            }
            None => Value::Null,
        };
        let mut feature = feature(geometry, properties);
        if let Some(name) = self.name {
            feature[LAYER] = name.into();
        }
        to.add(&feature)
    }

    fn degrees(&mut self, point: &Point) -> Result<Value, Refused> {
        let srid = match self.system {
            Some(srid) => srid,
            None => *self.system.insert(guessed(point.at)?),
        };
        let degrees = self.projections.degrees(srid, point.at);
        let [lon, lat] = degrees.map_err(|_| unknown(&format!("EPSG:{srid}")))?;
        Ok(match point.height {
            // To the centimetre: a float has more digits than its file.
            Some(height) => json!([lon, lat, (f64::from(height) * 100.0).round() / 100.0]),
            None => json!([lon, lat]),
        })
    }
}

/// Whether a point has a position: 0, 0 is what programs write for an unknown one, in degrees as in metres.
fn is_known(point: &Point) -> bool {
    let [x, y] = point.at;
    x != 0.0 || y != 0.0
}

/// A number; a whole one without decimals, because it may be an identifier.
pub(super) fn figure(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        return (number as i64).into();
    }
    Number::from_f64(number).map_or(Value::Null, Value::Number)
}
