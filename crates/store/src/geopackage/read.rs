//! Reads the layers of a GeoPackage that a person sent. Nothing that the file could have SQLite work out is evaluated: views, virtual tables and
//! columns that are made from an expression are left out.

use std::path::Path;
use std::time::{Duration, Instant};

use futures_util::TryStreamExt as _;
use sea_orm::sqlx::sqlite::{SqliteConnectOptions, SqliteRow};
use sea_orm::sqlx::{
    AssertSqlSafe, ConnectOptions as _, Connection as _, Error, Row as _, SqliteConnection, TypeInfo as _,
    ValueRef as _, query,
};
use serde_json::{Map, Number, Value};
use thiserror::Error;

use crate::sql::quoted;

/// What every SQLite file begins with.
const SQLITE: &[u8] = b"SQLite format 3\0";
/// The most bytes of all features that are read.
pub const MAX_BYTES: usize = 128 * 1024 * 1024;
/// How long a file may take.
const MAX_READ_TIME: Duration = Duration::from_secs(60);
/// Steps of SQLite's virtual machine between two looks at the time.
const STEPS: i32 = 10_000;

/// A layer.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadLayer {
    /// The name of its table.
    pub name: String,
    /// Its coordinate system as well-known text; none where the file does not say it.
    pub system: Option<String>,
    /// Its features.
    pub rows: Vec<ReadRow>,
}

/// A feature of a layer.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadRow {
    /// Its geometry, as the standard stores it (2.1.3).
    pub geometry: Option<Vec<u8>>,
    /// The values of its columns that are texts or numbers.
    pub properties: Map<String, Value>,
}

/// Why a file cannot be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// It is damaged, or no GeoPackage.
    #[error("GeoPackage: {0}")]
    Damaged(#[from] Error),
    /// It has more features than may be read.
    #[error("more than {max} features")]
    TooMany {
        /// The most.
        max: usize,
    },
    /// It has more bytes of features than may be read, or takes too long.
    #[error("too large")]
    TooLarge,
}

/// Whether a file is one, by its first bytes.
pub fn is_geopackage(bytes: &[u8]) -> bool {
    bytes.starts_with(SQLITE)
}

/// The layers of features of a file, with at most `max` features in all.
pub async fn read(path: &Path, max: usize) -> Result<Vec<ReadLayer>, ReadError> {
    read_until(path, max, Instant::now() + MAX_READ_TIME).await
}

async fn read_until(path: &Path, max: usize, until: Instant) -> Result<Vec<ReadLayer>, ReadError> {
    // Immutable: no journal beside it is read, and none is made.
    let options =
        SqliteConnectOptions::new().filename(path).read_only(true).immutable(true).disable_statement_logging();
    let options = options.pragma("trusted_schema", "OFF").pragma("cell_size_check", "ON");
    let mut file = options.connect().await?;
    // SQLite itself stops a statement then: without it, one that is no longer waited for would go on.
    file.lock_handle().await?.set_progress_handler(STEPS, move || Instant::now() < until);
    let found = all_layers(&mut file, max).await;
    let _ = file.close().await;
    if Instant::now() < until { found } else { Err(ReadError::TooLarge) }
}

async fn all_layers(file: &mut SqliteConnection, max: usize) -> Result<Vec<ReadLayer>, ReadError> {
    for (table, needed) in [
        ("gpkg_contents", &["table_name", "data_type"][..]),
        ("gpkg_geometry_columns", &["table_name", "column_name", "srs_id"]),
        ("gpkg_spatial_ref_sys", &["srs_id", "definition"]),
    ] {
        let columns = stored_columns(file, table).await?;
        if needed.iter().any(|name| !columns.iter().any(|column| column == name)) {
            return Err(Error::ColumnNotFound(table.to_owned()).into());
        }
    }
    let listed = query(
        "SELECT c.table_name, g.column_name, s.definition FROM gpkg_contents c JOIN gpkg_geometry_columns g ON g.table_name = c.table_name
         LEFT JOIN gpkg_spatial_ref_sys s ON s.srs_id = g.srs_id WHERE c.data_type = 'features' ORDER BY c.table_name LIMIT 100",
    )
    .fetch_all(&mut *file)
    .await?;
    let (mut layers, mut left, mut bytes) = (Vec::new(), max, MAX_BYTES);
    for row in listed {
        let (name, geometry): (String, String) = (row.try_get("table_name")?, row.try_get("column_name")?);
        let system: Option<String> = row.try_get("definition")?;
        let columns = stored_columns(file, &name).await?;
        if !columns.contains(&geometry) {
            continue;
        }
        let names: Vec<String> = columns.iter().map(|column| quoted(column)).collect();
        let sql = format!("SELECT {} FROM {}", names.join(", "), quoted(&name));
        let mut rows = Vec::new();
        let mut found = query(AssertSqlSafe(sql)).fetch(&mut *file);
        while let Some(row) = found.try_next().await? {
            left = left.checked_sub(1).ok_or(ReadError::TooMany { max })?;
            let (row, size) = row_of(&row, &columns, &geometry)?;
            bytes = bytes.checked_sub(size).ok_or(ReadError::TooLarge)?;
            rows.push(row);
        }
        drop(found);
        let system = system.filter(|system| system.contains('['));
        layers.push(ReadLayer { name, system, rows });
    }
    Ok(layers)
}

/// The columns of a table whose values are stored in the file. Empty for a view and for a virtual table.
async fn stored_columns(file: &mut SqliteConnection, table: &str) -> Result<Vec<String>, Error> {
    let columns = query(
        "SELECT x.name FROM sqlite_master m, pragma_table_xinfo(m.name) x
         WHERE m.type = 'table' AND m.name = $1 AND m.sql LIKE 'CREATE TABLE%' AND x.hidden = 0",
    )
    .bind(table)
    .fetch_all(file)
    .await?;
    columns.iter().map(|row| row.try_get("name")).collect()
}

