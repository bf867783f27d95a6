//! Who may ask, from where, and how often: stands before every public feed.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, AUTHORIZATION, ORIGIN, VARY,
};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use domain::white_label::WhiteLabelSheet;
use sha2::{Digest, Sha256};
use store::record::load;
use store::white_label::WhiteLabels;

use super::words::{asked_locale, in_words};
use super::{FeedError, page_key};
use crate::App;
use crate::session::{ClientAddress, Token};

/// Unknown keys a minute that one address may try.
const WRONG_KEYS_A_MINUTE: u32 = 30;

/// The key a question came with: whose it is.
#[derive(Debug, Clone)]
pub struct PublicKey(Arc<Holder>);

/// The white-label of a key.
#[derive(Debug)]
pub struct Holder {
    /// Its number.
    pub id: i64,
    /// Whether it is the key that stands in pages, for everybody to read.
    pub of_pages: bool,
    /// What is set of it.
    pub sheet: WhiteLabelSheet,
}

impl PublicKey {
    /// What pages of a white-label's own show, for those of them that come from here.
    pub(super) fn of_own_pages(id: i64, sheet: WhiteLabelSheet) -> Self {
        Self(Arc::new(Holder { id, of_pages: true, sheet }))
    }
}

impl std::ops::Deref for PublicKey {
    type Target = Holder;

    fn deref(&self) -> &Holder {
        &self.0
    }
}

impl FromRequestParts<App> for PublicKey {
    type Rejection = FeedError;

    /// The door has looked at it before: without the door nobody comes in.
    async fn from_request_parts(parts: &mut Parts, _app: &App) -> Result<Self, FeedError> {
        parts.extensions.get::<Self>().cloned().ok_or(FeedError::KeyRequired)
    }
}

/// The addresses behind the door. Pictograms and events are for pages, which have no key to send.
fn is_behind(path: &str) -> bool {
    let own = path.strip_prefix("/api/public/v1/");
    path.starts_with("/api/v2/")
        || own.is_some_and(|rest| ["parcours", "pois", "open-data/"].iter().any(|feed| rest.starts_with(feed)))
}

/// Lets a question in, or says why not; tells the browser which pages may read the answer.
pub(crate) async fn stand(State(app): State<App>, request: Request, next: Next) -> Response {
    if !is_behind(request.uri().path()) {
        return next.run(request).await;
    }
    let locale = asked_locale(request.uri(), request.headers());
    let origin = request.headers().get(ORIGIN).cloned();
    let (mut parts, body) = request.into_parts();
    let (mut response, readable) = if parts.method == Method::OPTIONS {
        match preflight(&app, origin.as_ref()).await {
            Ok(()) => (StatusCode::NO_CONTENT.into_response(), true),
            Err(refusal) => (refusal.into_response(), false),
        }
    } else {
        match admitted(&app, &mut parts, origin.as_ref()).await {
            Ok(key) => {
                parts.extensions.insert(key);
                (next.run(Request::from_parts(parts, body)).await, true)
            }
            // A page that may ask is told that it asks too often, and a widget why it shows nothing; the others learn nothing.
            Err(refusal) => {
                let of_pages = sent(&parts).is_some_and(|key| page_key::is_one(&key));
                let readable = of_pages || matches!(refusal, FeedError::TooMany { .. });
                (refusal.into_response(), readable)
            }
        }
    };
    if readable {
        tell_origin(response.headers_mut(), origin);
    }
    response.headers_mut().insert(VARY, HeaderValue::from_static("origin, x-api-key, authorization, accept-encoding"));
    in_words(response, locale).await
}

