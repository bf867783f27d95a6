//! The French national schema of hiking routes (PnX-SI/schema_randonnee 1.0.2), one feature at a time.

use domain::Text;
use serde_json::Value;

use super::lenient::{geometry, items, key, line, number, text};
use super::package;
use super::route::{ImportedMedia, ImportedRoute, Word};

const TEXTS: [&str; 12] = [
    "nom_itineraire",
    "presentation_courte",
    "presentation",
    "instructions",
    "recommandations",
    "accessibilite",
    "acces_routier",
    "transports_commun",
    "parking_info",
    "depart",
    "arrivee",
    "url",
];

/// A route; `id` is its name in the feed.
pub(super) fn route(feature: &Value, id: &str) -> ImportedRoute {
    let properties = feature.get("properties").unwrap_or(&Value::Null);
    let mut route = ImportedRoute::new(id);
    for field in TEXTS {
        route.text(field, text(properties.get(field)));
    }
    // As Geotrek writes it.
    if !route.fields.contains_key("transports_commun") {
        route.text("transports_commun", text(properties.get("transports")));
    }
    let producer = [properties.get("producteur"), properties.get("contact")].into_iter().find_map(line);
    route.text("producteur", producer.map(Text::in_french).unwrap_or_default());
    let one = |field: &str| line(properties.get(field)).iter().map(|word| Word::plain(word)).collect();
    let several = |field: &str| {
        let words = line(properties.get(field)).unwrap_or_default();
        words.split(',').map(Word::plain).collect()
    };
    route.words("pratique", one("pratique"));
    route.words("difficulte", one("difficulte"));
    route.words("type_itineraire", one("type_itineraire"));
    route.words("themes", several("themes"));
    route.words("balisage", several("balisage"));
    route.number("longueur", number(properties.get("longueur")));
    route.number("duree", number(properties.get("duree")).map(|hours| hours * 3_600.0));
    (route.line, route.repairs) = geometry(feature.get("geometry"));
    route.media = items(properties.get("medias")).iter().filter_map(media).collect();
    route
}

/// What names a route: its uuid, which is the same everywhere, else its producer's own number.
pub(super) fn id_of(properties: &Value) -> Option<String> {
    key(properties.get("uuid")).or_else(|| key(properties.get("id_local")))
}

fn media(media: &Value) -> Option<ImportedMedia> {
    let url = line(media.get("url"))?;
    Some(ImportedMedia {
        kind: match ["type_media", "type"].into_iter().find_map(|name| line(media.get(name))).as_deref() {
            Some("image") => crate::MediaKind::Image,
            Some("video") => crate::MediaKind::Video,
            Some("audio") => crate::MediaKind::Audio,
            Some("pdf") => crate::MediaKind::Document,
            _ => package::media_kind(&url),
        },
        url,
        legend: text(media.get("titre")),
        alt: Text::default(),
        author: ["auteur", "auteurs"].into_iter().find_map(|name| line(media.get(name))),
        licence: line(media.get("licence")),
    })
}
