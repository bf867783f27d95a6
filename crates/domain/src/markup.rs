//! HTML before it is parsed. An HTML parser takes time with the square of its input when elements nest deeply, when one has many
//! attributes, or when tables hold what does not belong there. Such HTML is simplified before it is parsed, in one pass.
//!
//! This bounds the time only. Scripts and other unsafe parts are removed afterwards, by the rules of the parser.

use std::borrow::Cow;

use crate::html::{after_element, decode_entities};

/// Elements a rich text may have.
pub const TAGS: [&str; 16] =
    ["p", "br", "strong", "b", "em", "i", "u", "s", "ul", "ol", "li", "h2", "h3", "h4", "blockquote", "a"];
/// Other elements that a parser reads without surprises.
const ORDINARY: [&str; 24] = [
    "h1",
    "h5",
    "h6",
    "div",
    "span",
    "img",
    "hr",
    "section",
    "article",
    "header",
    "footer",
    "small",
    "sub",
    "sup",
    "font",
    "pre",
    "code",
    "dl",
    "dt",
    "dd",
    "figure",
    "figcaption",
    "script",
    "style",
];
/// Elements without content or end tag (HTML 13.1.2, void elements).
const VOID: [&str; 3] = ["br", "hr", "img"];
/// A text this short takes a parser no time, with any content.
const SHORT: usize = 2_048;
/// The most elements inside each other.
const MAX_DEPTH: usize = 32;
/// Elements that a parser opens again in each paragraph until they end.
const FORMATTING: [&str; 11] = ["a", "b", "code", "em", "font", "i", "s", "small", "strong", "u", "strike"];
/// The most of them inside each other.
const MAX_FORMATTING: usize = 6;
/// The most attributes of an element.
const MAX_ATTRIBUTES: usize = 32;

/// The same HTML where a parser reads it in time proportional to its length; else its words and the elements of [`TAGS`] alone.
pub fn simplified(html: &str) -> Cow<'_, str> {
    if html.len() <= SHORT || is_simple(html) { Cow::Borrowed(html) } else { Cow::Owned(reduced(html)) }
}

/// The tags of HTML without those of line breaks, those of links with their address; sorted.
pub(crate) fn sorted_tags(html: &str) -> Vec<String> {
    let tag = |token| match token {
        // Services add and drop line breaks.
        Token::Start { name, .. } if name.eq_ignore_ascii_case("br") => None,
        Token::Start { name, value, .. } => {
            let address = value.filter(|_| name.eq_ignore_ascii_case("a")).map(decode_entities).unwrap_or_default();
            Some(format!("{} {address}", name.to_ascii_lowercase()))
        }
        Token::End(name) => Some(format!("/{}", name.to_ascii_lowercase())),
        Token::Text(_) | Token::Hidden => None,
    };
    let mut tags: Vec<String> = Tokens { rest: html }.filter_map(tag).collect();
    tags.sort_unstable();
    tags
}

fn is_simple(html: &str) -> bool {
    let mut open = Open::default();
    Tokens { rest: html }.all(|token| match token {
        Token::Start { name, attributes, .. } => {
            let known = TAGS.iter().chain(&ORDINARY).any(|tag| tag.eq_ignore_ascii_case(name));
            known && attributes <= MAX_ATTRIBUTES && open.start(name)
        }
        Token::End(name) => {
            open.end(name);
            true
        }
        Token::Text(_) | Token::Hidden => true,
    })
}

/// The words, and the elements a rich text may have, none deeper than allowed.
fn reduced(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut open = Open::default();
    for token in (Tokens { rest: html }) {
        match token {
            Token::Text("<") => out.push_str("&lt;"),
            Token::Text(words) => out.push_str(words),
            Token::Start { name, value, .. } => {
                if TAGS.iter().any(|tag| tag.eq_ignore_ascii_case(name)) && open.start(name) {
                    out.push('<');
                    out.push_str(name);
                    if let Some((attribute, value)) = attribute_of(name).zip(value) {
                        out.push(' ');
                        out.push_str(attribute);
                        out.push_str("=\"");
                        out.push_str(&value.replace('"', "&quot;"));
                        out.push('"');
                    }
                    out.push('>');
                }
            }
            Token::End(name) => {
                if open.end(name) {
                    out.push_str("</");
                    out.push_str(name);
                    out.push('>');
                }
            }
            Token::Hidden => {}
        }
    }
    out
}

