//! Traces over a real extract: planned, scored, drawn.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, TestApp, skipped};

use crate::catalogue_kit::{self, id};
use crate::contract::assert_as_described;
use crate::feeds::{api_client, distributed_parcours, term};
use crate::parcours_kit::{
    eastward, gpx, imported, made, now, patch, path, put_trace, shared_file, trace_of, version, with_andorra,
    with_hilly_andorra, with_newer_andorra,
};

macro_rules! andorra_or_skip {
    ($app:expr, $name:literal) => {
        match with_andorra(&$app) {
            Some(app) => app,
            None => return skipped($name, "../shared/data is missing"),
        }
    };
}

#[app_test]
async fn a_real_file_over_a_real_extract_is_planned_and_scored(app: TestApp) {
    let app = andorra_or_skip!(app, "a_real_file_over_a_real_extract_is_planned_and_scored");
    let bytes = shared_file("tracks/synthetic/andorra_00_clean.gpx").expect("the shared tracks are there");
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Andorre", json!({})).await;
    let trace = imported(&editor, &parcours, "andorra.gpx", bytes).await.expect(200).json();
    assert_eq!(trace["mode"], "planner");
    let percent = trace["reliability"]["percent"].as_f64().unwrap();
    assert!(percent >= 95.0, "{percent}");
    assert_eq!(trace["reliability_state"], "ok");
    assert_eq!(trace["planned_line"], trace["line"]);
    assert!(
        trace["planned_line"].as_array().unwrap().len() > 10 && trace["instructions"].as_array().unwrap().len() > 1
    );
    assert!(trace["duration_s"].as_f64().unwrap() > 600.0 && trace["engine"].is_string());
    let row = editor.get("/api/v1/parcours").await.expect(200).json()["items"][0].clone();
    assert_eq!((&row["reliability"], &row["reliability_state"]), (&json!(percent), &json!("ok")));
    assert!(row["glyph"].as_str().unwrap().starts_with('M') && !row["ribbon"].as_array().unwrap().is_empty());
    let other = app.changed(|parts| parts.first_region.engine = None);
    assert_eq!(
        other.editor_of("morvan").get(path(&parcours)).await.expect(200).json()["trace"]["reliability_state"],
        "ok",
        "no network, nothing to compare with"
    );
}

#[app_test]
async fn only_a_reliable_parcours_is_published_with_instructions(app: TestApp) {
    let app = andorra_or_skip!(app, "only_a_reliable_parcours_is_published_with_instructions");
    let bytes = shared_file("tracks/synthetic/andorra_00_clean.gpx").expect("the shared tracks are there");
    let editor = app.editor_of("morvan");
    let (far, parcours) = (distributed_parcours(&app, "Ailleurs").await, distributed_parcours(&app, "Andorre").await);
    let trace = imported(&editor, &parcours, "andorra.gpx", bytes).await.expect(200).json();
    assert_eq!(trace["reliability_state"], "ok");
    let line = trace["line"].as_array().unwrap();
    let end = |kind: &str, at: &Value| json!({"kind": kind, "title": {"fr": kind}, "position": [at[0], at[1]]});
    let steps = json!({"steps": [end("departure", &line[0]), end("arrival", &line[line.len() - 1])]});
    patch(&editor, &now(&editor, &parcours).await, steps).await;
    let client = api_client(&app, "morvan").await;
    let path = |parcours: &Value| format!("/api/public/v1/parcours/{}", parcours["id"]);
    let whole = client.get(path(&parcours)).await.expect(200).json();
    let turns = whole["instructions"].as_array().unwrap();
    assert_eq!((&whole["guided"], turns.len()), (&json!(true), trace["instructions"].as_array().unwrap().len()));
    let first = &trace["instructions"][0];
    assert_eq!((&turns[0]["kind"], &turns[0]["text"]["fr"]), (&first["kind"], &first["fr"]));
    assert_eq!((&turns[0]["position"], &turns[0]["text"]["en"]), (&first["position"], &first["en"]));
    let english = client.get(format!("{}?language=en&fields=instructions", path(&parcours))).await.expect(200).json();
    assert_eq!(english["instructions"][0]["text"], first["en"]);
    let other = client.get(path(&far)).await.expect(200).json();
    assert_eq!((&other["guided"], &other["instructions"]), (&json!(false), &json!([])));
    let list = client.get("/api/public/v1/parcours?fields=id,instructions").await.expect(200).json();
    let counts: Vec<usize> =
        list["items"].as_array().unwrap().iter().map(|one| one["instructions"].as_array().unwrap().len()).collect();
    assert_eq!(counts, [0, turns.len()]);
    let feature = client.get(format!("{}?format=geojson", path(&parcours))).await.expect(200).json();
    assert!(feature["properties"].get("instructions").is_none());
}

