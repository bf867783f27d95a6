//! The envelope of the prepared file: magic, version, checksums and the table of sections.
//!
//! Everything is little-endian; sections start on 64-byte borders so that the map can be read in place.

use crate::error::NetworkError;
use std::io::{self, Seek, SeekFrom, Write};

/// First eight bytes of a prepared network.
pub(crate) const MAGIC: [u8; 8] = *b"JALONNET";
/// Increased when the layout changes: an older file is then refused with a message and must be built again.
pub(crate) const VERSION: u32 = 2;
/// Bytes before the first section.
pub(crate) const HEADER_BYTES: usize = 512;
const ALIGN: usize = 64;
/// Where the header has the place and the length of each section.
#[cfg(test)]
pub(crate) const SECTIONS_AT: usize = 104;

#[cfg(target_endian = "big")]
compile_error!("the prepared network is read in place and is little-endian");

/// The sections, in the order of the header's table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    /// `[i32; 2]` a junction: its coordinate.
    Nodes,
    /// `u8` a junction: its barrier bits.
    Barriers,
    /// `u32` a state: its junction (the first states are the junctions themselves).
    StateNode,
    /// `u32` a state and one more: where its outgoing arcs start.
    FirstOut,
    /// `[u32; 2]`: head state, link and direction.
    Arcs,
    /// `u32` a state and one more: where its incoming arcs start.
    FirstIn,
    /// `[u32; 2]`: tail state, arc index.
    InArcs,
    /// `[u32; 2]`: junction and one of its extra states, sorted.
    Copies,
    /// `[u32; 14]` a link, see `link.rs`.
    Links,
    /// `[i32; 2]` a shape point.
    Shapes,
    /// `[u8; 16]` an attribute set.
    Attributes,
    /// `u32` a name and one more: where its bytes start.
    NameStarts,
    /// UTF-8 bytes: name, tab, reference.
    Names,
    /// `[i32; 4]` boxes of the spatial index, level by level.
    Boxes,
    /// `[u32; 2]` a run of segments: link, first segment and count.
    Runs,
    /// `u32` a covered cell, sorted.
    Cells,
    /// `i16` a height along a link, in quarters of a metre; empty without a ground model.
    Heights,
    /// `u32` an arc: its rank in the contraction.
    Rank,
    /// `u32` a rank: the arc that has it.
    AtRank,
    /// `u32` a rank and one more: where its higher neighbours start.
    UpFirst,
    /// `u32` a higher neighbour.
    UpHead,
    /// `u8` a link: a bit for each profile, set where the link is part of a large network (see `stored.rs`).
    Large,
    /// `[u64; 4]` a profile: which costs are stored for it, see `stored.rs`.
    Profiles,
    /// The costs of all profiles on the contraction, see `stored.rs`.
    Metrics,
}

impl Section {
    pub(crate) const COUNT: usize = 24;
}

/// The values of the header.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Header {
    pub file_bytes: u64,
    pub body_checksum: u64,
    pub data_date_s: Option<i64>,
    pub bbox: [f64; 4],
    pub extract_checksum: [u8; 32],
    pub has_elevation: bool,
    pub sections: [(u64, u64); Section::COUNT],
}

impl Header {
    /// The header's bytes, its own checksum at the end.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(HEADER_BYTES);
        out.extend(MAGIC);
        out.extend(VERSION.to_le_bytes());
        out.extend(u32::from(self.has_elevation).to_le_bytes());
        out.extend(self.file_bytes.to_le_bytes());
        out.extend(self.body_checksum.to_le_bytes());
        out.extend(self.data_date_s.unwrap_or(i64::MIN).to_le_bytes());
        self.bbox.iter().for_each(|v| out.extend(v.to_le_bytes()));
        out.extend(self.extract_checksum);
        for (offset, length) in self.sections {
            out.extend(offset.to_le_bytes());
            out.extend(length.to_le_bytes());
        }
        out.resize(HEADER_BYTES - 8, 0);
        let sum = checksum(&out);
        out.extend(sum.to_le_bytes());
        out
    }

    /// Read and check the header of a file of `file_bytes` bytes.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, NetworkError> {
        if bytes.len() < 8 || bytes[..8] != MAGIC {
            return Err(NetworkError::NotANetwork);
        }
        let head = bytes
            .get(..HEADER_BYTES)
            .ok_or(NetworkError::Truncated { expected: HEADER_BYTES as u64, found: bytes.len() as u64 })?;
        let mut at = Reader { bytes: head, at: 8 };
        let version = at.u32();
        if version != VERSION {
            return Err(NetworkError::OtherVersion { found: version, expected: VERSION });
        }
        let stored = u64::from_le_bytes(array(&head[HEADER_BYTES - 8..]));
        if stored != checksum(&head[..HEADER_BYTES - 8]) {
            return Err(NetworkError::Damaged { what: "the header's checksum does not match" });
        }
        let has_elevation = at.u32() == 1;
        let file_bytes = at.u64();
        if file_bytes != bytes.len() as u64 {
            return Err(NetworkError::Truncated { expected: file_bytes, found: bytes.len() as u64 });
        }
        let body_checksum = at.u64();
        let date = at.u64() as i64;
        let bbox = std::array::from_fn(|_| f64::from_bits(at.u64()));
        let extract_checksum = at.take::<32>();
        let sections = std::array::from_fn(|_| (at.u64(), at.u64()));
        let header = Self {
            file_bytes,
            body_checksum,
            data_date_s: (date != i64::MIN).then_some(date),
            bbox,
            extract_checksum,
            has_elevation,
            sections,
        };
        header.check_sections()?;
        Ok(header)
    }

    fn check_sections(&self) -> Result<(), NetworkError> {
        // A file of before has zeros in the places of the sections that came later.
        for (offset, length) in self.sections.into_iter().filter(|section| *section != (0, 0)) {
            let is_inside = offset >= HEADER_BYTES as u64
                && offset.is_multiple_of(ALIGN as u64)
                && offset.checked_add(length).is_some_and(|end| end <= self.file_bytes);
            if !is_inside {
                return Err(NetworkError::Damaged { what: "a section lies outside the file" });
            }
        }
        if self.bbox.iter().any(|v| !v.is_finite()) {
            return Err(NetworkError::Damaged { what: "the bounding box is not a number" });
        }
        Ok(())
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let found = array(&self.bytes[self.at..self.at + N]);
        self.at += N;
        found
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }
}

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(&bytes[..N]);
    out
}

