//! QR codes, as drawings and as pictures.

use std::fmt::Write as _;

use axum::body::Body;
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::Response;
use fast_qr::qr::{QRBuilder, QRCode};
use fast_qr::{ECL, Module};

use crate::problem::Internal;

/// Modules of white around the code, as its standard asks.
const QUIET: usize = 4;

/// The code of an address.
pub fn encoded(url: String) -> Result<QRCode, Internal> {
    QRBuilder::new(url).ecl(ECL::M).build().map_err(|error| Internal::new(error.to_string()))
}

/// The format of a code's picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QrFormat {
    /// A drawing.
    Svg,
    /// Pixels.
    Png,
}

/// A code as an answer; `size` in pixels.
pub fn answer(code: &QRCode, size: Option<u32>, format: QrFormat) -> Response {
    let (mime, bytes) = match format {
        QrFormat::Svg => ("image/svg+xml", svg(code, size).into_bytes()),
        QrFormat::Png => ("image/png", png(code, size)),
    };
    let mut response = Response::new(Body::from(bytes));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(mime));
    response
}

fn dark(code: &QRCode, x: usize, y: usize) -> bool {
    let inside = |at: usize| at.checked_sub(QUIET).filter(|at| *at < code.size);
    inside(x).zip(inside(y)).is_some_and(|(x, y)| code[y][x].value() == Module::DARK)
}

fn side(code: &QRCode) -> usize {
    code.size + 2 * QUIET
}

/// The code as a drawing.
pub fn svg(code: &QRCode, size: Option<u32>) -> String {
    let modules = side(code);
    let pixels = size.unwrap_or(512).clamp(64, 2_048);
    let mut path = String::new();
    for y in 0..modules {
        for x in (0..modules).filter(|x| dark(code, *x, y)) {
            let _ = write!(path, "M{x} {y}h1v1h-1z");
        }
    }
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{pixels}" height="{pixels}" viewBox="0 0 {modules} {modules}" shape-rendering="crispEdges"><rect width="{modules}" height="{modules}" fill="#fff"/><path d="{path}" fill="#000"/></svg>"##
    )
}

/// A black and white PNG: whole pixels for each module, stored without compression, which so few need.
fn png(code: &QRCode, size: Option<u32>) -> Vec<u8> {
    let modules = side(code);
    let scale = (size.unwrap_or(512).clamp(64, 2_048) as usize / modules).max(1);
    let pixels = modules * scale;
    let mut rows = Vec::with_capacity(pixels * (pixels / 8 + 2));
    for y in 0..pixels {
        // No filter, then eight pixels a byte, white is 1.
        rows.push(0);
        for start in (0..pixels).step_by(8) {
            let bit = |n: usize| u8::from(start + n >= pixels || !dark(code, (start + n) / scale, y / scale));
            rows.push((0..8).fold(0, |byte, n| byte << 1 | bit(n)));
        }
    }
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    let edge = (pixels as u32).to_be_bytes();
    chunk(&mut bytes, *b"IHDR", &[edge.as_slice(), &edge, &[1, 0, 0, 0, 0]].concat());
    chunk(&mut bytes, *b"IDAT", &stored(&rows));
    chunk(&mut bytes, *b"IEND", &[]);
    bytes
}

fn chunk(bytes: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    bytes.extend((data.len() as u32).to_be_bytes());
    let body = [kind.as_slice(), data].concat();
    bytes.extend(&body);
    bytes.extend(crc32(&body).to_be_bytes());
}

/// A zlib stream of stored blocks (RFC 1950, RFC 1951).
fn stored(data: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    let blocks = data.chunks(65_535).count();
    for (index, block) in data.chunks(65_535).enumerate() {
        let length = block.len() as u16;
        stream.push(u8::from(index + 1 == blocks));
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend(block);
    }
    let (a, b) = data.iter().fold((1_u32, 0_u32), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % 65_521;
        (a, (b + a) % 65_521)
    });
    stream.extend((b << 16 | a).to_be_bytes());
    stream
}

fn crc32(data: &[u8]) -> u32 {
    !data.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 })
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_standards() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(stored(b"Wikipedia")[16..], 0x11e6_0398_u32.to_be_bytes()[..]);
    }

    #[test]
    fn the_picture_has_a_white_border_and_whole_modules() {
        let code = QRBuilder::new("https://exemple.fr/s/abc").ecl(ECL::M).build().unwrap();
        let bytes = png(&code, Some(300));
        let width = u32::from_be_bytes(bytes[16..20].try_into().unwrap()) as usize;
        assert_eq!(width % side(&code), 0);
        assert!(!dark(&code, 0, 0) && dark(&code, QUIET, QUIET), "the corner's square starts after the border");
        assert!(svg(&code, None).contains("viewBox"));
    }
}
