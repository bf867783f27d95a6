//! Closures: drawn once, shown on every parcours they touch, open again after their last day.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use std::time::Duration;

use domain::{DAY_S, HOUR_S, TimeZone};
use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, TestApp, skipped};

use crate::catalogue_kit::{column, delete, faults, id, made, one, patch};
use crate::feeds::{api_client, distributed_parcours, unzipped};
use crate::parcours_kit::{self, eastward, gpx, imported, now, path, shared_file, trace_of, with_andorra};

const PATH: &str = "/api/v1/closures";

/// Across the line of [`eastward`], between 4.003 and 4.005.
fn works(app: &TestApp, days: i64) -> Value {
    let today = app.app().now();
    json!({
        "title": {"fr": "Travaux au pont", "en": "Works on the bridge"}, "kind": "works", "reason": {"fr": "Tablier refait"},
        "from": today.day(), "to": today.plus_s(days * DAY_S).day(),
        "geometry": {"type": "Polygon", "coordinates": [[[4.003, 46.999], [4.005, 46.999], [4.005, 47.001], [4.003, 47.001], [4.003, 46.999]]]},
    })
}

async fn tour(by: &Client) -> Value {
    let parcours = parcours_kit::made(by, "Le tour", json!({})).await;
    imported(by, &parcours, "tour.gpx", gpx(&eastward())).await.expect(200);
    now(by, &parcours).await
}

#[app_test]
async fn a_closure_is_reported_on_the_parcours_it_touches_until_it_is_over(app: TestApp) {
    // A session lasts its whole day here, used or not.
    let app = app.changed(|parts| parts.settings.session_idle_s = 86_400);
    let editor = app.editor_of("morvan");
    let tour = tour(&editor).await;
    assert_eq!(tour["closures"], json!([]));
    let closure = made(&editor, PATH, works(&app, 0)).await;
    assert_eq!((&closure["state"], &closure["parcours_total"]), (&json!("now"), &json!(1)));
    let found = now(&editor, &tour).await["closures"].clone();
    assert_eq!((&found[0]["id"], &found[0]["title"]["fr"]), (&closure["id"], &json!("Travaux au pont")));
    let stretch = &found[0]["stretches"][0];
    assert!((stretch["from_m"].as_f64().unwrap() - 228.0).abs() < 10.0, "{stretch}");
    assert!((stretch["to_m"].as_f64().unwrap() - 379.0).abs() < 10.0, "{stretch}");
    let row = |query: &str| editor.get(format!("/api/v1/parcours?{query}"));
    assert_eq!(row("").await.expect(200).json()["items"][0]["closed"], true);
    assert_eq!(row("closed=true&search=tour").await.expect(200).json()["total"], 1);
    let touched = editor.get(format!("{}/parcours", one(PATH, &closure))).await.expect(200).json();
    assert_eq!(column(&touched, "/title/fr"), ["Le tour"]);
    // Past midnight, within the session.
    app.clock().advance_s(DAY_S - 1);
    assert_eq!(now(&editor, &tour).await["closures"], json!([]), "it opens by itself");
    assert_eq!(editor.get("/api/v1/parcours?closed=true").await.expect(200).json()["total"], 0);
    assert_eq!(editor.get(one(PATH, &closure)).await.expect(200).json()["state"], "past");
    assert_eq!(editor.get(format!("{PATH}?state=past&search=pont")).await.expect(200).json()["total"], 1);
    assert_eq!(editor.get(format!("{PATH}?state=now&kind=works")).await.expect(200).json()["total"], 0);
}

#[app_test]
async fn a_walker_reads_what_is_closed_in_both_languages(app: TestApp) {
    let editor = app.editor_of("morvan");
    let tour = parcours_kit::published(&editor, &tour(&editor).await).await;
    let get = async |path: String| app.anonymous().get(path).await.expect(200).text();
    let path = format!("/p/le-tour-{}", tour["id"]);
    assert!(!get(path.clone()).await.contains("Fermé"));
    assert!(!get(format!("{path}/trace.gpx")).await.contains("Travaux"));
    made(&editor, PATH, works(&app, 10)).await;
    let french = get(path.clone()).await;
    assert!(french.contains("Fermé en ce moment") && french.contains("Travaux au pont"), "{french}");
    assert!(french.contains("du km 0,2 au km 0,4.") && french.contains("Tablier refait"), "{french}");
    let english = get(format!("/en{path}")).await;
    assert!(english.contains("Closed at the moment") && english.contains("Works on the bridge"), "{english}");
    assert!(english.contains("<div class=\"prose\" lang=\"fr\"><p>Tablier refait</p>"), "{english}");
    let file = get(format!("/en{path}/trace.gpx")).await;
    assert!(file.contains("Works on the bridge: Closed from"), "{file}");
    app.clock().advance_s(11 * DAY_S);
    assert!(!get(path.clone()).await.contains("Travaux au pont"), "it opens by itself");
    assert!(!get(format!("{path}/trace.gpx")).await.contains("Travaux"));
}