#[app_test]
async fn a_white_label_adjusts_the_profiles_of_its_planner(app: TestApp) {
    let app = andorra_or_skip!(app, "a_white_label_adjusts_the_profiles_of_its_planner");
    let (admin, editor) = (app.admin_of("morvan"), app.editor_of("morvan"));
    let asked = json!({"points": [[1.5148, 42.5450], [1.5801, 42.5363]], "profile": "gravel"});
    let unpaved = async |by: &Client| {
        let found = by.post("/api/v1/planner/route", asked.clone()).await.expect(200).json();
        let rough = |surface: &&Value| {
            ["compacted", "gravel", "ground", "rock", "soft"].contains(&surface["surface"].as_str().unwrap())
        };
        found["surfaces"]
            .as_array()
            .unwrap()
            .iter()
            .filter(rough)
            .map(|one| one["length_m"].as_f64().unwrap())
            .sum::<f64>()
    };
    let usual = unpaved(&editor).await;
    let id = app.white_label("morvan").await;
    let own = admin.get(format!("/api/v1/white-labels/{id}")).await.expect(200).json();
    let bent = json!({"planner_preferences": {"gravel": {"paved": "more"}}});
    let set = catalogue_kit::patch(&admin, "/api/v1/white-labels", &own, bent).await.expect(200).json();
    let whole = json!({"signed": "usual", "quiet": "usual", "gentle": "usual", "paved": "more"});
    assert_eq!(set["planner_preferences"], json!({"gravel": whole}));
    let paved = unpaved(&editor).await;
    assert!(paved < usual - 500.0, "{paved} m unpaved, {usual} m without the preference");
    let elsewhere = unpaved(&app.editor_of("vercors")).await;
    assert!((elsewhere - usual).abs() < 0.1, "another white-label's planner is its own");
    let wrong = json!({"planner_preferences": {"gravel": {"paved": "very"}}});
    let refused = catalogue_kit::patch(&admin, "/api/v1/white-labels", &set, wrong).await.status;
    assert!(refused.is_client_error(), "{refused}");
}

#[app_test]
async fn a_score_of_an_older_network_is_stale_until_it_is_recalculated(app: TestApp) {
    let app = andorra_or_skip!(app, "a_score_of_an_older_network_is_stale_until_it_is_recalculated");
    let bytes = shared_file("tracks/synthetic/andorra_00_clean.gpx").expect("the shared tracks are there");
    let parcours = made(&app.editor_of("morvan"), "Andorre", json!({})).await;
    imported(&app.editor_of("morvan"), &parcours, "andorra.gpx", bytes).await.expect(200);
    let newer = with_newer_andorra(&app).expect("the shared extract is there");
    let editor = newer.editor_of("morvan");
    let stale = now(&editor, &parcours).await;
    assert_eq!(stale["trace"]["reliability_state"], "stale");
    assert_eq!(trace_of(&editor, &parcours).await["reliability_state"], "stale");
    assert_eq!(editor.get("/api/v1/parcours").await.expect(200).json()["items"][0]["reliability_state"], "stale");
    let again = editor
        .at_version(version(&stale))
        .post(format!("{}/recalculation", path(&parcours)), json!({}))
        .await
        .expect(200)
        .json();
    assert_eq!(
        (&again["trace"]["reliability_state"], &again["trace"]["reliability"]),
        (&json!("ok"), &stale["trace"]["reliability"])
    );
}

