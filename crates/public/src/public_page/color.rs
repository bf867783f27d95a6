//! Colours and their contrast (WCAG 2.2).

use std::fmt;

/// What WCAG asks between text and its ground.
pub const TEXT: f64 = 4.5;
/// What WCAG asks between a drawing and its ground.
pub const DRAWING: f64 = 3.0;

pub const WHITE: Color = Color([255, 255, 255]);
pub const BLACK: Color = Color([0, 0, 0]);

/// Red, green and blue. Written as `#rrggbb`, so that a style can contain it unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Color(pub [u8; 3]);

impl Color {
    /// A colour `#rrggbb`; none for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#')?;
        if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let part = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
        Some(Self([part(0)?, part(2)?, part(4)?]))
    }

    /// Contrast of two colours, 1 to 21.
    pub fn contrast(self, other: Self) -> f64 {
        let (one, other) = (self.luminance(), other.luminance());
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// Whether the contrast with each of these grounds is at least `least`.
    pub fn is_seen_on(self, grounds: &[Self], least: f64) -> bool {
        grounds.iter().all(|ground| self.contrast(*ground) >= least)
    }

    /// The colour of text on this one: white where it can be read, else black. One of the two always can.
    #[must_use]
    pub fn text_on_it(self) -> Self {
        if self.contrast(WHITE) >= TEXT { WHITE } else { BLACK }
    }

    /// This colour painted on another; `share` is its own part, 0 to 1.
    #[must_use]
    pub fn mixed(self, ground: Self, share: f64) -> Self {
        let part = |at: usize| {
            let mixed = f64::from(self.0[at]) * share + f64::from(ground.0[at]) * (1.0 - share);
            mixed.round().clamp(0.0, 255.0) as u8
        };
        Self([part(0), part(1), part(2)])
    }

    /// The nearest lighter tint that has this contrast with a dark ground.
    #[must_use]
    pub fn lightened_for(self, ground: Self, least: f64) -> Self {
        let tints = (0..=50_u8).map(|step| WHITE.mixed(self, f64::from(step) / 50.0));
        tints.into_iter().find(|tint| tint.contrast(ground) >= least).unwrap_or(WHITE)
    }

    fn luminance(self) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(self.0[0]) + 0.7152 * linear(self.0[1]) + 0.0722 * linear(self.0[2])
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn contrasts_are_those_of_the_standard() {
        assert!((BLACK.contrast(WHITE) - 21.0).abs() < 1e-9);
        assert!((Color([0x76, 0x76, 0x76]).contrast(WHITE) - 4.54).abs() < 0.01);
    }

    #[test]
    fn only_colours_of_six_hexadecimal_digits_are_accepted() {
        assert_eq!(Color::parse("#00695C").unwrap().to_string(), "#00695c");
        for refused in ["red", "#123", "#00695C}body{display:none", "#00695é", "#+0695c", "00695c", ""] {
            assert_eq!(Color::parse(refused), None, "{refused}");
        }
    }

    #[test]
    fn text_is_read_on_every_colour() {
        for red in (0..=255).step_by(15) {
            for green in (0..=255).step_by(15) {
                for blue in (0..=255).step_by(15) {
                    let color = Color([red, green, blue]);
                    assert!(color.contrast(color.text_on_it()) >= TEXT, "{color}");
                }
            }
        }
        assert_eq!(Color::parse("#f6c445").unwrap().text_on_it(), BLACK);
        assert_eq!(Color::parse("#14507a").unwrap().text_on_it(), WHITE);
    }

    #[test]
    fn a_dark_colour_becomes_light_enough_for_a_dark_ground_and_a_light_one_stays() {
        let night = Color([0x1a, 0x23, 0x20]);
        let navy = Color::parse("#14507a").unwrap();
        let tint = navy.lightened_for(night, TEXT);
        assert!(tint.contrast(night) >= TEXT && tint.0[2] > tint.0[0], "still blue: {tint}");
        let yellow = Color::parse("#f6c445").unwrap();
        assert_eq!(yellow.lightened_for(night, TEXT), yellow);
        assert_eq!(WHITE.mixed(BLACK, 0.5).to_string(), "#808080");
    }
}
