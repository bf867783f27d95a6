//! The page of a provider: `/chez/<slug>-<number>`, the parcours that start near it, the nearest first.

use app::App;
use app::extract::Path;
use app::slug::slug;
use axum::extract::State;
use axum::http::header::{CONTENT_TYPE, USER_AGENT};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use content::map;
use content::media::bytes_for_page;
use domain::provider_link::ProviderLinkSheet;
use domain::statistics::is_robot;
use domain::white_label::WhiteLabelSheet;
use domain::{MediaId, MediaKind, WhiteLabelId};
use outputs::feed::{Near, near};
use outputs::visitor_words::{Language, Words, figures};
use serde::Deserialize;
use store::provider_link::{ProviderLinks, count_opening};
use store::record::load;
use store::white_label::WhiteLabels;
use store::{StoreError, media};
use tracing::instrument;
use utoipa::IntoParams;

use super::access::PageRequest;
use super::answer::{self, Refusal, or_words};
use super::brand::Brand;
use super::brand_parts::analytics;
use super::home;
use super::provider_page::{self, Nearby, ProviderPage};

/// How a reader came to a parcours.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct FromQuery {
    /// The number of the provider's link that led here.
    chez: Option<String>,
}

/// A link that is not revoked, and its white-label.
struct Open {
    id: i64,
    link: ProviderLinkSheet,
    owner: (i64, WhiteLabelSheet),
}

/// The link of an address `<slug>-<number>`. Its name may have changed since it was printed: the number identifies it.
async fn open(app: &App, page: &str) -> Result<Open, Refusal> {
    let db = app.store.read();
    let number = page.rsplit_once('-').map_or(page, |(_, number)| number);
    let known = number.bytes().all(|digit| digit.is_ascii_digit());
    let id: i64 = number.parse().ok().filter(|_| known).ok_or(Refusal::NotFound)?;
    let found = load::<ProviderLinks>(db, id).await?.ok_or(Refusal::NotFound)?;
    if found.sheet.revoked {
        return Err(Refusal::Ended { owner: found.white_label_id });
    }
    let owner = found.white_label_id.ok_or(Refusal::NotFound)?.0;
    let white_label = load::<WhiteLabels>(db, owner).await?.ok_or(Refusal::NotFound)?.sheet;
    if !white_label.published {
        return Err(Refusal::NotFound);
    }
    Ok(Open { id, link: found.sheet, owner: (owner, white_label) })
}

impl Open {
    fn path(&self, language: Language) -> String {
        format!("{}/chez/{}-{}", language.pick("", "/en"), slug(&self.link.name), self.id)
    }
}

/// The page of a provider, in French; the same in English at `/en/chez/…`.
#[utoipa::path(
    get,
    path = "/chez/{page}",
    tag = "public",
    security(()),
    params(("page" = String, Path, description = "`<slug>-<number>` of a provider's link")),
    responses(
        (status = 200, description = "The page, kept out of search engines", content_type = "text/html"),
        (status = 404, description = "No such link", content_type = "text/html"),
        (status = 410, description = "Revoked", content_type = "text/html")
    )
)]
#[instrument(name = "public_page.show_provider", skip_all)]
pub async fn show_provider_page(
    State(app): State<App>,
    request: PageRequest,
    Path(page): Path<String>,
    headers: HeaderMap,
) -> Response {
    let language = request.language;
    or_words(&app, &request, async {
        let open = open(&app, &page).await?;
        let home = home::path_from(&app, &request, WhiteLabelId(open.owner.0)).await?;
        let shown = ProviderPage { home, ..shown(&app, &open, language).await? };
        if !headers.get(USER_AGENT).and_then(|name| name.to_str().ok()).is_some_and(is_robot) {
            count(&app, open.id).await;
        }
        let response = answer::private(provider_page::document(&shown, language));
        Ok(answer::measured(&app, response, shown.analytics.as_ref()))
    })
    .await
}

async fn shown(app: &App, open: &Open, language: Language) -> Result<ProviderPage, Refusal> {
    let Open { link, owner: (owner_id, owner), .. } = open;
    let at = link.location.ok_or(Refusal::NotFound)?;
    let asked = Near { at, radius_m: link.radius_m(), practices: &link.practice_ids, themes: &link.theme_ids };
    let found = near(app, (*owner_id, owner.clone()), asked).await?;
    let base = &app.settings.public_url;
    let nearby = found.into_iter().filter_map(|(one, metres)| {
        let entry = entry(base, &one, language)?;
        entry.start?;
        Some(Nearby { href: format!("{}?chez={}", entry.href, open.id), metres: Some(metres), ..entry })
    });
    Ok(ProviderPage {
        home: None,
        name: link.name.clone(),
        tagline: Words::of(&link.tagline, language),
        address: link.address.clone(),
        website: link.website.clone(),
        logo: logo(app, open, language).await?.is_some().then(|| format!("{}/logo", open.path(language))),
        at,
        radius_m: link.radius_m(),
        nearby: nearby.collect(),
        brand: Brand::of(app.store.read(), WhiteLabelId(*owner_id), owner).await?,
        analytics: analytics(app, owner),
        other: open.path(language.other()),
        build_id: app.settings.build_id.clone(),
        map_style: app
            .settings
            .map_style_url
            .clone()
            .unwrap_or_else(|| map::style_url(owner.map_style.as_deref(), language.code(), owner.flags.cycle_map)),
        attribution: map::ATTRIBUTION,
    })
}

