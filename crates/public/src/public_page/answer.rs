//! Answers as pages: a refusal is a page in words, not a problem for programs.

use std::future::Future;

use app::content_policy::policy_with_analytics;
use app::problem::Internal;
use app::{App, etag};
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, REFERRER_POLICY, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use domain::WhiteLabelId;
use maud::Markup;
use outputs::visitor_words::Language;
use store::StoreError;
use store::record::load;
use store::white_label::WhiteLabels;

use super::access::PageRequest;
use super::brand::Brand;
use super::{home, page};

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");
const X_ROBOTS_TAG: HeaderName = HeaderName::from_static("x-robots-tag");

/// Why there is nothing to show.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// Not there, or not public.
    #[error("no such page")]
    NotFound,
    /// A link that expired or was revoked.
    #[error("the link is over")]
    Ended {
        /// The white-label that handed it out, while it is known.
        owner: Option<WhiteLabelId>,
    },
    /// Too much is being made at once.
    #[error("busy, wait {retry_after_s} s")]
    Busy {
        /// Seconds to wait.
        retry_after_s: i64,
    },
    /// One address asks for too much.
    #[error("too many files, wait {retry_after_s} s")]
    TooMany {
        /// Seconds to wait.
        retry_after_s: i64,
    },
    /// A failure of the server.
    #[error(transparent)]
    Internal(#[from] Internal),
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self::Internal(error.into())
    }
}

/// The page asked for, or the page that explains the refusal.
pub async fn or_words(
    app: &App,
    request: &PageRequest,
    work: impl Future<Output = Result<Response, Refusal>>,
) -> Response {
    match work.await {
        Ok(response) => response,
        Err(refusal) => {
            let brand = worn(app, request, &refusal).await.unwrap_or_else(|error| {
                tracing::error!(%error, "the brand of a page was not read");
                Brand::jalon()
            });
            words(app, &brand, request.language, &refusal)
        }
    }
}

/// The look of a refusal's page: the brand of the white-label of the link or the domain, else Jalon's.
async fn worn(app: &App, request: &PageRequest, refusal: &Refusal) -> Result<Brand, StoreError> {
    match refusal {
        // The store that failed is not asked again.
        Refusal::Internal(_) => Ok(Brand::jalon()),
        Refusal::Ended { owner: Some(owner) } => brand_of(app, *owner).await,
        _ => match home::site(app, request).await? {
            Some((id, sheet, _)) => Brand::of(app.store.read(), WhiteLabelId(id), &sheet).await,
            None => Ok(Brand::jalon()),
        },
    }
}

async fn brand_of(app: &App, id: WhiteLabelId) -> Result<Brand, StoreError> {
    match load::<WhiteLabels>(app.store.read(), id.0).await? {
        Some(found) => Brand::of(app.store.read(), id, &found.sheet).await,
        None => Ok(Brand::jalon()),
    }
}

