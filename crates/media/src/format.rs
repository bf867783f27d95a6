//! The format of a file, found by its first bytes.

use domain::MediaKind;

/// A known format: accepted, or refused with a specific message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JPEG picture.
    Jpeg,
    /// PNG picture.
    Png,
    /// WebP picture.
    WebP,
    /// AVIF picture: stored unchanged.
    Avif,
    /// HEIC picture: refused with a hint.
    Heic,
    /// SVG drawing: a logo only.
    Svg,
    /// MP4 video.
    Mp4,
    /// WebM video.
    WebM,
    /// WebM sound, as browsers record it.
    WebA,
    /// MP3 sound.
    Mp3,
    /// M4A sound.
    M4a,
    /// Ogg sound.
    Ogg,
    /// WAV sound.
    Wav,
    /// PDF document.
    Pdf,
    /// TrueType font.
    Ttf,
    /// OpenType font.
    Otf,
    /// Packed font.
    Woff2,
}

/// Bytes that are enough to recognise a format.
pub(crate) const HEAD_BYTES: usize = 4096;

impl Format {
    /// The format of a file that starts like this.
    pub fn of(head: &[u8]) -> Option<Self> {
        let at = |offset: usize, word: &[u8]| head.get(offset..offset + word.len()) == Some(word);
        let found = if at(0, b"\xFF\xD8\xFF") {
            Self::Jpeg
        } else if at(0, b"\x89PNG\r\n\x1A\n") {
            Self::Png
        } else if at(0, b"RIFF") && at(8, b"WEBP") {
            Self::WebP
        } else if at(0, b"RIFF") && at(8, b"WAVE") {
            Self::Wav
        } else if at(4, b"ftyp") {
            return Self::of_brands(head);
        } else if at(0, b"\x1A\x45\xDF\xA3") {
            return holds(head, b"webm").then(|| Self::of_tracks(head));
        } else if at(0, b"OggS") {
            Self::Ogg
        } else if at(0, b"ID3") || is_mp3_frame(head) {
            Self::Mp3
        } else if holds(&head[..head.len().min(1024)], b"%PDF-") {
            Self::Pdf
        } else if at(0, &[0, 1, 0, 0]) || at(0, b"true") {
            Self::Ttf
        } else if at(0, b"OTTO") {
            Self::Otf
        } else if at(0, b"wOF2") {
            Self::Woff2
        } else if is_svg(head) {
            Self::Svg
        } else {
            return None;
        };
        Some(found)
    }

    /// WebM: the codecs of the tracks say whether there is a picture.
    fn of_tracks(head: &[u8]) -> Self {
        let has = |codec: &[u8]| holds(head, codec);
        let is_sound = (has(b"A_OPUS") || has(b"A_VORBIS")) && !has(b"V_VP") && !has(b"V_AV1");
        if is_sound { Self::WebA } else { Self::WebM }
    }

    /// Files of boxes: the brands say what is inside.
    fn of_brands(head: &[u8]) -> Option<Self> {
        let length = head.first_chunk::<4>().map_or(0, |bytes| u32::from_be_bytes(*bytes) as usize);
        let brands = head.get(8..length.min(head.len()))?;
        let main = brands.first_chunk::<4>()?;
        // The minor version is between the main brand and the others; no brand looks like it.
        let has = |wanted: &[&[u8; 4]]| brands.chunks_exact(4).any(|brand| wanted.iter().any(|one| *one == brand));
        if has(&[b"avif", b"avis"]) {
            Some(Self::Avif)
        } else if has(&[b"heic", b"heix", b"hevc", b"heim", b"heis", b"hevm", b"hevs"]) {
            Some(Self::Heic)
        } else if [b"M4A ", b"M4B ", b"M4P "].contains(&main) {
            Some(Self::M4a)
        } else if has(&[
            b"isom", b"iso2", b"iso4", b"iso5", b"iso6", b"mp41", b"mp42", b"avc1", b"M4V ", b"MSNV", b"dash",
        ]) {
            Some(Self::Mp4)
        } else {
            None
        }
    }

    /// What it is for people.
    pub const fn kind(self) -> MediaKind {
        match self {
            Self::Jpeg | Self::Png | Self::WebP | Self::Avif | Self::Heic | Self::Svg => MediaKind::Image,
            Self::Mp4 | Self::WebM => MediaKind::Video,
            Self::WebA | Self::Mp3 | Self::M4a | Self::Ogg | Self::Wav => MediaKind::Audio,
            Self::Pdf => MediaKind::Pdf,
            Self::Ttf | Self::Otf | Self::Woff2 => MediaKind::Font,
        }
    }

