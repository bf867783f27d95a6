//! The parts of the public page.

use maud::{Markup, PreEscaped, html};
use outputs::visitor_words::{Language, PublicClosure, Words, figures};

use super::provider::From;
use super::texts;
use super::view::{
    Film, Picture, PublicChild, PublicDocument, PublicItinerary, PublicMarking, PublicParcours, PublicPrice,
    PublicStep, PublicValue, Sound,
};

/// Title, tags, figures, summary.
pub fn heading(parcours: &PublicParcours, language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    let looped = parcours.is_loop.map(|is_loop| Words::own(texts::loop_word(language, is_loop)));
    let stay = parcours.is_stay.map(|is_stay| Words::own(texts::stay_word(language, is_stay)));
    let tags: Vec<&Words> = [parcours.practice.as_ref(), parcours.level.as_ref(), stay.as_ref(), looped.as_ref()]
        .into_iter()
        .flatten()
        .chain(&parcours.ratings)
        .chain(&parcours.themes)
        .collect();
    html! {
        h1 lang=[&parcours.title.lang] { (parcours.title.text) }
        @if let Some(subtitle) = &parcours.subtitle { p.subtitle lang=[&subtitle.lang] { (subtitle.text) } }
        @if !tags.is_empty() {
            ul.tags aria-label=(t("En bref", "In short")) {
                @for tag in tags { li lang=[&tag.lang] { (tag.text) } }
            }
        }
        @if parcours.distance_m.is_some() || parcours.duration_s.is_some() {
            dl.figures {
                @if let Some(distance) = parcours.distance_m {
                    div { dt { (t("Distance", "Distance")) } dd { (figures::distance(language, distance)) } }
                }
                @if let Some(duration) = parcours.duration_s {
                    div { dt { (t("Durée", "Duration")) } dd { (figures::duration(duration)) } }
                }
                @if let Some(ascent) = parcours.ascent_m {
                    div { dt { (t("Montée", "Climb")) } dd { (figures::metres(language, ascent)) } }
                }
                @if let Some(descent) = parcours.descent_m {
                    div { dt { (t("Descente", "Descent")) } dd { (figures::metres(language, descent)) } }
                }
            }
        }
        @if let Some(summary) = &parcours.summary { p.lead lang=[&summary.lang] { (summary.text) } }
    }
}

/// Where the reader comes from, and how far the departure is from there.
pub fn from(from: &From, language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    html! {
        p.notice role="note" {
            (t("Depuis ", "From ")) strong { (from.name) }
            @if let Some(distance) = &from.distance { (t(" : le départ est à ", ": the start is ")) (distance) (t(" à vol d’oiseau", " away as the crow flies")) }
            ". " a href=(from.href) { (t("Les autres parcours autour", "The other routes around")) }
        }
    }
}

/// The main picture with its legend and its author.
pub fn cover(picture: &Picture) -> Markup {
    html! { figure.cover { (figure_content(picture, Loading::Eager)) } }
}

/// The other pictures: fetched when the reader comes near.
pub fn gallery(pictures: &[Picture], language: Language) -> Markup {
    html! {
        section aria-labelledby="images" {
            h2 id="images" { (language.pick("En images", "In pictures")) }
            ul.gallery { @for picture in pictures { li { figure { (figure_content(picture, Loading::Lazy)) } } } }
        }
    }
}

/// The films.
pub fn films(films: &[Film], language: Language) -> Markup {
    html! {
        section aria-labelledby="regarder" {
            h2 id="regarder" { (language.pick("À regarder", "To watch")) }
            ul.around {
                @for film in films {
                    li {
                        h3 lang=[&film.title.lang] { (film.title.text) }
                        video controls preload="none" src=(film.src) poster=[&film.poster] aria-label=(film.title.text) {}
                        @if let Some(credit) = &film.credit { p.where { (credit) } }
                    }
                }
            }
        }
    }
}

