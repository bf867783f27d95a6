//! A fault of an input: a stable code, its parameters and its field.

use serde::Serialize;
use serde_json::{Map, Value};

/// One fault of an input.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fault {
    /// The stable code, such as `parcours/availability-order`.
    pub code: &'static str,
    /// What the sentence needs: a number, a name.
    pub params: Map<String, Value>,
    /// JSON pointer of the field.
    pub field: String,
}

impl Fault {
    /// A fault of a field.
    pub fn new(code: &'static str, field: impl Into<String>) -> Self {
        Self { code, params: Map::new(), field: field.into() }
    }

    /// The fault with one more parameter.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.params.insert(name.to_owned(), value.into());
        self
    }
}
