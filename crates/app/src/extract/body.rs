//! A JSON body, and a clear word on one that is not.

use std::error::Error;

use axum::RequestExt;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use http_body_util::LengthLimitError;
use serde::de::{DeserializeOwned, IgnoredAny};

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
    let parsed = read(bytes);
    // In JSON the character is always written in this way. The same letters may be a text that begins with a backslash.
    let may_have_nul = bytes.windows(ESCAPED_NUL.len()).any(|letters| letters == ESCAPED_NUL);
    // What is no JSON is reported as such.
    if !may_have_nul
        || matches!(parsed, Err(Rejection::BadJson { .. }))
        || serde_json::from_slice::<IgnoredAny>(bytes).is_err()
    {
        return parsed;
    }
    place_of_nul(bytes).map_or(parsed, |field| Err(Rejection::BadField { field }))
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Rejection> {
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
/// How many levels of arrays and objects a pointer may have.
const MAX_LEVELS: usize = 128;

/// Where a reader of JSON is in an array or an object around it.
enum Level<'a> {
    Item(usize),
    /// The name of the field, in its quotes and with its escapes; `None` before the name is read.
    Field(Option<&'a [u8]>),
}

/// The pointer to the first text with the character U+0000; where the name of a field has it, to the object of the field.
///
/// It goes over the letters of well-formed JSON, since a tree of values takes many times the memory of a body, and a reader of all values
/// refuses numbers such as `1e999`, which the type of a body may ignore.
fn place_of_nul(json: &[u8]) -> Option<String> {
    let mut levels: Vec<Level> = Vec::new();
    let (mut deeper, mut at) = (0_usize, 0);
    while let Some(byte) = json.get(at) {
        let begin = at;
        at += 1;
        match byte {
            b'"' => {
                let (end, has_nul) = end_of_text(json, at);
                at = end;
                if has_nul {
                    return Some(levels.iter().map(step).collect());
                }
                if let (0, Some(Level::Field(name @ None))) = (deeper, levels.last_mut()) {
                    *name = json.get(begin..end);
                }
            }
            b'[' | b'{' if levels.len() == MAX_LEVELS => deeper += 1,
            b'[' => levels.push(Level::Item(0)),
            b'{' => levels.push(Level::Field(None)),
            b']' | b'}' if deeper > 0 => deeper -= 1,
            b']' | b'}' => {
                levels.pop();
            }
            b',' if deeper == 0 => match levels.last_mut() {
                Some(Level::Item(index)) => *index += 1,
                Some(Level::Field(name)) => *name = None,
                None => {}
            },
            _ => {}
        }
    }
    None
}

/// Where a text ends that begins before `at`, after its last quote, and whether it has the character U+0000.
fn end_of_text(json: &[u8], mut at: usize) -> (usize, bool) {
    let mut has_nul = false;
    while let Some(byte) = json.get(at) {
        match byte {
            b'"' => return (at + 1, has_nul),
            b'\\' => {
                has_nul |= json[at..].starts_with(ESCAPED_NUL);
                at += 2;
            }
            _ => at += 1,
        }
    }
    (json.len(), has_nul)
}

/// A level as a part of a JSON pointer.
fn step(level: &Level) -> String {
    match level {
        Level::Item(index) => format!("/{index}"),
        Level::Field(None) => String::new(),
        Level::Field(Some(name)) => {
            let words = serde_json::from_slice::<String>(name);
            format!("/{}", escaped(&words.unwrap_or_else(|_| String::from_utf8_lossy(name).into_owned())))
        }
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
pub(crate) fn pointer(path: &serde_path_to_error::Path) -> String {
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
        assert_eq!(fault(r#"{"a":1e999,"b":"\u0000"}"#), "bad field /b", "a number that is not read");
        assert_eq!(fault(r#"{"title":{},"b":"\u0000","b":"x"}"#), "bad field /b", "a field that is there twice");
        assert_eq!(
            fault(r#"{"title":{"fr":"\u0000"}"#),
            "bad JSON at line 1, column 24",
            "what is no JSON comes first"
        );
        assert_eq!(fault(r#"{"title":3,"b":"\u0000","c":}"#), "bad field /title");
    }

    #[test]
    fn the_place_of_the_character_zero_is_found_at_any_depth() {
        let place = |json: &str| place_of_nul(json.as_bytes());
        assert_eq!(place(r#""\u0000""#).as_deref(), Some(""));
        assert_eq!(
            place(r#"[{}, [], {"a": [1, "x,]}", {"b\"~": ["", "c\u0000"]}]}]"#).as_deref(),
            Some("/2/a/2/b\"~0/1")
        );
        assert_eq!(place(r#"{"a": {"b": "x"}, "c": [{"d": 1, "\u0000": 2}]}"#).as_deref(), Some("/c/0"));
        assert_eq!(place(r#"{"a": ["\\u0000", "\\\\u0000", "u0000"], "b": null}"#), None);
        let deep = format!("{}\"a\", {{\"b\": \"\\u0000\"}}{}", "[".repeat(200), "]".repeat(200));
        assert_eq!(place(&deep), Some("/0".repeat(MAX_LEVELS)));
        let after = format!("[{}{}, \"\\u0000\"]", "[".repeat(200), "]".repeat(200));
        assert_eq!(place(&after).as_deref(), Some("/1"));
    }
}
