//! Files to take away.

use axum::body::Body;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::Response;

/// An answer that a browser saves under a name.
pub fn attachment(name: &str, mime: &'static str, bytes: impl Into<Body>) -> Response {
    let mut response = Response::new(bytes.into());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(mime));
    if let Ok(value) = HeaderValue::from_str(&disposition(name)) {
        response.headers_mut().insert(CONTENT_DISPOSITION, value);
    }
    response
}

/// RFC 6266: the name in ASCII for old readers, and in UTF-8.
fn disposition(name: &str) -> String {
    let ascii: String =
        name.chars().map(|c| if c.is_ascii_graphic() && !"\"\\;%".contains(c) || c == ' ' { c } else { '_' }).collect();
    let encoded: String = name
        .bytes()
        .map(|byte| {
            if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect();
    format!("attachment; filename=\"{ascii}\"; filename*=UTF-8''{encoded}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_accents_is_written_twice() {
        assert_eq!(
            disposition("été \"x\".gpx"),
            "attachment; filename=\"_t_ _x_.gpx\"; filename*=UTF-8''%C3%A9t%C3%A9%20%22x%22.gpx"
        );
    }
}