/// 08:00 in UTC is 19:00 in Nouméa, where midnight comes five hours later.
#[app_test]
async fn a_closure_begins_and_ends_at_midnight_of_the_time_zone(app: TestApp) {
    let app = app.changed(|parts| parts.settings.time_zone = TimeZone::parse("Pacific/Noumea").unwrap());
    let lake = distributed_parcours(&app, "Le lac").await;
    let editor = app.editor_of("morvan");
    let on = |day: &str, title: &str| json!({"title": {"fr": title}, "from": day, "to": day});
    let drawn = |fields: Value| {
        let mut closure = works(&app, 0);
        closure.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        closure
    };
    let today = made(&editor, PATH, drawn(on("2026-11-20", "Chasse"))).await;
    let tomorrow = made(&editor, PATH, drawn(on("2026-11-21", "Coupe de bois"))).await;
    assert_eq!((&today["state"], &tomorrow["state"]), (&json!("now"), &json!("later")));
    app.clock().advance_s(6 * HOUR_S);
    let state = async |closure: &Value| editor.get(one(PATH, closure)).await.expect(200).json()["state"].clone();
    assert_eq!((state(&today).await, state(&tomorrow).await), (json!("past"), json!("now")));
    assert_eq!(editor.get("/api/v1/parcours?closed=true").await.expect(200).json()["total"], 1);
    let page = app.anonymous().get(format!("/p/le-lac-{}", lake["id"])).await.expect(200).text();
    assert!(
        page.contains("Fermé en ce moment") && page.contains("Coupe de bois") && !page.contains("Chasse"),
        "{page}"
    );
    let program = api_client(&app, "morvan").await;
    let warned = program.get(format!("/api/public/v1/parcours/{}?fields=warning&language=fr", lake["id"])).await;
    let warned = warned.expect(200).text();
    assert!(warned.contains("Coupe de bois") && !warned.contains("Chasse"), "{warned}");
}

#[app_test]
async fn trace_files_name_closures(app: TestApp) {
    let lake = distributed_parcours(&app, "Le lac").await;
    made(&app.editor_of("morvan"), PATH, works(&app, 10)).await;
    let program = api_client(&app, "morvan").await;
    let keyed = format!("/api/public/v1/parcours/{}", lake["id"]);
    for ending in ["gpx", "kml"] {
        let file = program.get(format!("{keyed}/trace.{ending}")).await.expect(200).text();
        assert!(file.contains("Travaux au pont\u{202f}: Fermé du"), "{file}");
    }
    let pack = unzipped(&program.get(format!("{keyed}/pack.zip")).await.expect(200).bytes);
    assert!(String::from_utf8_lossy(&pack["trace.gpx"]).contains("Fermé du"));
}

#[app_test]
async fn closures_are_on_the_map_and_in_the_search(app: TestApp) {
    let editor = app.editor_of("morvan");
    tour(&editor).await;
    let map = "/api/v1/parcours/map?bbox=3.9,46.9,4.1,47.1&zoom=14";
    assert_eq!(editor.get(map).await.expect(200).json()["items"][0]["closed"], false);
    let closure = made(&editor, PATH, works(&app, 10)).await;
    assert_eq!(editor.get(map).await.expect(200).json()["items"][0]["closed"], true);
    let found = editor.get("/api/v1/search?q=travaux&kinds=closure").await.expect(200).json();
    let hit = &found["groups"][0]["items"][0];
    assert_eq!((&hit["id"], &hit["href"]), (&closure["id"], &json!(format!("/fermetures/{}", closure["id"]))));
}

