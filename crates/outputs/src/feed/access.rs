//! Access to public feeds: which key a request carries, from which site, and how often.

use std::sync::Arc;

use app::client_address::ClientAddress;
use app::error_text::{asked_locale, in_words};
use app::token::{Token, bearer};
use app::{App, Rejection, client_limit};
use axum::extract::{FromRequestParts, Request};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, HOST, ORIGIN, VARY,
};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::white_label::WhiteLabelSheet;
use sha2::{Digest, Sha256};
use store::record::load;
use store::white_label::WhiteLabels;

use super::state::FeedState;
use super::{FeedError, page_key};

/// Unknown keys a minute that one address may try, over all servers.
const WRONG_KEYS_A_MINUTE: u32 = 30;

/// The key of a request: its white-label, and where the request carried it.
#[derive(Debug, Clone)]
pub struct PublicKey {
    owner: Arc<ApiKeyOwner>,
    place: KeyPlace,
}

/// Where a request carried its key.
#[derive(Debug, Clone, PartialEq, Eq)]
enum KeyPlace {
    HeaderOrQuery,
    /// In the path: `/k/<key>/api/v2/`.
    Path(String),
    /// Nowhere: the request came to the white-label's own domain.
    Domain(String),
}

/// The white-label of a key.
#[derive(Debug)]
pub struct ApiKeyOwner {
    pub id: i64,
    /// Whether it is the public key that pages contain.
    pub of_pages: bool,
    /// Settings of the white-label.
    pub sheet: WhiteLabelSheet,
}

impl PublicKey {
    /// What pages of a white-label's own show, for those of them that come from here.
    pub(super) fn of_own_pages(id: i64, sheet: WhiteLabelSheet) -> Self {
        Self::of(ApiKeyOwner { id, of_pages: true, sheet })
    }

    fn of(owner: ApiKeyOwner) -> Self {
        Self { owner: Arc::new(owner), place: KeyPlace::HeaderOrQuery }
    }

    fn at(self, place: KeyPlace) -> Self {
        Self { place, ..self }
    }

    /// What precedes `/api/` in the addresses of an answer: a request to one of them carries the key where this request carried it.
    pub(super) fn base(&self, public_url: &str) -> String {
        match &self.place {
            KeyPlace::HeaderOrQuery => public_url.to_owned(),
            KeyPlace::Path(key) => format!("{public_url}/k/{key}"),
            KeyPlace::Domain(origin) => origin.clone(),
        }
    }
}

impl std::ops::Deref for PublicKey {
    type Target = ApiKeyOwner;

    fn deref(&self) -> &ApiKeyOwner {
        &self.owner
    }
}

impl FromRequestParts<App> for PublicKey {
    type Rejection = FeedError;

    /// The middleware [`authorize`] has put it there; without it the request is refused.
    async fn from_request_parts(parts: &mut Parts, _app: &App) -> Result<Self, FeedError> {
        parts.extensions.get::<Self>().cloned().ok_or(FeedError::KeyRequired)
    }
}

/// The key that an address carries, and the address behind it: `/k/<key>/api/v2/trek/`.
pub(crate) fn carried(path: &str) -> Option<(&str, &str)> {
    let rest = path.strip_prefix("/k/")?;
    let end = rest.find('/')?;
    Some((&rest[..end], &rest[end..]))
}

/// An address without the key that it carries.
pub fn plain(path: &str) -> &str {
    carried(path).map_or(path, |(_, rest)| rest)
}

/// Whether an address is one of the dialect of Geotrek, whose readers try again after 503 and after nothing else.
pub fn is_dialect(path: &str) -> bool {
    plain(path).starts_with("/api/v2/")
}

/// A refusal for the moment, as readers of the dialect of Geotrek understand it.
pub fn retried(refusal: Rejection) -> Rejection {
    match refusal {
        Rejection::TooMany { retry_after_s } => Rejection::Overloaded { retry_after_s },
        other => other,
    }
}

