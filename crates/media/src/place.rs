//! Finds the byte ranges of a file that may contain the place where it was taken, so that copies can overwrite them.

use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;

use crate::exif;

/// Bytes that are read in one step.
const CHUNK_BYTES: usize = 256 * 1024;
/// Bytes that must follow a position for the search to decide: the length of the longest pattern.
const LOOKAHEAD_BYTES: usize = 16;
/// A longer range is not an XMP packet: the text of a document may contain the name of the element.
const MAX_PACKET_BYTES: u64 = 4 * 1024 * 1024;
/// Ranges of one file after which the search ends.
const MAX_NOTES: usize = 10_000;

/// The parts that may contain a place, in a file that is shown unchanged and has no parser here (documents, sounds, WebM):
/// the notes of cameras inside its JPEG pictures, and XMP packets. Compressed parts are not searched.
pub(crate) fn ranges_of_any<F: Read + Seek + ?Sized>(file: &mut F) -> std::io::Result<Vec<Range<u64>>> {
    let mut found = Vec::new();
    let mut packet: Option<(u64, &[u8])> = None;
    let mut chunk = Vec::with_capacity(CHUNK_BYTES + LOOKAHEAD_BYTES);
    let mut start = 0_u64;
    file.seek(SeekFrom::Start(0))?;
    loop {
        let read = Read::take(&mut *file, CHUNK_BYTES as u64).read_to_end(&mut chunk)?;
        let sure = if read == 0 { chunk.len() } else { chunk.len().saturating_sub(LOOKAHEAD_BYTES) };
        for (at, byte) in chunk.iter().enumerate().take(sure).filter(|(_, byte)| [0xFF, b'<'].contains(*byte)) {
            let (place, rest) = (start + at as u64, &chunk[at..]);
            match packet {
                Some((from, end)) if rest.starts_with(end) => {
                    found.push(from..place + end.len() as u64);
                    packet = None;
                }
                Some((from, _)) if place - from > MAX_PACKET_BYTES => packet = None,
                Some(_) => {}
                None if *byte == 0xFF => {
                    found.extend(notes_of_picture(rest).map(|length| place + 4..place + 2 + length));
                }
                None => {
                    let open = PACKETS.into_iter().find(|(begin, _)| rest.starts_with(begin));
                    packet = open.map(|(_, end)| (place, end));
                }
            }
            if found.len() >= MAX_NOTES {
                return Ok(found);
            }
        }
        if read == 0 {
            return Ok(found);
        }
        chunk.drain(..sure);
        start += sure as u64;
    }
}

/// How an XMP packet begins and ends.
const PACKETS: [(&[u8], &[u8]); 2] = [(b"<x:xmpmeta", b"</x:xmpmeta>"), (b"<rdf:RDF", b"</rdf:RDF>")];

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
        let same = (!notes.is_empty()).then(|| position(bytes, notes, 0)).flatten();
        found.extend(same.map(|at| at as u64..(at + notes.len()) as u64));
    }
    for (start, end) in PACKETS {
        let mut from = 0;
        while let Some(at) = position(bytes, start, from) {
            let Some(to) = position(bytes, end, at) else { break };
            found.push(at as u64..(to + end.len()) as u64);
            from = to + end.len();
        }
    }
    found
}

fn position(bytes: &[u8], word: &[u8], from: usize) -> Option<usize> {
    memchr::memmem::find(bytes.get(from..)?, word).map(|at| at + from)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use std::io::Cursor;

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

    #[test]
    fn words_that_only_look_like_notes_are_left() {
        assert_eq!(found(9, b"<rdf:RDF that nobody closes"), []);
        assert_eq!(found(9, b"\xFF\xE1\0\x20Exif as a word"), []);
        assert_eq!(found(9, b"\xFF\xE1\0\x02Exif\0\0"), []);
    }
}
