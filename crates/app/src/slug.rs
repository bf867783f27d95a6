//! The readable part of a public address.

use domain::fold;

/// The readable part of a public address: folded words joined by dashes, or `parcours`.
pub fn slug(title: &str) -> String {
    let words: Vec<String> =
        fold(title).split(' ').filter(|word| word.is_ascii() && !word.is_empty()).take(12).map(str::to_owned).collect();
    if words.is_empty() { "parcours".to_owned() } else { words.join("-") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_is_made_of_plain_words() {
        assert_eq!(slug("L'Étang du Cœur — 12 km"), "l-etang-du-coeur-12-km");
        assert_eq!(slug("日本"), "parcours");
    }
}
