//! Pictures: found, decoded once, made no larger than the page can show.

use image::DynamicImage;
use image::codecs::jpeg::JpegEncoder;
use serde_json::{Value, json};
use typst::foundations::Bytes;
use typst::visualize::{ExchangeFormat, RasterImage, SvgImage};

use crate::data::Photo;
use crate::report::WarningCode;
use crate::view::{At, ViewBuilder};

/// Below this, a picture is seen to be made of dots.
const COARSE_DPI: f64 = 150.0;
/// A higher resolution makes no visible difference; the file only grows.
const FINE_DPI: f64 = 300.0;
const JPEG_QUALITY: u8 = 82;

/// A picture among the files for Typst.
#[derive(Debug, Clone)]
pub(crate) struct Picture {
    file: String,
    /// As it came, in pixels.
    width_px: f64,
    height_px: f64,
}

impl ViewBuilder<'_> {
    /// A photo for a slot in millimetres; none where there is nothing to show.
    pub(crate) fn photo(&mut self, photo: &Photo, slot_mm: [f64; 2], place: &str, at: At) -> Option<Value> {
        if photo.blob.is_empty() {
            return None;
        }
        let picture = self.picture(&photo.blob, at)?;
        let mm_a_px = (slot_mm[0] / picture.width_px).max(slot_mm[1] / picture.height_px);
        if 25.4 / mm_a_px < COARSE_DPI {
            self.warn(WarningCode::PhotoCoarse, at, &photo.blob);
        }
        let caption = self.capped(&photo.caption, 220, at);
        let mut alt = self.capped(&photo.alt, 300, at);
        if alt.is_empty() {
            self.warn(WarningCode::PhotoWithoutAlt, at, &photo.blob);
            alt = match (caption.is_empty(), place.is_empty()) {
                (false, _) => caption.clone(),
                (true, false) => self.words.say("photo_of", &[("place", place)]),
                (true, true) => self.words.say("photo", &[]),
            };
            alt = self.capped(&alt, 300, at);
        }
        let [x, y] =
            photo.focus.unwrap_or([0.5, 0.5]).map(|share| if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.5 });
        Some(json!({
            "file": picture.file,
            "ratio": picture.width_px / picture.height_px,
            "x": x,
            "y": y,
            "alt": alt,
            "caption": caption,
            "credit": self.capped(&photo.credit, 120, at),
        }))
    }

    /// A drawing or picture set at its own proportions: a logo, a background.
    pub(crate) fn mark(&mut self, blob: Option<&String>) -> Option<Value> {
        let name = blob.filter(|name| !name.is_empty())?;
        let picture = self.picture(name, At::default())?;
        Some(json!({"file": picture.file, "ratio": picture.width_px / picture.height_px}))
    }

    fn picture(&mut self, name: &str, at: At) -> Option<Picture> {
        if let Some(known) = self.pictures.get(name) {
            return known.clone();
        }
        let picture = match self.blob(name) {
            None => {
                self.warn(WarningCode::PhotoMissing, at, name);
                None
            }
            Some(bytes) => {
                let picture = self.decoded(bytes);
                if picture.is_none() {
                    self.warn(WarningCode::PhotoBroken, at, name);
                }
                picture
            }
        };
        self.pictures.insert(name.to_owned(), picture.clone());
        picture
    }

    /// Typst caches decoded pictures by their bytes: nothing is decoded twice.
    fn decoded(&mut self, bytes: Vec<u8>) -> Option<Picture> {
        let index = self.files.len();
        let bytes = Bytes::new(bytes);
        let Some(format) = raster_format(&bytes) else { return self.drawing(bytes) };
        let raster = RasterImage::plain(bytes.clone(), format).ok()?;
        let (width_px, height_px) = (f64::from(raster.width()), f64::from(raster.height()));
        if width_px < 1.0 || height_px < 1.0 {
            return None;
        }
        let most_px = self.sheet.width.max(self.sheet.height) / 25.4 * FINE_DPI;
        let pixels = raster.dynamic();
        let large = width_px.max(height_px) > most_px * 1.25;
        let heavy = format != ExchangeFormat::Jpg && !pixels.color().has_alpha() && width_px * height_px > 300_000.0;
        let (bytes, ending) = if large || heavy {
            (
                Bytes::new(smaller(pixels, large.then_some(most_px as u32))?),
                if pixels.color().has_alpha() { "png" } else { "jpg" },
            )
        } else {
            (bytes, ending(format))
        };
        let file = format!("/files/picture-{index}.{ending}");
        self.files.insert(file.clone(), bytes);
        Some(Picture { file, width_px, height_px })
    }

    /// An SVG, read by Typst's own reader.
    fn drawing(&mut self, bytes: Bytes) -> Option<Picture> {
        let drawing = SvgImage::new(bytes.clone()).ok()?;
        let (width_px, height_px) = (drawing.width(), drawing.height());
        if width_px <= 0.0 || height_px <= 0.0 {
            return None;
        }
        let file = format!("/files/picture-{}.svg", self.files.len());
        self.files.insert(file.clone(), bytes);
        Some(Picture { file, width_px, height_px })
    }
}

fn raster_format(bytes: &[u8]) -> Option<ExchangeFormat> {
    match bytes {
        [0xff, 0xd8, 0xff, ..] => Some(ExchangeFormat::Jpg),
        [0x89, b'P', b'N', b'G', ..] => Some(ExchangeFormat::Png),
        [b'G', b'I', b'F', b'8', ..] => Some(ExchangeFormat::Gif),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(ExchangeFormat::Webp),
        _ => None,
    }
}

const fn ending(format: ExchangeFormat) -> &'static str {
    match format {
        ExchangeFormat::Jpg => "jpg",
        ExchangeFormat::Png => "png",
        ExchangeFormat::Gif => "gif",
        ExchangeFormat::Webp => "webp",
    }
}

/// Written anew: JPEG, or PNG where it is seen through.
fn smaller(pixels: &DynamicImage, most_px: Option<u32>) -> Option<Vec<u8>> {
    let shrunk = most_px.map(|most| pixels.thumbnail(most, most));
    let pixels = shrunk.as_ref().unwrap_or(pixels);
    let mut bytes = Vec::new();
    if pixels.color().has_alpha() {
        pixels.write_to(&mut std::io::Cursor::new(&mut bytes), image::ImageFormat::Png).ok()?;
    } else {
        JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY).encode_image(&pixels.to_rgb8()).ok()?;
    }
    Some(bytes)
}
