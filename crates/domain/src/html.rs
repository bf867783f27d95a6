//! Removes the markup from plain fields, and keeps only safe markup in rich fields (HTML).

use crate::Text;
use crate::white_space::{is_blank, on_one_line};

/// Cleans each language of a text and drops those that show nothing then.
pub fn clean_text(text: &mut Text, how: &dyn Fn(&str) -> String) {
    let cleaned: Text = text
        .iter()
        .map(|(lang, written)| (lang.to_owned(), how(written)))
        .filter(|(_, written)| !is_blank(written))
        .collect();
    *text = cleaned;
}

/// The sanitised HTML of a rich text; an empty string where it has neither words nor a picture.
pub fn rich(html: &str, sanitise: &dyn Fn(&str) -> String) -> String {
    // Text without markup needs no parser, and saving must stay cheap.
    let safe = if html.contains(['<', '&', '\0']) { sanitise(html) } else { html.to_owned() };
    let safe = safe.trim();
    // Editors write `<p>&nbsp;</p>` for an empty text.
    let is_empty = is_blank(&decode_entities(&plain(safe))) && !safe.contains("<img");
    if is_empty { String::new() } else { safe.to_owned() }
}

/// A text without markup: tags go, scripts and styles go with their content. `a < b` stays, and so do other words between `<` and `>`.
///
/// The time is proportional to the length: no part of the text is searched twice.
pub fn plain(text: &str) -> String {
    // Before the tags are looked for: `<scr\0ipt>` would be one afterwards.
    let text: String = text.chars().filter(|c| !c.is_control() || *c == '\n' || *c == '\t').collect();
    let mut out = String::with_capacity(text.len());
    // A `<` after the last `>` opens no tag. Looking for the end of each would search the rest of the text each time.
    let last_close = text.rfind('>');
    let mut rest = text.as_str();
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let start = text.len() - rest.len();
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
        } else if let Some((name, after)) = last_close.filter(|close| *close > start).and_then(|_| tag(rest)) {
            rest = hidden_element(name).map_or(after, |name| after_element(after, name));
        } else {
            out.push('<');
            rest = &rest[1..];
            continue;
        }
        // What stood on both sides of a tag makes no other: `<scr<b>ipt>`.
        if ends_in_name(&out) {
            out.push(' ');
        }
    }
    out.push_str(rest);
    out.trim().to_owned()
}

/// A text without markup and on one line, such as a title or a name.
pub fn plain_line(text: &str) -> String {
    plain(&on_one_line(text))
}

