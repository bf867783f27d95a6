//! Fields that a white-label adds: defined there, filled in on POIs and parcours, looked for, exported, read.

use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, TestApp};

use crate::catalogue_kit::{column, faults, id, made, one, patch};

const WHITE_LABELS: &str = "/api/v1/white-labels";
const POIS: &str = "/api/v1/pois";
const PARCOURS: &str = "/api/v1/parcours";

fn ground_field(on: &str) -> Value {
    json!({"key": "sol", "type": "choice", "label": {"fr": "Sol"}, "options": ["Sable", "Gravier fin"], "on": on})
}

fn beds_field() -> Value {
    json!({"key": "lits", "type": "number", "label": {"fr": "Lits"}, "on": "poi", "required": true})
}

/// Gives the Morvan these fields.
async fn define(app: &TestApp, fields: Value) -> Value {
    let path = format!("{WHITE_LABELS}/{}", app.white_label("morvan").await);
    let admin = app.admin_of("morvan");
    let own = admin.get(&path).await.expect(200).json();
    patch(&admin, WHITE_LABELS, &own, json!({"custom_fields": fields})).await.expect(200).json()
}

async fn poi_with_fields(by: &Client, custom: Value) -> Value {
    made(by, POIS, json!({"title": {"fr": "Lac"}, "location": [4.1, 47.1], "custom": custom})).await
}

async fn found(by: &Client, list: &str, custom: &str) -> Vec<String> {
    let list = by.get(format!("{list}?sort=title&custom={custom}")).await.expect(200).json();
    column(&list, "/id")
}

#[app_test]
async fn a_field_is_defined_filled_in_looked_for_exported_and_read(app: TestApp) {
    define(&app, json!([ground_field("poi"), beds_field(), ground_field("parcours")])).await;
    let editor = app.editor_of("morvan");

    let poi = poi_with_fields(&editor, json!({"sol": "Sable", "lits": 4})).await;
    let other = poi_with_fields(&editor, json!({"sol": "Gravier fin", "lits": 12.5})).await;
    let poi = patch(&editor, POIS, &poi, json!({"custom": {"lits": 6}})).await.expect(200).json();
    assert_eq!(poi["custom"], json!({"sol": "Sable", "lits": 6}), "values merge by key");
    let (first, second) = (id(&poi).to_string(), id(&other).to_string());
    assert_eq!(found(&editor, POIS, "sol:Sable").await, std::slice::from_ref(&first));
    assert_eq!(found(&editor, POIS, "sol:Gravier%20fin%3Blits:12..").await, std::slice::from_ref(&second));
    assert_eq!(found(&editor, POIS, "lits:..20").await, [first, second]);
    assert!(found(&editor, POIS, "lits:7").await.is_empty());
    for wrong in ["sol:Terre", "lits:x", "rien:1", "sol"] {
        let refused = editor.get(format!("{POIS}?custom={wrong}")).await.expect(400).problem();
        assert_eq!(refused.params["name"], "custom", "{wrong}");
    }

    let sand = json!({"title": {"fr": "Tour"}, "custom": {"sol": "Sable"}});
    let parcours = made(&editor, PARCOURS, sand).await;
    made(&editor, PARCOURS, json!({"title": {"fr": "Sans"}})).await;
    let gravel = json!({"custom": {"sol": "Gravier fin"}});
    let parcours = patch(&editor, PARCOURS, &parcours, gravel).await.expect(200).json();
    assert_eq!((&parcours["custom"], &parcours["custom_hidden"]), (&json!({"sol": "Gravier fin"}), &json!([])));
    let number = id(&parcours).to_string();
    assert_eq!(found(&editor, PARCOURS, "sol:Gravier%20fin").await, std::slice::from_ref(&number));
    assert!(found(&editor, PARCOURS, "sol:Sable").await.is_empty(), "what it was before is found no more");

    let table = editor.get(format!("{PARCOURS}/export.csv?custom=sol:Gravier%20fin")).await.expect(200).text();
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].ends_with(";custom.sol"), "{table}");
    assert!(lines.len() == 2 && lines[1].starts_with(&number) && lines[1].ends_with(";Gravier fin"), "{table}");
    let map = editor.get(format!("{PARCOURS}/export.geojson?custom=sol:Gravier%20fin")).await.expect(200).json();
    assert_eq!(map["features"][0]["properties"]["custom"], json!({"sol": "Gravier fin"}));
    let row = &editor.get(format!("{PARCOURS}?custom=sol:Gravier%20fin")).await.json()["items"][0];
    assert_eq!(row["custom"], json!({"sol": "Gravier fin"}), "a column of the list");
    let listed = editor.get(format!("{POIS}?custom=sol:Sable")).await.json();
    assert_eq!(listed["items"][0]["custom"], json!({"sol": "Sable", "lits": 6}));
    let past = editor.get(format!("{}/revisions", one(PARCOURS, &parcours))).await.expect(200).json();
    assert_eq!(past["items"][0]["fields"], json!(["custom"]));

    // One action on many, over the same list.
    let sent = json!({"filter": {"custom": "sol:Gravier fin"}, "action": "publish", "dry_run": true});
    let answer = editor.post(format!("{PARCOURS}/bulk"), sent).await.expect(200).json();
    assert_eq!((&answer["applied"], &answer["items"][0]["id"]), (&json!(1), &parcours["id"]));
}

