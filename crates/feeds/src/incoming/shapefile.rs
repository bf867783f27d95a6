//! Shapefiles (ESRI, "Shapefile Technical Description", 1998) in a ZIP: the lines or points (`.shp`), their table (`.dbf`), its encoding (`.cpg`) and the
//! coordinate system (`.prj`) of each layer. They are read as a collection of features, so that everything after it is what GeoJSON has.

use std::collections::HashMap;
use std::io::Cursor;

use dbase::FieldType;
use dbase::encoding::EncodingRs;
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use serde_json::{Map, Value};
use shapefile::ShapeReader;

use super::files;
use super::layers::{Features, Layer, figure};
use super::route::Refused;
use super::shape::{Point, Shape};
use super::systems::system_of;

/// What the name of the shapes of a layer ends with.
const ENDING: &str = ".shp";
/// The most bytes of all files of layers, unpacked.
const MAX_UNPACKED: usize = 2 * trace::MAX_BYTES;
pub(super) fn is_layer(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with(ENDING) && !files::hidden(name)
}

/// The lines and points of the shapefiles of an archive, as a collection of features in degrees. None where it has no shapefile.
pub(super) fn collection(bytes: &[u8]) -> Result<Option<String>, Refused> {
    let mut archive = files::opened(bytes)?;
    let names: Vec<String> = archive.file_names().map(|name| name.unwrap_or_default().into_owned()).collect();
    let layers: Vec<(usize, &String)> = names.iter().enumerate().filter(|(_, name)| is_layer(name)).collect();
    if layers.is_empty() {
        return Ok(None);
    }
    let places: HashMap<String, usize> =
        names.iter().enumerate().map(|(at, name)| (name.to_ascii_lowercase(), at)).collect();
    let mut unpacked = 0;
    let mut read = |at: usize| {
        let file = files::entry_of(&mut archive, bytes.len(), at)?;
        unpacked += file.len();
        if unpacked > MAX_UNPACKED { Err(Refused::new("trace/zip-bomb")) } else { Ok(file) }
    };
    let mut features = Features::default();
    for (at, path) in &layers {
        let stem = &path[..path.len() - ENDING.len()];
        let mut beside = |ending: &str| {
            let at = places.get(&format!("{stem}{ending}").to_ascii_lowercase());
            at.map(|at| read(*at)).transpose()
        };
        let (table, encoding, system) = (beside(".dbf")?, beside(".cpg")?, beside(".prj")?);
        let parts = Parts { lines: read(*at)?, table, encoding, system };
        let name = stem.rsplit('/').next().filter(|_| layers.len() > 1);
        parts.read(name, &mut features)?;
    }
    features.finish().map(Some)
}

/// The table of a layer: a row for each line of it. The library reads its head; the cells are read here, because one that is no date or no number (an
/// empty date is often `00000000`) would make the whole row fail.
struct Rows<'a> {
    table: &'a [u8],
    fields: Vec<dbase::FieldInfo>,
    encoding: &'static Encoding,
}

impl<'a> Rows<'a> {
    fn of(table: &'a [u8], encoding: &'static Encoding) -> Result<Self, Refused> {
        let reader = dbase::ReaderBuilder::new().with_encoding(EncodingRs::from(encoding)).build(Cursor::new(table));
        let fields = reader.map_err(|error| damaged(&error))?.fields().to_vec();
        Ok(Self { table, fields, encoding })
    }

    /// A row; none of one that was deleted. The row of a line that the table does not have is empty.
    fn row(&self, index: usize) -> Option<Map<String, Value>> {
        let (head, size) = (number_at(self.table, 8), number_at(self.table, 10));
        let row = self.table.get(head + index * size..).and_then(|rows| rows.get(..size)).unwrap_or_default();
        let Some((mark, mut cells)) = row.split_first() else { return Some(Map::new()) };
        if *mark == b'*' {
            return None;
        }
        let mut properties = Map::new();
        for field in &self.fields {
            let Some((cell, rest)) = cells.split_at_checked(usize::from(field.length())) else { break };
            cells = rest;
            properties.insert(field.name().to_owned(), self.value(field.field_type(), cell));
        }
        Some(properties)
    }

    fn value(&self, kind: FieldType, cell: &[u8]) -> Value {
        let text = self.encoding.decode_without_bom_handling(cell).0;
        let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
        match kind {
            FieldType::Character => text.into(),
            FieldType::Numeric | FieldType::Float => text.parse().map_or(Value::Null, figure),
            FieldType::Logical => match text {
                "T" | "t" | "Y" | "y" => true.into(),
                "F" | "f" | "N" | "n" => false.into(),
                _ => Value::Null,
            },
            FieldType::Date
                if text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit()) && text != "00000000" =>
            {
                format!("{}-{}-{}", &text[..4], &text[4..6], &text[6..]).into()
            }
            FieldType::Integer => cell.try_into().map_or(Value::Null, |cell| i32::from_le_bytes(cell).into()),
            FieldType::Double => cell.try_into().map_or(Value::Null, |cell| figure(f64::from_le_bytes(cell))),
            _ => Value::Null,
        }
    }
}

