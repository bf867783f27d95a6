//! The published feed is accepted by the national schema.

use feeds::randonnee::{TAIL, feature, head};
use feeds::{Feed, Parcours};
use serde_json::Value;

use crate::samples::{bare, feed, full};

fn collection(feed: &Feed, all: &[Parcours]) -> Value {
    let features: Vec<String> = all.iter().filter_map(|one| feature(feed, one)).collect();
    serde_json::from_str(&format!("{}{}{TAIL}", head(feed), features.join(","))).unwrap()
}

fn faults(collection: &Value) -> Vec<String> {
    let schema: Value = serde_json::from_str(include_str!("../schema_randonnee/schema.json")).unwrap();
    let validator = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
    validator.iter_errors(collection).map(|fault| format!("{} at {}", fault, fault.instance_path())).collect()
}

#[test]
fn the_schema_accepts_a_full_and_a_bare_parcours() {
    let collection = collection(&feed(), &[full(), bare()]);
    assert_eq!(faults(&collection), Vec::<String>::new());
    assert_eq!(collection["features"].as_array().unwrap().len(), 2);
}

#[test]
fn the_schema_refuses_what_is_wrong() {
    let with = |change: fn(&mut Value)| {
        let mut collection = collection(&feed(), &[full()]);
        change(&mut collection["features"][0]);
        faults(&collection).len()
    };
    assert_eq!(with(|_| {}), 0);
    assert_ne!(with(|feature| feature["properties"]["pratique"] = "à pied".into()), 0);
    assert_ne!(with(|feature| feature["properties"]["denivele_positif"] = 40.3.into()), 0);
    assert_ne!(with(|feature| feature["geometry"]["coordinates"] = serde_json::json!([])), 0);
    assert_ne!(with(|feature| feature["properties"]["depart"] = Value::Null), 0);
}

#[test]
fn it_says_under_which_licence_and_what_the_parcours_says() {
    let collection = collection(&feed(), &[full()]);
    assert_eq!(collection["licence"]["name"], "etalab-2.0");
    let properties = &collection["features"][0]["properties"];
    assert_eq!(properties["producteur"], "Office de tourisme de Brève");
    assert_eq!(properties["pratique"], "pédestre");
    assert_eq!(properties["type_itineraire"], "étape");
    assert_eq!(properties["presentation"], "Au départ de la halle : l’eau & les bois.");
    assert_eq!(
        properties["instructions"],
        "1. La halle : Passer <l’arche> & tourner.\n2. Passer <l’arche> & tourner.\n3. La source : Passer <l’arche> & tourner."
    );
    assert_eq!((&properties["duree"], &properties["themes"]), (&0.34.into(), &"Lac, Forêt".into()));
    assert_eq!(properties["medias"][1]["type_media"], "audio");
}

#[test]
fn a_parcours_without_a_line_is_no_route() {
    assert_eq!(feature(&feed(), &Parcours { line: Vec::new(), ..full() }), None);
}
