//! The 127 bytes at the start of the file.

/// Length of the header.
pub(super) const LENGTH: usize = 127;
const MAGIC: &[u8; 8] = b"PMTiles\x03";
const PLAIN: u8 = 1;
const GZIP: u8 = 2;

/// The format of the tiles.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Content {
    /// Mapbox vector tiles, gzip.
    #[default]
    Vector,
    /// Pictures, stored without further compression.
    Png,
}

impl Content {
    /// The compression and the format of the tiles, in the specification's numbers.
    const fn codes(self) -> [u8; 2] {
        match self {
            Self::Vector => [GZIP, 1],
            Self::Png => [PLAIN, 2],
        }
    }
}

/// A part of the file: its offset and length.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) offset: u64,
    pub(super) length: u64,
}

/// The values of the header.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Header {
    pub(super) content: Content,
    pub(super) root: Part,
    pub(super) metadata: Part,
    pub(super) leaves: Part,
    pub(super) tiles: Part,
    pub(super) addressed: u64,
    pub(super) entries: u64,
    pub(super) contents: u64,
    pub(super) zooms: [u8; 2],
    /// West, south, east, north in degrees.
    pub(super) bbox: [f64; 4],
}

impl Header {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(LENGTH);
        out.extend_from_slice(MAGIC);
        for part in [self.root, self.metadata, self.leaves, self.tiles] {
            out.extend_from_slice(&part.offset.to_le_bytes());
            out.extend_from_slice(&part.length.to_le_bytes());
        }
        for count in [self.addressed, self.entries, self.contents] {
            out.extend_from_slice(&count.to_le_bytes());
        }
        // Tiles are in the order in which they were made, not along the curve; directories are gzip.
        let [packing, kind] = self.content.codes();
        out.extend_from_slice(&[0, GZIP, packing, kind, self.zooms[0], self.zooms[1]]);
        let [west, south, east, north] = self.bbox;
        let put =
            |out: &mut Vec<u8>, degrees: f64| out.extend_from_slice(&((degrees * 1e7).round() as i32).to_le_bytes());
        for degrees in self.bbox {
            put(&mut out, degrees);
        }
        out.push(self.zooms[0].midpoint(self.zooms[1]));
        put(&mut out, f64::midpoint(west, east));
        put(&mut out, f64::midpoint(south, north));
        out
    }

    /// Reads a header, or returns its fault.
    pub(super) fn decode(file: &[u8]) -> Result<Self, &'static str> {
        let head = file.get(..LENGTH).ok_or("it is too short")?;
        if &head[..8] != MAGIC {
            return Err("it does not begin like one");
        }
        let number = |at: usize| head[at..at + 8].iter().rev().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
        let part = |at: usize| Part { offset: number(at), length: number(at + 8) };
        let degrees = |at: usize| {
            f64::from(head[at..at + 4].iter().rev().fold(0_u32, |sum, byte| sum << 8 | u32::from(*byte)).cast_signed())
                / 1e7
        };
        let known = [Content::Vector, Content::Png].into_iter().find(|content| content.codes() == head[98..100]);
        let content =
            known.filter(|_| head[97] == GZIP).ok_or("its tiles are neither gzip vector tiles nor pictures")?;
        let header = Self {
            content,
            root: part(8),
            metadata: part(24),
            leaves: part(40),
            tiles: part(56),
            addressed: number(72),
            entries: number(80),
            contents: number(88),
            zooms: [head[100], head[101]],
            bbox: [degrees(102), degrees(106), degrees(110), degrees(114)],
        };
        let fits = |part: Part| part.offset.checked_add(part.length).is_some_and(|end| end <= file.len() as u64);
        if ![header.root, header.metadata, header.leaves, header.tiles].into_iter().all(fits) {
            return Err("it was cut short");
        }
        Ok(header)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_reads_back_as_written() {
        let header = Header { zooms: [5, 14], bbox: [1.4, 42.4, 1.8, 42.7], addressed: 7, ..Header::default() };
        let bytes = header.encode();
        assert_eq!(bytes.len(), LENGTH);
        assert_eq!(Header::decode(&bytes), Ok(header));
    }

    #[test]
    fn what_is_no_tiles_file_is_reported() {
        assert_eq!(Header::decode(b"PMTiles"), Err("it is too short"));
        assert_eq!(Header::decode(&[b'x'; 200]), Err("it does not begin like one"));
        let cut = Header { tiles: Part { offset: 127, length: 1 }, ..Header::default() }.encode();
        assert_eq!(Header::decode(&cut), Err("it was cut short"));
    }
}