/// Whether an address needs a key. Pictograms and events are for pages, which have no key to send.
pub fn needs_key(path: &str) -> bool {
    let own = plain(path).strip_prefix("/api/public/v1/");
    is_dialect(path)
        || own.is_some_and(|rest| {
            ["parcours", "pois", "white-label", "open-data/"].iter().any(|feed| rest.starts_with(feed))
        })
}

/// Passes a request on with its key, or refuses it. Pages of any site may read the refusal: it contains no data, and without CORS
/// headers a browser would hide why a widget shows nothing.
pub async fn authorize<F>(app: &App, request: Request, next: impl FnOnce(Request) -> F) -> Response
where
    F: Future<Output = Response>,
{
    if !needs_key(request.uri().path()) {
        return next(request).await;
    }
    let locale = asked_locale(request.uri(), request.headers());
    let origin = request.headers().get(ORIGIN).cloned();
    let (mut parts, body) = request.into_parts();
    let mut response = if parts.method == Method::OPTIONS {
        // A browser's preflight request carries no key: the request that follows is answered or refused.
        StatusCode::NO_CONTENT.into_response()
    } else {
        match admitted(app, &mut parts, origin.as_ref()).await {
            Ok(key) => {
                parts.extensions.insert(key);
                next(Request::from_parts(parts, body)).await
            }
            Err(refusal) => refusal.into_response(),
        }
    };
    tell_origin(response.headers_mut(), origin);
    response
        .headers_mut()
        .insert(VARY, HeaderValue::from_static("origin, host, x-api-key, authorization, accept-encoding"));
    in_words(response, locale).await
}

/// The key, its origin and the rate limit.
async fn admitted(app: &App, parts: &mut Parts, origin: Option<&HeaderValue>) -> Result<PublicKey, FeedError> {
    let client = ClientAddress::of(&parts.extensions, &parts.headers, &app.settings).network();
    let (limiter, now) = (&app.shared::<FeedState>().limiter, app.now());
    let dialect = is_dialect(parts.uri.path());
    let wait = |retry_after_s| {
        if dialect { FeedError::Later { retry_after_s } } else { FeedError::TooMany { retry_after_s } }
    };
    limiter.look((client, 0), now, WRONG_KEYS_A_MINUTE).map_err(wait)?;
    let Some(key) = key_of(app, parts).await? else {
        limiter.take((client, 0), now, WRONG_KEYS_A_MINUTE).map_err(wait)?;
        if let Err(retry_after_s) = client_limit::admit(app, "feed-key", client, WRONG_KEYS_A_MINUTE.into(), 60).await?
        {
            // From now on this server refuses without asking the database.
            limiter.empty((client, 0), now);
            return Err(wait(retry_after_s));
        }
        return Err(FeedError::KeyUnknown);
    };
    if let Some(origin) = origin {
        let site = origin.to_str().unwrap_or_default();
        if !allows(app, &key.sheet, site) {
            return Err(FeedError::Origin { origin: site.chars().take(200).collect() });
        }
    }
    limiter.take((client, key.id), now, app.settings.public_requests_a_minute).map_err(wait)?;
    // The key of pages opens what pages ask; whole files of open data are for programs.
    let asked = plain(parts.uri.path()).strip_prefix("/api/public/v1/");
    let for_pages = dialect || asked.is_some_and(|asked| asked.starts_with('p') || asked == "white-label");
    if key.of_pages && !for_pages {
        let is_sent = !matches!(key.place, KeyPlace::Domain(_));
        return Err(if is_sent { FeedError::KeyOfPages } else { FeedError::KeyRequired });
    }
    Ok(key)
}