/// The elements that are open, or more: never fewer than a parser has.
#[derive(Default)]
struct Open<'a>(Vec<&'a str>);

impl<'a> Open<'a> {
    /// Whether one more may begin.
    fn start(&mut self, name: &'a str) -> bool {
        if VOID.iter().any(|tag| tag.eq_ignore_ascii_case(name)) {
            return true;
        }
        // `<p>one<p>two`, `<li>one<p>two<li>three`: the second ends the first.
        if is_ended_by_others(name) {
            if !name.eq_ignore_ascii_case("p") {
                while self.0.pop_if(|last| last.eq_ignore_ascii_case("p")).is_some() {}
            }
            if self.0.last().is_some_and(|last| last.eq_ignore_ascii_case(name)) {
                return true;
            }
        }
        let formats = |name: &str| FORMATTING.iter().any(|tag| tag.eq_ignore_ascii_case(name));
        let many = formats(name) && self.0.iter().filter(|open| formats(open)).count() >= MAX_FORMATTING;
        if many || self.0.len() >= MAX_DEPTH {
            return false;
        }
        self.0.push(name);
        true
    }

    /// Whether one of this name was open.
    fn end(&mut self, name: &str) -> bool {
        let Some(at) = self.0.iter().rposition(|open| open.eq_ignore_ascii_case(name)) else { return false };
        if self.0[at + 1..].iter().all(|inside| is_ended_by_others(inside)) {
            self.0.truncate(at);
        } else {
            // What stays open around its end, as `</p>` in `<p><b></p>`, a parser opens again.
            self.0.remove(at);
        }
        true
    }
}

/// Whether an element needs no end tag: the next of its kind ends it, and so does the end of what it is in.
fn is_ended_by_others(name: &str) -> bool {
    ["p", "li", "dt", "dd"].iter().any(|tag| tag.eq_ignore_ascii_case(name))
}

/// The attribute that an element of a rich text may have.
fn attribute_of(name: &str) -> Option<&'static str> {
    let known = [("a", "href"), ("ol", "start")];
    known.into_iter().find(|(element, _)| element.eq_ignore_ascii_case(name)).map(|(_, attribute)| attribute)
}

/// A part of HTML.
enum Token<'a> {
    Text(&'a str),
    Start {
        name: &'a str,
        /// Of the attribute that the element may have.
        value: Option<&'a str>,
        attributes: usize,
    },
    End(&'a str),
    /// A comment, a declaration, a script, a tag that never ends.
    Hidden,
}

/// The parts of HTML, as its tokenizer finds them (html.spec.whatwg.org, 13.2.5).
struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let Some(tag) = self.rest.strip_prefix('<') else {
            return Some(Token::Text(self.take(self.rest.find('<').unwrap_or(self.rest.len()))));
        };
        let hidden = |this: &mut Self, end: Option<usize>| {
            this.take(end.unwrap_or(this.rest.len()));
            Some(Token::Hidden)
        };
        if let Some(comment) = tag.strip_prefix("!--") {
            return hidden(self, comment.find("-->").map(|end| 4 + end + 3));
        }
        let ends = tag.starts_with('/');
        let name_at = 1 + usize::from(ends);
        match self.rest[name_at..].chars().next() {
            Some(first) if first.is_ascii_alphabetic() => {}
            _ if ends || tag.starts_with(['!', '?']) => return hidden(self, tag.find('>').map(|end| end + 2)),
            _ => return Some(Token::Text(self.take(1))),
        }
        let after_name = self.rest[name_at..].find(|c: char| c.is_ascii_whitespace() || c == '/' || c == '>');
        let Some(after_name) = after_name.map(|length| name_at + length) else { return hidden(self, None) };
        let name = &self.rest[name_at..after_name];
        let Some((length, value, attributes)) = attributes(&self.rest[after_name..], attribute_of(name)) else {
            return hidden(self, None);
        };
        self.take(after_name + length);
        if ends {
            return Some(Token::End(name));
        }
        if ["script", "style"].iter().any(|hidden| hidden.eq_ignore_ascii_case(name)) {
            self.rest = after_element(self.rest, name);
            return Some(Token::Hidden);
        }
        Some(Token::Start { name, value, attributes })
    }
}

