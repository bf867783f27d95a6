//! Cleans the answer of a model, so that an editor may accept it.

use std::sync::LazyLock;

use ammonia::Builder;
use app::markup::parsed;
use domain::assistant::shortened;
use domain::html;

/// The markup a text may have; less than what a person may write.
static MARKUP: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::empty();
    builder.tags(TAGS.into_iter().collect()).clean_content_tags(["script", "style"].into_iter().collect());
    builder
});

const TAGS: [&str; 8] = ["p", "br", "strong", "em", "ul", "ol", "li", "h3"];

/// A text with the markup that is worked with.
pub(super) fn safe(html: &str) -> String {
    parsed(&MARKUP, html)
}

/// The text of a model as sanitised HTML, without the code fence or the quotes that models put around it; its words cut to `max_chars`
/// characters.
pub(crate) fn finished_html(text: &str, max_chars: Option<usize>) -> String {
    let text = without_broken_characters(text);
    let text = unquoted(unfenced(text.trim()));
    let is_html = TAGS.iter().any(|tag| text.contains(&format!("<{tag}>")));
    let html = if is_html { text.to_owned() } else { html::paragraphs(text) };
    let html = html::rich(&strong(&html), &safe);
    let Some(max) = max_chars else { return html };
    shortened_html(&html, max)
}

/// Sanitised HTML with at most a number of characters outside its tags: cut after a paragraph or an item of a list, where the first one
/// is not too long; a heading is not the last.
fn shortened_html(html: &str, max: usize) -> String {
    let (mut chars, mut end) = (0, 0);
    let mut open: Vec<&str> = Vec::new();
    let mut kept: Option<(usize, Vec<&str>)> = None;
    // `>` is an entity in the text of sanitised HTML.
    for part in html.split_inclusive('>') {
        end += part.len();
        let (words, tag) = part.split_once('<').unwrap_or((part, ""));
        chars += html::decode_entities(words).chars().count();
        if chars > max {
            let Some((end, open)) = kept else {
                let words = html::plain(&html.replace("<br>", " ").replace("</h3>", " "));
                return html::paragraphs(&shortened(&html::decode_entities(&words), max));
            };
            let closing: String = open.iter().rev().map(|name| format!("</{name}>")).collect();
            return format!("{}{closing}", &html[..end]);
        }
        let name = tag.trim_end_matches('>');
        match name.strip_prefix('/') {
            Some(closed) => {
                open.pop();
                if ["p", "li"].contains(&closed) {
                    kept = Some((end, open.clone()));
                }
            }
            None if name.is_empty() || name == "br" => {}
            None => open.push(name),
        }
    }
    html.to_owned()
}

/// The text of a model without markup and without the code fence or the quotes that models put around it; cut to `max_chars` characters.
pub(crate) fn finished_plain(text: &str, max_chars: Option<usize>) -> String {
    let text = without_broken_characters(text);
    let text = unquoted(unfenced(text.trim()));
    let plain = html::plain(&text.replace("**", ""));
    max_chars.map_or(plain.clone(), |max| shortened(&plain, max))
}

/// A stream that was cut may end within a character, which is decoded as U+FFFD.
fn without_broken_characters(text: &str) -> String {
    text.replace('\u{fffd}', "")
}

/// A text without the code fence of Markdown around it.
fn unfenced(text: &str) -> &str {
    let Some(inner) = text.strip_prefix("```") else { return text };
    let inner = inner.strip_prefix("html").unwrap_or(inner);
    inner.strip_suffix("```").unwrap_or(inner).trim()
}

/// A text without the quotes around all of it.
fn unquoted(text: &str) -> &str {
    for (open, close) in [('"', '"'), ('«', '»'), ('“', '”')] {
        let inner = text.strip_prefix(open).and_then(|text| text.strip_suffix(close));
        if let Some(inner) = inner.filter(|inner| !inner.contains([open, close])) {
            return inner.trim();
        }
    }
    text
}

/// Turns the bold text of Markdown into `<strong>`.
fn strong(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let parts: Vec<&str> = html.split("**").collect();
    for (at, part) in parts.iter().enumerate() {
        out.push_str(part);
        match at {
            _ if at + 1 == parts.len() => {}
            // A marker without its counterpart is removed.
            _ if at % 2 == 0 && at + 2 < parts.len() => out.push_str("<strong>"),
            _ if at % 2 == 1 => out.push_str("</strong>"),
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_model_is_sanitised_and_shortened() {
        let rich = |text: &str| finished_html(text, None);
        assert_eq!(rich("Un lac.\n\nUn col & un bois."), "<p>Un lac.</p><p>Un col &amp; un bois.</p>");
        assert_eq!(
            rich("<p onclick=x>Un <a href=\"javascript:x\">lac</a></p><p>Un <em>col</em></p><script>x</script>"),
            "<p>Un lac</p><p>Un <em>col</em></p>"
        );
        assert_eq!(rich("Un **lac** et **un col"), "<p>Un <strong>lac</strong> et un col</p>");
        assert_eq!(rich("```html\n<p>Un lac</p>\n```"), "<p>Un lac</p>");
        assert_eq!(finished_plain("Un la\u{fffd}c", None), "Un lac");
        assert_eq!(finished_plain("« Un lac »", Some(300)), "Un lac");
        assert_eq!(finished_plain("Du **col** à « l’Étang »", Some(300)), "Du col à « l’Étang »");
        let text = "<h3>Lac</h3><p>Un <em>lac</em> &amp; un bois.</p><ul><li>eau<br>pain</li><li>carte</li></ul>";
        let cut = |max| finished_html(text, Some(max));
        assert_eq!(cut(32), text, "32 characters outside the tags");
        let without_card = text.replace("<li>carte</li>", "");
        assert_eq!((cut(31), cut(27)), (without_card.clone(), without_card));
        assert_eq!(cut(26), "<h3>Lac</h3><p>Un <em>lac</em> &amp; un bois.</p>");
        assert_eq!(cut(20), "<h3>Lac</h3><p>Un <em>lac</em> &amp; un bois.</p>");
        assert_eq!(cut(18), "<p>Lac Un lac &amp; un…</p>");
        let long = finished_plain(&"mot ".repeat(40), Some(60));
        assert!(long.chars().count() <= 60 && long.ends_with("mot…"), "{long}");
    }
}
