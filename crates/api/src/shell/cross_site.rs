//! A write that another site made the browser send is refused.

use app::{App, Rejection};
use axum::extract::Request;
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, Method};
use outputs::feed;

/// Refuses writes whose origin is not ours. What is not a browser sends neither header, and no cookie it did not ask for.
pub(super) fn check(app: &App, request: &Request) -> Result<(), Rejection> {
    let reads = [Method::GET, Method::HEAD, Method::OPTIONS].contains(request.method());
    // Public routes read no cookie: a widget on another site sends its counts. The dialect of Geotrek takes no write, and says so to
    // the page that sent one.
    let path = request.uri().path();
    let is_public = feed::plain(path).starts_with("/api/public/") || feed::is_dialect(path);
    if reads || is_public || is_ours(request.headers(), &app.settings.public_url) {
        Ok(())
    } else {
        Err(Rejection::CrossSite)
    }
}

fn is_ours(headers: &HeaderMap, public_url: &str) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    if text("sec-fetch-site").is_some_and(|site| site != "same-origin" && site != "none") {
        return false;
    }
    let Some(origin) = headers.get(ORIGIN) else { return true };
    let Ok(origin) = origin.to_str() else { return false };
    let same_host = || {
        let host = headers.get(HOST).and_then(|host| host.to_str().ok())?;
        Some(origin.split_once("://")?.1.eq_ignore_ascii_case(host))
    };
    origin.eq_ignore_ascii_case(public_url) || same_host().unwrap_or(false)
}
