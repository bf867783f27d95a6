//! The French national schema of hiking routes (PnX-SI/schema_randonnee 1.0.2), as GeoJSON.

use domain::{Text, one_space};
use serde_json::{Value, json};

use crate::words::plain_words;
use crate::{Feed, Media, MediaKind, Parcours, uuid};

/// Licence and date are beside the features: readers of GeoJSON ignore what they do not know.
pub fn head(feed: &Feed) -> String {
    let (licence, producer) = (json!(feed.licence), json!(feed.reader.name));
    format!(
        r#"{{"type":"FeatureCollection","schema_version":"1.0.2","producteur":{producer},"licence":{licence},"features":["#
    )
}

/// What ends the collection.
pub const TAIL: &str = "]}";

/// A parcours; None where there is no line, without which the schema has no route.
pub fn feature(feed: &Feed, parcours: &Parcours) -> Option<String> {
    if parcours.line.len() < 2 {
        return None;
    }
    let line: Vec<[f64; 2]> = parcours.line.iter().map(|at| [round6(at.lon), round6(at.lat)]).collect();
    let feature = json!({
        "type": "Feature",
        "properties": properties(feed, parcours),
        "geometry": {"type": "LineString", "coordinates": line},
    });
    Some(feature.to_string())
}

/// The schema is French: what was not written in French is given in another language.
const FRENCH: &str = "fr";

fn properties(feed: &Feed, parcours: &Parcours) -> Value {
    let owner = &parcours.owner;
    let producer = if owner.structure.is_empty() { &owner.name } else { &owner.structure };
    let metres = |value: Option<f64>| value.map(|metres| metres.round() as i64);
    let named = |terms: &[std::sync::Arc<crate::Term>]| {
        let names: Vec<&str> = terms.iter().map(|term| term.label.best(FRENCH)).collect();
        written(&names.join(", "))
    };
    let mut properties = json!({
        "id_local": parcours.id.to_string(),
        "producteur": producer,
        "contact": owner.email,
        "uuid": uuid(&feed.uuid_base, "parcours", parcours.id),
        "url": parcours.page,
        "id_osm": null,
        "nom_itineraire": parcours.title.best(FRENCH),
        "pratique": practice(parcours),
        "communes_nom": null,
        "communes_code": null,
        "depart": parcours.departure().map_or("", |name| name.best(FRENCH)),
        "arrivee": parcours.arrival().map_or("", |name| name.best(FRENCH)),
        "duree": parcours.duration_s.map(|seconds| (seconds / 36.0).round() / 100.0),
        "balisage": named(&parcours.markings),
        "longueur": parcours.distance_m.map(f64::round),
        "difficulte": parcours.level.as_ref().and_then(|level| written(level.label.best(FRENCH))),
        "altitude_max": metres(parcours.max_ele_m),
        "altitude_min": metres(parcours.min_ele_m),
        "denivele_positif": metres(parcours.ascent_m),
        "denivele_negatif": metres(parcours.descent_m),
        "instructions": instructions(parcours),
        "presentation": words(&parcours.description),
        "presentation_courte": words(&parcours.summary),
        "themes": named(&parcours.themes),
        "recommandations": words(&parcours.warning),
        "accessibilite": null,
        "acces_routier": null,
        "transports_commun": null,
        "parking_info": null,
        "parking_geometrie": null,
        "date_creation": parcours.created_at.day(),
        "date_modification": parcours.updated_at.day(),
        "medias": parcours.media.iter().map(media).collect::<Vec<_>>(),
        "itineraire_parent": parcours.parent_id.map(|id| id.to_string()),
        "type_sol": null,
        "pdipr_inscription": null,
        "pdipr_date_inscription": null,
    });
    // The schema allows its absence, and its list of words has no null.
    if let Some(kind) = kind(parcours) {
        properties["type_itineraire"] = kind.into();
    }
    properties
}

fn practice(parcours: &Parcours) -> &str {
    let known = [
        "pédestre",
        "trail",
        "VTT",
        "cyclo",
        "gravel",
        "équestre",
        "ski de fond",
        "ski de rando",
        "raquettes",
        "autre",
    ];
    let word = parcours.practice.as_ref().and_then(|practice| practice.word("schema_randonnee"));
    word.filter(|word| known.contains(word)).unwrap_or("autre")
}

fn kind(parcours: &Parcours) -> Option<&'static str> {
    if parcours.parent_id.is_some() {
        return Some("étape");
    }
    if !parcours.children.is_empty() {
        return Some("itinérance");
    }
    parcours.is_loop.map(|is_loop| if is_loop { "boucle" } else { "aller simple" })
}

/// Step by step; where no step has a text, the text of the sheet.
fn instructions(parcours: &Parcours) -> String {
    let steps: Vec<String> = parcours
        .stops
        .iter()
        .filter_map(|stop| {
            let parts = [stop.title.best(FRENCH), stop.description.best(FRENCH)];
            written(&parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" : "))
        })
        .enumerate()
        .map(|(number, step)| format!("{}. {step}", number + 1))
        .collect();
    if parcours.stops.iter().any(|stop| !stop.description.is_empty()) {
        steps.join("\n")
    } else {
        words(&parcours.description).unwrap_or_else(|| steps.join("\n"))
    }
}

fn media(media: &Media) -> Value {
    json!({
        "type_media": match media.kind {
            MediaKind::Image => "image",
            MediaKind::Video => "video",
            MediaKind::Audio => "audio",
            MediaKind::Document => "pdf",
        },
        "url": media.url,
        "titre": written(media.legend.best(FRENCH)),
        "auteur": media.copyright,
        "licence": media.licence,
    })
}

/// A text without markup.
fn words(text: &Text) -> Option<String> {
    Some(plain_words(text.best(FRENCH))).filter(|words| !words.is_empty())
}

fn written(text: &str) -> Option<String> {
    Some(one_space(text)).filter(|text| !text.is_empty())
}

/// Six decimals are a decimetre.
fn round6(degrees: f64) -> f64 {
    (degrees * 1e6).round() / 1e6
}
