//! Reads an OpenStreetMap extract (`.osm.pbf`, `.osm`, `.osm.gz`), and writes a small one.
//!
//! [`read`] calls a function with each element, in the order of the file (nodes, ways, relations in every usual extract),
//! so that a country needs the memory of one block. The format is recognised by the first bytes, not by the name.
//! [`write_pbf`] writes the extract of the demo, [`PbfWriter`] one of any size.

mod encode;
mod error;
mod frame;
mod model;
mod pbf;
mod xml;

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use sha2::{Digest, Sha256};

pub use encode::{PbfWriter, write_pbf};
pub use error::ExtractError;
pub use model::{Element, Header, Member, MemberKind, Node, Relation, Tags, Way};

/// The kind of a file, by its first bytes.
#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Pbf,
    Xml,
    GzippedXml,
}

/// Reads a whole extract and hands each element to `each`, in file order.
///
/// On an error the elements already read have been handed out: a caller that keeps them must drop them itself.
pub fn read(path: &Path, each: impl FnMut(Element)) -> Result<Header, ExtractError> {
    let mut file = File::open(path).map_err(|source| ExtractError::io(path, source))?;
    let kind = recognise(path, &mut file)?;
    match kind {
        Kind::Pbf => pbf::read(path, file, each),
        Kind::Xml => xml::read(path, BufReader::with_capacity(1 << 16, file), each),
        Kind::GzippedXml => {
            let unzipped = flate2::read::MultiGzDecoder::new(BufReader::with_capacity(1 << 16, file));
            xml::read(path, BufReader::with_capacity(1 << 16, unzipped), each)
        }
    }
}

/// The SHA-256 of the file's bytes, in lower-case hexadecimal.
pub fn checksum(path: &Path) -> Result<String, ExtractError> {
    let mut file = File::open(path).map_err(|source| ExtractError::io(path, source))?;
    let mut hash = Sha256::new();
    let mut chunk = vec![0_u8; 1 << 16];
    loop {
        let got = file.read(&mut chunk).map_err(|source| ExtractError::io(path, source))?;
        if got == 0 {
            break;
        }
        hash.update(&chunk[..got]);
    }
    Ok(hexadecimal(&hash.finalize()))
}

/// Bytes as lower-case hexadecimal digits, two a byte. The crates of the planner do not know `domain`, which has the same for the others.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        for nibble in [byte >> 4, byte & 15] {
            text.push(char::from_digit(u32::from(nibble), 16).unwrap_or('0'));
        }
        text
    })
}

fn recognise(path: &Path, file: &mut File) -> Result<Kind, ExtractError> {
    let mut head = Vec::with_capacity(512);
    file.by_ref()
        .take(512)
        .read_to_end(&mut head)
        .and_then(|_| file.seek(SeekFrom::Start(0)))
        .map_err(|source| ExtractError::io(path, source))?;
    if head.is_empty() {
        return Err(ExtractError::Empty { path: path.into() });
    }
    if head.starts_with(&[0x1f, 0x8b]) {
        return Ok(Kind::GzippedXml);
    }
    for (magic, name) in [(&b"BZh"[..], "bzip2"), (b"PK\x03\x04", "zip"), (b"7z\xbc\xaf", "7z"), (b"\xfd7zXZ", "xz")] {
        if head.starts_with(magic) {
            return Err(ExtractError::Unsupported { path: path.into(), what: format!("{name} compression") });
        }
    }
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head);
    match text.iter().find(|byte| !byte.is_ascii_whitespace()) {
        None => Err(ExtractError::Empty { path: path.into() }),
        Some(b'<') => Ok(Kind::Xml),
        Some(_) if frame::starts_like_pbf(&head) => Ok(Kind::Pbf),
        Some(_) => Err(ExtractError::Foreign { path: path.into() }),
    }
}
