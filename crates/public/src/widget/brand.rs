//! The look of the widget: the brand of the white-label whose key it has. The server writes its style, as it can check which
//! colours are readable on which, and because the widget's script must stay small.

use std::fmt::Write as _;

use app::App;
use app::extract::Query;
use axum::Json;
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use domain::WhiteLabelId;
use outputs::feed::{FeedError, find_key};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::public_page::{Brand, Color};

/// The white-label of the brand.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct BrandQuery {
    /// The key of the white-label's pages.
    key: String,
    /// A colour `#rrggbb` instead of the white-label's first one; any other value is ignored.
    color: Option<String>,
}

/// The look of the widget.
#[derive(Debug, Serialize, ToSchema)]
pub struct WidgetBrand {
    /// What the white-label is called.
    name: String,
    /// The path of its logo on this server, where it has one.
    logo: Option<String>,
    /// The style that gives the widget its colours and fonts, and its logo a size.
    css: String,
    /// The fonts that the style names.
    fonts: Vec<WidgetFont>,
}

/// A font of the widget.
#[derive(Debug, Serialize, ToSchema)]
pub struct WidgetFont {
    /// The name it has in the style.
    family: String,
    /// The path of its file on this server.
    path: String,
    /// Its font weights.
    weight: &'static str,
}

/// The look of a white-label's widget: its name, its logo, its colours and its fonts. Pages of every site may read it.
#[utoipa::path(get, path = "/widget/v1/brand", tag = "widget", security(()), params(BrandQuery),
    responses((status = 200, body = WidgetBrand), FeedError))]
pub async fn show_widget_brand(State(app): State<App>, Query(asked): Query<BrandQuery>) -> Result<Response, FeedError> {
    let key = find_key(&app, &asked.key).await?.filter(|key| key.of_pages).ok_or(FeedError::KeyUnknown)?;
    let mut sheet = key.sheet.clone();
    if let Some(color) = asked.color.filter(|color| Color::parse(color).is_some()) {
        sheet.colors.primary = Some(color);
    }
    let brand = Brand::of(app.store.read(), WhiteLabelId(key.id), &sheet).await?;
    let mut response = Json(view(brand)).into_response();
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=60"));
    Ok(response)
}

fn view(brand: Brand) -> WidgetBrand {
    let [fill, on, words, line] = brand.palette.of_widget();
    let mut css = format!(".box{{--fill:{fill};--on:{on};--words:{words};--line:{line}}}");
    let mut fonts = Vec::new();
    // A font for titles is used in its own weight: the browser makes no bold of it.
    for (role, rule, weight, font) in [
        ("text", ".box{font-family", "normal", brand.text_font),
        ("title", "h2,.name{font-family", "100 900", brand.title_font),
    ] {
        let Some(font) = font else { continue };
        // The page around the widget may hold the fonts of others too.
        let family = format!("jalon-{role}-{}", font.media);
        let _ = write!(css, "{rule}:{family},system-ui,sans-serif}}");
        fonts.push(WidgetFont { family, path: font.src, weight });
    }
    if let Some(logo) = &brand.logo {
        let (width, height) = logo.size;
        // The map keeps the height that was asked for, the logo included.
        let _ = write!(
            css,
            ".logo{{width:fit-content;max-width:100%;margin-bottom:10px;padding:4px 6px;border-radius:8px;background:#fff}}\
            .logo img{{width:{width}px;max-width:100%;aspect-ratio:auto;background:none}}\
            .logo+.split{{height:calc(var(--height,520px) - {}px)}}",
            height + 18
        );
    }
    WidgetBrand { name: brand.name, logo: brand.logo.map(|logo| logo.src), css, fonts }
}
