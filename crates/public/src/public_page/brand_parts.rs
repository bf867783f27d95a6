//! What each page has of its white-label: the style in its head, the bar above, the line below.

use maud::{Markup, PreEscaped, html};
use outputs::visitor_words::Language;

use super::brand::Brand;

/// The style of the pages, and that of the white-label; its fonts are fetched ahead.
pub fn styles(brand: &Brand, build_id: &str) -> Markup {
    let own = brand.css();
    html! {
        link rel="icon" href="/favicon.svg" type="image/svg+xml";
        link rel="stylesheet" href=(format!("/public-page/page.css?v={build_id}"));
        @for font in brand.fonts() { link rel="preload" as="font" type=(font.mime) href=(font.src) crossorigin; }
        @if !own.is_empty() { style { (PreEscaped(own)) } }
    }
}

/// The bar at the top: the logo, whose alternative text is the name, or the name, with a link to the home page of the site where
/// there is one; and a link to the page in the other language.
pub fn bar(brand: &Brand, home: Option<&str>, other: Option<&str>, language: Language) -> Markup {
    let into = language.other();
    let class = if brand.logo.is_some() { "publisher logo" } else { "publisher" };
    html! {
        header.top {
            @if let Some(home) = home {
                a class=(class) href=(home) { (name(brand)) }
            } @else {
                span class=(class) { (name(brand)) }
            }
            @if let Some(path) = other {
                a.language href=(path) hreflang=(into.code()) lang=(into.code()) { (language.pick("English", "Français")) }
            }
        }
    }
}

fn name(brand: &Brand) -> Markup {
    html! {
        @if let Some(logo) = &brand.logo {
            img src=(logo.src) alt=(brand.name) width=(logo.size.0) height=(logo.size.1);
        } @else {
            (brand.name)
        }
    }
}

/// The publisher's name, and Jalon's.
pub fn signature(brand: &Brand) -> Markup {
    html! { p { (brand.name) " · Jalon" } }
}
