//! The trace of a parcours: a file is imported, edited, planned, recalculated, exported.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use std::sync::Arc;
use std::time::Duration;

use macros::app_test;
use planner::valhalla::Valhalla;
use routing::{EngineStatus, Limits, Match, MatchRequest, PlanError, Profile, Route, RouteEngine, RouteRequest};
use serde_json::{Value, json};
use testkit::{TestApp, skipped};

use crate::parcours_kit::{
    eastward, gpx, gpx_of, imported, made, now, patch, path, put_trace, shared, shared_file, trace_of, version,
};

fn ends(line: &[[f64; 2]]) -> Value {
    json!([{"kind": "departure", "position": line[0]}, {"kind": "arrival", "position": line[line.len() - 1]}])
}

const LINE: [[f64; 2]; 3] = [[4.0, 47.0], [4.005, 47.0], [4.01, 47.0]];

#[app_test]
async fn without_a_planner_a_file_is_kept_as_its_source_and_reported(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    let reply = imported(&editor, &parcours, "tour.gpx", gpx(&eastward())).await.expect(200);
    assert_eq!(reply.header("etag"), "\"2\"");
    let trace = reply.json();
    assert_eq!(
        (&trace["mode"], &trace["notice"], &trace["reliability_state"]),
        (&json!("source"), &json!("planner/absent"), &json!("source"))
    );
    assert_eq!(
        (&trace["origin"], &trace["source_file"]["format"], &trace["source_file"]["points"]),
        (&json!("imported"), &json!("gpx"), &json!(11))
    );
    assert!((trace["distance_m"].as_f64().unwrap() - 758.0).abs() < 2.0, "{}", trace["distance_m"]);
    assert_eq!(trace["legs"].as_array().unwrap().len(), 1);
    assert_eq!((&trace["line"], &trace["source_line"]), (&trace["legs"][0]["line"], &trace["legs"][0]["line"]));
    let sheet = now(&editor, &parcours).await;
    let steps: Vec<_> = sheet["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| (step["kind"].as_str().unwrap(), step["title"]["fr"].as_str().unwrap_or_default()))
        .collect();
    assert_eq!(steps, [("departure", ""), ("waypoint", "La source"), ("arrival", "")]);
    assert!((sheet["steps"][0]["distance_to_next_m"].as_f64().unwrap() - 379.0).abs() < 2.0);
    assert_eq!(sheet["trace"]["distance_m"], trace["distance_m"]);
}

#[app_test]
async fn the_bytes_of_a_source_never_change(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    let bytes = gpx(&eastward());
    imported(&editor, &parcours, "%C3%A9t%C3%A9%20en%20Morvan.gpx", bytes.clone()).await.expect(200);
    let shorter = json!({"mode": "source", "legs": [{"kind": "source", "line": LINE}], "duration_typed_s": 900});
    let edited = put_trace(&editor, &parcours, shorter).await.expect(200).json();
    assert_eq!(edited["legs"][0]["line"].as_array().unwrap().len(), 3);
    assert_eq!(
        edited["source_line"].as_array().unwrap().len(),
        11,
        "the line of the source is sent beside the working revision"
    );
    let source = editor.get(format!("{}/trace/source", path(&parcours))).await.expect(200);
    assert_eq!(source.text(), bytes);
    assert!(source.header("content-disposition").contains("%C3%A9t%C3%A9%20en%20Morvan.gpx"));
    let version = version(&now(&editor, &parcours).await);
    let original = editor
        .clone()
        .at_version(version)
        .post(format!("{}/trace/original", path(&parcours)), json!({}))
        .await
        .expect(200)
        .json();
    assert_eq!(original["legs"][0]["line"].as_array().unwrap().len(), 11, "and is taken again from the bytes");
    assert_eq!(original["duration_s"], 900.0, "what was typed stays");
}

#[app_test]
async fn each_bad_file_is_refused_with_its_reason_and_nothing_is_kept(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    let one = gpx(&[(4.0, 47.0)]);
    let outside = gpx(&[(4.0, 147.0), (4.0, 148.0), (4.1, 149.0)]);
    let bomb = "<?xml version=\"1.0\"?><!DOCTYPE l [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><gpx><trk><name>&b;</name></trk></gpx>";
    for (name, bytes, status, code) in [
        ("vide.gpx", Vec::new(), 422, "trace/empty"),
        ("photo.gpx", b"\xff\xd8\xff\xe0\0\x10JFIF".to_vec(), 422, "trace/not-a-trace"),
        ("texte.gpx", b"bonjour".to_vec(), 422, "trace/not-a-trace"),
        ("un.gpx", one.into_bytes(), 422, "trace/one-point"),
        ("loin.gpx", outside.into_bytes(), 422, "trace/out-of-world"),
        ("bombe.gpx", bomb.as_bytes().to_vec(), 422, "trace/entities"),
        ("lourd.gpx", vec![b' '; 20 * 1024 * 1024 + 1], 413, "trace/too-large"),
        ("enorme.gpx", vec![b' '; 33 * 1024 * 1024], 413, "trace/too-large"),
    ] {
        let problem = imported(&editor, &parcours, name, bytes).await.expect(status).problem();
        assert_eq!(problem.code, code, "{name}");
    }
    assert_eq!(now(&editor, &parcours).await, parcours);
    assert_eq!(editor.get(format!("{}/trace", path(&parcours))).await.expect(404).problem().code, "parcours/no-trace");
}

#[app_test]
async fn a_damaged_file_is_refused_with_its_line(app: TestApp) {
    let Some(bytes) = shared_file("tracks/broken/julien-nc_testFile6Error.gpx") else {
        return skipped("a_damaged_file_is_refused_with_its_line", "../shared/data is missing");
    };
    let editor = app.editor_of("morvan");
    let problem = editor.post_bytes("/api/v1/traces/inspections?file_name=x.gpx", bytes).await.expect(422).problem();
    assert_eq!(problem.code, "trace/malformed");
    assert!(problem.params["line"].as_i64().is_some_and(|line| line == 1));
}

#[app_test]
async fn a_repair_can_be_left_undone_before_and_after_the_import(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    // One point is an outlier, one is a duplicate.
    let mut points = eastward();
    points.insert(5, (5.5, 47.0));
    points.insert(3, points[2]);
    let bytes = gpx(&points);
    let inspect = |query: &str| {
        let (editor, bytes) = (editor.clone(), bytes.clone());
        let path = format!("/api/v1/traces/inspections?file_name=x.gpx{query}");
        async move { editor.post_bytes(path, bytes.into_bytes()).await }
    };
    let whole = inspect("").await.expect(200).json();
    let repairs: Vec<_> = whole["repairs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|repair| (repair["id"].as_str().unwrap(), repair["count"].as_i64().unwrap(), repair["undoable"] == true))
        .collect();
    assert_eq!(repairs, [("doubled_points", 1, true), ("spikes", 1, true)]);
    assert_eq!(whole["points"], 11);
    assert_eq!(inspect("&without_repairs=spikes").await.expect(200).json()["points"], 12);
    assert_eq!(inspect("&without_repairs=spikes,doubled_points").await.expect(200).json()["points"], 13);
    inspect("&without_repairs=truncated").await.expect(400);

    let trace = imported(&editor, &parcours, "x.gpx&without_repairs=spikes", bytes.clone()).await.expect(200).json();
    assert_eq!(trace["source_file"]["without_repairs"], json!(["spikes"]));
    assert_eq!(trace["source_line"].as_array().unwrap().len(), 12);
    let original = async |query: &str| {
        let version = version(&now(&editor, &parcours).await);
        let path = format!("{}/trace/original{query}", path(&parcours));
        editor.clone().at_version(version).post(path, json!({})).await.expect(200).json()
    };
    assert_eq!(original("").await["source_line"].as_array().unwrap().len(), 12, "as it was read");
    let mended = original("?without_repairs=").await;
    assert_eq!(
        (mended["source_line"].as_array().unwrap().len(), &mended["source_file"]["without_repairs"]),
        (11, &Value::Null)
    );
    let source = editor.get(format!("{}/trace/source", path(&parcours))).await.expect(200);
    assert_eq!(source.text(), bytes, "the bytes never change");
}

#[app_test]
async fn distant_pieces_of_a_trace_need_a_decision(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    let (short, long) = ([(4.0, 47.0), (4.001, 47.0)], [(4.1, 47.0), (4.105, 47.0), (4.11, 47.0)]);
    let bytes = gpx_of(&[&short, &long]);
    let asked = imported(&editor, &parcours, "deux.gpx", bytes.clone()).await.expect(409).problem();
    assert_eq!(asked.code, "trace/pieces");
    assert_eq!(asked.params["pieces"][1]["points"], 3);
    assert!(asked.params["gaps"][0]["distance_m"].as_f64().unwrap() > 7_000.0);
    for (join, points) in [("longest", 3), ("first", 2), ("true", 5)] {
        let file = format!("deux.gpx&join={join}");
        let at = now(&editor, &parcours).await;
        let trace = imported(&editor, &at, &file, bytes.clone()).await.expect(200).json();
        assert_eq!(trace["line"].as_array().unwrap().len(), points, "{join}");
        assert_eq!((&trace["pieces"], &trace["source_file"]["join"]), (&json!(2), &json!(join)));
    }
    let at = now(&editor, &parcours).await;
    assert_eq!(
        imported(&editor, &at, "deux.gpx&join=maybe", bytes).await.expect(400).problem().code,
        "request/bad-query"
    );
}

#[app_test]
async fn an_inspection_writes_nothing(app: TestApp) {
    let reader = app.reader_of("morvan");
    let (short, long) = ([(4.0, 47.0), (4.001, 47.0)], [(4.1, 47.0), (4.11, 47.0)]);
    let found = reader
        .post_bytes("/api/v1/traces/inspections?file_name=deux.gpx", gpx_of(&[&short, &long]))
        .await
        .expect(200)
        .json();
    assert_eq!(
        (&found["format"], &found["points"], found["pieces"].as_array().unwrap().len()),
        (&json!("gpx"), &json!(4), 2)
    );
    assert_eq!(found["waypoints"][0]["name"], "La source");
    assert_eq!(found["gaps"][0]["after_piece"], 0);
    for wrong in ["join=maybe", "without_repairs=maybe"] {
        let asked = format!("/api/v1/traces/inspections?file_name=un.gpx&{wrong}");
        let refused = reader.post_bytes(&asked, gpx_of(&[&short])).await.expect(400).problem();
        assert_eq!(refused.code, "request/bad-query", "{wrong}");
    }
}

#[app_test]
async fn a_trace_needs_a_departure_and_an_arrival(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    let legs = json!([{"kind": "free", "line": LINE}]);
    let only_departure = json!([{"kind": "departure", "position": LINE[0]}]);
    for body in [
        json!({"mode": "planner", "legs": legs}),
        json!({"mode": "planner", "legs": legs, "steps": only_departure}),
        json!({"mode": "planner", "legs": [], "steps": ends(&LINE)}),
    ] {
        assert_eq!(put_trace(&editor, &parcours, body).await.expect(422).problem().code, "trace/ends-required");
    }
}

#[app_test]
async fn without_the_planner_distance_and_duration_are_asked_for(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    let mut body = json!({"mode": "source", "legs": [{"kind": "free", "line": LINE}], "steps": ends(&LINE)});
    let refused = put_trace(&editor, &parcours, body.clone()).await.expect(422).problem();
    assert_eq!(
        (refused.code.as_str(), refused.field.as_deref()),
        ("trace/distance-duration-required", Some("/duration_typed_s"))
    );
    for (duration_s, distance_m) in [(0, 0), (0, 1_000), (3_600, 0)] {
        body["duration_typed_s"] = json!(duration_s);
        body["distance_typed_m"] = json!(distance_m);
        let refused = put_trace(&editor, &parcours, body.clone()).await.expect(422).problem();
        let field = if duration_s == 0 { "/duration_typed_s" } else { "/distance_typed_m" };
        let expected = ("trace/distance-duration-required", Some(field));
        assert_eq!((refused.code.as_str(), refused.field.as_deref()), expected, "{duration_s} s, {distance_m} m");
    }
    body["duration_typed_s"] = json!(3_600);
    body["distance_typed_m"] = json!(1_000);
    let trace = put_trace(&editor, &parcours, body).await.expect(200).json();
    assert_eq!(
        (&trace["distance_m"], &trace["duration_s"], &trace["origin"], &trace["source_line"]),
        (&json!(1_000.0), &json!(3_600.0), &json!("drawn"), &Value::Null)
    );
    let steps = now(&editor, &parcours).await["steps"].clone();
    assert_eq!(steps[0]["duration_to_next_s"], 3_600.0);
    let kept = put_trace(&editor, &parcours, json!({"mode": "source", "legs": [{"kind": "free", "line": LINE}]}))
        .await
        .expect(200)
        .json();
    assert_eq!(kept["duration_typed_s"], 3_600.0, "what is not sent stays as it was");
    let emptied = put_trace(
        &editor,
        &parcours,
        json!({"mode": "source", "legs": [{"kind": "free", "line": LINE}], "duration_typed_s": null}),
    )
    .await;
    assert_eq!(emptied.expect(422).problem().code, "trace/distance-duration-required");
}

#[app_test]
async fn a_distance_and_a_duration_outside_their_bounds_are_refused(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    for (field, value) in
        [("distance_typed_m", -1.0), ("distance_typed_m", 1e15), ("duration_typed_s", -1.0), ("duration_typed_s", 1e15)]
    {
        let mut body = json!({"mode": "source", "legs": [{"kind": "free", "line": LINE}], "steps": ends(&LINE),
            "distance_typed_m": 1_000, "duration_typed_s": 3_600});
        body[field] = json!(value);
        let problem = put_trace(&editor, &parcours, body).await.expect(422).problem();
        let fault = &problem.errors[0];
        assert_eq!((fault.code.as_str(), fault.field.as_str()), ("validation/out-of-range", &*format!("/{field}")));
    }
}

#[app_test]
async fn the_loop_flag_is_saved_kept_and_restored(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    imported(&editor, &parcours, "lac.gpx", gpx(&eastward())).await.expect(200);
    let legs = json!({"mode": "source", "legs": [{"kind": "free", "line": LINE}], "duration_typed_s": 3_600});
    for (said, stands) in [(Some(json!(true)), json!(true)), (None, json!(true)), (Some(Value::Null), Value::Null)] {
        let mut body = legs.clone();
        if let Some(said) = said {
            body["is_loop"] = said;
        }
        put_trace(&editor, &parcours, body).await.expect(200);
        assert_eq!(now(&editor, &parcours).await["is_loop"], stands);
    }
}

#[app_test]
async fn a_file_with_times_gives_its_own_duration(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    let bytes = gpx(&[(4.0, 47.0), (4.01, 47.0)])
        .replacen("<ele>500</ele>", "<ele>500</ele><time>2026-05-01T08:00:00Z</time>", 1)
        .replacen("<ele>500</ele></trkpt>", "<ele>500</ele><time>2026-05-01T08:30:00Z</time></trkpt>", 1);
    let trace = imported(&editor, &parcours, "a.gpx", bytes).await.expect(200).json();
    assert_eq!((&trace["duration_s"], &trace["duration_recorded_s"]), (&json!(1_800.0), &json!(1_800.0)));
}

#[app_test]
async fn legs_that_make_no_line_are_reported_at_their_place(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    for (legs, code, field) in [
        (json!([{"kind": "free", "line": [[4, 47]]}]), "trace/leg-too-short", "/legs/0/line"),
        (json!([{"kind": "free", "line": [[4, 47], [4, 47]]}]), "trace/one-point", "/legs/0/line"),
        (json!([{"kind": "free", "line": [[4, 47], [4, 97]]}]), "validation/position-outside-world", "/legs/0/line/1"),
        (json!([{"kind": "free", "line": [[4, 47], [4.1, 47, 1e9]]}]), "validation/out-of-range", "/legs/0/line/1"),
        (json!([{"kind": "free", "line": [[4, 47, -501], [4.1, 47]]}]), "validation/out-of-range", "/legs/0/line/0"),
        (
            json!([{"kind": "free", "line": [[4, 47], [4.1, 47]]}, {"kind": "free", "line": [[5, 47], [5.1, 47]]}]),
            "trace/legs-apart",
            "/legs/1/line/0",
        ),
    ] {
        let problem = put_trace(
            &editor,
            &parcours,
            json!({"mode": "source", "legs": legs, "steps": ends(&LINE), "duration_typed_s": 1}),
        )
        .await
        .expect(422)
        .problem();
        assert_eq!((problem.errors[0].code.as_str(), problem.errors[0].field.as_str()), (code, field));
    }
    let unknown = put_trace(&editor, &parcours, json!({"mode": "teleport", "legs": []})).await.expect(422).problem();
    assert_eq!(unknown.code, "request/bad-field");
}

#[app_test]
async fn a_leg_without_length_is_saved_beside_one_that_moves(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    let legs = json!([{"kind": "free", "line": [LINE[0], LINE[0]]}, {"kind": "free", "line": LINE}]);
    let body = json!({"mode": "source", "legs": legs, "steps": ends(&LINE), "duration_typed_s": 3_600});
    put_trace(&editor, &parcours, body).await.expect(200);
    assert_eq!(trace_of(&editor, &parcours).await["line"].as_array().unwrap().len(), LINE.len());
}

#[app_test]
async fn a_loop_not_marked_as_one_gets_a_warning(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({"is_loop": false})).await;
    let round: Vec<(f64, f64)> = vec![(4.0, 47.0), (4.01, 47.0), (4.01, 47.01), (4.0, 47.0002)];
    let trace = imported(&editor, &parcours, "a.gpx", gpx(&round)).await.expect(200).json();
    assert_eq!(trace["warnings"], json!(["loop_like"]));
    let at = now(&editor, &parcours).await;
    let as_loop = patch(&editor, &at, json!({"is_loop": true})).await;
    imported(&editor, &as_loop, "b.gpx", gpx(&eastward())).await.expect(200);
    assert_eq!(trace_of(&editor, &parcours).await["warnings"], json!(["one_way_like"]));
}

#[app_test]
async fn a_trace_is_exported_and_imported_in_four_formats(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Tour & lac", json!({})).await;
    imported(&editor, &parcours, "a.gpx", gpx(&eastward())).await.expect(200);
    for (format, mime) in [
        ("gpx", "application/gpx+xml"),
        ("kml", "application/vnd.google-earth.kml+xml"),
        ("geojson", "application/geo+json"),
        ("tcx", "application/vnd.garmin.tcx+xml"),
    ] {
        let reply = app.reader_of("morvan").get(format!("{}/trace.{format}", path(&parcours))).await.expect(200);
        assert_eq!(reply.header("content-type"), mime);
        let read = trace::read(&reply.bytes, &format!("x.{format}")).unwrap();
        assert_eq!(read.point_count(), 11, "{format} is read back");
        assert!(reply.header("content-disposition").contains(&format!(".{format}")));
        let other = made(&editor, "Retour", json!({})).await;
        let taken = imported(&editor, &other, &format!("a.{format}"), reply.bytes).await.expect(200).json();
        assert_eq!(taken["source_line"].as_array().unwrap().len(), 11, "{format} is imported again");
    }
}

#[app_test]
async fn a_tcx_takes_as_long_as_the_parcours(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    let legs = json!([{"kind": "free", "line": LINE}]);
    let body = json!({"mode": "source", "legs": legs, "steps": ends(&LINE), "duration_typed_s": 3_600});
    put_trace(&editor, &parcours, body).await.expect(200);
    let tcx = editor.get(format!("{}/trace.tcx", path(&parcours))).await.expect(200).text();
    assert!(tcx.contains("<TotalTimeSeconds>3600</TotalTimeSeconds>"), "{tcx}");
}

#[app_test]
async fn a_drawn_trace_has_no_original(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    put_trace(&editor, &parcours, json!({"mode": "source", "legs": [{"kind": "free", "line": LINE}], "steps": ends(&LINE), "duration_typed_s": 600})).await.expect(200);
    let original =
        editor.clone().at_version(2).post(format!("{}/trace/original", path(&parcours)), json!({})).await.expect(404);
    assert_eq!(original.problem().code, "trace/no-source");
    assert_eq!(
        editor.get(format!("{}/trace/source", path(&parcours))).await.expect(404).problem().code,
        "trace/no-source"
    );
}

#[app_test]
async fn a_stale_trace_is_not_saved(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    patch(&editor, &parcours, json!({"summary": {"fr": "Un lac."}})).await;
    let stale = imported(&editor, &parcours, "a.gpx", gpx(&eastward())).await.expect(412).problem();
    assert_eq!((stale.code.as_str(), stale.params["base_version"].as_i64()), ("version/stale", Some(1)));
    assert_eq!(stale.current.unwrap()["version"], 2);
}

#[app_test]
async fn a_past_trace_is_read_by_its_owner_alone(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = shared(&editor, "Lac").await;
    imported(&editor, &parcours, "a.gpx", gpx(&eastward())).await.expect(200);
    let shorter = json!({"mode": "source", "legs": [{"kind": "source", "line": LINE}], "duration_typed_s": 900});
    let edited = put_trace(&editor, &parcours, shorter).await.expect(200).json();
    let past = |revision: i64| format!("{}/trace?revision={revision}", path(&parcours));
    let first = editor.get(past(edited["revision"].as_i64().unwrap() - 1)).await.expect(200).json();
    assert_eq!(first["line"].as_array().unwrap().len(), 11);
    assert_eq!(trace_of(&editor, &parcours).await["line"].as_array().unwrap().len(), 3, "the one in use is another");
    assert_eq!(editor.get(past(99)).await.expect(404).problem().code, "parcours/no-trace");
    assert_eq!(app.editor_of("vercors").get(past(1)).await.problem().code, "parcours/not-yours");
}

#[app_test]
async fn a_recalculation_keeps_steps_and_a_forced_one_drops_typed_values(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    imported(&editor, &parcours, "a.gpx", gpx(&eastward())).await.expect(200);
    let sheet = now(&editor, &parcours).await;
    let mut steps = sheet["steps"].clone();
    steps[0]["distance_to_next_typed_m"] = json!(5_000);
    let sheet = patch(&editor, &sheet, json!({"steps": steps})).await;
    let recalculation = format!("{}/recalculation", path(&parcours));
    let same = editor
        .clone()
        .at_version(version(&sheet))
        .post(&recalculation, json!({"forced": false}))
        .await
        .expect(200)
        .json();
    assert_eq!(
        (&same["steps"][0]["distance_to_next_m"], &same["steps"][1]["at_m"]),
        (&json!(5_000.0), &sheet["steps"][1]["at_m"])
    );
    let forced = editor
        .clone()
        .at_version(version(&same))
        .post(&recalculation, json!({"forced": true}))
        .await
        .expect(200)
        .json();
    assert!(forced["steps"][0]["distance_to_next_m"].as_f64().unwrap() < 400.0);
    let history = editor.get(format!("{}/revisions", path(&parcours))).await.expect(200).json();
    assert_eq!(history["items"][0]["reason"], "recalculation");
    let none = made(&editor, "Sans trace", json!({})).await;
    assert_eq!(
        editor
            .clone()
            .at_version(1)
            .post(format!("{}/recalculation", path(&none)), json!({}))
            .await
            .expect(404)
            .problem()
            .code,
        "parcours/no-trace"
    );
}

#[app_test]
async fn an_unusable_network_is_reported_and_the_server_stays_healthy(app: TestApp) {
    let error = planner::Network::from_bytes(b"JALONNET, but cut").err().unwrap();
    let failure = app::PlannerFailure { code: error.code(), detail: error.to_string() };
    let app = app.changed(|parts| parts.first_region.engine_failure = Some(failure));
    let status = app.editor_of("morvan").get("/api/v1/planner/status").await.expect(200).json();
    assert_eq!((&status["available"], &status["problem"]["code"]), (&json!(false), &json!("network/truncated")));
    let health = app.anonymous().get("/health").await.expect(200).json();
    assert_eq!((&health["status"], &health["network"]), (&json!("ok"), &json!("failing")));
}

#[app_test]
async fn an_unreachable_planning_server_is_reported_and_delays_nothing(app: TestApp) {
    let nobody = connect::ValhallaSettings { url: "http://127.0.0.1:1".to_owned(), timeout: Duration::from_secs(5) };
    let server = Valhalla::new(connect::valhalla(&nobody, connect::http::Breaker::default()));
    let app = app.changed(|parts| parts.first_region.engine = Some(Arc::new(server)));
    let editor = app.editor_of("morvan");
    let asked = json!({"points": [[4.0, 47.0], [4.1, 47.0]], "profile": "touring"});
    assert_eq!(editor.post("/api/v1/planner/route", asked).await.expect(503).problem().code, "planner/unreachable");
    let boat = json!({"points": [[4.0, 47.0], [4.1, 47.0]], "profile": "waterway"});
    assert_eq!(editor.post("/api/v1/planner/route", boat).await.expect(422).problem().code, "planner/not-offered");
    let status = editor.get("/api/v1/planner/status").await.expect(200).json();
    assert_eq!((&status["available"], &status["engine"]["engine"]), (&json!(true), &json!("valhalla")));
    assert_eq!(app.anonymous().get("/health").await.expect(200).json()["status"], "ok");
}

#[app_test]
async fn a_missing_planner_is_reported(app: TestApp) {
    let editor = app.editor_of("morvan");
    let asked = json!({"points": [[4.0, 47.0], [4.1, 47.0]], "profile": "touring"});
    assert_eq!(editor.post("/api/v1/planner/route", asked).await.expect(503).problem().code, "planner/absent");
    assert_eq!(
        editor.get("/api/v1/planner/status").await.expect(200).json(),
        json!({"available": false, "engine": null, "problem": null})
    );
    let analysis = editor
        .post(
            "/api/v1/planner/analysis",
            json!({"legs": [{"kind": "free", "line": LINE}], "mode": "planner", "profile": "hiking"}),
        )
        .await
        .expect(200)
        .json();
    assert_eq!((&analysis["notice"], &analysis["reliability_state"]), (&json!("planner/absent"), &json!("source")));
}

/// A ground of low waves: a recorder's thresholds count them, those of a ground model do not.
struct WavyTerrainEngine;

fn wave(at: usize) -> f64 {
    500.0 + ((at % 20) as f64 - 10.0).abs() * 0.4
}

impl RouteEngine for WavyTerrainEngine {
    fn route(&self, _: &RouteRequest) -> Result<Route, PlanError> {
        Err(PlanError::NoWay { from_index: 0, to_index: 1 })
    }

    fn match_trace(&self, _: &MatchRequest) -> Result<Match, PlanError> {
        Err(PlanError::NoWay { from_index: 0, to_index: 1 })
    }

    fn heights(&self, line: &[trace::Position]) -> Vec<Option<f64>> {
        (0..line.len()).map(|at| Some(wave(at))).collect()
    }

    fn status(&self) -> EngineStatus {
        EngineStatus {
            engine: "waves".to_owned(),
            version: "1".to_owned(),
            data_date: None,
            checksum: None,
            bbox: None,
            profiles: Profile::ALL.to_vec(),
            dem: true,
            limits: Limits { route_points: 500, match_points: 200_000, settled_junctions: 1_000, snap_m: 150 },
        }
    }
}

#[app_test]
async fn a_save_without_a_change_leaves_the_climb_as_it_is(app: TestApp) {
    let app = app.changed(|parts| parts.first_region.engine = Some(Arc::new(WavyTerrainEngine)));
    let editor = app.editor_of("morvan");
    let point = |at: usize, ele: &str| format!("<trkpt lat=\"47.0\" lon=\"{}\">{ele}</trkpt>", 4.0 + at as f64 * 1e-3);
    let bare = |at: usize| point(at, "");
    let recorded = |at: usize| point(at, &format!("<ele>{}</ele>", wave(at)));
    let points: [String; 2] = [(0..=60).map(bare).collect(), (0..=60).map(recorded).collect()];
    for (points, climbed_m) in points.iter().zip([0.0, 12.0]) {
        let parcours = made(&editor, "Lac", json!({})).await;
        let bytes = format!("<gpx><trk><trkseg>{points}</trkseg></trk></gpx>");
        imported(&editor, &parcours, "lac.gpx", bytes).await.expect(200);
        for save in 0..3 {
            let trace = trace_of(&editor, &parcours).await;
            assert_eq!(
                (&trace["ascent_m"], &trace["descent_m"], &trace["max_ele_m"]),
                (&json!(climbed_m), &json!(climbed_m), &json!(504.0)),
                "after {save} saves"
            );
            let analysis = json!({"mode": trace["mode"], "legs": trace["legs"], "profile": "hiking", "parcours_id": parcours["id"]});
            let shown = editor.post("/api/v1/planner/analysis", analysis).await.expect(200).json();
            assert_eq!(
                (&shown["ascent_m"], &shown["descent_m"]),
                (&trace["ascent_m"], &trace["descent_m"]),
                "the editor shows what the save stores"
            );
            let same = json!({"mode": trace["mode"], "legs": trace["legs"], "duration_typed_s": 3_600});
            put_trace(&editor, &parcours, same).await.expect(200);
        }
        let last = trace_of(&editor, &parcours).await;
        let past = json!({"mode": "planner", "legs": last["legs"], "profile": "hiking", "parcours_id": parcours["id"], "source_revision": last["revision"]});
        let shown = editor.post("/api/v1/planner/analysis", past).await.expect(200).json();
        assert_eq!(shown["ascent_m"], climbed_m, "the recording of a revision");
    }
    // Nothing is said of a parcours that the person does not see.
    let (lake, stranger) = (made(&editor, "Lac", json!({})).await, app.editor_of("vercors"));
    for (by, id) in [(&editor, &json!(0)), (&stranger, &lake["id"])] {
        let hidden = json!({"mode": "planner", "legs": [{"kind": "free", "line": LINE}], "profile": "hiking", "parcours_id": id});
        by.post("/api/v1/planner/analysis", hidden).await.expect(404);
    }
    let lake = shared(&editor, "Lac").await;
    let past = json!({"mode": "planner", "legs": [{"kind": "free", "line": LINE}], "profile": "hiking", "parcours_id": lake["id"], "source_revision": 1});
    let refused = stranger.post("/api/v1/planner/analysis", past).await.expect(403).problem();
    assert_eq!(refused.code, "parcours/not-yours", "revisions are the owner's");
}

#[app_test]
async fn a_file_without_heights_that_is_taken_again_climbs_as_before(app: TestApp) {
    let app = app.changed(|parts| parts.first_region.engine = Some(Arc::new(WavyTerrainEngine)));
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    let bytes = gpx(&(0..=60).map(|at| (4.0 + f64::from(at) * 1e-3, 47.0)).collect::<Vec<_>>());
    let bytes = bytes.replace("<ele>500</ele>", "");
    let first = imported(&editor, &parcours, "lac.gpx", bytes).await.expect(200).json();
    assert_eq!(first["ascent_m"], 0.0);
    // All of it is drawn anew; then the file's line is taken again, with the heights that it was given.
    let mut saved = Value::Null;
    for (kind, line) in [("free", json!(LINE)), ("source", first["source_line"].clone())] {
        let legs = json!([{"kind": kind, "line": line}]);
        let body = json!({"mode": first["mode"], "legs": legs, "duration_typed_s": 3_600});
        saved = put_trace(&editor, &parcours, body).await.expect(200).json();
    }
    assert_eq!((&saved["ascent_m"], &saved["max_ele_m"]), (&first["ascent_m"], &first["max_ele_m"]));
    assert_eq!(saved["legs"], first["legs"]);
}

#[app_test]
async fn an_analysis_names_a_recording_that_there_is(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    let trace = imported(&editor, &parcours, "lac.gpx", gpx(&eastward())).await.expect(200).json();
    let asked = async |parcours: &Value, revision: &Value, status: u16| {
        let legs = json!([{"kind": "free", "line": LINE}]);
        let body = json!({"mode": "planner", "legs": legs, "profile": "hiking", "parcours_id": parcours, "source_revision": revision});
        editor.post("/api/v1/planner/analysis", body).await.expect(status)
    };
    asked(&parcours["id"], &trace["revision"], 200).await;
    let unknown = asked(&parcours["id"], &json!(99), 404).await.problem();
    assert_eq!(unknown.code, "parcours/no-trace");
    let alone = asked(&Value::Null, &json!(1), 422).await.problem();
    assert_eq!(
        (alone.errors[0].code.as_str(), alone.errors[0].field.as_str()),
        ("validation/required", "/parcours_id")
    );
}

#[app_test]
async fn too_few_heights_of_a_file_give_no_climb(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    let bytes = gpx(&eastward()).replacen("<ele>500</ele>", "", 9);
    let trace = imported(&editor, &parcours, "lac.gpx", bytes).await.expect(200).json();
    assert_eq!((&trace["ascent_m"], &trace["max_ele_m"]), (&Value::Null, &Value::Null));
    let repair = &trace["repairs"][0];
    assert_eq!((&repair["kind"], &repair["count"]), (&json!("missing_elevations"), &json!(9)));
}