#[app_test]
async fn a_value_is_of_a_field_of_its_own_white_label_and_of_its_type(app: TestApp) {
    define(&app, json!([ground_field("poi"), beds_field(), ground_field("parcours")])).await;
    let editor = app.editor_of("morvan");
    let sent =
        json!({"title": {"fr": "Lac"}, "location": [4.1, 47.1], "custom": {"sol": "Terre", "lits": "4", "x": 1}});
    let faults_found = faults(editor.post(POIS, sent).await);
    assert_eq!(faults_found, ["custom/number /custom/lits", "custom/option /custom/sol", "custom/unknown /custom/x"]);
    let faults_found = faults(editor.post(PARCOURS, json!({"title": {"fr": "Tour"}, "custom": {"lits": 4}})).await);
    assert_eq!(faults_found, ["custom/unknown /custom/lits"], "a field is of one kind of content");
    let vercors = app.editor_of("vercors");
    let sent = json!({"title": {"fr": "Lac"}, "location": [4.1, 47.1], "custom": {"sol": "Sable"}});
    assert_eq!(faults(vercors.post(POIS, sent).await), ["custom/unknown /custom/sol"]);
    assert_eq!(vercors.get(format!("{POIS}?custom=sol:Sable")).await.expect(400).problem().params["name"], "custom");
}

#[app_test]
async fn a_required_field_must_be_filled_only_for_publication(app: TestApp) {
    let tour = json!({"key": "tour", "type": "bool", "label": {"fr": "Tour"}, "on": "parcours", "required": true});
    define(&app, json!([beds_field(), tour])).await;
    let editor = app.editor_of("morvan");
    let any = editor.clone().with("if-match", "*");
    let poi = poi_with_fields(&editor, json!({})).await;
    let publication = format!("{}/publication", one(POIS, &poi));
    assert_eq!(faults(any.post(&publication, json!({})).await), ["validation/required /custom/lits"]);
    let sent = json!({"ids": [id(&poi)], "action": "publish"});
    let answer = editor.post(format!("{POIS}/bulk"), sent).await.expect(200).json();
    assert_eq!((&answer["refused"], &answer["items"][0]["code"]), (&json!(1), &json!("custom/required")));
    patch(&editor, POIS, &poi, json!({"custom": {"lits": 0}})).await.expect(200);
    let poi = any.post(&publication, json!({})).await.expect(200).json();
    let emptied = patch(&editor, POIS, &poi, json!({"custom": {"lits": null}})).await;
    assert_eq!(faults(emptied), ["validation/required /custom/lits"], "what is published keeps it");

    let parcours = made(&editor, PARCOURS, json!({"title": {"fr": "Tour"}})).await;
    let publication = format!("{}/publication", one(PARCOURS, &parcours));
    assert_eq!(faults(any.post(&publication, json!({})).await), ["validation/required /custom/tour"]);
    let sent = json!({"ids": [id(&parcours)], "action": "publish"});
    let answer = editor.post(format!("{PARCOURS}/bulk"), sent).await.expect(200).json();
    assert_eq!(answer["items"][0]["code"], "custom/required");
    patch(&editor, PARCOURS, &parcours, json!({"custom": {"tour": false}})).await.expect(200);
    any.post(&publication, json!({})).await.expect(200);
}

