//! Our own JSON and GeoJSON.

use feeds::{Chosen, own};
use serde_json::{Value, json};

use crate::samples::{bare, feed, full, in_english, poi};

fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_parcours_is_told_whole() {
    let whole = read(&own::parcours(&feed(), &full()));
    assert_eq!(whole["title"], json!({"fr": "Tour du lac", "en": "Around the lake"}));
    assert_eq!(whole["line"][1], json!([4.005, 47.0, 540.25]));
    assert_eq!(whole["steps"][0]["kind"], "departure");
    assert_eq!(whole["practice"]["code"], "code-5");
    assert_eq!(whole["availability"], json!([{"from": "05-01", "to": "09-30"}]));
    assert_eq!(whole["warning"]["fr"], "Fermé du 1er au 3 mai : battue.");
    assert_eq!(read(&own::parcours(&feed(), &bare()))["warning"], Value::Null);
}

#[test]
fn one_language_makes_texts() {
    let row = read(&own::parcours_row(&in_english(), &full(), &Chosen::default()));
    assert_eq!((&row["title"], &row["subtitle"]), (&json!("Around the lake"), &json!("En famille")));
    assert!(row.get("line").is_none(), "a list has no lines");
}

#[test]
fn a_page_says_where_it_stands() {
    let page = read(&own::page(101, 2, 50, None, &["{}".into()]));
    assert_eq!(page, json!({"total": 101, "page": 2, "per_page": 50, "pages": 3, "next": null, "items": [{}]}));
    let changes = read(&own::changes(domain::Instant(0), None, &[], &[4, 5]));
    assert_eq!(changes["removed"], json!([4, 5]));
    assert_eq!(changes["until"], "1970-01-01T00:00:00Z");
}

#[test]
fn features_are_geojson() {
    let all = Chosen::default();
    let features = [own::parcours_feature(&feed(), &full(), &all), own::poi_feature(&feed(), &poi(), &all)];
    let collection = read(&own::collection(2, None, &features));
    assert_eq!(collection["type"], "FeatureCollection");
    assert_eq!(collection["features"][0]["geometry"]["type"], "LineString");
    assert_eq!(collection["features"][1]["geometry"], json!({"type": "Point", "coordinates": [4.12, 47.21]}));
    let without_line = feeds::Parcours { line: Vec::new(), ..full() };
    assert_eq!(read(&own::parcours_feature(&feed(), &without_line, &all))["geometry"]["type"], "Point");
}
