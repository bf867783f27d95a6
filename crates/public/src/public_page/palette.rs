//! Where the three colours of a white-label are used on its pages. The roles are those of the roadbook: on the primary colour
//! text is written, in it links are; the secondary one draws the line; the tertiary one is the ground (decision 0040).

use std::fmt::Write as _;

use domain::white_label::Colors;

use super::color::{Color, DRAWING, TEXT, WHITE};

/// The colours of the page's own style that a white-label's colours are combined with (`web/src/public/page.css`).
const CANVAS: Color = Color([0xf5, 0xf6, 0xf3]);
const NOTICE: Color = Color([0xfd, 0xf1, 0xdc]);
const INK: Color = Color([0x17, 0x21, 0x1c]);
const SOFT_INK: Color = Color([0x4a, 0x56, 0x4f]);
const ACCENT: Color = Color([0x0b, 0x5f, 0x50]);
const LINE: Color = Color([0x24, 0x38, 0xc9]);
const MAP_GROUND: Color = Color([0xf3, 0xf1, 0xea]);
/// The dark scheme: the cards, and the text on them.
const NIGHT: Color = Color([0x1a, 0x23, 0x20]);
const NIGHT_INK: Color = Color([0xe7, 0xee, 0xea]);

/// The colours of a white-label that are used, each checked for what it is used for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Palette {
    /// The colour of the bar at the top and of buttons, with the text on it computed. Any colour is allowed.
    primary: Option<Color>,
    /// The colour of the line on the map and on the profile: it must be visible on the map and on white.
    line: Option<Color>,
    /// The ground of the page: text and links can be read on it.
    ground: Option<Color>,
}

impl Palette {
    /// The colours of a white-label.
    pub fn of(colors: &Colors) -> Self {
        let read = |color: &Option<String>| color.as_deref().and_then(Color::parse);
        let primary = read(&colors.primary);
        let accent = primary.map_or(ACCENT, words);
        Self {
            primary,
            line: read(&colors.secondary).filter(|line| line.is_seen_on(&[MAP_GROUND, WHITE], DRAWING)),
            ground: read(&colors.tertiary).filter(|ground| ground.is_seen_on(&[SOFT_INK, accent], TEXT)),
        }
    }

    /// The colours of fills, of the text on them, of words and links, and of the line: the widget draws on white.
    pub fn of_widget(self) -> [Color; 4] {
        let fill = self.primary.unwrap_or(ACCENT);
        [fill, fill.text_on_it(), words(fill), self.line.unwrap_or(LINE)]
    }

    /// The style that gives the page these colours: nothing where none was chosen.
    pub fn css(self) -> String {
        let (mut light, mut dark) = (String::new(), String::new());
        let set = |style: &mut String, name: &str, color: Color| {
            let _ = write!(style, "--{name}:{color};");
        };
        if let Some(ground) = self.ground {
            set(&mut light, "canvas", ground);
        }
        if let Some(primary) = self.primary {
            let accent = words(primary);
            let bar = [("bar", primary), ("on-bar", primary.text_on_it())];
            let both = [("fill", primary), ("on-fill", primary.text_on_it()), ("mark", accent)];
            let by_day = [("primary", accent), ("soft", primary.mixed(WHITE, 0.12)), ("on-soft", INK)];
            let by_night = [
                ("primary", primary.lightened_for(NIGHT, TEXT)),
                ("soft", primary.mixed(NIGHT, 0.3)),
                ("on-soft", NIGHT_INK),
            ];
            for (name, color) in by_day.into_iter().chain(bar).chain(both) {
                set(&mut light, name, color);
            }
            for (name, color) in by_night.into_iter().chain(both) {
                set(&mut dark, name, color);
            }
        }
        if let Some(line) = self.line {
            // The map is light at any hour, the profile is not.
            let night = line.lightened_for(NIGHT, DRAWING);
            let by_day = [("trace", line), ("line", line), ("area", line.mixed(WHITE, 0.12))];
            let by_night = [("trace", line), ("line", night), ("area", night.mixed(NIGHT, 0.25))];
            for (name, color) in by_day {
                set(&mut light, name, color);
            }
            for (name, color) in by_night {
                set(&mut dark, name, color);
            }
        }
        let mut css = String::new();
        if !light.is_empty() {
            let _ = write!(css, ":root{{{light}}}");
        }
        if !dark.is_empty() {
            // The page's own dark colours are set twice as strongly as its light ones.
            let _ = write!(css, "@media screen and (prefers-color-scheme:dark){{:root:root:root{{{dark}}}}}");
        }
        css
    }
}