/// A parcours of a list. `None` if it has no page on this server, or no title in the reader's language.
pub(super) fn entry(base: &str, one: &feeds::Parcours, language: Language) -> Option<Nearby> {
    // Feeds give absolute URLs of the French pages. A page of this server needs only the path, in the reader's language.
    let path = one.page.strip_prefix(base).filter(|path| !path.is_empty())?;
    let picture = one.media.iter().find(|media| media.kind == feeds::MediaKind::Image);
    Some(Nearby {
        title: Words::of(&one.title, language)?,
        href: format!("{}{path}", language.pick("", "/en")),
        metres: None,
        start: one.start,
        distance_m: one.distance_m,
        duration_s: one.duration_s,
        ascent_m: one.ascent_m,
        practice: one.practice.as_ref().and_then(|term| Words::of(&term.label, language)),
        level: one.level.as_ref().and_then(|term| Words::of(&term.label, language)),
        picture: picture.and_then(|media| media.thumbnail.clone()).map(|url| url.replace(base, "")),
        alt: picture.and_then(|media| Words::of(&media.alt, language)),
    })
}

/// The logo of a provider: public through this page alone, and only if the white-label of the link may show it.
async fn logo(app: &App, open: &Open, language: Language) -> Result<Option<(axum::body::Bytes, String)>, StoreError> {
    let Some(id) = open.link.logo_media_id else { return Ok(None) };
    let db = app.store.read();
    if media::shown_by(db, WhiteLabelId(open.owner.0), &[id]).await?.is_empty() {
        return Ok(None);
    }
    let found = media::find(db, MediaId(id)).await?;
    match found.filter(|media| media.sheet.file.kind == MediaKind::Image) {
        Some(image) => bytes_for_page(app, &image, language.code()).await,
        None => Ok(None),
    }
}

/// The logo of a provider.
#[utoipa::path(get, path = "/chez/{page}/logo", tag = "public", security(()),
    params(("page" = String, Path, description = "`<slug>-<number>` of a provider's link")),
    responses((status = 200, description = "A picture", content_type = "image/webp"), (status = 404, description = "None", content_type = "text/html"), (status = 410, description = "Revoked", content_type = "text/html")))]
#[instrument(name = "public_page.show_provider_logo", skip_all)]
pub async fn show_provider_logo(State(app): State<App>, request: PageRequest, Path(page): Path<String>) -> Response {
    or_words(&app, &request, async {
        let open = open(&app, &page).await?;
        let (bytes, mime) = logo(&app, &open, request.language).await?.ok_or(Refusal::NotFound)?;
        let mut response = Response::new(bytes.into());
        if let Ok(mime) = HeaderValue::from_str(&mime) {
            response.headers_mut().insert(CONTENT_TYPE, mime);
        }
        answer::keep_a_minute(response.headers_mut());
        Ok(response)
    })
    .await
}

/// Counts the view; nothing about the visitor is stored. The page is shown even if counting fails.
async fn count(app: &App, id: i64) {
    let counted = async {
        let tx = app.store.begin().await?;
        count_opening(&tx, id).await?;
        tx.commit_aside().await
    };
    if let Err::<(), StoreError>(error) = counted.await {
        tracing::warn!(%error, "a view of a provider's page was not counted");
    }
}

/// The provider that a parcours' reader comes from.
#[derive(Debug, Clone)]
pub struct From {
    /// The number of its link, `?chez=` in the address of the page.
    pub id: i64,
    pub name: String,
    /// The path of its page.
    pub href: String,
    /// Its place.
    pub at: [f64; 2],
    /// The distance from it to the start of the parcours, written in the reader's language.
    pub distance: Option<String>,
}

/// The provider a reader comes from. A deleted or revoked one is ignored: the parcours is shown without it.
pub async fn from(
    app: &App,
    query: &FromQuery,
    start: Option<trace::Position>,
    language: Language,
) -> Result<Option<From>, Refusal> {
    let Some(number) = query.chez.as_deref() else { return Ok(None) };
    let open = match open(app, number).await {
        Ok(open) => open,
        Err(Refusal::Internal(error)) => return Err(Refusal::Internal(error)),
        Err(_) => return Ok(None),
    };
    let Some(at) = open.link.location else { return Ok(None) };
    let metres = start.map(|start| trace::distance_m(trace::Position::new(at[0], at[1]), start));
    Ok(Some(From {
        id: open.id,
        href: open.path(language),
        name: open.link.name,
        at,
        distance: metres.map(|metres| figures::distance(language, metres)),
    }))
}
