//! The page of a provider, as HTML: readable without script.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use outputs::visitor_words::{Language, Words, figures};
use serde::Serialize;

use super::brand::Brand;
use super::brand_parts;
use super::parts::json_for_script;

/// What the page shows.
#[derive(Debug, Clone)]
pub struct ProviderPage {
    /// What the provider is called.
    pub name: String,
    /// A line under its name.
    pub tagline: Option<Words>,
    pub address: Option<String>,
    /// Its own site.
    pub website: Option<String>,
    /// Where its mark is.
    pub logo: Option<String>,
    /// Its place: degrees east and north.
    pub at: [f64; 2],
    /// How far from it parcours may start, in metres.
    pub radius_m: f64,
    /// The parcours, the nearest first.
    pub nearby: Vec<Nearby>,
    /// The look of the page: that of the white-label.
    pub brand: Brand,
    /// The home page of the white-label, where its site is published.
    pub home: Option<String>,
    /// The identifier of the white-label at Google Analytics.
    pub analytics: Option<String>,
    /// The path of the page in the other language.
    pub other: String,
    /// Identifier of the build, for caches.
    pub build_id: String,
    /// Style of the base map.
    pub map_style: String,
    /// Attribution of the base map, trusted HTML.
    pub attribution: &'static str,
}

/// A parcours near the provider.
#[derive(Debug, Clone)]
pub struct Nearby {
    pub title: Words,
    /// Its page.
    pub href: String,
    /// Metres from the provider to its start, as the crow flies, where its place is known.
    pub metres: Option<f64>,
    /// Where it starts; none without a trace.
    pub start: Option<[f64; 2]>,
    pub distance_m: Option<f64>,
    pub duration_s: Option<f64>,
    /// Metres up.
    pub ascent_m: Option<f64>,
    pub practice: Option<Words>,
    pub level: Option<Words>,
    /// A small picture.
    pub picture: Option<String>,
    /// Words instead of it.
    pub alt: Option<Words>,
}

/// The whole document.
pub fn document(page: &ProviderPage, language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    let title = match language {
        Language::French => format!("{}{}les parcours à proximité", page.name, figures::colon(language)),
        Language::English => format!("Routes near {}", page.name),
    };
    html! {
        (DOCTYPE)
        html lang=(language.code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="robots" content="noindex";
                title { (title) " · " (page.brand.name) }
                (brand_parts::styles(&page.brand, &page.build_id))
                script type="module" src="/public-page/page.js" {}
            }
            body {
                a.skip href="#contenu" { (t("Aller au contenu", "Skip to content")) }
                (brand_parts::bar(&page.brand, page.home.as_deref(), Some(page.other.as_str()), language))
                main id="contenu" tabindex="-1" {
                    (heading(page, &title))
                    @if page.nearby.is_empty() {
                        p.notice role="note" { (t("Aucun parcours publié ne part d’ici pour le moment.", "No published route starts near here at the moment.")) }
                    } @else {
                        (map(page, language))
                        (list(page, language))
                    }
                }
                footer {
                    (brand_parts::signature(&page.brand))
                    @if let Some(id) = &page.analytics { (brand_parts::audience_question(&page.brand, id, language)) }
                }
            }
        }
    }
}

fn heading(page: &ProviderPage, title: &str) -> Markup {
    html! {
        div.provider {
            @if let Some(logo) = &page.logo { img.logo src=(logo) alt=(page.name); }
            div {
                h1 { (title) }
                @if let Some(tagline) = &page.tagline { p.subtitle lang=[&tagline.lang] { (tagline.text) } }
                @if page.address.is_some() || page.website.is_some() {
                    p {
                        @if let Some(address) = &page.address { (address) }
                        @if page.address.is_some() && page.website.is_some() { " · " }
                        @if let Some(website) = &page.website { a href=(website) rel="noopener" { (website.split("://").nth(1).unwrap_or(website).trim_end_matches('/')) } }
                    }
                }
            }
        }
    }
}

#[derive(Serialize)]
struct Shown<'a> {
    name: &'a str,
    /// The provider's place.
    at: Option<[f64; 2]>,
    /// Where they start, in the order of the list; nothing where one has no trace.
    starts: Vec<Option<[f64; 2]>>,
    /// The number of the first one.
    first: usize,
}

