//! The envelope of the prepared file: magic, version, checksums and the table of sections.
//!
//! Everything is little-endian; sections start on 64-byte borders so that the map can be read in place.

use crate::error::NetworkError;

/// First eight bytes of a prepared network.
pub(crate) const MAGIC: [u8; 8] = *b"JALONNET";
/// Increased when the layout changes: an older file is then refused with a message and must be built again.
pub(crate) const VERSION: u32 = 2;
/// Bytes before the first section.
pub(crate) const HEADER_BYTES: usize = 512;
const ALIGN: usize = 64;

#[cfg(target_endian = "big")]
compile_error!("the prepared network is read in place and is little-endian");

/// The sections, in file order.
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
}

impl Section {
    pub(crate) const COUNT: usize = 21;
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
        for (offset, length) in self.sections {
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
    const PRIMES: [u64; 4] =
        [0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x27D4_EB2F_1656_67C5];
    let mut lanes = PRIMES;
    let mut blocks = bytes.chunks_exact(32);
    for block in &mut blocks {
        for (lane, word) in lanes.iter_mut().zip(block.as_chunks::<8>().0) {
            *lane = (*lane ^ u64::from_le_bytes(*word)).wrapping_mul(PRIMES[0]).rotate_left(29);
        }
    }
    let mut sum = bytes.len() as u64;
    for lane in lanes {
        sum = (sum ^ lane).wrapping_mul(PRIMES[1]).rotate_left(31);
    }
    for byte in blocks.remainder() {
        sum = (sum ^ u64::from(*byte)).wrapping_mul(PRIMES[2]).rotate_left(11);
    }
    sum ^ (sum >> 32)
}

/// Writes sections one after the other on aligned borders, then the header in front.
pub(crate) struct Writer {
    body: Vec<u8>,
    sections: [(u64, u64); Section::COUNT],
}

impl Writer {
    pub(crate) fn new() -> Self {
        Self { body: Vec::new(), sections: [(HEADER_BYTES as u64, 0); Section::COUNT] }
    }

    pub(crate) fn section(&mut self, section: Section, bytes: &[u8]) {
        self.body.resize(self.body.len().next_multiple_of(ALIGN), 0);
        self.sections[section as usize] = ((HEADER_BYTES + self.body.len()) as u64, bytes.len() as u64);
        self.body.extend_from_slice(bytes);
    }

    pub(crate) fn finish(self, mut header: Header) -> Vec<u8> {
        header.file_bytes = (HEADER_BYTES + self.body.len()) as u64;
        header.body_checksum = checksum(&self.body);
        header.sections = self.sections;
        let mut out = header.to_bytes();
        out.extend(self.body);
        out
    }
}