#[app_test]
async fn a_stretch_off_the_network_lowers_reliability_and_is_explained(app: TestApp) {
    let app = andorra_or_skip!(app, "a_stretch_off_the_network_lowers_reliability_and_is_explained");
    let bytes = shared_file("tracks/synthetic/andorra_05_offroad.gpx").expect("the shared tracks are there");
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Andorre", json!({})).await;
    let trace = imported(&editor, &parcours, "andorra.gpx", bytes).await.expect(200).json();
    assert_eq!(trace["reliability_state"], "low");
    let gaps = trace["reliability"]["gaps"].as_array().unwrap();
    assert!(gaps.iter().any(|gap| gap["judged"] == true && gap["points"].as_f64().unwrap() > 0.0));
    assert_eq!(trace["line"], trace["source_line"], "below 95 the source's line is in use");
    assert_ne!(trace["line"], trace["planned_line"]);
    assert_eq!(trace["instructions"], json!([]), "and there are no instructions");
    let source_m = length_m(&trace["source_line"]);
    assert!((trace["distance_m"].as_f64().unwrap() - source_m).abs() < 1.0, "{} {source_m}", trace["distance_m"]);
    let file = editor.get(format!("{}/trace.gpx", path(&parcours))).await.expect(200);
    let read = trace::read(&file.bytes, "x").unwrap().line();
    assert_eq!(read.len(), positions(&trace["source_line"]).len(), "and is what is taken away");
    let sheet = now(&editor, &parcours).await;
    let arrival = sheet["steps"].as_array().unwrap().last().unwrap()["at_m"].as_f64().unwrap();
    assert!((arrival - source_m).abs() < 1.0, "steps stand on the line in use: {arrival}");
    let row = editor.get("/api/v1/parcours?reliability_below=95").await.expect(200).json()["items"][0].clone();
    assert!(row["ribbon"].as_array().unwrap().iter().any(|part| part["kind"] == "off_network"));
    let source = editor
        .post("/api/v1/parcours/bulk", json!({"ids": [parcours["id"]], "action": "use_source"}))
        .await
        .expect(200)
        .json();
    assert_eq!(source["applied"], 1);
    let used = trace_of(&editor, &parcours).await;
    assert_eq!(
        (&used["mode"], &used["reliability_state"], &used["line"]),
        (&json!("source"), &json!("source"), &used["source_line"])
    );
    editor.post("/api/v1/parcours/bulk/undo", json!({"undo_token": source["undo_token"]})).await.expect(200);
    let back = trace_of(&editor, &parcours).await;
    assert_eq!(
        (&back["mode"], &back["reliability"]),
        (&json!("planner"), &trace["reliability"]),
        "undone, it is as it was"
    );
}

fn positions(line: &Value) -> Vec<trace::Position> {
    serde_json::from_value(line.clone()).unwrap()
}

fn length_m(line: &Value) -> f64 {
    trace::measure(&positions(line)).distance_m
}

/// The legs of a trace of one leg, with the stretch between two distances kept off the network.
pub fn with_free(trace: &Value, from_m: f64, to_m: f64) -> Value {
    let line = positions(&trace["legs"][0]["line"]);
    let along = trace::cumulative_m(&line);
    let first = along.partition_point(|at| *at < from_m).saturating_sub(1);
    let last = along.partition_point(|at| *at <= to_m).min(line.len() - 1);
    json!([
        {"kind": "source", "line": line[..=first]},
        {"kind": "free", "line": line[first..=last]},
        {"kind": "source", "line": line[last..]},
    ])
}

/// The gap of a trace that costs most.
pub fn worst(trace: &Value) -> Value {
    let gaps = trace["reliability"]["gaps"].as_array().unwrap();
    let points = |gap: &Value| gap["points"].as_f64().unwrap();
    gaps.iter().max_by(|a, b| points(a).total_cmp(&points(b))).unwrap().clone()
}