/// The starts of a list as the script of the map reads them.
pub(super) fn starts_json(name: &str, at: Option<[f64; 2]>, list: &[Nearby], first: usize) -> PreEscaped<String> {
    json_for_script(&Shown { name, at, starts: list.iter().map(|one| one.start).collect(), first })
}

fn map(page: &ProviderPage, language: Language) -> Markup {
    html! {
        section.map-area aria-labelledby="carte" {
            h2 id="carte" { (language.pick("Carte", "Map")) }
            div #near-map data-style=(page.map_style) data-label=(language.pick("Départs des parcours autour", "Starts of routes around")) {
                p.stand-in { (language.pick("La liste ci-dessous dit où part chaque parcours.", "The list below says where each route starts.")) }
            }
            p.attribution { (PreEscaped(page.attribution)) }
            script #near type="application/json" { (starts_json(&page.name, Some(page.at), &page.nearby, 1)) }
        }
    }
}

fn list(page: &ProviderPage, language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    let radius = figures::distance(language, page.radius_m);
    html! {
        section aria-labelledby="parcours" {
            h2 id="parcours" { (t("Du plus près au plus loin", "From the nearest on")) }
            p.where { (t("Distances à vol d’oiseau, depuis la porte jusqu’au départ\u{202f}; ", "As the crow flies, from the door to the start; ")) (t("à moins de ", "within ")) (radius) "." }
            (items(&page.nearby, 1, language))
        }
    }
}

/// A list of parcours, each with its picture and its figures; `first` is the number of the first one.
pub(super) fn items(list: &[Nearby], first: usize, language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    html! {
        ol.nearby start=(first) style=(format!("counter-reset:near {}", first.saturating_sub(1))) {
            @for one in list {
                li {
                    @if let Some(picture) = &one.picture { img src=(picture) alt=(one.alt.as_ref().map_or("", |alt| alt.text.as_str())) loading="lazy"; }
                    div {
                        h3 lang=[&one.title.lang] { a href=(one.href) { (one.title.text) } }
                        @if let Some(metres) = one.metres { p.from { (t("à ", "")) (figures::distance(language, metres)) (t("", " away")) } }
                        p.where { (facts(one, language)) }
                    }
                }
            }
        }
    }
}

fn facts(one: &Nearby, language: Language) -> String {
    let parts = [
        one.practice.as_ref().map(|words| words.text.clone()),
        one.level.as_ref().map(|words| words.text.clone()),
        one.distance_m.map(|metres| figures::distance(language, metres)),
        one.duration_s.map(figures::duration),
        one.ascent_m.map(|metres| format!("{} {}", language.pick("D+", "↑"), figures::metres(language, metres))),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(nearby: Vec<Nearby>) -> ProviderPage {
        ProviderPage {
            name: "Hôtel <du Lac>".into(),
            tagline: None,
            address: None,
            website: Some("https://hotel.example/".into()),
            logo: None,
            at: [4.0, 47.0],
            radius_m: 15_000.0,
            home: None,
            nearby,
            brand: Brand { name: "Val d’Orsel".into(), ..Brand::default() },
            analytics: None,
            other: "/en/chez/hotel-du-lac-1".into(),
            build_id: "b1".into(),
            map_style: "/map/style-light.json".into(),
            attribution: "©",
        }
    }

    #[test]
    fn a_parcours_is_listed_with_its_distance_from_the_provider() {
        let one = Nearby {
            title: Words::own("Tour du lac"),
            href: "/p/tour-du-lac-7?chez=1".into(),
            metres: Some(1_240.0),
            start: Some([4.01, 47.0]),
            distance_m: Some(13_000.0),
            duration_s: Some(14_700.0),
            ascent_m: Some(382.0),
            practice: Some(Words::own("Randonnée")),
            level: None,
            picture: None,
            alt: None,
        };
        let text = document(&page(vec![one]), Language::French).into_string();
        assert!(text.contains("à 1,2\u{202f}km") && text.contains("Randonnée · 13,0\u{202f}km"), "{text}");
        assert!(text.contains("Hôtel &lt;du Lac&gt;") && !text.contains("<du Lac>"), "{text}");
        assert!(text.contains(r#"href="/p/tour-du-lac-7?chez=1""#) && text.contains("noindex"));
    }

    #[test]
    fn a_provider_page_without_nearby_parcours_is_explained() {
        let text = document(&page(vec![]), Language::English).into_string();
        assert!(text.contains("No published route starts near here") && !text.contains("near-map"), "{text}");
    }
}