    /// Its content type.
    pub const fn mime(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::WebP => "image/webp",
            Self::Avif => "image/avif",
            Self::Heic => "image/heic",
            Self::Svg => "image/svg+xml",
            Self::Mp4 => "video/mp4",
            Self::WebM => "video/webm",
            Self::WebA => "audio/webm",
            Self::Mp3 => "audio/mpeg",
            Self::M4a => "audio/mp4",
            Self::Ogg => "audio/ogg",
            Self::Wav => "audio/wav",
            Self::Pdf => "application/pdf",
            Self::Ttf => "font/ttf",
            Self::Otf => "font/otf",
            Self::Woff2 => "font/woff2",
        }
    }

    /// Whether anything is made of it here.
    pub const fn is_worked_on(self) -> bool {
        !matches!(self, Self::Avif | Self::Heic | Self::Mp4 | Self::WebM | Self::WebA)
    }

    /// The format of a content type that `Format::mime` gives.
    pub fn of_mime(mime: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.mime() == mime)
    }

    const ALL: [Self; 17] = [
        Self::Jpeg,
        Self::Png,
        Self::WebP,
        Self::Avif,
        Self::Heic,
        Self::Svg,
        Self::Mp4,
        Self::WebM,
        Self::WebA,
        Self::Mp3,
        Self::M4a,
        Self::Ogg,
        Self::Wav,
        Self::Pdf,
        Self::Ttf,
        Self::Otf,
        Self::Woff2,
    ];
}

fn holds(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|window| window == word)
}

/// Eleven bits of synchronisation, then a version, a layer, a bit rate and a sample rate that exist.
fn is_mp3_frame(head: &[u8]) -> bool {
    let Some(&[first, second, third, _]) = head.first_chunk::<4>() else { return false };
    let layer_three = second & 0b0000_0110 == 0b0000_0010;
    let version = second & 0b0001_1000 != 0b0000_1000;
    let rates = third >> 4 != 0 && third >> 4 != 15 && (third >> 2) & 3 != 3;
    first == 0xFF && second & 0xE0 == 0xE0 && version && layer_three && rates
}

/// Text whose first element is `svg`; not a page of HTML that contains one.
fn is_svg(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    // A long text is cut inside of a letter.
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default(),
    };
    let mut rest = text.trim_start();
    loop {
        let end = if rest.starts_with("<?") {
            "?>"
        } else if rest.starts_with("<!--") {
            "-->"
        } else if rest.starts_with("<!DOCTYPE") {
            return rest.get(9..).is_some_and(|name| name.trim_start().starts_with("svg"));
        } else {
            break;
        };
        let Some(at) = rest.find(end) else { return false };
        rest = rest[at + end.len()..].trim_start();
    }
    let name = rest.strip_prefix('<').unwrap_or_default();
    let name = name.split(|c: char| c.is_whitespace() || c == '>' || c == '/').next().unwrap_or_default();
    name == "svg" || name.ends_with(":svg")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_recognised_by_the_bytes() {
        for (head, format) in [
            (&b"\xFF\xD8\xFF\xE0"[..], Some(Format::Jpeg)),
            (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", Some(Format::Heic)),
            (b"\0\0\0\x18ftypmif1\0\0\0\0mif1avif", Some(Format::Avif)),
            (b"\0\0\0\x14ftypM4A \0\0\0\0mp42", Some(Format::M4a)),
            (b"\0\0\0\x14ftypisom\0\0\0\0mp42", Some(Format::Mp4)),
            (b"\xFF\xFB\x90\x64", Some(Format::Mp3)),
            (b"<?xml version='1.0'?><!-- x --><svg xmlns='http://www.w3.org/2000/svg'/>", Some(Format::Svg)),
            (b"<html><svg/></html>", None),
            (b"MZ\x90\0", None),
            (b"\x7FELF", None),
            (b"GIF89a", None),
            (b"", None),
        ] {
            assert_eq!(Format::of(head), format, "{}", String::from_utf8_lossy(head));
        }
    }

    #[test]
    fn a_content_type_leads_back_to_its_format() {
        for format in Format::ALL {
            assert_eq!(Format::of_mime(format.mime()), Some(format));
        }
    }
}