#[app_test]
async fn a_stretch_kept_by_hand_is_reported_and_does_not_lower_reliability(app: TestApp) {
    let app = andorra_or_skip!(app, "a_stretch_kept_by_hand_is_reported_and_does_not_lower_reliability");
    let bytes = shared_file("tracks/synthetic/andorra_05_offroad.gpx").expect("the shared tracks are there");
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Andorre", json!({})).await;
    let trace = imported(&editor, &parcours, "andorra.gpx", bytes).await.expect(200).json();
    let gap = worst(&trace);
    let (from_m, to_m) = (gap["from_m"].as_f64().unwrap(), gap["to_m"].as_f64().unwrap());
    let legs = with_free(&trace, from_m, to_m);
    let kept = put_trace(&editor, &parcours, json!({"mode": "planner", "legs": legs})).await.expect(200).json();
    let listed: Vec<_> = kept["reliability"]["gaps"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|gap| gap["cause"] == "kept_off_network")
        .collect();
    assert_eq!(listed.len(), 1);
    assert_eq!((&listed[0]["judged"], &listed[0]["points"]), (&json!(false), &json!(0.0)));
    assert!(listed[0]["length_m"].as_f64().unwrap() > 0.8 * (to_m - from_m), "{}", listed[0]["length_m"]);
    let percent = |trace: &Value| trace["reliability"]["percent"].as_f64().unwrap();
    assert!(percent(&kept) > percent(&trace) + 2.0, "{} {}", percent(&kept), percent(&trace));
    let again = editor
        .clone()
        .at_version(version(&now(&editor, &parcours).await))
        .post(format!("{}/recalculation", path(&parcours)), json!({}))
        .await
        .expect(200)
        .json();
    assert_eq!(again["trace"]["reliability"], kept["reliability"], "a recalculation keeps it");
}

#[app_test]
async fn an_ignored_gap_still_lowers_reliability_and_is_reported_as_ignored(app: TestApp) {
    let app = andorra_or_skip!(app, "an_ignored_gap_still_lowers_reliability_and_is_reported_as_ignored");
    let bytes = shared_file("tracks/synthetic/andorra_05_offroad.gpx").expect("the shared tracks are there");
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Andorre", json!({})).await;
    let trace = imported(&editor, &parcours, "andorra.gpx", bytes).await.expect(200).json();
    let gap = worst(&trace);
    assert_eq!(gap["ignored"], Value::Null);
    let mark =
        |reason: &str| json!({"cause": gap["cause"], "from_m": gap["from_m"], "to_m": gap["to_m"], "reason": reason});
    let body = |marks: Value| json!({"mode": "planner", "legs": trace["legs"], "ignored_gaps": marks});
    let refused = put_trace(&editor, &parcours, body(json!([mark(" ")]))).await.expect(422).problem();
    assert_eq!(refused.code, "validation/failed");
    let saved = put_trace(&editor, &parcours, body(json!([mark("Prairie de fauche, passage toléré")])))
        .await
        .expect(200)
        .json();
    let settled = worst(&saved);
    assert_eq!(settled["ignored"]["reason"], "Prairie de fauche, passage toléré");
    assert!(settled["ignored"]["by"]["name"].as_str().is_some_and(|name| name.len() > 3));
    assert!(settled["ignored"]["at"].is_string());
    assert_eq!(saved["reliability"]["percent"], trace["reliability"]["percent"], "it stays in the index");
    let marked =
        saved["reliability"]["gaps"].as_array().unwrap().iter().filter(|gap| !gap["ignored"].is_null()).count();
    assert_eq!(marked, 1);
    let again = editor
        .clone()
        .at_version(version(&now(&editor, &parcours).await))
        .post(format!("{}/recalculation", path(&parcours)), json!({}))
        .await
        .expect(200)
        .json();
    assert_eq!(again["trace"]["reliability"], saved["reliability"], "a recalculation keeps it");
    let kept =
        put_trace(&editor, &parcours, json!({"mode": "planner", "legs": trace["legs"]})).await.expect(200).json();
    assert_eq!(worst(&kept)["ignored"], settled["ignored"], "nothing said: they stay");
    let analysis = json!({"mode": "planner", "legs": trace["legs"], "profile": "hiking", "ignored_gaps": [mark("Vu")]});
    let analysis = editor.post("/api/v1/planner/analysis", analysis).await.expect(200).json();
    assert_eq!(worst(&analysis)["ignored"]["reason"], "Vu", "the editor sees them before it saves");
    assert_as_described("POST", "/api/v1/planner/analysis", 200, "application/json", &analysis);
    assert_as_described("PUT", "/api/v1/parcours/{id}/trace", 200, "application/json", &kept);
    let none = put_trace(&editor, &parcours, body(json!([]))).await.expect(200).json();
    assert_eq!(worst(&none)["ignored"], Value::Null, "and can be taken back");
}

