//! The sizes of a picture: cut, turned, in the colours of the web, as WebP, and as JPEG or PNG for older browsers.

use domain::media::{Crop, Focal};
use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::{U8x3, U8x4};
use fast_image_resize::{FilterType, PixelTrait, ResizeAlg, ResizeOptions, Resizer};
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::{DynamicImage, ExtendedColorType, ImageEncoder, RgbImage, RgbaImage};

use crate::Refusal;
use crate::picture::Decoded;

/// Widths that are made, pixels; a narrower picture is not enlarged.
const WIDTHS: [u32; 4] = [320, 640, 1280, 1920];
/// The picture of lists: cut around the focal point.
const THUMB: (u32, u32) = (400, 300);
const WEBP_QUALITY: f32 = 80.0;
const JPEG_QUALITY: u8 = 82;

/// A file that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// Its name: `w640-webp`, `thumb-jpeg`, `file`, `specimen`.
    pub name: String,
    /// Its content type.
    pub mime: &'static str,
    /// Width in pixels, of what has one.
    pub width: Option<u32>,
    /// Height in pixels, of what has one.
    pub height: Option<u32>,
    pub bytes: Vec<u8>,
}

/// A part of a picture, from 0 to 1 of its sides.
#[derive(Debug, Clone, Copy)]
struct Part {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

/// All sizes of a picture.
pub(crate) fn all(
    decoded: Decoded,
    orientation: u8,
    crop: Option<Crop>,
    focal: Focal,
) -> Result<Vec<Variant>, Refusal> {
    let shown = crop.map_or(Part { left: 0.0, top: 0.0, right: 1.0, bottom: 1.0 }, |crop| Part {
        left: crop.x,
        top: crop.y,
        right: (crop.x + crop.w).min(1.0),
        bottom: (crop.y + crop.h).min(1.0),
    });
    let (width, height) = sides(&decoded.pixels, orientation);
    let own_width = ((shown.right - shown.left) * f64::from(width)).max(1.0);
    let own_height = ((shown.bottom - shown.top) * f64::from(height)).max(1.0);
    let largest = WIDTHS[WIDTHS.len() - 1].min(own_width.round() as u32).max(1);
    let tall = (own_height * f64::from(largest) / own_width).round().max(1.0) as u32;
    // The height is bounded too, to 3,840 px: a picture one pixel wide could otherwise be arbitrarily high.
    let (largest, tall) = bounded(largest, tall);

    let turned = turn(
        scale(&decoded.pixels, source_part(shown, orientation), upright(largest, tall, orientation))?,
        orientation,
    );
    let main = in_web_colours(turned, decoded.profile.as_deref());
    drop(decoded);

    let mut made = Vec::new();
    let whole = Part { left: 0.0, top: 0.0, right: 1.0, bottom: 1.0 };
    for wide in WIDTHS.into_iter().filter(|wide| *wide < largest) {
        let high = (f64::from(tall) * f64::from(wide) / f64::from(largest)).round().max(1.0) as u32;
        push(&mut made, &format!("w{wide}"), &scale(&main, whole, (wide, high))?)?;
    }
    push(&mut made, &format!("w{largest}"), &main)?;
    let (part, sides) = thumb(&main, shown, focal);
    push(&mut made, "thumb", &scale(&main, part, sides)?)?;
    Ok(made)
}

/// Width and height in pixels, after the rotation of the EXIF orientation.
pub(crate) fn upright(width: u32, height: u32, orientation: u8) -> (u32, u32) {
    if orientation >= 5 { (height, width) } else { (width, height) }
}

fn sides(pixels: &DynamicImage, orientation: u8) -> (u32, u32) {
    upright(pixels.width(), pixels.height(), orientation)
}

fn bounded(width: u32, height: u32) -> (u32, u32) {
    const MAX_HEIGHT: u32 = 2 * 1920;
    if height <= MAX_HEIGHT {
        return (width, height);
    }
    (((f64::from(width) * f64::from(MAX_HEIGHT) / f64::from(height)).round() as u32).max(1), MAX_HEIGHT)
}

/// A part of the shown picture as a part of the picture in the file.
fn source_part(part: Part, orientation: u8) -> Part {
    let point = |x: f64, y: f64| match orientation {
        2 => (1.0 - x, y),
        3 => (1.0 - x, 1.0 - y),
        4 => (x, 1.0 - y),
        5 => (y, x),
        6 => (y, 1.0 - x),
        7 => (1.0 - y, 1.0 - x),
        8 => (1.0 - y, x),
        _ => (x, y),
    };
    let (first, second) = (point(part.left, part.top), point(part.right, part.bottom));
    Part {
        left: first.0.min(second.0),
        top: first.1.min(second.1),
        right: first.0.max(second.0),
        bottom: first.1.max(second.1),
    }
}

fn turn(pixels: DynamicImage, orientation: u8) -> DynamicImage {
    match orientation {
        2 => pixels.fliph(),
        3 => pixels.rotate180(),
        4 => pixels.flipv(),
        5 => pixels.rotate90().fliph(),
        6 => pixels.rotate90(),
        7 => pixels.rotate270().fliph(),
        8 => pixels.rotate270(),
        _ => pixels,
    }
}

fn scale(pixels: &DynamicImage, part: Part, (width, height): (u32, u32)) -> Result<DynamicImage, Refusal> {
    let (wide, high) = (f64::from(pixels.width()), f64::from(pixels.height()));
    let left = (part.left * wide).clamp(0.0, wide - 1.0);
    let top = (part.top * high).clamp(0.0, high - 1.0);
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3)).crop(
        left,
        top,
        ((part.right - part.left) * wide).clamp(1.0, wide - left),
        ((part.bottom - part.top) * high).clamp(1.0, high - top),
    );
    let made = if pixels.color().has_alpha() {
        let bytes = scaled_pixels::<U8x4>(pixels, (width, height), &options)?;
        RgbaImage::from_raw(width, height, bytes).map(DynamicImage::ImageRgba8)
    } else {
        let bytes = scaled_pixels::<U8x3>(pixels, (width, height), &options)?;
        RgbImage::from_raw(width, height, bytes).map(DynamicImage::ImageRgb8)
    };
    made.ok_or(Refusal::Broken)
}

