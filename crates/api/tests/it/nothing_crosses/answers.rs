//! Looks for markers in an answer: in its headers, in its body, and in the files of an archive.

use std::collections::BTreeSet;
use std::io::{Cursor, Read as _};

use testkit::Reply;

/// How every marker begins, in small letters.
pub const PREFIX: &str = "zq7";

/// The markers that were found.
pub struct Found<'a> {
    known: &'a BTreeSet<String>,
    pub markers: BTreeSet<String>,
}

impl<'a> Found<'a> {
    /// Nothing yet; only these count, not the beginning alone, which the requests search for.
    pub fn new(known: &'a BTreeSet<String>) -> Self {
        Self { known, markers: BTreeSet::new() }
    }

    /// Looks at a whole answer.
    pub fn look(&mut self, reply: &Reply) {
        let headers: Vec<&[u8]> = reply.headers.values().map(AsRef::as_ref).collect();
        self.look_into(&headers.join(&b'\n'));
        self.look_into(&reply.bytes);
    }

    /// Looks at bytes.
    pub fn look_into(&mut self, bytes: &[u8]) {
        if bytes.starts_with(b"PK\x03\x04") {
            self.look_into_archive(bytes);
        }
        // Markers are of ASCII letters and digits. A list repeats the same ones: each word is looked up once.
        let text = String::from_utf8_lossy(bytes).to_ascii_lowercase();
        let ends = |one: char| !one.is_ascii_alphanumeric();
        let words: BTreeSet<&str> =
            text.match_indices(PREFIX).filter_map(|(at, _)| text[at..].split(ends).next()).collect();
        for word in words {
            self.markers.extend(self.known.iter().filter(|known| word.starts_with(known.as_str())).cloned());
        }
        // Tokens and keys count as markers too.
        for secret in self.known.iter().filter(|known| !known.starts_with(PREFIX)) {
            if text.contains(secret.as_str()) {
                self.markers.insert(secret.clone());
            }
        }
    }

    fn look_into_archive(&mut self, bytes: &[u8]) {
        let Ok(mut archive) = zip::ZipArchive::new(Cursor::new(bytes)) else { return };
        for index in 0..archive.len() {
            let mut file = archive.by_index(index).unwrap();
            let name = file.name().unwrap().to_string();
            let mut inside = Vec::new();
            file.read_to_end(&mut inside).unwrap();
            drop(file);
            self.look_into(name.as_bytes());
            self.look_into(&inside);
        }
    }
}

#[test]
fn a_marker_is_found_in_any_case_and_in_archives() {
    use std::io::Write as _;
    let known = BTreeSet::from(["zq7poititle".to_owned(), "k-5e77".to_owned()]);
    let looked = |bytes: &[u8]| {
        let mut found = Found::new(&known);
        found.look_into(bytes);
        found.markers.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(looked(b"<b>Zq7POItitle</b>"), ["zq7poititle"]);
    assert_eq!(looked(b"k=K-5E77&"), ["k-5e77"]);
    assert!(looked(b"no parcours for zq7").is_empty());
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("a.txt", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(b"ZQ7poiTitle").unwrap();
    assert_eq!(looked(&zip.finish().unwrap().into_inner()), ["zq7poititle"]);
}
