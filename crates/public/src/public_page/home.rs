//! The home page of a white-label's own domain: the parcours that its site shows, as a list and on a map. Readable without script.

use app::extract::Query;
use app::{App, Environment};
use axum::extract::State;
use axum::http::{HeaderMap, Method, Uri};
use axum::response::Response;
use content::map;
use domain::WhiteLabelId;
use domain::white_label::WhiteLabelSheet;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use outputs::feed::{shown, site_at, site_of};
use outputs::visitor_words::{Language, figures};
use serde::Deserialize;
use store::StoreError;
use tracing::instrument;
use utoipa::IntoParams;

use super::access::PageRequest;
use super::answer::{self, Refusal, or_words};
use super::brand::Brand;
use super::brand_parts;
use super::provider::entry;
use super::provider_page::{Nearby, items, starts_json};
use crate::assets;

/// Parcours on one page of the list.
const PER_PAGE: u64 = 60;
/// Upper bound for the page number of a request.
const MAX_PAGES: u64 = 10_000;

/// Which part of the list.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct HomeQuery {
    /// The page of the list, from 1.
    page: Option<String>,
}

/// A white-label's site: its number, its sheet, its address without a slash at its end.
pub type Site = (i64, WhiteLabelSheet, String);

/// What the page shows.
#[derive(Debug, Clone)]
pub struct HomePage {
    /// The look of the page.
    brand: Brand,
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
    /// Shown in the back office: nothing on it can be used.
    pub preview: bool,
    /// Its identifier at Google Analytics.
    pub analytics: Option<String>,
    /// What its map shows at first: west, south, east, north; all starts when absent.
    first_view: Option<[f64; 4]>,
    /// Identifier of the build, for caches.
    build_id: String,
    /// Style of the base map.
    map_style: String,
}

/// The published site that a request is for, by its host.
pub async fn site(app: &App, request: &PageRequest) -> Result<Option<Site>, StoreError> {
    Ok(site_or_draft(app, request).await?.filter(|(_, sheet, _)| sheet.published))
}

/// The site that a request is for, published or not, by its host.
async fn site_or_draft(app: &App, request: &PageRequest) -> Result<Option<Site>, StoreError> {
    let Some(host) = request.host.as_deref() else { return Ok(None) };
    site_at(app, host).await
}

/// The home page that a page of a white-label leads to: a path at the white-label's own domain, else the address of that domain where
/// its site is published.
pub async fn path_from(app: &App, request: &PageRequest, owner: WhiteLabelId) -> Result<Option<String>, StoreError> {
    let path = request.language.pick("/", "/en/");
    if site(app, request).await?.is_some_and(|(id, ..)| id == owner.0) {
        return Ok(Some(path.to_owned()));
    }
    let own = site_of(app, owner.0).await?;
    Ok(own.map(|site| format!("{site}{path}")))
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
        (status = 404, description = "No such page of the list, or a site that is not published", content_type = "text/html")
    )
)]
#[instrument(name = "public_page.show_home", skip_all)]
pub async fn show_home(
    State(app): State<App>,
    request: PageRequest,
    Query(query): Query<HomeQuery>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let site = match site_or_draft(&app, &request).await {
        Ok(site) => site,
        Err(error) => return or_words(&app, &request, async { Err(error.into()) }).await,
    };
    let Some(site) = site else { return assets::fallback(State(app), method, uri, headers).await };
    or_words(&app, &request, async {
        // The domain of visitors has no web app, whether its site is published or not.
        if !site.1.published {
            return Err(Refusal::NotFound);
        }
        let page = load(&app, site, &query, request.language).await?;
        let response = answer::public(document(&page, request.language), &headers);
        Ok(answer::measured(&app, response, page.analytics.as_ref()))
    })
    .await
}

/// What the home page of a site shows.
pub async fn load(
    app: &App,
    (id, sheet, address): Site,
    query: &HomeQuery,
    language: Language,
) -> Result<HomePage, Refusal> {
    let asked = query.page.as_deref().and_then(|page| page.parse::<u64>().ok());
    let number = asked.unwrap_or(1).clamp(1, MAX_PAGES);
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
        brand: Brand::of(app.store.read(), WhiteLabelId(id), &sheet).await?,
        preview: false,
        analytics: brand_parts::analytics(app, &sheet),
        first_view: sheet.first_view(),
        address,
    })
}

/// The path of a page of the list.
fn path(language: Language, number: u64) -> String {
    let home = language.pick("/", "/en/");
    if number > 1 { format!("{home}?page={number}") } else { home.to_owned() }
}

/// The whole document.
pub fn document(page: &HomePage, language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    let (name, number) = (&page.brand.name, page.page.0);
    let whole = |language| format!("{}{}", page.address, path(language, number));
    let first = (number.saturating_sub(1) * PER_PAGE + 1) as usize;
    let has_map = page.list.iter().any(|one| one.start.is_some());
    html! {
        (DOCTYPE)
        html lang=(language.code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (name) }
                @if page.no_index {
                    meta name="robots" content="noindex";
                } @else {
                    meta name="description" content=(format!("{} {}", t("Les parcours à pied et à vélo publiés par", "The walking and cycling routes published by"), name));
                    link rel="canonical" href=(whole(language));
                    @for each in [Language::French, Language::English] {
                        link rel="alternate" hreflang=(each.code()) href=(whole(each));
                    }
                }
                (brand_parts::styles(&page.brand, &page.build_id))
                script type="module" src="/public-page/page.js" {}
            }
            body inert[page.preview] {
                a.skip href="#contenu" { (t("Aller au contenu", "Skip to content")) }
                (brand_parts::bar(&page.brand, None, Some(path(language.other(), number).as_str()), language))
                main id="contenu" tabindex="-1" {
                    h1 { (name) }
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
                footer {
                    (brand_parts::signature(&page.brand))
                    @if let Some(id) = &page.analytics { (brand_parts::audience_question(&page.brand, id, language)) }
                }
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
            div #near-map data-style=(page.map_style) data-bounds=[page.first_view.map(|view| view.map(|degrees| degrees.to_string()).join(","))] data-label=(language.pick("Départs des parcours", "Starts of the routes")) {
                p.stand-in { (language.pick("La liste ci-dessous donne tous les parcours de la carte.", "The list below has all the routes of the map.")) }
            }
            p.attribution { (PreEscaped(map::ATTRIBUTION)) }
            script #near type="application/json" { (starts_json(&page.brand.name, None, &page.list, first)) }
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
