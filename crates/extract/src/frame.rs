//! The outer frame of a `.osm.pbf` file, walked before anything is decoded.
//!
//! The decoder accepts a truncated file as whole when the cut falls within a length field,
//! and allocates any amount of memory that a damaged length names. Walking the lengths first costs one seek a block.

use std::fs::File;
use std::io::{BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

use crate::error::ExtractError;

/// The format's own limits.
const MAX_BLOB_HEADER_BYTES: u32 = 64 * 1024;
const MAX_BLOB_BYTES: u64 = 32 * 1024 * 1024;

/// Whether a file's first bytes are those of a blob header naming an `OSMHeader`.
pub(crate) fn starts_like_pbf(head: &[u8]) -> bool {
    head.len() >= 4 && head[..2] == [0, 0] && (head.len() < 15 || head[4..].starts_with(b"\x0a\x09OSMHeader"))
}

/// Walks every block's lengths to the end of the file.
pub(crate) fn check(path: &Path, file: &File) -> Result<(), ExtractError> {
    let length = file.metadata().map_err(|source| ExtractError::io(path, source))?.len();
    let mut reader = BufReader::new(file);
    let mut at_byte = 0;
    while at_byte < length {
        let mut size = [0; 4];
        fill(path, &mut reader, &mut size, length)?;
        let size = u32::from_be_bytes(size);
        if size > MAX_BLOB_HEADER_BYTES {
            return Err(ExtractError::damaged(path, at_byte, "a block header of impossible length"));
        }
        let mut header = vec![0; size as usize];
        fill(path, &mut reader, &mut header, length)?;
        let blob = blob_length(&header)
            .filter(|blob| *blob <= MAX_BLOB_BYTES)
            .ok_or_else(|| ExtractError::damaged(path, at_byte, "a block of impossible length"))?;
        at_byte += 4 + u64::from(size) + blob;
        reader.seek_relative(blob.cast_signed()).map_err(|source| ExtractError::io(path, source))?;
    }
    if at_byte > length {
        return Err(ExtractError::Truncated { path: path.into(), at_byte: length });
    }
    let mut file = file;
    file.seek(SeekFrom::Start(0)).map_err(|source| ExtractError::io(path, source))?;
    Ok(())
}

fn fill(path: &Path, reader: &mut impl Read, bytes: &mut [u8], length: u64) -> Result<(), ExtractError> {
    reader.read_exact(bytes).map_err(|source| match source.kind() {
        ErrorKind::UnexpectedEof => ExtractError::Truncated { path: path.into(), at_byte: length },
        _ => ExtractError::io(path, source),
    })
}

/// Field 3 (`datasize`) of a `BlobHeader` message.
fn blob_length(mut header: &[u8]) -> Option<u64> {
    let mut found = None;
    while !header.is_empty() {
        let key = varint(&mut header)?;
        match (key >> 3, key & 7) {
            (3, 0) => found = Some(varint(&mut header)?),
            (_, 0) => drop(varint(&mut header)?),
            (_, 2) => {
                let skipped = usize::try_from(varint(&mut header)?).ok()?;
                header = header.get(skipped..)?;
            }
            _ => return None,
        }
    }
    found
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0_u64;
    for shift in (0..64).step_by(7) {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}