#[app_test]
async fn a_closed_parcours_is_reported_wherever_it_appears(app: TestApp) {
    let editor = app.editor_of("morvan");
    let tour = tour(&editor).await;
    let lake = json!({"title": {"fr": "Lac"}, "location": [4.005, 47.0]});
    let lake = made(&editor, "/api/v1/pois", lake).await;
    let near = format!("/api/v1/pois/{}/parcours", lake["id"]);
    let places = ["/api/v1/search?q=tour&kinds=parcours", "/api/v1/dashboard", &near];
    let read = async |place: &str| {
        let answer = editor.get(place).await.expect(200).json();
        let items = [&answer["groups"][0]["items"], &answer["latest"], &answer["items"]];
        let mut items = items.into_iter().filter_map(|items| items.as_array()).flatten();
        items.find(|item| item["id"] == tour["id"]).map(|item| item["closed"].clone())
    };
    for place in places {
        assert_eq!(read(place).await, Some(json!(false)), "{place}");
    }
    made(&editor, PATH, works(&app, 10)).await;
    for place in places {
        assert_eq!(read(place).await, Some(json!(true)), "{place}");
    }
}

#[app_test]
async fn closures_follow_the_line_and_the_shape(app: TestApp) {
    let editor = app.editor_of("morvan");
    let closure = made(&editor, PATH, works(&app, 10)).await;
    let tour = tour(&editor).await;
    assert_eq!(tour["closures"].as_array().unwrap().len(), 1, "drawn before the line came");
    let away: Vec<(f64, f64)> = eastward().into_iter().map(|(lon, lat)| (lon + 0.1, lat)).collect();
    imported(&editor, &tour, "away.gpx", gpx(&away)).await.expect(200);
    assert_eq!(now(&editor, &tour).await["closures"], json!([]));
    let line = json!({"type": "LineString", "coordinates": [[4.101, 47.0], [4.104, 47.0]]});
    let moved = patch(&editor, PATH, &closure, json!({"geometry": line, "to": null})).await.expect(200).json();
    let found = now(&editor, &tour).await["closures"].clone();
    assert_eq!((&found[0]["to"], found[0]["stretches"].as_array().unwrap().len()), (&Value::Null, 1));
    delete(&editor, PATH, &moved, "").await.expect(204);
    assert_eq!(now(&editor, &tour).await["closures"], json!([]));
    let bin = editor.get("/api/v1/bin?kind=closure").await.expect(200).json();
    editor.post(format!("/api/v1/bin/{}/restoration", bin["items"][0]["id"]), json!({})).await.expect(200);
    assert_eq!(now(&editor, &tour).await["closures"].as_array().unwrap().len(), 1, "back with what it closes");
    let deleted = now(&editor, &tour).await;
    editor.clone().at_version(parcours_kit::version(&deleted)).delete(path(&deleted)).await.expect(204);
    assert_eq!(editor.get(one(PATH, &closure)).await.expect(200).json()["parcours_total"], 0);
}

#[app_test]
async fn a_closure_and_the_trace_it_touches_can_be_saved_at_the_same_time(app: TestApp) {
    let editor = app.editor_of("morvan");
    let tour = tour(&editor).await;
    let closure = made(&editor, PATH, works(&app, 10)).await;
    // What the save of a trace does.
    let tx = app.store().begin().await.unwrap();
    let again = format!(
        "CREATE TEMPORARY TABLE kept AS SELECT * FROM parcours_closure; DELETE FROM parcours_closure WHERE parcours_id = {0};
        INSERT INTO parcours_closure SELECT * FROM kept; DROP TABLE kept",
        tour["id"]
    );
    for statement in again.split(';') {
        store::server::run_sql(&tx, statement).await.unwrap();
    }
    let (saved, committed) = tokio::join!(patch(&editor, PATH, &closure, json!({"to": null})), async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        tx.commit().await
    });
    committed.unwrap();
    saved.expect(200);
    assert_eq!(now(&editor, &tour).await["closures"][0]["to"], Value::Null);
}

#[app_test]
async fn a_fault_of_a_closure_is_reported_on_its_field(app: TestApp) {
    let editor = app.editor_of("morvan");
    let empty = editor.post(PATH, json!({"title": {"fr": " "}})).await;
    let expected = ["validation/required /title/fr", "validation/required /from", "closure/shape-required /geometry"];
    assert_eq!(faults(empty), expected);
    let mut wrong = works(&app, -3);
    wrong["kind"] = json!("other");
    assert_eq!(faults(editor.post(PATH, wrong).await), ["closure/order /to"]);
    let mut shape = works(&app, 3);
    shape["geometry"] = json!({"type": "Point", "coordinates": [4.0, 47.0]});
    assert_eq!(faults(editor.post(PATH, shape).await), ["validation/wrong-type /geometry"]);
    editor.get(format!("{PATH}?state=soon")).await.expect(400);
}

