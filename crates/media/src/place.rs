//! Finds the byte ranges of a file that may contain the place where it was taken, so that copies can overwrite them.

use std::io::{Cursor, Read, Seek, SeekFrom};
use std::ops::Range;

use crate::exif;

/// Bytes that are read in one step.
const CHUNK_BYTES: usize = 256 * 1024;
/// Bytes that must follow a position for the search to decide: the beginning of the element that a packet is.
const LOOKAHEAD_BYTES: usize = 512;
/// This far behind the end of its text, a packet without an end mark is given up: a later mark is that of another one.
const MAX_PACKET_BYTES: u64 = 4 * 1024 * 1024;
/// Ranges of one file after which the search ends.
const MAX_NOTES: usize = 10_000;

/// The parts that may contain a place, in a file that is shown unchanged and has no parser here (documents, sounds, WebM):
/// the notes of cameras inside its JPEG pictures, and XMP packets. Compressed parts are not searched.
pub(crate) fn ranges_of_any<F: Read + Seek + ?Sized>(file: &mut F) -> std::io::Result<Vec<Range<u64>>> {
    let mut search = Search::default();
    let mut chunk = Vec::with_capacity(CHUNK_BYTES + LOOKAHEAD_BYTES);
    let mut start = 0_u64;
    file.seek(SeekFrom::Start(0))?;
    loop {
        let read = Read::take(&mut *file, CHUNK_BYTES as u64).read_to_end(&mut chunk)?;
        let sure = if read == 0 { chunk.len() } else { chunk.len().saturating_sub(LOOKAHEAD_BYTES) };
        for at in 0..sure {
            search.at(start + at as u64, &chunk[at..]);
            if search.found.len() >= MAX_NOTES {
                return Ok(search.end());
            }
        }
        if read == 0 {
            return Ok(search.end());
        }
        chunk.drain(..sure);
        start += sure as u64;
    }
}

/// How an XMP packet begins and ends; the second is inside the first.
const PACKETS: [(&[u8], &[u8]); 2] = [(b"<x:xmpmeta", b"</x:xmpmeta>"), (b"<rdf:RDF", b"</rdf:RDF>")];
/// What ends the text of a packet that has no end mark: the end of its wrapper, or of its part of a document.
const TEXT_ENDS: [&[u8]; 2] = [b"<?xpacket end", b"endstream"];

/// The search of a file, byte by byte.
#[derive(Default)]
struct Search {
    found: Vec<Range<u64>>,
    packet: Option<Packet>,
}

impl Search {
    /// Looks at the byte at a place, and those after it.
    fn at(&mut self, place: u64, rest: &[u8]) {
        if rest.first() == Some(&0xFF) {
            self.found.extend(notes_of_picture(rest).map(|length| place + 4..place + 2 + length));
        }
        let begun = Packet::begun(place, rest);
        let Some(open) = &mut self.packet else {
            self.packet = begun;
            return;
        };
        if rest.starts_with(PACKETS[open.kind].1) {
            self.found.push(open.start..place + PACKETS[open.kind].1.len() as u64);
            self.packet = None;
            return;
        }
        let is_other = |next: &Packet| next.kind <= open.kind || !open.is_text;
        if begun.as_ref().is_some_and(is_other) {
            self.found.extend(open.without_end());
            self.packet = begun;
            return;
        }
        open.read(place, rest);
        if !open.is_text && place - open.text_end > MAX_PACKET_BYTES {
            self.found.extend(open.without_end());
            self.packet = None;
        }
    }

    /// What was found, at the end of the file.
    fn end(mut self) -> Vec<Range<u64>> {
        self.found.extend(self.packet.and_then(|open| open.without_end()));
        self.found
    }
}

/// A packet whose end mark was not met yet.
struct Packet {
    /// Which of the packets.
    kind: usize,
    start: u64,
    /// Where its text ends, as far as it was read.
    text_end: u64,
    /// Whether the text goes on. It does not begin where the words of a document have the name of the element.
    is_text: bool,
}

impl Packet {
    /// The packet that begins at a place.
    fn begun(place: u64, rest: &[u8]) -> Option<Self> {
        let kind = PACKETS.iter().position(|(begin, _)| rest.starts_with(begin))?;
        let tag = &rest[..rest.len().min(LOOKAHEAD_BYTES)];
        let tag = &tag[..memchr::memchr(b'>', tag).unwrap_or(tag.len())];
        let is_text = memchr::memmem::find(tag, b"xmlns").is_some();
        Some(Self { kind, start: place, text_end: place, is_text })
    }

    /// Notes whether its text goes on to a place.
    fn read(&mut self, place: u64, rest: &[u8]) {
        let Some(byte) = rest.first().filter(|_| self.is_text) else { return };
        let is_blank = byte.is_ascii_whitespace();
        let is_binary = (byte.is_ascii_control() && !is_blank) || *byte == 0xFF;
        if is_binary || TEXT_ENDS.iter().any(|end| rest.starts_with(end)) {
            self.is_text = false;
        } else if !is_blank {
            self.text_end = place + 1;
        }
    }

    /// Its text, where its end mark is missing.
    fn without_end(&self) -> Option<Range<u64>> {
        (self.text_end > self.start).then_some(self.start..self.text_end)
    }
}

/// The length that the segment of a JPEG with a camera's notes gives, its own two bytes counted.
fn notes_of_picture(bytes: &[u8]) -> Option<u64> {
    let [0xFF, 0xE1, high, low, b'E', b'x', b'i', b'f', 0, 0] = *bytes.first_chunk()? else { return None };
    Some(u64::from(u16::from_be_bytes([high, low]))).filter(|length| *length > 8)
}

