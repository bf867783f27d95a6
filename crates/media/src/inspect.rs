//! The check of an uploaded file: its format, and whether it is accepted. It decodes nothing; the pages of a document are counted by a
//! [`PdfReader`].

use std::fs::File;
use std::io::{Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use domain::MediaKind;
use domain::media::{MediaLimits, MediaPurpose};

use crate::format::{Format, HEAD_BYTES};
use crate::{PdfReader, Refusal, boxes, complete, ebml, exif, font, pdf, picture, place, sizes, sound, svg};

/// The facts about a file that its bytes give.
#[derive(Debug, Clone, PartialEq)]
pub struct Inspection {
    pub format: Format,
    /// Width as shown, after rotation, pixels.
    pub width: Option<u32>,
    /// Height as shown, after rotation, pixels.
    pub height: Option<u32>,
    /// Length of a video or a sound, where the file gives it.
    pub duration_ms: Option<u64>,
    /// Pages of a document.
    pub pages: Option<u32>,
    /// The place where it was taken, from its metadata: longitude and latitude.
    pub location: Option<[f64; 2]>,
    /// What it is for: a drawing is always a logo.
    pub purpose: MediaPurpose,
    /// Ranges of the file that may contain where it was taken, of a file that is shown as uploaded.
    pub places: Vec<Range<u64>>,
}

/// Bytes, in a file of a given length or in memory.
pub(crate) enum Source {
    File(File, u64),
    Bytes(Vec<u8>),
}

/// Inspects a file: its format and properties, or why it is refused. Of a file of another kind than `wanted` only the first bytes are read.
pub fn inspect(
    path: &Path,
    limits: &MediaLimits,
    purpose: MediaPurpose,
    wanted: Option<MediaKind>,
    pdfs: &dyn PdfReader,
) -> std::io::Result<Result<Inspection, Refusal>> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    let inspected = look(Source::File(file, length), limits, purpose, wanted);
    with_pages(inspected, || std::fs::read(path), pdfs)
}

/// Adds the number of pages of a document.
pub(crate) fn with_pages(
    inspected: Result<Inspection, Refusal>,
    bytes: impl FnOnce() -> std::io::Result<Vec<u8>>,
    pdfs: &dyn PdfReader,
) -> std::io::Result<Result<Inspection, Refusal>> {
    match inspected {
        Ok(found) if found.format == Format::Pdf => {
            let pages = pdf::pages(pdfs, bytes()?)?;
            Ok(pages.map(|pages| Inspection { pages: Some(pages), ..found }))
        }
        inspected => Ok(inspected),
    }
}

/// Looks at bytes. The pages of a document are not counted yet.
pub(crate) fn look(
    mut source: Source,
    limits: &MediaLimits,
    purpose: MediaPurpose,
    wanted: Option<MediaKind>,
) -> Result<Inspection, Refusal> {
    let length = source.length();
    let format = Format::of(&source.head()?).ok_or(Refusal::NotSupported)?;
    if wanted.is_some_and(|wanted| wanted != format.kind()) {
        return Err(Refusal::OtherKind);
    }
    let purpose = if format == Format::Svg { MediaPurpose::Logo } else { purpose };
    check_accepted(format, purpose)?;
    let max_bytes = max_bytes(format, purpose, limits);
    if length > max_bytes {
        return Err(Refusal::TooLarge { max_bytes });
    }
    let mut inspection = Inspection {
        format,
        width: None,
        height: None,
        duration_ms: None,
        pages: None,
        location: None,
        purpose,
        places: Vec::new(),
    };
    match format {
        Format::Jpeg | Format::Png | Format::WebP | Format::Avif => image(&mut inspection, source, limits)?,
        Format::Svg => {
            let drawing = svg::clean(&source.all()?)?;
            (inspection.width, inspection.height) = (Some(drawing.width), Some(drawing.height));
        }
        Format::Mp4 => source.with(|file| video(&mut inspection, file, length))?,
        Format::WebM | Format::WebA => {
            let film = source.with(|file| ebml::read(file, length))?;
            inspection.places = source.notes(length)?;
            (inspection.width, inspection.height, inspection.duration_ms) = (film.width, film.height, film.duration_ms);
        }
        Format::M4a => {
            let boxes = source.with(|file| boxes::read(file, length))?;
            inspection.places = boxes.places;
            inspection.duration_ms = boxes.duration_ms.or(sound::duration_ms(source.sound()?)?);
        }
        Format::Wav if is_truncated_wave(&source.head()?, length) => return Err(Refusal::Broken),
        Format::Mp3 | Format::Ogg | Format::Wav => {
            inspection.places = source.notes(length)?;
            inspection.duration_ms = sound::duration_ms(source.sound()?)?;
        }
        Format::Pdf => inspection.places = source.notes(length)?,
        Format::Ttf | Format::Otf | Format::Woff2 => font::check(&source.all()?, format)?,
        Format::Heic => return Err(Refusal::Heic),
    }
    Ok(inspection)
}