#[app_test]
async fn everybody_sees_a_closure_and_only_its_owner_changes_it(app: TestApp) {
    let (editor, other) = (app.editor_of("morvan"), app.editor_of("vercors"));
    let closure = made(&editor, PATH, works(&app, 10)).await;
    let seen = other.get(one(PATH, &closure)).await.expect(200).json();
    assert_eq!((&seen["mine"], &seen["editable"]), (&json!(false), &json!(false)));
    let refused = patch(&other, PATH, &seen, json!({"kind": "weather"})).await.expect(403);
    assert_eq!(refused.problem().code, "closure/not-yours");
    let theirs = tour(&other).await;
    assert_eq!(theirs["closures"][0]["id"], closure["id"]);
    let mine = editor.get(format!("{}/parcours", one(PATH, &closure))).await.expect(200).json();
    assert_eq!(mine["items"], json!([]), "what others have not shared is not named");
    assert_eq!(editor.get(one(PATH, &closure)).await.expect(200).json()["parcours_total"], 1);
}

/// A parcours over Andorra that is closed in its middle, and the middle of what is closed.
async fn closed_in_the_middle(app: &TestApp, editor: &Client) -> (Value, Value, [f64; 2]) {
    let parcours = parcours_kit::made(editor, "Andorre", json!({})).await;
    let bytes = shared_file("tracks/synthetic/andorra_00_clean.gpx").expect("the shared tracks are there");
    imported(editor, &parcours, "andorra.gpx", bytes).await.expect(200);
    let line = trace_of(editor, &parcours).await["line"].as_array().unwrap().clone();
    let at = &line[line.len() / 2];
    let (lon, lat) = (at[0].as_f64().unwrap(), at[1].as_f64().unwrap());
    let closure = made(editor, PATH, around(app, [lon, lat])).await;
    (now(editor, &parcours).await, closure, [lon, lat])
}

/// A closure of ten days around a place.
fn around(app: &TestApp, [lon, lat]: [f64; 2]) -> Value {
    let ring = [(-4e-4, -3e-4), (4e-4, -3e-4), (4e-4, 3e-4), (-4e-4, 3e-4), (-4e-4, -3e-4)];
    let ring: Vec<[f64; 2]> = ring.iter().map(|(dx, dy)| [lon + dx, lat + dy]).collect();
    let mut body = works(app, 10);
    body["geometry"] = json!({"type": "Polygon", "coordinates": [ring]});
    body
}

/// The detour of the first stretch of the first closure.
async fn detour_of(by: &Client, parcours: &Value) -> Value {
    by.get(format!("{}/closures", path(parcours))).await.expect(200).json()["items"][0]["detours"][0].clone()
}

#[app_test]
async fn the_planner_avoids_closures(app: TestApp) {
    let Some(app) = with_andorra(&app) else {
        return skipped("the_planner_avoids_closures", "../shared/data is missing");
    };
    let editor = app.editor_of("morvan");
    let (parcours, _, [lon, lat]) = closed_in_the_middle(&app, &editor).await;
    let found = editor.get(format!("{}/closures", path(&parcours))).await.expect(200).json();
    let detour = &found["items"][0]["detours"][0];
    let stretch = &found["items"][0]["stretches"][0];
    assert!(detour["from_m"].as_f64().unwrap() < stretch["from_m"].as_f64().unwrap(), "{found}");
    assert!(detour["distance_m"].as_f64().unwrap() > 0.0 && detour["line"].as_array().unwrap().len() > 1);
    let inside =
        |at: &Value| (at[0].as_f64().unwrap() - lon).abs() < 3.9e-4 && (at[1].as_f64().unwrap() - lat).abs() < 2.9e-4;
    assert!(!detour["line"].as_array().unwrap().iter().any(inside), "it keeps out");
    assert_eq!(detour["published"], false);
    assert!(id(&found["items"][0]) > 0);
}

