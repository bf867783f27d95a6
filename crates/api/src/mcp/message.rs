//! Messages that the library cannot read. It answers them with 415 and plain text; clients of JSON-RPC read an error object.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use rmcp::model::{ClientJsonRpcMessage, ErrorCode};
use serde::Deserialize as _;
use serde_json::{Value, json};

/// Why a message is refused before the library has it, as JSON-RPC 2.0 numbers it.
#[derive(Debug)]
pub(super) struct Unreadable {
    code: ErrorCode,
    sentence: String,
    /// The `id` of the message, where it can be read.
    id: Value,
}

impl IntoResponse for Unreadable {
    fn into_response(self) -> Response {
        let error = json!({"code": self.code.0, "message": self.sentence});
        (StatusCode::BAD_REQUEST, Json(json!({"jsonrpc": "2.0", "id": self.id, "error": error}))).into_response()
    }
}

/// Refuses what is no JSON, and what is no message: a batch, an object without method.
pub(super) fn check(bytes: &[u8]) -> Result<(), Unreadable> {
    let message: Value = serde_json::from_slice(bytes).map_err(|error| Unreadable {
        code: ErrorCode::PARSE_ERROR,
        sentence: format!("the message is not JSON: line {}, column {}", error.line(), error.column()),
        id: Value::Null,
    })?;
    let invalid = |sentence: &str| {
        let id = message.get("id").filter(|id| id.is_string() || id.is_number()).cloned().unwrap_or_default();
        Err(Unreadable { code: ErrorCode::INVALID_REQUEST, sentence: sentence.to_owned(), id })
    };
    if message.is_array() {
        return invalid("batches are not taken: send each message alone");
    }
    if ClientJsonRpcMessage::deserialize(&message).is_ok() {
        return Ok(());
    }
    invalid("the message is no JSON-RPC 2.0 request: it needs `jsonrpc`, `id` and `method`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_refused_with_its_number_and_its_id() {
        let code = |text: &str| check(text.as_bytes()).err().map(|unreadable| (unreadable.code.0, unreadable.id));
        assert_eq!(code(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#), None);
        assert_eq!(code(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#), None);
        assert_eq!(code(r#"{"jsonrpc":"2.0","id":1,"method":"no/such/method"}"#), None, "the library answers it");
        assert_eq!(code("{"), Some((-32_700, Value::Null)));
        assert_eq!(code(""), Some((-32_700, Value::Null)));
        assert_eq!(code(r#"[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]"#), Some((-32_600, Value::Null)));
        assert_eq!(code(r#"{"jsonrpc":"2.0","id":7}"#), Some((-32_600, json!(7))));
        assert_eq!(code(r#"{"id":"a","method":"tools/list"}"#), Some((-32_600, json!("a"))));
        assert_eq!(code("3"), Some((-32_600, Value::Null)));
    }
}
