//! The history of a parcours: looked at, compared, taken back.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, TestApp};

use crate::parcours_kit::{eastward, gpx, imported, made, now, patch, path, published, version};

#[app_test]
async fn each_save_leaves_a_revision_with_what_it_changed(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    app.clock().advance_s(60);
    let parcours = patch(&editor, &parcours, json!({"summary": {"fr": "Un lac."}, "is_loop": true})).await;
    let parcours = published(&app.admin_of("morvan"), &parcours).await;
    let history = editor.get(format!("{}/revisions", path(&parcours))).await.expect(200).json();
    let listed: Vec<_> = history["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["version"].as_i64().unwrap(), one["fields"].clone(), one["user"]["name"].clone()))
        .collect();
    assert_eq!(
        listed,
        [
            (3, json!(["published"]), json!("Camille admin")),
            (2, json!(["summary", "is_loop"]), json!("Camille editor")),
            (1, json!(["*"]), json!("Camille editor")),
        ]
    );
    assert_eq!(history["items"][1]["at"], "2026-11-20T08:01:00Z");
    let past = editor.get(format!("{}/revisions/1", path(&parcours))).await.expect(200).json();
    assert_eq!(
        (&past["parcours"]["title"]["fr"], &past["parcours"]["is_loop"], &past["parcours"]["version"]),
        (&json!("Lac"), &Value::Null, &json!(1))
    );
    assert_eq!(
        editor.get(format!("{}/revisions/9", path(&parcours))).await.expect(404).problem().code,
        "parcours/revision-not-found"
    );
}

#[app_test]
async fn one_field_or_all_are_restored_as_a_new_revision(app: TestApp) {
    let editor = app.editor_of("morvan");
    let first = made(&editor, "Lac", json!({"summary": {"fr": "Un lac.", "en": "A lake."}})).await;
    let second = patch(
        &editor,
        &first,
        json!({"title": {"fr": "Étang"}, "summary": {"fr": "Un étang.", "en": "A pond."}, "is_loop": true}),
    )
    .await;
    let restoration = format!("{}/revisions/1/restoration", path(&first));
    let third = editor
        .clone()
        .at_version(2)
        .post(&restoration, json!({"fields": ["title", "summary/en"]}))
        .await
        .expect(200)
        .json();
    assert_eq!(third["version"], 3);
    assert_eq!(
        (&third["title"]["fr"], &third["summary"], &third["is_loop"]),
        (&json!("Lac"), &json!({"fr": "Un étang.", "en": "A lake."}), &json!(true))
    );
    let fourth = editor.clone().at_version(3).post(&restoration, json!({})).await.expect(200).json();
    assert_eq!((&fourth["summary"]["fr"], &fourth["is_loop"]), (&json!("Un lac."), &Value::Null));
    let history = editor.get(format!("{}/revisions", path(&first))).await.expect(200).json();
    assert_eq!((&history["items"][0]["reason"], history["items"].as_array().unwrap().len()), (&json!("restore"), 4));
    let back = editor
        .clone()
        .at_version(4)
        .post(format!("{}/revisions/2/restoration", path(&first)), json!({}))
        .await
        .expect(200)
        .json();
    assert_eq!(back["title"], second["title"], "nothing is ever lost");
    let unknown =
        editor.clone().at_version(5).post(&restoration, json!({"fields": ["colour"]})).await.expect(422).problem();
    assert_eq!(unknown.errors[0].code, "validation/unknown-field");
    assert_eq!(
        editor.clone().at_version(1).post(&restoration, json!({})).await.expect(412).problem().code,
        "version/stale"
    );
}

#[app_test]
async fn a_trace_is_restored_with_its_line(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    imported(&editor, &parcours, "un.gpx", gpx(&eastward())).await.expect(200);
    let with_first = now(&editor, &parcours).await;
    imported(&editor, &with_first, "deux.gpx", gpx(&[(5.0, 47.0), (5.01, 47.0)])).await.expect(200);
    let with_second = now(&editor, &parcours).await;
    assert_eq!(with_second["trace"]["source_file"]["name"], "deux.gpx");
    let restoration = format!("{}/revisions/2/restoration", path(&parcours));
    let back = editor
        .clone()
        .at_version(version(&with_second))
        .post(&restoration, json!({"fields": ["trace", "steps"]}))
        .await
        .expect(200)
        .json();
    assert_eq!(back["trace"]["source_file"]["name"], "un.gpx");
    let trace = editor.get(format!("{}/trace", path(&parcours))).await.expect(200).json();
    assert_eq!(trace["line"].as_array().unwrap().len(), 11);
    assert_eq!(trace["revision"], 3, "a revision of the trace of its own");
    let source = editor.get(format!("{}/trace/source", path(&parcours))).await.expect(200);
    assert_eq!(source.text(), gpx(&eastward()), "with the bytes it came from");
}

/// Places of the steps along the line, in metres, with the length of the line.
async fn places(by: &Client, parcours: &Value) -> (Vec<Option<f64>>, f64) {
    let shown = now(by, parcours).await;
    let places = shown["steps"].as_array().unwrap().iter().map(|step| step["at_m"].as_f64().map(f64::round)).collect();
    (places, shown["trace"]["distance_m"].as_f64().unwrap().round())
}

#[app_test]
async fn steps_and_trace_restored_separately_still_fit(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    imported(&editor, &parcours, "un.gpx", gpx(&eastward())).await.expect(200);
    let (first_places, first_length) = places(&editor, &parcours).await;
    assert_eq!(first_places.last(), Some(&Some(first_length)), "the arrival is at the end");
    imported(&editor, &now(&editor, &parcours).await, "deux.gpx", gpx(&[(5.0, 47.0), (5.05, 47.0)])).await.expect(200);
    let (_, second_length) = places(&editor, &parcours).await;
    assert!((first_length - second_length).abs() > 100.0, "another line");
    let restore = async |fields: Value| {
        let version = version(&now(&editor, &parcours).await);
        let address = format!("{}/revisions/2/restoration", path(&parcours));
        editor.clone().at_version(version).post(address, fields).await.expect(200);
        places(&editor, &parcours).await
    };
    let (places, length) = restore(json!({"fields": ["steps"]})).await;
    assert_eq!((places.last(), length), (Some(&Some(second_length)), second_length), "old steps on the line in use");
    let (places, length) = restore(json!({"fields": ["trace"]})).await;
    assert_eq!((places.last(), length), (Some(&Some(first_length)), first_length), "steps of now on the old line");
    // Whole, from before there was a trace: the trace stays, and the steps are placed on it.
    let version_now = version(&now(&editor, &parcours).await);
    let address = format!("{}/revisions/1/restoration", path(&parcours));
    let whole = editor.clone().at_version(version_now).post(address, json!({})).await.expect(200).json();
    assert!(whole["steps"].as_array().unwrap().iter().all(|step| step["at_m"].is_number()), "{}", whole["steps"]);
}
