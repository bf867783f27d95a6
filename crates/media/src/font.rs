//! Fonts: validation, and a specimen of the letters.

use std::borrow::Cow;
use std::fmt::Write as _;

use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::raw::TableProvider as _;
use skrifa::{FontRef, MetadataProvider as _};

use crate::Refusal;
use crate::format::Format;

/// What a font is shown with.
const LINES: [&str; 2] = ["Jalon AaBbGg 0123456789", "Été, forêt, garçon, œuf, Noël ?"];
/// Letters' height in the specimen, pixels.
const LETTER: f32 = 48.0;
/// A packed font that unpacks to more is refused.
const MAX_UNPACKED: usize = 64 * 1024 * 1024;

/// Checks that it is a font that can be drawn with: every table it needs, and a shape for the letter a.
pub(crate) fn check(bytes: &[u8], format: Format) -> Result<(), Refusal> {
    let unpacked = unpacked(bytes, format)?;
    let font = FontRef::new(&unpacked).map_err(|_| Refusal::NotAFont)?;
    let tables = font.head().is_ok() && font.maxp().is_ok() && font.hhea().is_ok();
    let drawn = draw(&font, "a", 0.0).is_some_and(|(path, _)| !path.is_empty());
    if tables && drawn { Ok(()) } else { Err(Refusal::NotAFont) }
}

/// Two lines in the font, as a drawing of outlines: it needs neither the font nor its right to be shown.
pub(crate) fn specimen(bytes: &[u8], format: Format) -> Result<(Vec<u8>, u32, u32), Refusal> {
    let unpacked = unpacked(bytes, format)?;
    let font = FontRef::new(&unpacked).map_err(|_| Refusal::NotAFont)?;
    let (mut paths, mut width) = (String::new(), 0.0_f32);
    for (number, line) in LINES.iter().enumerate() {
        let baseline = LETTER * 1.1 + number as f32 * LETTER * 1.5;
        if let Some((path, advance)) = draw(&font, line, baseline) {
            paths.push_str(&path);
            width = width.max(advance);
        }
    }
    let (width, height) = ((width.ceil().clamp(1.0, 4000.0) as u32) + 16, (LETTER * 3.2) as u32);
    let drawing = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="-8 0 {width} {height}"><path d="{paths}"/></svg>"#
    );
    Ok((drawing.into_bytes(), width, height))
}

fn unpacked(bytes: &[u8], format: Format) -> Result<Cow<'_, [u8]>, Refusal> {
    if format != Format::Woff2 {
        return Ok(Cow::Borrowed(bytes));
    }
    let unpacked = bytes.get(16..20).and_then(<[u8]>::first_chunk).map(|size| u32::from_be_bytes(*size) as usize);
    if unpacked.is_none_or(|size| size > MAX_UNPACKED) {
        return Err(Refusal::NotAFont);
    }
    wuff::decompress_woff2(bytes).map(Cow::Owned).map_err(|_| Refusal::NotAFont)
}

/// The outlines of a line and its width; letters the font lacks are left out.
fn draw(font: &FontRef, line: &str, baseline: f32) -> Option<(String, f32)> {
    let size = Size::new(LETTER);
    let (charmap, outlines) = (font.charmap(), font.outline_glyphs());
    let metrics = font.glyph_metrics(size, LocationRef::default());
    let mut pen = Pen { path: String::new(), x: 0.0, y: baseline };
    for letter in line.chars() {
        let Some(glyph) = charmap.map(letter) else { continue };
        if let Some(outline) = outlines.get(glyph) {
            outline.draw(DrawSettings::unhinted(size, LocationRef::default()), &mut pen).ok()?;
        }
        pen.x += metrics.advance_width(glyph).filter(|advance| advance.is_finite()).unwrap_or(LETTER / 2.0);
    }
    Some((pen.path, pen.x))
}

struct Pen {
    path: String,
    x: f32,
    y: f32,
}

impl Pen {
    fn add(&mut self, command: char, points: &[(f32, f32)]) {
        self.path.push(command);
        for (x, y) in points {
            // Writing into a String does not fail.
            let _ = write!(self.path, "{:.1} {:.1} ", self.x + x, self.y - y);
        }
    }
}

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.add('M', &[(x, y)]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.add('L', &[(x, y)]);
    }

    fn quad_to(&mut self, cx0: f32, cy0: f32, x: f32, y: f32) {
        self.add('Q', &[(cx0, cy0), (x, y)]);
    }

    fn curve_to(&mut self, cx0: f32, cy0: f32, cx1: f32, cy1: f32, x: f32, y: f32) {
        self.add('C', &[(cx0, cy0), (cx1, cy1), (x, y)]);
    }

    fn close(&mut self) {
        self.path.push('Z');
    }
}
