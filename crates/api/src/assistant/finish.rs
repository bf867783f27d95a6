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

/// A text as it may be taken: safe, without what models put around it, no longer than asked.
pub(crate) fn finished(text: &str, rich: bool, max_chars: Option<usize>) -> String {
    // A stream that was cut may end within a character.
    let text = text.replace('\u{fffd}', "");
    let text = unquoted(unfenced(text.trim()));
    if rich {
        let is_html = TAGS.iter().any(|tag| text.contains(&format!("<{tag}>")));
        let html = if is_html { text.to_owned() } else { html::paragraphs(text) };
        return html::rich(&strong(&html), &safe);
    }
    let plain = html::plain(&text.replace("**", ""));
    max_chars.map_or(plain.clone(), |max| shortened(&plain, max))
}

/// Without the fence that models put around markup.
fn unfenced(text: &str) -> &str {
    let Some(inner) = text.strip_prefix("```") else { return text };
    let inner = inner.strip_prefix("html").unwrap_or(inner);
    inner.strip_suffix("```").unwrap_or(inner).trim()
}

/// Without the quotes around the whole.
fn unquoted(text: &str) -> &str {
    for (open, close) in [('"', '"'), ('«', '»'), ('“', '”')] {
        let inner = text.strip_prefix(open).and_then(|text| text.strip_suffix(close));
        if let Some(inner) = inner.filter(|inner| !inner.contains([open, close])) {
            return inner.trim();
        }
    }
    text
}

/// Bold text of Markdown.
fn strong(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let parts: Vec<&str> = html.split("**").collect();
    for (at, part) in parts.iter().enumerate() {
        out.push_str(part);
        match at {
            _ if at + 1 == parts.len() => {}
            // One without its other half is nothing.
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
    fn what_a_model_says_is_made_safe_and_fits() {
        let rich = |text| finished(text, true, None);
        assert_eq!(rich("Un lac.\n\nUn col & un bois."), "<p>Un lac.</p><p>Un col &amp; un bois.</p>");
        assert_eq!(
            rich("<p onclick=x>Un <a href=\"javascript:x\">lac</a></p><p>Un <em>col</em></p><script>x</script>"),
            "<p>Un lac</p><p>Un <em>col</em></p>"
        );
        assert_eq!(rich("Un **lac** et **un col"), "<p>Un <strong>lac</strong> et un col</p>");
        assert_eq!(rich("```html\n<p>Un lac</p>\n```"), "<p>Un lac</p>");
        assert_eq!(finished("Un la\u{fffd}c", false, None), "Un lac");
        assert_eq!(finished("« Un lac »", false, Some(300)), "Un lac");
        assert_eq!(finished("Du **col** à « l’Étang »", false, Some(300)), "Du col à « l’Étang »");
        let long = finished(&"mot ".repeat(40), false, Some(60));
        assert!(long.chars().count() <= 60 && long.ends_with("mot…"), "{long}");
    }
}