/// Plain text escaped for markup.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The characters of the few entities that sanitised HTML and translators' answers have.
pub fn decode_entities(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    // The ampersand comes last, so that nothing is decoded twice.
    text.replace("&nbsp;", "\u{a0}")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&copy;", "©")
        .replace("&amp;", "&")
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

/// The elements of HTML, with those of SVG that pages are given, and what a copy from a word processor has besides.
const ELEMENTS: &str = "!doctype ?xml o:p \
    a abbr acronym address animate applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br button \
    canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption \
    figure font footer foreignobject form frame frameset g h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins \
    isindex kbd keygen label legend li link listing main map mark marquee math menu menuitem meta meter nav nobr noembed noframes \
    noscript object ol optgroup option output p param path picture plaintext portal pre progress q rb rp rt rtc ruby s samp script \
    search section select slot small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th \
    thead time title tr track tt u ul use var video wbr xmp";
/// More characters than any of their names has.
const MAX_NAME_CHARS: usize = 16;

/// The name of the tag that a text starts with, `/name` where it closes an element, and what follows the tag.
fn tag(text: &str) -> Option<(&str, &str)> {
    let inside = &text[1..];
    let slash = usize::from(inside.starts_with('/'));
    let end = slash + inside[slash..].find(|c: char| !is_of_name(c))?;
    // HTML takes a `<` for a part of the name; here it ends it, so that `<a<b>` is no text.
    let ends = inside[end..].starts_with(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>' | '<'));
    let name = &inside[slash..end];
    let may_be_element = (1..=MAX_NAME_CHARS).contains(&name.len());
    let is_element =
        || may_be_element && ELEMENTS.split_ascii_whitespace().any(|known| known.eq_ignore_ascii_case(name));
    // The end is looked for last, so that the rest of the text is searched for tags alone.
    let close = (ends && is_element()).then(|| inside.find('>')).flatten()?;
    Some((&inside[..end], &inside[close + 1..]))
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '!' | '?' | ':' | '-')
}

/// Whether a text ends in what may be the beginning of a tag's name.
fn ends_in_name(text: &str) -> bool {
    let near = text.bytes().rev().take(MAX_NAME_CHARS);
    let within = near.take_while(|byte| *byte == b'/' || is_of_name(char::from(*byte))).count();
    text.as_bytes()[..text.len() - within].ends_with(b"<")
}

/// The name of an opening tag's element when its content is not text.
fn hidden_element(name: &str) -> Option<&'static str> {
    ["script", "style"].into_iter().find(|hidden| hidden.eq_ignore_ascii_case(name))
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
    fn a_text_that_shows_nothing_is_empty() {
        let as_it_is = |html: &str| html.to_owned();
        // The sanitiser writes characters in place of `&shy;` and other entities, but keeps `&nbsp;`.
        for html in
            ["<p>&nbsp;</p>", "<p>\u{a0}</p><p> \u{ad}\u{200b}</p>", "\u{200b}\u{feff}", "<ul><li>\u{2060}</li></ul>"]
        {
            assert_eq!(rich(html, &as_it_is), "", "{html:?}");
        }
        assert_eq!(rich("<p>&nbsp;<img src=\"a\"></p>", &as_it_is), "<p>&nbsp;<img src=\"a\"></p>");
        assert_eq!(rich("<p>&nbsp;a</p>", &as_it_is), "<p>&nbsp;a</p>");
        let mut title = Text::new("\u{200b}\u{ad}", "Lake");
        clean_text(&mut title, &plain_line);
        assert_eq!(title.languages().collect::<Vec<_>>(), ["en"]);
    }

    #[test]
    fn markup_leaves_a_plain_text_and_its_words_stay() {
        assert_eq!(plain("  Tour <b>du</b> lac\u{7} "), "Tour du lac");
        assert_eq!(plain("a < b et c > d"), "a < b et c > d");
        assert_eq!(plain("Lac<script>alert(1)</script> bleu"), "Lac bleu");
        assert_eq!(plain("Lac<SCRIPT src=x>alert(1)"), "Lac");
        assert_eq!(plain("<!-- caché -->vu <img src=x onerror=alert(1)>"), "vu");
        assert_eq!(plain("5 <"), "5 <");
        assert_eq!(plain("<script/>texte"), "", "the content of a script that is not closed goes too");
        assert_eq!(plain("Lac<style>a</ b></STYLE >bleu<!-- a > b"), "Lacbleu");
        assert_eq!(plain("<b>un</b> <deux <trois"), "un <deux <trois");
    }

    #[test]
    fn words_between_angle_brackets_stay() {
        for words in [
            "Le <GR 70> et <PR>",
            "x<y et z>w",
            "<scripture>texte</scripture>",
            "<b.c> </> <> <é> <bé>",
            "Le <br\u{e9}che> 5 <",
        ] {
            assert_eq!(plain(words), words);
        }
        let tags = "<!DOCTYPE html><?xml version='1.0'?><Iframe src=x></iframe><svg/onload=x><o:p></o:p>\
            <object><embed><form\n><input><template></template><a<b>";
        assert_eq!(plain(&format!("Lac{tags} bleu")), "Lac bleu");
    }

    #[test]
    fn what_is_left_of_a_text_makes_no_tag() {
        for (text, left) in [
            ("<scr<b>ipt>x</scr</b>ipt>", "<scr ipt>x</scr ipt>"),
            ("<<b>script>x", "< script>x"),
            ("<<!-- -->/b>", "< /b>"),
            ("<<script>x</script>img src=x>", "< img src=x>"),
            ("<scr\u{0}ipt>x</script>", ""),
            ("<im\u{7}g src=x>", ""),
        ] {
            assert_eq!(plain(text), left, "{text}");
            assert_eq!(plain(left), left, "{text}");
        }
    }

    #[test]
    fn entities_are_decoded_once() {
        assert_eq!(
            decode_entities("R&amp;D&nbsp;: 3&lt;4&gt;2 &quot;l&#39;eau&quot; &copy;"),
            "R&D\u{a0}: 3<4>2 \"l'eau\" ©"
        );
        assert_eq!(decode_entities("&amp;lt;b&amp;gt; & 5"), "&lt;b&gt; & 5");
    }

    #[test]
    fn a_rich_text_of_empty_tags_is_empty() {
        assert_eq!(rich("<p><br></p>", &str::to_owned), "");
        assert_eq!(rich("<p>là</p>", &str::to_owned), "<p>là</p>");
    }
}