/// Two bytes of a table as a number.
fn number_at(table: &[u8], at: usize) -> usize {
    table.get(at..at + 2).map_or(0, |two| usize::from(u16::from_le_bytes([two[0], two[1]])))
}

/// The files of a layer.
struct Parts {
    lines: Vec<u8>,
    table: Option<Vec<u8>>,
    encoding: Option<Vec<u8>>,
    system: Option<Vec<u8>>,
}

impl Parts {
    /// Adds its lines or its points, also those that cannot be used: the import names them. Areas have no place here. `name` is given where there are
    /// several layers.
    fn read(&self, name: Option<&str>, features: &mut Features) -> Result<(), Refused> {
        let mut shapes = ShapeReader::new(Cursor::new(&self.lines)).map_err(|error| damaged(&error))?;
        let table = self.table.as_deref();
        let rows = table.map(|table| Rows::of(table, self.encoding_of(table))).transpose()?;
        let written = self.system.as_deref().map(String::from_utf8_lossy);
        let system = written.as_deref().map(system_of).transpose()?;
        let mut layer = Layer::new(name, system);
        for (index, shape) in shapes.iter_shapes().enumerate() {
            let shape = shape_of(shape.map_err(|error| damaged(&error))?);
            let row = rows.as_ref().map_or_else(|| Some(Map::new()), |rows| rows.row(index));
            if let Some(properties) = row {
                layer.add(features, shape.as_ref(), properties)?;
            }
        }
        Ok(())
    }

    /// What the `.cpg` file names. Without it, UTF-8 where all of the table is, else the encoding of Windows in western Europe.
    fn encoding_of(&self, table: &[u8]) -> &'static Encoding {
        let named = self.encoding.as_deref().and_then(|label| {
            let label = String::from_utf8_lossy(label).trim().to_ascii_lowercase();
            let is_number = !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_digit());
            let label = if is_number { format!("windows-{label}") } else { label };
            Encoding::for_label(label.as_bytes())
        });
        // The head of the table is no text.
        let is_utf_8 = || std::str::from_utf8(table.get(number_at(table, 8)..).unwrap_or_default()).is_ok();
        named.unwrap_or_else(|| if is_utf_8() { UTF_8 } else { WINDOWS_1252 })
    }
}

/// The lines or the points of a shape, an area without its rings. None for an empty shape and for a line with a single point. A point whose height is not
/// a number has no height.
fn shape_of(shape: shapefile::Shape) -> Option<Shape> {
    use shapefile::Shape as Read;
    let flat = |x: f64, y: f64| Point { at: [x, y], height: None };
    let high =
        |x: f64, y: f64, z: f64| Point { at: [x, y], height: Some(z as f32).filter(|height| height.is_finite()) };
    let lines: Vec<Vec<Point>> = match shape {
        Read::Point(point) => return Some(Shape::Points(vec![flat(point.x, point.y)])),
        Read::PointM(point) => return Some(Shape::Points(vec![flat(point.x, point.y)])),
        Read::PointZ(point) => return Some(Shape::Points(vec![high(point.x, point.y, point.z)])),
        Read::Multipoint(points) => return points.points().first().map(|at| Shape::Points(vec![flat(at.x, at.y)])),
        Read::MultipointM(points) => return points.points().first().map(|at| Shape::Points(vec![flat(at.x, at.y)])),
        Read::MultipointZ(points) => {
            return points.points().first().map(|at| Shape::Points(vec![high(at.x, at.y, at.z)]));
        }
        Read::Polyline(line) => {
            line.parts().iter().map(|part| part.iter().map(|at| flat(at.x, at.y)).collect()).collect()
        }
        Read::PolylineM(line) => {
            line.parts().iter().map(|part| part.iter().map(|at| flat(at.x, at.y)).collect()).collect()
        }
        Read::PolylineZ(line) => {
            line.parts().iter().map(|part| part.iter().map(|at| high(at.x, at.y, at.z)).collect()).collect()
        }
        Read::Polygon(_) | Read::PolygonM(_) | Read::PolygonZ(_) | Read::Multipatch(_) => {
            return Some(Shape::Areas(Vec::new()));
        }
        Read::NullShape => Vec::new(),
    };
    let lines: Vec<Vec<Point>> = lines.into_iter().filter(|line| line.len() > 1).collect();
    (!lines.is_empty()).then_some(Shape::Lines(lines))
}

fn damaged(error: &dyn std::fmt::Display) -> Refused {
    Refused::new("import/damaged-file").with("detail", format!("Shapefile: {error}"))
}