/// A fast 64-bit checksum against accidents (not against malice): four lanes of multiply and rotate.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = Sum::default();
    sum.add(bytes);
    sum.finish()
}

const PRIMES: [u64; 4] = [0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x27D4_EB2F_1656_67C5];
/// Bytes that go into the lanes at once.
const BLOCK: usize = 32;

/// The checksum of bytes that come in parts.
#[derive(Debug, Clone)]
struct Sum {
    lanes: [u64; 4],
    length: u64,
    /// What is left of a block.
    rest: Vec<u8>,
}

impl Default for Sum {
    fn default() -> Self {
        Self { lanes: PRIMES, length: 0, rest: Vec::with_capacity(BLOCK) }
    }
}

impl Sum {
    fn add(&mut self, mut bytes: &[u8]) {
        self.length += bytes.len() as u64;
        if !self.rest.is_empty() {
            let taken = bytes.len().min(BLOCK - self.rest.len());
            self.rest.extend_from_slice(&bytes[..taken]);
            bytes = &bytes[taken..];
            if self.rest.len() < BLOCK {
                return;
            }
            let block: [u8; BLOCK] = array(&self.rest);
            self.block(&block);
            self.rest.clear();
        }
        let (blocks, rest) = bytes.as_chunks::<BLOCK>();
        for block in blocks {
            self.block(block);
        }
        self.rest.extend_from_slice(rest);
    }

    fn block(&mut self, block: &[u8; BLOCK]) {
        for (lane, word) in self.lanes.iter_mut().zip(block.as_chunks::<8>().0) {
            *lane = (*lane ^ u64::from_le_bytes(*word)).wrapping_mul(PRIMES[0]).rotate_left(29);
        }
    }

    fn finish(&self) -> u64 {
        let mut sum = self.length;
        for lane in self.lanes {
            sum = (sum ^ lane).wrapping_mul(PRIMES[1]).rotate_left(31);
        }
        for byte in &self.rest {
            sum = (sum ^ u64::from(*byte)).wrapping_mul(PRIMES[2]).rotate_left(11);
        }
        sum ^ (sum >> 32)
    }
}

/// Writes sections one after the other on aligned borders, then the header in front. A section leaves memory once it is written.
pub(crate) struct Writer<W> {
    out: W,
    sum: Sum,
    sections: [(u64, u64); Section::COUNT],
}

impl<W: Write + Seek> Writer<W> {
    /// Starts behind the place of the header.
    pub(crate) fn new(mut out: W) -> io::Result<Self> {
        out.write_all(&[0; HEADER_BYTES])?;
        Ok(Self { out, sum: Sum::default(), sections: [(HEADER_BYTES as u64, 0); Section::COUNT] })
    }

    /// Bytes of the file so far.
    fn length(&self) -> u64 {
        HEADER_BYTES as u64 + self.sum.length
    }

    /// A whole section.
    pub(crate) fn section(&mut self, section: Section, bytes: &[u8]) -> io::Result<()> {
        self.begin(section)?;
        self.append(section, bytes)
    }

    /// Begins a section that is written in parts.
    pub(crate) fn begin(&mut self, section: Section) -> io::Result<()> {
        let padding = (self.length().next_multiple_of(ALIGN as u64) - self.length()) as usize;
        self.write(&[0; ALIGN][..padding])?;
        self.sections[section as usize] = (self.length(), 0);
        Ok(())
    }

    /// More bytes of the section that was begun last.
    pub(crate) fn append(&mut self, section: Section, bytes: &[u8]) -> io::Result<()> {
        self.sections[section as usize].1 += bytes.len() as u64;
        self.write(bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.add(bytes);
        self.out.write_all(bytes)
    }

    /// Writes the header for the sections so far; more may follow, and the header again.
    pub(crate) fn seal(&mut self, header: &Header) -> io::Result<()> {
        let header = Header {
            file_bytes: self.length(),
            body_checksum: self.sum.finish(),
            sections: self.sections,
            ..header.clone()
        };
        self.out.rewind()?;
        self.out.write_all(&header.to_bytes())?;
        self.out.seek(SeekFrom::End(0))?;
        self.out.flush()
    }

    #[cfg(test)]
    pub(crate) fn get_ref(&self) -> &W {
        &self.out
    }

    pub(crate) fn into_inner(self) -> W {
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_in_parts_have_the_checksum_of_the_whole() {
        let bytes: Vec<u8> = (0..1000_u32).map(|i| (i * 7) as u8).collect();
        for part in [1, 5, 31, 32, 33, 100, 999] {
            let mut sum = Sum::default();
            bytes.chunks(part).for_each(|part| sum.add(part));
            assert_eq!(sum.finish(), checksum(&bytes), "parts of {part}");
        }
    }
}
