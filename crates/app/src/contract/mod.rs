//! What the operations of the contract are asked while routes are put together, and the schemas of streamed files.

pub mod files;

use axum::http::Method;
use serde_json::json;
use utoipa::openapi::path::{Operation, PathItem};

/// Whether an operation needs a session.
pub fn needs_session(operation: &Operation) -> bool {
    operation.security.as_ref().is_some_and(|asked| {
        asked.iter().all(|one| json!(one).as_object().is_some_and(|ways| ways.contains_key("session")))
    })
}

/// The operations of a path.
pub fn operations(item: &mut PathItem) -> impl Iterator<Item = (Method, &mut Operation)> {
    let PathItem { get, put, post, delete, patch, options, head, .. } = item;
    [
        (Method::GET, get),
        (Method::PUT, put),
        (Method::POST, post),
        (Method::DELETE, delete),
        (Method::PATCH, patch),
        (Method::OPTIONS, options),
        (Method::HEAD, head),
    ]
    .into_iter()
    .filter_map(|(method, operation)| Some((method, operation.as_mut()?)))
}
