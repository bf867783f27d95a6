//! Spaces and signs as a printer sets them. French has the most to it; the others get their apostrophe and dots.

/// Espace fine insécable.
pub(crate) const FINE: char = '\u{202f}';
/// Espace insécable.
pub(crate) const NBSP: char = '\u{a0}';

/// A place where a line may break.
const ZERO_WIDTH_SPACE: char = '\u{200b}';
/// The longest word in which no break is allowed: hardly any word of a language is longer.
const MAX_WORD_CHARS: usize = 32;
/// The longest e-mail address or link without a break: readers may copy it from the page.
const MAX_ADDRESS_CHARS: usize = 45;
/// Letters between two places to break.
const PIECE: usize = 8;

/// Units that hold on to their number.
const UNITS: [&str; 16] =
    ["h", "km", "m", "min", "s", "%", "€", "kg", "g", "Wh", "°", "cm", "mm", "plats", "nuits", "pers."];
/// Short words that hold on to what follows.
const HELD: [&str; 7] = ["M.", "Mme", "Mlle", "Dr", "nº", "n°", "D"];

/// A text with the signs of its language: apostrophe, dots; for French the spaces and quotes too.
pub(crate) fn typeset(text: &str, french: bool) -> String {
    let text = text.replace("...", "…").replace('\'', "’");
    if !french || text.contains("://") {
        return text;
    }
    let chars: Vec<char> = quotes(&text).chars().collect();
    let signs = around_signs(&chars);
    around_numbers(&signs)
}

/// A text whose longest words may be broken: without a place to break they would be printed over the next column.
pub(crate) fn breakable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_inclusive(char::is_whitespace) {
        let most = if word.contains(['@', '.', '/']) { MAX_ADDRESS_CHARS } else { MAX_WORD_CHARS };
        let long = word.chars().count() > most;
        for (index, char) in word.chars().enumerate() {
            // Nothing is broken before a combining accent, or between the parts of an emoji.
            let is_joined =
                matches!(char, '\u{300}'..='\u{36f}' | '\u{200d}' | '\u{fe0f}') || out.ends_with('\u{200d}');
            if long && index > 0 && index % PIECE == 0 && !is_joined {
                out.push(ZERO_WIDTH_SPACE);
            }
            out.push(char);
        }
    }
    out
}

/// `"x"` becomes `« x »`; a quote without its pair stays.
fn quotes(text: &str) -> String {
    let pairs = text.matches('"').count() / 2;
    let mut out = String::with_capacity(text.len());
    let mut seen = 0;
    for char in text.chars() {
        if char == '"' && seen < pairs * 2 {
            out.push(if seen % 2 == 0 { '«' } else { '»' });
            seen += 1;
        } else {
            out.push(char);
        }
    }
    out
}

/// Inside guillemets, before `; ! ?`, `:` and a dash.
fn around_signs(chars: &[char]) -> Vec<char> {
    let mut out: Vec<char> = Vec::with_capacity(chars.len() + 8);
    let blank = |char: char| matches!(char, ' ' | NBSP | FINE);
    let mut index = 0;
    while let Some(&char) = chars.get(index) {
        let next = chars.get(index + 1).copied();
        let ends = next.is_none_or(|next| next.is_whitespace() || matches!(next, '»' | ')' | '…'));
        match char {
            '«' => {
                out.extend(['«', FINE]);
                while chars.get(index + 1).copied().is_some_and(blank) {
                    index += 1;
                }
            }
            '»' => {
                drop_blanks(&mut out);
                out.extend([FINE, '»']);
            }
            ';' | '!' | '?' => {
                let spaced = out.last().copied().is_some_and(blank);
                let word =
                    out.last().is_some_and(|last| last.is_alphanumeric() || matches!(last, ')' | '»' | '%' | '€'));
                drop_blanks(&mut out);
                if !out.is_empty() && (spaced || (word && ends)) {
                    out.push(FINE);
                }
                out.push(char);
            }
            ':' if ends && out.last().copied().is_some_and(blank) => {
                drop_blanks(&mut out);
                out.extend([NBSP, ':']);
            }
            '–' | '—' if out.last().copied().is_some_and(blank) && next.is_some_and(blank) => {
                drop_blanks(&mut out);
                out.extend([NBSP, char]);
            }
            _ => out.push(char),
        }
        index += 1;
    }
    out
}

fn drop_blanks(out: &mut Vec<char>) {
    while out.last().is_some_and(|last| matches!(*last, ' ' | NBSP | FINE)) {
        out.pop();
    }
}

