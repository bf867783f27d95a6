//! A JSON body, and a clear word on one that is not.

use std::error::Error;

use axum::RequestExt;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use http_body_util::LengthLimitError;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::slow_body::TooSlow;
use crate::{App, Rejection};

/// The body as JSON: `application/json` or any `…+json`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Body<T>(pub T);

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = Rejection;

    async fn from_request(request: Request, _app: &App) -> Result<Self, Rejection> {
        if !is_json(request.headers()) {
            return Err(Rejection::NotJson);
        }
        let bytes: Bytes = request.extract().await.map_err(refused)?;
        parse(&bytes).map(Self)
    }
}

/// Why the bytes did not come: over the limit, too slow, or broken off.
pub fn refused(rejection: BytesRejection) -> Rejection {
    if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE { Rejection::TooLarge } else { broken(&rejection) }
}

/// Why a body that is read in pieces did not arrive: over the limit, too slow, or broken off.
pub fn broken(error: &(dyn Error + 'static)) -> Rejection {
    let mut cause = Some(error);
    while let Some(error) = cause {
        // axum boxes the error before it wraps it.
        if error.is::<LengthLimitError>() || error.is::<Box<LengthLimitError>>() {
            return Rejection::TooLarge;
        }
        if error.is::<TooSlow>() {
            return Rejection::TooSlow;
        }
        cause = error.source();
    }
    Rejection::BrokenBody
}

fn is_json(headers: &HeaderMap) -> bool {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}

/// Reads JSON; a fault is reported by its field, or by line and column where it is no JSON at all. No text has the character U+0000,
/// which PostgreSQL does not store.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Rejection> {
    // In JSON the character is always written in this way. The same letters may be a text that begins with a backslash.
    if bytes.windows(ESCAPED_NUL.len()).any(|letters| letters == ESCAPED_NUL) {
        let nul = serde_json::from_slice::<Value>(bytes).ok().and_then(|json| place_of_nul(&json));
        if let Some(field) = nul {
            return Err(Rejection::BadField { field });
        }
    }
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let parsed = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let mut field = pointer(error.path());
        let inner = error.into_inner();
        if let Some(name) = missing_field(&inner.to_string()) {
            field = format!("{field}/{name}");
        }
        match inner.classify() {
            serde_json::error::Category::Data => Rejection::BadField { field },
            _ => Rejection::BadJson { line: inner.line(), column: inner.column() },
        }
    })?;
    json.end().map_err(|error| Rejection::BadJson { line: error.line(), column: error.column() })?;
    Ok(parsed)
}

/// U+0000 as JSON writes it.
const ESCAPED_NUL: &[u8] = br"\u0000";

/// The pointer to the first text with the character U+0000; where the name of a field has it, to the object of the field.
fn place_of_nul(json: &Value) -> Option<String> {
    match json {
        Value::String(text) => text.contains('\0').then(String::new),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .find_map(|(index, item)| place_of_nul(item).map(|below| format!("/{index}{below}"))),
        Value::Object(fields) => fields.iter().find_map(|(name, value)| {
            if name.contains('\0') {
                return Some(String::new());
            }
            place_of_nul(value).map(|below| format!("/{}{below}", escaped(name)))
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// The name of a field in a JSON pointer.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// The name of a field that is not there, of which serde reports what it should stand in.
fn missing_field(words: &str) -> Option<&str> {
    words.strip_prefix("missing field `")?.split('`').next()
}

/// A path into a value as a JSON pointer (RFC 6901).
fn pointer(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    path.iter().fold(String::new(), |mut pointer, segment| {
        pointer.push('/');
        match segment {
            Segment::Seq { index } => pointer.push_str(&index.to_string()),
            Segment::Map { key } => pointer.push_str(&escaped(key)),
            Segment::Enum { variant } => pointer.push_str(variant),
            Segment::Unknown => {}
        }
        pointer
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize)]
    struct Sheet {
        #[expect(dead_code, reason = "only read from JSON")]
        title: std::collections::BTreeMap<String, String>,
    }

    fn fault(json: &str) -> String {
        parse::<Sheet>(json.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn a_fault_is_reported_by_its_field_or_its_place() {
        assert_eq!(fault(r#"{"title":{"fr":3}}"#), "bad field /title/fr");
        assert_eq!(fault(r#"{"title":{"fr":"x"}"#), "bad JSON at line 1, column 19");
        assert_eq!(fault("{}"), "bad field /title");
        assert_eq!(fault(r#"{"title":{}} x"#), "bad JSON at line 1, column 14");
    }

    #[test]
    fn a_text_with_the_character_zero_is_reported_by_its_field() {
        assert_eq!(fault(r#"{"title":{"fr":"a\u0000b"}}"#), "bad field /title/fr");
        assert_eq!(fault(r#"{"title":{"fr":"x"},"a/b":["x",["\u0000"]]}"#), "bad field /a~1b/1/0");
        assert_eq!(fault(r#"{"title":{"f\u0000":"x"}}"#), "bad field /title");
        assert!(parse::<Sheet>(br#"{"title":{"fr":"\\u0000"}}"#).is_ok(), "a backslash, then letters");
    }
}
