//! The glyphs of the map, made in advance (`examples/make_glyphs.rs`) from Noto Sans: see `assets/glyphs/OFL.txt`.

/// Typefaces that [`glyphs`] has, as a style names them.
pub const FONTS: [&str; 3] = ["Noto Sans Regular", "Noto Sans Bold", "Noto Sans Italic"];

macro_rules! range {
    ($style:literal, $start:literal) => {
        include_bytes!(concat!("../assets/glyphs/noto-sans-", $style, "-", $start, ".pbf.gz"))
    };
}

/// A range of 256 letters as gzip PBF, for the first known typeface of a comma-separated stack.
///
/// `None`: no such typeface, or no range starts there. A range without known letters is a valid empty one, so that a name in
/// another script leaves a gap instead of breaking the map.
pub fn glyphs(fontstack: &str, range_start: u32) -> Option<&'static [u8]> {
    let font = fontstack.split(',').find_map(|name| FONTS.iter().position(|font| *font == name.trim()))?;
    if !range_start.is_multiple_of(256) || range_start > 0xFF00 {
        return None;
    }
    Some(match (font, range_start) {
        (0, 0) => range!("regular", "0"),
        (0, 256) => range!("regular", "256"),
        (0, 8192) => range!("regular", "8192"),
        (1, 0) => range!("bold", "0"),
        (1, 256) => range!("bold", "256"),
        (1, 8192) => range!("bold", "8192"),
        (2, 0) => range!("italic", "0"),
        (2, 256) => range!("italic", "256"),
        (2, 8192) => range!("italic", "8192"),
        _ => include_bytes!("../assets/glyphs/empty.pbf.gz"),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;
    use flate2::read::GzDecoder;
    use std::io::Read;

    fn unzipped(font: &str, start: u32) -> Vec<u8> {
        let mut out = Vec::new();
        GzDecoder::new(glyphs(font, start).unwrap()).read_to_end(&mut out).unwrap();
        out
    }

    #[test]
    fn every_typeface_has_its_letters_under_its_name() {
        for font in FONTS {
            let bytes = unzipped(font, 0);
            assert!(bytes.len() > 50_000, "{font}: {} bytes", bytes.len());
            assert!(bytes.windows(font.len()).any(|part| part == font.as_bytes()), "{font} is not named in its range");
        }
    }

    #[test]
    fn a_range_without_letters_is_empty_but_valid_and_bad_input_is_none() {
        assert!(unzipped("Noto Sans Regular", 0x3000).is_empty());
        assert!(glyphs("Comic Sans", 0).is_none());
        assert!(glyphs("Noto Sans Bold", 7).is_none());
        assert!(glyphs("Noto Sans Bold", u32::MAX).is_none());
        assert!(glyphs("Comic Sans,Noto Sans Italic", 256).is_some());
    }
}
