//! Shapefiles (ESRI, "Shapefile Technical Description", 1998) in a ZIP: the lines (`.shp`), their table (`.dbf`), its encoding (`.cpg`) and the
//! coordinate system (`.prj`) of each layer. They are read as a collection of features, so that everything after it is what GeoJSON has.

use std::collections::HashMap;
use std::io::Cursor;

use dbase::FieldType;
use dbase::encoding::EncodingRs;
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use serde_json::{Map, Number, Value, json};
use shapefile::{Shape, ShapeReader, ShapeType};

use super::files;
use super::projections::Projections;
use super::route::Refused;

/// What the name of the lines of a layer ends with.
const ENDING: &str = ".shp";
/// The most lines of an archive.
const MAX_FEATURES: usize = 20_000;
/// The most bytes of all files of layers, unpacked.
const MAX_UNPACKED: usize = 2 * trace::MAX_BYTES;
/// Lambert-93 on the mainland and Corsica, metres: where coordinates without a named system are taken to be in it.
const LAMBERT_93: [[f64; 2]; 2] = [[0.0, 1_300_000.0], [6_000_000.0, 7_200_000.0]];

fn is_layer(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with(ENDING) && !files::hidden(name)
}

/// The lines of the shapefiles of an archive, as a collection of features in degrees. None where it has no shapefile.
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
    if features.count == 0 {
        return Err(Refused::new("import/nothing-inside"));
    }
    Ok(Some(format!(r#"{{"type":"FeatureCollection","features":[{}]}}"#, features.text)))
}

/// Features as text: their points as values would take five times the memory.
#[derive(Default)]
struct Features {
    text: String,
    count: usize,
}

impl Features {
    fn add(&mut self, feature: &Value) -> Result<(), Refused> {
        if self.count == MAX_FEATURES {
            return Err(Refused::new("import/too-many-features").with("max", MAX_FEATURES.to_string()));
        }
        if self.count > 0 {
            self.text.push(',');
        }
        self.text.push_str(&feature.to_string());
        self.count += 1;
        Ok(())
    }
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
    /// Adds its lines. A layer of points or areas has none. `name` is given where there are several layers, whose lines may have the same numbers.
    fn read(&self, name: Option<&str>, features: &mut Features) -> Result<(), Refused> {
        let mut shapes = ShapeReader::new(Cursor::new(&self.lines)).map_err(|error| damaged(&error))?;
        let kind = shapes.header().shape_type;
        if !matches!(kind, ShapeType::Polyline | ShapeType::PolylineZ | ShapeType::PolylineM) {
            return Ok(());
        }
        let table = self.table.as_deref();
        let rows = table.map(|table| Rows::of(table, self.encoding_of(table))).transpose()?;
        let written = self.system.as_deref().map(String::from_utf8_lossy);
        let mut system = written.as_deref().map(system_of).transpose()?;
        let mut projections = Projections::new();
        for (index, shape) in shapes.iter_shapes().enumerate() {
            let pieces = pieces_of(shape.map_err(|error| damaged(&error))?);
            let row = rows.as_ref().map_or_else(|| Some(Map::new()), |rows| rows.row(index));
            let (Some(properties), Some(first)) = (row, pieces.first().and_then(|piece| piece.first())) else {
                continue;
            };
            let srid = match system {
                Some(srid) => srid,
                None => *system.insert(guessed(*first)?),
            };
            let mut degrees = |[x, y, height]: &[f64; 3]| {
                let [lon, lat] = projections.degrees(srid, [*x, *y]).map_err(|_| unknown(&format!("EPSG:{srid}")))?;
                Ok(if height.is_finite() { json!([lon, lat, height]) } else { json!([lon, lat]) })
            };
            let mut line = |piece: &Vec<[f64; 3]>| piece.iter().map(&mut degrees).collect();
            let lines: Vec<Vec<Value>> = pieces.iter().map(&mut line).collect::<Result<_, Refused>>()?;
            let mut feature = json!({"type": "Feature", "properties": properties,
                "geometry": {"type": "MultiLineString", "coordinates": lines}});
            if let Some(name) = name {
                let id = super::features::id_of(&feature, index);
                feature["id"] = format!("{name} {id}").into();
            }
            features.add(&feature)?;
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

/// A number; a whole one without decimals, because it may be an identifier.
fn figure(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        return (number as i64).into();
    }
    Number::from_f64(number).map_or(Value::Null, Value::Number)
}

/// The pieces of a line, of two points at least. A point is x, y and its height; the height is NaN where the file has none.
fn pieces_of(shape: Shape) -> Vec<Vec<[f64; 3]>> {
    let pieces: Vec<Vec<[f64; 3]>> = match shape {
        Shape::Polyline(line) => {
            line.parts().iter().map(|part| part.iter().map(|point| [point.x, point.y, f64::NAN]).collect()).collect()
        }
        Shape::PolylineM(line) => {
            line.parts().iter().map(|part| part.iter().map(|point| [point.x, point.y, f64::NAN]).collect()).collect()
        }
        Shape::PolylineZ(line) => {
            line.parts().iter().map(|part| part.iter().map(|point| [point.x, point.y, point.z]).collect()).collect()
        }
        _ => Vec::new(),
    };
    pieces.into_iter().filter(|piece| piece.len() > 1).collect()
}

/// The EPSG number of a system that is written as WKT: the number that is in it, else its name.
fn system_of(wkt: &str) -> Result<u32, Refused> {
    let folded: String = wkt.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_uppercase();
    let name = wkt.split('"').nth(1).unwrap_or_default();
    // Datum and units have EPSG numbers too: that of the system is the last one, at the end of the text.
    let number = ["AUTHORITY[\"EPSG\",", "ID[\"EPSG\","].iter().find_map(|word| {
        let (_, after) = folded.rsplit_once(word)?;
        let (number, rest) = after.trim_start_matches('"').split_once(['"', ']'])?;
        rest.trim_matches(['"', ']']).is_empty().then(|| number.parse().ok()).flatten()
    });
    let is_geographic = ["GEOGCS[", "GEOGCRS[", "GEODCRS["].iter().any(|word| folded.starts_with(word));
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let found = if is_geographic { degrees_of(&plain) } else { number.or_else(|| metres_of(&plain)) };
    found.ok_or_else(|| unknown(name))
}

/// Systems in degrees that differ from WGS 84 by less than a metre; they are read as it.
fn degrees_of(name: &str) -> Option<u32> {
    let known = [
        "wgs84", "wgs1984", "etrs", "rgf93", "rgf1993", "rgr92", "rgr1992", "rgfg", "rgm04", "rgm2004", "rgaf", "rgspm",
    ];
    known.iter().any(|known| name.contains(known)).then_some(4326)
}

/// Systems in metres, by the names that QGIS and ArcGIS write: letters and digits alone.
fn metres_of(name: &str) -> Option<u32> {
    if let Some((_, zone)) = name.split_once("utm") {
        let south = zone.ends_with('s');
        let digits = zone.trim_start_matches("zone").trim_end_matches(['n', 's']);
        let zone: u32 = digits.parse().ok().filter(|zone| (1..=60).contains(zone))?;
        let overseas = [
            ("rgr92", 2975),
            ("rgr1992", 2975),
            ("rgfg", 2972),
            ("rgm04", 4471),
            ("rgm2004", 4471),
            ("rgaf", 5490),
            ("rgspm", 4467),
        ];
        let overseas = overseas.iter().find(|(datum, _)| name.contains(datum)).map(|(_, srid)| *srid);
        let is_european = name.contains("etrs") || name.contains("rgf93");
        let world = || match (name.starts_with("wgs"), south) {
            (true, true) => Some(32_700 + zone),
            (true, false) => Some(32_600 + zone),
            (false, _) => None,
        };
        return overseas.or_else(|| if is_european { Some(25_800 + zone) } else { world() });
    }
    if let Some((_, zone)) = name.split_once("cc").filter(|_| name.contains("rgf")) {
        let zone: u32 = zone.get(..2)?.parse().ok().filter(|zone| (42..=50).contains(zone))?;
        return Some(3900 + zone);
    }
    let known = [
        ("lambert93", 2154),
        ("pseudomercator", 3857),
        ("webmercator", 3857),
        ("lv95", 2056),
        ("lv03", 21_781),
        ("lambert2008", 3812),
    ];
    known.iter().find(|(known, _)| name.contains(known)).map(|(_, srid)| *srid)
}

/// The system of coordinates that come without one: degrees, or Lambert-93.
fn guessed([x, y, _]: [f64; 3]) -> Result<u32, Refused> {
    let within = |at: f64, [least, most]: [f64; 2]| (least..=most).contains(&at);
    if within(x, [-180.0, 180.0]) && within(y, [-90.0, 90.0]) {
        return Ok(4326);
    }
    if within(x, LAMBERT_93[0]) && within(y, LAMBERT_93[1]) { Ok(2154) } else { Err(unknown("?")) }
}

fn unknown(name: &str) -> Refused {
    let name: String = name.chars().filter(|c| !c.is_control()).take(100).collect();
    Refused::new("import/unknown-projection").with("name", name)
}

fn damaged(error: &dyn std::fmt::Display) -> Refused {
    Refused::new("trace/malformed").with("detail", format!("the shapefile: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_known_by_its_number_or_by_its_name() {
        for (wkt, srid) in [
            (
                r#"PROJCS["RGF_1993_Lambert_93",GEOGCS["GCS_RGF_1993",DATUM["D_RGF_1993"]],UNIT["Meter",1.0]]"#,
                Some(2154),
            ),
            (
                r#"PROJCS["RGF93 v1 / Lambert-93",GEOGCS["RGF93 v1",AUTHORITY["EPSG","4171"]],AUTHORITY["EPSG","2154"]]"#,
                Some(2154),
            ),
            (r#"PROJCS["RGF93_CC46",GEOGCS["GCS_RGF_1993"]]"#, Some(3946)),
            (r#"GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984"],AUTHORITY["EPSG","4326"]]"#, Some(4326)),
            (r#"PROJCS["WGS_1984_UTM_Zone_31N",GEOGCS["GCS_WGS_1984"]]"#, Some(32_631)),
            (r#"PROJCS["RGR_1992_UTM_40S",GEOGCS["GCS_RGR_1992"]]"#, Some(2975)),
            (r#"PROJCS["ETRS89 / UTM zone 32N",GEOGCS["ETRS89"]]"#, Some(25_832)),
            (r#"PROJCS["ED50 / UTM zone 31N",GEOGCS["ED50"]]"#, None),
            (r#"PROJCS["NTF_Lambert_II_etendu",GEOGCS["GCS_NTF"]]"#, None),
            (r#"GEOGCS["GCS_NTF",DATUM["D_NTF"]]"#, None),
            ("", None),
        ] {
            assert_eq!(system_of(wkt).ok(), srid, "{wkt}");
        }
        assert_eq!(guessed([3.0, 45.0, 0.0]).ok(), Some(4326));
        assert_eq!(guessed([700_000.0, 6_600_000.0, 0.0]).ok(), Some(2154));
        assert_eq!(guessed([700_000.0, 2_000_000.0, 0.0]).map_err(|why| why.code), Err("import/unknown-projection"));
    }
}
