//! The public page of a parcours: one HTML document, readable without script.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use outputs::visitor_words::{Language, figures};

use super::brand::Brand;
use super::view::{PageLinks, PublicParcours};
use super::{around_parts, audio_parts, brand_parts, drawing, give, parts, reviews, schema_org};

/// The whole document.
pub fn document(parcours: &PublicParcours, links: &PageLinks, language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    let brand = &parcours.brand;
    html! {
        (DOCTYPE)
        html lang=(language.code()) {
            (head(parcours, links, language))
            body data-keep=[links.keep] inert[links.preview] {
                a.skip href="#contenu" { (t("Aller au contenu", "Skip to content")) }
                (brand_parts::bar(brand, links.home.as_deref(), Some(links.in_language(language.other()).as_str()), language))
                main id="contenu" tabindex="-1" {
                    p.notice #offline role="status" hidden {
                        (t("Pas de réseau\u{202f}: voici la page telle qu’elle a été gardée à votre dernière visite. Une fermeture récente peut y manquer.",
                            "No network: this is the page as it was kept at your last visit. A recent closure may be missing."))
                    }
                    @if let Some(day) = &links.expires {
                        p.notice role="note" {
                            (t("Lien temporaire, valable jusqu’au ", "Temporary link, valid until ")) (figures::day(language, day)) "."
                        }
                    }
                    @if let Some(from) = &links.from { (parts::from(from, language)) }
                    (parts::heading(parcours, language))
                    @if !parcours.closures.is_empty() { (parts::closures(&parcours.closures, parcours.sheet_per_m, language)) }
                    @if !parcours.warnings.is_empty() { (reviews::warnings(&parcours.warnings, language)) }
                    @if let Some(cover) = &parcours.cover { (parts::cover(cover)) }
                    @if parcours.line.len() > 1 { (map(parcours, links, language)) }
                    @if let Some(profile) = drawing::profile(parcours, language) {
                        section aria-labelledby="profil" {
                            h2 id="profil" { (t("Profil", "Profile")) }
                            (profile)
                            p.reading #profile-reading {}
                        }
                    }
                    @if let Some(description) = &parcours.description_html {
                        section.prose aria-labelledby="description" {
                            h2 id="description" { (t("Description", "Description")) }
                            div lang=[&description.lang] { (PreEscaped(&description.text)) }
                        }
                    }
                    @if !parcours.steps.is_empty() { (parts::steps(&parcours.steps, language)) }
                    @if let Some(walk) = &parcours.audio { (audio_parts::walk(walk, parcours.sheet_per_m, language)) }
                    @if !parcours.pictures.is_empty() { (parts::gallery(&parcours.pictures, language)) }
                    @if !parcours.sounds.is_empty() { (parts::sounds(&parcours.sounds, language)) }
                    @if !parcours.films.is_empty() { (parts::films(&parcours.films, language)) }
                    @if !parcours.documents.is_empty() { (parts::documents(&parcours.documents, language)) }
                    @if !parcours.pois.is_empty() { (around_parts::pois(&parcours.pois, language)) }
                    @if !parcours.lines.is_empty() || !parcours.transport.places.is_empty() {
                        (around_parts::lines(&parcours.lines, &parcours.transport, language))
                    }
                    @if !parcours.children.is_empty() { (parts::children(&parcours.children, language)) }
                    (parts::practical(parcours, language))
                    @if !parcours.reviews.items.is_empty() { (reviews::section(&parcours.reviews, links.give, language)) }
                    @if let Some(id) = links.give { (give::forms(id, language)) }
                    (take_away(parcours, links, language))
                }
                footer {
                    @if let Some(copyright) = &parcours.copyright { p { "© " (copyright.trim_start_matches('©').trim_start()) } }
                    (brand_parts::signature(brand))
                    @if let Some(id) = &links.analytics { (brand_parts::audience_question(brand, id, language)) }
                }
            }
        }
    }
}