const fn check_accepted(format: Format, purpose: MediaPurpose) -> Result<(), Refusal> {
    match (format, purpose) {
        (Format::Heic, _) => Err(Refusal::Heic),
        (Format::Png | Format::WebP | Format::Svg, MediaPurpose::Logo) | (_, MediaPurpose::Content) => Ok(()),
        (_, MediaPurpose::Logo) => Err(Refusal::NotSupported),
    }
}

const fn max_bytes(format: Format, purpose: MediaPurpose, limits: &MediaLimits) -> u64 {
    match (format.kind(), purpose) {
        (MediaKind::Image, MediaPurpose::Logo) => limits.logo.max_bytes,
        (MediaKind::Image, MediaPurpose::Content) => limits.image.max_bytes,
        (MediaKind::Video, _) => limits.video.max_bytes,
        (MediaKind::Audio, _) => limits.audio.max_bytes,
        (MediaKind::Pdf, _) => limits.pdf.max_bytes,
        (MediaKind::Font, _) => limits.font.max_bytes,
    }
}

fn image(inspection: &mut Inspection, source: Source, limits: &MediaLimits) -> Result<(), Refusal> {
    let bytes = source.all()?;
    let notes = exif::notes(&bytes);
    let (width, height) = if inspection.format == Format::Avif {
        inspection.places = place::ranges_of_picture(&bytes);
        boxes::picture(&mut Cursor::new(&bytes), bytes.len() as u64)?
    } else {
        complete::check(inspection.format, &bytes)?;
        let (width, height) = picture::dimensions(&bytes, inspection.format)?;
        sizes::upright(width, height, notes.orientation)
    };
    let max_pixels = limits.image.max_pixels;
    if u64::from(width) * u64::from(height) > max_pixels {
        return Err(Refusal::TooManyPixels { max_pixels });
    }
    let (min_width, min_height) = match inspection.purpose {
        MediaPurpose::Content => (limits.image.min_width, limits.image.min_height),
        MediaPurpose::Logo => (limits.logo.min_width, 1),
    };
    // A photo that was taken upright is as good as one that was not.
    let fits = |width: u32, height: u32| width >= min_width && height >= min_height;
    if !(fits(width, height) || inspection.purpose == MediaPurpose::Content && fits(height, width)) {
        return Err(Refusal::TooSmall { width, height, min_width, min_height });
    }
    (inspection.width, inspection.height, inspection.location) = (Some(width), Some(height), notes.location);
    Ok(())
}

fn video<F: Read + Seek + ?Sized>(inspection: &mut Inspection, file: &mut F, length: u64) -> Result<(), Refusal> {
    let film = boxes::read(file, length)?;
    (inspection.width, inspection.height, inspection.duration_ms, inspection.places) =
        (film.width, film.height, film.duration_ms, film.places);
    // A video without a picture track is a sound with the name of a video. It stays a video: players accept it.
    Ok(())
}

/// Whether a WAVE file is shorter than its header says.
fn is_truncated_wave(head: &[u8], length: u64) -> bool {
    let riff_size = head.get(4..8).and_then(<[u8]>::first_chunk).map(|size| u32::from_le_bytes(*size));
    // Recorders that stream write all ones or nothing.
    riff_size.is_some_and(|size| size != u32::MAX && u64::from(size) + 8 > length)
}

impl Source {
    fn length(&self) -> u64 {
        match self {
            Self::File(_, length) => *length,
            Self::Bytes(bytes) => bytes.len() as u64,
        }
    }

    fn head(&mut self) -> Result<Vec<u8>, Refusal> {
        self.with(|file| {
            let mut head = Vec::new();
            file.seek(SeekFrom::Start(0))?;
            file.take(HEAD_BYTES as u64).read_to_end(&mut head)?;
            Ok(head)
        })
    }

    /// The ranges that may contain a place, of a file that is shown as it was uploaded.
    fn notes(&mut self, length: u64) -> Result<Vec<Range<u64>>, Refusal> {
        let found = self.with(|file| Ok(place::ranges_of_any(file)?))?;
        Ok(found.into_iter().map(|note| note.start..note.end.min(length)).filter(|note| !note.is_empty()).collect())
    }

    /// Everything, of what is known to be small.
    pub(crate) fn all(self) -> Result<Vec<u8>, Refusal> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            Self::File(mut file, length) => {
                let mut bytes = Vec::with_capacity(length as usize);
                file.seek(SeekFrom::Start(0))?;
                file.read_to_end(&mut bytes)?;
                Ok(bytes)
            }
        }
    }

    pub(crate) fn sound(self) -> Result<Box<dyn symphonia::core::io::MediaSource>, Refusal> {
        Ok(match self {
            Self::Bytes(bytes) => sound::of_bytes(bytes),
            Self::File(mut file, _) => {
                file.seek(SeekFrom::Start(0))?;
                sound::of_file(file)
            }
        })
    }

    fn with<T>(&mut self, read: impl FnOnce(&mut dyn ReadSeek) -> Result<T, Refusal>) -> Result<T, Refusal> {
        match self {
            Self::File(file, _) => read(file),
            Self::Bytes(bytes) => read(&mut Cursor::new(bytes.as_slice())),
        }
    }
}

/// A file or bytes that can be read at any position.
trait ReadSeek: Read + Seek {}
impl<T: Read + Seek> ReadSeek for T {}
