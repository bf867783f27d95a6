//! The vehicle type of a line and its colours, from the numbers and letters of GTFS.

use domain::transport_line::LineMode;

/// What runs, by the number of its type, the extended ones of Google too.
pub(super) fn mode(number: u32) -> Option<LineMode> {
    Some(match number {
        0 | 900..=999 => LineMode::Tram,
        1 | 400..=404 | 500..=699 => LineMode::Metro,
        2 | 100..=199 | 300..=399 => LineMode::Rail,
        3 | 11 | 700..=899 => LineMode::Bus,
        4 | 1000..=1099 | 1200..=1299 => LineMode::Ferry,
        5 => LineMode::Cable,
        6 | 1300..=1399 => LineMode::Gondola,
        7 | 1400..=1499 => LineMode::Funicular,
        200..=299 => LineMode::Coach,
        12 | 405 | 1100..=1199 | 1500..=1799 => LineMode::Other,
        _ => return None,
    })
}

/// A line that comes when it is called: demand-responsive bus, taxis.
pub(super) const fn on_demand(number: u32) -> bool {
    matches!(number, 715 | 1500..=1599)
}

/// `0b6e4f` or `#0B6E4F` as `#0B6E4F`.
pub(super) fn color(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?.trim_start_matches('#');
    (text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_hexdigit()))
        .then(|| format!("#{}", text.to_ascii_uppercase()))
}

/// The colour of words on a colour: the one given where it can be read (contrast of 4.5), else black or white.
pub(super) fn words_on(color: &str, given: Option<String>) -> String {
    let ground = luminance(color);
    let contrast = |other: &str| {
        let (a, b) = (ground.max(luminance(other)), ground.min(luminance(other)));
        (a + 0.05) / (b + 0.05)
    };
    let (black, white) = ("#000000", "#FFFFFF");
    given
        .filter(|given| contrast(given) >= 4.5)
        .unwrap_or_else(|| (if contrast(black) >= contrast(white) { black } else { white }).to_owned())
}

/// Relative luminance (WCAG 2.1).
fn luminance(color: &str) -> f64 {
    let part = |at: usize| {
        let value = color.get(at..at + 2).and_then(|hex| u8::from_str_radix(hex, 16).ok()).unwrap_or_default();
        let share = f64::from(value) / 255.0;
        if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_on_a_colour_can_be_read() {
        assert_eq!(color(b"0b6e4f").as_deref(), Some("#0B6E4F"));
        assert_eq!(color(b"0b6e4"), None);
        assert_eq!(words_on("#0B6E4F", Some("#FFFFFF".into())), "#FFFFFF");
        // Grey on black is readable and kept; grey on white is not.
        assert_eq!(words_on("#000000", Some("#AAAAAA".into())), "#AAAAAA");
        assert_eq!(words_on("#FFFFFF", Some("#AAAAAA".into())), "#000000");
        assert_eq!(words_on("#1565C0", None), "#FFFFFF");
        assert_eq!(
            (mode(715), mode(1000), mode(42), on_demand(715)),
            (Some(LineMode::Bus), Some(LineMode::Ferry), None, true)
        );
    }
}
