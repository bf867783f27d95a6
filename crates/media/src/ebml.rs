//! WebM: duration and size of the picture, from the elements before the first cluster.

use std::io::{Read, Seek, SeekFrom};

use crate::Refusal;

/// The most bytes that are read: duration and size are stored near the beginning of a file.
const MAX_HEAD: u64 = 4 * 1024 * 1024;
const SEGMENT: u32 = 0x1853_8067;
const INFO: u32 = 0x1549_A966;
const TRACKS: u32 = 0x1654_AE6B;
const CLUSTER: u32 = 0x1F43_B675;
const TIMESTAMP_SCALE: u32 = 0x002A_D7B1;
const DURATION: u32 = 0x4489;
const TRACK_ENTRY: u32 = 0xAE;
const VIDEO: u32 = 0xE0;
const PIXEL_WIDTH: u32 = 0xB0;
const PIXEL_HEIGHT: u32 = 0xBA;

/// Duration and picture size of a video, each where the file gives it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct VideoInfo {
    pub duration_ms: Option<u64>,
    pub width: Option<u32>,
    pub height: Option<u32>,
}

/// Reads a video of `length` bytes.
///
/// # Errors
/// [`Refusal::Broken`] if it has no tracks, or if it is shorter than its segment states.
pub(crate) fn read<F: Read + Seek + ?Sized>(file: &mut F, length: u64) -> Result<VideoInfo, Refusal> {
    file.seek(SeekFrom::Start(0))?;
    let mut head = Vec::new();
    file.take(MAX_HEAD).read_to_end(&mut head)?;
    parse(&head, length).ok_or(Refusal::Broken)
}

fn parse(head: &[u8], length: u64) -> Option<VideoInfo> {
    let (_, _, after) = element(head)?;
    let segment = head.get(after..)?;
    let (id, size, _) = element(segment)?;
    let mut at = after + header_length(segment)?;
    if id != SEGMENT || size.is_some_and(|size| (at as u64).saturating_add(size) > length) {
        return None;
    }
    let mut info = VideoInfo::default();
    let mut tracks = false;
    while let Some((id, size, whole)) = head.get(at..).and_then(element) {
        let end = at.checked_add(whole)?;
        let content = head.get(at + header_length(&head[at..])?..end.min(head.len()))?;
        match id {
            INFO => info.duration_ms = duration(content),
            TRACKS => {
                tracks = true;
                (info.width, info.height) = picture(content);
            }
            CLUSTER => break,
            _ => {}
        }
        size?;
        at = end;
    }
    tracks.then_some(info)
}

/// The identifier of the first element, the size of its content if the file gives it, and its whole size, in bytes.
fn element(bytes: &[u8]) -> Option<(u32, Option<u64>, usize)> {
    let (id, id_length) = number(bytes, false)?;
    let (size, size_length) = number(bytes.get(id_length..)?, true)?;
    // All bits set: the size was not known when the header was written.
    let unknown = size == (1_u64 << (7 * size_length)) - 1;
    let header = id_length + size_length;
    let whole = if unknown { bytes.len() } else { header.checked_add(usize::try_from(size).ok()?)? };
    Some((u32::try_from(id).ok()?, (!unknown).then_some(size), whole))
}

fn header_length(bytes: &[u8]) -> Option<usize> {
    let (_, id_length) = number(bytes, false)?;
    let (_, size_length) = number(bytes.get(id_length..)?, true)?;
    Some(id_length + size_length)
}

/// A variable-length integer of one to eight bytes, and its length. The leading zero bits of the first byte give the length; the bit
/// after them is a marker, which `without_mark` removes from the value.
fn number(bytes: &[u8], without_mark: bool) -> Option<(u64, usize)> {
    let first = *bytes.first()?;
    let length = first.leading_zeros() as usize + 1;
    if length > 8 {
        return None;
    }
    let lead = if without_mark { u64::from(first) & ((1_u64 << (8 - length)) - 1) } else { u64::from(first) };
    let rest = bytes.get(1..length)?;
    Some((rest.iter().fold(lead, |value, byte| (value << 8) | u64::from(*byte)), length))
}

fn children(bytes: &[u8]) -> impl Iterator<Item = (u32, &[u8])> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let (id, _, whole) = element(rest)?;
        let content = rest.get(header_length(rest)?..whole)?;
        rest = &rest[whole..];
        Some((id, content))
    })
}

fn unsigned(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).fold(0, |value, byte| (value << 8) | u64::from(*byte))
}

fn duration(info: &[u8]) -> Option<u64> {
    let scale = children(info).find(|(id, _)| *id == TIMESTAMP_SCALE).map_or(1_000_000, |(_, bytes)| unsigned(bytes));
    let (_, bytes) = children(info).find(|(id, _)| *id == DURATION)?;
    let ticks = match bytes.len() {
        4 => f64::from(f32::from_be_bytes(*bytes.first_chunk()?)),
        8 => f64::from_be_bytes(*bytes.first_chunk()?),
        _ => return None,
    };
    let ms = ticks * scale as f64 / 1e6;
    (ms.is_finite() && ms > 0.0 && ms < 1e12).then_some(ms as u64)
}

fn picture(tracks: &[u8]) -> (Option<u32>, Option<u32>) {
    let side = |video: &[u8], wanted: u32| {
        let found = children(video).find(|(id, _)| *id == wanted);
        found.and_then(|(_, bytes)| u32::try_from(unsigned(bytes)).ok()).filter(|side| *side > 0)
    };
    let entries = children(tracks).filter(|(id, _)| *id == TRACK_ENTRY);
    entries
        .filter_map(|(_, entry)| children(entry).find(|(id, _)| *id == VIDEO))
        .map(|(_, video)| (side(video, PIXEL_WIDTH), side(video, PIXEL_HEIGHT)))
        .next()
        .unwrap_or_default()
}
