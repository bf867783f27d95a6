//! The public page of a parcours: one HTML document, readable without script.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::drawing;
use super::figures;
use super::texts;
use super::view::{Language, PageLinks, PublicParcours, PublicStep};

/// The whole document.
pub fn document(parcours: &PublicParcours, links: &PageLinks, language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    html! {
        (DOCTYPE)
        html lang=(language.code()) {
            (head(parcours, links, language))
            body {
                a.skip href="#contenu" { (t("Aller au contenu", "Skip to content")) }
                header.top {
                    span.publisher { (parcours.publisher) }
                    a.language href=(links.other_language) hreflang=(other(language)) lang=(other(language)) {
                        (t("English", "Français"))
                    }
                }
                @if let Some(expires) = &links.expires {
                    p.notice role="note" { (t("Lien temporaire, valable jusqu’au ", "Temporary link, valid until ")) (expires) "." }
                }
                main id="contenu" {
                    (heading(parcours, language))
                    section.map-area aria-labelledby="carte" {
                        h2 id="carte" { (t("Carte", "Map")) }
                        div #map data-style=(links.map_style) data-label=(t("Carte du parcours", "Map of the route")) {
                            (drawing::shape(&parcours.line, language))
                        }
                        p.attribution { (links.attribution) }
                        script #trace type="application/json" { (drawing::line_json(&parcours.line)) }
                        script #steps type="application/json" { (steps_json(&parcours.steps)) }
                    }
                    @if let Some(profile) = drawing::profile(parcours, language) {
                        section aria-labelledby="profil" {
                            h2 id="profil" { (t("Profil", "Profile")) }
                            (profile)
                            p.reading #profile-reading role="status" {}
                        }
                    }
                    @if !parcours.description_html.is_empty() {
                        section.prose aria-labelledby="description" {
                            h2 id="description" { (t("Description", "Description")) }
                            (PreEscaped(&parcours.description_html))
                        }
                    }
                    @if !parcours.steps.is_empty() { (steps(&parcours.steps, language)) }
                    (practical(parcours, language))
                    section aria-labelledby="emporter" {
                        h2 id="emporter" { (t("À emporter", "Take it with you")) }
                        p.downloads {
                            a.button href=(links.gpx) download { (t("Télécharger le GPX", "Download the GPX")) }
                            a.button href=(links.kml) download { (t("Télécharger le KML", "Download the KML")) }
                            button.button #copy-link type="button" data-done=(t("Lien copié", "Link copied")) hidden {
                                (t("Copier le lien", "Copy the link"))
                            }
                        }
                        p #copy-status role="status" {}
                    }
                }
                footer {
                    @if let Some(copyright) = &parcours.copyright { p { "© " (copyright) } }
                    p { (parcours.publisher) " · Jalon" }
                }
            }
        }
    }
}

/// A page of a few words: the link is expired, the parcours is not there.
pub fn sentence(language: Language, title: &str, message: &str, build_id: &str) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(language.code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="robots" content="noindex";
                title { (title) " · Jalon" }
                link rel="stylesheet" href=(format!("/public-page/page.css?v={build_id}"));
            }
            body {
                header.top { span.publisher { "Jalon" } }
                main id="contenu" { h1 { (title) } p.lead { (message) } }
            }
        }
    }
}

fn head(parcours: &PublicParcours, links: &PageLinks, language: Language) -> Markup {
    let title = parcours.meta.0.clone().unwrap_or_else(|| parcours.title.clone());
    let description = parcours.meta.1.clone().unwrap_or_else(|| parcours.summary.clone());
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            title { (title) " · " (parcours.publisher) }
            @if !description.is_empty() { meta name="description" content=(description); }
            @if links.no_index {
                meta name="robots" content="noindex";
            } @else {
                link rel="canonical" href=(links.canonical);
                link rel="alternate" hreflang=(other(language)) href=(links.other_language);
                meta property="og:type" content="article";
                meta property="og:title" content=(title);
                meta property="og:url" content=(links.canonical);
                @if !description.is_empty() { meta property="og:description" content=(description); }
            }
            link rel="icon" href="/favicon.svg" type="image/svg+xml";
            link rel="stylesheet" href=(format!("/public-page/page.css?v={}", links.build_id));
            script type="module" src=(format!("/public-page/page.js?v={}", links.build_id)) {}
        }
    }
}

fn heading(parcours: &PublicParcours, language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    let tags = [parcours.practice.clone(), parcours.level.clone()];
    html! {
        h1 { (parcours.title) }
        @if !parcours.subtitle.is_empty() { p.subtitle { (parcours.subtitle) } }
        ul.tags aria-label=(t("En bref", "In short")) {
            @for tag in tags.into_iter().flatten() { li { (tag) } }
            @if let Some(is_loop) = parcours.is_loop { li { (texts::loop_word(language, is_loop)) } }
            @for theme in &parcours.themes { li { (theme) } }
        }
        dl.figures {
            @if let Some(distance) = parcours.distance_m {
                div { dt { (t("Distance", "Distance")) } dd { (figures::distance(language, distance)) } }
            }
            @if let Some(duration) = parcours.duration_s {
                div { dt { (t("Durée", "Duration")) } dd { (figures::duration(duration)) } }
            }
            @if let Some(ascent) = parcours.ascent_m {
                div { dt { (t("Montée", "Climb")) } dd { (figures::metres(ascent)) } }
            }
            @if let Some(descent) = parcours.descent_m {
                div { dt { (t("Descente", "Descent")) } dd { (figures::metres(descent)) } }
            }
        }
        @if !parcours.summary.is_empty() { p.lead { (parcours.summary) } }
    }
}

