//! The home page of a white-label's own domain: the parcours that its site shows, as a list and on a map. Readable without script.

use axum::extract::State;
use axum::http::header::HOST;
use axum::http::{HeaderMap, Method, Uri};
use axum::response::Response;
use domain::white_label::WhiteLabelSheet;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Deserialize;
use store::StoreError;
use tracing::instrument;
use utoipa::IntoParams;

use super::answer::{self, Refusal, or_words};
use super::provider::entry;
use super::provider_page::{Nearby, items, starts_json};
use super::view::Language;
use super::{brand, figures};
use crate::app::Environment;
use crate::extract::Query;
use crate::feed::{shown, site_at};
use crate::{App, assets, map};

/// So many parcours are on one page.
const PER_PAGE: u64 = 60;
/// No site has more pages.
const MOST_PAGES: u64 = 10_000;

/// Which part of the list.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct HomeQuery {
    /// The page of the list, from 1.
    page: Option<String>,
}

/// What the page shows.
#[derive(Debug, Clone)]
struct HomePage {
    /// What the white-label is called.
    name: String,
    /// Its colour, where it can be read.
    color: Option<String>,
    /// The address of the site, without a slash at its end.
    address: String,
    /// The parcours of this page of the list.
    list: Vec<Nearby>,
    /// How many there are in all.
    total: u64,
    /// This page, from 1, and how many there are.
    page: (u64, u64),
    /// Kept out of search engines.
    no_index: bool,
    /// Identifier of the build, for caches.
    build_id: String,
    /// Style of the base map.
    map_style: String,
}

/// The published site that a request is for, by its host.
pub(super) async fn site(
    app: &App,
    uri: &Uri,
    headers: &HeaderMap,
) -> Result<Option<(i64, WhiteLabelSheet, String)>, StoreError> {
    let named = uri.authority().map(axum::http::uri::Authority::as_str);
    let host = named.or_else(|| headers.get(HOST).and_then(|host| host.to_str().ok()));
    let Some(host) = host else { return Ok(None) };
    Ok(site_at(app, host).await?.filter(|(_, sheet, _)| sheet.published))
}

/// The home page of a white-label, at its own domain, in French; in English at `/en/`. At any other host it is the web app.
#[utoipa::path(
    get,
    path = "/",
    tag = "public",
    security(()),
    params(HomeQuery),
    responses(
        (status = 200, description = "The parcours of the site; at the host of the server the web app", content_type = "text/html"),
        (status = 304, description = "Not modified"),
        (status = 404, description = "No such page of the list", content_type = "text/html")
    )
)]
#[instrument(name = "public_page.show_home", skip_all)]
pub async fn show_home(
    State(app): State<App>,
    language: Language,
    Query(query): Query<HomeQuery>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let site = match site(&app, &uri, &headers).await {
        Ok(site) => site,
        Err(error) => return or_words(&app, language, async { Err(error.into()) }).await,
    };
    let Some(site) = site else { return assets::fallback(State(app), method, uri, headers).await };
    or_words(&app, language, async {
        let page = load(&app, site, &query, language).await?;
        Ok(answer::public(document(&page, language), &headers))
    })
    .await
}

async fn load(
    app: &App,
    (id, sheet, address): (i64, WhiteLabelSheet, String),
    query: &HomeQuery,
    language: Language,
) -> Result<HomePage, Refusal> {
    let asked = query.page.as_deref().and_then(|page| page.parse::<u64>().ok());
    let number = asked.unwrap_or(1).clamp(1, MOST_PAGES);
    let (found, total) = shown(app, (id, sheet.clone()), ((number - 1) * PER_PAGE, PER_PAGE)).await?;
    let pages = total.div_ceil(PER_PAGE).max(1);
    if number > pages {
        return Err(Refusal::NotFound);
    }
    let base = &app.settings.public_url;
    let own_style = || map::style_url(sheet.map_style.as_deref(), language.code(), sheet.flags.cycle_map);
    Ok(HomePage {
        list: found.iter().filter_map(|one| entry(base, one, language)).collect(),
        total,
        page: (number, pages),
        no_index: !sheet.flags.distribute_parcours || app.settings.environment == Environment::Preproduction,
        build_id: app.settings.build_id.clone(),
        map_style: app.settings.map_style_url.clone().unwrap_or_else(own_style),
        color: brand::readable(sheet.color()),
        name: sheet.name,
        address,
    })
}

