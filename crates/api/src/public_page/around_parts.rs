//! The parts of the public page that tell what is around: POIs, and the way to come without a car.

use maud::{Markup, PreEscaped, html};

use super::view::{Language, PublicLine, PublicPoi};
use super::{figures, texts};

/// What there is to see on the way.
pub fn pois(pois: &[PublicPoi], language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    html! {
        section aria-labelledby="a-voir" {
            h2 id="a-voir" { (t("À voir en chemin", "Worth seeing on the way")) }
            ul.around {
                @for poi in pois {
                    li {
                        h3 lang=[&poi.title.lang] { (poi.title.text) }
                        @if let Some(at) = poi.at_m {
                            p.where { (t("Au kilomètre ", "At kilometer ")) (figures::decimal(language, at / 1000.0)) }
                        }
                        @if let Some(description) = &poi.description_html {
                            div.prose lang=[&description.lang] { (PreEscaped(&description.text)) }
                        }
                        @if let Some(website) = &poi.website { (site(website, language)) }
                    }
                }
            }
        }
    }
}

/// The lines one comes with.
pub fn lines(lines: &[PublicLine], language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    html! {
        section aria-labelledby="sans-voiture" {
            h2 id="sans-voiture" { (t("Venir sans voiture", "Come without a car")) }
            ul.around {
                @for line in lines {
                    li {
                        h3 { (texts::line_mode(language, line.mode)) " " (line.short_name) @if !line.short_name.is_empty() { " · " } (line.long_name) }
                        @if !line.stops.is_empty() {
                            p.where {
                                (t("Arrêt\u{a0}: ", "Stop: "))
                                @for (number, stop) in line.stops.iter().enumerate() {
                                    @if number > 0 { ", " }
                                    span lang=[&stop.lang] { (stop.text) }
                                }
                            }
                        }
                        @if let Some(operator) = &line.operator { p { (operator) } }
                        @if let Some(carried) = texts::line_bikes(language, line.bikes) { p { (carried) } }
                        @for condition in &line.conditions { p lang=[&condition.lang] { (condition.text) } }
                        @if let Some(website) = &line.website { (site(website, language)) }
                        @if let Some(booking) = &line.booking_url {
                            p { a.button href=(booking) rel="noopener" { (t("Réserver ce trajet", "Book this trip")) } }
                        }
                    }
                }
            }
        }
    }
}

fn site(url: &str, language: Language) -> Markup {
    html! { p { a href=(url) rel="noopener" { (language.pick("Site web", "Website")) } } }
}