/// The documents.
pub fn documents(documents: &[PublicDocument], language: Language) -> Markup {
    html! {
        section aria-labelledby="documents" {
            h2 id="documents" { "Documents" }
            ul.around {
                @for document in documents {
                    li { a href=(document.href) lang=[&document.title.lang] { (document.title.text) } " (PDF, " (figures::bytes(language, document.bytes)) ")" }
                }
            }
        }
    }
}

/// The sounds.
pub fn sounds(sounds: &[Sound], language: Language) -> Markup {
    html! {
        section aria-labelledby="ecouter" {
            h2 id="ecouter" { (language.pick("À écouter", "To listen to")) }
            ul.around {
                @for sound in sounds {
                    li {
                        h3 lang=[&sound.title.lang] { (sound.title.text) }
                        audio controls preload="none" src=(sound.src) aria-label=(sound.title.text) {}
                        @if let Some(credit) = &sound.credit { p.where { (credit) } }
                    }
                }
            }
        }
    }
}

/// When a browser fetches a picture: with the page, or when it is about to be scrolled into view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Loading {
    Eager,
    Lazy,
}

/// The content of a `figure`: a picture with its legend and its author.
pub(super) fn figure_content(picture: &Picture, loading: Loading) -> Markup {
    let (alt, alt_lang) = picture.alt.as_ref().map_or(("", None), |alt| (alt.text.as_str(), alt.lang.as_deref()));
    let credit = picture.credit.as_deref();
    html! {
            img src=(picture.src) alt=(alt) lang=[alt_lang] width=[picture.size.map(|size| size.0)] height=[picture.size.map(|size| size.1)] loading=[(loading == Loading::Lazy).then_some("lazy")];
            @if picture.legend.is_some() || credit.is_some() {
                figcaption {
                    @if let Some(legend) = &picture.legend { span lang=[&legend.lang] { (legend.text) } }
                    @if picture.legend.is_some() && credit.is_some() { " · " }
                    @if let Some(credit) = credit { (credit) }
                }
            }
    }
}

/// The closures with their period, place and reason: above the other content, as a visitor must know them before a start.
pub fn closures(closures: &[PublicClosure], sheet_per_m: f64, language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    let now = closures.iter().any(|closure| closure.now);
    html! {
        section.closures data-now=[now.then_some("")] aria-labelledby="fermetures" {
            h2 id="fermetures" { (if now { t("Fermé en ce moment", "Closed at the moment") } else { t("Fermeture à venir", "Closure to come") }) }
            ul {
                @for closure in closures {
                    li {
                        strong lang=[&closure.title.lang] { (closure.title.text) }
                        " · " (outputs::visitor_words::closure_kind(language, closure.kind))
                        p { (outputs::visitor_words::closed_when_and_where(language, closure, sheet_per_m)) }
                        @if let Some(reason) = &closure.reason { div.prose lang=[&reason.lang] { (paragraphs(&reason.text)) } }
                        @for detour in &closure.detours { p.detour { (outputs::visitor_words::detour(language, detour, sheet_per_m)) } }
                    }
                }
            }
        }
    }
}

