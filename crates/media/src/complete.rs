//! Checks that the file of a picture has its end: a truncated picture would be grey below.

use crate::Refusal;
use crate::format::Format;

/// Refuses a picture that has no end.
pub(crate) fn check(format: Format, bytes: &[u8]) -> Result<(), Refusal> {
    let whole = match format {
        Format::Jpeg => jpeg(bytes),
        Format::Png => png(bytes),
        Format::WebP => {
            let size = bytes.get(4..8).and_then(<[u8]>::first_chunk).map(|length| u32::from_le_bytes(*length) as usize);
            size.map(|size| size.saturating_add(8) <= bytes.len())
        }
        _ => Some(true),
    };
    if whole == Some(true) { Ok(()) } else { Err(Refusal::Broken) }
}

/// From segment to segment, through the scans, to the end mark. What telephones append after it is ignored.
fn jpeg(bytes: &[u8]) -> Option<bool> {
    let mut at = 2;
    loop {
        while *bytes.get(at)? != 0xFF {
            at += 1;
        }
        while *bytes.get(at)? == 0xFF {
            at += 1;
        }
        let marker = *bytes.get(at)?;
        at += 1;
        match marker {
            0xD9 => return Some(true),
            // A zero is a stuffed byte of a scan; restart markers have no content.
            0x00 | 0x01 | 0xD0..=0xD8 => {}
            _ => at += usize::from(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?)).max(2),
        }
    }
}

fn png(bytes: &[u8]) -> Option<bool> {
    let mut at = 8_usize;
    loop {
        let length = u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?) as usize;
        let name = bytes.get(at + 4..at + 8)?;
        at = at.checked_add(length)?.checked_add(12)?;
        if name == b"IEND" {
            return Some(at <= bytes.len());
        }
    }
}
