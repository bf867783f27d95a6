//! What search engines read before the pages.

use std::fmt::Write;

use app::slug::slug;
use app::{App, Environment};
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::Response;
use store::parcours as rows;

use super::access::PageRequest;
use super::answer::{Refusal, keep_a_minute, or_words};
use super::home;

/// A sitemap lists 50,000 addresses at most (sitemaps.org); each parcours has two.
const MOST_PARCOURS: u64 = 25_000;

/// What a search engine may read: the public pages and what they need. Shares may be read too, else a search engine would not see
/// their `noindex`.
const ROBOTS: &str = "User-agent: *\n\
    Allow: /p/\nAllow: /en/p/\nAllow: /s/\nAllow: /en/s/\nAllow: /public-page/\nAllow: /widget/v1\nAllow: /media/\nAllow: /map/\nAllow: /favicon.svg\n\
    Disallow: /\n";

/// What search engines may read.
#[utoipa::path(get, path = "/robots.txt", tag = "public", security(()), responses((status = 200, description = "Rules", content_type = "text/plain")))]
pub async fn show_robots(State(app): State<App>, request: PageRequest) -> Response {
    or_words(&app, &request, async {
        let is_site = home::site(&app, &request).await?.is_some();
        let text = match app.settings.environment {
            Environment::Preproduction => "User-agent: *\nDisallow: /\n".to_owned(),
            // The home page of a white-label's own domain, and addresses of a former portal, which lead on; elsewhere they are
            // the web app's.
            _ if is_site => {
                let home = ROBOTS.replacen(
                    "Allow: /p/",
                    "Allow: /$\nAllow: /en/$\nAllow: /trek/\nAllow: /en/trek/\nAllow: /fr/trek/\nAllow: /p/",
                    1,
                );
                format!("{home}\nSitemap: {}/sitemap.xml\n", app.settings.public_url)
            }
            _ => format!("{ROBOTS}\nSitemap: {}/sitemap.xml\n", app.settings.public_url),
        };
        Ok::<_, Refusal>(text_answer(text, "text/plain; charset=utf-8"))
    })
    .await
}

/// The published parcours that have a page of their own, in both languages, the last saved first.
#[utoipa::path(get, path = "/sitemap.xml", tag = "public", security(()), responses((status = 200, description = "A map of the public pages", content_type = "application/xml")))]
pub async fn show_sitemap(State(app): State<App>, request: PageRequest) -> Response {
    or_words(&app, &request, async { Ok::<_, Refusal>(text_answer(sitemap(&app).await?, "application/xml")) }).await
}

async fn sitemap(app: &App) -> Result<String, Refusal> {
    let (base, main) =
        (xml(&app.settings.public_url), app.settings.content_languages.first().map_or("fr", String::as_str));
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
        <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n",
    );
    let db = app.store.read();
    let sites = store::white_label::public_sites(db).await?;
    for row in rows::listed_in_public(db, &sites, MOST_PARCOURS).await? {
        // A slug is letters, digits and dashes: nothing to escape.
        let page = format!("p/{}-{}", slug(row.title.best(main)), row.id);
        let (french, english, day) = (format!("{base}/{page}"), format!("{base}/en/{page}"), row.updated_at.day());
        let both = format!(
            "<xhtml:link rel=\"alternate\" hreflang=\"fr\" href=\"{french}\"/><xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"{english}\"/>"
        );
        for address in [&french, &english] {
            let _ = writeln!(text, "<url><loc>{address}</loc><lastmod>{day}</lastmod>{both}</url>");
        }
    }
    text.push_str("</urlset>\n");
    Ok(text)
}

fn xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

fn text_answer(text: String, mime: &'static str) -> Response {
    let mut response = Response::new(text.into());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(mime));
    keep_a_minute(response.headers_mut());
    response
}
