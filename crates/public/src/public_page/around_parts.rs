//! The parts of the public page about the surroundings: POIs, and the way to come without a car.

use content::stops_near::WayHome;
use maud::{Markup, PreEscaped, html};
use outputs::visitor_words::{Language, Words, figures};

use super::texts;
use super::view::{PublicLine, PublicPoi, PublicTransport};

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
                        @if texts::poi_flags(language, poi.flags).next().is_some() {
                            ul.tags { @for flag in texts::poi_flags(language, poi.flags) { li { (flag) } } }
                        }
                        @if !poi.categories.is_empty() {
                            p.where { (names(&poi.categories)) }
                        }
                        @if !poi.themes.is_empty() {
                            p.where {
                                (if poi.themes.len() == 1 { t("Thème", "Theme") } else { t("Thèmes", "Themes") })
                                (figures::colon(language)) (names(&poi.themes))
                            }
                        }
                        @if let Some(picture) = &poi.picture { figure { (super::parts::figure_content(picture, super::parts::Loading::Lazy)) } }
                        @if let Some(at) = poi.at_m {
                            p.where { (t("Au kilomètre ", "At kilometre ")) (figures::decimal(language, at / 1000.0)) }
                        }
                        @if let Some(description) = &poi.description_html {
                            div.prose lang=[&description.lang] { (PreEscaped(&description.text)) }
                        }
                        @if let Some(opening) = &poi.opening { div.prose lang=[&opening.lang] { (super::parts::paragraphs(&opening.text)) } }
                        @if let Some(address) = &poi.address { p { (address) } }
                        @if let Some(phone) = &poi.phone { (telephone(phone, language)) }
                        @if let Some(email) = &poi.email { p { (t("E-mail", "Email")) (figures::colon(language)) a href={ "mailto:" (email) } { (email) } } }
                        @if let Some(website) = &poi.website { (site(website, language)) }
                        @if let Some(record) = &poi.record_url { p { a href=(record) rel="noopener" { (t("La fiche complète", "Full listing")) } } }
                        @if let Some((source, licence)) = &poi.licence { p.where { (t("Source", "Source")) (figures::colon(language)) (source) ", " (licence) } }
                        @if let Some(url) = &poi.booking_url { p { a href=(url) rel="noopener" { (t("Réserver", "Book")) } } }
                    }
                }
            }
        }
    }
}

/// Names with commas between them.
fn names(names: &[Words]) -> Markup {
    html! { @for (number, name) in names.iter().enumerate() { @if number > 0 { ", " } span lang=[&name.lang] { (name.text) } } }
}

/// The POIs as the script of the map reads them.
pub fn pois_json(pois: &[PublicPoi]) -> PreEscaped<String> {
    let shown = pois.iter().filter_map(|poi| Some(serde_json::json!({ "title": poi.title.text, "at": poi.place? })));
    super::parts::json_for_script(&shown.collect::<Vec<_>>())
}

/// The way to come without a car: the lines the staff chose, the stops around, the last ways home.
pub fn lines(lines: &[PublicLine], transport: &PublicTransport, language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    html! {
        section aria-labelledby="sans-voiture" {
            h2 id="sans-voiture" { (t("Venir sans voiture", "Come without a car")) }
            @if !lines.is_empty() { ul.around { @for line in lines { (one_line(line, language)) } } }
            @if !transport.places.is_empty() { (stops(transport, language)) }
            @if !transport.ways_home.is_empty() {
                h3 { (t("Pour rentrer", "To get back")) }
                ul.around.home { @for way in &transport.ways_home { li { (way_home(way, language)) } } }
            }
        }
    }
}

fn one_line(line: &PublicLine, language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    html! {
        li {
            h3 { (texts::line_mode(language, line.mode)) " " (line.short_name) @if !line.short_name.is_empty() { " · " } (line.long_name) }
            @if !line.stops.is_empty() {
                p.where {
                    (t("Arrêt", "Stop")) (figures::colon(language))
                    @for (number, stop) in line.stops.iter().enumerate() {
                        @if number > 0 { ", " }
                        span lang=[&stop.lang] { (stop.text) }
                    }
                }
            }
            @if let Some(operator) = &line.operator { p { (operator) } }
            @if let Some(carried) = texts::line_bikes(language, line.bikes) { p { (carried) } }
            @for condition in &line.conditions { p lang=[&condition.lang] { (condition.text) } }
            @if line.bookable { p { (t("Sur réservation", "Booking required")) } }
            @if let Some(note) = &line.booking_note { p lang=[&note.lang] { (note.text) } }
            @if let Some(phone) = &line.booking_phone { (telephone(phone, language)) }
            @if let Some(website) = &line.website { (site(website, language)) }
            @if let Some(booking) = &line.booking_url {
                p { a.button href=(booking) rel="noopener" { (t("Réserver ce trajet", "Book this trip")) } }
            }
        }
    }
}

/// The stops around, place by place.
fn stops(transport: &PublicTransport, language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    html! {
        h3 { (t("Arrêts proches", "Stops nearby")) }
        ul.around.stops {
            @for place in &transport.places {
                li {
                    h4 {
                        (texts::place(language, place.kind))
                        @if let Some(title) = &place.title { (figures::colon(language)) span lang=[&title.lang] { (title.text) } }
                    }
                    ul {
                        @for stop in &place.stops {
                            li {
                                (stop.name) " (" (figures::distance(language, stop.distance_m)) ")"
                                @for (number, (mode, code, bikes, bookable)) in stop.lines.iter().enumerate() {
                                    (if number == 0 { figures::colon(language) } else { ", " })
                                    (texts::line_mode(language, *mode)) " " (code)
                                    @if let Some(carried) = texts::line_bikes(language, *bikes) { " – " (carried.to_lowercase()) }
                                    @if *bookable { " – " (t("sur réservation", "to be booked")) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn way_home(way: &WayHome, language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    html! {
        strong { (texts::days_of(language, way)) (figures::colon(language)) }
        (t("dernier départ à ", "last departure at ")) (figures::clock(language, way.last_s))
        (t(", ligne ", ", line ")) (way.code)
        @if let Some(towards) = &way.towards { (t(" vers ", " to ")) (towards) }
        (t(", arrêt ", ", stop ")) (way.stop) " (" (figures::distance(language, way.distance_m)) ")"
        @if let Some(until) = way.until.as_ref().filter(|_| way.on.is_none()) { (t(", jusqu’au ", ", until ")) (figures::day(language, until)) }
        @if way.bookable { (t(", sur réservation", ", to be booked")) }
        ". "
        @if let Some(by) = way.leave_by_s { (t("Commencez le parcours avant ", "Start the route before ")) (figures::clock(language, by))
            @if way.pauses_s > 0 { (t(", pauses comprises (", ", breaks included (")) (figures::duration(f64::from(way.pauses_s))) ")" }
            "."
        }
    }
}

fn telephone(number: &str, language: Language) -> Markup {
    let dialled: String = number.chars().filter(|c| c.is_ascii_digit() || *c == '+').collect();
    html! { p { (language.pick("Téléphone", "Phone")) (figures::colon(language)) a href={ "tel:" (dialled) } { (number) } } }
}

fn site(url: &str, language: Language) -> Markup {
    html! { p { a href=(url) rel="noopener" { (language.pick("Site web", "Website")) } } }
}
