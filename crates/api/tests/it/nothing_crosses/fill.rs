//! Fills the fields of a request body with markers, from the contract: a new text field is marked automatically.

use serde_json::{Map, Value, json};

/// The number of shapes of a text value that are tried until the server accepts one.
const SHAPES: usize = 4;

/// A text field of a body.
#[derive(Debug, Clone)]
pub struct TextField {
    /// JSON pointer of the field: `/title`, `/address/city`.
    pub pointer: String,
    /// Whether it is one text in several languages.
    is_text: bool,
    /// The shape to try: a plain marker, an e-mail address, a web address.
    shape: usize,
}

/// A schema, its reference followed.
pub fn resolved<'a>(contract: &'a Value, schema: &'a Value) -> &'a Value {
    let mut schema = schema;
    for _ in 0..8 {
        if let Some(name) = schema["$ref"].as_str() {
            schema = contract.pointer(name.trim_start_matches('#')).unwrap_or(&Value::Null);
        } else if let Some(first) =
            schema["oneOf"].as_array().and_then(|all| all.iter().find(|one| one["type"] != "null"))
        {
            schema = first;
        } else {
            break;
        }
    }
    schema
}

/// The schema of what an operation takes as JSON.
pub fn body_of<'a>(contract: &'a Value, operation: &'a Value) -> Option<&'a Value> {
    let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
    schema.is_object().then(|| resolved(contract, schema))
}

pub fn is_a(schema: &Value, name: &str) -> bool {
    let kind = &schema["type"];
    kind == name || kind.as_array().is_some_and(|all| all.iter().any(|one| one == name))
}

/// The text fields of a body, including those of objects directly in it.
pub fn text_fields(contract: &Value, schema: &Value, at: &str) -> Vec<TextField> {
    let mut found = Vec::new();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let pointer = format!("{at}/{name}");
        let is_text = property["$ref"].as_str().is_some_and(|name| name.ends_with("/Text"));
        let property = resolved(contract, property);
        if is_text || (is_a(property, "string") && property["enum"].is_null()) {
            found.push(TextField { pointer, is_text, shape: 0 });
        } else if at.is_empty() && is_a(property, "object") {
            found.extend(text_fields(contract, property, &pointer));
        }
    }
    found
}

impl TextField {
    /// The marker of this place.
    pub fn marker(&self, tag: &str) -> String {
        let words: String = self.pointer.chars().filter(char::is_ascii_alphanumeric).collect();
        format!("Zq7{tag}{words}")
    }

    /// The value to send for it; `None` when no value was accepted.
    fn value(&self, tag: &str) -> Option<Value> {
        let marker = self.marker(tag);
        let words = match self.shape {
            0 => marker,
            1 => format!("{}@marque.example", marker.to_lowercase()),
            2 => format!("https://{}.example/", marker.to_lowercase()),
            _ => return None,
        };
        Some(if self.is_text { json!({"fr": words, "en": words}) } else { json!(words) })
    }

    /// Whether it holds a marker.
    pub fn is_marked(&self) -> bool {
        self.shape + 1 < SHAPES
    }

    /// Takes the next shape when a fault points to this field; returns whether it did.
    pub fn refused(&mut self, fault: &str) -> bool {
        let within = |outer: &str, inner: &str| inner == outer || inner.starts_with(&format!("{outer}/"));
        let here = within(&self.pointer, fault) || (fault.len() > 1 && within(fault, &self.pointer));
        if here && self.is_marked() {
            self.shape = if self.is_text { SHAPES - 1 } else { self.shape + 1 };
            return true;
        }
        false
    }
}

/// The body: the given base, and every other text field with its marker.
pub fn body(base: &Value, fields: &[TextField], tag: &str) -> Value {
    let mut body = base.clone();
    for field in fields {
        let Some(value) = field.value(tag) else { continue };
        let mut at = &mut body;
        let names: Vec<&str> = field.pointer.trim_start_matches('/').split('/').collect();
        for (depth, name) in names.iter().enumerate() {
            let Some(object) = at.as_object_mut() else { break };
            if depth + 1 == names.len() {
                object.entry((*name).to_owned()).or_insert_with(|| value.clone());
                break;
            }
            at = object.entry((*name).to_owned()).or_insert_with(|| Value::Object(Map::new()));
        }
    }
    body
}
