//! The built web app: files given by the binary, and `index.html` for the app's own paths.

use std::borrow::Cow;

use app::accepted::accepts_encoding;
use app::problem::Internal;
use app::{App, Asset, Rejection};
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{
    ACCEPT, ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, LOCATION,
    VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use outputs::feed;

use crate::web_build;
use crate::web_build::is_hashed;

const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const AN_HOUR: HeaderValue = HeaderValue::from_static("public, max-age=3600, stale-while-revalidate=86400");
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");
/// Folder of the built widget.
const WIDGET: &str = "widget/";

/// Fallback route: a file of the web app, the web app itself, or 404.
pub async fn fallback(State(app): State<App>, method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = feed::plain(uri.path()).trim_start_matches('/');
    let ours = ["api/", "map/", "media/", "builds/"].iter().any(|start| path.starts_with(start));
    if !ours && (method == Method::GET || method == Method::HEAD) {
        if let Some(response) = unslashed(path, uri.query()) {
            return response;
        }
        if let Some(response) = file(&app, path, &headers) {
            return response;
        }
        match of_other_build(&app, path, &headers).await {
            Ok(Some(response)) => return response,
            Ok(None) => {}
            Err(error) => return Rejection::from(error).into_response(),
        }
        if wants_page(path, &headers)
            && let Some(response) = file(&app, page_of(path), &headers)
        {
            return response;
        }
    }
    Rejection::NotFound { path: uri.path().to_owned() }.into_response()
}

/// The first parts of the paths of public pages, and the most parts behind them.
const PAGES: [(&str, usize); 6] = [("p", 2), ("s", 2), ("chez", 2), ("avis", 1), ("trek", 1), ("id", 2)];

/// The address of a public page with a slash at its end leads to the one without, the question kept: the web app has no such page.
fn unslashed(path: &str, query: Option<&str>) -> Option<Response> {
    let page = path.strip_suffix('/')?.trim_end_matches('/');
    let mut parts = page.split('/').skip_while(|part| ["en", "fr"].contains(part));
    let first = parts.next()?;
    let (_, most) = PAGES.iter().find(|(name, _)| *name == first)?;
    let behind = parts.count();
    if behind == 0 || behind > *most {
        return None;
    }
    let address = query.map_or_else(|| format!("/{page}"), |query| format!("/{page}?{query}"));
    let mut response = StatusCode::PERMANENT_REDIRECT.into_response();
    response.headers_mut().insert(LOCATION, HeaderValue::from_str(&address).ok()?);
    Some(response)
}

/// The page of the ground.
const GROUND: &str = "terrain/index.html";

/// The page that answers a path: that of the ground is another application, with its own service worker.
fn page_of(path: &str) -> &'static str {
    if path.split('/').next() == Some("terrain") { GROUND } else { "index.html" }
}

/// Browsers, and programs that take anything (`*/*`, or no header at all) such as monitors and link checkers. A name with a
/// suffix is a file that is not there.
fn wants_page(path: &str, headers: &HeaderMap) -> bool {
    let accept = headers.get(ACCEPT).map(|accept| accept.to_str().unwrap_or_default());
    let takes = |kind: &str| accept.is_some_and(|accept| accept.split(',').any(|one| one.trim().starts_with(kind)));
    let is_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    takes("text/html") || (!is_file && (accept.is_none() || takes("*/*")))
}

fn file(app: &App, path: &str, headers: &HeaderMap) -> Option<Response> {
    // Hidden folders hold what the build of the web app needs for itself.
    let is_hidden = path.split('/').any(|part| part.starts_with('.'));
    if path.is_empty() || is_hidden || path.contains("..") || path.strip_suffix(".br").is_some() {
        return None;
    }
    let plain = app.assets.get(path)?;
    let etag = HeaderValue::from_str(&format!("\"{}\"", plain.etag)).ok()?;
    let mut response = if headers.get(IF_NONE_MATCH) == Some(&etag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        body(app, path, plain, headers)?
    };
    describe(&mut response, path, etag);
    // They serve pages outside of their folders.
    let pages = match path {
        "public-page/worker.js" => Some("/"),
        "terrain/worker.js" => Some("/terrain"),
        _ => None,
    };
    if let Some(pages) = pages {
        let out = response.headers_mut();
        out.insert(HeaderName::from_static("service-worker-allowed"), HeaderValue::from_static(pages));
    }
    if path == GROUND {
        // A voice note is recorded there, and on no other page.
        let allowed = HeaderValue::from_static("geolocation=(self), camera=(), microphone=(self)");
        response.headers_mut().insert(HeaderName::from_static("permissions-policy"), allowed);
    }
    Some(response)
}

/// A chunk of a build that another server has, or that this one had before.
async fn of_other_build(app: &App, path: &str, headers: &HeaderMap) -> Result<Option<Response>, Internal> {
    let Some((asset, is_packed)) = web_build::file(app, path, accepts_encoding(headers, "br")).await? else {
        return Ok(None);
    };
    let (Ok(etag), Ok(mime)) =
        (HeaderValue::from_str(&format!("\"{}\"", asset.etag)), HeaderValue::from_str(&asset.mime))
    else {
        return Ok(None);
    };
    let mut response = if headers.get(IF_NONE_MATCH) == Some(&etag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        packed_or_plain(asset.bytes, mime, is_packed)
    };
    describe(&mut response, path, etag);
    Ok(Some(response))
}

/// The headers that every file has.
fn describe(response: &mut Response, path: &str, etag: HeaderValue) {
    let out = response.headers_mut();
    out.insert(CACHE_CONTROL, kept(path));
    out.insert(ETAG, etag);
    out.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if path.starts_with(WIDGET) || path.starts_with("public-page/") {
        // The widget, and the map it fetches, are loaded by the pages of other sites.
        out.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    }
}

/// How long a file may be cached. Pages of other sites contain the widget's address: it stays, and a new version arrives within the
/// hour.
fn kept(path: &str) -> HeaderValue {
    match path {
        _ if is_hashed(path) => FOREVER,
        _ if path.starts_with(WIDGET) => AN_HOUR,
        _ => ASK_AGAIN,
    }
}

fn body(app: &App, path: &str, plain: Asset, headers: &HeaderMap) -> Option<Response> {
    let mime = HeaderValue::from_str(&plain.mime).ok()?;
    let packed = accepts_encoding(headers, "br").then(|| app.assets.get(&format!("{path}.br"))).flatten();
    let is_packed = packed.is_some();
    Some(packed_or_plain(packed.map_or(plain.bytes, |packed| packed.bytes), mime, is_packed))
}

fn packed_or_plain(bytes: Cow<'static, [u8]>, mime: HeaderValue, is_packed: bool) -> Response {
    let mut response = Response::new(match bytes {
        Cow::Borrowed(bytes) => Body::from(bytes),
        Cow::Owned(bytes) => Body::from(bytes),
    });
    response.headers_mut().insert(CONTENT_TYPE, mime);
    if is_packed {
        response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("br"));
    }
    response
}
