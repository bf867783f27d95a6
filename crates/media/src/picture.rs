//! Decoding a picture, with a bound on what it may take, and reading its orientation.

use std::io::Cursor;

use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};

use crate::Refusal;
use crate::format::Format;

/// A decoded picture, eight bits a channel, as in the file: not turned yet.
pub(crate) struct Decoded {
    /// `Rgb8`, or `Rgba8` where something shows through.
    pub pixels: DynamicImage,
    /// The colour profile, where the file has one.
    pub profile: Option<Vec<u8>>,
}

/// Bytes a pixel takes at most while a picture is decoded: four channels of sixteen bits.
const BYTES_A_PIXEL: u64 = 8;

const fn known(format: Format) -> Option<ImageFormat> {
    match format {
        Format::Jpeg => Some(ImageFormat::Jpeg),
        Format::Png => Some(ImageFormat::Png),
        Format::WebP => Some(ImageFormat::WebP),
        _ => None,
    }
}

/// Width and height from the header: nothing is decoded.
pub(crate) fn dimensions(bytes: &[u8], format: Format) -> Result<(u32, u32), Refusal> {
    let format = known(format).ok_or(Refusal::NotSupported)?;
    let sides = ImageReader::with_format(Cursor::new(bytes), format).into_dimensions();
    sides.map_err(|_| Refusal::Broken)
}

/// Decodes. The header is read first: a picture of more pixels than allowed is refused before memory is taken for it.
pub(crate) fn decode(bytes: &[u8], format: Format, max_pixels: u64) -> Result<Decoded, Refusal> {
    let (width, height) = dimensions(bytes, format)?;
    if u64::from(width) * u64::from(height) > max_pixels {
        return Err(Refusal::TooManyPixels { max_pixels });
    }
    let mut reader = ImageReader::with_format(Cursor::new(bytes), known(format).ok_or(Refusal::NotSupported)?);
    let mut limits = Limits::default();
    limits.max_alloc = Some(max_pixels.saturating_mul(BYTES_A_PIXEL));
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|_| Refusal::Broken)?;
    let profile = decoder.icc_profile().ok().flatten();
    let pixels = DynamicImage::from_decoder(decoder).map_err(|_| Refusal::Broken)?;
    Ok(Decoded { pixels: eight_bits(pixels), profile })
}

/// Three channels, or four where one pixel at least is not opaque.
fn eight_bits(pixels: DynamicImage) -> DynamicImage {
    if !pixels.color().has_alpha() {
        return match pixels {
            DynamicImage::ImageRgb8(_) => pixels,
            other => DynamicImage::ImageRgb8(other.into_rgb8()),
        };
    }
    let pixels = pixels.into_rgba8();
    if pixels.pixels().all(|pixel| pixel.0[3] == u8::MAX) {
        DynamicImage::ImageRgb8(DynamicImage::ImageRgba8(pixels).into_rgb8())
    } else {
        DynamicImage::ImageRgba8(pixels)
    }
}