/// The key, its origin and the rate limit.
async fn admitted(app: &App, parts: &mut Parts, origin: Option<&HeaderValue>) -> Result<PublicKey, FeedError> {
    let client = ClientAddress::of(&parts.extensions, &parts.headers, &app.settings).network();
    let (limiter, now) = (&app.feed.limiter, app.now());
    let wait = |retry_after_s| FeedError::TooMany { retry_after_s };
    let sent = sent(parts).ok_or(FeedError::KeyRequired)?;
    limiter.look((client, 0), now, WRONG_KEYS_A_MINUTE).map_err(wait)?;
    let own = parts.uri.path().starts_with("/api/public/v1/p");
    let Some(key) = holder(app, &sent).await?.filter(|key| own || !key.of_pages) else {
        limiter.take((client, 0), now, WRONG_KEYS_A_MINUTE).map_err(wait)?;
        return Err(FeedError::KeyUnknown);
    };
    if let Some(origin) = origin {
        let told = origin.to_str().unwrap_or_default();
        if !allows(app, &key.sheet, told) {
            return Err(FeedError::Origin { origin: told.chars().take(200).collect() });
        }
    }
    limiter.take((client, key.id), now, app.settings.public_requests_a_minute).map_err(wait)?;
    Ok(key)
}

/// The key as it was sent: in a header of its own, as a bearer, or in the address.
fn sent(parts: &Parts) -> Option<String> {
    let text = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
    let bearer = || text(AUTHORIZATION.as_str()).and_then(|value| value.strip_prefix("Bearer "));
    if let Some(key) = text("x-api-key").or_else(bearer) {
        return Some(key.trim().to_owned());
    }
    let pairs = form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes());
    pairs.into_iter().find(|(name, _)| name == "key").map(|(_, key)| key.into_owned())
}

/// Whose key it is: one that was handed out, or the one that stands in pages.
pub(crate) async fn holder(app: &App, sent: &str) -> Result<Option<PublicKey>, FeedError> {
    let of_pages = page_key::white_label(&app.key, sent);
    if of_pages.is_none() && Token::parse(sent).is_none() {
        return Ok(None);
    }
    let (db, hash) = (app.store.read(), Sha256::digest(sent.as_bytes()).into());
    let writes = db.writes();
    if let Some(known) = app.feed.keys.get(&hash, writes) {
        return Ok(Some(known));
    }
    let id = match of_pages {
        Some(id) => Some(id),
        None => store::feed::white_label_of_key(db, &hash).await?,
    };
    let Some(id) = id else { return Ok(None) };
    let Some(found) = load::<WhiteLabels>(db, id).await? else { return Ok(None) };
    let key = PublicKey(Arc::new(Holder { id, of_pages: of_pages.is_some(), sheet: found.sheet }));
    app.feed.keys.keep(hash, writes, key.clone(), 0);
    Ok(Some(key))
}

/// The origins of a white-label: its sites, and those it named.
pub(crate) fn origins(sheet: &WhiteLabelSheet) -> impl Iterator<Item = &str> {
    let own = [&sheet.domain, &sheet.preproduction_domain].into_iter().flatten();
    own.chain(&sheet.allowed_origins).map(|origin| origin.trim_end_matches('/'))
}

/// Whether pages of an origin may ask; ours always may.
pub(crate) fn allows(app: &App, sheet: &WhiteLabelSheet, origin: &str) -> bool {
    origins(sheet).chain([app.settings.public_url.as_str()]).any(|allowed| allowed.eq_ignore_ascii_case(origin))
}

/// A browser asks before it asks, without the key: an origin that any white-label allows may go on.
async fn preflight(app: &App, origin: Option<&HeaderValue>) -> Result<(), FeedError> {
    let told = origin.and_then(|origin| origin.to_str().ok()).unwrap_or_default();
    let facts = super::facts::facts(app).await?;
    if facts.white_labels.iter().any(|one| allows(app, &one.sheet, told)) {
        Ok(())
    } else {
        Err(FeedError::Origin { origin: told.chars().take(200).collect() })
    }
}

fn tell_origin(headers: &mut HeaderMap, origin: Option<HeaderValue>) {
    let Some(origin) = origin else { return };
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    for (name, value) in [
        (ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, POST, OPTIONS"),
        (ACCESS_CONTROL_ALLOW_HEADERS, "x-api-key, authorization, content-type, if-none-match"),
        (ACCESS_CONTROL_EXPOSE_HEADERS, "etag, retry-after"),
        (ACCESS_CONTROL_MAX_AGE, "600"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
