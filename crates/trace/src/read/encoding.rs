//! Bytes to text: byte-order marks, declared encodings, and wrong declarations.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// Text, and where the first byte was that did not fit the declaration.
pub struct Decoded<'a> {
    pub text: Cow<'a, str>,
    /// Offset in `text` of the first recovered character, and how many there are.
    pub recovered: Option<(usize, usize)>,
}

/// Decodes a text file. Never fails: what is not UTF-8 is taken as Windows-1252, byte by byte.
pub fn decode(bytes: &[u8]) -> Decoded<'_> {
    if let Some((encoding, mark_len)) = Encoding::for_bom(bytes) {
        let body = &bytes[mark_len..];
        return if encoding == UTF_8 { decode_utf8(body) } else { whole(encoding, body) };
    }
    if let Some(encoding) = utf16_without_mark(bytes) {
        return whole(encoding, bytes);
    }
    match declared(bytes) {
        Some(encoding) if encoding != UTF_8 && encoding.is_ascii_compatible() => {
            // Many programs write UTF-8 under an old declaration: bytes that are valid UTF-8 beyond ASCII are no accident.
            match std::str::from_utf8(bytes) {
                Ok(text) => Decoded { recovered: first_non_ascii(text), text: Cow::Borrowed(text) },
                Err(_) => whole(encoding, bytes),
            }
        }
        _ => decode_utf8(bytes),
    }
}

fn whole<'a>(encoding: &'static Encoding, bytes: &'a [u8]) -> Decoded<'a> {
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    Decoded { text, recovered: None }
}

fn first_non_ascii(text: &str) -> Option<(usize, usize)> {
    let first = text.bytes().position(|byte| !byte.is_ascii())?;
    Some((first, text.chars().filter(|c| !c.is_ascii()).count()))
}

fn utf16_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    match bytes {
        [b'<' | b'{', 0, ..] => Some(UTF_16LE),
        [0, b'<' | b'{', ..] => Some(UTF_16BE),
        _ => None,
    }
}

/// The encoding of the XML declaration, in the first bytes.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(200)];
    let head = &head[..head.windows(2).position(|pair| pair == b"?>")?];
    let at = head.windows(8).position(|word| word == b"encoding")? + 8;
    let label: Vec<u8> = head[at..]
        .iter()
        .copied()
        .skip_while(|byte| matches!(byte, b' ' | b'=' | b'"' | b'\''))
        .take_while(|byte| !matches!(byte, b'"' | b'\'' | b' '))
        .collect();
    Encoding::for_label(&label)
}

fn decode_utf8(bytes: &[u8]) -> Decoded<'_> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Decoded { text: Cow::Borrowed(text), recovered: None };
    }
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    let mut recovered: Option<(usize, usize)> = None;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            let (first, count) = recovered.unwrap_or((text.len(), 0));
            recovered = Some((first, count + chunk.invalid().len()));
            text.push_str(&WINDOWS_1252.decode_without_bom_handling(chunk.invalid()).0);
        }
    }
    Decoded { text: Cow::Owned(text), recovered }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_latin_1_is_decoded() {
        let decoded = decode(b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9t\xe9</a>");
        assert!(decoded.text.ends_with("<a>été</a>"));
        assert_eq!(decoded.recovered, None);
    }

    #[test]
    fn latin_1_declared_utf_8_is_recovered_and_reported() {
        let decoded = decode(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?><a>\xe9 \xc3\xa9 \x80</a>");
        assert!(decoded.text.ends_with("<a>é é €</a>"), "{}", decoded.text);
        assert_eq!(decoded.recovered.map(|(_, count)| count), Some(2));
    }

    #[test]
    fn utf_8_declared_latin_1_is_recovered_and_reported() {
        let decoded = decode("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>é</a>".as_bytes());
        assert!(decoded.text.ends_with("<a>é</a>"));
        assert_eq!(decoded.recovered.map(|(_, count)| count), Some(1));
    }

    #[test]
    fn marks_of_utf_8_and_16_are_understood() {
        assert_eq!(decode(b"\xef\xbb\xbf<a/>").text, "<a/>");
        assert_eq!(decode(b"\xff\xfe<\0\xe9\0").text, "<é");
        assert_eq!(decode(b"\xfe\xff\0<\0\xe9").text, "<é");
        assert_eq!(decode(b"<\0a\0").text, "<a");
    }
}
