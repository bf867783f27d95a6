//! Documents: how many pages, and the first of them as a picture.

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::Pdf;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings, render};
use image::{DynamicImage, RgbImage};

use crate::Refusal;

/// Width of the first page, pixels.
const WIDTH: f32 = 1280.0;
/// A page that is longer is drawn smaller.
const MAX_HEIGHT: f32 = 2560.0;

/// The end mark is in the last bytes, as every reader expects it.
const TAIL: usize = 2048;

/// The number of pages; a document without any, one that cannot be opened or one without its end is broken.
pub(crate) fn pages(bytes: Vec<u8>) -> Result<u32, Refusal> {
    let tail = &bytes[bytes.len().saturating_sub(TAIL)..];
    if !tail.windows(5).any(|window| window == b"%%EOF") {
        return Err(Refusal::Broken);
    }
    let pdf = Pdf::new(bytes).map_err(|_| Refusal::Broken)?;
    match u32::try_from(pdf.pages().len()) {
        Ok(0) | Err(_) => Err(Refusal::Broken),
        Ok(count) => Ok(count),
    }
}

/// The first page on white.
pub(crate) fn first_page(bytes: Vec<u8>) -> Result<DynamicImage, Refusal> {
    let pdf = Pdf::new(bytes).map_err(|_| Refusal::Broken)?;
    let page = pdf.pages().first().ok_or(Refusal::Broken)?;
    let (width, height) = page.render_dimensions();
    if !(width >= 1.0 && height >= 1.0) {
        return Err(Refusal::Broken);
    }
    let scale = (WIDTH / width).min(MAX_HEIGHT / height);
    let pixels = PixmapSettings { x_scale: scale, y_scale: scale, bg_color: WHITE };
    let drawn = render(page, &RenderCache::new(), &InterpreterSettings::default(), &RenderSettings::default(), &pixels);
    let (wide, high) = (u32::from(drawn.width()), u32::from(drawn.height()));
    let rgb = drawn.data_as_u8_slice().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    RgbImage::from_raw(wide, high, rgb)
        .filter(|_| wide > 0 && high > 0)
        .map(DynamicImage::ImageRgb8)
        .ok_or(Refusal::Broken)
}
