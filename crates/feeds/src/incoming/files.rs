//! Files of recordings (GPX, KML, KMZ, GeoJSON, TCX, FIT), alone or many in a ZIP.

use std::io::{Cursor, Read};

use domain::Text;
use zip::ZipArchive;

use super::archives;
use super::route::{ImportedRoute, Line, Place, Refused};

/// More files than a user uploads at once.
const MAX_ENTRIES: usize = 20_000;
/// Recordings deflate by 5 to 20; beyond this, and past a first megabyte, it is a bomb.
const MAX_RATIO: u64 = 200;
const FREE_BYTES: u64 = 1024 * 1024;
/// Endings of what may hold a recording.
const ENDINGS: [&str; 7] = [".gpx", ".kml", ".kmz", ".geojson", ".json", ".tcx", ".fit"];

/// A file: what names it is its path, without which two of one name would be one.
pub(super) fn route(bytes: &[u8], name: &str) -> Result<ImportedRoute, Refused> {
    let reading = trace::read(bytes, name)?;
    let mut route = ImportedRoute::new(name);
    route.text("name", Text::in_french(reading.name.clone().unwrap_or_else(|| name.to_owned())));
    route.text("description", reading.description.as_deref().map(Text::in_french).unwrap_or_default());
    route.places = reading
        .waypoints
        .iter()
        .map(|waypoint| Place {
            kind: None,
            title: waypoint.name.as_deref().map(Text::in_french).unwrap_or_default(),
            description: waypoint.description.as_deref().map(Text::in_french).unwrap_or_default(),
            position: waypoint.position,
        })
        .collect();
    let pieces: Vec<_> = reading.joined().into_iter().filter(|piece| piece.len() > 1).collect();
    route.repairs = reading.repairs;
    route.line = if pieces.is_empty() { Line::Missing } else { Line::Pieces(pieces) };
    Ok(route)
}

/// The recordings of an archive, by their place in it. None where it is a KMZ, which is one recording.
pub(super) fn entries(bytes: &[u8]) -> Result<Option<Vec<(String, usize)>>, Refused> {
    let archive = opened(bytes)?;
    let names: Vec<(usize, String)> =
        archive.file_names().enumerate().filter_map(|(index, name)| Some((index, name.ok()?.into_owned()))).collect();
    let is_map = |name: &str| name.to_ascii_lowercase().ends_with(".kml");
    let maps = names.iter().filter(|(_, name)| is_map(name)).count();
    let tracks = names.iter().filter(|(_, name)| is_recording(name) && !hidden(name));
    let tracks: Vec<&(usize, String)> = tracks.collect();
    if maps == 1 && tracks.len() == 1 {
        return Ok(None);
    }
    if tracks.is_empty() {
        return Err(Refused::new("import/nothing-in-zip"));
    }
    Ok(Some(tracks.into_iter().map(|(index, name)| (name.clone(), *index)).collect()))
}

/// Whether a name is that of a recording.
pub(super) fn is_recording(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// What Finder adds beside each file.
pub(super) fn hidden(name: &str) -> bool {
    name.starts_with("__MACOSX/") || name.rsplit('/').next().is_some_and(|last| last.starts_with("._"))
}

/// One file of an archive of `size` bytes. Nothing is ever written under its name, which may be `../../etc/passwd`: it is refused as what it is.
pub(super) fn entry_of<B: AsRef<[u8]>>(
    archive: &mut ZipArchive<Cursor<B>>,
    size: usize,
    index: usize,
) -> Result<Vec<u8>, Refused> {
    let file = archive.by_index(index).map_err(|error| damaged(&error))?;
    if file.enclosed_name().is_none() {
        return Err(Refused::new("import/bad-path"));
    }
    let most = file.compressed_size().min(size as u64).saturating_mul(MAX_RATIO).max(FREE_BYTES);
    let limit = most.min(trace::MAX_BYTES as u64);
    if file.size() > most {
        return Err(Refused::new("trace/zip-bomb"));
    }
    let mut found = Vec::new();
    // The declared size may be wrong: the unpacked bytes are counted.
    file.take(limit + 1).read_to_end(&mut found).map_err(|error| damaged(&error))?;
    if found.len() as u64 > limit {
        return Err(Refused::new("trace/zip-bomb"));
    }
    Ok(found)
}

/// Opens an archive, whose entries are counted first. What reads several of them opens it once.
pub(super) fn opened<B: AsRef<[u8]>>(bytes: B) -> Result<ZipArchive<Cursor<B>>, Refused> {
    archives::open(Cursor::new(bytes), MAX_ENTRIES, damaged)
}

fn damaged(error: &dyn std::fmt::Display) -> Refused {
    Refused::new("import/damaged-file").with("detail", format!("ZIP: {error}"))
}