impl<'a> Tokens<'a> {
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }
}

/// The attributes after a tag's name: where the tag ends, the value of the wanted one, and how many there are. None where it never ends.
fn attributes<'a>(text: &'a str, wanted: Option<&str>) -> Option<(usize, Option<&'a str>, usize)> {
    let (mut rest, mut found, mut count) = (text, None, 0);
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        if let Some(after) = rest.strip_prefix('>') {
            return Some((text.len() - after.len(), found, count));
        }
        // A name may begin with an equals sign.
        let first = rest.chars().next()?.len_utf8();
        let end = rest[first..].find(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>' | '='))? + first;
        let (name, after) = (&rest[..end], rest[end..].trim_ascii_start());
        count += 1;
        let Some(value) = after.strip_prefix('=') else {
            rest = after;
            continue;
        };
        let value = value.trim_ascii_start();
        let quote = value.chars().next()?;
        let (from, to) = if matches!(quote, '"' | '\'') {
            (1, value[1..].find(quote)? + 1)
        } else {
            (0, value.find(|c: char| c.is_ascii_whitespace() || c == '>')?)
        };
        if found.is_none() && wanted.is_some_and(|wanted| name.eq_ignore_ascii_case(wanted)) {
            found = Some(&value[from..to]);
        }
        rest = &value[to + from..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_writes_stays_as_it_is() {
        let text = "<h2>Le lac</h2><p>Un <strong>lac</strong> et <a href=\"https://a.fr\" title='>'>un col</a>.<br></p><ul><li>eau<li>pain</ul>";
        assert!(is_simple(&text.repeat(100)));
        assert!(is_simple(&format!("<ul>{}</ul>{}", "<li>eau<p>pain".repeat(500), "<p>Un<p>deux".repeat(500))));
    }

    #[test]
    fn what_would_take_a_parser_long_is_reduced_to_words_and_known_elements() {
        let fill = "x".repeat(SHORT);
        let simplified_of = |html: &str| simplified(&format!("{html}{fill}")).replace(&fill, "");
        assert_eq!(simplified_of("<table><tr><td>Un <b>lac</b></table>"), "Un <b>lac</b>");
        assert_eq!(simplified_of("<svg><a href='https://a.fr/\"'>lac</a>"), "<a href=\"https://a.fr/&quot;\">lac</a>");
        assert_eq!(simplified_of("<table><tr><td><ol class=x start=3><li>Car</table>"), "<ol start=\"3\"><li>Car");
        assert_eq!(simplified_of("<x-y a=\"<p>\">3 < 4</x-y><!-- <p> --><script><p></script>"), "3 &lt; 4");
        let deep = "<div>".repeat(200);
        assert_eq!(simplified_of(&format!("{deep}<p>lac</p>")), "<p>lac</p>");
        let attributes: String = (0..100).map(|number| format!(" a{number}=1")).collect();
        assert_eq!(simplified_of(&format!("<p{attributes}>lac</p>")), "<p>lac</p>");
        let bold = simplified_of(&"<b>".repeat(200));
        assert_eq!(bold.matches("<b>").count(), MAX_FORMATTING);
        let lists = simplified_of(&"<ul>".repeat(200));
        assert_eq!(lists.matches("<ul>").count(), MAX_DEPTH);
    }

    #[test]
    fn quotes_hide_nothing_from_the_count() {
        let attributes: String = (0..100).map(|number| format!(" a{number}")).collect();
        let html = format!("<p x='>'{attributes}>{}", "x".repeat(SHORT));
        assert!(!is_simple(&html));
        assert!(!is_simple(&format!("<p =x{attributes}>")));
        assert!(!is_simple(&format!("<p x=y{attributes}/>")));
    }
}
