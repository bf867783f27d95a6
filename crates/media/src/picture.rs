//! Decoding a picture, with a bound on what it may take, and reading its orientation.

use std::borrow::Cow;
use std::io::Cursor;
use std::ops::Range;

use image::codecs::png::PngDecoder;
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
/// A longer colour profile is left out: some kilobytes of a PNG unpack to gigabytes. Profiles of printers take up to some megabytes.
const MAX_PROFILE_BYTES: usize = 4 * 1024 * 1024;

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
    let bytes = without_packed_profile(bytes, format);
    let sides = ImageReader::with_format(Cursor::new(bytes.as_ref()), format).into_dimensions();
    sides.map_err(|_| Refusal::Broken)
}

/// Decodes. The header is read first: a picture of more pixels than allowed is refused before memory is taken for it.
pub(crate) fn decode(bytes: &[u8], format: Format, max_pixels: u64) -> Result<Decoded, Refusal> {
    let (width, height) = dimensions(bytes, format)?;
    if u64::from(width) * u64::from(height) > max_pixels {
        return Err(Refusal::TooManyPixels { max_pixels });
    }
    let format = known(format).ok_or(Refusal::NotSupported)?;
    let plain = without_packed_profile(bytes, format);
    let mut reader = ImageReader::with_format(Cursor::new(plain.as_ref()), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(max_pixels.saturating_mul(BYTES_A_PIXEL));
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|_| Refusal::Broken)?;
    let profile = if format == ImageFormat::Png { packed_profile(bytes) } else { decoder.icc_profile().ok().flatten() };
    let pixels = DynamicImage::from_decoder(decoder).map_err(|_| Refusal::Broken)?;
    Ok(Decoded { pixels: eight_bits(pixels), profile })
}

/// The file without the colour profiles of a PNG. They are packed, and the decoder would unpack the first one within the limit of the
/// pixels.
fn without_packed_profile(bytes: &[u8], format: ImageFormat) -> Cow<'_, [u8]> {
    let profiles = if format == ImageFormat::Png { packed_profiles(bytes) } else { Vec::new() };
    if profiles.is_empty() {
        return Cow::Borrowed(bytes);
    }
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    for profile in profiles {
        plain.extend_from_slice(&bytes[at..profile.start]);
        at = profile.end;
    }
    plain.extend_from_slice(&bytes[at..]);
    Cow::Owned(plain)
}

/// The colour profile of a PNG, unpacked; none where it is damaged or too long.
fn packed_profile(bytes: &[u8]) -> Option<Vec<u8>> {
    // The decoder reads it in a picture of one pixel, of which it is the only large thing: the limit is that of the profile.
    const HEADER: usize = 8 + 25;
    let packed = packed_profiles(bytes).into_iter().next().filter(|packed| packed.len() <= MAX_PROFILE_BYTES)?;
    let mut pixel = Cursor::new(Vec::new());
    DynamicImage::new_luma8(1, 1).write_to(&mut pixel, ImageFormat::Png).ok()?;
    let pixel = pixel.into_inner();
    let pixel = [&pixel[..HEADER], &bytes[packed], &pixel[HEADER..]].concat();
    let mut limits = Limits::default();
    // It holds the packed profile too, in a buffer that grows by doubling.
    limits.max_alloc = Some(MAX_PROFILE_BYTES as u64 * 3);
    let profile = PngDecoder::with_limits(Cursor::new(pixel), limits).ok()?.icc_profile().ok().flatten();
    profile.filter(|profile| profile.len() <= MAX_PROFILE_BYTES)
}

/// Where the colour profiles of a PNG are: those before its pixels, as others do not count.
fn packed_profiles(bytes: &[u8]) -> Vec<Range<usize>> {
    const SIGNATURE: usize = 8;
    /// The length, the name and the checksum of a piece.
    const AROUND: usize = 12;
    let mut found = Vec::new();
    let mut at = SIGNATURE;
    while let Some(&[a, b, c, d, ref name @ ..]) = bytes.get(at..at.saturating_add(8)) {
        let end = (u32::from_be_bytes([a, b, c, d]) as usize).saturating_add(AROUND).saturating_add(at);
        if name == b"IDAT" || end > bytes.len() {
            break;
        }
        if name == b"iCCP" {
            found.push(at..end);
        }
        at = end;
    }
    found
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

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    /// Blocks of 258 zeros, and one more zero, packed by hand.
    fn zeros(times: usize) -> Vec<u8> {
        let (header, zero, again, end) =
            ([1, 1, 0], [0, 0, 1, 1, 0, 0, 0, 0], [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0], [0; 7]);
        let bits = [&header[..], &zero, &again.repeat(times), &end].concat();
        let byte = |bits: &[u8]| bits.iter().enumerate().fold(0_u8, |byte, (at, bit)| byte | (bit << at));
        let sum = (((1 + 258 * times as u32) % 65_521) << 16) | 1;
        [&[0x78, 0x01][..], &bits.chunks(8).map(byte).collect::<Vec<u8>>(), &sum.to_be_bytes()].concat()
    }

    fn piece(name: &[u8], content: &[u8]) -> Vec<u8> {
        let named = [name, content].concat();
        let crc = !named.iter().fold(u32::MAX, |crc, byte| {
            (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 })
        });
        [&(content.len() as u32).to_be_bytes()[..], &named, &crc.to_be_bytes()].concat()
    }

    /// A picture of three by two pixels with these colour profiles.
    fn png(profiles: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        DynamicImage::new_rgb8(3, 2).write_to(&mut bytes, ImageFormat::Png).unwrap();
        let bytes = bytes.into_inner();
        let profiles: Vec<u8> =
            profiles.iter().flat_map(|packed| piece(b"iCCP", &[&b"x\0\0"[..], packed].concat())).collect();
        [&bytes[..33], &profiles, &bytes[33..]].concat()
    }

    fn profile(bytes: &[u8]) -> Option<usize> {
        assert_eq!(dimensions(bytes, Format::Png), Ok((3, 2)));
        let decoded = decode(bytes, Format::Png, 1_000_000).unwrap();
        assert_eq!((decoded.pixels.width(), decoded.pixels.height()), (3, 2));
        decoded.profile.map(|profile| profile.len())
    }

    #[test]
    fn a_colour_profile_that_unpacks_to_megabytes_is_left_out_and_the_picture_stays() {
        assert_eq!(profile(&png(&[])), None);
        assert_eq!(profile(&png(&[zeros(12_000)])), Some(1 + 258 * 12_000));
        for times in [17_000, 60_000, 600_000] {
            assert_eq!(profile(&png(&[zeros(times)])), None, "{times}");
        }
        assert_eq!(profile(&png(&[b"damaged".to_vec()])), None);
        assert_eq!(profile(&png(&[zeros(600_000), zeros(9)])), None, "the first one counts");
    }
}