#[app_test]
async fn a_trace_outside_the_extract_is_kept_and_not_calculable(app: TestApp) {
    let app = andorra_or_skip!(app, "a_trace_outside_the_extract_is_kept_and_not_calculable");
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Ailleurs", json!({})).await;
    let trace = imported(&editor, &parcours, "a.gpx", gpx(&eastward())).await.expect(200).json();
    assert_eq!(trace["reliability_state"], "not_calculable");
    assert_eq!(trace["source_line"].as_array().unwrap().len(), 11);
    assert!((trace["distance_m"].as_f64().unwrap() - 758.0).abs() < 5.0);
    let found = trace["reliability"]["not_calculable"]["reason"].as_str().or(trace["notice"].as_str());
    assert!(found.is_some(), "a reason is reported: {trace}");
}

#[app_test]
async fn the_editor_draws_with_the_planner_and_saves_what_it_drew(app: TestApp) {
    let app = andorra_or_skip!(app, "the_editor_draws_with_the_planner_and_saves_what_it_drew");
    let editor = app.editor_of("morvan");
    let (from, to) = ([1.5218, 42.5075], [1.5347, 42.5096]);
    let route = editor
        .post("/api/v1/planner/route", json!({"points": [from, to], "profile": "hiking"}))
        .await
        .expect(200)
        .json();
    assert_as_described("POST", "/api/v1/planner/route", 200, "application/json", &route);
    let line = route["geometry"].clone();
    assert!(line.as_array().unwrap().len() > 2);
    let last = line.as_array().unwrap().last().unwrap().clone();
    let legs = json!([{"kind": "planned", "line": line}, {"kind": "free", "line": [last, [1.5350, 42.5150]]}]);
    let analysis = editor
        .post("/api/v1/planner/analysis", json!({"legs": legs, "mode": "planner", "profile": "hiking"}))
        .await
        .expect(200)
        .json();
    assert!(analysis["distance_m"].as_f64().unwrap() > route["distance_m"].as_f64().unwrap());
    let parcours = made(&editor, "Dessin", json!({})).await;
    let steps = json!([{"kind": "departure", "position": from}, {"kind": "arrival", "position": [1.5350, 42.5150]}]);
    let saved =
        put_trace(&editor, &parcours, json!({"mode": "planner", "profile": "hiking", "legs": legs, "steps": steps}))
            .await
            .expect(200)
            .json();
    assert_eq!(
        (&saved["origin"], &saved["mode"], &saved["profile"]),
        (&json!("drawn"), &json!("planner"), &json!("hiking"))
    );
    assert_eq!(saved["distance_m"], analysis["distance_m"], "what is saved is what was shown");
    assert_eq!(saved["legs"].as_array().unwrap().len(), 2);
}

#[app_test]
async fn a_followed_file_without_heights_climbs_the_same_after_each_save(app: TestApp) {
    let Some(app) = with_hilly_andorra(&app) else {
        return skipped("a_followed_file_without_heights_climbs_the_same_after_each_save", "../shared/data is missing");
    };
    let bytes = shared_file("tracks/synthetic/andorra_00_clean.gpx").expect("the shared tracks are there");
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Andorre", json!({})).await;
    let trace = imported(&editor, &parcours, "andorra.gpx", bytes).await.expect(200).json();
    assert_eq!(trace["reliability_state"], "ok");
    assert!(trace["ascent_m"].as_f64().unwrap() > 100.0, "{}", trace["ascent_m"]);
    // A stretch that is kept off the network: the recordings beside it are matched alone. First without heights, as the file is.
    let mut legs = with_free(&trace, 1_000.0, 1_100.0);
    for leg in legs.as_array_mut().unwrap() {
        for place in leg["line"].as_array_mut().unwrap() {
            place.as_array_mut().unwrap().truncate(2);
        }
    }
    let figures = |trace: &Value| {
        ["reliability_state", "distance_m", "ascent_m", "descent_m", "duration_s"].map(|key| trace[key].clone())
    };
    let save = async |legs: &Value| {
        put_trace(&editor, &parcours, json!({"mode": "planner", "legs": legs})).await.expect(200).json()
    };
    let first = save(&legs).await;
    assert_eq!(first["reliability_state"], "ok");
    let second = save(&first["legs"]).await;
    assert_eq!(figures(&second), figures(&first));
}

