//! A copy of a file that is shown as it came, without what tells where it was taken.

use std::ops::Range;

use crate::exif;

/// Writes spaces over what may tell a place in the boxes of a video: its length and its other boxes stay as they are.
///
/// The names of the boxes inside go too, so that a reader sees one empty note.
pub(crate) fn ranges_of_picture(bytes: &[u8]) -> Vec<Range<u64>> {
    let mut found = Vec::new();
    if let Some(notes) = exif::read(bytes) {
        let notes = notes.buf();
        let same = (!notes.is_empty()).then(|| position(bytes, notes, 0)).flatten();
        found.extend(same.map(|at| at as u64..(at + notes.len()) as u64));
    }
    for (start, end) in [(&b"<x:xmpmeta"[..], &b"</x:xmpmeta>"[..]), (b"<rdf:RDF", b"</rdf:RDF>")] {
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