/// What may contain a place in a picture of boxes: a camera's notes and XMP packets.
pub(crate) fn ranges_of_picture(bytes: &[u8]) -> Vec<Range<u64>> {
    let mut found = Vec::new();
    if let Some(notes) = exif::read(bytes) {
        let notes = notes.buf();
        let same = (!notes.is_empty()).then(|| memchr::memmem::find(bytes, notes)).flatten();
        found.extend(same.map(|at| at as u64..(at + notes.len()) as u64));
    }
    // Bytes in memory are always read.
    found.extend(ranges_of_any(&mut Cursor::new(bytes)).unwrap_or_default());
    found
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    /// The ranges found in a note that begins at a place of a longer file.
    fn found(at: usize, note: &[u8]) -> Vec<Range<u64>> {
        let bytes = [&vec![b'.'; at], note, &[b'.'; 100]].concat();
        ranges_of_any(&mut Cursor::new(bytes)).unwrap()
    }

    #[test]
    fn notes_are_found_wherever_the_pieces_of_a_file_are_cut() {
        let notes = [&b"\xFF\xE1\0\x20Exif\0\0"[..], &[b'?'; 24]].concat();
        let packet = b"<x:xmpmeta xmlns=''><rdf:RDF>47,15N</rdf:RDF></x:xmpmeta>";
        for at in [
            0,
            5,
            CHUNK_BYTES - 60,
            CHUNK_BYTES - 12,
            CHUNK_BYTES - 1,
            CHUNK_BYTES,
            CHUNK_BYTES + 1,
            2 * CHUNK_BYTES - 8,
        ] {
            let start = at as u64;
            assert_eq!(found(at, &notes).as_slice(), std::slice::from_ref(&(start + 4..start + 2 + 0x20)), "{at}");
            assert_eq!(
                found(at, packet).as_slice(),
                std::slice::from_ref(&(start..start + packet.len() as u64)),
                "{at}"
            );
        }
    }

    /// What is left of the parts of a file once its ranges are overwritten.
    fn shown(parts: &[&[u8]]) -> String {
        let mut bytes = parts.concat();
        let found = ranges_of_any(&mut Cursor::new(&bytes)).unwrap();
        for Range { start, end } in found {
            bytes[start as usize..end as usize].fill(b'_');
        }
        bytes.retain(|byte| *byte != b'_');
        String::from_utf8_lossy(&bytes).into_owned()
    }

    const OPEN: &[u8] =
        b"<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='x'><exif:GPSLatitude>47,15N</exif:GPSLatitude>";

    #[test]
    fn a_packet_without_its_end_mark_is_found_as_far_as_its_text_goes() {
        let long = [OPEN, &b"\n<dc:title>Un lac</dc:title>".repeat(2 * CHUNK_BYTES / 20)].concat();
        for packet in [OPEN, &OPEN[36..], &long] {
            // In a document, a sound, a film, and at the end of a file that was cut.
            let stream = shown(&[b"%PDF-1.4 stream\n", packet, b"\n  \nendstream endobj 47 0 obj"]);
            assert_eq!(stream, "%PDF-1.4 stream\n\n  \nendstream endobj 47 0 obj");
            let wrapped = shown(&[b"_PMX\0\0", packet, b"\n<?xpacket end='w'?>data"]);
            assert_eq!(wrapped, "PMX\0\0\n<?xpacket end='w'?>data");
            assert_eq!(shown(&[b"ID3\x03PRIV\0", packet, b"\0\x01TIT2"]), "ID3\x03PRIV\0\0\x01TIT2");
            assert_eq!(shown(&[b"OggS\0", packet, b"\x1f\0\0\0TITLE=Lac"]), "OggS\0\x1f\0\0\0TITLE=Lac");
            assert_eq!(shown(&[b"\x1A\x45", packet]), "\x1A\x45");
        }
    }

    #[test]
    fn what_follows_a_packet_without_its_end_mark_is_found_too() {
        let notes = [&b"\xFF\xE1\0\x20Exif\0\0"[..], &b"GPS_".repeat(6)].concat();
        let packet = b"<rdf:RDF xmlns:rdf='x'>47,15N</rdf:RDF>";
        for between in [&b"\0"[..], b"", b" endstream "] {
            let left = shown(&[OPEN, between, &notes, b"page"]);
            assert!(!left.contains("GPS") && left.ends_with("page"), "{left:?}");
            let left = shown(&[OPEN, between, OPEN, b"\0", packet, b"page"]);
            assert!(!left.contains("47,15N") && left.ends_with("page"), "{left:?}");
        }
        // The mark of a packet that was interrupted, as one that goes over two pages of a sound, is its own.
        assert_eq!(shown(&[OPEN, b"\0\x01OggS", b"48,5N</rdf:RDF></x:xmpmeta>", b"sound"]), "sound");
        let far = vec![0; MAX_PACKET_BYTES as usize + 100];
        assert!(shown(&[OPEN, &far, b"page</x:xmpmeta>"]).ends_with("page</x:xmpmeta>"));
    }

    #[test]
    fn an_open_packet_of_a_picture_of_boxes_is_found() {
        let bytes = [&b"....ftypavif\0\0"[..], OPEN, b"\n\x12\0"].concat();
        let end = 14 + OPEN.len() as u64;
        assert_eq!(ranges_of_picture(&bytes).as_slice(), std::slice::from_ref(&(14..end)));
    }

    #[test]
    fn words_that_only_look_like_notes_are_left() {
        assert_eq!(found(9, b"<rdf:RDF that nobody closes"), []);
        assert_eq!(found(9, b"\xFF\xE1\0\x20Exif as a word"), []);
        assert_eq!(found(9, b"\xFF\xE1\0\x02Exif\0\0"), []);
    }
}
