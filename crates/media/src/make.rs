//! Makes the variants of an accepted upload. It needs much processor time and memory: one file at a time.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use domain::MediaKind;
use domain::media::{Crop, Focal, MediaLimits, MediaPurpose};

use crate::format::Format;
use crate::inspect::{Source, look, with_pages};
use crate::picture::Decoded;
use crate::sizes::Variant;
use crate::{InProcessPdfReader, Inspection, PdfReader, Refusal, exif, font, pdf, picture, place, sizes, sound, svg};

/// How a picture is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Framing {
    /// The part that is shown.
    pub crop: Option<Crop>,
    /// The point that a crop must show.
    pub focal: Focal,
}

/// Everything that was made of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Made {
    /// Its variants: sizes of a picture, the first page of a document, the specimen of a font.
    pub variants: Vec<Variant>,
    /// The loudness of a sound from start to end, 0 to 255.
    pub waveform: Vec<u8>,
    /// The duration of a sound in milliseconds, once it was decoded.
    pub duration_ms: Option<u64>,
}

/// Makes the variants of a file of this format.
pub fn make(
    path: &Path,
    format: Format,
    framing: Framing,
    limits: &MediaLimits,
    pdfs: &dyn PdfReader,
) -> std::io::Result<Result<Made, Refusal>> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    let source = Source::File(file, length);
    if format == Format::Pdf { of_document(source, pdfs) } else { Ok(made(source, format, framing, limits)) }
}

/// A copy of a document or a sound without the metadata that may contain a location; `None` if there is nothing to remove.
pub fn without_metadata(path: &Path, format: Format) -> std::io::Result<Option<Variant>> {
    let notes = place::ranges_of_any(&mut File::open(path)?)?;
    if notes.is_empty() {
        return Ok(None);
    }
    let mut bytes = std::fs::read(path)?;
    for Range { start, end } in notes {
        let end = end.min(bytes.len() as u64) as usize;
        if let Some(note) = bytes.get_mut(start as usize..end) {
            note.fill(filler(format));
        }
    }
    Ok(Some(Variant { name: "file".into(), mime: format.mime(), width: None, height: None, bytes }))
}

/// The byte that overwrites metadata: zeros end a list of boxes; in the metadata of pictures and documents, spaces are empty.
const fn filler(format: Format) -> u8 {
    match format.kind() {
        MediaKind::Image | MediaKind::Pdf => b' ',
        _ => 0,
    }
}

/// Makes the sizes of a video's or a document's poster.
pub fn poster(bytes: &[u8], limits: &MediaLimits) -> Result<Vec<Variant>, Refusal> {
    let format = Format::of(bytes).filter(|format| [Format::Jpeg, Format::Png, Format::WebP].contains(format));
    picture_sizes(bytes, format.ok_or(Refusal::NotSupported)?, Framing::default(), limits)
}

fn picture_sizes(
    bytes: &[u8],
    format: Format,
    framing: Framing,
    limits: &MediaLimits,
) -> Result<Vec<Variant>, Refusal> {
    let orientation = exif::notes(bytes).orientation;
    let decoded = picture::decode(bytes, format, limits.image.max_pixels)?;
    sizes::all(decoded, orientation, framing.crop, framing.focal)
}

/// Makes the sizes of a document's first page.
fn of_document(source: Source, pdfs: &dyn PdfReader) -> std::io::Result<Result<Made, Refusal>> {
    let bytes = match source.all() {
        Ok(bytes) => bytes,
        Err(refusal) => return Ok(Err(refusal)),
    };
    Ok(pdf::first_page(pdfs, bytes)?.and_then(|page| {
        let variants = sizes::all(Decoded { pixels: page, profile: None }, 1, None, Focal { x: 0.5, y: 0.0 })?;
        Ok(Made { variants, ..Made::default() })
    }))
}

/// Makes the variants of any file but a document.
fn made(source: Source, format: Format, framing: Framing, limits: &MediaLimits) -> Result<Made, Refusal> {
    let mut made = Made::default();
    match format {
        Format::Jpeg | Format::Png | Format::WebP => {
            made.variants = picture_sizes(&source.all()?, format, framing, limits)?;
        }
        Format::Svg => {
            let drawing = svg::clean(&source.all()?)?;
            made.variants.push(Variant {
                name: "file".into(),
                mime: format.mime(),
                width: Some(drawing.width),
                height: Some(drawing.height),
                bytes: drawing.bytes,
            });
        }
        Format::Ttf | Format::Otf | Format::Woff2 => {
            let (bytes, width, height) = font::specimen(&source.all()?, format)?;
            let (width, height) = (Some(width), Some(height));
            made.variants.push(Variant { name: "specimen".into(), mime: "image/svg+xml", width, height, bytes });
        }
        Format::Mp3 | Format::M4a | Format::Ogg | Format::Wav => {
            let heard = sound::listen(source.sound()?)?;
            (made.duration_ms, made.waveform) = (heard.duration_ms, heard.peaks);
        }
        Format::Pdf | Format::Mp4 | Format::WebM | Format::WebA | Format::Avif | Format::Heic => {}
    }
    Ok(made)
}

impl Inspection {
    /// Copies a file without the place where it was taken; its length and order stay.
    pub fn copy_without_place(&self, from: &Path, to: &Path) -> std::io::Result<()> {
        std::fs::copy(from, to)?;
        let mut copy = File::options().write(true).open(to)?;
        for Range { start, end } in &self.places {
            copy.seek(SeekFrom::Start(*start))?;
            std::io::copy(&mut std::io::repeat(filler(self.format)).take(end - start), &mut copy)?;
        }
        copy.flush()
    }
}

/// Inspects any bytes and makes their variants: for fuzzing, and for tests of broken files.
pub fn exercise(bytes: &[u8]) {
    let limits = MediaLimits::default();
    let loose = MediaLimits {
        image: domain::media::ImageLimits {
            min_width: 1,
            min_height: 1,
            max_pixels: 4_000_000,
            ..limits.image.clone()
        },
        ..limits
    };
    for purpose in [MediaPurpose::Content, MediaPurpose::Logo] {
        let looked = look(Source::Bytes(bytes.to_vec()), &loose, purpose, None);
        let Ok(Ok(found)) = with_pages(looked, || Ok(bytes.to_vec()), &InProcessPdfReader) else { continue };
        let source = Source::Bytes(bytes.to_vec());
        if found.format == Format::Pdf {
            let _ = of_document(source, &InProcessPdfReader);
        } else {
            let _ = made(source, found.format, Framing::default(), &loose);
        }
    }
}
