//! Which characters can be printed. A PDF/UA may not hold a glyph that no face has, so each text passes here first.

use std::collections::BTreeSet;

use typst::text::Font;

/// The characters of all loaded faces together: the page falls back from one family to the next.
#[derive(Debug, Clone)]
pub(crate) struct Coverage {
    known: BTreeSet<u32>,
}

/// A text with printable characters only, and the characters that were dropped or replaced by « ? ».
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Fit {
    pub(crate) text: String,
    /// Each character once, in order.
    pub(crate) lost: Vec<char>,
}

impl Coverage {
    pub(crate) fn of(fonts: &[Font]) -> Self {
        let mut known = BTreeSet::new();
        for font in fonts {
            known.extend(font.info().coverage.iter());
        }
        Self { known }
    }

    /// Drops invisible characters and emoji, and writes « ? » for any other character that no face has.
    pub(crate) fn fit(&self, text: &str) -> Fit {
        if text.chars().all(|char| self.has(char)) {
            return Fit { text: text.to_owned(), lost: Vec::new() };
        }
        let mut fit = Fit::default();
        let mut chars = text.chars().peekable();
        while let Some(char) = chars.next() {
            if self.has(char) {
                fit.text.push(char);
                continue;
            }
            if invisible(char) {
                continue;
            }
            if let Some(stand_in) = stand_in(char).filter(|&stand_in| self.has(stand_in)) {
                fit.text.push(stand_in);
                continue;
            }
            if !fit.lost.contains(&char) {
                fit.lost.push(char);
            }
            if emoji(char) {
                // One emoji may be a sequence of characters: with a skin tone, a gender sign, or as a family. The whole sequence is dropped.
                let mut joined = false;
                while chars
                    .next_if(|next| joined || emoji(*next) || matches!(next, '\u{fe0f}' | '\u{200d}'))
                    .is_some_and(|next| {
                        joined = next == '\u{200d}';
                        true
                    })
                {}
                // The space before it would have nothing after it.
                while fit.text.ends_with(' ') {
                    fit.text.pop();
                }
            } else {
                fit.text.push('?');
            }
        }
        fit.text = fit.text.trim().to_owned();
        fit
    }

    fn has(&self, char: char) -> bool {
        !invisible(char) && self.known.contains(&(char as u32)) && !emoji(char)
    }
}

/// Controls, joiners, marks of direction, variation selectors, tags: they print nothing.
fn invisible(char: char) -> bool {
    matches!(char as u32,
        0..=0x1f | 0x7f..=0x9f | 0xad | 0x61c | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0xfe00..=0xfe0f
        | 0xfeff | 0xfff0..=0xfffb | 0xe0000..=0xe01ef)
}

/// Emoji, their modifiers, and flags.
fn emoji(char: char) -> bool {
    matches!(char as u32, 0x1f000..=0x1faff | 0x2614 | 0x2615 | 0x2648..=0x2653 | 0x26bd | 0x26be | 0x2705 | 0x2728 | 0x274c | 0x2764 | 0x20e3)
}

/// A character of the same meaning that faces have.
fn stand_in(char: char) -> Option<char> {
    Some(match char {
        '\u{2000}'..='\u{200a}' | '\u{205f}' | '\u{3000}' | '\t' => ' ',
        '\u{2010}' | '\u{2011}' | '\u{2012}' => '-',
        '\u{2015}' => '—',
        '\u{201a}' => ',',
        '\u{2032}' => '’',
        '\u{2033}' => '”',
        '➜' | '➔' | '➡' => '→',
        '✔' => '✓',
        '✗' | '✘' | '✖' => '×',
        '⭐' => '★',
        '●' | '▪' | '■' | '◆' => '•',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(char as u32 - 0xfee0)?,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Coverage, Fit};
    use crate::fonts::Faces;

    fn fit(text: &str) -> Fit {
        Coverage::of(Faces::ours().fonts()).fit(text)
    }

    #[test]
    fn french_is_printed_as_it_is() {
        for text in ["L’été à Œuilly — 12\u{202f}€, ★★★ « ça va »", "Łódź, Škoda, İzmir", "→ ½ ° ² × ✓"]
        {
            assert_eq!(fit(text), Fit { text: text.to_owned(), lost: vec![] });
        }
    }

    #[test]
    fn emoji_go_with_their_modifiers_and_are_reported() {
        assert_eq!(fit("Vélo 🚴🏽‍♀️ et soleil ☀️ !").text, "Vélo et soleil ☀ !");
        assert_eq!(fit("👨‍👩‍👧, oui").text, ", oui");
        assert_eq!(fit("Bravo 🎉").lost, ['🎉']);
    }

    #[test]
    fn arabic_and_hebrew_are_printed() {
        assert_eq!(fit("مرحبا يوسف").lost, [] as [char; 0]);
        assert_eq!(fit("שלום").lost, [] as [char; 0]);
    }

    #[test]
    fn a_letter_without_a_face_becomes_a_question_mark() {
        assert_eq!(fit("山田 Hanako"), Fit { text: "?? Hanako".to_owned(), lost: vec!['山', '田'] });
    }
}
