//! JSON-LD in the form of DATAtourisme's feeds.

use feeds::datatourisme::{TAIL, head, poi, tour};
use serde_json::{Value, json};

use crate::samples::{bare, feed, full};

fn graph() -> Value {
    let feed = feed();
    let items = [tour(&feed, &full()), poi(&feed, &crate::samples::poi()), tour(&feed, &bare())];
    serde_json::from_str(&format!("{}{}{TAIL}", head(&feed), items.join(","))).unwrap()
}

#[test]
fn a_tour_and_a_place_have_the_terms_of_the_ontology() {
    let graph = graph();
    assert_eq!(graph["@context"]["@vocab"], "https://www.datatourisme.fr/ontology/core#");
    assert!(graph["dct:license"].as_str().unwrap().starts_with("https://www.etalab.gouv.fr/"));
    let tour = &graph["@graph"][0];
    assert_eq!(tour["@type"], json!(["WalkingTour", "PointOfInterest", "Tour"]));
    assert_eq!(tour["rdfs:label"], json!({"fr": ["Tour du lac"], "en": ["Around the lake"]}));
    assert_eq!(tour["hasTourType"][0]["@id"], "kb:Loop");
    assert_eq!((&tour["tourDistance"], &tour["duration"]), (&json!("758.4"), &json!(21)));
    assert_eq!(tour["isLocatedAt"][0]["schema:geo"]["schema:longitude"], "4.0000000");
    let texts = &tour["hasDescription"][0];
    assert_eq!(texts["shortDescription"]["fr"][0], "Une journée facile.");
    assert_eq!(texts["dc:description"]["fr"][0], "Au départ de la halle : l’eau & les bois.");
    let place = &graph["@graph"][1];
    assert_eq!(place["@type"], json!(["Chapel", "PlaceOfInterest", "PointOfInterest"]));
    assert_eq!(place["isLocatedAt"][0]["schema:address"][0]["schema:postalCode"], "58000");
    assert_eq!(place["hasTheme"][0]["@id"], "kb:Wine");
    assert_eq!(place["hasMainRepresentation"][0]["ebucore:hasAnnotation"][0]["credits"], json!(["C. Le Goff"]));
    assert_eq!(place["hasMainRepresentation"][0]["ebucore:hasAnnotation"][0]["ebucore:isCoveredBy"], "CC BY-SA 4.0");
    assert_eq!(place["hasContact"][0]["schema:telephone"], json!(["+33 1"]));
}

#[test]
fn a_description_alone_is_also_the_short_one_without_markup() {
    let description = domain::Text::in_french("<p>Visite de la <em>R&amp;D</em>.</p><p>À pied.</p>");
    let parcours = feeds::Parcours { summary: domain::Text::default(), description, ..full() };
    let tour: Value = serde_json::from_str(&tour(&feed(), &parcours)).unwrap();
    let words = "Visite de la R&D. À pied.";
    assert_eq!(tour["rdfs:comment"]["fr"][0], words);
    assert_eq!(tour["hasDescription"][0]["shortDescription"]["fr"][0], words);
}

#[test]
fn unknown_values_are_left_out() {
    let graph = graph();
    let bare = graph["@graph"][2].as_object().unwrap();
    for absent in ["hasTourType", "tourDistance", "duration", "hasDescription", "hasMainRepresentation", "hasContact"] {
        assert!(!bare.contains_key(absent), "{absent}");
    }
}
