//! What the server itself sees happen: a file taken away is counted where it is given, with or without a script.
//! What a browser fetches before anybody asks for it, and a question for the head alone, take nothing away.

use app::App;
use axum::http::{HeaderMap, Method};
use domain::statistics::{Event, EventKind, EventSource};
use domain::{ParcoursId, WhiteLabelId};

use super::intake::{country, from_robot};
use super::keep::keep;

/// An event to count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CountedEvent<'a> {
    pub kind: EventKind,
    pub parcours_id: ParcoursId,
    pub white_label_id: WhiteLabelId,
    /// The kind of page or application it comes from.
    pub source: EventSource,
    pub language: &'a str,
}

/// Counts in the background: the request does not wait, and is answered also when counting fails.
pub(crate) fn note(app: &App, method: &Method, headers: &HeaderMap, seen: CountedEvent<'_>) {
    if method == Method::HEAD || is_prefetched(headers) || from_robot(headers) {
        return;
    }
    let event = Event {
        at: app.now(),
        parcours_id: seen.parcours_id,
        white_label_id: seen.white_label_id,
        kind: seen.kind,
        source: seen.source,
        country: country(app, headers),
        language: domain::statistics::language(seen.language),
        host: String::new(),
    };
    let app = app.clone();
    // What went wrong is in the log already.
    tokio::spawn(async move { keep(&app, vec![event]).await.ok() });
}

/// Whether a browser fetches it before a person asks for it: `Sec-Purpose: prefetch;prerender`, and `Purpose: prefetch` of older ones.
fn is_prefetched(headers: &HeaderMap) -> bool {
    ["sec-purpose", "purpose"].into_iter().any(|name| {
        let purpose = headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        purpose.split(';').any(|word| word.trim().eq_ignore_ascii_case("prefetch"))
    })
}