/// The colour of links and accents on light grounds: a colour that cannot be read there gives way to the colour of text.
fn words(color: Color) -> Color {
    if color.is_seen_on(&[CANVAS, WHITE, NOTICE], TEXT) { color } else { INK }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn palette(colors: [&str; 3]) -> Palette {
        let [primary, secondary, tertiary] = colors.map(|color| Some(color.to_owned()).filter(|one| !one.is_empty()));
        Palette::of(&Colors { primary, secondary, tertiary })
    }

    /// The value of a name in the light scheme or in the dark one.
    fn value(css: &str, dark: bool, name: &str) -> Option<Color> {
        let (light, night) = css.split_once("@media").unwrap_or((css, ""));
        let part = if dark { night } else { light };
        let (_, rest) = part.split_once(&format!("--{name}:"))?;
        Color::parse(rest.split(';').next()?)
    }

    #[test]
    fn each_of_three_good_colours_has_its_role() {
        let css = palette(["#14507A", "#AD5315", "#F4EFE3"]).css();
        let light = |name: &str| value(&css, false, name).map(|color| color.to_string());
        for (name, color) in [
            ("primary", "#14507a"),
            ("bar", "#14507a"),
            ("on-bar", "#ffffff"),
            ("fill", "#14507a"),
            ("mark", "#14507a"),
            ("trace", "#ad5315"),
            ("line", "#ad5315"),
            ("canvas", "#f4efe3"),
        ] {
            assert_eq!(light(name).as_deref(), Some(color), "{name}: {css}");
        }
    }

    #[test]
    fn a_colour_of_low_contrast_is_used_for_surfaces_only() {
        let css = palette(["#F6C445", "#FFF3C4", "#1B2A41"]).css();
        assert_eq!(value(&css, false, "fill"), Color::parse("#f6c445"));
        assert_eq!(value(&css, false, "on-fill"), Some(super::super::color::BLACK));
        assert_eq!(value(&css, false, "primary"), Some(INK), "links are not yellow: {css}");
        for unused in ["trace", "line", "canvas"] {
            assert_eq!(value(&css, false, unused), None, "{unused}: {css}");
        }
    }

    #[test]
    fn links_and_text_keep_their_contrast_on_every_background() {
        assert!(palette(["#14507A", "", "#F6C445"]).ground.is_some());
        assert!(palette(["#7A6A00", "", "#E8E8A0"]).ground.is_none(), "its links could not be read on it");
        assert!(palette(["", "", "#808080"]).ground.is_none());
    }

    #[test]
    fn text_is_readable_with_every_palette_in_light_and_dark_mode() {
        let some = ["#000000", "#ffffff", "#808080", "#f6c445", "#ff0000", "#00ff00", "#0000ff", "#14507a", "#767676"];
        for primary in some {
            for (secondary, tertiary) in some.into_iter().zip(some.into_iter().rev()) {
                let css = palette([primary, secondary, tertiary]).css();
                let canvas = value(&css, false, "canvas").unwrap_or(CANVAS);
                let get = |dark: bool, name: &str| value(&css, dark, name).unwrap_or(WHITE);
                for dark in [false, true] {
                    assert!(get(dark, "fill").contrast(get(dark, "on-fill")) >= TEXT, "{css}");
                    assert!(get(dark, "soft").contrast(get(dark, "on-soft")) >= TEXT, "{css}");
                }
                assert!(get(false, "primary").is_seen_on(&[canvas, WHITE, NOTICE], TEXT), "{css}");
                assert!(get(true, "primary").contrast(NIGHT) >= TEXT, "{css}");
                assert!(get(false, "bar").contrast(get(false, "on-bar")) >= TEXT, "{css}");
                if let Some(line) = value(&css, true, "line") {
                    assert!(line.contrast(NIGHT) >= DRAWING, "{css}");
                }
            }
        }
    }

    #[test]
    fn an_invalid_colour_is_ignored() {
        let attack = "#00695c}body{display:none";
        assert_eq!(palette([attack, attack, "red"]), Palette::default());
        assert_eq!(palette(["", "", ""]).css(), "");
        let [fill, on, words, line] = palette(["", "", ""]).of_widget();
        assert_eq!([fill, on, words, line], [ACCENT, WHITE, ACCENT, LINE]);
    }
}
