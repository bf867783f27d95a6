//! What each page has of its white-label: the style in its head, the bar above, the line below.

use app::{App, Environment};
use domain::white_label::WhiteLabelSheet;
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
/// there is one; a link back to where the white-label leads its readers; and a link to the page in the other language.
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
            @if let Some(back) = &brand.back { a.back href=(back) { (language.pick("Retour au site", "Back to the site")) } }
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

/// The identifier of a white-label at Google Analytics; none on a preproduction server.
pub fn analytics(app: &App, sheet: &WhiteLabelSheet) -> Option<String> {
    sheet.analytics.web.clone().filter(|_| app.settings.environment != Environment::Preproduction)
}

/// The question whether the audience may be measured: nothing is loaded from Google before a visitor agrees. The script shows it until
/// it is answered, and the button below it afterwards.
pub fn audience_question(brand: &Brand, id: &str, language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    html! {
        section.audience #audience data-id=(id) aria-label=(t("Mesure d’audience", "Audience measurement")) hidden {
            p { (brand.name) (t(
                " souhaite mesurer l’audience de ses pages avec Google Analytics, qui dépose des cookies sur votre appareil et reçoit les adresses des pages que vous lisez. Tout fonctionne de la même façon si vous refusez.",
                " would like to measure the audience of its pages with Google Analytics, which stores cookies on your device and receives the addresses of the pages you read. Everything works the same if you refuse.",
            )) }
            p.choices {
                button.button type="button" value="yes" { (t("Accepter", "Accept")) }
                button.button type="button" value="no" { (t("Refuser", "Refuse")) }
            }
        }
        p { button.link #audience-again type="button" hidden { (t("Mesure d’audience\u{202f}: changer mon choix", "Audience measurement: change my choice")) } }
    }
}
