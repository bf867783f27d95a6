//! XML as it really comes: elements found by name, and each of them small enough for a tree.

use std::borrow::Cow;
use std::ops::Range;

use domain::html::escaped;
use domain::markup::TAGS;
use quick_xml::escape::unescape_with;
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use super::bounds::{MAX_ITEMS, too_many};
use super::entities::named_character;
use super::route::Refused;

/// No item is nested deeper than this.
const MAX_DEPTH: usize = 60;
/// The most elements of one item: a circuit has some hundreds. One takes up to 300 bytes beside its text.
const MAX_ELEMENTS: usize = 500_000;
/// The most attributes of an element that are read.
const MAX_ATTRIBUTES: usize = 100;
/// The most attributes of one item in all its elements. One takes up to 120 bytes beside its text.
const MAX_ATTRIBUTES_IN_ALL: usize = 1_000_000;
/// The most characters of an identifier.
const MAX_ID: usize = 200;
/// Elements after which a plain text has a new line.
const ENDING_LINES: [&str; 8] = ["p", "div", "li", "tr", "h2", "h3", "h4", "blockquote"];

/// The range of an element in a document, and its identifier.
pub(super) type Found = (Option<String>, Range<usize>);

/// The elements of a name: the identifier and the range of each.
pub(super) fn split(text: &str, name: &str, id: impl Fn(&BytesStart) -> Option<String>) -> Result<Vec<Found>, Refused> {
    let mut reader = reader(text);
    let (mut items, mut open, mut depth) = (Vec::new(), None, 0_usize);
    loop {
        let before = reader.buffer_position() as usize;
        match reader.read_event().map_err(|error| damaged(text, &reader, &error))? {
            Event::Start(tag) => {
                if tag.local_name().as_ref() == name && open.is_none() {
                    open = Some((id(&tag), before, depth));
                }
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(Refused::new("import/too-deep"));
                }
            }
            Event::End(_) => {
                depth = depth.saturating_sub(1);
                if let Some((id, start, _)) = open.take_if(|(_, _, at)| *at == depth) {
                    if items.len() == MAX_ITEMS {
                        return Err(too_many(MAX_ITEMS));
                    }
                    items.push((id, start..reader.buffer_position() as usize));
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    Ok(items)
}

/// An element with all that is in it: a circuit is small.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) name: String,
    /// Names and values. A map would take 500 bytes for the first one.
    attributes: Box<[(String, String)]>,
    /// Its own text, without that of its children.
    pub(super) text: String,
    pub(super) children: Vec<Node>,
    /// Where it is in the text of its parent, in bytes.
    at: usize,
}

impl Node {
    pub(super) fn child(&self, name: &str) -> Option<&Node> {
        self.children.iter().find(|child| child.name == name)
    }

    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Node> {
        self.children.iter().filter(move |child| child.name == name)
    }

    pub(super) fn at(&self, path: &[&str]) -> Option<&Node> {
        path.iter().try_fold(self, |node, name| node.child(name))
    }

    /// The words of a child and of all elements inside it, in their order. A paragraph ends a line.
    pub(super) fn words(&self, name: &str) -> Option<String> {
        self.child(name)?.written(false)
    }

    /// The words of a child with the markup that a rich text may have.
    pub(super) fn rich(&self, name: &str) -> Option<String> {
        self.child(name)?.written(true)
    }

    fn written(&self, is_rich: bool) -> Option<String> {
        let mut words = String::new();
        self.gather(is_rich, &mut words);
        // Two characters, as some exports write the end of a line.
        let words = words.replace("\\r\\n", "\n");
        Some(words.trim().to_owned()).filter(|words| !words.is_empty())
    }

    fn gather(&self, is_rich: bool, into: &mut String) {
        let mut from = 0;
        for child in &self.children {
            into.push_str(self.text.get(from..child.at).unwrap_or_default());
            from = child.at;
            let name = child.name.to_ascii_lowercase();
            match name.as_str() {
                "script" | "style" => {}
                "br" => into.push_str(if is_rich { "<br>" } else { "\n" }),
                "a" if is_rich => {
                    let address = escaped(child.attribute("href").unwrap_or_default()).replace('"', "&quot;");
                    into.push_str(&format!("<a href=\"{address}\">"));
                    child.gather(is_rich, into);
                    into.push_str("</a>");
                }
                tag if is_rich && TAGS.contains(&tag) => {
                    into.push_str(&format!("<{tag}>"));
                    child.gather(is_rich, into);
                    into.push_str(&format!("</{tag}>"));
                }
                tag => {
                    child.gather(is_rich, into);
                    if ENDING_LINES.contains(&tag) {
                        into.push('\n');
                    }
                }
            }
        }
        into.push_str(self.text.get(from..).unwrap_or_default());
    }

    fn push(&mut self, child: Node) {
        let at = self.text.len();
        self.children.push(Node { at, ..child });
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().rev().find(|(key, _)| key == name);
        found.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    }
}

/// An element as a tree.
pub(super) fn tree(raw: &str) -> Result<Node, Refused> {
    let mut reader = reader(raw);
    let (mut open, mut elements, mut attributes): (Vec<Node>, usize, usize) = (vec![Node::default()], 0, 0);
    loop {
        let event = reader.read_event().map_err(|error| damaged(raw, &reader, &error))?;
        elements += usize::from(matches!(event, Event::Start(_) | Event::Empty(_)));
        if elements > MAX_ELEMENTS || attributes > MAX_ATTRIBUTES_IN_ALL {
            return Err(Refused::new("import/item-too-large"));
        }
        match event {
            Event::Start(tag) if open.len() > MAX_DEPTH => {
                return Err(Refused::new("import/too-deep").with("name", tag.name().as_ref().to_owned()));
            }
            Event::Start(tag) => {
                let read = node(&tag);
                attributes += read.attributes.len();
                open.push(read);
            }
            Event::Empty(tag) => {
                if let Some(parent) = open.last_mut() {
                    let read = node(&tag);
                    attributes += read.attributes.len();
                    parent.push(read);
                }
            }
            Event::End(_) => {
                if let Some(done) = open.pop()
                    && let Some(parent) = open.last_mut()
                {
                    parent.push(done);
                }
            }
            Event::Text(text) => {
                if let Some(node) = open.last_mut() {
                    node.text.push_str(&text.into_inner());
                }
            }
            Event::CData(text) => {
                if let Some(node) = open.last_mut() {
                    node.text.push_str(&text.into_inner());
                }
            }
            Event::GeneralRef(entity) => {
                if let Some(node) = open.last_mut() {
                    node.text.push_str(&resolved(&entity.into_inner()));
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    open.into_iter()
        .next()
        .and_then(|root| root.children.into_iter().next())
        .ok_or_else(|| Refused::new("trace/malformed"))
}

/// The text of an entity: the character of a number, or of a name of HTML. Empty for U+0000, which PostgreSQL does not store. Any other entity
/// is not replaced: no entity that a DTD declares is ever expanded.
fn resolved(name: &str) -> String {
    let number =
        name.strip_prefix("#x").map(|hex| u32::from_str_radix(hex, 16)).or(name.strip_prefix('#').map(str::parse));
    match number {
        Some(Ok(code)) => char::from_u32(code).filter(|c| *c != '\0').map(String::from).unwrap_or_default(),
        _ => named_character(name).map_or_else(|| format!("&{name};"), str::to_owned),
    }
}

fn node(tag: &BytesStart) -> Node {
    let name = tag.local_name().as_ref().to_owned();
    let attribute = |found: Attribute| {
        let (key, raw) = (found.key.local_name().as_ref().to_owned(), found.value.into_owned());
        let value = unescape_with(&raw, named_character).map(Cow::into_owned).unwrap_or(raw);
        (key, value)
    };
    let attributes = tag.attributes().with_checks(false).flatten().take(MAX_ATTRIBUTES).map(attribute).collect();
    Node { name, attributes, ..Node::default() }
}

/// An attribute of a tag as an identifier.
pub(super) fn attribute(tag: &BytesStart, name: &str) -> Option<String> {
    id(node(tag).attribute(name)?)
}

/// Words as an identifier: without control characters and without blanks around them. None where nothing is left.
pub(super) fn id(words: &str) -> Option<String> {
    let words: String = words.chars().filter(|c| !c.is_control()).collect();
    Some(words.trim().chars().take(MAX_ID).collect()).filter(|id: &String| !id.is_empty())
}

/// A number in an attribute of a document, which its first element with this attribute has.
pub(super) fn number_in(text: &str, attribute: &str) -> Option<u64> {
    let (_, rest) = text.split_once(&format!("{attribute}=\""))?;
    rest.split('"').next()?.trim().parse().ok()
}

fn reader(text: &str) -> Reader<&[u8]> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.allow_dangling_amp = true;
    reader
}

fn damaged(text: &str, reader: &Reader<&[u8]>, error: &quick_xml::Error) -> Refused {
    let at = (reader.error_position() as usize).min(text.len());
    let line = text.as_bytes()[..at].split(|byte| *byte == b'\n').count();
    Refused::new("trace/malformed").with("detail", error.to_string()).with("line", line.to_string())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn words_have_the_text_of_all_elements_inside() {
        let of = |inside: &str| {
            let node = tree(&format!("<a><t>{inside}</t></a>")).unwrap();
            [node.words("t"), node.rich("t")].map(Option::unwrap_or_default)
        };
        assert_eq!(of("A<b>gras</b>B"), ["AgrasB", "A<b>gras</b>B"]);
        assert_eq!(
            of("avec <i>un <u>mot</u></i> et<br/>suite"),
            ["avec un mot et\nsuite", "avec <i>un <u>mot</u></i> et<br>suite"]
        );
        assert_eq!(of("<P>Un</P><p>Deux</p>"), ["Un\nDeux", "<p>Un</p><p>Deux</p>"]);
        assert_eq!(of("<span>x</span><script>y</script>z<![CDATA[ <b>&</b>]]>"), ["xz <b>&</b>", "xz <b>&</b>"]);
        assert_eq!(of(r#"<a href="https://x/?a=&quot;">ici</a>"#), ["ici", r#"<a href="https://x/?a=&quot;">ici</a>"#]);
        assert_eq!(of("  "), ["", ""]);
    }

    #[test]
    fn entities_of_html_are_letters_and_others_stay() {
        let node = tree(
            r#"<a n="Caf&eacute; &amp; th&#233;"><t>Caf&eacute; &lt; for&ecirc;t&nbsp;&#8217;&inconnu; &</t></a>"#,
        )
        .unwrap();
        assert_eq!(node.words("t").unwrap(), "Café < forêt\u{a0}’&inconnu; &");
        assert_eq!(node.attribute("n"), Some("Café & thé"));
    }

    #[test]
    fn the_character_zero_is_no_letter() {
        assert_eq!(["#0", "#x0", "#00", "#65"].map(resolved), ["", "", "", "A"]);
        assert_eq!(tree("<a><t>a&#0;b&#x00;c</t></a>").unwrap().words("t").unwrap(), "abc");
    }

    #[test]
    fn an_identifier_has_no_blanks_around_it() {
        assert_eq!([id(" 4 "), id("\u{1}\n")], [Some("4".to_owned()), None]);
        let found = split("<l><c i=' 4 '/><c i=' 4 '></c></l>", "c", |tag| attribute(tag, "i")).unwrap();
        assert_eq!(found[0].0.as_deref(), Some("4"));
        assert_eq!(number_in("<l nb=\"20\">", "nb"), Some(20));
    }
}
