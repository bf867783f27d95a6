//! Our own JSON and GeoJSON.

use feeds::{Chosen, own};
use serde_json::{Value, json};

use crate::samples::{bare, feed, full, in_english, poi};

fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_parcours_is_described_whole() {
    let whole = read(&own::parcours(&feed(), &full(), &Chosen::default()));
    assert_eq!(whole["title"], json!({"fr": "Tour du lac", "en": "Around the lake"}));
    assert_eq!(whole["line"][1], json!([4.005, 47.0, 540.25]));
    assert_eq!(whole["steps"][0]["kind"], "departure");
    assert_eq!((&whole["practice"]["code"], whole["practice"].get("colors")), (&json!("code-5"), None));
    assert_eq!(whole["markings"][0]["colors"], json!(["#FFFFFF", "#D32F2F"]));
    let way = json!({"id": 13, "name": {"fr": "La Lorne à vélo", "en": ""}, "kind": "cycle_route", "code": "EV 6", "color": "#00695C"});
    assert_eq!(whole["itineraries"], json!([way]));
    let turn = json!({"kind": "left", "at_m": 120.5, "length_m": 380.0, "name": "Rue du Lac",
        "text": {"fr": "Prenez à gauche.", "en": "Turn left."}, "position": [4.005, 47.0]});
    assert_eq!(whole["instructions"], json!([turn]));
    assert_eq!(whole["availability"], json!([{"from": "05-01", "to": "09-30"}]));
    assert_eq!(whole["warning"]["fr"], "Fermé du 1er au 3 mai : battue.");
    assert_eq!(read(&own::parcours(&feed(), &bare(), &Chosen::default()))["warning"], Value::Null);
}

#[test]
fn a_price_goes_out_with_its_deposit_and_a_priority_with_the_list() {
    let whole = read(&own::parcours(&feed(), &full(), &Chosen::default()));
    let names = ["price_cents", "max_price_cents", "deposit_percent", "display_priority"];
    assert_eq!(names.map(|name| &whole[name]), [&json!(45_000), &json!(62_000), &json!(30), &json!(2)]);
    assert_eq!(whole["price_includes"]["fr"], "<p>Les nuits</p>");
    assert_eq!((&whole["guided"], &whole["steps"][0]["duration_to_next_s"]), (&json!(true), &json!(600.0)));
    let row = read(&own::parcours_row(&feed(), &full(), &Chosen::default()));
    assert_eq!((&row["display_priority"], row.get("price_cents")), (&json!(2), None));
}

#[test]
fn a_poi_goes_out_with_its_ticks_and_the_record_it_came_from() {
    let poi = read(&own::poi(&feed(), &poi(), &Chosen::default()));
    assert_eq!((&poi["flags"]["must_see"], &poi["flags"]["good_address"]), (&json!(true), &json!(false)));
    let source = json!({"name": "Parc des Alpes", "licence": "Licence Ouverte 2.0"});
    assert_eq!(poi["record_source"], source);
    assert_eq!(poi["record_url"], format!("https://sit.example/{}", crate::samples::origin().item));
    let translations = json!({"en": format!("{}/media/40/40-file-en-v2.webp", crate::samples::BASE)});
    assert_eq!(poi["media"][0]["translations"], translations);
}

#[test]
fn one_language_makes_texts() {
    let row = read(&own::parcours_row(&in_english(), &full(), &Chosen::default()));
    assert_eq!((&row["title"], &row["subtitle"]), (&json!("Around the lake"), &json!("En famille")));
    assert!(row.get("line").is_none(), "a list has no lines");
}

#[test]
fn a_list_gives_long_fields_where_they_are_named_and_a_record_only_what_is_asked_for() {
    let read = |text: String| read(&text);
    let asked = Chosen::of(Some("id,line,steps"), None);
    let row = read(own::parcours_row(&feed(), &full(), &asked));
    assert_eq!(row["line"].as_array().map(Vec::len), Some(full().line.len()));
    let whole = read(own::parcours(&feed(), &full(), &asked));
    assert_eq!(row, whole);
    assert_eq!(whole.as_object().map(serde_json::Map::len), Some(3));
    let without = read(own::parcours(&feed(), &full(), &Chosen::of(None, Some("line"))));
    assert!(without.get("line").is_none() && without["description"].is_object());
    let (all, head) = (
        read(own::parcours(&feed(), &full(), &Chosen::default())),
        own::parcours_row(&feed(), &full(), &Chosen::default()),
    );
    let head = read(head);
    let long: Vec<&String> = all.as_object().unwrap().keys().filter(|key| head.get(*key).is_none()).collect();
    assert!(long.iter().all(|key| own::LONG_FIELDS.contains(&key.as_str())) && long.len() == own::LONG_FIELDS.len());
}

#[test]
fn the_fields_of_a_white_label_go_out_by_their_keys() {
    let asked = Chosen::of(Some("custom"), None);
    let label = json!({"fr": "Champ", "en": "Field"});
    let expected = json!({"custom": {"revetement": {"label": label, "type": "text", "value": "Sable"}}});
    assert_eq!(read(&own::parcours_row(&feed(), &full(), &asked)), expected);
    assert_eq!(read(&own::poi(&in_english(), &poi(), &asked))["custom"]["clef"]["label"], "Field");
    assert_eq!(read(&own::parcours(&feed(), &bare(), &asked)), json!({"custom": {}}));
}

#[test]
fn a_page_says_where_it_stands() {
    let page = read(&own::page(101, 2, 50, None, &["{}".into()]));
    assert_eq!(page, json!({"total": 101, "page": 2, "per_page": 50, "pages": 3, "next": null, "items": [{}]}));
    let changes = read(&own::changes(domain::Instant(0), 0, None, &[], &[4, 5]));
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
