//! A record as an answer: its ETag is its version, and a new record has a `Location`.

use axum::Json;
use axum::http::header::{ETAG, LOCATION};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// A view and its version.
#[derive(Debug, Clone)]
pub struct Reply<V> {
    pub view: V,
    /// Number of its last save.
    pub version: i64,
    /// Where it is, when it was just made.
    pub made_at: Option<String>,
}

impl<V> Reply<V> {
    /// A view with its version.
    pub const fn new(view: V, version: i64) -> Self {
        Self { view, version, made_at: None }
    }

    /// The reply for a record that was just created, at this path.
    #[must_use]
    pub fn made(self, path: String) -> Self {
        Self { made_at: Some(path), ..self }
    }
}

impl<V: Serialize> IntoResponse for Reply<V> {
    fn into_response(self) -> Response {
        let mut response = Json(self.view).into_response();
        if let Ok(tag) = HeaderValue::from_str(&format!("\"{}\"", self.version)) {
            response.headers_mut().insert(ETAG, tag);
        }
        if let Some(path) = self.made_at {
            *response.status_mut() = StatusCode::CREATED;
            if let Ok(path) = HeaderValue::from_str(&path) {
                response.headers_mut().insert(LOCATION, path);
            }
        }
        response
    }
}