#[app_test]
async fn a_published_detour_is_shown_and_followed_until_the_closure_is_over(app: TestApp) {
    let Some(app) = with_andorra(&app) else {
        return skipped(
            "a_published_detour_is_shown_and_followed_until_the_closure_is_over",
            "../shared/data is missing",
        );
    };
    let (editor, other) = (app.editor_of("morvan"), app.editor_of("vercors"));
    let (parcours, closure, [lon, lat]) = closed_in_the_middle(&app, &editor).await;
    let parcours = parcours_kit::published(&editor, &parcours).await;
    let page = format!("/p/andorre-{}", parcours["id"]);
    let get = async |path: String| app.anonymous().get(path).await.expect(200).text();
    let whole = get(format!("{page}/trace.gpx")).await;
    assert!(!get(page.clone()).await.contains("id=\"detours\""));

    let detour = detour_of(&editor, &parcours).await;
    let to = format!("{}/closures/{}/detours/0", path(&parcours), closure["id"]);
    let asked = json!({"from_m": detour["from_m"], "to_m": detour["to_m"], "distance_m": detour["distance_m"]});
    let mut moved = asked.clone();
    moved["to_m"] = json!(detour["to_m"].as_f64().unwrap() + 50.0);
    assert_eq!(editor.put(to.clone(), moved).await.expect(409).problem().code, "parcours/detour-changed");
    assert_eq!(other.put(to.clone(), asked.clone()).await.expect(404).problem().code, "parcours/not-found");
    assert_eq!(
        editor.put(to.replace("detours/0", "detours/7"), asked.clone()).await.expect(404).problem().code,
        "parcours/no-detour"
    );
    assert_eq!(editor.put(to.clone(), asked.clone()).await.expect(200).json()["published"], true);
    assert_eq!(detour_of(&editor, &parcours).await["published"], true);

    let shown = get(page.clone()).await;
    assert!(shown.contains("id=\"detours\"") && shown.contains("quittez le parcours au km"), "{shown}");
    assert!(get(format!("/en{page}")).await.contains("Detour: leave the route at km"));
    let file = get(format!("{page}/trace.gpx")).await;
    assert!(file.contains("<name>Début de la déviation</name>") && file.contains("<name>Fin de la déviation</name>"));
    let inside = |point: &str| {
        let part =
            |name: &str| -> Option<f64> { point.split_once(&format!("{name}=\""))?.1.split('"').next()?.parse().ok() };
        let (at_lon, at_lat) = (part("lon").unwrap_or(0.0), part("lat").unwrap_or(0.0));
        (at_lon - lon).abs() < 3.9e-4 && (at_lat - lat).abs() < 2.9e-4
    };
    assert!(whole.split("<trkpt").any(inside), "the line ran through what is closed");
    assert!(!file.split("<trkpt").skip(1).any(inside), "and goes round it");
    assert!(get(format!("{page}/trace.kml")).await.contains("Début de la déviation"));

    app.clock().advance_s(11 * DAY_S);
    let after = get(format!("{page}/trace.gpx")).await;
    assert_eq!(after.split_once("<trk>").unwrap().1, whole.split_once("<trk>").unwrap().1, "the closure is over");
    assert!(!get(page).await.contains("id=\"detours\""));
}

#[app_test]
async fn a_published_detour_is_withdrawn_when_a_closure_crosses_it(app: TestApp) {
    let Some(app) = with_andorra(&app) else {
        return skipped("a_published_detour_is_withdrawn_when_a_closure_crosses_it", "../shared/data is missing");
    };
    let editor = app.editor_of("morvan");
    let (parcours, closure, _) = closed_in_the_middle(&app, &editor).await;
    let to = format!("{}/closures/{}/detours/0", path(&parcours), closure["id"]);
    let publish = async || {
        let detour = detour_of(&editor, &parcours).await;
        let asked = json!({"from_m": detour["from_m"], "to_m": detour["to_m"], "distance_m": detour["distance_m"]});
        editor.put(to.clone(), asked).await.expect(200).json()
    };
    let published = publish().await;
    // Another name or another day changes nothing of the way.
    patch(&editor, PATH, &closure, json!({"to": null})).await.expect(200);
    assert_eq!(detour_of(&editor, &parcours).await, published);
    editor.delete(to.clone()).await.expect(204);
    assert_eq!(editor.delete(to.clone()).await.expect(404).problem().code, "parcours/no-detour");
    assert_eq!(detour_of(&editor, &parcours).await["published"], false);

    // A closure across the detour withdraws it, and the next detour avoids that closure too.
    let line = publish().await["line"].as_array().unwrap().clone();
    let middle = &line[line.len() / 2];
    let middle = [middle[0].as_f64().unwrap(), middle[1].as_f64().unwrap()];
    made(&app.editor_of("vercors"), PATH, around(&app, middle)).await;
    assert_ne!(detour_of(&editor, &parcours).await["published"], json!(true));
}
