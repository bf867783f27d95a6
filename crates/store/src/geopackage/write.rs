//! Writes a GeoPackage.

use std::path::Path;

use sea_orm::sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sea_orm::sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, Executor as _, SqliteConnection, query};
use trace::Position;

use crate::StoreError;
use crate::sql::quoted;

/// What the features of a layer are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Point,
    /// Lines.
    LineString,
}

/// A layer: its name, what its features are, and the names of its columns beside number and geometry. All columns hold text.
#[derive(Debug, Clone, Copy)]
pub struct GeoPackageLayer {
    pub name: &'static str,
    /// What it shows, in a few words.
    pub description: &'static str,
    /// What its features are.
    pub shape: Shape,
    pub columns: &'static [&'static str],
}

/// A feature of a layer.
#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    pub id: i64,
    /// Its points; one for a point; none where it has no place.
    pub points: Vec<Position>,
    /// The values of its columns, in the order of the layer's.
    pub values: Vec<Option<String>>,
}

/// A file that is being written.
#[derive(Debug)]
pub struct GeoPackage {
    file: SqliteConnection,
}

/// `GPKG`, and version 1.3: what a reader knows the file by.
const MARKS: &str = "PRAGMA application_id = 1196444487; PRAGMA user_version = 10300;";

/// The tables of the standard (C.1 to C.4), and the three systems of coordinates that each file must have.
const TABLES: &str = r#"
CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER PRIMARY KEY, organization TEXT NOT NULL,
  organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT);
INSERT INTO gpkg_spatial_ref_sys VALUES
  ('Undefined Cartesian', -1, 'NONE', -1, 'undefined', NULL),
  ('Undefined geographic', 0, 'NONE', 0, 'undefined', NULL),
  ('WGS 84 geodetic', 4326, 'EPSG', 4326, 'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4326"]]', 'longitude and latitude in degrees');
CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE, description TEXT DEFAULT '',
  last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')), min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER,
  CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id));
CREATE TABLE gpkg_geometry_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL, geometry_type_name TEXT NOT NULL, srs_id INTEGER NOT NULL,
  z TINYINT NOT NULL, m TINYINT NOT NULL, CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name), CONSTRAINT uk_gc_table_name UNIQUE (table_name),
  CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents (table_name),
  CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id));
"#;

impl GeoPackage {
    /// Begins a file that is not there yet.
    pub async fn create(path: &Path, layers: &[GeoPackageLayer]) -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            // The file is complete once it is finished, or it is not used.
            .journal_mode(SqliteJournalMode::Off)
            .synchronous(SqliteSynchronous::Off)
            .disable_statement_logging();
        let mut file = options.connect().await?;
        file.execute(MARKS).await?;
        file.execute(TABLES).await?;
        for layer in layers {
            let columns: String = layer.columns.iter().map(|name| format!(", {} TEXT", quoted(name))).collect();
            let shape = match layer.shape {
                Shape::Point => "POINT",
                Shape::LineString => "LINESTRING",
            };
            let sql = format!("CREATE TABLE {} (fid INTEGER PRIMARY KEY, geom {shape}{columns})", quoted(layer.name));
            file.execute(AssertSqlSafe(sql)).await?;
            query("INSERT INTO gpkg_contents (table_name, data_type, identifier, description, srs_id) VALUES ($1, 'features', $1, $2, 4326)")
                .bind(layer.name)
                .bind(layer.description)
                .execute(&mut file)
                .await?;
            // Where z is 2, a feature may have elevations or not.
            query("INSERT INTO gpkg_geometry_columns VALUES ($1, 'geom', $2, 4326, 2, 0)")
                .bind(layer.name)
                .bind(shape)
                .execute(&mut file)
                .await?;
        }
        file.execute("BEGIN").await?;
        Ok(Self { file })
    }

    /// Adds features to a layer.
    pub async fn add(&mut self, layer: &GeoPackageLayer, features: &[Feature]) -> Result<(), StoreError> {
        let names: String = layer.columns.iter().map(|name| format!(", {}", quoted(name))).collect();
        let places: String = (0..layer.columns.len()).map(|at| format!(", ${}", at + 3)).collect();
        let sql = format!("INSERT INTO {} (fid, geom{names}) VALUES ($1, $2{places})", quoted(layer.name));
        let mut all: Option<[f64; 4]> = None;
        for feature in features {
            let mut adding =
                query(AssertSqlSafe(sql.clone())).bind(feature.id).bind(geometry(layer.shape, &feature.points));
            for value in &feature.values {
                adding = adding.bind(value);
            }
            adding.execute(&mut self.file).await?;
            all = joined(all, bbox(&feature.points));
        }
        if let Some([west, south, east, north]) = all {
            // min and max of several values are nothing where one of them is.
            query(
                "UPDATE gpkg_contents SET min_x = min(COALESCE(min_x, $2), $2), min_y = min(COALESCE(min_y, $3), $3),
                max_x = max(COALESCE(max_x, $4), $4), max_y = max(COALESCE(max_y, $5), $5) WHERE table_name = $1",
            )
            .bind(layer.name)
            .bind(west)
            .bind(south)
            .bind(east)
            .bind(north)
            .execute(&mut self.file)
            .await?;
        }
        Ok(())
    }

    /// Ends the file.
    pub async fn finish(mut self) -> Result<(), StoreError> {
        self.file.execute("COMMIT").await?;
        self.file.close().await?;
        Ok(())
    }
}

