//! Files of other formats that are read as features: a GeoPackage, a table whose rows have a place, what GDAL makes a GeoPackage of.

use app::App;
use app::problem::{AsProblem as _, Internal};
use app::record::table::{self, CellFault};
use content::media::Scratch;
use domain::imports::{ImportKind, ImportNote, ImportSourceSheet};
use feeds::incoming::{GdalFile, GeoPackageFeatures, MAX_FEATURES, Refused, table_columns_in_use, table_features};
use serde_json::Value;
use store::geopackage::{self, ReadError, ReadLayer};

use super::gdal;
use super::halt::Halt;
use super::mapped::rules_of;
use super::prepare::note_of;

/// Endings of the names of tables.
const TABLES: [&str; 3] = [".csv", ".tsv", ".xlsx"];
/// What a workbook of Excel before 2007 (`.xls`) begins with.
const OLD_WORKBOOK: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";
/// How many bytes of an archive come before the name of its first part.
const ZIP_HEAD: usize = 30;
/// How many bytes of the beginning of a file tell whether it is a table.
const HEAD: usize = 4_000;

/// The bytes of a source of files or features as GeoJSON where they are of one of these formats; else unchanged.
pub(super) async fn as_features(
    app: &App,
    sheet: &ImportSourceSheet,
    name: &str,
    bytes: Vec<u8>,
) -> Result<Vec<u8>, Halt> {
    let kind = sheet.kind;
    if !matches!(kind, ImportKind::Files | ImportKind::Features) {
        return Ok(bytes);
    }
    if geopackage::is_geopackage(&bytes) {
        // It is opened as a file; the person who sent it names none on this server.
        let file = Scratch::new(app)?;
        tokio::fs::write(&file.0, bytes).await.map_err(Internal::new)?;
        return of_geopackage(&file).await;
    }
    if let Some(other) = GdalFile::of(name, &bytes) {
        let file = gdal::as_geopackage(app, other, bytes).await?;
        return of_geopackage(&file).await;
    }
    if bytes.starts_with(OLD_WORKBOOK) || is_open_document(&bytes) {
        return Err(ImportNote::new("table/unreadable").into());
    }
    if is_table(kind, name, &bytes) {
        let fields: Vec<String> = rules_of(sheet).into_iter().flat_map(|rule| rule.from).collect();
        return run_blocking(move || of_table(&bytes, &fields)).await;
    }
    Ok(bytes)
}

async fn of_geopackage(file: &Scratch) -> Result<Vec<u8>, Halt> {
    let layers = geopackage::read(&file.0, MAX_FEATURES).await.map_err(|error| note_of_geopackage(&error))?;
    run_blocking(move || of_layers(layers)).await
}

/// Reads on a thread for blocking work.
async fn run_blocking(read: impl FnOnce() -> Result<String, ImportNote> + Send + 'static) -> Result<Vec<u8>, Halt> {
    let read = tokio::task::spawn_blocking(read).await.map_err(Internal::new)?;
    Ok(read?.into_bytes())
}

fn of_layers(layers: Vec<ReadLayer>) -> Result<String, ImportNote> {
    let mut features = GeoPackageFeatures::default();
    let several = layers.len() > 1;
    let read = || -> Result<(), Refused> {
        for ReadLayer { name, system, rows } in layers {
            let rows = rows.into_iter().map(|row| (row.geometry, row.properties));
            features.add(several.then_some(&name), system.as_deref(), rows)?;
        }
        Ok(())
    };
    read().map_err(|refused| note_of(&refused))?;
    features.finish().map_err(|refused| note_of(&refused))
}

fn note_of_geopackage(error: &ReadError) -> ImportNote {
    match error {
        ReadError::Damaged(error) => {
            // The words of the database are for the log alone.
            tracing::info!(%error, "a GeoPackage cannot be read");
            ImportNote::new("import/damaged-file")
        }
        ReadError::TooMany { max } => ImportNote::new("import/too-many-features").with("max", max.to_string()),
        ReadError::TooLarge => ImportNote::new("import/too-large"),
    }
}

/// Whether a file is an OpenDocument, such as a workbook of LibreOffice (`.ods`): an archive whose first part says so, unpacked and without more.
fn is_open_document(bytes: &[u8]) -> bool {
    let first_part = bytes.get(ZIP_HEAD..).filter(|_| bytes.starts_with(b"PK\x03\x04"));
    first_part.is_some_and(|part| part.starts_with(b"mimetypeapplication/vnd.oasis.opendocument"))
}

/// Whether bytes are a table: by the name of the file, or because features are asked for and the answer is neither JSON, XML nor an archive.
fn is_table(kind: ImportKind, name: &str, bytes: &[u8]) -> bool {
    let name = name.to_lowercase();
    if TABLES.iter().any(|ending| name.ends_with(ending)) {
        return true;
    }
    // Decoded: JSON may be written in UTF-16.
    let head = trace::decoded(&bytes[..bytes.len().min(HEAD)]);
    let start = head.trim_start_matches('\u{feff}').trim_start();
    let other = start.is_empty() || start.starts_with(['{', '[', '<']);
    kind == ImportKind::Features && !other && !bytes.starts_with(b"PK")
}

