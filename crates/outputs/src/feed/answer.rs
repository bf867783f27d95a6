//! Answers that are remembered as they were written, with their tag.

use std::future::Future;
use std::io::Write;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use app::accepted::accepts_encoding;
use app::{App, etag};
use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::Response;
use store::MAX_REPLICA_LAG;

use super::FeedError;
use super::access::PublicKey;
use super::state::FeedState;

/// JSON.
pub const JSON: &str = "application/json";
/// GeoJSON.
pub const GEOJSON: &str = "application/geo+json";
/// XML.
pub const XML: &str = "application/xml; charset=utf-8";
/// A drawing.
pub const SVG: &str = "image/svg+xml";
/// JSON-LD.
pub const JSON_LD: &str = "application/ld+json";

/// A reader asks again after a minute, with the tag it has.
const A_MINUTE: HeaderValue = HeaderValue::from_static("private, max-age=60");
/// Shorter answers are not worth packing.
const WORTH_PACKING: usize = 1_000;

/// An answer as it goes out.
#[derive(Debug)]
pub struct Answer {
    body: Bytes,
    packed: OnceLock<Bytes>,
    etag: HeaderValue,
    kind: &'static str,
}

impl Answer {
    fn new(text: String, kind: &'static str) -> Self {
        let etag = etag::weak(tagged(&text).as_bytes());
        Self { etag, body: Bytes::from(text), packed: OnceLock::new(), kind }
    }

    /// The bytes, packed once where the reader unpacks.
    fn bytes(&self, packs: bool) -> (Bytes, bool) {
        if !packs || self.body.len() < WORTH_PACKING {
            return (self.body.clone(), false);
        }
        (self.packed.get_or_init(|| packed(&self.body)).clone(), true)
    }

    fn response(&self, asked: &HeaderMap) -> Response {
        let (bytes, is_packed) = self.bytes(accepts_encoding(asked, "gzip"));
        let known = is_known(asked, &self.etag);
        let mut response = Response::new(if known { Body::empty() } else { Body::from(bytes) });
        if known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        } else if is_packed {
            response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.kind));
        headers.insert(ETAG, self.etag.clone());
        headers.insert(CACHE_CONTROL, A_MINUTE);
        response
    }
}

/// What the tag covers: all but the `until` at the beginning of what changed, which is another one with each question. A reader that
/// keeps an earlier one asks for a few minutes more the next time.
fn tagged(body: &str) -> &str {
    let after = body.strip_prefix(r#"{"until":""#).and_then(|rest| rest.split_once('"'));
    after.map_or(body, |(_, rest)| rest)
}

fn packed(body: &[u8]) -> Bytes {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    // Writing into memory does not fail.
    let _ = packer.write_all(body);
    packer.finish().map(Bytes::from).unwrap_or_default()
}

/// Whether the reader has the version of a tag, or asks for any (`*`).
pub fn is_known(asked: &HeaderMap, etag: &HeaderValue) -> bool {
    asked.get(IF_NONE_MATCH).is_some_and(|known| known == "*") || etag::is_known(asked, etag)
}

/// Whether an answer may be read from a replica: not where the reader asks what changed since an instant. What the replica does
/// not have yet would be lost to it for good.
fn may_be_behind(uri: &Uri) -> bool {
    let mut pairs = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    !uri.path().ends_with("/changes") && !pairs.any(|(name, _)| name == "since" || name == "updated_after")
}

/// The answer to a question of a key: the one that is remembered, else the one that is made.
pub async fn remembered(
    app: &App,
    key: &PublicKey,
    asked: &Parts,
    kind: &'static str,
    make: impl Future<Output = Result<String, FeedError>>,
) -> Result<Response, FeedError> {
    let path = asked.uri.path_and_query().map_or("/", |path| path.as_str());
    // The two kinds of key of a white-label reach different things, and addresses in an answer begin as its own did.
    let question = format!("{} {} {} {path}", key.id, key.of_pages, key.base(&app.settings.public_url));
    let writes = app.store.read().writes();
    if let Some(known) = app.shared::<FeedState>().answers.get(question.as_str(), writes) {
        return Ok(known.response(&asked.headers));
    }
    // In a box: it is large, and awaited in one of two places.
    let make = Box::pin(make);
    // A second in all, from the write to the answer: what the replica gave is remembered for less.
    let (made, age) = if app.store.replica().is_some() && may_be_behind(&asked.uri) {
        (app.store.recent(make).await?, MAX_REPLICA_LAG)
    } else {
        (make.await?, Duration::ZERO)
    };
    let answer = Arc::new(Answer::new(made, kind));
    let response = answer.response(&asked.headers);
    // Twice the body: the same is kept packed.
    let bytes = question.len() + 2 * answer.body.len();
    app.shared::<FeedState>().answers.keep_aged(question, writes, answer, bytes, age);
    Ok(response)
}

#[cfg(test)]
mod tests {
    use axum::http::header::ACCEPT_ENCODING;

    use super::*;

    #[test]
    fn a_reader_that_has_it_gets_no_body() {
        let answer = Answer::new("x".repeat(5_000), JSON);
        let mut asked = HeaderMap::new();
        assert_eq!(answer.response(&asked).status(), StatusCode::OK);
        asked.insert(IF_NONE_MATCH, answer.etag.clone());
        assert_eq!(answer.response(&asked).status(), StatusCode::NOT_MODIFIED);
        asked.insert(IF_NONE_MATCH, HeaderValue::from_static("\"other\""));
        assert_eq!(answer.response(&asked).status(), StatusCode::OK);
    }

    #[test]
    fn the_moment_of_a_question_is_not_in_its_tag() {
        let etag = |until: i64, removed: &[i64]| {
            Answer::new(feeds::own::changes(domain::Instant(until), 0, None, &[], removed), JSON).etag
        };
        assert_eq!(etag(0, &[4]), etag(60, &[4]));
        assert_ne!(etag(0, &[4]), etag(0, &[5]));
        assert_ne!(Answer::new("[1]".to_owned(), JSON).etag, Answer::new("[2]".to_owned(), JSON).etag);
    }

    #[test]
    fn what_changed_since_an_instant_is_never_read_from_a_replica() {
        let may = |uri: &'static str| may_be_behind(&Uri::from_static(uri));
        assert!(may("/api/v2/trek/?page=2") && may("/api/public/v1/parcours"));
        for now in [
            "/api/public/v1/parcours/changes?page=2",
            "/k/w1-a/api/public/v1/parcours/changes",
            "/api/public/v1/pois?page=1&updated_after=2026-01-01",
            "/api/v2/trek/?updated%5Fafter=2026-01-01",
        ] {
            assert!(!may(now), "{now}");
        }
    }

    #[test]
    fn what_is_long_is_packed_once_for_who_unpacks() {
        let answer = Answer::new("x".repeat(5_000), JSON);
        let mut asked = HeaderMap::new();
        asked.insert(ACCEPT_ENCODING, HeaderValue::from_static("br, gzip"));
        let response = answer.response(&asked);
        assert_eq!(response.headers().get(CONTENT_ENCODING).map(HeaderValue::as_bytes), Some(&b"gzip"[..]));
        assert!(answer.packed.get().is_some_and(|bytes| bytes.len() < 200 && bytes.starts_with(&[0x1f, 0x8b])));
        assert!(Answer::new("short".to_owned(), JSON).response(&asked).headers().get(CONTENT_ENCODING).is_none());
        asked.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip;q=0"));
        assert!(answer.response(&asked).headers().get(CONTENT_ENCODING).is_none(), "who refuses gzip gets none");
    }
}
