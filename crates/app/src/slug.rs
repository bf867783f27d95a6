//! The readable part of a public address.

use domain::fold;

/// The readable part of a public address: folded words joined by dashes, or `parcours`.
pub fn slug(title: &str) -> String {
    let words: Vec<String> =
        fold(title).split(' ').filter(|word| word.is_ascii() && !word.is_empty()).take(12).map(str::to_owned).collect();
    if words.is_empty() { "parcours".to_owned() } else { words.join("-") }
}
