//! Stored traces with faults that a save would refuse are found, listed and repaired.

use content::parcours::trace_check::{check, check_and_repair, settle};
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
async fn a_stored_fault_is_listed_to_people_who_see_the_parcours_and_removed_by_a_save(app: TestApp) {
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
async fn other_tenants_see_the_faults_of_a_shared_parcours_and_cannot_save_it(app: TestApp) {
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
    let looked = check(store, id).await.unwrap().unwrap();
    assert_eq!((looked.title.as_str(), looked.faults.len(), looked.repaired), ("Déplacé", 1, false));
    let found = looked.faults[0].to_string();
    assert!(found.starts_with("step ") && found.ends_with(" m from its place of the line"), "{found}");
    assert!(check_and_repair(store, &languages, id).await.unwrap().unwrap().repaired);
    let after = check_and_repair(store, &languages, id).await.unwrap().unwrap();
    assert_eq!((after.faults, after.repaired), (vec![], false));
    let steps = now(&editor, &parcours).await["steps"].clone();
    assert!((steps[0]["position"][1].as_f64().unwrap() - 47.0).abs() < 1e-6, "{steps}");
    let without = made(&editor, "Sans tracé", json!({})).await;
    assert_eq!(check_and_repair(store, &languages, id_of(&without)).await.unwrap(), None);
}
