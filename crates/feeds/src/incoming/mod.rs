//! Imported routes of any format, in one common shape, and a reason for each item that is refused.
//!
//! [`Package::open`] splits the bytes of one answer without reading its items, so that an item that did not change since the
//! last time costs a checksum; [`Package::read`] reads one. Real feeds break the rules of their own formats: what can be
//! understood is taken, what cannot is refused alone, with its name.

pub(crate) mod archives;
mod bounds;
mod cirkwi;
mod directus;
mod entities;
mod features;
mod files;
mod gdal;
mod geopackage;
mod geotrek;
mod geotrek_database;
mod geotrek_equipment;
mod geotrek_event;
mod geotrek_practical;
mod jalon;
mod layers;
mod lenient;
mod numbered;
mod package;
mod projections;
mod randonnee;
mod route;
mod shape;
mod shapefile;
pub mod sit;
mod systems;
mod table;
mod tourist;
mod xml;

use std::collections::{BTreeMap, HashSet};

pub use features::words_of;
pub use gdal::GdalFile;
pub use geopackage::GeoPackageFeatures;
pub use geotrek::{GeotrekDesk, GeotrekItem, GeotrekPois};
pub use geotrek_database::{
    DumpError, GeotrekArchive, GeotrekDatabase, GeotrekPart, GeotrekUser, OtherVersion, UNKNOWN_ADDRESS,
};
pub use geotrek_equipment::GeotrekEquipment;
pub use jalon::{FIELDS as JALON_FIELDS, ImportedPoi};
pub use layers::MAX_FEATURES;
pub use package::{Dialect, Package};
pub use route::{Found, ImportedMedia, ImportedRoute, Line, Place, Refused, Word, WordList};

/// The names that a feed keeps apart from its items, by list and number: Geotrek sends "practice: 3".
pub type Names = BTreeMap<(WordList, String), domain::Text>;

/// Reads the names of one list of a Geotrek server, and where its next page is.
pub fn geotrek_names(list: WordList, bytes: &[u8], names: &mut Names) -> Result<Option<String>, Refused> {
    geotrek::names(list, bytes, names)
}

/// Reads the page of identifiers of a Geotrek server, to find the items that are gone.
pub fn geotrek_ids(bytes: &[u8]) -> Result<(Vec<String>, Option<String>), Refused> {
    geotrek::ids(bytes)
}

/// Reads a page of the POIs of a Geotrek server.
pub fn geotrek_pois(bytes: &[u8]) -> Result<GeotrekPois, Refused> {
    geotrek::pois(bytes)
}

/// Reads a page of a list of kinds of a Geotrek server: their names by number, and where the next page is.
pub fn geotrek_kinds(bytes: &[u8]) -> Result<(BTreeMap<String, domain::Text>, Option<String>), Refused> {
    sit::geotrek::kinds(bytes)
}

/// Reads a page of the signage or infrastructure of a Geotrek server, with the names of their types and states by number.
pub fn geotrek_equipment(
    of: GeotrekEquipment,
    bytes: &[u8],
    names: &[BTreeMap<String, domain::Text>; 2],
) -> Result<GeotrekPois, Refused> {
    geotrek_equipment::equipment(of, bytes, names)
}

/// Reads a page of the information desks of a Geotrek server, and whether there is another page.
pub fn geotrek_desks(bytes: &[u8]) -> Result<(Vec<GeotrekDesk>, bool), Refused> {
    geotrek::desks(bytes)
}

/// Reads a page of any list of a Geotrek server: numbers and names alone.
pub fn geotrek_items(bytes: &[u8]) -> Result<(Vec<GeotrekItem>, bool), Refused> {
    geotrek::named_items(bytes)
}

/// How many items a list of a Geotrek server has, read from any page of it.
pub fn geotrek_count(bytes: &[u8]) -> Result<u64, Refused> {
    geotrek::count(bytes)
}

/// The same of a Jalon server: its numbers and UUIDs.
pub fn jalon_ids(bytes: &[u8]) -> Result<(Vec<String>, Option<String>), Refused> {
    jalon::ids(bytes)
}

/// How many items a list of a Jalon server has, read from any page of it.
pub fn jalon_count(bytes: &[u8]) -> Result<u64, Refused> {
    jalon::count(bytes)
}

/// Reads a page of the POIs of a Jalon server, and where its next page is.
pub fn jalon_pois(bytes: &[u8]) -> Result<(Vec<ImportedPoi>, Option<String>), Refused> {
    jalon::pois(bytes)
}

/// The rows of a table with their places as one collection of features (GeoJSON), in degrees. A row without a place is a feature without geometry.
/// `sheet` is the name of its sheet, `unread_sheets` are those of other sheets of its workbook: the collection has them as a remark.
pub fn table_features<'a>(
    header: &[String],
    rows: impl IntoIterator<Item = &'a [String]>,
    sheet: &str,
    unread_sheets: &[String],
) -> Result<String, Refused> {
    table::collection(header, rows, sheet, unread_sheets)
}

/// The indices of the columns of a table that are read into one of these fields, that have its places, or that name its items.
pub fn table_columns_in_use(header: &[String], fields: &[String]) -> HashSet<usize> {
    features::columns_in_use(header, fields)
}

/// What the fuzz target and the property tests run on any bytes: every dialect, every item.
///
/// # Panics
/// Never, or there is a bug.
#[doc(hidden)]
pub fn exercise(bytes: &[u8]) {
    let _ = (jalon_pois(bytes), geotrek_pois(bytes), geotrek_desks(bytes), geotrek_items(bytes), geotrek_count(bytes));
    for of in GeotrekEquipment::ALL {
        let _ = geotrek_equipment(of, bytes, &[BTreeMap::new(), BTreeMap::new()]);
    }
    let text = String::from_utf8_lossy(bytes);
    let row = [text.as_ref().to_owned(), text.lines().next().unwrap_or_default().to_owned()];
    let header = ["geo_point".to_owned(), "lat".to_owned()];
    let _ = (
        table_features(&header, [row.as_slice()], &text, &header),
        shape::Shape::parse(&text),
        shape::Shape::read(bytes),
    );
    let _ = GeoPackageFeatures::default().add(None, Some(&text), [(Some(bytes.to_vec()), serde_json::Map::new())]);
    for dialect in Dialect::ALL {
        let Ok(package) = Package::open(dialect, bytes.to_vec(), "fuzz") else { continue };
        for index in 0..package.len() {
            let _ = package.position(index);
            let Ok(route) = package.read(index, &Names::default()) else { continue };
            assert!(!route.id.is_empty(), "a route has a name in its feed");
            if let Line::Pieces(pieces) = &route.line {
                assert!(pieces.iter().all(|piece| piece.len() > 1), "a line has two points");
            }
        }
    }
    let _ = (
        GdalFile::of("fuzz", bytes),
        geotrek_ids(bytes),
        jalon_ids(bytes),
        jalon_count(bytes),
        geotrek_names(WordList::Practice, bytes, &mut Names::default()),
    );
}
