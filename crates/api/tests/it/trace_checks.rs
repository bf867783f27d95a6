//! Stored traces that are not as a save would store them are found, listed and mended.

use content::parcours::trace_check::{check, settle};
use domain::ParcoursId;
use macros::app_test;
use serde_json::{Value, json};
use store::parcours::{self as rows, NewTrace};
use testkit::{Client, TestApp};

use crate::parcours_kit::{eastward, gpx, imported, made, now, patch, shared};

const FAULTS: &str = "/api/v1/planner/watch/trace-faults";

async fn faults(by: &Client, query: &str) -> Value {
    by.get(format!("{FAULTS}?{query}")).await.expect(200).json()
}

/// A parcours whose departure is 1.1 km north of its line, which no save would write.
async fn out_of_place(app: &TestApp, by: &Client, parcours: &Value) -> Value {
    imported(by, parcours, "lac.gpx", gpx(&eastward())).await.expect(200);
    let (id, languages) = (id_of(parcours), &app.app().settings.content_languages);
    let tx = app.app().store.begin().await.unwrap();
    let stored = rows::lock(&tx, id).await.unwrap().unwrap();
    let trace = rows::trace(&tx, id).await.unwrap().unwrap();
    let mut steps = stored.steps.clone();
    steps[0].position.lat += 0.01;
    rows::rescore(&tx, &stored, steps, &NewTrace::from(&trace), languages).await.unwrap();
    tx.commit().await.unwrap();
    now(by, parcours).await
}

fn id_of(parcours: &Value) -> ParcoursId {
    ParcoursId(parcours["id"].as_i64().unwrap())
}

#[app_test]
async fn what_is_stored_otherwise_is_listed_to_those_who_see_it_and_a_save_takes_it_off(app: TestApp) {
    let (editor, other) = (app.editor_of("morvan"), app.editor_of("vercors"));
    let sound = made(&editor, "En place", json!({})).await;
    imported(&editor, &sound, "lac.gpx", gpx(&eastward())).await.expect(200);
    let parcours = out_of_place(&app, &editor, &made(&editor, "Déplacé", json!({})).await).await;
    assert_eq!(faults(&editor, "").await["total"], 0, "nothing was checked yet");
    settle(app.app()).await.unwrap();

    let listed = faults(&editor, "owner=mine").await;
    assert_eq!((&listed["total"], &listed["items"][0]["parcours"]["id"]), (&json!(1), &parcours["id"]));
    assert_eq!(listed["items"][0]["editable"], true);
    let fault = &listed["items"][0]["faults"][0];
    assert_eq!((&fault["kind"], &fault["step_id"]), (&json!("step_off_line"), &parcours["steps"][0]["id"]));
    assert!((fault["metres"].as_f64().unwrap() - 1_112.0).abs() < 2.0, "{fault}");
    assert_eq!(faults(&other, "").await["total"], 0, "another tenant's draft");

    // A saved parcours is no longer listed, also after the next round of the check.
    patch(&editor, &now(&editor, &parcours).await, json!({"steps": parcours["steps"]})).await;
    assert_eq!(faults(&editor, "").await["total"], 0);
    settle(app.app()).await.unwrap();
    assert_eq!(faults(&editor, "").await["total"], 0);
}

#[app_test]
async fn others_see_the_faults_of_what_is_shared_and_may_not_save_it(app: TestApp) {
    let (editor, other) = (app.editor_of("morvan"), app.editor_of("vercors"));
    let parcours = out_of_place(&app, &editor, &shared(&editor, "Partagé").await).await;
    settle(app.app()).await.unwrap();
    let listed = faults(&other, "owner=shared").await;
    assert_eq!((&listed["total"], &listed["items"][0]["parcours"]["id"]), (&json!(1), &parcours["id"]));
    assert_eq!(listed["items"][0]["editable"], false);
    other.get(format!("{FAULTS}?owner=nobody")).await.expect(400);
}

#[app_test]
async fn the_command_puts_steps_in_their_places_where_asked(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = out_of_place(&app, &editor, &made(&editor, "Déplacé", json!({})).await).await;
    let (store, languages) = (&app.app().store, app.app().settings.content_languages.clone());
    let id = id_of(&parcours);
    let looked = check(store, &languages, id, false).await.unwrap().unwrap();
    assert_eq!((looked.title.as_str(), looked.faults.len(), looked.mended), ("Déplacé", 1, false));
    let found = looked.faults[0].to_string();
    assert!(found.starts_with("step ") && found.ends_with(" m from its place of the line"), "{found}");
    assert!(check(store, &languages, id, true).await.unwrap().unwrap().mended);
    let after = check(store, &languages, id, true).await.unwrap().unwrap();
    assert_eq!((after.faults, after.mended), (vec![], false));
    let steps = now(&editor, &parcours).await["steps"].clone();
    assert!((steps[0]["position"][1].as_f64().unwrap() - 47.0).abs() < 1e-6, "{steps}");
    let without = made(&editor, "Sans tracé", json!({})).await;
    assert_eq!(check(store, &languages, id_of(&without), true).await.unwrap(), None);
}
