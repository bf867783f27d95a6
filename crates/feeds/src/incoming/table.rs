//! Tables (CSV, workbooks) whose rows have a place: well-known text, GeoJSON, or a latitude and a longitude.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::layers::{Features, Layer, feature};
use super::lenient::{number_of, unreadable, written_geometry};
use super::route::Refused;
use super::shape::{Point, Shape};

/// Names of columns with a latitude, or the northing of a system in metres.
const NORTH: [&str; 9] = ["lat", "latitude", "y", "coord_y", "y_wgs84", "ylat", "location_lat", "northing", "point_y"];
/// Names of columns with a longitude, or the easting of a system in metres.
const EAST: [&str; 11] =
    ["lon", "lng", "long", "longitude", "x", "coord_x", "x_wgs84", "xlong", "location_lon", "easting", "point_x"];
/// Names of columns with a latitude and a longitude, in this order.
const BOTH: [&str; 7] = ["geo_point_2d", "geo_point", "geopoint", "coordonnees", "coordinates", "gps", "latlon"];
/// The usual names of columns with a whole geometry as text; one of any other name is read too.
const WHOLE: [&str; 6] = ["wkt", "geojson", "geom", "the_geom", "geometry", "shape"];
/// What well-known text begins with.
const TEXTS: [&str; 5] = ["srid=", "point", "multi", "linestr", "polygon"];

/// The rows of a table as a collection of features in degrees. `header` has the names of the columns, `sheet` the name of the sheet, `unread_sheets`
/// those of the other sheets of its workbook. The cell with the geometry is not a property.
pub(super) fn collection<'a>(
    header: &[String],
    rows: impl IntoIterator<Item = &'a [String]>,
    sheet: &str,
    unread_sheets: &[String],
) -> Result<String, Refused> {
    let named = |names: &[&str]| header.iter().position(|name| names.contains(&name.trim().to_lowercase().as_str()));
    let (north, east, both) = (named(&NORTH), named(&EAST), named(&BOTH));
    let mut features = Features::default();
    features.lacks_sheets(sheet, unread_sheets);
    // Of two columns with one name the first is read.
    let (mut columns, mut names) = (Vec::new(), HashSet::new());
    for (at, name) in header.iter().map(|name| name.trim()).enumerate().filter(|(_, name)| !name.is_empty()) {
        if names.insert(name) {
            columns.push((at, name));
        } else {
            features.has_twice(name);
        }
    }
    let mut layer = Layer::new(None, None);
    // A file that was cut ends with a row that has too few cells, or the beginning of a line.
    let (mut is_cut, mut least_cells) = (false, usize::MAX);
    for cells in rows {
        is_cut = cells.len() < header.len().min(least_cells);
        least_cells = least_cells.min(cells.len());
        let cell = |at: Option<usize>| at.and_then(|at| cells.get(at)).map(|cell| cell.trim()).unwrap_or_default();
        let written = cells.iter().enumerate().find_map(|(at, cell)| Some((at, geometry_of(cell)?)));
        let mut properties = Map::new();
        for &(at, name) in &columns {
            let is_geometry = written.as_ref().is_some_and(|(geometry, _)| *geometry == at);
            if !is_geometry {
                let cell = Some(cell(Some(at))).filter(|cell| !cell.is_empty());
                properties.insert(name.to_owned(), Value::from(cell));
            }
        }
        match written.map(|(_, geometry)| geometry) {
            Some(Geometry::Json(json)) => features.add(&feature(json, properties))?,
            Some(Geometry::Text(shape, Some(srid))) => {
                Layer::new(None, Some(srid)).add(&mut features, Some(&shape), properties)?;
            }
            Some(Geometry::Text(shape, None)) => layer.add(&mut features, Some(&shape), properties)?,
            None if cells.iter().any(|cell| is_line(cell)) => {
                is_cut = true;
                features.add(&feature(unreadable(), properties))?;
            }
            None => {
                let place = match (number_of(cell(north)), number_of(cell(east))) {
                    (Some(y), Some(x)) => Some([x, y]),
                    _ => pair_of(cell(both)),
                };
                // A table with columns of coordinates has points: a row without them is a point without a position.
                let has_points = (north.is_some() && east.is_some()) || both.is_some();
                let points = place.map(|at| Point { at, height: None }).into_iter().collect();
                let shape = has_points.then_some(Shape::Points(points));
                layer.add(&mut features, shape.as_ref(), properties)?;
            }
        }
    }
    if is_cut {
        features.was_cut();
    }
    features.finish()
}

