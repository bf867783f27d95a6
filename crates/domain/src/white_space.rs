//! White space in texts of one line.

use std::borrow::Cow;

/// The text with one space for each run of white space, and none at its ends. Line ends are white space too.
pub fn one_space(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text on one line: each run of white space that has a line end becomes one space. Other white space stays, such as the spaces of
/// French that do not break.
pub(crate) fn on_one_line(text: &str) -> Cow<'_, str> {
    if !text.contains(is_line_end) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(char::is_whitespace) {
        let (words, spaces) = rest.split_at(at);
        let end = spaces.find(|c: char| !c.is_whitespace()).unwrap_or(spaces.len());
        let (run, after) = spaces.split_at(end);
        out.push_str(words);
        out.push_str(if run.contains(is_line_end) { " " } else { run });
        rest = after;
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Whether a text shows nothing: it has white space, soft hyphens and signs without width alone.
pub(crate) fn is_blank(text: &str) -> bool {
    let is_unseen = |c: char| matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}');
    text.chars().all(|c| c.is_whitespace() || is_unseen(c))
}

/// The characters after which a line ends, of ASCII and of Unicode.
const fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_become_one_space_and_other_spaces_stay() {
        assert_eq!(on_one_line("Lac \r\n\t X: y"), "Lac X: y");
        assert_eq!(on_one_line("un\rdeux\u{2028}\u{2029}trois\u{85}"), "un deux trois ");
        for same in ["", "Lac  bleu", "Où\u{a0}?", "un\tdeux"] {
            assert_eq!(on_one_line(same), same);
        }
        assert_eq!(on_one_line("Où\u{a0}?\nIci  même"), "Où\u{a0}? Ici  même");
    }
}
