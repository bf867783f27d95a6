//! `/api/public/v1/white-label`: what an application or a site of others needs to show the content of a white-label as its own.

use std::collections::HashMap;

use app::App;
use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;
use content::map;
use content::media::{file_address, fitting};
use domain::media::{MediaMade, MediaSheet};
use domain::white_label::{Analytics, Colors, OpenDataLicence, PLANNER_PROFILES, WhiteLabelKind};
use domain::{MediaKind, WhiteLabelId};
use serde::Serialize;
use store::StoreError;
use store::media::Medias;
use store::record::{Stored, load_many};
use tracing::instrument;
use utoipa::ToSchema;

use super::FeedError;
use super::access::PublicKey;
use super::answer::{JSON, remembered};
use super::facts::{Facts, facts};
use super::near::site_address;

/// The widest logo that is given.
const LOGO_PX: u32 = 640;

/// The settings of a white-label that readers of its feeds may use.
#[derive(Debug, Serialize, ToSchema)]
pub struct PublicWhiteLabel {
    id: i64,
    name: String,
    kind: WhiteLabelKind,
    structure: String,
    /// Languages that content is written in, the first one first.
    languages: Vec<String>,
    /// The address of its site, where it is published.
    site_url: Option<String>,
    /// Where a reader goes back to; on the host of its site.
    return_url: Option<String>,
    /// Where a record of a tourist information system is shown, with `[ID_OBJET]` in the place of its key.
    sit_record_url: Option<String>,
    /// Its three colours, `#RRGGBB`.
    colors: Colors,
    /// Its mark.
    logo_url: Option<String>,
    /// The file of the font of titles.
    title_font_url: Option<String>,
    /// The file of the font of texts.
    text_font_url: Option<String>,
    map: PublicMap,
    /// The profiles its planner offers.
    planner_profiles: Vec<String>,
    /// Its identifiers at an audience measurement, one a platform. A visitor must agree before one is used.
    analytics: Analytics,
    /// Public transport is shown.
    public_transport: bool,
    /// The tourist's mobility service is offered.
    tourist_maas: bool,
    /// Under which licence its open data go out.
    open_data_licence: OpenDataLicence,
}

/// Its map.
#[derive(Debug, Serialize, ToSchema)]
pub struct PublicMap {
    /// A style for MapLibre, with names in the first language of content. Another value of its parameter `locale` (`fr`, `en`) gives
    /// names in that language, unless the operator chose another map.
    style_url: String,
    /// What is shown at first: west, south, east, north in degrees. All of its content when absent.
    #[schema(value_type = Option<trace::BoundingBox>)]
    first_view: Option<[f64; 4]>,
    /// Its middle: degrees east and north.
    #[schema(value_type = Option<trace::Place>)]
    center: Option<[f64; 2]>,
    zoom: Option<f64>,
}

/// The settings of the white-label of a key: its look, its map, its planner, its addresses and its identifiers at an audience
/// measurement.
#[utoipa::path(get, path = "/api/public/v1/white-label", tag = "feeds", security(("api_key" = [])),
    responses((status = 200, body = PublicWhiteLabel), (status = 304, description = "Not modified"), FeedError))]
#[instrument(name = "feed.show_white_label", skip_all)]
pub async fn show_public_white_label(
    State(app): State<App>,
    key: PublicKey,
    parts: Parts,
) -> Result<Response, FeedError> {
    // What pages may ask ends with the publication of the white-label; its own programs read its settings before.
    if key.of_pages && !key.sheet.published {
        return Err(FeedError::NotFound);
    }
    let view = async {
        let view = view(&app, &key).await?;
        serde_json::to_string(&view).map_err(|error| app::problem::Internal::new(error).into())
    };
    remembered(&app, &key, &parts, JSON, view).await
}

