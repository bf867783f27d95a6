//! The widget in a separate page, for the `<iframe>` of sites that allow no scripts of other sites.

use app::content_policy::policy_framed_by;
use app::error_text::sentence;
use app::extract::Query;
use app::{App, Rejection};
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, REFERER, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::Locale;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use outputs::feed::{FeedError, allows, find_key, origins};
use serde::Deserialize;
use serde_json::json;
use utoipa::IntoParams;

/// What the widget shows: the attributes of its element, by their names.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct FrameQuery {
    /// The key of the white-label's pages.
    key: String,
    /// `parcours`, `list` or `map`.
    show: Option<String>,
    /// Number of the one parcours.
    parcours: Option<String>,
    /// Numbers of the parcours of a list, with commas.
    ids: Option<String>,
    /// Numbers of practices, with commas.
    practices: Option<String>,
    /// Numbers of themes, with commas.
    themes: Option<String>,
    /// The language: `fr`, `en`, or another that content is written in.
    lang: Option<String>,
    /// A colour `#rrggbb`.
    color: Option<String>,
    /// Pixels.
    height: Option<String>,
}

/// Why the page shows a sentence instead: status, code of the sentence, parameters.
struct Refused(StatusCode, &'static str, serde_json::Value);

/// The widget in a page of its own. Only the white-label's sites may frame it; another one gets a sentence.
#[utoipa::path(get, path = "/widget/v1/frame", tag = "widget", security(()), params(FrameQuery),
    responses(Rejection, (status = 200, description = "The page", content_type = "text/html"), (status = 401, description = "No white-label has this key: a page that says so", content_type = "text/html"), (status = 403, description = "The site is not allowed: a page that says so", content_type = "text/html")))]
pub async fn show_widget_frame(
    State(app): State<App>,
    Query(asked): Query<FrameQuery>,
    headers: HeaderMap,
) -> Result<Response, FeedError> {
    let locale = asked.lang.as_deref().and_then(Locale::parse).unwrap_or_default();
    let refuse = |Refused(status, code, params)| {
        let words = sentence(locale, code, &params).unwrap_or_default();
        // A page with only a sentence may be framed by any site.
        page(&app, status, &document(locale, &html! {}, &html! { p role="alert" { (words) } }), "*")
    };
    let Some(key) = find_key(&app, &asked.key).await?.filter(|key| key.of_pages) else {
        return Ok(refuse(Refused(StatusCode::UNAUTHORIZED, "feed/key-unknown", json!({}))));
    };
    // For browsers that send no `Referer` the policy is enough: they frame the page only where it allows.
    let from = headers.get(REFERER).and_then(|from| from.to_str().ok()).and_then(origin);
    if let Some(from) = from.filter(|from| !allows(&app, &key.sheet, from) && !is_here(&headers, from)) {
        return Ok(refuse(Refused(StatusCode::FORBIDDEN, "feed/origin", json!({ "origin": from }))));
    }
    let framed_by: Vec<&str> = ["'self'"].into_iter().chain(origins(&key.sheet)).collect();
    let script = html! { script type="module" src="/widget/v1.js" {} };
    Ok(page(&app, StatusCode::OK, &document(locale, &script, &element(&asked)), &framed_by.join(" ")))
}

fn element(asked: &FrameQuery) -> Markup {
    let FrameQuery { key, show, parcours, ids, practices, themes, lang, color, height } = asked;
    html! {
        jalon-widget key=(key) show=[show] parcours=[parcours] ids=[ids] practices=[practices] themes=[themes] lang=[lang] color=[color] height=[height] {}
    }
}

fn document(locale: Locale, script: &Markup, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(locale.as_str()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="robots" content="noindex";
                title { (if locale == Locale::En { "Routes" } else { "Parcours" }) }
                style { (PreEscaped("body{margin:0;font:16px/1.5 system-ui,sans-serif;color:#17211c}p{margin:16px}")) }
                (script)
            }
            body { main { (body) } }
        }
    }
}

fn page(app: &App, status: StatusCode, document: &Markup, framed_by: &str) -> Response {
    let mut response = (status, document.0.clone()).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, max-age=60"));
    headers.insert(VARY, HeaderValue::from_static("referer"));
    let policy = policy_framed_by(app, framed_by);
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// Scheme, host and port of an address.
fn origin(address: &str) -> Option<String> {
    let (scheme, rest) = address.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next().filter(|host| !host.is_empty())?;
    Some(format!("{scheme}://{}", host.chars().take(200).collect::<String>()))
}

/// Whether a page is served under the name this one was asked by.
fn is_here(headers: &HeaderMap, from: &str) -> bool {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    host.is_some_and(|host| from.split_once("://").is_some_and(|(_, own)| own.eq_ignore_ascii_case(host)))
}