/// The scaled pixels of a picture that is made of `P`. `Resizer::resize` would be compiled for all 13 types of pixel, which takes a
/// minute and a half.
fn scaled_pixels<P: PixelTrait>(
    pixels: &DynamicImage,
    (width, height): (u32, u32),
    options: &ResizeOptions,
) -> Result<Vec<u8>, Refusal> {
    let source = TypedImageRef::<P>::from_buffer(pixels.width(), pixels.height(), pixels.as_bytes())
        .map_err(|_| Refusal::Broken)?;
    let mut bytes = vec![0; width as usize * height as usize * size_of::<P>()];
    let mut target = TypedImage::<P>::from_buffer(width, height, &mut bytes).map_err(|_| Refusal::Broken)?;
    Resizer::new().resize_typed(&source, &mut target, options).map_err(|_| Refusal::Broken)?;
    Ok(bytes)
}

/// Converts to sRGB. Phones use wider colour spaces, which would look pale in a browser.
fn in_web_colours(mut pixels: DynamicImage, profile: Option<&[u8]>) -> DynamicImage {
    // A damaged profile is common: the picture is taken as sRGB.
    let Some(from) = profile.and_then(|bytes| moxcms::ColorProfile::new_from_slice(bytes).ok()) else { return pixels };
    let layout = if pixels.color().has_alpha() { moxcms::Layout::Rgba } else { moxcms::Layout::Rgb };
    let to = moxcms::ColorProfile::new_srgb();
    let Ok(change) = from.create_transform_8bit(layout, &to, layout, moxcms::TransformOptions::default()) else {
        return pixels;
    };
    let mut changed = vec![0; pixels.as_bytes().len()];
    if change.transform(pixels.as_bytes(), &mut changed).is_ok() {
        pixels = if pixels.color().has_alpha() {
            RgbaImage::from_raw(pixels.width(), pixels.height(), changed).map_or(pixels, DynamicImage::ImageRgba8)
        } else {
            RgbImage::from_raw(pixels.width(), pixels.height(), changed).map_or(pixels, DynamicImage::ImageRgb8)
        };
    }
    pixels
}

/// The largest part of the thumb's shape whose middle is as near the focal point as the sides allow.
fn thumb(main: &DynamicImage, shown: Part, focal: Focal) -> (Part, (u32, u32)) {
    let (wide, high) = (f64::from(main.width()), f64::from(main.height()));
    let scale = (wide / f64::from(THUMB.0)).min(high / f64::from(THUMB.1));
    let (part_wide, part_high) = (f64::from(THUMB.0) * scale / wide, f64::from(THUMB.1) * scale / high);
    // The focal point is a place of the whole picture, the part is cut from the shown one.
    let x = (focal.x - shown.left) / (shown.right - shown.left);
    let y = (focal.y - shown.top) / (shown.bottom - shown.top);
    let left = (x - part_wide / 2.0).clamp(0.0, (1.0 - part_wide).max(0.0));
    let top = (y - part_high / 2.0).clamp(0.0, (1.0 - part_high).max(0.0));
    let part = Part { left, top, right: left + part_wide, bottom: top + part_high };
    let shrink = scale.min(1.0);
    let side = |of: u32| ((f64::from(of) * shrink).round() as u32).max(1);
    (part, (side(THUMB.0), side(THUMB.1)))
}

fn push(made: &mut Vec<Variant>, name: &str, pixels: &DynamicImage) -> Result<(), Refusal> {
    let (width, height) = (pixels.width(), pixels.height());
    let mut add = |format: &str, mime: &'static str, bytes: Vec<u8>| {
        made.push(Variant { name: format!("{name}-{format}"), mime, width: Some(width), height: Some(height), bytes });
    };
    add("webp", "image/webp", webp(pixels)?);
    if pixels.color().has_alpha() {
        let mut bytes = Vec::new();
        PngEncoder::new(&mut bytes)
            .write_image(pixels.as_bytes(), width, height, ExtendedColorType::Rgba8)
            .map_err(|_| Refusal::Broken)?;
        add("png", "image/png", bytes);
    } else {
        let mut bytes = Vec::new();
        JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY)
            .write_image(pixels.as_bytes(), width, height, ExtendedColorType::Rgb8)
            .map_err(|_| Refusal::Broken)?;
        add("jpeg", "image/jpeg", bytes);
    }
    Ok(())
}

fn webp(pixels: &DynamicImage) -> Result<Vec<u8>, Refusal> {
    let (width, height) = (pixels.width(), pixels.height());
    let encoder = if pixels.color().has_alpha() {
        webp::Encoder::from_rgba(pixels.as_bytes(), width, height)
    } else {
        webp::Encoder::from_rgb(pixels.as_bytes(), width, height)
    };
    encoder.encode_simple(false, WEBP_QUALITY).map(|memory| memory.to_vec()).map_err(|_| Refusal::Broken)
}
