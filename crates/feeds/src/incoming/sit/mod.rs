//! Records of tourist information systems, whatever the dialect, as one neutral thing.
//!
//! [`SitPackage::open`] takes one answer apart without reading its items; [`SitPackage::read`] reads one. An archive of fifty
//! thousand objects is read from its file, one object at a time.

pub(super) mod apidae;
mod archive;
mod cirkwi;
mod contact;
pub(super) mod datatourisme;
pub(super) mod geotrek;
pub(super) mod json;
mod lei;
mod package;
mod tourinsoft;

pub use geotrek::{LISTS as GEOTREK_LISTS, kinds_of as geotrek_kinds_of};
pub(super) use package::json as read_json;
pub use package::{Bytes, SitPackage};
pub use tourinsoft::columns_of;

use domain::sit::{SitKind, SitRecord};

use super::Refused;

/// The most pictures of one record.
const MAX_PICTURES: usize = 30;
/// The most words of one list of a record.
const MAX_WORDS: usize = 60;

/// What every dialect asks of a record: a name and a place inside the world.
fn whole(mut record: SitRecord) -> Result<SitRecord, Refused> {
    if record.id.is_empty() {
        return Err(Refused::new("import/no-id"));
    }
    if record.name.is_empty() {
        return Err(Refused::new("sit/no-name"));
    }
    if record.position.is_none() {
        return Err(Refused::new("sit/no-position"));
    }
    record.pictures.truncate(MAX_PICTURES);
    record.words.truncate(MAX_WORDS);
    record.labels.truncate(MAX_WORDS);
    for list in [&mut record.phones, &mut record.emails, &mut record.websites] {
        let mut seen = Vec::new();
        list.retain(|one| seen.len() < 10 && !seen.contains(one) && (seen.push(one.clone()), true).1);
    }
    Ok(record)
}

/// A place inside the world. 0, 0 means an unknown place.
pub(super) fn place(lon: Option<f64>, lat: Option<f64>) -> Option<[f64; 2]> {
    let (lon, lat) = (lon?, lat?);
    let inside = (-180.0..=180.0).contains(&lon) && (-90.0..=90.0).contains(&lat) && (lon != 0.0 || lat != 0.0);
    inside.then_some([lon, lat])
}

/// An address of the web, also one without its `https://`.
fn web(words: &str) -> Option<String> {
    let words = words.trim();
    if words.is_empty() || words.chars().any(char::is_whitespace) || !words.contains('.') {
        return None;
    }
    let lower = words.to_ascii_lowercase();
    if lower.starts_with("http://") || lower.starts_with("https://") {
        return Some(words.to_owned());
    }
    // A text with another scheme is not an address that a browser should open.
    (!lower.contains(':')).then(|| format!("https://{words}"))
}

/// What the fuzz target and the property tests run on any bytes: every dialect, every item.
///
/// # Panics
/// Never, or there is a bug.
#[doc(hidden)]
pub fn exercise(bytes: &[u8]) {
    for kind in
        [SitKind::Datatourisme, SitKind::Apidae, SitKind::Tourinsoft, SitKind::Cirkwi, SitKind::Lei, SitKind::Geotrek]
    {
        let Ok(package) = SitPackage::open(kind, Bytes::Memory(bytes.to_vec())) else { continue };
        for index in 0..package.len() {
            let _ = package.digest(index);
            if let Ok(record) = package.read(index, &[]) {
                assert!(!record.id.is_empty() && !record.name.is_empty(), "a record has a name and a key");
            }
        }
    }
}
