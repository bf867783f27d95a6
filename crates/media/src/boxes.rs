//! Files of boxes (ISO 14496-12): MP4, M4A, AVIF. Duration, size in pixels, and the parts that may contain a place.

use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;

use crate::Refusal;

/// Boxes that are read into memory: descriptions, never the sound or the picture itself.
const MAX_READ: u64 = 64 * 1024 * 1024;
/// The number of boxes that are read in a file, or inside one box.
const MAX_BOXES: usize = 100_000;

/// What the boxes of a file say.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct BoxInfo {
    pub duration_ms: Option<u64>,
    pub width: Option<u32>,
    pub height: Option<u32>,
    /// Ranges of the file that may contain where it was recorded.
    pub places: Vec<Range<u64>>,
    has_media: bool,
}

/// Reads a video or a sound; one without its description, or shorter than it says, is broken.
pub(crate) fn read<F: Read + Seek + ?Sized>(file: &mut F, length: u64) -> Result<BoxInfo, Refusal> {
    let mut info = BoxInfo::default();
    let mut described = false;
    let mut at = 0;
    let mut seen = 0;
    while at < length {
        let (name, header, size) = outer(file, at, length)?;
        let end = at.checked_add(size).filter(|end| *end <= length && size >= header).ok_or(Refusal::Broken)?;
        match &name {
            b"moov" => {
                let inside = load(file, at + header, end)?;
                movie(&inside, at + header, &mut info);
                described = true;
            }
            b"mdat" => info.has_media = true,
            // What telephones write beside the film.
            b"meta" | b"uuid" | b"udta" => info.places.push(at + header..end),
            _ => {}
        }
        at = end;
        seen += 1;
        if seen > MAX_BOXES {
            return Err(Refusal::Broken);
        }
    }
    if described && info.has_media { Ok(info) } else { Err(Refusal::Broken) }
}

/// Width and height of a picture in boxes.
pub(crate) fn picture<F: Read + Seek + ?Sized>(file: &mut F, length: u64) -> Result<(u32, u32), Refusal> {
    let mut at = 0;
    let mut found = None;
    while at < length {
        let (name, header, size) = outer(file, at, length)?;
        let end = at.checked_add(size).filter(|end| *end <= length && size >= header).ok_or(Refusal::Broken)?;
        if &name == b"meta" {
            found = spatial_extent(&load(file, at + header, end)?);
        }
        at = end;
    }
    found.ok_or(Refusal::Broken)
}

/// The largest of the extents in the file: the others are thumbnails and tiles.
fn spatial_extent(meta: &[u8]) -> Option<(u32, u32)> {
    let properties = child(meta.get(4..)?, *b"iprp")?;
    let container = child(properties, *b"ipco")?;
    Inner(container)
        .filter(|(name, _, _)| name == b"ispe")
        .filter_map(|(_, _, bytes)| Some((be32(bytes, 4)?, be32(bytes, 8)?)))
        .max_by_key(|(width, height)| u64::from(*width) * u64::from(*height))
}

fn outer<F: Read + Seek + ?Sized>(file: &mut F, at: u64, length: u64) -> Result<([u8; 4], u64, u64), Refusal> {
    let mut head = [0; 16];
    let there = (length - at).min(16) as usize;
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut head[..there])?;
    if there < 8 {
        return Err(Refusal::Broken);
    }
    let name = [head[4], head[5], head[6], head[7]];
    let short = u64::from(u32::from_be_bytes([head[0], head[1], head[2], head[3]]));
    Ok(match short {
        0 => (name, 8, length - at),
        1 if there == 16 => (name, 16, u64::from_be_bytes(*head[8..].first_chunk().unwrap_or(&[0; 8]))),
        1 => return Err(Refusal::Broken),
        size => (name, 8, size),
    })
}

fn load<F: Read + Seek + ?Sized>(file: &mut F, from: u64, to: u64) -> Result<Vec<u8>, Refusal> {
    if to - from > MAX_READ {
        return Err(Refusal::Broken);
    }
    let mut bytes = vec![0; (to - from) as usize];
    file.seek(SeekFrom::Start(from))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Boxes inside of a box: name, where the content starts, content. What does not fit ends them.
struct Inner<'a>(&'a [u8]);

impl<'a> Iterator for Inner<'a> {
    type Item = ([u8; 4], usize, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let size = be32(self.0, 0)? as usize;
        let name = *self.0.get(4..)?.first_chunk()?;
        let (header, size) = match size {
            0 => (8, self.0.len()),
            1 => (16, usize::try_from(u64::from_be_bytes(*self.0.get(8..)?.first_chunk()?)).ok()?),
            size => (8, size),
        };
        let content = self.0.get(header..size)?;
        self.0 = &self.0[size..];
        Some((name, header, content))
    }
}

fn child(bytes: &[u8], name: [u8; 4]) -> Option<&[u8]> {
    Inner(bytes).find(|(found, _, _)| *found == name).map(|(_, _, content)| content)
}

fn movie(moov: &[u8], start: u64, info: &mut BoxInfo) {
    let base = moov.as_ptr() as usize;
    for (name, _, content) in Inner(moov) {
        match &name {
            b"mvhd" => info.duration_ms = duration(content),
            b"trak" => {
                if let Some((width, height)) = child(content, *b"tkhd").and_then(track_size) {
                    info.width = info.width.max(Some(width));
                    info.height = info.height.max(Some(height));
                }
                for (_, _, inside) in Inner(content).filter(|(name, _, _)| is_note(*name)) {
                    info.places.push(range(start, base, inside));
                }
            }
            name if is_note(*name) => info.places.push(range(start, base, content)),
            _ => {}
        }
    }
}

fn is_note(name: [u8; 4]) -> bool {
    [*b"udta", *b"meta", *b"uuid"].contains(&name)
}

fn range(start: u64, base: usize, inside: &[u8]) -> Range<u64> {
    let from = start + (inside.as_ptr() as usize - base) as u64;
    from..from + inside.len() as u64
}

/// Time scale and duration of a movie header, in either of its versions.
fn duration(mvhd: &[u8]) -> Option<u64> {
    let (scale, length) = if *mvhd.first()? == 1 {
        (be32(mvhd, 20)?, u64::from_be_bytes(*mvhd.get(24..)?.first_chunk()?))
    } else {
        (be32(mvhd, 12)?, u64::from(be32(mvhd, 16)?))
    };
    // A film that is still written has no length: all ones.
    let known = scale > 0 && length > 0 && length != u64::MAX && length != u64::from(u32::MAX);
    known.then(|| u64::try_from(u128::from(length) * 1000 / u128::from(scale)).ok()).flatten()
}

/// Width and height of a track header, 16.16 numbers at its end; a track turned by a quarter changes them over.
fn track_size(tkhd: &[u8]) -> Option<(u32, u32)> {
    let end = if *tkhd.first()? == 1 { 96 } else { 84 };
    let (width, height) = (be32(tkhd, end - 8)? >> 16, be32(tkhd, end - 4)? >> 16);
    let (a, b) = (be32(tkhd, end - 44)?, be32(tkhd, end - 40)?);
    let sides = if a == 0 && b != 0 { (height, width) } else { (width, height) };
    (width > 0 && height > 0).then_some(sides)
}

fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}