fn steps(steps: &[PublicStep], language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    html! {
        section aria-labelledby="etapes" {
            h2 id="etapes" { (t("Étapes", "Stages")) }
            ol.steps {
                @for step in steps {
                    li class=(step.kind) {
                        p.where { (texts::step_kind(language, &step.kind)) " · " (figures::decimal(language, step.at_m / 1000.0)) "\u{202f}km" }
                        @if !step.title.is_empty() { h3 { (step.title) } }
                        @if !step.description_html.is_empty() { div.prose { (PreEscaped(&step.description_html)) } }
                        @if let Some(next) = step.distance_to_next_m.filter(|next| *next > 0.0) {
                            p.next { (t("Prochaine étape à ", "Next stage in ")) (figures::distance(language, next)) }
                        }
                    }
                }
            }
        }
    }
}

fn practical(parcours: &PublicParcours, language: Language) -> Markup {
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
                    li { (if carried { t("Vélos acceptés à bord", "Bikes carried") } else { t("Vélos non acceptés à bord", "Bikes not carried") }) }
                }
                li { (texts::guidance(language, parcours.guided)) }
                li { (t("En cas d’urgence, appelez le 112.", "In an emergency, call 112.")) }
            }
            @if let Some((url, label)) = &parcours.booking {
                p { a.button.primary href=(url) rel="noopener" { (label) } }
            }
        }
    }
}

fn steps_json(steps: &[PublicStep]) -> PreEscaped<String> {
    let items: Vec<_> = steps
        .iter()
        .map(|step| {
            serde_json::json!({
                "kind": step.kind, "title": step.title, "at_m": step.at_m.round(),
                "position": [step.position.lon, step.position.lat],
            })
        })
        .collect();
    // `<` would let a title close the script element.
    PreEscaped(serde_json::Value::from(items).to_string().replace('<', "\\u003c"))
}

const fn other(language: Language) -> &'static str {
    match language {
        Language::French => "en",
        Language::English => "fr",
    }
}

#[cfg(test)]
mod tests {
    use trace::Position;

    use super::*;

    fn parcours() -> PublicParcours {
        PublicParcours {
            id: 7,
            title: "Le tour du lac <b>".into(),
            subtitle: String::new(),
            summary: "Une journée facile.".into(),
            description_html: "<p>Au départ de la halle.</p>".into(),
            meta: (None, None),
            copyright: None,
            publisher: "Val d’Orsel".into(),
            color: None,
            practice: Some("Randonnée".into()),
            level: None,
            themes: vec![],
            is_loop: Some(true),
            bike_carriage: None,
            distance_m: Some(13_000.0),
            duration_s: Some(14_700.0),
            ascent_m: Some(382.0),
            descent_m: Some(382.0),
            line: vec![
                Position { lon: 3.0, lat: 44.9, ele: Some(500.0) },
                Position { lon: 3.01, lat: 44.91, ele: Some(560.0) },
                Position { lon: 3.02, lat: 44.9, ele: Some(510.0) },
            ],
            steps: vec![PublicStep {
                kind: "departure".into(),
                title: "</script><script>alert(1)</script>".into(),
                description_html: String::new(),
                at_m: 0.0,
                position: Position::new(3.0, 44.9),
                distance_to_next_m: None,
            }],
            availability: vec![("2026-05-01".into(), "2026-09-30".into())],
            booking: None,
            guided: false,
            languages: vec!["fr".into()],
        }
    }

    fn links() -> PageLinks {
        PageLinks {
            canonical: "https://jalon.example/p/lac-7".into(),
            other_language: "https://jalon.example/en/p/lac-7".into(),
            gpx: "/p/lac-7/trace.gpx".into(),
            kml: "/p/lac-7/trace.kml".into(),
            no_index: false,
            expires: None,
            build_id: "b1".into(),
            map_style: "/map/style-light.json".into(),
            attribution: "© OpenStreetMap".into(),
        }
    }

    #[test]
    fn titles_cannot_open_a_tag_nor_close_the_script() {
        let page = document(&parcours(), &links(), Language::French).into_string();
        assert!(page.contains("Le tour du lac &lt;b&gt;"));
        assert!(!page.contains("<script>alert"));
    }

    #[test]
    fn a_reader_without_script_has_the_figures_the_shape_and_the_profile() {
        let page = document(&parcours(), &links(), Language::English).into_string();
        for words in ["13.0\u{202f}km", "4\u{202f}h\u{202f}05", "class=\"shape\"", "class=\"profile\"", "1 May 2026"] {
            assert!(page.contains(words), "{words} is missing");
        }
    }

    #[test]
    fn a_private_link_is_kept_out_of_search_engines() {
        let page = document(&parcours(), &PageLinks { no_index: true, ..links() }, Language::French).into_string();
        assert!(page.contains("noindex") && !page.contains("canonical"));
    }
}
