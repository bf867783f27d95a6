//! The kind of a file, from its bytes; its name is ignored.

use crate::error::NotATrace;
use crate::model::Format;

/// The kind of a file, from its first bytes.
#[derive(Debug, PartialEq, Eq)]
pub enum Kind {
    Fit,
    Zip,
    /// Decode it first, then ask [`text_format`].
    Text,
    Not(NotATrace),
}

const PICTURES: [&[u8]; 6] = [b"\xff\xd8\xff", b"\x89PNG", b"GIF8", b"II*\0", b"MM\0*", b"BM"];
const ARCHIVES: [&[u8]; 5] = [b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!", b"BZh", b"\xfd7zXZ"];

/// Recognises the kind by signatures in the first bytes.
pub fn kind(bytes: &[u8]) -> Kind {
    if bytes.get(8..12) == Some(b".FIT") {
        return Kind::Fit;
    }
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        return Kind::Zip;
    }
    let is_webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
    if is_webp || PICTURES.iter().any(|magic| bytes.starts_with(magic)) {
        return Kind::Not(NotATrace::Image);
    }
    if ARCHIVES.iter().any(|magic| bytes.starts_with(magic)) || bytes.get(257..262) == Some(b"ustar") {
        return Kind::Not(NotATrace::Archive);
    }
    if bytes.starts_with(b"%PDF") {
        return Kind::Not(NotATrace::Pdf);
    }
    if bytes.starts_with(b"\xd0\xcf\x11\xe0") {
        return Kind::Not(NotATrace::Office);
    }
    Kind::Text
}

/// The format of a text, from its first element or brace.
pub fn text_format(text: &str) -> Result<Format, NotATrace> {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}' || c == '\0');
    if text.starts_with(['{', '[']) {
        return Ok(Format::GeoJson);
    }
    let looks_like_text = !text.chars().take(512).any(|c| c.is_control() && !c.is_whitespace());
    let Some(root) = first_element(text) else {
        return Err(if looks_like_text { NotATrace::Text } else { NotATrace::Unknown });
    };
    match root.to_ascii_lowercase().as_str() {
        "gpx" => Ok(Format::Gpx),
        "kml" => Ok(Format::Kml),
        "trainingcenterdatabase" => Ok(Format::Tcx),
        "html" | "head" | "body" => Err(NotATrace::WebPage),
        _ if looks_like_text => Err(NotATrace::OtherXml),
        _ => Err(NotATrace::Unknown),
    }
}

/// The local name of the first element, past declaration, comments and document type.
fn first_element(text: &str) -> Option<&str> {
    // Up to 64 other bytes may precede the markup: a BOM in the wrong encoding, the blanks of a mail header.
    let mut rest = &text[text.bytes().take(64).position(|byte| byte == b'<')?..];
    loop {
        let end = if rest.starts_with("<!--") {
            rest.find("-->")? + 3
        } else if rest.starts_with("<?") {
            rest.find("?>")? + 2
        } else if rest.starts_with("<!") {
            if rest.get(..14).is_some_and(|head| head.eq_ignore_ascii_case("<!DOCTYPE html")) {
                return Some("html");
            }
            let close = rest.find('>')?;
            match rest[..close].find('[') {
                Some(_) => {
                    rest.find("]>").or_else(|| rest.rfind(']').filter(|at| *at > close)).map_or(close, |at| at + 1) + 1
                }
                None => close + 1,
            }
        } else {
            let name = rest[1..].split(|c: char| c.is_whitespace() || c == '>' || c == '/').next()?;
            return name.rsplit(':').next().filter(|name| name.starts_with(|c: char| c.is_alphabetic()));
        };
        rest = rest.get(end..)?;
        rest = &rest[rest.find('<')?..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_found_behind_what_precedes_them() {
        let gpx = "\u{feff}<?xml version=\"1.0\"?>\n<!-- <kml> --><!DOCTYPE gpx [<!ENTITY a \"b\">]><g:gpx>";
        assert_eq!(text_format(gpx), Ok(Format::Gpx));
        assert_eq!(text_format("<TrainingCenterDatabase xmlns=''>"), Ok(Format::Tcx));
        assert_eq!(text_format("  {\"type\":1}"), Ok(Format::GeoJson));
    }

    #[test]
    fn other_contents_are_named() {
        assert_eq!(text_format("<!doctype HTML><p>"), Err(NotATrace::WebPage));
        assert_eq!(text_format("<svg>"), Err(NotATrace::OtherXml));
        assert_eq!(text_format("bonjour"), Err(NotATrace::Text));
        assert_eq!(text_format("\u{1}\u{2}"), Err(NotATrace::Unknown));
        assert_eq!(kind(b"\xff\xd8\xff\xe0"), Kind::Not(NotATrace::Image));
        assert_eq!(kind(b"PK\x03\x04"), Kind::Zip);
    }
}