/// A table whose columns of these names are mapped.
fn of_table(bytes: &[u8], fields: &[String]) -> Result<String, ImportNote> {
    let mut table = table::read(bytes, MAX_FEATURES).map_err(|error| {
        let problem = error.problem();
        let (code, params) = problem.reason();
        params.iter().fold(ImportNote::new(code), |note, (name, value)| note.with(name, text_of(value)))
    })?;
    let in_use = table_columns_in_use(&table.header, fields);
    // Formulas without a value in columns that are not read make no row.
    table.rows.retain(|row| !row.is_blank() || in_use.iter().any(|at| row.fault(*at).is_some()));
    for row in &mut table.rows {
        for at in 0..row.cells.len() {
            let Some(fault) = row.fault(at) else { continue };
            // Taken as empty, it would empty the field of a parcours.
            if in_use.contains(&at) {
                return Err(note_of_cell(fault, row.number, &table.header[at]));
            }
            row.cells[at].clear();
        }
    }
    if bytes.starts_with(b"PK") {
        // A row of a workbook has no cells after its last value. One of CSV that lacks some was cut.
        let columns = table.header.len();
        for row in &mut table.rows {
            row.cells.resize(columns.max(row.cells.len()), String::new());
        }
    }
    let rows = table.rows.iter().map(|row| row.cells.as_slice());
    let found = table_features(&table.header, rows, &table.sheet, &table.unread_sheets);
    found.map_err(|refused| note_of(&refused))
}

fn note_of_cell(fault: CellFault, row: usize, column: &str) -> ImportNote {
    match fault {
        CellFault::Failed(error) => {
            let note = ImportNote::new("import/cell-error").with("row", row.to_string());
            note.with("column", column.to_owned()).with("error", error)
        }
        CellFault::NotStored(cell) => ImportNote::new("table/formula-without-value").with("cell", cell),
    }
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn a_cell_whose_formula_failed_fails_the_run_with_its_place() {
        let note = of_table(b"nom;wkt\nA;POINT (6 44)\n#N/A;POINT (6 45)\n", &[]).unwrap_err();
        let params: Vec<_> = note.params.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(
            (note.code.as_str(), params.join(" ")),
            ("import/cell-error", "column=nom error=#N/A row=3".to_owned())
        );
    }

    #[test]
    fn a_failed_formula_in_a_column_that_is_not_read_is_empty() {
        let table = |head: &str, row: &str| format!("{head}\n{row}\n").into_bytes();
        let column = |bytes: Vec<u8>, fields: &[&str]| {
            let fields: Vec<String> = fields.iter().map(|field| (*field).to_owned()).collect();
            of_table(&bytes, &fields).map_err(|note| note.params["column"].clone())
        };
        let broken = || table("id;nom;suivi;wkt", "7;Lac;#N/A;POINT (6 44)");
        let read = column(broken(), &["nom"]).unwrap();
        assert!(read.contains(r#""suivi":null"#) && !read.contains("#N/A"), "{read}");
        assert_eq!(column(broken(), &["nom", "suivi"]).unwrap_err(), "suivi");
        // What names the items counts, mapped or not.
        assert_eq!(column(table("id;nom;wkt", "#REF!;Lac;POINT (6 44)"), &[]).unwrap_err(), "id");
        assert_eq!(column(table("code;nom;wkt", "#REF!;Lac;POINT (6 44)"), &[]).unwrap_err(), "code");
        assert_eq!(column(table("nom circuit;wkt", "#REF!;POINT (6 44)"), &[]).unwrap_err(), "nom circuit");
        assert_eq!(column(table("id;nom;lat;lon", "7;Lac;#REF!;6"), &[]).unwrap_err(), "lat");
        assert!(column(table("id;code;nom;wkt", "7;#REF!;#REF!;POINT (6 44)"), &[]).is_ok());
        assert!(
            column(table("id;nom;nom;wkt", "7;Lac;#REF!;POINT (6 44)"), &["nom"]).is_ok(),
            "the second is not read"
        );
    }

    #[test]
    fn a_table_is_known_by_its_name_or_because_it_is_nothing_else() {
        for (kind, name, bytes, expected) in [
            (ImportKind::Files, "Circuits.CSV", &b"{"[..], true),
            (ImportKind::Files, "trace", b"a;b", false),
            (ImportKind::Features, "export", b"\xEF\xBB\xBFnom;wkt", true),
            (ImportKind::Features, "export", b"\xEF\xBB\xBF {\"type\"", false),
            (ImportKind::Features, "export", b"<wfs>", false),
            (ImportKind::Features, "export", b"\xFF\xFE{\0\"\0", false),
            (ImportKind::Features, "export", b"PK\x03\x04", false),
        ] {
            assert_eq!(is_table(kind, name, bytes), expected, "{name} {bytes:?}");
        }
    }
}