fn words(app: &App, brand: &Brand, language: Language, refusal: &Refusal) -> Response {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    let (status, title, message) = match refusal {
        Refusal::NotFound => (
            StatusCode::NOT_FOUND,
            t("Ce parcours n’est pas là", "This route is not here"),
            t(
                "Il n’est pas publié, ou l’adresse n’est pas la bonne. Demandez-la à la structure qui vous l’a donnée.",
                "It is not published, or the address is not right. Ask whoever gave it to you.",
            ),
        ),
        Refusal::Ended { .. } => (
            StatusCode::GONE,
            t("Ce lien n’est plus valable", "This link is no longer valid"),
            t(
                "Il a expiré ou a été retiré. Demandez un nouveau lien à la personne qui vous l’a envoyé.",
                "It has expired or was withdrawn. Ask the person who sent it for a new one.",
            ),
        ),
        Refusal::Busy { retry_after_s } if *retry_after_s > 60 => (
            StatusCode::SERVICE_UNAVAILABLE,
            t("Un instant", "One moment"),
            t(
                "Ce fichier ne peut pas être fait en ce moment. Réessayez dans quelques minutes.",
                "This file cannot be made at the moment. Try again in a few minutes.",
            ),
        ),
        Refusal::Busy { .. } => (
            StatusCode::SERVICE_UNAVAILABLE,
            t("Un instant", "One moment"),
            t(
                "Beaucoup de fichiers sont demandés en ce moment. Réessayez dans quelques secondes.",
                "Many files are being asked for at the moment. Try again in a few seconds.",
            ),
        ),
        Refusal::TooMany { .. } => (
            StatusCode::TOO_MANY_REQUESTS,
            t("Trop de demandes", "Too many requests"),
            t(
                "Votre connexion a demandé beaucoup de fichiers. Réessayez dans une minute.",
                "Your connection has asked for many files. Try again in a minute.",
            ),
        ),
        Refusal::Internal(error) if error.unavailable_s().is_some() => {
            tracing::error!(%error, "a public page waits for the database or the blobs");
            (
                StatusCode::SERVICE_UNAVAILABLE,
                t("Un instant", "One moment"),
                t(
                    "La page ne peut pas être affichée en ce moment. Réessayez dans quelques secondes.",
                    "The page cannot be shown at the moment. Try again in a few seconds.",
                ),
            )
        }
        Refusal::Internal(error) => {
            tracing::error!(%error, "a public page failed");
            (
                StatusCode::INTERNAL_SERVER_ERROR,
                t("La page n’a pas pu être affichée", "The page could not be shown"),
                t("La faute est chez nous. Réessayez dans un moment.", "The fault is ours. Try again in a moment."),
            )
        }
    };
    let markup = page::sentence(brand, language, (title, message), &app.settings.build_id, None);
    let mut response = Response::new(Body::from(markup.into_string()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HTML);
    let retry_after_s = match refusal {
        Refusal::Busy { retry_after_s } | Refusal::TooMany { retry_after_s } => Some(*retry_after_s),
        Refusal::Internal(error) => error.unavailable_s(),
        Refusal::NotFound | Refusal::Ended { .. } => None,
    };
    if let Some(retry_after_s) = retry_after_s {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(retry_after_s));
    }
    keep_private(response.headers_mut());
    response
}

/// A page of a few words about what a white-label sent, with a button that sends it back where something is to be confirmed.
pub async fn confirmation(
    app: &App,
    owner: Option<WhiteLabelId>,
    language: Language,
    texts: (&str, &str),
    button: Option<&str>,
) -> Result<Response, Refusal> {
    let brand = match owner {
        Some(owner) => brand_of(app, owner).await?,
        None => Brand::jalon(),
    };
    let mut response = private(page::sentence(&brand, language, texts, &app.settings.build_id, button));
    // Without a referrer a browser does not send the origin of a form, and the server takes it for another site's.
    response.headers_mut().insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    Ok(response)
}

/// A public page: cached for a minute, then revalidated by its digest, which covers all it was made of (the sheet, what it
/// inherits, the lists, the build).
pub fn public(markup: Markup, headers: &HeaderMap) -> Response {
    let text = markup.into_string();
    let etag = etag::weak(text.as_bytes());
    let mut response = Response::new(Body::from(text));
    response.headers_mut().insert(CONTENT_TYPE, HTML);
    keep_a_minute(response.headers_mut());
    revalidated(response, etag, headers)
}

/// An answer with its tag, and without its body where the reader has it.
pub fn revalidated(mut response: Response, etag: HeaderValue, asked: &HeaderMap) -> Response {
    if etag::is_known(asked, &etag) {
        *response.body_mut() = Body::empty();
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    response.headers_mut().insert(ETAG, etag);
    response
}

/// A page that may load Google Analytics for visitors who agree, where its white-label has an identifier there.
pub fn measured(app: &App, mut response: Response, analytics: Option<&String>) -> Response {
    if analytics.is_some()
        && let Ok(policy) = HeaderValue::from_str(&policy_with_analytics(app))
    {
        response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// A page for those who have its link.
pub fn private(markup: Markup) -> Response {
    let mut response = Response::new(Body::from(markup.into_string()));
    response.headers_mut().insert(CONTENT_TYPE, HTML);
    keep_private(response.headers_mut());
    response
}

/// May be cached for a minute, by any cache.
pub fn keep_a_minute(headers: &mut HeaderMap) {
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=60"));
}

/// Headers of a private page: not cached, not indexed, its address not sent to the sites it links to.
pub fn keep_private(headers: &mut HeaderMap) {
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.insert(X_ROBOTS_TAG, HeaderValue::from_static("noindex"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
}
