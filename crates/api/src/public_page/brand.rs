//! The colour of a white-label, where it can be read.

/// The page's own ground, `#f5f6f3`: darker than white, so what can be read on it can be read on white.
const GROUND: [u8; 3] = [0xf5, 0xf6, 0xf3];

/// What WCAG asks between text and its ground.
const LEAST_CONTRAST: f64 = 4.5;

/// A colour `#rrggbb` that can be read on the page, in small letters; none for any other text.
pub fn readable(color: &str) -> Option<String> {
    let digits =
        color.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
    let part = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    let rgb = [part(0)?, part(2)?, part(4)?];
    (contrast(rgb, GROUND) >= LEAST_CONTRAST).then(|| color.to_ascii_lowercase())
}

/// Contrast of two colours, 1 to 21 (WCAG 2.2, relative luminance).
fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

fn luminance(rgb: [u8; 3]) -> f64 {
    let linear = |part: u8| {
        let part = f64::from(part) / 255.0;
        if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contrasts_are_those_of_the_standard() {
        assert!((contrast([0, 0, 0], [255, 255, 255]) - 21.0).abs() < 1e-9);
        assert!((contrast([0x76, 0x76, 0x76], [255, 255, 255]) - 4.54).abs() < 0.01);
    }

    #[test]
    fn only_a_colour_that_can_be_read_is_taken() {
        assert_eq!(readable("#00695C").as_deref(), Some("#00695c"));
        for refused in ["#F6C445", "#767676", "red", "#123", "#00695C}body{display:none", "#00695é", ""] {
            assert_eq!(readable(refused), None, "{refused}");
        }
    }
}
