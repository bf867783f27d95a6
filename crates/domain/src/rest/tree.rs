//! What is unknown in a document, by its place.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// A place below an object or a list.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    /// A field.
    Name(String),
    /// An item of a list.
    Item(usize),
}

/// What a document holds that this version does not know; for nearly all documents nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rest(Option<Box<Held>>);

#[derive(Debug, Clone, Default, PartialEq)]
struct Held {
    unknown: Node,
    /// The known fields as they were read: items of lists are found again by them.
    read: Map<String, Value>,
}

/// The unknown fields of one object, and of what is below it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Node {
    fields: Map<String, Value>,
    below: BTreeMap<Key, Node>,
}

impl Node {
    pub(super) fn add(&mut self, path: &[Key], name: &str, value: Value) {
        match path.split_first() {
            None => {
                self.fields.insert(name.to_owned(), value);
            }
            Some((first, path)) => self.below.entry(first.clone()).or_default().add(path, name, value),
        }
    }

    /// Without what the type writes itself, such as the tag of a shape.
    fn without(&mut self, written: &Value) {
        if let Value::Object(written) = written {
            self.fields.retain(|name, _| !written.contains_key(name));
        }
        for (key, node) in &mut self.below {
            let below = match key {
                Key::Name(name) => written.get(name),
                Key::Item(at) => written.get(at),
            };
            node.without(below.unwrap_or(&Value::Null));
        }
        self.below.retain(|_, node| !node.is_empty());
    }

    fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.below.is_empty()
    }

    fn add_to(&self, now: &mut Value, read: &Value) {
        match now {
            Value::Object(now) => {
                for (name, value) in &self.fields {
                    now.entry(name).or_insert_with(|| value.clone());
                }
                for (key, node) in &self.below {
                    if let Key::Name(name) = key
                        && let Some(below) = now.get_mut(name)
                    {
                        node.add_to(below, read.get(name).unwrap_or(&Value::Null));
                    }
                }
            }
            Value::Array(now) => {
                let read = read.as_array().map(Vec::as_slice).unwrap_or_default();
                // Found before any of them changes.
                let found: Vec<(usize, &Self, &Value)> =
                    self.below.iter().filter_map(|(key, node)| same_item(key, node, read, now)).collect();
                for (at, node, read) in found {
                    if let Some(item) = now.get_mut(at) {
                        node.add_to(item, read);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Where an item of a list is by now: it has the same `id`; of items without one, the one that is unchanged, or, in a list that kept its
/// length, the one that changed in the same place.
fn same_item<'a>(key: &Key, node: &'a Node, read: &'a [Value], now: &[Value]) -> Option<(usize, &'a Node, &'a Value)> {
    let Key::Item(before) = key else { return None };
    let item = read.get(*before)?;
    let at = match item.get("id").filter(|id| !id.is_null()) {
        Some(id) => now.iter().position(|other| other.get("id") == Some(id)),
        None if now.get(*before) == Some(item) => Some(*before),
        None => now.iter().position(|other| other == item).or_else(|| {
            let is_changed_there =
                read.len() == now.len() && !now.get(*before).is_some_and(|other| read.contains(other));
            is_changed_there.then_some(*before)
        }),
    };
    Some((at?, node, item))
}

/// What is held, where there are unknown fields at the top.
fn filled(rest: &Rest) -> Option<&Held> {
    rest.0.as_deref().filter(|held| !held.unknown.fields.is_empty())
}

impl Rest {
    /// What was found in a document whose known fields are these.
    pub(super) fn new(mut unknown: Node, read: Value) -> Self {
        unknown.without(&read);
        let Value::Object(read) = read else { return Self::default() };
        if unknown.is_empty() { Self::default() } else { Self(Some(Box::new(Held { unknown, read }))) }
    }

    /// Whether nothing is unknown.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Adds it to a document: nothing that is there is changed.
    pub(super) fn add_to(&self, document: &mut Value) {
        let (Some(held), Value::Object(fields)) = (&self.0, document) else { return };
        for (name, value) in &held.unknown.fields {
            fields.entry(name).or_insert_with(|| value.clone());
        }
        for (key, node) in &held.unknown.below {
            if let Key::Name(name) = key
                && let Some(below) = fields.get_mut(name)
            {
                node.add_to(below, held.read.get(name).unwrap_or(&Value::Null));
            }
        }
    }

    /// Follows a field that is taken from another state of the document: what is unknown in it comes too. Where that state knows no
    /// more, what was kept here stays.
    pub fn take_field(&mut self, name: &str, from: &Self) {
        let Some(from) = &from.0 else { return };
        let key = Key::Name(name.to_owned());
        let Some(node) = from.unknown.below.get(&key) else { return };
        let held = self.0.get_or_insert_default();
        held.unknown.below.insert(key, node.clone());
        held.read.insert(name.to_owned(), from.read.get(name).cloned().unwrap_or(Value::Null));
    }

    /// The unknown fields of another document that this one lacks: two records become one.
    pub fn take_missing(&mut self, from: &Self) {
        let Some(from) = filled(from) else { return };
        let held = self.0.get_or_insert_default();
        for (name, value) in &from.unknown.fields {
            held.unknown.fields.entry(name).or_insert_with(|| value.clone());
        }
    }

    /// What is unknown in a document that takes the place of another: its own, then what only the other has. This version cannot
    /// know whether the newer one would have emptied it.
    #[must_use]
    pub fn over(&self, present: &Self) -> Self {
        let Some(present) = &present.0 else { return self.clone() };
        let mut all = (**present).clone();
        if let Some(own) = &self.0 {
            all.unknown.fields.extend(own.unknown.fields.clone());
            for (key, node) in &own.unknown.below {
                all.unknown.below.insert(key.clone(), node.clone());
                if let Key::Name(name) = key {
                    all.read.insert(name.clone(), own.read.get(name).cloned().unwrap_or(Value::Null));
                }
            }
        }
        Self(Some(Box::new(all)))
    }
}