/// Whether a column of this name has places.
pub(super) fn has_places(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    [&NORTH[..], &EAST, &BOTH, &WHOLE].iter().any(|names| names.contains(&name.as_str()))
}

/// The geometry of a cell.
enum Geometry {
    /// GeoJSON, in degrees.
    Json(Value),
    /// Well-known text, with the number of its coordinate system where it has one.
    Text(Shape, Option<u32>),
}

/// The geometry that is written in a cell. None for any other text, for example `Point de vue (nord)`.
fn geometry_of(cell: &str) -> Option<Geometry> {
    if let Some(json) = written_geometry(cell) {
        return Some(Geometry::Json(json));
    }
    let cell = cell.trim();
    let head: String = cell.chars().take(7).collect::<String>().to_ascii_lowercase();
    let is_text = TEXTS.iter().any(|begin| head.starts_with(begin)) && cell.contains('(');
    is_text.then(|| Shape::parse(cell)).flatten().map(|(shape, srid)| Geometry::Text(shape, srid))
}

/// Whether a cell is meant to be a line as well-known text: `LINESTRING (6.3 44.9, abc)`.
fn is_line(cell: &str) -> bool {
    let head = cell.split('(').next().unwrap_or_default().trim().to_ascii_uppercase();
    let head = head.rsplit(';').next().unwrap_or_default().trim_end_matches(['Z', 'M', ' ']);
    cell.contains('(') && matches!(head.trim(), "LINESTRING" | "MULTILINESTRING")
}