async fn view(app: &App, key: &PublicKey) -> Result<PublicWhiteLabel, FeedError> {
    let (sheet, base) = (&key.sheet, &app.settings.public_url);
    let structure = facts(app).await?.owner(key.id).structure.clone();
    let db = app.store.read();
    let wanted = [sheet.logo_media_id, sheet.fonts.title_media_id, sheet.fonts.text_media_id];
    // The files of a white-label are public while it is published.
    let ids: Vec<i64> = wanted.into_iter().flatten().filter(|_| sheet.published).collect();
    let shown = store::media::shown_by(db, WhiteLabelId(key.id), &ids).await?;
    let ids: Vec<i64> = ids.into_iter().filter(|id| shown.contains(id)).collect();
    let (found, made) = (load_many::<Medias>(db, &ids).await?, store::media::made_of(db, &ids).await?);
    let none = MediaMade::default();
    let [logo_url, title_font_url, text_font_url] = wanted.map(|wanted| {
        let media = found.iter().find(|media| Some(media.id) == wanted)?;
        Some(format!("{base}{}", address_of(media, made.get(&media.id).unwrap_or(&none))?))
    });
    let style = || {
        let locale = if app.settings.main_language() == "en" { "en" } else { "fr" };
        let path = map::style_url(sheet.map_style.as_deref(), locale, sheet.flags.cycle_map);
        format!("{base}{path}")
    };
    let offered = if sheet.planner_profiles.is_empty() {
        PLANNER_PROFILES.map(str::to_owned).to_vec()
    } else {
        sheet.planner_profiles.clone()
    };
    Ok(PublicWhiteLabel {
        id: key.id,
        name: sheet.name.clone(),
        kind: sheet.kind,
        structure,
        languages: app.settings.content_languages.clone(),
        site_url: site_address(app, sheet).filter(|_| sheet.published),
        return_url: sheet.return_url.clone(),
        sit_record_url: sheet.sit_record_url.clone(),
        colors: sheet.colors.clone(),
        logo_url,
        title_font_url,
        text_font_url,
        map: PublicMap {
            style_url: app.settings.map_style_url.clone().unwrap_or_else(style),
            first_view: sheet.first_view(),
            center: sheet.center,
            zoom: sheet.zoom,
        },
        planner_profiles: offered,
        analytics: sheet.analytics.clone(),
        public_transport: sheet.flags.public_transport,
        tourist_maas: sheet.flags.tourist_maas,
        open_data_licence: sheet.open_data_licence,
    })
}

/// The addresses of the logos of white-labels: of published ones alone, which make their logo public.
pub(super) async fn logos(app: &App, facts: &Facts, ids: &[i64]) -> Result<HashMap<i64, String>, StoreError> {
    let wanted = facts.white_labels.iter().filter(|one| ids.contains(&one.id) && one.sheet.published);
    let wanted: Vec<(i64, i64)> = wanted.filter_map(|one| Some((one.id, one.sheet.logo_media_id?))).collect();
    let media: Vec<i64> = wanted.iter().map(|(_, media)| *media).collect();
    let db = app.store.read();
    let media: Vec<i64> = store::media::worn_among(db, &media).await?.into_iter().collect();
    let (found, made) = (load_many::<Medias>(db, &media).await?, store::media::made_of(db, &media).await?);
    let none = MediaMade::default();
    let address = |media: &Stored<MediaSheet>| address_of(media, made.get(&media.id).unwrap_or(&none));
    let addresses: HashMap<i64, String> = found
        .iter()
        .filter_map(|media| Some((media.id, format!("{}{}", app.settings.public_url, address(media)?))))
        .collect();
    Ok(wanted.into_iter().filter_map(|(id, media)| Some((id, addresses.get(&media)?.clone()))).collect())
}

/// The address of a font, or of a picture in a size for a mark.
fn address_of(media: &Stored<MediaSheet>, made: &MediaMade) -> Option<String> {
    if media.sheet.file.kind == MediaKind::Font {
        return Some(file_address(media.id, "file", &media.sheet.file.mime, made.made));
    }
    let drawn = made.variants.iter().find(|one| one.mime == "image/svg+xml");
    let sized = || ["image/png", "image/webp", "image/jpeg"].iter().find_map(|mime| fitting(made, mime, LOGO_PX));
    let variant = drawn.or_else(sized)?;
    Some(file_address(media.id, &variant.name, &variant.mime, made.made))
}
