//! Pictograms of the items a feed names: a round of the item's colour with its icon, else with its first letter. Public, as pictures of a
//! page are.

use std::collections::HashMap;
use std::sync::LazyLock;

use app::App;
use app::every_site::for_every_site;
use app::extract::Path;
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::Response;
use maud::{Markup, html};
use tracing::instrument;

use super::FeedError;
use super::facts::facts;

const A_DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");
/// The colour of an item without one.
const USUAL: &str = "#0B5F50";

/// The icons that an item may have, by their names: the path of each on a square of 24, from Tabler Icons 3.51 (© 2020-2026 Paweł Kuna,
/// MIT licence: `icons-LICENSE.txt`).
static ICONS: LazyLock<HashMap<String, String>> =
    LazyLock::new(|| serde_json::from_str(include_str!("icons.json")).unwrap_or_default());

/// The pictogram of an item of a reference list, or of a kind of route.
#[utoipa::path(get, path = "/api/public/v1/pictograms/{file}", tag = "feeds", security(()),
    params(("file" = String, Path, description = "`<number>.svg`, `route-loop.svg`, `route-return.svg`, `route-cross.svg`, `booking.svg` or `desk.svg`")),
    responses((status = 200, description = "A drawing", content_type = "image/svg+xml"), FeedError))]
#[instrument(name = "feed.pictogram", skip_all)]
pub async fn draw_pictogram(State(app): State<App>, Path(file): Path<String>) -> Result<Response, FeedError> {
    let name = file.strip_suffix(".svg").ok_or(FeedError::NotFound)?;
    let drawn = match name {
        "route-loop" => svg(USUAL, letter("\u{21bb}")),
        "route-return" => svg(USUAL, letter("\u{21c4}")),
        "route-cross" => svg(USUAL, letter("\u{2192}")),
        "booking" => svg(USUAL, letter("R")),
        "desk" => svg(USUAL, letter("i")),
        number => {
            let term = facts(&app).await?.term(number.parse().ok()).ok_or(FeedError::NotFound)?;
            let color = term.color.as_deref().unwrap_or(USUAL);
            if let Some(line) = term.icon.as_ref().and_then(|name| ICONS.get(name)) {
                svg(color, icon(line))
            } else {
                let first = term.label.best("fr").chars().find(|c| c.is_alphanumeric()).unwrap_or('?');
                svg(color, letter(&first.to_uppercase().to_string()))
            }
        }
    };
    let mut response = Response::new(drawn.into());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("image/svg+xml"));
    response.headers_mut().insert(CACHE_CONTROL, A_DAY);
    // Portals draw it as part of their page, for which a browser asks in the name of that page.
    Ok(for_every_site(response).await)
}

/// A disc of a colour, and what is drawn on it in the colour it is given: white on dark colours, black on light ones.
fn svg(color: &str, drawn: impl Fn(&str) -> Markup) -> String {
    let channel = |at: usize| color.get(at..at + 2).and_then(|hex| u32::from_str_radix(hex, 16).ok()).unwrap_or(0);
    let light = channel(1) * 299 + channel(3) * 587 + channel(5) * 114 > 150_000;
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" width="48" height="48" {
            circle cx="24" cy="24" r="22" fill=(color) {}
            (drawn(if light { "#000" } else { "#fff" }))
        }
    }
    .into_string()
}

fn letter(letter: &str) -> impl Fn(&str) -> Markup {
    move |color| {
        html! {
            text x="24" y="33" text-anchor="middle" font-family="sans-serif" font-size="26" font-weight="700" fill=(color) { (letter) }
        }
    }
}

fn icon(path: &str) -> impl Fn(&str) -> Markup {
    move |color| {
        html! {
            path d=(path) transform="translate(9 9) scale(1.25)" fill="none" stroke=(color) stroke-width="2" stroke-linecap="round" stroke-linejoin="round" {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_icon_is_a_line_on_its_square() {
        assert_eq!(ICONS.len(), 20);
        for (name, line) in ICONS.iter() {
            let is_path =
                line.chars().all(|c| c.is_ascii_digit() || " .-".contains(c) || "MmLlHhVvCcSsQqTtAaZz".contains(c));
            assert!(line.starts_with('M') && is_path, "{name}: {line}");
        }
    }

    #[test]
    fn a_pictogram_is_read_on_its_colour() {
        let dark = svg("#0B5F50", letter("À"));
        assert!(dark.contains(r##"fill="#fff""##) && dark.contains(">À</text>"), "{dark}");
        let light = svg("#FFEB3B", icon(&ICONS["walk"]));
        assert!(light.contains(r##"stroke="#000""##) && light.contains("<path d=\"M"), "{light}");
    }
}