/// A page of a few words: the link is expired, the parcours is not there. With a button it is a form that is sent to its own
/// address.
pub fn sentence(
    brand: &Brand,
    language: Language,
    (title, message): (&str, &str),
    build_id: &str,
    button: Option<&str>,
) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(language.code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="robots" content="noindex";
                title { (title) " · " (brand.name) }
                (brand_parts::styles(brand, build_id))
            }
            body {
                (brand_parts::bar(brand, None, None, language))
                main id="contenu" {
                    h1 { (title) }
                    p.lead { (message) }
                    @if let Some(button) = button { form method="post" { button.button.primary type="submit" { (button) } } }
                }
            }
        }
    }
}

fn head(parcours: &PublicParcours, links: &PageLinks, language: Language) -> Markup {
    let title = parcours.meta.0.as_deref().unwrap_or(&parcours.title.text);
    let summary = parcours.summary.as_ref().map(|summary| summary.text.as_str());
    let description = parcours.meta.1.as_deref().or(summary);
    let whole = |path: &str| format!("{}{path}", links.public_url);
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            title { (title) " · " (parcours.brand.name) }
            @if let Some(description) = description { meta name="description" content=(description); }
            @if links.no_index {
                meta name="robots" content="noindex";
            } @else {
                link rel="canonical" href=(whole(links.path(language)));
                @for each in [Language::French, Language::English] {
                    link rel="alternate" hreflang=(each.code()) href=(whole(links.path(each)));
                }
                link rel="alternate" hreflang="x-default" href=(whole(&links.french));
                meta property="og:type" content="article";
                meta property="og:title" content=(title);
                meta property="og:url" content=(whole(links.path(language)));
                meta property="og:site_name" content=(parcours.brand.name);
                meta property="og:locale" content=(t("fr_FR", "en_GB"));
                @if let Some(description) = description { meta property="og:description" content=(description); }
                (picture(parcours, links, language))
                script type="application/ld+json" { (schema_org::trip(parcours, links, language)) }
                @if let Some(ratings) = schema_org::ratings(parcours, links, language) { script type="application/ld+json" { (ratings) } }
            }
            (brand_parts::styles(&parcours.brand, &links.build_id))
            // Without the build in its address: its own chunks import it by its name, and by two names it would run twice.
            script type="module" src="/public-page/page.js" {}
        }
    }
}

/// The picture that networks show beside a link: the one drawn for it, else the photo.
fn picture(parcours: &PublicParcours, links: &PageLinks, language: Language) -> Markup {
    let whole = |path: &str| format!("{}{path}", links.public_url);
    html! {
        @if let Some(card) = &links.card {
            meta property="og:image" content=(whole(card));
            meta property="og:image:type" content="image/jpeg";
            meta property="og:image:width" content="1200";
            meta property="og:image:height" content="630";
            meta property="og:image:alt" content=(card_words(parcours, language));
            meta name="twitter:card" content="summary_large_image";
        } @else if let Some(cover) = &parcours.cover {
            meta property="og:image" content=(whole(&cover.src));
            @if let Some((width, height)) = cover.size {
                meta property="og:image:width" content=(width);
                meta property="og:image:height" content=(height);
            }
            meta property="og:image:alt" content=(cover.alt.as_ref().map_or(&parcours.title.text, |alt| &alt.text));
        }
    }
}

