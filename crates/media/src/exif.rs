//! The EXIF metadata of a picture: orientation and location.

use std::io::Cursor;

use exif::{Exif, In, Reader, Tag, Value};

/// The metadata of a camera that is used.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Notes {
    /// Longitude and latitude, degrees.
    pub location: Option<[f64; 2]>,
    /// 1 to 8, as the standard counts.
    pub orientation: u8,
}

/// The notes of a picture; none where nothing can be read.
pub(crate) fn notes(bytes: &[u8]) -> Notes {
    let Some(exif) = read(bytes) else { return Notes { location: None, orientation: 1 } };
    let orientation = exif.get_field(Tag::Orientation, In::PRIMARY).and_then(|field| field.value.get_uint(0));
    Notes {
        location: location(&exif),
        orientation: orientation
            .and_then(|number| u8::try_from(number).ok())
            .filter(|number| (1..=8).contains(number))
            .unwrap_or(1),
    }
}

/// The notes of the file; a fault in one of them does not hide the others.
pub(crate) fn read(bytes: &[u8]) -> Option<Exif> {
    Reader::new()
        .continue_on_error(true)
        .read_from_container(&mut Cursor::new(bytes))
        .or_else(|error| error.distill_partial_result(|_| {}))
        .ok()
}

fn location(exif: &Exif) -> Option<[f64; 2]> {
    let degrees = |tag, reference, negative: u8, most: f64| {
        let Value::Rational(parts) = &exif.get_field(tag, In::PRIMARY)?.value else { return None };
        let sixtieths = parts.iter().take(3).zip([1.0, 60.0, 3600.0]);
        let sum: f64 = sixtieths.map(|(part, divisor)| part.to_f64() / divisor).sum();
        let Value::Ascii(words) = &exif.get_field(reference, In::PRIMARY)?.value else { return None };
        let sign = if words.first().and_then(|word| word.first()) == Some(&negative) { -1.0 } else { 1.0 };
        Some(sign * sum).filter(|degrees| degrees.abs() <= most)
    };
    let lon = degrees(Tag::GPSLongitude, Tag::GPSLongitudeRef, b'W', 180.0)?;
    let lat = degrees(Tag::GPSLatitude, Tag::GPSLatitudeRef, b'S', 90.0)?;
    // Cameras without a fix write zeros.
    (lon != 0.0 || lat != 0.0).then_some([lon, lat])
}
