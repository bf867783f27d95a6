//! Cirkwi's circuits: XML with texts by language, lines in separate files, and steps with their own places.

use std::ops::Range;

use domain::Text;
use domain::html::escaped;
use trace::Position;

use super::lenient::number_of;
use super::package::media_kind;
use super::route::{ImportedMedia, ImportedRoute, Line, Place, Refused, Word};
use super::sit::json::language_of;
use super::xml::{self, Node};

/// The circuits of a document: the identifier and the range of each.
pub(super) fn split(text: &str) -> Result<Vec<(String, Range<usize>)>, Refused> {
    let items = xml::split(text, "circuit", |tag| xml::attribute(tag, "id_circuit"))?;
    if items.is_empty() && !text.contains("<circuits") {
        return Err(Refused::new("import/not-cirkwi"));
    }
    let named = |(index, (id, at)): (usize, (Option<String>, Range<usize>))| {
        (id.unwrap_or_else(|| format!("#{}", index + 1)), at)
    };
    Ok(items.into_iter().enumerate().map(named).collect())
}

/// A circuit.
pub(super) fn route(raw: &str) -> Result<ImportedRoute, Refused> {
    let circuit = xml::tree(raw)?;
    let id = circuit.attribute("id_circuit").and_then(xml::id).ok_or_else(|| Refused::new("import/no-id"))?;
    let mut route = ImportedRoute::new(id);
    route.text("titre", by_language(&circuit, |information| information.words("titre")));
    route.text("description", by_language(&circuit, |information| information.rich("description")));
    route.text("informations_complementaires", by_language(&circuit, extra));
    let tags = circuit
        .child("informations")
        .into_iter()
        .flat_map(|all| all.all("information"))
        .find_map(|one| one.child("tags_publics"));
    let tag = |tag: &Node| {
        Some(Word {
            key: tag.attribute("id")?.to_owned(),
            label: Text::in_french(tag.attribute("nom")?.replace('_', " ")),
        })
    };
    route.words("tags_publics", tags.into_iter().flat_map(|tags| tags.all("tag_public")).filter_map(tag).collect());
    if let Some(locomotion) = circuit.at(&["locomotions", "locomotion"]) {
        let key = locomotion.attribute("id_locomotion").or(locomotion.attribute("type")).unwrap_or_default();
        let label = Text::in_french(locomotion.attribute("type").unwrap_or(key));
        route.words("locomotion", vec![Word { key: key.to_owned(), label }]);
        route.words("difficulte", locomotion.attribute("difficulte").map(Word::plain).into_iter().collect());
        let seconds = locomotion.attribute("duree").and_then(number_of);
        route.number("duree", seconds.filter(|seconds| *seconds > 0.0));
    }
    let way = circuit.child("sens_circuit");
    route.number("distance", way.and_then(|way| way.words("distance")).and_then(|metres| number_of(&metres)));
    route.words("sens", way.and_then(|way| way.attribute("label")).map(Word::plain).into_iter().collect());
    if let Some(url) = circuit.child("fichier_trace").and_then(|file| file.attribute("url")) {
        route.line = Line::At(url.to_owned());
    }
    route.places = places(&circuit);
    route.media = media(&circuit);
    Ok(route)
}

/// The texts of a circuit, a step or a POI: each language with its element. One without a language is French.
pub(super) fn informations(node: &Node) -> impl Iterator<Item = (String, &Node)> {
    let all = node.child("informations").into_iter().flat_map(|all| all.all("information"));
    let language = |one: &Node| one.attribute("langue").map_or_else(|| Some("fr".to_owned()), language_of);
    all.filter_map(move |one| Some((language(one)?, one)))
}

/// A text by language. Of `fr` and `fr_BE` the first one is kept.
pub(super) fn by_language(node: &Node, of: impl Fn(&Node) -> Option<String>) -> Text {
    let mut text = Text::default();
    for (language, one) in informations(node) {
        if let Some(words) = of(one).filter(|_| !text.is_written(&language)) {
            text.set(language, words);
        }
    }
    text
}

/// The texts beside the description, under their own titles.
fn extra(information: &Node) -> Option<String> {
    let parts = information.child("informations_complementaires")?.all("information_complementaire");
    let html: String = parts
        .filter_map(|part| {
            let words = part.words("description")?;
            let title = part.words("titre").map(|title| format!("<h3>{}</h3>", escaped(&title))).unwrap_or_default();
            Some(format!("{title}<p>{}</p>", escaped(&words)))
        })
        .collect();
    Some(html).filter(|html| !html.is_empty())
}

/// The steps of a circuit: beside its texts, and inside its way.
fn places(circuit: &Node) -> Vec<Place> {
    let beside = circuit.child("infos_parcours");
    let inside = circuit.at(&["sens_circuit", "infos_parcours"]);
    let steps = beside.into_iter().chain(inside).flat_map(|all| all.all("info_parcours"));
    steps
        .take(300)
        .filter_map(|step| {
            Some(Place {
                kind: None,
                title: by_language(step, |one| one.words("titre")),
                description: by_language(step, |one| one.rich("description")),
                position: position(step)?,
            })
        })
        .collect()
}

fn position(step: &Node) -> Option<Position> {
    let address = step.child("adresse")?;
    let number = |node: &Node, name: &str| number_of(&node.words(name)?);
    let at = address.child("position")?;
    let (lon, lat) = (number(at, "lng")?, number(at, "lat")?);
    let inside = (-180.0..=180.0).contains(&lon) && (-90.0..=90.0).contains(&lat);
    inside.then(|| Position { ele: number(address, "altitude"), ..Position::new(lon, lat) })
}

/// The media of each language, each once.
fn media(circuit: &Node) -> Vec<ImportedMedia> {
    let mut found: Vec<ImportedMedia> = Vec::new();
    for (language, one) in informations(circuit) {
        let Some(media) = one.child("medias") else { continue };
        for (list, item) in [("images", "image"), ("sons", "son")] {
            for node in media.child(list).into_iter().flat_map(|list| list.all(item)) {
                let Some(url) = node.words("url") else { continue };
                let legend = node.words("legende").map(|words| Text::default().with(&language, words));
                let legend = legend.unwrap_or_default();
                match found.iter_mut().find(|known| known.url == url) {
                    Some(known) => legend.iter().for_each(|(language, words)| known.legend.set(language, words)),
                    None => found.push(ImportedMedia {
                        kind: media_kind(&url),
                        url,
                        legend,
                        alt: Text::default(),
                        author: node.words("credit"),
                        licence: None,
                    }),
                }
            }
        }
    }
    found
}
