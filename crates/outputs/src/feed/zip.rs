//! A zip file that is written while it is sent: each entry whole in memory, none rewritten later (PKWARE APPNOTE 6.3.10).

use std::io::Write as _;

use axum::body::Bytes;
use flate2::{Compression, Crc};

/// The content of an entry.
pub enum Content {
    /// Stored without compression: pictures and sounds are compressed already.
    Plain(Bytes),
    /// To be packed.
    Text(String),
    /// Compressed with gzip already; a zip file uses the same compression, so the bytes are copied.
    Gzip(Vec<u8>),
}

/// Bytes of an entry in a zip file.
struct Packed {
    deflated: bool,
    crc: u32,
    plain: u32,
    data: Bytes,
}

/// Version 2.0 of the format: deflate.
const VERSION: u16 = 20;
/// Names are UTF-8.
const UTF8: u16 = 1 << 11;
/// 1 January 1980, the first day there is: the same things make the same file.
const DAY: u16 = 0x21;

/// The part of the file written so far.
#[derive(Debug, Default)]
pub struct Zip {
    directory: Vec<u8>,
    entries: u16,
    offset: u32,
}

impl Zip {
    /// Bytes of the next entry, and its unpacked size; `None` for what is damaged or too large for a zip file.
    pub fn entry(&mut self, name: &str, content: Content) -> Option<(Bytes, u32)> {
        let Packed { deflated, crc, plain, data } = packed(content)?;
        let (length, name_length) = (u32::try_from(data.len()).ok()?, u16::try_from(name.len()).ok()?);
        let mut fields = Vec::with_capacity(26);
        for field in [VERSION, UTF8, if deflated { 8 } else { 0 }, 0, DAY] {
            fields.extend(field.to_le_bytes());
        }
        for field in [crc, length, plain] {
            fields.extend(field.to_le_bytes());
        }
        fields.extend(name_length.to_le_bytes());
        fields.extend(0_u16.to_le_bytes());
        let entry = [b"PK\x03\x04".as_slice(), &fields, name.as_bytes(), &data].concat();
        let (entries, end) = (self.entries.checked_add(1)?, self.offset.checked_add(u32::try_from(entry.len()).ok()?)?);

        self.directory.extend(b"PK\x01\x02");
        self.directory.extend(VERSION.to_le_bytes());
        self.directory.extend(fields);
        // No comment, first disk, no attributes.
        self.directory.extend([0; 10]);
        self.directory.extend(self.offset.to_le_bytes());
        self.directory.extend(name.as_bytes());
        (self.entries, self.offset) = (entries, end);
        Some((entry.into(), plain))
    }

    /// The list at the end.
    pub fn end(self) -> Bytes {
        let length = self.directory.len() as u32;
        let mut end = self.directory;
        end.extend(b"PK\x05\x06\0\0\0\0");
        end.extend(self.entries.to_le_bytes());
        end.extend(self.entries.to_le_bytes());
        end.extend(length.to_le_bytes());
        end.extend(self.offset.to_le_bytes());
        end.extend([0; 2]);
        end.into()
    }
}

fn packed(content: Content) -> Option<Packed> {
    match content {
        Content::Plain(data) => {
            Some(Packed { deflated: false, crc: crc(&data), plain: u32::try_from(data.len()).ok()?, data })
        }
        Content::Text(text) => {
            let mut packer = flate2::write::DeflateEncoder::new(Vec::new(), Compression::fast());
            packer.write_all(text.as_bytes()).ok()?;
            let (crc, plain) = (crc(text.as_bytes()), u32::try_from(text.len()).ok()?);
            Some(Packed { deflated: true, crc, plain, data: packer.finish().ok()?.into() })
        }
        Content::Gzip(bytes) => from_gzip(bytes),
    }
}

fn crc(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// One member of gzip (RFC 1952): ten bytes of head, the deflated data, the sum and the length. Ours has no more in its head.
fn from_gzip(bytes: Vec<u8>) -> Option<Packed> {
    let (head, rest) = bytes.split_at_checked(10)?;
    if head[..4] != [0x1f, 0x8b, 8, 0] {
        return None;
    }
    let end = rest.len().checked_sub(8)?;
    let word = |at: usize| Some(u32::from_le_bytes(rest.get(at..at + 4)?.try_into().ok()?));
    let (crc, plain) = (word(end)?, word(end + 4)?);
    Some(Packed { deflated: true, crc, plain, data: Bytes::from(bytes).slice(10..10 + end) })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use std::io::{Cursor, Read as _};

    use super::*;

    fn gzip(text: &str) -> Vec<u8> {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(text.as_bytes()).unwrap();
        packer.finish().unwrap()
    }

    #[test]
    fn others_read_what_is_written() {
        let (mut zip, mut file) = (Zip::default(), Vec::new());
        let contents = [
            ("été.txt", Content::Text("lac ".repeat(100)), "lac ".repeat(100)),
            ("media/1.jpg", Content::Plain(Bytes::from_static(b"\xff\xd8")), String::new()),
            ("tiles/1/0/0.mvt", Content::Gzip(gzip("tuile")), "tuile".to_owned()),
            ("empty.pbf", Content::Gzip(gzip("")), String::new()),
        ];
        let mut wanted = Vec::new();
        for (name, content, text) in contents {
            let (bytes, plain) = zip.entry(name, content).unwrap();
            file.extend(bytes);
            wanted.push((name, text, plain));
        }
        file.extend(zip.end());
        let mut read = ::zip::ZipArchive::new(Cursor::new(file)).unwrap();
        assert_eq!(read.len(), wanted.len());
        for (name, text, plain) in wanted {
            let mut entry = read.by_name(name).unwrap();
            let mut bytes = Vec::new();
            // The reader checks the sum.
            entry.read_to_end(&mut bytes).unwrap();
            assert_eq!(bytes.len() as u32, plain, "{name}");
            assert!(name.ends_with("jpg") || bytes == text.as_bytes(), "{name}");
        }
    }

    #[test]
    fn what_is_no_gzip_is_left_out() {
        for broken in [vec![], vec![0; 40], gzip("x")[..12].to_vec()] {
            assert!(Zip::default().entry("x", Content::Gzip(broken)).is_none());
        }
    }
}