/// The path of a page of the list.
fn path(language: Language, number: u64) -> String {
    let home = language.pick("/", "/en/");
    if number > 1 { format!("{home}?page={number}") } else { home.to_owned() }
}

fn document(page: &HomePage, language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    let (other, number) = (language.other(), page.page.0);
    let whole = |language| format!("{}{}", page.address, path(language, number));
    let first = (number.saturating_sub(1) * PER_PAGE + 1) as usize;
    let has_map = page.list.iter().any(|one| one.start.is_some());
    html! {
        (DOCTYPE)
        html lang=(language.code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (page.name) }
                @if page.no_index {
                    meta name="robots" content="noindex";
                } @else {
                    meta name="description" content=(format!("{} {}", t("Les parcours à pied et à vélo publiés par", "The walking and cycling routes published by"), page.name));
                    link rel="canonical" href=(whole(language));
                    @for each in [Language::French, Language::English] {
                        link rel="alternate" hreflang=(each.code()) href=(whole(each));
                    }
                }
                link rel="icon" href="/favicon.svg" type="image/svg+xml";
                link rel="stylesheet" href=(format!("/public-page/page.css?v={}", page.build_id));
                // Checked to be a colour and nothing else before it comes here.
                @if let Some(color) = &page.color { style { (PreEscaped(format!(":root{{--primary:{color}}}"))) } }
                script type="module" src="/public-page/page.js" {}
            }
            body {
                a.skip href="#contenu" { (t("Aller au contenu", "Skip to content")) }
                header.top {
                    span.publisher { (page.name) }
                    a.language href=(path(other, number)) hreflang=(other.code()) lang=(other.code()) { (t("English", "Français")) }
                }
                main id="contenu" tabindex="-1" {
                    h1 { (page.name) }
                    @if page.list.is_empty() {
                        p.notice role="note" { (t("Aucun parcours n’est publié ici pour le moment.", "No route is published here at the moment.")) }
                    } @else {
                        p.lead { (count(language, page.total)) }
                        @if has_map { (map_area(page, first, language)) }
                        section aria-labelledby="parcours" {
                            h2 id="parcours" { (t("Les parcours", "The routes")) }
                            (items(&page.list, first, language))
                            (pages(page, language))
                        }
                    }
                }
                footer { p { (page.name) " · Jalon" } }
            }
        }
    }
}

/// `1 parcours`, `12 parcours`; `1 route`, `12 routes`.
fn count(language: Language, total: u64) -> String {
    format!(
        "{total}\u{a0}{}",
        if total == 1 { language.pick("parcours", "route") } else { language.pick("parcours", "routes") }
    )
}

fn map_area(page: &HomePage, first: usize, language: Language) -> Markup {
    html! {
        section.map-area aria-labelledby="carte" {
            h2 id="carte" { (language.pick("Carte", "Map")) }
            div #near-map data-style=(page.map_style) data-label=(language.pick("Départs des parcours", "Starts of the routes")) {
                p.stand-in { (language.pick("La liste ci-dessous donne tous les parcours de la carte.", "The list below has all the routes of the map.")) }
            }
            p.attribution { (PreEscaped(map::ATTRIBUTION)) }
            script #near type="application/json" { (starts_json(&page.name, None, &page.list, first)) }
        }
    }
}

fn pages(page: &HomePage, language: Language) -> Markup {
    let (number, all) = page.page;
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    html! {
        @if all > 1 {
            nav.pages aria-label=(t("Pages de la liste", "Pages of the list")) {
                @if number > 1 { a.button rel="prev" href=(path(language, number - 1)) { (t("Page précédente", "Previous page")) } }
                span { "Page" (figures::colon(language)) (number) " / " (all) }
                @if number < all { a.button rel="next" href=(path(language, number + 1)) { (t("Page suivante", "Next page")) } }
            }
        }
    }
}
