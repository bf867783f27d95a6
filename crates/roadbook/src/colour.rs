//! The white-label's colours, made to read: OKLCH lightness is lowered until the contrast is there; the hue stays.

use serde::Serialize;

/// Ours, where a white-label has none.
const OURS: [&str; 3] = ["#17463f", "#c2412c", "#e3b04b"];

/// Red, green, blue, 0 to 1, not linear.
type Rgb = [f64; 3];

/// The page's colours, `#rrggbb`.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Theme {
    /// Carries white text: 7:1.
    pub(crate) strong: String,
    /// The line and accents: 4.5:1 on white.
    pub(crate) accent: String,
    /// Fills.
    pub(crate) warm: String,
    /// A breath of `strong`.
    pub(crate) wash: String,
}

/// How a wanted colour was changed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// `#old → #new`.
    Darkened(String),
    /// No colour.
    Unreadable(String),
}

pub(crate) fn theme(wanted: [&str; 3]) -> (Theme, Vec<Change>) {
    let mut changes = Vec::new();
    let mut role = |index: usize, ratio: f64| {
        let text = wanted[index].trim();
        let given = parse(text);
        if given.is_none() && !text.is_empty() {
            changes.push(Change::Unreadable(text.to_owned()));
        }
        let colour = given.or_else(|| parse(OURS[index])).unwrap_or([0.0; 3]);
        let dark = darken(colour, ratio);
        if hex(dark) != hex(colour) {
            changes.push(Change::Darkened(format!("{} → {}", hex(colour), hex(dark))));
        }
        dark
    };
    let (strong, accent, warm) = (role(0, 7.0), role(1, 4.5), role(2, 0.0));
    let wash = strong.map(|channel| channel * 0.07 + 0.93);
    (Theme { strong: hex(strong), accent: hex(accent), warm: hex(warm), wash: hex(wash) }, changes)
}

fn parse(text: &str) -> Option<Rgb> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii())?;
    let channel = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).ok().map(|byte| f64::from(byte) / 255.0);
    Some([channel(0)?, channel(2)?, channel(4)?])
}

fn hex(rgb: Rgb) -> String {
    let [r, g, b] = rgb.map(|channel| (channel.clamp(0.0, 1.0) * 255.0).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn linear(channel: f64) -> f64 {
    if channel <= 0.040_45 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
}

fn encoded(channel: f64) -> f64 {
    if channel <= 0.003_130_8 { channel * 12.92 } else { 1.055 * channel.max(0.0).powf(1.0 / 2.4) - 0.055 }
}

/// WCAG 2.2 contrast with white.
fn contrast(rgb: Rgb) -> f64 {
    let [r, g, b] = rgb.map(linear);
    1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05)
}

/// The nearest darker shade that has this contrast with white.
fn darken(rgb: Rgb, ratio: f64) -> Rgb {
    let [mut lightness, a, b] = to_oklab(rgb);
    let mut dark = rgb;
    let mut chroma = 1.0;
    while contrast(dark) < ratio && lightness > 0.05 {
        lightness -= 0.01;
        dark = from_oklab([lightness, a * chroma, b * chroma]);
        // A dark shade may lie outside what a screen and ink can show.
        while dark.iter().any(|channel| !(-0.001..=1.001).contains(channel)) && chroma > 0.0 {
            chroma -= 0.02;
            dark = from_oklab([lightness, a * chroma, b * chroma]);
        }
    }
    dark.map(|channel| channel.clamp(0.0, 1.0))
}

/// Björn Ottosson's OKLab.
fn to_oklab(rgb: Rgb) -> [f64; 3] {
    let [r, g, b] = rgb.map(linear);
    let l = (0.412_221_47 * r + 0.536_332_54 * g + 0.051_445_99 * b).cbrt();
    let m = (0.211_903_5 * r + 0.680_699_55 * g + 0.107_396_96 * b).cbrt();
    let s = (0.088_302_46 * r + 0.281_718_84 * g + 0.629_978_7 * b).cbrt();
    [
        0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_05 * s,
        1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
        0.025_904_04 * l + 0.782_771_77 * m - 0.808_675_77 * s,
    ]
}

fn from_oklab([lightness, a, b]: [f64; 3]) -> Rgb {
    let l = (lightness + 0.396_337_78 * a + 0.215_803_76 * b).powi(3);
    let m = (lightness - 0.105_561_35 * a - 0.063_854_17 * b).powi(3);
    let s = (lightness - 0.089_484_18 * a - 1.291_485_5 * b).powi(3);
    [
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_93 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_4 * s,
        -0.004_196_09 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    ]
    .map(encoded)
}

#[cfg(test)]
mod tests {
    use super::{Change, contrast, parse, theme};

    #[test]
    fn a_readable_colour_stays_and_a_pale_one_is_darkened_and_reported() {
        let (ours, changes) = theme(["", "", ""]);
        assert_eq!((ours.strong.as_str(), changes.len()), ("#17463f", 0));
        let (pale, changes) = theme(["#ffe14d", "#ffe14d", "#ffe14d"]);
        assert_eq!((changes.len(), pale.warm.as_str()), (2, "#ffe14d"));
        for (colour, ratio) in [(&pale.strong, 7.0), (&pale.accent, 4.5)] {
            let rgb = parse(colour).expect("a colour");
            assert!(contrast(rgb) >= ratio, "{colour}");
            assert!(rgb[0] > rgb[2] && rgb[1] > rgb[2], "still yellow: {colour}");
        }
    }

    #[test]
    fn what_is_no_colour_is_reported() {
        let (theme, changes) = theme(["rouge", "#12345", "#ÿÿÿ"]);
        assert_eq!(theme.strong, "#17463f");
        assert!(changes.iter().all(|change| matches!(change, Change::Unreadable(_))), "{changes:?}");
        assert_eq!(changes.len(), 3);
    }
}
