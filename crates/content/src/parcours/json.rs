//! JSON objects put together from values and from texts that are JSON already: what is stored is passed through unread.

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, ETAG, LOCATION};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// An object in the making.
#[derive(Debug)]
pub(crate) struct Object(String);

impl Object {
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        let mut text = String::with_capacity(bytes);
        text.push('{');
        Self(text)
    }

    /// A member from a value.
    pub(crate) fn field(&mut self, name: &str, value: &(impl Serialize + ?Sized)) -> &mut Self {
        // Only a map with keys that are no text fails, and no view has one.
        let text = serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned());
        self.raw(name, &text)
    }

    /// A member from a text that is JSON.
    pub(crate) fn raw(&mut self, name: &str, json: &str) -> &mut Self {
        self.comma();
        self.0.push('"');
        self.0.push_str(name);
        self.0.push_str("\":");
        self.0.push_str(json);
        self
    }

    /// All members of a text that is a JSON object.
    pub(crate) fn members_of(&mut self, object: &str) -> &mut Self {
        let inner = object.trim().strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or_default();
        if !inner.is_empty() {
            self.comma();
            self.0.push_str(inner);
        }
        self
    }

    pub(crate) fn finish(mut self) -> String {
        self.0.push('}');
        self.0
    }

    fn comma(&mut self) {
        if !self.0.ends_with('{') {
            self.0.push(',');
        }
    }
}

/// Texts that are JSON as a JSON list.
pub(crate) fn list_of(items: impl IntoIterator<Item = String>) -> String {
    let mut text = String::from("[");
    for item in items {
        if text.len() > 1 {
            text.push(',');
        }
        text.push_str(&item);
    }
    text.push(']');
    text
}

/// An answer whose body is JSON already.
#[derive(Debug)]
pub struct JsonText {
    body: String,
    version: Option<i64>,
    created_at: Option<String>,
}

impl JsonText {
    /// A plain answer.
    pub(crate) const fn new(body: String) -> Self {
        Self { body, version: None, created_at: None }
    }

    /// The JSON.
    pub(crate) fn as_str(&self) -> &str {
        &self.body
    }

    /// The answer with this version as its ETag.
    #[must_use]
    pub(crate) const fn version(mut self, version: i64) -> Self {
        self.version = Some(version);
        self
    }

    /// The same for something just made: 201 and where it is.
    #[must_use]
    pub(crate) fn created(mut self, path: String) -> Self {
        self.created_at = Some(path);
        self
    }
}

impl IntoResponse for JsonText {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.body));
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(tag) = self.version.and_then(|version| HeaderValue::from_str(&format!("\"{version}\"")).ok()) {
            response.headers_mut().insert(ETAG, tag);
        }
        if let Some(path) = self.created_at {
            *response.status_mut() = StatusCode::CREATED;
            if let Ok(path) = HeaderValue::from_str(&path) {
                response.headers_mut().insert(LOCATION, path);
            }
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_texts_make_one_object() {
        let mut object = Object::with_capacity(64);
        object.members_of("{}").field("id", &7).members_of(r#"{"title":{"fr":"L\"été}"}}"#).raw("steps", "[]");
        let text = object.finish();
        assert_eq!(text, r#"{"id":7,"title":{"fr":"L\"été}"},"steps":[]}"#);
        assert_eq!(list_of(["1".to_owned(), "2".to_owned()]), "[1,2]");
        assert_eq!(list_of([]), "[]");
    }
}
