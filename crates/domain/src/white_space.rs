//! White space in texts of one line.

/// The text with one space for each run of white space, and none at its ends. Line ends are white space too.
pub fn one_space(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
