//! Pictograms of the items a feed names: a round of the item's colour with its first letter. Public, as pictures of a page are.

use app::App;
use app::every_site::for_every_site;
use app::extract::Path;
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::Response;
use maud::html;
use tracing::instrument;

use super::FeedError;
use super::facts::facts;

const A_DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");
/// The colour of an item without one.
const USUAL: &str = "#0B5F50";

/// The pictogram of an item of a reference list, or of a kind of route.
#[utoipa::path(get, path = "/api/public/v1/pictograms/{file}", tag = "feeds", security(()),
    params(("file" = String, Path, description = "`<number>.svg`, `route-loop.svg`, `route-return.svg`, `route-cross.svg`, `booking.svg` or `desk.svg`")),
    responses((status = 200, description = "A drawing", content_type = "image/svg+xml"), FeedError))]
#[instrument(name = "feed.pictogram", skip_all)]
pub async fn draw_pictogram(State(app): State<App>, Path(file): Path<String>) -> Result<Response, FeedError> {
    let name = file.strip_suffix(".svg").ok_or(FeedError::NotFound)?;
    let drawn = match name {
        "route-loop" => svg(USUAL, "\u{21bb}"),
        "route-return" => svg(USUAL, "\u{21c4}"),
        "route-cross" => svg(USUAL, "\u{2192}"),
        "booking" => svg(USUAL, "R"),
        "desk" => svg(USUAL, "i"),
        number => {
            let term = facts(&app).await?.term(number.parse().ok()).ok_or(FeedError::NotFound)?;
            let letter = term.label.best("fr").chars().find(|c| c.is_alphanumeric()).unwrap_or('?');
            svg(term.color.as_deref().unwrap_or(USUAL), &letter.to_uppercase().to_string())
        }
    };
    let mut response = Response::new(drawn.into());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("image/svg+xml"));
    response.headers_mut().insert(CACHE_CONTROL, A_DAY);
    // Portals draw it as part of their page, for which a browser asks in the name of that page.
    Ok(for_every_site(response).await)
}

fn svg(color: &str, letter: &str) -> String {
    // White is read on dark colours, black on light ones.
    let channel = |at: usize| color.get(at..at + 2).and_then(|hex| u32::from_str_radix(hex, 16).ok()).unwrap_or(0);
    let light = channel(1) * 299 + channel(3) * 587 + channel(5) * 114 > 150_000;
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" width="48" height="48" {
            circle cx="24" cy="24" r="22" fill=(color) {}
            text x="24" y="33" text-anchor="middle" font-family="sans-serif" font-size="26" font-weight="700" fill=(if light { "#000" } else { "#fff" }) { (letter) }
        }
    }
    .into_string()
}
