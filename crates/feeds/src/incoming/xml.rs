//! XML as it really comes: elements found by name, and each of them small enough for a tree.

use std::collections::BTreeMap;
use std::ops::Range;

use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use super::route::Refused;

/// No item is nested deeper than this.
const MAX_DEPTH: usize = 60;

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
    pub(super) attributes: BTreeMap<String, String>,
    pub(super) text: String,
    pub(super) children: Vec<Node>,
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

    pub(super) fn words(&self, name: &str) -> Option<String> {
        // Two characters, as some exports write the end of a line.
        let words = self.child(name)?.text.replace("\\r\\n", "\n");
        Some(words.trim().to_owned()).filter(|words| !words.is_empty())
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(|value| value.trim()).filter(|value| !value.is_empty())
    }
}

/// An element as a tree.
pub(super) fn tree(raw: &str) -> Result<Node, Refused> {
    let mut reader = reader(raw);
    let mut open: Vec<Node> = vec![Node::default()];
    loop {
        let event = reader.read_event().map_err(|error| damaged(raw, &reader, &error))?;
        match event {
            Event::Start(tag) if open.len() > MAX_DEPTH => {
                return Err(Refused::new("import/too-deep").with("name", tag.name().as_ref().to_owned()));
            }
            Event::Start(tag) => open.push(node(&tag)),
            Event::Empty(tag) => {
                if let Some(parent) = open.last_mut() {
                    parent.children.push(node(&tag));
                }
            }
            Event::End(_) => {
                if let Some(done) = open.pop()
                    && let Some(parent) = open.last_mut()
                {
                    parent.children.push(done);
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

/// The few entities of XML; those of a DTD are never expanded.
fn resolved(name: &str) -> String {
    let number =
        name.strip_prefix("#x").map(|hex| u32::from_str_radix(hex, 16)).or(name.strip_prefix('#').map(str::parse));
    match (name, number) {
        ("amp", _) => "&".to_owned(),
        ("lt", _) => "<".to_owned(),
        ("gt", _) => ">".to_owned(),
        ("quot", _) => "\"".to_owned(),
        ("apos", _) => "'".to_owned(),
        ("nbsp", _) => "\u{a0}".to_owned(),
        (_, Some(Ok(code))) => char::from_u32(code).map(String::from).unwrap_or_default(),
        _ => String::new(),
    }
}

fn node(tag: &BytesStart) -> Node {
    let name = tag.local_name().as_ref().to_owned();
    let attributes = tag
        .attributes()
        .with_checks(false)
        .flatten()
        .map(|found| {
            let (key, raw) = (found.key.local_name().as_ref().to_owned(), found.value.into_owned());
            (key, quick_xml::escape::unescape(&raw).map(std::borrow::Cow::into_owned).unwrap_or(raw))
        })
        .collect();
    Node { name, attributes, ..Node::default() }
}

/// An attribute of a tag, as a key.
pub(super) fn attribute(tag: &BytesStart, name: &str) -> Option<String> {
    let value = node(tag).attributes.remove(name)?;
    Some(value.chars().filter(|c| !c.is_control()).take(200).collect()).filter(|value: &String| !value.is_empty())
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
