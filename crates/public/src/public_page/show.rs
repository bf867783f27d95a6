//! The page itself, by its public address and by a share's.

use app::extract::{Path, Query};
use app::problem::Internal;
use app::{App, Environment};
use axum::extract::State;
use axum::http::header::LOCATION;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::Response;
use content::map;
use domain::share::ShareKind;
use outputs::visitor_words::Language;
use store::StoreError;
use store::share::{self, Share};
use tracing::instrument;

use super::access::{self, Open, PageRequest};
use super::answer::{self, Refusal, or_words};
use super::brand_parts::analytics;
use super::download::CARD;
use super::provider::{self, FromQuery};
use super::view::PageLinks;
use super::{home, load, page};

/// The page of a published parcours, in French; the same in English at `/en/p/…`.
#[utoipa::path(
    get,
    path = "/p/{page}",
    tag = "public",
    security(()),
    params(("page" = String, Path, description = "`<slug>-<number>`; with another slug it leads to the right one"), FromQuery),
    responses(
        (status = 200, description = "The page", content_type = "text/html"),
        (status = 301, description = "The slug changed"),
        (status = 304, description = "Not modified"),
        (status = 404, description = "Not published, or not shown by itself", content_type = "text/html")
    )
)]
#[instrument(name = "public_page.show", skip_all)]
pub async fn show_public_page(
    State(app): State<App>,
    request: PageRequest,
    Path(page): Path<String>,
    Query(query): Query<FromQuery>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let language = request.language;
    // Boxed: the future contains a whole page while it runs.
    let page = Box::pin(async {
        let open = access::public(&app, &page).await?;
        let path = open.path(&app, language);
        if path.rsplit('/').next() != Some(page.as_str()) {
            return moved(&path, uri.query());
        }
        let parcours = Box::pin(load::parcours(&app, &open, language)).await?;
        let from = provider::from(&app, &query, parcours.line.first().copied(), language).await?;
        let home = home::path_from(&app, &request, open.parcours.white_label_id).await?;
        let links = PageLinks { home, from, ..links(&app, &open, language) };
        let response = answer::public(page::document(&parcours, &links, language), &headers);
        Ok(answer::measured(&app, response, links.analytics.as_ref()))
    });
    or_words(&app, &request, page).await
}

/// The page of a share, in French; the same in English at `/en/s/…`.
#[utoipa::path(
    get,
    path = "/s/{token}",
    tag = "public",
    security(()),
    params(("token" = String, Path, description = "The unguessable part of the share's address")),
    responses(
        (status = 200, description = "The page, kept out of search engines", content_type = "text/html"),
        (status = 404, description = "No such share, or a permanent one of a parcours that is not published", content_type = "text/html"),
        (status = 410, description = "Expired or revoked", content_type = "text/html")
    )
)]
#[instrument(name = "public_page.show_shared", skip_all)]
pub async fn show_shared_page(State(app): State<App>, request: PageRequest, Path(token): Path<String>) -> Response {
    let language = request.language;
    or_words(&app, &request, async {
        let open = access::shared(&app, &token).await?;
        let parcours = Box::pin(load::parcours(&app, &open, language)).await?;
        let links = links(&app, &open, language);
        count(&app, open.share.as_ref()).await;
        Ok(answer::private(page::document(&parcours, &links, language)))
    })
    .await
}

/// Counts the view of a share's page; nothing about the visitor is stored. The page is shown even if counting fails.
async fn count(app: &App, share: Option<&Share>) {
    let Some(id) = share.map(|share| share.id) else { return };
    if let Err(error) = opened(app, id).await {
        tracing::warn!(%error, "a look at a share was not counted");
    }
}

async fn opened(app: &App, id: i64) -> Result<(), StoreError> {
    let tx = app.store.begin().await?;
    share::count_opening(&tx, id).await?;
    tx.commit_aside().await
}

/// An answer that leads to another address for good, with the query of the request: it may say where the reader comes from.
pub(super) fn moved(path: &str, query: Option<&str>) -> Result<Response, Refusal> {
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    leading(StatusCode::MOVED_PERMANENTLY, &format!("{path}{query}"))
}

/// An answer that leads to another address.
pub(super) fn leading(status: StatusCode, path: &str) -> Result<Response, Refusal> {
    let mut response = Response::default();
    *response.status_mut() = status;
    response.headers_mut().insert(LOCATION, HeaderValue::from_str(path).map_err(Internal::new)?);
    // The title may change again: the way is kept no longer than the page.
    answer::keep_a_minute(response.headers_mut());
    Ok(response)
}

/// Where a page is and what it links to.
pub fn links(app: &App, open: &Open, language: Language) -> PageLinks {
    let white_label = &open.white_label;
    let is_public = open.share.is_none();
    // The moment of the last save, so that networks that remember a picture by its address see a new one.
    let card = || format!("{}/{CARD}?v={}", open.path(app, language), open.parcours.updated_at.0);
    let temporary = open.share.as_ref().filter(|share| share.kind == ShareKind::Temporary);
    let own_style = || map::style_url(white_label.map_style.as_deref(), language.code(), white_label.flags.cycle_map);
    PageLinks {
        public_url: app.settings.public_url.clone(),
        french: open.path(app, Language::French),
        english: open.path(app, Language::English),
        home: None,
        no_index: !is_public
            || !white_label.flags.distribute_parcours
            || app.settings.environment == Environment::Preproduction,
        expires: temporary.and_then(|share| share.expires_at).map(|at| app.day_of(at)),
        from: None,
        roadbook: app.renderer.is_some() && open.parcours.published && white_label.flags.distribute_parcours,
        card: (app.renderer.is_some() && is_public).then(card),
        keep: is_public.then_some(open.parcours.id.0),
        analytics: analytics(app, white_label).filter(|_| is_public),
        preview: false,
        give: (open.parcours.published && white_label.published).then_some(open.parcours.id.0),
        build_id: app.settings.build_id.clone(),
        map_style: app.settings.map_style_url.clone().unwrap_or_else(own_style),
        has_squares: app.settings.map_style_url.is_none() && app.region().tiles.is_some(),
        attribution: map::ATTRIBUTION,
    }
}