/// The key of a question: the one its address carries, the one sent beside it, or that of the domain it came to. None where no
/// white-label has it.
async fn key_of(app: &App, parts: &Parts) -> Result<Option<PublicKey>, FeedError> {
    if let Some((sent, _)) = carried(parts.uri.path()) {
        if !page_key::is_one(sent) && Token::parse(sent).is_some() {
            return Err(FeedError::SecretInAddress);
        }
        let found = find_key(app, sent).await?.filter(|key| key.of_pages);
        return Ok(found.map(|key| key.at(KeyPlace::Path(sent.to_owned()))));
    }
    match sent(parts) {
        Some(sent) => find_key(app, &sent).await,
        None => at_domain(app, parts).await?.map(Some).ok_or(FeedError::KeyRequired),
    }
}

/// The white-label that a question came to by its own domain: the domain is as public as the key of its pages, and opens the same.
async fn at_domain(app: &App, parts: &Parts) -> Result<Option<PublicKey>, FeedError> {
    let named = parts.uri.authority().map(axum::http::uri::Authority::as_str);
    let host = named.or_else(|| parts.headers.get(HOST).and_then(|host| host.to_str().ok()));
    let Some(host) = host else { return Ok(None) };
    let found = super::near::site_at(app, host).await?;
    Ok(found.map(|(id, sheet, site)| PublicKey::of_own_pages(id, sheet).at(KeyPlace::Domain(site))))
}

/// The key of the request: in a header, as a bearer token, or in the address.
fn sent(parts: &Parts) -> Option<String> {
    let text = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(key) = text("x-api-key").or_else(|| bearer(&parts.headers)) {
        return Some(key.trim().to_owned());
    }
    let pairs = form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes());
    pairs.into_iter().find(|(name, _)| name == "key").map(|(_, key)| key.into_owned())
}

/// The white-label of a key: of a secret key, or of the public one in pages.
pub async fn find_key(app: &App, sent: &str) -> Result<Option<PublicKey>, FeedError> {
    let of_pages = page_key::white_label(&app.key, sent);
    if of_pages.is_none() && Token::parse(sent).is_none() {
        return Ok(None);
    }
    let (db, hash) = (app.store.read(), Sha256::digest(sent.as_bytes()).into());
    let writes = db.writes();
    if let Some(known) = app.shared::<FeedState>().keys.get(&hash, writes) {
        return Ok(Some(known));
    }
    let id = match of_pages {
        Some(id) => Some(id),
        None => store::feed::white_label_of_key(db, &hash).await?,
    };
    let Some(id) = id else { return Ok(None) };
    let Some(found) = load::<WhiteLabels>(db, id).await? else { return Ok(None) };
    let key = PublicKey::of(ApiKeyOwner { id, of_pages: of_pages.is_some(), sheet: found.sheet });
    app.shared::<FeedState>().keys.keep(hash, writes, key.clone(), 0);
    Ok(Some(key))
}

/// The origins of a white-label: its sites, and those it named.
pub fn origins(sheet: &WhiteLabelSheet) -> impl Iterator<Item = &str> {
    let own = [&sheet.domain, &sheet.preproduction_domain].into_iter().flatten();
    own.chain(&sheet.allowed_origins).map(|origin| origin.trim_end_matches('/'))
}

/// Whether pages of an origin may ask; ours always may.
pub fn allows(app: &App, sheet: &WhiteLabelSheet, origin: &str) -> bool {
    origins(sheet).chain([app.settings.public_url.as_str()]).any(|allowed| allowed.eq_ignore_ascii_case(origin))
}

/// Lets the page that asked read the answer.
pub fn tell_origin(headers: &mut HeaderMap, origin: Option<HeaderValue>) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_known_with_its_key_and_without() {
        assert_eq!(carried("/k/w1-a/api/v2/trek/"), Some(("w1-a", "/api/v2/trek/")));
        for none in ["/api/v2/trek/", "/k/w1-a", "/k/", "/kiosque/a/api/v2/"] {
            assert_eq!(carried(none), None, "{none}");
        }
        assert!(needs_key("/k/x/api/public/v1/pois") && needs_key("/api/v2/trek/") && is_dialect("/k/x/api/v2/trek/"));
        assert!(!needs_key("/k/x/api/v1/parcours") && !needs_key("/k/x/k/y/api/v2/trek/"));
    }
}
