//! Reading: from bytes of any kind to a repaired [`Reading`].

mod detect;
mod encoding;
mod fit;
mod geojson;
mod gpx;
mod kml;
mod kmz;
mod tcx;
mod xml;

use std::borrow::Cow;

use crate::draft::{Draft, LineKind, line_at};
use crate::error::{MAX_BYTES, MAX_POINTS, ReadError, ReadErrorKind};
use crate::model::{Format, Reading, RepairKind};
use crate::repair;

use xml::Xml;

/// Reads a file: finds out what it is from its bytes, decodes, parses and repairs it.
///
/// The name of the file is used only as the name of a trace without a name.
pub fn read(bytes: &[u8], file_name: &str) -> Result<Reading, ReadError> {
    read_without(bytes, file_name, &[])
}

/// Reads a file like [`read`], but leaves these repairs undone. Repairs that cannot be undone are still made.
///
/// Segments that are not to be joined are only distinguished by who joins them: see [`Reading::pieces`].
pub fn read_without(bytes: &[u8], file_name: &str, without: &[RepairKind]) -> Result<Reading, ReadError> {
    if bytes.len() > MAX_BYTES {
        return Err(ReadError::new(ReadErrorKind::TooLarge { bytes: bytes.len() }));
    }
    if bytes.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0) {
        return Err(ReadError::new(ReadErrorKind::Empty));
    }
    let mut reading = match detect::kind(bytes) {
        detect::Kind::Not(found) => Err(ReadError::new(ReadErrorKind::NotATrace(found))),
        detect::Kind::Fit => fit::read(bytes).and_then(|draft| repair::finish(draft, None, without)),
        detect::Kind::Zip => {
            let document = kmz::document(bytes)?;
            read_text(&document, true, without).map(|reading| Reading { format: Format::Kmz, ..reading })
        }
        detect::Kind::Text => read_text(bytes, false, without),
    }?;
    reading.name = reading.name.or_else(|| name_of_file(file_name));
    Ok(reading)
}

/// Repairs lines that another reader took from its format, in the same way as those of a file. A point is its longitude, its latitude and its height
/// in metres; a value that is not a number is None. Lines without points are left out.
pub fn read_lines(lines: &[Vec<[Option<f64>; 3]>]) -> Result<Reading, ReadError> {
    let mut draft = Draft::new(Format::GeoJson);
    for line in lines {
        draft.begin_line(LineKind::Track, None);
        for [lon, lat, ele] in line {
            if let Some(point) = draft.push(*lat, *lon, 0)? {
                point.ele = *ele;
            }
        }
    }
    repair::finish(draft, None, &[])
}

/// The text of bytes whose encoding is not known: by its mark, its declaration, else UTF-8, else Windows-1252.
pub fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    encoding::decode(bytes).text
}

/// The file's name without folders and extension.
fn name_of_file(file_name: &str) -> Option<String> {
    let base = file_name.rsplit(['/', '\\']).next()?;
    let stem = base.rsplit_once('.').map_or(base, |(stem, _)| stem);
    Some(stem.to_owned()).filter(|stem| !stem.is_empty())
}

fn read_text(bytes: &[u8], inside_zip: bool, without: &[RepairKind]) -> Result<Reading, ReadError> {
    let decoded = encoding::decode(bytes);
    // A second mark, which the XML parser would skip without counting it.
    let text = decoded.text.trim_start_matches('\u{feff}');
    let marks = decoded.text.len() - text.len();
    let format = detect::text_format(text).map_err(|found| ReadError::new(ReadErrorKind::NotATrace(found)))?;
    if inside_zip && format != Format::Kml {
        return Err(ReadError::malformed("the KML in the archive is none", None));
    }
    let mut draft = match format {
        // Its parser keeps no places: repairs of a GeoJSON have no line.
        Format::GeoJson => return repair::finish(geojson::read(text)?, None, without),
        _ => read_xml(text, format)?,
    };
    if let Some((at, count)) = decoded.recovered {
        draft.note(RepairKind::RecoveredEncoding, count, Some(at.saturating_sub(marks)));
    }
    repair::finish(draft, Some(text), without)
}

fn read_xml(text: &str, format: Format) -> Result<Draft, ReadError> {
    let mut xml = Xml::new(text);
    let result = match format {
        Format::Gpx => gpx::read(&mut xml),
        Format::Tcx => tcx::read(&mut xml),
        _ => kml::read(&mut xml),
    };
    let mut draft = result.map_err(|mut error| {
        if error.kind == ReadErrorKind::TooManyPoints {
            error.line = Some(line_at(text, xml.offset()));
        }
        error
    })?;
    draft.root_at = xml.root_at;
    if let Some((at, count)) = xml.ampersands {
        draft.note(RepairKind::RawAmpersand, count, Some(at));
    }
    if let Some(at) = xml.truncated_at {
        if draft.lines.iter().map(|line| line.points.len()).sum::<usize>() < 2 {
            return Err(ReadError::malformed("it stops in the middle", Some(line_at(text, at))));
        }
        draft.note(RepairKind::Truncated, 1, Some(at));
    }
    debug_assert!(draft.seen <= MAX_POINTS, "the draft counts");
    Ok(draft)
}
