//! The words of rich texts, for formats that have plain texts.

use domain::html::{decode_entities, plain};
use domain::one_space;

/// Elements within a sentence: their tags part no words.
const INLINE: [&str; 14] =
    ["a", "abbr", "b", "code", "del", "em", "i", "mark", "s", "small", "span", "strong", "sub", "sup"];

/// The words of sanitised HTML: no markup, no entities, one space between words. Line ends become spaces too.
pub(crate) fn plain_words(html: &str) -> String {
    one_space(&decode_entities(&plain(&apart(html))))
}

/// The same markup with a space before each tag that parts words.
fn apart(html: &str) -> String {
    let mut parts = html.split('<');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let tag = part.trim_start_matches('/');
        let name = tag.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        if !INLINE.contains(&name) {
            out.push(' ');
        }
        out.push('<');
        out.push_str(part);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rich_texts_become_words() {
        let html = "<p>La <em>R&amp;D</em>&nbsp;: 3&nbsp;&lt;&nbsp;4.</p>\n<p>Puis  la halle.</p>";
        assert_eq!(plain_words(html), "La R&D : 3 < 4. Puis la halle.");
        assert_eq!(plain_words("<p>Un <b>lac</b>.<br>Bleu</p><ul><li>un</li></ul>"), "Un lac. Bleu un");
        assert_eq!(plain_words("&amp;lt;b&amp;gt;"), "&lt;b&gt;", "what was typed is decoded once");
        assert_eq!(plain_words("<p><br></p>"), "");
    }
}