/// The steps in their order.
pub fn steps(steps: &[PublicStep], language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    html! {
        section aria-labelledby="etapes" {
            h2 id="etapes" { (t("Étapes", "Stages")) }
            ol.steps {
                @for step in steps {
                    li class=[texts::step_class(step.kind)] {
                        p.where {
                            b.rank { (step.label) } " "
                            (texts::step_kind(language, step.kind))
                            @if let Some(nights) = step.nights.filter(|nights| *nights > 1) { " · " (nights) (t(" nuits", " nights")) }
                            @if let Some(at) = step.at_m { " · " (figures::decimal(language, at / 1000.0)) "\u{202f}km" }
                            @if let Some(beside) = step.beside_m {
                                " · " (t("à ", "")) (figures::distance(language, beside)) (t(" du tracé", " from the trail"))
                            }
                            @if let Some(practice) = &step.practice {
                                " · " (t("à partir d’ici", "from here on")) (figures::colon(language)) span lang=[&practice.lang] { (practice.text) }
                            }
                        }
                        @if let Some(title) = &step.title { h3 lang=[&title.lang] { (title.text) } }
                        @if let Some(description) = &step.description {
                            div.prose lang=[&description.lang] { (paragraphs(&description.text)) }
                        }
                        @if let Some(next) = step.distance_to_next_m.filter(|next| *next > 0.0) {
                            p.next {
                                (t("Prochaine étape à ", "Next stage in ")) (figures::distance(language, next))
                                @if let Some(seconds) = step.duration_to_next_s.filter(|seconds| *seconds >= 60.0) { " · " (figures::duration(seconds)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The parcours shown under this one.
pub fn children(children: &[PublicChild], language: Language) -> Markup {
    html! {
        section aria-labelledby="variantes" {
            h2 id="variantes" { (language.pick("Ce parcours comprend", "This route includes")) }
            ul.children {
                @for child in children {
                    li {
                        @if let Some(href) = &child.href {
                            a href=(href) lang=[&child.title.lang] { (child.title.text) }
                        } @else {
                            strong lang=[&child.title.lang] { (child.title.text) }
                        }
                        @if let Some(distance) = child.distance_m { " · " (figures::distance(language, distance)) }
                        @if let Some(duration) = child.duration_s { " · " (figures::duration(duration)) }
                        @if let Some(ascent) = child.ascent_m { " · ↗ " (figures::metres(language, ascent)) }
                    }
                }
            }
        }
    }
}

/// A dot in a colour, which screen readers skip: the name beside it says the same.
fn dot(color: &str) -> Markup {
    html! { svg.dot viewBox="0 0 10 10" aria-hidden="true" { circle cx="5" cy="5" r="4.5" fill=(color) {} } " " }
}

fn named(words: &Words) -> Markup {
    html! { span lang=[&words.lang] { (words.text) } }
}

fn marking(marking: &PublicMarking) -> Markup {
    html! {
        @for color in &marking.colors { (dot(color)) }
        (named(&marking.name))
        @if let Some(signs) = &marking.description {
            " (" span lang=[&signs.lang] { (signs.text.trim_end_matches('.')) } ")"
        }
    }
}

fn itinerary(way: &PublicItinerary) -> Markup {
    html! {
        @if let Some(color) = &way.color { (dot(color)) }
        @if let Some(code) = &way.code { (code) " · " }
        (named(&way.name))
    }
}

/// The description of a long-distance way, folded: it can be pages long. Nothing without one.
fn about(way: &PublicItinerary, language: Language) -> Markup {
    html! {
        @if let Some(description) = &way.description_html {
            li {
                details {
                    summary { (language.pick("À propos de ", "About ")) (named(&way.name)) }
                    div.prose lang=[&description.lang] { (PreEscaped(&description.text)) }
                }
            }
        }
    }
}

/// A line of the practical information: a label, and its items with commas between them. Nothing without an item.
fn listed(label: &str, items: impl ExactSizeIterator<Item = Markup>, language: Language) -> Markup {
    html! {
        @if items.len() > 0 {
            li {
                (label) (figures::colon(language))
                @for (number, item) in items.enumerate() { @if number > 0 { ", " } (item) }
            }
        }
    }
}

/// When, with a bike or not, guided or not, where to book.
pub fn practical(parcours: &PublicParcours, language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    html! {
        section aria-labelledby="pratique" {
            h2 id="pratique" { (t("Informations pratiques", "Practical information")) }
            ul.practical {
                @for (from, to) in &parcours.availability {
                    li {
                        (t("Ouvert du ", "Open from ")) (figures::day(language, from))
                        (t(" au ", " to ")) (figures::day(language, to))
                    }
                }
                @if let Some(carried) = parcours.bike_carriage {
                    li { (texts::bikes_carried(language, carried)) }
                }
                (listed(t("Suit", "Follows"), parcours.itineraries.iter().map(itinerary), language))
                @for way in &parcours.itineraries { (about(way, language)) }
                (listed(t("Balisage", "Waymarks"), parcours.markings.iter().map(marking), language))
                (listed(t("Équipement à prévoir", "What to take"), parcours.equipment.iter().map(named), language))
                @for (label, value) in &parcours.custom {
                    li {
                        span lang=[&label.lang] { (label.text) } (figures::colon(language))
                        @match value {
                            PublicValue::Line(text) => { (text) }
                            PublicValue::Paragraphs(text) => { (paragraphs(text)) }
                            PublicValue::Link(url) => { a href=(url) rel="noopener" { (url) } }
                        }
                    }
                }
                @if let Some(price) = &parcours.price { li { (price_line(price, language)) } }
                @if let Some(guided) = parcours.guided { li { (texts::guidance(language, guided)) } }
                li { (t("En cas d’urgence, appelez le 112.", "In an emergency, call 112.")) }
            }
            @if let Some(price) = &parcours.price {
                @for (title, words) in [(t("Le prix comprend", "The price includes"), &price.includes), (t("Le prix ne comprend pas", "The price does not include"), &price.excludes)] {
                    @if let Some(words) = words {
                        h3 { (title) }
                        div.prose lang=[&words.lang] { (PreEscaped(&words.text)) }
                    }
                }
            }
            @if let Some((url, label)) = &parcours.booking {
                p { a.button.primary href=(url) rel="noopener" lang=[&label.lang] { (label.text) } }
            }
        }
    }
}

/// `Gratuit.`; `Jusqu’à 620 €.`; `De 450 € à 620 €. Acompte de 30 % à la réservation.`
fn price_line(price: &PublicPrice, language: Language) -> String {
    let money = |cents| figures::money(language, cents);
    let line = match (price.cents, price.most_cents) {
        (Some(least), Some(most)) => {
            format!("{}{}{}{}.", language.pick("De ", "From "), money(least), language.pick(" à ", " to "), money(most))
        }
        (None, Some(most)) => format!("{}{}.", language.pick("Jusqu’à ", "Up to "), money(most)),
        (Some(0) | None, None) => language.pick("Gratuit.", "Free.").to_owned(),
        (Some(cents), None) => {
            format!("{}{}{}.", language.pick("Prix", "Price"), figures::colon(language), money(cents))
        }
    };
    match (price.deposit_percent, language) {
        (Some(percent), Language::French) => format!("{line} Acompte de {percent}\u{202f}% à la réservation."),
        (Some(percent), Language::English) => format!("{line} A deposit of {percent}% is paid when booking."),
        (None, _) => line,
    }
}

/// The steps as the script reads them.
pub fn steps_json(steps: &[PublicStep]) -> PreEscaped<String> {
    let items: Vec<_> = steps
        .iter()
        .map(|step| {
            serde_json::json!({
                "kind": step.kind, "label": step.label, "title": step.title.as_ref().map_or("", |title| &title.text), "at_m": step.at_m.map(f64::round),
                "position": [step.position.lon, step.position.lat],
            })
        })
        .collect();
    // `<` would let a title close the script element.
    json_for_script(&items)
}

/// Data for a script, escaped for the place between its tags.
pub fn json_for_script(value: &impl serde::Serialize) -> PreEscaped<String> {
    PreEscaped(serde_json::to_string(value).unwrap_or_default().replace('<', "\\u003c"))
}

/// Plain text as paragraphs: a blank line parts them, a line's end is kept.
pub fn paragraphs(text: &str) -> Markup {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    html! {
        @for paragraph in lines.split(|line| line.is_empty()).filter(|paragraph| !paragraph.is_empty()) {
            p { @for (index, line) in paragraph.iter().enumerate() { @if index > 0 { br; } (line) } }
        }
    }
}
