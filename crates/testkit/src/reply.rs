//! Answers of the server under test.

use axum::http::{HeaderMap, StatusCode};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// An answer, read to its end.
#[derive(Debug, Clone)]
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    /// The body.
    pub bytes: Vec<u8>,
}

/// A problem as a client reads it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Problem {
    /// The HTTP status.
    pub status: u16,
    /// The stable code.
    pub code: String,
    /// Parameters of the sentence.
    #[serde(default)]
    pub params: Map<String, Value>,
    /// JSON pointer of the field.
    #[serde(default)]
    pub field: Option<String>,
    /// Several faults at once.
    #[serde(default)]
    pub errors: Vec<Fault>,
    /// The current record, after a save over an older version.
    #[serde(default)]
    pub current: Option<Value>,
}

/// One of several faults.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Fault {
    /// The stable code.
    pub code: String,
    /// Parameters of the sentence.
    #[serde(default)]
    pub params: Map<String, Value>,
    /// JSON pointer of the field.
    pub field: String,
}

impl Reply {
    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// The body as JSON.
    ///
    /// # Panics
    /// If it is not JSON.
    pub fn json(&self) -> Value {
        self.read()
    }

    /// The body as a value.
    ///
    /// # Panics
    /// If it cannot be read as that type.
    pub fn read<T: DeserializeOwned>(&self) -> T {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|error| panic!("{error}: {} {}", self.status, self.text()))
    }

    /// The problem in the body.
    ///
    /// # Panics
    /// If the body is not a problem.
    pub fn problem(&self) -> Problem {
        assert_eq!(self.header("content-type"), "application/problem+json", "{} {}", self.status, self.text());
        let problem: Problem = self.read();
        assert_eq!(problem.status, self.status.as_u16());
        problem
    }

    /// The same answer, which must have this status.
    ///
    /// # Panics
    /// If it has another status.
    #[expect(clippy::return_self_not_must_use, reason = "a status that is only checked is a test too")]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status.as_u16(), status, "{}", self.text());
        self
    }

    /// A header's text; empty if it is absent.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}
