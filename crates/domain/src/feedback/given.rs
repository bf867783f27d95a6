//! The fields a visitor fills: cleaned and checked the same way, whatever they write.

use crate::html::plain;
use crate::{Fault, normalise_email};

/// A text without markup, and its faults: nothing where it must be written, or more characters than it may have.
pub fn text(written: &str, max: usize, required: bool, at: &str, faults: &mut Vec<Fault>) -> String {
    let text = plain(written);
    if required && text.is_empty() {
        faults.push(Fault::new("validation/required", at));
    }
    if text.chars().count() > max {
        faults.push(Fault::new("validation/too-long", at).with("max", max));
    }
    text
}

/// A text of one line: runs of white space become one space.
pub fn line(written: &str, max: usize, required: bool, at: &str, faults: &mut Vec<Fault>) -> String {
    let words: Vec<&str> = written.split_whitespace().collect();
    text(&words.join(" "), max, required, at, faults)
}

/// A mail address in small letters.
pub fn email(written: &str, required: bool, at: &str, faults: &mut Vec<Fault>) -> String {
    if written.trim().is_empty() {
        if required {
            faults.push(Fault::new("validation/required", at));
        }
        return String::new();
    }
    normalise_email(written).unwrap_or_else(|| {
        faults.push(Fault::new("validation/email", at));
        String::new()
    })
}

/// A language as two letters: the page's, French where it is another.
pub fn language(written: &str) -> String {
    if written.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("en")) { "en" } else { "fr" }.to_owned()
}