/// A feature, and how many bytes it has.
fn row_of(row: &SqliteRow, columns: &[String], geometry: &str) -> Result<(ReadRow, usize), Error> {
    let mut read = ReadRow { geometry: None, properties: Map::new() };
    let mut size = 0;
    for (at, column) in columns.iter().enumerate() {
        let value = row.try_get_raw(at)?;
        if value.is_null() {
            continue;
        }
        let kind = value.type_info().name().to_owned();
        let bytes = || row.try_get_unchecked::<&[u8], _>(at);
        if column == geometry {
            let bytes = bytes()?;
            size += bytes.len();
            read.geometry = Some(bytes.to_vec());
            continue;
        }
        let value = match kind.as_str() {
            "INTEGER" => row.try_get_unchecked::<i64, _>(at)?.into(),
            "REAL" => Number::from_f64(row.try_get_unchecked(at)?).map_or(Value::Null, Value::Number),
            "TEXT" => Value::from(String::from_utf8_lossy(bytes()?).into_owned()),
            _ => continue,
        };
        size += 16 + column.len() + value.as_str().map_or(0, str::len);
        read.properties.insert(column.clone(), value);
    }
    Ok((read, size))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use sea_orm::sqlx::Executor as _;
    use trace::Position;

    use super::super::{Feature, GeoPackage, GeoPackageLayer, Shape};
    use super::*;

    const LAYER: GeoPackageLayer =
        GeoPackageLayer { name: "pois", description: "Places", shape: Shape::Point, columns: &["nom"] };

    async fn written(folder: &Path) -> std::path::PathBuf {
        let path = folder.join("a.gpkg");
        let mut file = GeoPackage::create(&path, &[LAYER]).await.unwrap();
        let place = |id, name: &str| Feature {
            id,
            points: vec![Position::new(6.3, 44.9)],
            values: vec![Some(name.to_owned())],
        };
        file.add(&LAYER, &[place(1, "Cascade"), place(2, "Chalet")]).await.unwrap();
        file.finish().await.unwrap();
        path
    }

    #[tokio::test]
    async fn what_was_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = written(folder.path()).await;
        let layers = read(&path, 10).await.unwrap();
        assert_eq!((layers.len(), layers[0].name.as_str(), layers[0].rows.len()), (1, "pois", 2));
        assert!(layers[0].system.as_deref().is_some_and(|system| system.starts_with("GEOGCS")));
        let row = &layers[0].rows[1];
        assert_eq!((row.properties["fid"].as_i64(), row.properties["nom"].as_str()), (Some(2), Some("Chalet")));
        assert!(row.geometry.as_deref().is_some_and(|bytes| bytes.starts_with(b"GP")));
        assert!(matches!(read(&path, 1).await, Err(ReadError::TooMany { max: 1 })));
    }

    /// Each of these files defines something that never ends or takes a gigabyte when SQLite evaluates it.
    #[tokio::test]
    async fn nothing_that_a_file_defines_is_evaluated() {
        let endless =
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS fid, x AS geom FROM n";
        let folder = tempfile::tempdir().unwrap();
        for (at, (sql, is_refused)) in [
            (format!("DROP TABLE pois; CREATE VIEW pois AS {endless}"), false),
            ("ALTER TABLE pois ADD COLUMN large AS (zeroblob(1000000000))".to_owned(), false),
            (
                "DROP TABLE gpkg_contents; CREATE VIEW gpkg_contents AS SELECT 'pois' table_name, 'features' data_type"
                    .to_owned(),
                true,
            ),
        ]
        .into_iter()
        .enumerate()
        {
            let folder = folder.path().join(at.to_string());
            std::fs::create_dir(&folder).unwrap();
            let path = written(&folder).await;
            let mut file = SqliteConnectOptions::new().filename(&path).foreign_keys(false).connect().await.unwrap();
            file.execute(AssertSqlSafe(sql.clone())).await.unwrap();
            file.close().await.unwrap();
            match read(&path, 10).await {
                Ok(layers) => {
                    assert!(!is_refused, "{sql}");
                    assert!(layers.iter().all(|layer| layer.rows.iter().all(|row| row.properties.len() == 2)), "{sql}");
                }
                Err(error) => assert!(is_refused, "{sql}: {error}"),
            }
        }
        // Tables with the right names, of which a join has ten thousand million rows: the time is the bound.
        let folder_of_many = folder.path().join("many");
        std::fs::create_dir(&folder_of_many).unwrap();
        let path = written(&folder_of_many).await;
        let mut file = SqliteConnectOptions::new().filename(&path).foreign_keys(false).connect().await.unwrap();
        let many = "DROP TABLE gpkg_contents; DROP TABLE gpkg_geometry_columns;
            CREATE TABLE gpkg_contents (table_name TEXT, data_type TEXT);
            CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT, srs_id INTEGER);
            WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 100000)
            INSERT INTO gpkg_contents SELECT 'pois', 'features' FROM n;
            INSERT INTO gpkg_geometry_columns SELECT 'pois', 'geom', 4326 FROM gpkg_contents";
        file.execute(many).await.unwrap();
        file.close().await.unwrap();
        let begun = Instant::now();
        let read_soon = read_until(&path, 10, begun + Duration::from_millis(200)).await;
        assert!(matches!(read_soon, Err(ReadError::TooLarge)));
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
        let path = folder.path().join("not.gpkg");
        std::fs::write(&path, b"SQLite format 3\0 and nothing else").unwrap();
        assert!(matches!(read(&path, 10).await, Err(ReadError::Damaged(_))));
    }
}