#[app_test]
async fn the_values_of_a_removed_field_are_kept_hidden_and_counted(app: TestApp) {
    let own = define(&app, json!([ground_field("poi"), ground_field("parcours")])).await;
    let editor = app.editor_of("morvan");
    let poi = poi_with_fields(&editor, json!({"sol": "Sable"})).await;
    poi_with_fields(&editor, json!({"sol": "Sable"})).await;
    let uses = async || {
        let path = format!("{}/custom-fields", one(WHITE_LABELS, &own));
        app.admin_of("morvan").get(path).await.expect(200).json()["items"].clone()
    };
    let field =
        |on: &str, defined: bool, records: i64| json!({"key": "sol", "on": on, "defined": defined, "records": records});
    assert_eq!(uses().await, json!([field("poi", true, 2), field("parcours", true, 0)]));
    define(&app, json!([])).await;
    assert_eq!(uses().await, json!([field("poi", false, 2)]));
    let seen = editor.get(one(POIS, &poi)).await.expect(200).json();
    assert_eq!((&seen["custom"], &seen["custom_hidden"]), (&json!({}), &json!(["sol"])));
    patch(&editor, POIS, &poi, json!({"phone": "01"})).await.expect(200);
    // Another type hides what no longer fits; the first one shows it again.
    let text = json!({"key": "sol", "type": "number", "label": {"fr": "Sol"}, "on": "poi"});
    define(&app, json!([text])).await;
    let seen = editor.get(one(POIS, &poi)).await.expect(200).json();
    assert_eq!((&seen["custom"], &seen["custom_hidden"]), (&json!({}), &json!(["sol"])));
    define(&app, json!([ground_field("poi")])).await;
    let seen = editor.get(one(POIS, &poi)).await.expect(200).json();
    assert_eq!((&seen["custom"], &seen["custom_hidden"]), (&json!({"sol": "Sable"}), &json!([])));
}

#[app_test]
async fn a_restored_record_is_found_by_its_custom_fields(app: TestApp) {
    define(&app, json!([ground_field("poi"), ground_field("parcours")])).await;
    let editor = app.editor_of("morvan");
    let poi = poi_with_fields(&editor, json!({"sol": "Sable"})).await;
    let parcours = made(&editor, PARCOURS, json!({"title": {"fr": "Tour"}, "custom": {"sol": "Sable"}})).await;
    for (list, record) in [(POIS, &poi), (PARCOURS, &parcours)] {
        editor.clone().with("if-match", "*").delete(one(list, record)).await.expect(204);
        assert!(found(&editor, list, "sol:Sable").await.is_empty(), "{list}");
        let bin = editor.get("/api/v1/bin").await.json()["items"][0]["id"].as_i64().unwrap();
        editor.post(format!("/api/v1/bin/{bin}/restoration"), json!({})).await.expect(200);
        assert_eq!(found(&editor, list, "sol:Sable").await, [id(record).to_string()], "{list}");
    }
    let copy = editor.post(format!("{}/duplicate", one(PARCOURS, &parcours)), json!({"title": "Copie"})).await;
    assert_eq!(copy.expect(201).json()["custom"], json!({"sol": "Sable"}));
}