fn bbox(points: &[Position]) -> Option<[f64; 4]> {
    points.iter().fold(None, |all, point| joined(all, Some([point.lon, point.lat, point.lon, point.lat])))
}

fn joined(one: Option<[f64; 4]>, other: Option<[f64; 4]>) -> Option<[f64; 4]> {
    match (one, other) {
        (Some(a), Some(b)) => Some([a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]),
        (one, other) => one.or(other),
    }
}

/// A geometry as the standard stores it (2.1.3): its header with the box, then well-known binary in the order of bytes of a PC. With elevations
/// where each point has one. None without points.
fn geometry(shape: Shape, points: &[Position]) -> Option<Vec<u8>> {
    let [west, south, east, north] = bbox(points)?;
    let has_z = points.iter().all(|point| point.ele.is_some());
    // Version 1; flags: a box of two axes (1 << 1), little endian (1).
    let mut bytes = vec![b'G', b'P', 0, 0b11];
    bytes.extend(4326_i32.to_le_bytes());
    for side in [west, east, south, north] {
        bytes.extend(side.to_le_bytes());
    }
    let kind = match shape {
        Shape::Point => 1_u32,
        Shape::LineString => 2,
    };
    bytes.push(1);
    bytes.extend((kind + if has_z { 1_000 } else { 0 }).to_le_bytes());
    if shape == Shape::LineString {
        bytes.extend(u32::try_from(points.len()).unwrap_or(u32::MAX).to_le_bytes());
    }
    let taken = if shape == Shape::Point { 1 } else { points.len() };
    for point in &points[..taken] {
        bytes.extend(point.lon.to_le_bytes());
        bytes.extend(point.lat.to_le_bytes());
        if let Some(ele) = point.ele.filter(|_| has_z) {
            bytes.extend(ele.to_le_bytes());
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_with_elevations_is_written_as_the_standard_says() {
        let points = [(2.0, 46.0, 100.0), (2.5, 45.5, 120.0)];
        let points = points.map(|(lon, lat, ele)| Position { lon, lat, ele: Some(ele) });
        let bytes = geometry(Shape::LineString, &points).unwrap_or_default();
        assert_eq!(bytes[..8], [b'G', b'P', 0, 3, 0xE6, 0x10, 0, 0]);
        assert_eq!(bytes[8..16], 2.0_f64.to_le_bytes());
        assert_eq!(bytes[40..49], [1, 0xEA, 0x03, 0, 0, 2, 0, 0, 0]);
        assert_eq!(bytes.len(), 49 + 2 * 24);
        // One point without elevation: none has one.
        let without = geometry(Shape::LineString, &[Position::new(2.0, 46.0), points[1]]).unwrap_or_default();
        assert_eq!((without[41], without.len()), (2, 49 + 2 * 16));
        assert_eq!(geometry(Shape::Point, &[]), None);
    }
}