#[app_test]
async fn a_side_trip_stays_in_the_line_and_the_guidance_runs_along_it(app: TestApp) {
    let app = andorra_or_skip!(app, "a_side_trip_stays_in_the_line_and_the_guidance_runs_along_it");
    let editor = app.editor_of("morvan");
    // The place between is at the end of a side way of 260 m, over many short ways.
    let asked = json!({"points": [[1.54117, 42.51023], [1.54319, 42.51302], [1.54254, 42.50753]], "profile": "hiking"});
    let route = editor.post("/api/v1/planner/route", asked).await.expect(200).json();
    let (line, length_m) = (route["geometry"].as_array().unwrap(), route["distance_m"].as_f64().unwrap());
    let end = |kind: &str, at: &Value| json!({"kind": kind, "position": [at[0], at[1]]});
    let steps = json!([end("departure", &line[0]), end("arrival", &line[line.len() - 1])]);
    let legs = json!([{"kind": "planned", "line": line}]);
    let drawn = made(&editor, "Dessin", json!({})).await;
    let asked = json!({"mode": "planner", "profile": "hiking", "legs": legs, "steps": steps});
    let drawn = put_trace(&editor, &drawn, asked).await.expect(200).json();
    let recorded = made(&editor, "Fichier", json!({})).await;
    let places: Vec<(f64, f64)> = line.iter().map(|at| (at[0].as_f64().unwrap(), at[1].as_f64().unwrap())).collect();
    let recorded = imported(&editor, &recorded, "fichier.gpx", gpx(&places)).await.expect(200).json();
    for trace in [drawn, recorded] {
        assert_eq!(trace["reliability_state"], "ok");
        let own_m = trace["distance_m"].as_f64().unwrap();
        assert!((own_m - length_m).abs() < 60.0, "{own_m} m of {length_m}");
        let arrive = trace["instructions"].as_array().unwrap().last().unwrap();
        assert_eq!(arrive["kind"], "arrive");
        assert!((arrive["at_m"].as_f64().unwrap() - own_m).abs() < 1.0, "{arrive} of {own_m}");
    }
}

#[app_test]
async fn a_practice_without_a_profile_is_planned_as_those_around_it(app: TestApp) {
    let app = andorra_or_skip!(app, "a_practice_without_a_profile_is_planned_as_those_around_it");
    let (editor, keeper) = (app.editor_of("morvan"), app.superadmin());
    let practices = "/api/v1/vocabularies/practice_type";
    let road = term(&app, "practice_type", "cyclotourisme").await;
    let tandem = json!({"label": {"fr": "Tandem"}, "parent_id": road});
    let tandem = catalogue_kit::made(&keeper, practices, tandem).await;
    let boat = json!({"label": {"fr": "Pirogue"}, "parent_id": road, "attributes": {"profile": "none", "flat_kmh": 5}});
    let boat = catalogue_kit::made(&keeper, practices, boat).await;
    let bike = term(&app, "practice_type", "velo").await;
    let under_bike = json!({"label": {"fr": "Vélo-école"}, "parent_id": bike});
    let under_bike = catalogue_kit::made(&keeper, practices, under_bike).await;
    let (from, to) = ([1.5218, 42.5075], [1.5347, 42.5096]);
    let legs = json!([{"kind": "free", "line": [from, to]}]);
    let steps = json!([{"kind": "departure", "position": from}, {"kind": "arrival", "position": to}]);
    let trace = json!({"mode": "planner", "legs": &legs, "steps": &steps});
    let mut took = Vec::new();
    for (practice, profile) in [
        (id(&tandem), json!("road")),
        (bike, json!("touring")),
        (id(&under_bike), json!("touring")),
        (term(&app, "practice_type", "randonnee").await, json!("hiking")),
    ] {
        let parcours = made(&editor, "Essai", json!({"practice_type_id": practice})).await;
        let saved = put_trace(&editor, &parcours, trace.clone()).await.expect(200).json();
        assert_eq!(saved["profile"], profile, "{practice}: {saved}");
        took.push(saved["duration_s"].as_f64().unwrap());
    }
    assert!(took.is_sorted(), "the speeds come with the profile: {took:?}");
    let by_hand = made(&editor, "Essai", json!({"practice_type_id": id(&boat)})).await;
    let refused = put_trace(&editor, &by_hand, trace).await.expect(422).problem();
    assert_eq!(
        refused.code, "trace/distance-duration-required",
        "its own profile goes before that of the practice above"
    );
}

