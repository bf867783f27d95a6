//! `photo FILE [WIDTH HEIGHT QUALITY]`: a photo as a camera makes them, with grain and a place, for benches: 24 million
//! pixels and about 8 MB by default.

use std::io::Write;

use image::codecs::jpeg::JpegEncoder;
use image::{Rgb, RgbImage};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let file = words.next().ok_or("photo FILE [WIDTH HEIGHT QUALITY]")?;
    let mut number = |usual: u32| words.next().map_or(Ok(usual), |word| word.parse());
    let (width, height, quality) = (number(6000)?, number(4000)?, number(84)?);
    let mut dice = 0x9E37_79B9_u32;
    let mut grain = || {
        dice ^= dice << 13;
        dice ^= dice >> 17;
        dice ^= dice << 5;
        (dice % 44) as i32 - 22
    };
    let photo = RgbImage::from_fn(width, height, |x, y| {
        let (wide, high) = (f64::from(x) / f64::from(width), f64::from(y) / f64::from(height));
        let ridge = 0.45 + 0.1 * (wide * 9.0).sin() + 0.04 * (wide * 31.0).sin();
        let [red, green, blue] = if high < ridge { [120.0, 170.0, 225.0] } else { [70.0, 110.0 - 40.0 * high, 50.0] };
        let noise = grain();
        Rgb([red, green, blue].map(|light: f64| (light as i32 + noise).clamp(0, 255) as u8))
    });
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, quality.clamp(1, 100) as u8).encode_image(&photo)?;
    std::fs::File::create(file)?.write_all(&bytes)?;
    Ok(())
}