/// `44.9, 6.3`: a latitude and a longitude.
fn pair_of(cell: &str) -> Option<[f64; 2]> {
    let cell = cell.trim_matches(['[', ']', '(', ')']);
    let separator = if cell.contains(';') { ';' } else { ',' };
    let (north, east) = cell.split_once(separator).or_else(|| cell.split_once(' '))?;
    Some([number_of(east)?, number_of(north)?])
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    fn geometries(header: &[&str], rows: &[&[&str]]) -> Vec<String> {
        let owned = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        let rows: Vec<Vec<String>> = rows.iter().map(|row| owned(row)).collect();
        let text = collection(&owned(header), rows.iter().map(Vec::as_slice), "", &[]).unwrap();
        let found: Value = serde_json::from_str(&text).unwrap();
        found["features"].as_array().unwrap().iter().map(|feature| feature["geometry"].to_string()).collect()
    }

    #[test]
    fn the_name_of_a_column_that_each_row_repeats_is_bounded() {
        let header = ["x".repeat(8_000_000), "lat".to_owned(), "lon".to_owned()];
        let row = ["Cascade", "44.9", "6.3"].map(str::to_owned);
        let read = |rows: usize| collection(&header, std::iter::repeat_n(row.as_slice(), rows), "", &[]);
        assert!(read(3).is_ok());
        assert_eq!(read(40).unwrap_err().code, "import/too-large");
    }

    #[test]
    fn a_row_has_its_place_in_any_of_the_usual_ways() {
        let point = r#"{"coordinates":[6.3,44.9],"type":"Point"}"#;
        assert_eq!(geometries(&["Nom", "Latitude", "Longitude"], &[&["Cascade", "44,9", "6,3"]]), [point]);
        assert_eq!(geometries(&["nom", "geo_point_2d"], &[&["Cascade", "44.9, 6.3"]]), [point]);
        assert_eq!(geometries(&["nom", "ou"], &[&["Point de vue (nord)", "POINT (6.3 44.9)"]]), [point]);
        assert_eq!(geometries(&["ou"], &[&[r#"{"type":"Point","coordinates":[6.3,44.9]}"#]]), [point]);
        let metres = geometries(&["x", "y"], &[&["960678.84", "6465427.22"], &["", ""]]);
        let nowhere = r#"{"coordinates":[],"type":"Point"}"#;
        assert!(metres[0].starts_with(r#"{"coordinates":[6.32327"#) && metres[1] == nowhere, "{metres:?}");
        assert_eq!(geometries(&["x", "y"], &[&["960 678,84", "6\u{202f}465\u{a0}427,22"]]), metres[..1], "thousands");
        let line = geometries(&["wkt"], &[&["LINESTRING Z (6 44 900, 6.1 44.1 950)"]]);
        assert_eq!(line, [r#"{"coordinates":[[[6.0,44.0,900.0],[6.1,44.1,950.0]]],"type":"MultiLineString"}"#]);
    }

    /// 0, 0 in the first row does not decide that the others are degrees.
    #[test]
    fn a_row_whose_coordinates_are_empty_or_zero_is_a_point_without_a_position() {
        let nowhere = r#"{"coordinates":[],"type":"Point"}"#;
        let found = geometries(&["x", "y"], &[&["0", "0"], &["960678.84", ""], &["960678.84", "6465427.22"]]);
        assert_eq!((found[0].as_str(), found[1].as_str()), (nowhere, nowhere));
        assert!(found[2].starts_with(r#"{"coordinates":[6.32327"#), "{found:?}");
        assert_eq!(geometries(&["nom", "geo_point_2d"], &[&["Cascade", ""]]), [nowhere]);
        assert_eq!(geometries(&["nom"], &[&["Cascade"]]), ["null"]);
    }

    #[test]
    fn a_line_that_cannot_be_read_is_no_row_without_a_line() {
        let found = geometries(&["nom", "wkt"], &[&["Bois", "LINESTRING Z (6.3 44.9 1, abc)"], &["Lac", "x"]]);
        assert!(found[0].contains("jalon_unreadable") && found[1] == "null", "{found:?}");
        let one = geometries(&["wkt"], &[&["LINESTRING (6.3 44.9)"]]);
        assert_eq!(one, [r#"{"coordinates":[[[6.3,44.9]]],"type":"MultiLineString"}"#]);
        assert_eq!(geometries(&["nom"], &[&["Linestring du bois (nord)"]]), ["null"]);
    }

    #[test]
    fn a_table_that_stops_in_its_last_row_says_so() {
        let header = ["nom", "wkt", "ref"].map(str::to_owned);
        let line = "LINESTRING (6 44, 6.1 44.1)";
        let is_cut = |rows: &[&[&str]]| {
            let rows: Vec<Vec<String>> =
                rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect();
            collection(&header, rows.iter().map(Vec::as_slice), "", &[]).unwrap().contains(r#""jalon_cut":true"#)
        };
        assert!(is_cut(&[&["Lac", line, "1"], &["Bois", "LINESTRING (6 44, 6.1"]]));
        assert!(is_cut(&[&["Lac", line, "1"], &["Bois"]]) && is_cut(&[&["Lac", line, "1"], &["Bois", line]]));
        assert!(!is_cut(&[&["Lac", line, "1"], &["Bois", line, "2"]]));
        // A line in the middle that cannot be read is a fault of its row alone, and some programs write no empty cells at the end of any row.
        assert!(!is_cut(&[&["Lac", "LINESTRING (6 44", "1"], &["Bois", line, "2"]]));
        assert!(!is_cut(&[&["Lac", line], &["Bois", line]]));
    }

    #[test]
    fn of_two_columns_with_one_name_the_first_is_read() {
        let header = ["nom", "lat", "lon", "nom", ""].map(str::to_owned);
        let row = ["Lac", "44.9", "6.3", "Bois", ""].map(str::to_owned);
        let text = collection(&header, [row.as_slice()], "", &[]).unwrap();
        assert!(text.contains(r#""nom":"Lac""#) && text.contains(r#""jalon_twice":["nom"]"#), "{text}");
    }

    #[test]
    fn sheets_that_are_not_read_are_named() {
        let header = ["nom", "wkt"].map(str::to_owned);
        let row = ["Lac", "LINESTRING (6 44, 6.1 44.1)"].map(str::to_owned);
        let remarks = |sheets: &[String]| {
            let text = collection(&header, [row.as_slice()], "Tours", sheets).unwrap();
            let found: super::super::features::Collection = serde_json::from_str(&text).unwrap();
            found.remarks()
        };
        assert!(remarks(&[]).is_empty());
        let named = |sheets: &str| [Refused::new("table/other-sheets").with("read", "Tours").with("sheets", sheets)];
        assert_eq!(remarks(&["Hiver".to_owned(), "Aide".to_owned()]), named("Hiver · Aide"));
        let long = remarks(&vec!["é".repeat(60); 20]);
        assert!(long[0].params[1].1.chars().count() == 200 && long[0].params[1].1.ends_with('…'), "{long:?}");
    }

    #[test]
    fn a_property_is_what_is_no_geometry() {
        let header = ["id", "Nom", "wkt", ""].map(str::to_owned);
        let row = ["7", "Sentier", "LINESTRING (6 44, 6.1 44.1)", "x"].map(str::to_owned);
        let text = collection(&header, [row.as_slice()], "", &[]).unwrap();
        assert!(text.contains(r#""properties":{"Nom":"Sentier","id":"7"}"#), "{text}");
        assert_eq!(collection(&header, [], "", &[]).unwrap_err().code, "import/nothing-inside");
    }
}