/// Thousands, units, hours, and titles before a name.
fn around_numbers(chars: &[char]) -> String {
    let mut out = String::with_capacity(chars.len() + 8);
    let digit = |index: usize| chars.get(index).is_some_and(char::is_ascii_digit);
    for (index, &char) in chars.iter().enumerate() {
        if char != ' ' && char != NBSP {
            out.push(char);
            continue;
        }
        let before = &chars[..index];
        let after = &chars[index + 1..];
        let glued = if before.last().is_some_and(char::is_ascii_digit) {
            let three = (1..=3).all(|k| digit(index + k)) && !digit(index + 4);
            three || UNITS.iter().any(|unit| starts_word(after, unit))
        } else {
            // "8 h 30", and a sign before its number.
            let hour = ends_word(before, "h") && digit(index + 1) && digit(index + 2) && !digit(index + 3);
            hour || (before.last() == Some(&'+') && digit(index + 1))
        };
        let held =
            HELD.iter().any(|word| ends_word(before, word)) && after.first().is_some_and(|c| c.is_alphanumeric());
        out.push(match (glued, held) {
            (true, _) => FINE,
            (_, true) => NBSP,
            _ => char,
        });
    }
    out
}

/// Whether a word begins these.
fn starts_word(chars: &[char], word: &str) -> bool {
    let length = word.chars().count();
    chars.len() >= length
        && word.chars().zip(chars).all(|(a, &b)| a == b)
        && chars.get(length).is_none_or(|next| !next.is_alphanumeric())
}

/// Whether a word ends these; a number may be right before it ("8 h").
fn ends_word(chars: &[char], word: &str) -> bool {
    let length = word.chars().count();
    chars.len() >= length
        && word.chars().rev().zip(chars.iter().rev()).all(|(a, &b)| a == b)
        && chars.iter().rev().nth(length).is_none_or(|before| !before.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::{breakable, typeset};

    /// Narrow space as `_`, wide one as `~`, to be seen.
    fn french(text: &str) -> String {
        typeset(text, true).replace('\u{202f}', "_").replace('\u{a0}', "~")
    }

    #[test]
    fn signs_get_the_space_that_a_printer_sets() {
        for (typed, set) in [
            ("Prêts ?", "Prêts_?"),
            ("Prêts?", "Prêts_?"),
            ("Départ : 8 h 30 !", "Départ~: 8_h_30_!"),
            ("Départ 12:30", "Départ 12:30"),
            ("\"pour de vrai\"", "«_pour de vrai_»"),
            ("« ouvert »; fermé", "«_ouvert_»_; fermé"),
            ("l'eau...", "l’eau…"),
            ("un – deux", "un~– deux"),
            ("?", "?"),
            ("", ""),
        ] {
            assert_eq!(french(typed), set, "{typed}");
        }
    }

    #[test]
    fn numbers_keep_their_units() {
        for (typed, set) in [
            ("32 500 m de montée", "32_500_m de montée"),
            ("à 12 km", "à 12_km"),
            ("12 kmh", "12 kmh"),
            ("0,90 € / nuit", "0,90_€ / nuit"),
            ("M. Ferrand et Mme Roy", "M.~Ferrand et Mme~Roy"),
            ("nº 7, D 957", "nº~7, D~957"),
            ("en 1986 2 personnes", "en 1986 2 personnes"),
            ("de 8 h à 20 h", "de 8_h à 20_h"),
        ] {
            assert_eq!(french(typed), set, "{typed}");
        }
    }

    #[test]
    fn addresses_and_other_languages_are_left_alone() {
        assert_eq!(typeset("https://x.example/?a=1;b", true), "https://x.example/?a=1;b");
        assert_eq!(typeset("Ready?", false), "Ready?");
    }

    #[test]
    fn only_words_of_no_language_are_broken() {
        let usual = "Rindfleischetikettierungsgesetz à contact@office-de-tourisme-du-morvan.example";
        assert_eq!(breakable(usual), usual);
        let broken = breakable(&format!("Un {} !", "x".repeat(150)));
        assert!(broken.split('\u{200b}').all(|piece| piece.chars().count() <= 11), "{broken}");
        assert_eq!(broken.replace('\u{200b}', ""), format!("Un {} !", "x".repeat(150)));
    }

    #[test]
    fn setting_twice_changes_nothing_more() {
        let once = typeset("Prêts ? « oui » : 1 200 m", true);
        assert_eq!(typeset(&once, true), once);
    }
}
