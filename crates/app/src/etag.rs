//! Tags of answers: what a reader has need not be sent again.

use axum::http::header::IF_NONE_MATCH;
use axum::http::{HeaderMap, HeaderValue};
use domain::hexadecimal;
use sha2::{Digest, Sha256};

/// The weak tag of an answer, or of all that it follows from.
pub fn weak(made_of: &[u8]) -> HeaderValue {
    let tag = format!("W/\"{}\"", hexadecimal(&Sha256::digest(made_of)[..12]));
    // Hexadecimal digits and quotes are valid in any header.
    HeaderValue::from_str(&tag).unwrap_or(HeaderValue::from_static("W/\"\""))
}

/// Whether the reader has the version of a tag: `If-None-Match` compares weakly (RFC 9110, 13.1.2).
pub fn is_known(asked: &HeaderMap, etag: impl AsRef<[u8]>) -> bool {
    let own = bare(etag.as_ref());
    asked.get(IF_NONE_MATCH).is_some_and(|list| list.as_bytes().split(|b| *b == b',').any(|tag| bare(tag) == own))
}

fn bare(tag: &[u8]) -> &[u8] {
    let tag = tag.trim_ascii();
    tag.strip_prefix(b"W/").unwrap_or(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_a_list_is_enough_however_weak() {
        let etag = weak(b"lac");
        assert_ne!(etag, weak(b"col"));
        let mut asked = HeaderMap::new();
        assert!(!is_known(&asked, &etag));
        let strong = etag.to_str().unwrap_or_default().trim_start_matches("W/").to_owned();
        for list in [strong.clone(), format!("\"other\", W/{strong}")] {
            asked.insert(IF_NONE_MATCH, HeaderValue::from_str(&list).unwrap_or(HeaderValue::from_static("")));
            assert!(is_known(&asked, &etag), "{list}");
        }
        asked.insert(IF_NONE_MATCH, HeaderValue::from_static("\"other\""));
        assert!(!is_known(&asked, &etag));
    }
}
