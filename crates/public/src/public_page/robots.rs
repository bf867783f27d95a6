//! What search engines read before the pages.

use std::fmt::Write;

use app::extract::Query;
use app::slug::slug;
use app::{App, Environment};
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::Response;
use domain::Instant;
use serde::Deserialize;
use store::parcours::{self as rows, PublicRow};
use utoipa::IntoParams;

use super::access::PageRequest;
use super::answer::{Refusal, keep_a_minute, or_words};
use super::home;

/// A sitemap lists 50,000 addresses at most (sitemaps.org); each parcours has two. An installation with more has an index of parts.
const MAX_PARCOURS: u64 = 25_000;
/// How many numbers a part covers. A parcours stays in its part, so that a part changes only when one of its parcours does.
const OF_A_PART: i64 = 10_000;

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

/// Which part of the sitemap is asked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct SitemapQuery {
    part: Option<u32>,
}

/// The published parcours that have a page of their own, in both languages, the last saved first; an index of parts where they are many.
#[utoipa::path(get, path = "/sitemap.xml", tag = "public", security(()), params(SitemapQuery), responses((status = 200, description = "A map of the public pages", content_type = "application/xml"), (status = 404, description = "No such part", content_type = "text/html")))]
pub async fn show_sitemap(State(app): State<App>, request: PageRequest, Query(query): Query<SitemapQuery>) -> Response {
    or_words(&app, &request, async {
        Ok::<_, Refusal>(text_answer(sitemap(&app, query.part).await?, "application/xml"))
    })
    .await
}

async fn sitemap(app: &App, part: Option<u32>) -> Result<String, Refusal> {
    let db = app.store.read();
    let sites = store::white_label::public_sites(db).await?;
    let among = part.map(|part| [i64::from(part) * OF_A_PART, (i64::from(part) + 1) * OF_A_PART]);
    if among.is_none() && rows::count_in_public(db, &sites, MAX_PARCOURS + 1).await? > MAX_PARCOURS as i64 {
        return Ok(index(&app.settings.public_url, &rows::parts_in_public(db, &sites, OF_A_PART).await?));
    }
    let rows = rows::listed_in_public(db, &sites, among, MAX_PARCOURS).await?;
    // The first part is there before any parcours is.
    if rows.is_empty() && part.is_some_and(|part| part > 0) {
        return Err(Refusal::NotFound);
    }
    let main = app.settings.main_language();
    Ok(addresses(&app.settings.public_url, main, &rows))
}

/// The index of a sitemap of parts.
fn index(base: &str, parts: &[(i64, Instant)]) -> String {
    let (base, mut text) = (xml(base), format!("{XML}<sitemapindex xmlns=\"{SITEMAPS}\">\n"));
    for (part, saved_at) in parts {
        let day = saved_at.day();
        let _ = writeln!(text, "<sitemap><loc>{base}/sitemap.xml?part={part}</loc><lastmod>{day}</lastmod></sitemap>");
    }
    text.push_str("</sitemapindex>\n");
    text
}

/// The addresses of the pages of some parcours.
fn addresses(base: &str, main: &str, rows: &[PublicRow]) -> String {
    let (base, mut text) =
        (xml(base), format!("{XML}<urlset xmlns=\"{SITEMAPS}\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n"));
    for row in rows {
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
    text
}

const XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
const SITEMAPS: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

fn xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

fn text_answer(text: String, mime: &'static str) -> Response {
    let mut response = Response::new(text.into());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(mime));
    keep_a_minute(response.headers_mut());
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_names_each_part_and_its_day() {
        let parts = [(0, Instant(1_790_000_000)), (7, Instant(1_790_086_400))];
        let text = index("https://jalon.example/?a&b", &parts);
        assert!(text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex "), "{text}");
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("<sitemap>")).collect();
        assert_eq!(
            lines,
            [
                "<sitemap><loc>https://jalon.example/?a&amp;b/sitemap.xml?part=0</loc><lastmod>2026-09-21</lastmod></sitemap>",
                "<sitemap><loc>https://jalon.example/?a&amp;b/sitemap.xml?part=7</loc><lastmod>2026-09-22</lastmod></sitemap>",
            ]
        );
    }
}