/// The card in words: what is read on it.
fn card_words(parcours: &PublicParcours, language: Language) -> String {
    let distance = parcours.distance_m.map(|distance| figures::distance(language, distance));
    let climb = parcours
        .ascent_m
        .map(|climb| format!("{} {}", language.pick("montée", "climb"), figures::metres(language, climb)));
    let title = language.pick("Carte du parcours ", "Map of the route ").to_owned() + &parcours.title.text;
    [Some(title), distance, climb].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn map(parcours: &PublicParcours, links: &PageLinks, language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    let is_closed_somewhere = !drawing::closed_today(parcours).is_empty();
    let has_detour = drawing::detours(parcours).next().is_some();
    html! {
        section.map-area aria-labelledby="carte" {
            h2 id="carte" { (t("Carte", "Map")) }
            div #map data-style=(links.map_style) data-label=(t("Carte du parcours", "Map of the route"))
                data-from=[links.from.as_ref().map(|from| format!("{},{}", from.at[0], from.at[1]))] data-from-name=[links.from.as_ref().map(|from| &from.name)] {
                (drawing::shape(parcours, language, links.has_squares))
            }
            @if is_closed_somewhere {
                p.legend { svg viewBox="0 0 36 10" aria-hidden="true" { path d="M2 5H34" class="closed-casing" {} path d="M2 5H34" class="closed" {} }
                    (t("Tronçon fermé en ce moment", "Closed at the moment")) }
            }
            @if has_detour {
                p.legend { svg viewBox="0 0 36 10" aria-hidden="true" { path d="M2 5H34" class="detour" {} } (t("Déviation", "Detour")) }
            }
            p.attribution { (PreEscaped(links.attribution)) }
            script #trace type="application/json" data-length-m=[parcours.distance_m.map(f64::round)] { (drawing::line_json(&parcours.line)) }
            script #steps type="application/json" { (parts::steps_json(&parcours.steps)) }
            @if !parcours.pois.is_empty() { script #pois type="application/json" { (around_parts::pois_json(&parcours.pois)) } }
            @if is_closed_somewhere { script #closed type="application/json" { (drawing::closed_json(parcours)) } }
            @if has_detour { script #detours type="application/json" { (drawing::detours_json(parcours)) } }
        }
    }
}

fn take_away(parcours: &PublicParcours, links: &PageLinks, language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    let path = links.path(language);
    html! {
        section aria-labelledby="emporter" {
            h2 id="emporter" { (t("À emporter", "Take it with you")) }
            p.downloads {
                @if parcours.line.len() > 1 && parcours.is_distributed {
                    a.button href=(format!("{path}/trace.gpx")) download { (t("Télécharger le GPX", "Download the GPX")) }
                    a.button href=(format!("{path}/trace.kml")) download { (t("Télécharger le KML", "Download the KML")) }
                }
                @if links.roadbook {
                    a.button href=(format!("{path}/roadbook.pdf")) download { (t("Carnet de voyage (PDF)", "Roadbook (PDF)")) }
                }
                button.button #copy-link type="button" data-done=(t("Lien copié", "Link copied")) hidden {
                    (t("Copier le lien", "Copy the link"))
                }
            }
            p #copy-status role="status" {}
            p #kept role="status" data-done=(t("Cette page est gardée sur cet appareil\u{202f}: carte, profil et étapes s’ouvrent aussi sans réseau.",
                "This page is kept on this device: map, profile and stages open without a network too.")) {}
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::closure::ClosureKind;
    use domain::step::StepKind;
    use trace::Position;

    use super::super::view::{PublicPrice, PublicReview, PublicReviews, PublicStep, PublicTransport};
    use super::*;
    use outputs::visitor_words::{PublicClosure, Words};

    fn parcours() -> PublicParcours {
        let at = |lon: f64, lat: f64, ele: f64| Position { lon, lat, ele: Some(ele) };
        PublicParcours {
            is_distributed: true,
            title: Words::own("Le tour du lac <b>"),
            subtitle: None,
            summary: Some(Words::own("Une journée facile.")),
            description_html: Some(Words { text: "<p>Au départ de la halle.</p>".into(), lang: Some("fr".into()) }),
            meta: (None, None),
            copyright: None,
            brand: Brand { name: "Val d’Orsel".into(), ..Brand::default() },
            cover: None,
            pictures: vec![],
            sounds: vec![],
            films: vec![],
            documents: vec![],
            audio: None,
            practice: Some(Words::own("Randonnée")),
            level: None,
            themes: vec![],
            ratings: vec![],
            markings: vec![],
            itineraries: vec![],
            equipment: vec![],
            custom: vec![],
            is_stay: None,
            is_loop: Some(true),
            bike_carriage: None,
            distance_m: Some(13_000.0),
            duration_s: Some(14_700.0),
            ascent_m: Some(382.0),
            descent_m: Some(382.0),
            line: vec![at(3.0, 44.9, 500.0), at(3.01, 44.91, 560.0), at(3.02, 44.9, 510.0)],
            sheet_per_m: 1.0,
            steps: vec![PublicStep {
                label: "D".to_owned(),
                kind: StepKind::Departure,
                title: Some(Words::own("</script><script>alert(1)</script>")),
                description: Some(Words::own("La <halle>,\nà gauche.\n\nPuis tout droit.")),
                at_m: Some(0.0),
                beside_m: None,
                position: Position::new(3.0, 44.9),
                distance_to_next_m: None,
                duration_to_next_s: None,
                nights: None,
                practice: None,
            }],
            pois: vec![],
            lines: vec![],
            transport: PublicTransport::default(),
            children: vec![],
            availability: vec![("2026-05-01".into(), "2026-09-30".into())],
            closures: vec![],
            warnings: vec![],
            reviews: PublicReviews::default(),
            booking: None,
            price: None,
            guided: Some(false),
        }
    }

    fn links() -> PageLinks {
        PageLinks {
            public_url: "https://jalon.example".into(),
            french: "/p/lac-7".into(),
            english: "/en/p/lac-7".into(),
            home: None,
            analytics: None,
            no_index: false,
            expires: None,
            from: None,
            give: Some(7),
            roadbook: false,
            card: Some("/p/lac-7/card.jpg?v=1".into()),
            keep: Some(7),
            preview: false,
            build_id: "b1".into(),
            map_style: "/map/style-light.json".into(),
            has_squares: true,
            attribution: r#"© <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a>"#,
        }
    }

    #[test]
    fn titles_cannot_open_a_tag_nor_close_the_script() {
        let page = document(&parcours(), &links(), Language::French).into_string();
        assert!(page.contains("Le tour du lac &lt;b&gt;"));
        assert!(!page.contains("<script>alert"));
    }

    #[test]
    fn a_step_keeps_its_paragraphs_and_its_signs() {
        let page = document(&parcours(), &links(), Language::French).into_string();
        assert!(page.contains("<p>La &lt;halle&gt;,<br>à gauche.</p><p>Puis tout droit.</p>"), "{page}");
    }

    #[test]
    fn a_price_is_shown_with_what_is_in_it_and_its_deposit() {
        let price = PublicPrice {
            cents: Some(45_000),
            most_cents: Some(125_050),
            includes: Some(Words::own("<p>Les nuits</p>")),
            excludes: None,
            deposit_percent: Some(30),
        };
        let page = |price, language| {
            document(&PublicParcours { price: Some(price), ..parcours() }, &links(), language).into_string()
        };
        let french = page(price.clone(), Language::French);
        let line = "De 450\u{a0}€ à 1\u{202f}250,50\u{a0}€. Acompte de 30\u{202f}% à la réservation.";
        assert!(french.contains(line) && french.contains("Le prix comprend"), "{french}");
        assert!(!french.contains("Le prix ne comprend pas"));
        let one = PublicPrice { most_cents: None, deposit_percent: None, ..price };
        assert!(page(one.clone(), Language::English).contains("<li>Price: €450.</li>"));
        let most = PublicPrice { cents: None, most_cents: Some(62_000), ..one.clone() };
        assert!(page(most.clone(), Language::French).contains("<li>Jusqu’à 620\u{a0}€.</li>"));
        assert!(page(most, Language::English).contains("<li>Up to €620.</li>"));
        let free = PublicPrice { cents: Some(0), ..one };
        let french = page(free.clone(), Language::French);
        assert!(french.contains("<li>Gratuit.</li>") && french.contains("Le prix comprend"), "{french}");
        assert!(page(free, Language::English).contains("<li>Free.</li>"));
    }

    #[test]
    fn search_engines_are_told_the_language_of_the_name() {
        let title = Words { lang: Some("fr".to_owned()), ..Words::own("Le lac") };
        let page = document(&PublicParcours { title, ..parcours() }, &links(), Language::English).into_string();
        assert!(page.contains(r#""inLanguage":"fr""#), "{page}");
    }

    #[test]
    fn search_engines_read_the_price() {
        let offer = |cents, most_cents, booking: Option<(String, Words)>| {
            let price = PublicPrice { cents, most_cents, includes: None, excludes: None, deposit_percent: None };
            let parcours = PublicParcours { price: Some(price), booking, ..parcours() };
            let page = document(&parcours, &links(), Language::French).into_string();
            let (_, rest) = page.split_once(r#"<script type="application/ld+json">"#).expect("a block of JSON-LD");
            let block = rest.split("</script>").next().expect("its end");
            serde_json::from_str::<serde_json::Value>(block).expect("JSON")["offers"].clone()
        };
        let booking = ("https://reserver.example/lac".to_owned(), Words::own("Réserver"));
        let one = serde_json::json!({
            "@type": "Offer", "url": "https://reserver.example/lac", "name": "Réserver", "price": "120.50", "priceCurrency": "EUR",
        });
        assert_eq!(offer(Some(12_050), None, Some(booking)), one);
        let range = serde_json::json!({
            "@type": "PriceSpecification", "minPrice": "120.50", "maxPrice": "300.00", "priceCurrency": "EUR",
        });
        assert_eq!(offer(Some(12_050), Some(30_000), None)["priceSpecification"], range);
        let most = serde_json::json!({"@type": "PriceSpecification", "maxPrice": "300.00", "priceCurrency": "EUR"});
        assert_eq!(offer(None, Some(30_000), None), serde_json::json!({"@type": "Offer", "priceSpecification": most}));
        assert_eq!(offer(Some(0), None, None)["price"], "0.00");
    }

    #[test]
    fn a_page_with_audience_measurement_asks_for_consent_first() {
        let links = PageLinks { analytics: Some("G-ABCDEF12".into()), ..links() };
        let measured = document(&parcours(), &links, Language::French).into_string();
        assert!(
            measured.contains("id=\"audience\" data-id=\"G-ABCDEF12\"") && measured.contains("Refuser"),
            "{measured}"
        );
        assert!(!measured.contains("googletagmanager"), "nothing is loaded without an answer");
    }

    #[test]
    fn a_white_label_leads_its_readers_back() {
        let brand = Brand { back: Some("https://lac.carte.example/retour".into()), ..parcours().brand };
        let page = document(&PublicParcours { brand, ..parcours() }, &links(), Language::English).into_string();
        assert!(page.contains("href=\"https://lac.carte.example/retour\">Back to the site</a>"), "{page}");
    }

    #[test]
    fn a_reader_without_script_has_the_figures_the_shape_and_the_profile() {
        let page = document(&parcours(), &links(), Language::English).into_string();
        for words in ["13.0\u{202f}km", "4\u{202f}h\u{202f}05", "class=\"shape\"", "class=\"profile\"", "1 May 2026"] {
            assert!(page.contains(words), "{words} is missing");
        }
        assert!(page.contains("<div lang=\"fr\"><p>Au départ"), "a text in another language says so");
        assert!(page.contains(">OpenStreetMap</a>"), "the attribution is a link");
    }

    #[test]
    fn a_parcours_without_a_trace_offers_no_file() {
        let page = document(&PublicParcours { line: vec![], guided: None, ..parcours() }, &links(), Language::French)
            .into_string();
        assert!(!page.contains("trace.gpx") && !page.contains("id=\"map\"") && !page.contains("pas à pas"));
    }

    #[test]
    fn a_closure_says_what_when_where_and_why_in_the_readers_language() {
        let closure = PublicClosure {
            title: Words { text: "Pont des Tines".into(), lang: Some("fr".into()) },
            kind: ClosureKind::Works,
            reason: Some(Words::own("The deck is <new>.")),
            days: ("2026-05-01".into(), Some("2026-05-03".into())),
            now: true,
            stretches: vec![(2_300.0, 3_140.0)],
            detours: vec![],
        };
        let text = |closure: &PublicClosure, language| {
            let parcours = PublicParcours { closures: vec![closure.clone()], ..parcours() };
            document(&parcours, &links(), language).into_string()
        };
        let english = text(&closure, Language::English);
        for words in
            ["Closed at the moment", "<strong lang=\"fr\">Pont des Tines</strong> · Works", "The deck is &lt;new&gt;."]
        {
            assert!(english.contains(words), "{words} is missing: {english}");
        }
        assert!(english.contains("Closed from 1 May 2026 to 3 May 2026, from km 2.3 to km 3.1."), "{english}");
        assert!(english.contains("class=\"closed\"") && english.contains("Closed at the moment</p>"), "{english}");
        let open = PublicClosure { days: ("2026-05-01".into(), None), now: false, ..closure };
        let french = text(&open, Language::French);
        assert!(french.contains("Fermeture à venir"));
        assert!(french.contains("Fermé à partir du 1er mai 2026, sans date de fin connue, du km 2,3 au km 3,1."));
        assert!(!document(&parcours(), &links(), Language::French).into_string().contains("fermetures"));
    }

    #[test]
    fn reviews_are_in_the_linked_data_once_there_is_one() {
        let page = |parcours: &PublicParcours| document(parcours, &links(), Language::French).into_string();
        assert!(page(&parcours()).contains("TouristTrip") && !page(&parcours()).contains("AggregateRating"));
        let review = PublicReview {
            id: 3,
            rating: 4,
            title: None,
            text: Words::own("Beau </script> lac"),
            author: "Léa".into(),
            day: "2026-05-01".into(),
            walked_on: None,
            answer: Some("Merci.".into()),
        };
        let reviews = PublicReviews { average: Some(4.0), total: 1, items: vec![review] };
        let page = page(&PublicParcours { reviews, ..parcours() });
        for words in ["\"ratingValue\":4.0", "\"reviewCount\":1", "Beau \\u003c/script>", "★★★★☆", "Dénoncer cet avis"]
        {
            assert!(page.contains(words), "{words} is missing: {page}");
        }
    }

    #[test]
    fn a_private_link_is_kept_out_of_search_engines() {
        let page = document(&parcours(), &PageLinks { no_index: true, ..links() }, Language::French).into_string();
        assert!(page.contains("noindex") && !page.contains("canonical"));
        assert!(!page.contains("og:image") && !page.contains("ld+json"));
    }

    #[test]
    fn a_page_has_a_preview_picture_with_size_and_alternative_text() {
        let page = document(&parcours(), &links(), Language::English).into_string();
        for tag in [
            r#"<meta property="og:image" content="https://jalon.example/p/lac-7/card.jpg?v=1">"#,
            r#"<meta property="og:image:width" content="1200">"#,
            "content=\"Map of the route Le tour du lac &lt;b&gt;, 13.0\u{202f}km, climb 382\u{202f}m\">",
            r#"<meta name="twitter:card" content="summary_large_image">"#,
        ] {
            assert!(page.contains(tag), "{tag} is missing: {page}");
        }
        let cover = super::super::view::Picture {
            src: "/media/3/w1280.jpg".into(),
            size: Some((1280, 853)),
            alt: Some(Words::own("Le lac")),
            legend: None,
            credit: Some("© C. Le Goff · CC BY 4.0".into()),
        };
        let parcours = PublicParcours { cover: Some(cover), ..parcours() };
        let photo = document(&parcours, &PageLinks { card: None, ..links() }, Language::French).into_string();
        assert!(
            photo.contains(r#"content="https://jalon.example/media/3/w1280.jpg""#)
                && photo.contains(r#"content="1280""#)
        );
        assert!(photo.contains("<figcaption>© C. Le Goff · CC BY 4.0</figcaption>"), "{photo}");
    }

    #[test]
    fn search_engines_read_a_trip_with_its_places() {
        let page = document(&parcours(), &links(), Language::French).into_string();
        let (_, rest) = page.split_once(r#"<script type="application/ld+json">"#).expect("a block of JSON-LD");
        let trip: serde_json::Value =
            serde_json::from_str(rest.split_once("</script>").expect("its end").0).expect("JSON");
        assert_eq!((&trip["@type"], &trip["name"]), (&"TouristTrip".into(), &"Le tour du lac <b>".into()));
        assert_eq!(trip["url"], "https://jalon.example/p/lac-7");
        let place = &trip["itinerary"]["itemListElement"][0]["item"];
        assert_eq!((&place["geo"]["latitude"], &place["@type"]), (&44.9.into(), &"Place".into()));
        assert_eq!(trip["provider"]["name"], "Val d’Orsel");
        assert!(trip.get("subTrip").is_none() && trip.get("offers").is_none());
    }
}
