//! Removes the markup from plain fields, and keeps only safe markup in rich fields (HTML).

use crate::Text;

/// Cleans each language of a text and drops those left empty.
pub fn clean_text(text: &mut Text, how: &dyn Fn(&str) -> String) {
    let cleaned: Text = text
        .iter()
        .map(|(lang, written)| (lang.to_owned(), how(written)))
        .filter(|(_, written)| !written.is_empty())
        .collect();
    *text = cleaned;
}

/// The sanitised HTML of a rich text; an empty string where it has neither words nor a picture.
pub fn rich(html: &str, sanitise: &dyn Fn(&str) -> String) -> String {
    // Text without markup needs no parser, and saving must stay cheap.
    let safe = if html.contains(['<', '&', '\0']) { sanitise(html) } else { html.to_owned() };
    let safe = safe.trim();
    if plain(safe).is_empty() && !safe.contains("<img") { String::new() } else { safe.to_owned() }
}

/// A text without markup: tags go, scripts and styles go with their content, "a < b" stays.
///
/// The time is proportional to the length: no part of the text is searched twice.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // A `<` after the last `>` opens no tag. Looking for the end of each would search the rest of the text each time.
    let last_close = text.rfind('>');
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let start = text.len() - rest.len();
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
        } else if let Some(end) = last_close.filter(|close| *close > start).and_then(|_| tag_end(rest)) {
            let (tag, after) = (&rest[1..end], &rest[end..]);
            rest = hidden_element(tag).map_or(after, |name| after_element(after, name));
        } else {
            out.push('<');
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    let kept: String = out.chars().filter(|c| !c.is_control() || *c == '\n' || *c == '\t').collect();
    kept.trim().to_owned()
}

/// Plain text escaped for markup.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Plain text as paragraphs of HTML.
pub fn paragraphs(text: &str) -> String {
    escaped(text)
        .split("\n\n")
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(|part| format!("<p>{}</p>", part.replace('\n', "<br>")))
        .collect()
}

/// The words of sanitised HTML, for searching: tags become spaces.
pub fn words_of_html(html: &str) -> String {
    if html.contains('<') { plain(&html.replace('<', " <")) } else { html.to_owned() }
}

/// Where the tag that a text starts with ends; none where it starts with no tag.
fn tag_end(text: &str) -> Option<usize> {
    let second = text[1..].chars().next()?;
    if !(second.is_ascii_alphabetic() || second == '/' || second == '!' || second == '?') {
        return None;
    }
    text.find('>').map(|at| at + 1)
}

/// The name of an opening tag's element when its content is not text.
fn hidden_element(tag: &str) -> Option<&'static str> {
    let opens = |wanted: &str| {
        tag.get(..wanted.len()).is_some_and(|start| start.eq_ignore_ascii_case(wanted))
            && !tag[wanted.len()..].starts_with(|c: char| c.is_ascii_alphanumeric())
    };
    ["script", "style"].into_iter().find(|wanted| opens(wanted))
}

/// What follows the closing tag of an element; nothing where it is never closed.
pub(crate) fn after_element<'a>(text: &'a str, name: &str) -> &'a str {
    let closes =
        |at: usize| text.get(at + 2..at + 2 + name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name));
    let closing = text.match_indices("</").map(|(at, _)| at).find(|at| closes(*at));
    closing.and_then(|at| text[at..].find('>').map(|end| &text[at + end + 1..])).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_leaves_a_plain_text_and_its_words_stay() {
        assert_eq!(plain("  Tour <b>du</b> lac\u{7} "), "Tour du lac");
        assert_eq!(plain("a < b et c > d"), "a < b et c > d");
        assert_eq!(plain("Lac<script>alert(1)</script> bleu"), "Lac bleu");
        assert_eq!(plain("Lac<SCRIPT src=x>alert(1)"), "Lac");
        assert_eq!(plain("<!-- caché -->vu <img src=x onerror=alert(1)>"), "vu");
        assert_eq!(plain("5 <"), "5 <");
        assert_eq!(plain("<scripture>texte</scripture>"), "texte");
        assert_eq!(plain("Lac<style>a</ b></STYLE >bleu<!-- a > b"), "Lacbleu");
        assert_eq!(plain("<b>un</b> <deux <trois"), "un <deux <trois");
    }

    #[test]
    fn a_rich_text_of_empty_tags_is_empty() {
        assert_eq!(rich("<p><br></p>", &str::to_owned), "");
        assert_eq!(rich("<p>là</p>", &str::to_owned), "<p>là</p>");
    }
}