#[app_test]
async fn a_line_takes_the_time_of_its_practice_however_many_legs_it_has(app: TestApp) {
    let app = andorra_or_skip!(app, "a_line_takes_the_time_of_its_practice_however_many_legs_it_has");
    let editor = app.editor_of("morvan");
    let asked = json!({"points": [[1.5218, 42.5075], [1.5347, 42.5096]], "profile": "hiking"});
    let route = editor.post("/api/v1/planner/route", asked).await.expect(200).json();
    let line = route["geometry"].as_array().unwrap();
    let (middle, last) = (line.len() / 2, line.len() - 1);
    let end = |kind: &str, at: &Value| json!({"kind": kind, "position": [at[0], at[1]]});
    let steps = json!([end("departure", &line[0]), end("arrival", &line[last])]);
    let whole = json!([{"kind": "planned", "line": line}]);
    let halves = json!([{"kind": "planned", "line": line[..=middle]}, {"kind": "planned", "line": line[middle..]}]);
    let with_free = json!([{"kind": "planned", "line": line[..last]}, {"kind": "free", "line": line[last - 1..]}]);
    let mut took = Vec::new();
    for code in ["randonnee", "trail"] {
        let practice = term(&app, "practice_type", code).await;
        for legs in [&whole, &halves, &with_free] {
            let parcours = made(&editor, "Essai", json!({"practice_type_id": practice})).await;
            let trace = json!({"mode": "planner", "legs": legs, "steps": &steps});
            let saved = put_trace(&editor, &parcours, trace).await.expect(200).json();
            took.push(saved["duration_s"].as_f64().unwrap());
        }
    }
    for one in took.chunks(3) {
        assert!(one.iter().all(|seconds| (seconds / one[0] - 1.0).abs() < 0.02), "{took:?}");
    }
    assert!(took[3] < 0.6 * took[0], "a runner is faster than the planner's hiker: {took:?}");
}

#[app_test]
async fn the_planner_refuses_with_a_code(app: TestApp) {
    let app = andorra_or_skip!(app, "the_planner_refuses_with_a_code");
    let editor = app.editor_of("morvan");
    for (points, profile, code) in [
        (json!([[1.5218, 42.5075]]), "hiking", "planner/too-few-points"),
        (json!([[1.5218, 42.5075], [4.0, 47.0]]), "hiking", "planner/outside-extract"),
        (json!([[1.5218, 42.5075], [200.0, 47.0]]), "hiking", "planner/bad-point"),
        (json!([[1.5218, 42.5075], [1.53, 42.51]]), "rocket", "planner/unknown-profile"),
    ] {
        let problem = editor
            .post("/api/v1/planner/route", json!({"points": points, "profile": profile}))
            .await
            .expect(422)
            .problem();
        assert_eq!(problem.code, code);
    }
    let status = editor.get("/api/v1/planner/status").await.expect(200).json();
    assert_as_described("GET", "/api/v1/planner/status", 200, "application/json", &status);
    assert_eq!((&status["available"], status["engine"]["profiles"].as_array().unwrap().len()), (&json!(true), 8));
}

#[app_test]
async fn each_answer_of_the_planner_matches_the_contract(app: TestApp) {
    let app = andorra_or_skip!(app, "each_answer_of_the_planner_matches_the_contract");
    let reader = app.reader_of("morvan");
    let (from, to) = ([1.5218, 42.5075], [1.5347, 42.5096]);
    let avoid = json!([{"area": [[1.6, 42.6], [1.61, 42.6], [1.61, 42.61]]}]);
    for (name, asked) in [
        ("route", json!({"points": [from, to], "profile": "hiking", "avoid": avoid, "language": "fr"})),
        ("route", json!({"points": [from, to], "profile": "hiking", "line": "polyline6"})),
        ("alternatives", json!({"points": [from, to], "profile": "hiking", "count": 2})),
        ("loops", json!({"start": from, "profile": "hiking", "length_m": 3_000.0, "count": 1})),
        ("matrix", json!({"points": [from, to], "profile": "hiking"})),
        ("isochrone", json!({"from": from, "profile": "hiking", "times_s": [600]})),
    ] {
        let path = format!("/api/v1/planner/{name}");
        let answer = reader.post(&path, asked).await.expect(200).json();
        assert_as_described("POST", &path, 200, "application/json", &answer);
    }
}
