//! A saved trace and its steps: departure, arrival and every step are on the line or are marked as beside it; another
//! recording comes with a save.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, TestApp};

use crate::parcours_kit::{eastward, gpx, imported, made, now, patch, path, published, put_trace, trace_of};

/// The line of [`eastward`] five kilometres to the north.
fn northern() -> Vec<(f64, f64)> {
    eastward().into_iter().map(|(lon, lat)| (lon, lat + 0.045)).collect()
}

fn line(points: &[(f64, f64)]) -> Value {
    points.iter().map(|(lon, lat)| json!([lon, lat, 500.0])).collect()
}

fn metres(a: &Value, b: &Value) -> f64 {
    let at = |place: &Value| trace::Position::new(place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
    trace::distance_m(at(a), at(b))
}

/// Fails unless the steps are where a saved trace needs them; returns the steps.
async fn assert_steps_on_line(by: &Client, parcours: &Value) -> Vec<Value> {
    let (sheet, trace) = (now(by, parcours).await, trace_of(by, parcours).await);
    let points = trace["line"].as_array().unwrap().clone();
    let steps = sheet["steps"].as_array().unwrap().clone();
    for (step, end) in [(&steps[0], &points[0]), (&steps[steps.len() - 1], &points[points.len() - 1])] {
        assert!(metres(&step["position"], end) < 1.0, "{step} {end}");
    }
    for pair in steps.windows(2) {
        assert!(pair[0]["at_m"].as_f64() <= pair[1]["at_m"].as_f64(), "{} {}", pair[0], pair[1]);
    }
    for step in &steps {
        let near = points.iter().map(|point| metres(&step["position"], point)).fold(f64::INFINITY, f64::min);
        // Points are 76 m apart.
        assert!(
            near < 65.0 || step["beside_m"].as_f64().is_some_and(|beside| (beside - near).abs() < 40.0),
            "{step} {near}"
        );
    }
    assert_eq!(sheet["trace"]["distance_m"], trace["distance_m"]);
    steps
}

#[app_test]
async fn another_file_moves_departure_and_arrival_and_marks_steps_beside_the_line(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    imported(&editor, &parcours, "lac.gpx", gpx(&eastward())).await.expect(200);
    assert_eq!(assert_steps_on_line(&editor, &parcours).await.len(), 3);
    imported(&editor, &now(&editor, &parcours).await, "nord.gpx", gpx(&northern())).await.expect(200);
    let steps = assert_steps_on_line(&editor, &parcours).await;
    assert!((steps[1]["beside_m"].as_f64().unwrap() - 5_004.0).abs() < 5.0, "{}", steps[1]);
    assert!(steps[0].get("beside_m").is_none() && steps[2].get("beside_m").is_none());
}

#[app_test]
async fn steps_sent_with_the_sheet_are_put_in_their_places(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    imported(&editor, &parcours, "lac.gpx", gpx(&eastward())).await.expect(200);
    let steps = json!([
        {"kind": "departure", "position": [4.005, 47.02]},
        {"kind": "step", "position": [4.008, 47.0002]},
        {"kind": "step", "position": [4.002, 47.0]},
        {"kind": "advice", "position": [4.004, 47.002]},
        {"kind": "arrival", "position": [4.0, 47.0]},
    ]);
    patch(&editor, &now(&editor, &parcours).await, json!({"steps": steps})).await;
    let placed = assert_steps_on_line(&editor, &parcours).await;
    let kinds: Vec<_> = placed.iter().map(|step| step["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["departure", "step", "advice", "step", "arrival"]);
    assert!((placed[2]["beside_m"].as_f64().unwrap() - 222.0).abs() < 2.0, "{}", placed[2]);
    // The answer can be sent back unchanged.
    patch(&editor, &now(&editor, &parcours).await, json!({"steps": placed})).await;
    assert_eq!(assert_steps_on_line(&editor, &parcours).await, placed);
}

fn with_file(points: &[(f64, f64)], name: &str, steps: &Value) -> Value {
    let bytes = STANDARD.encode(gpx(points));
    json!({
        "mode": "source",
        "legs": [{"kind": "source", "line": line(points)}],
        "steps": steps,
        "duration_typed_s": 900,
        "source": {"from": "file", "name": name, "bytes": bytes},
    })
}

#[app_test]
async fn a_file_is_sent_with_a_save_and_the_previous_one_can_be_restored(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    imported(&editor, &parcours, "lac.gpx", gpx(&eastward())).await.expect(200);
    let before = trace_of(&editor, &parcours).await;
    let steps = now(&editor, &parcours).await["steps"].clone();
    let trace = put_trace(&editor, &parcours, with_file(&northern(), "nord.gpx", &steps)).await.expect(200).json();
    assert_eq!((&trace["source_file"]["name"], &trace["origin"]), (&json!("nord.gpx"), &json!("imported")));
    assert_eq!(trace["source_line"], trace["line"]);
    assert_steps_on_line(&editor, &parcours).await;
    let bytes = editor.get(format!("{}/trace/source", path(&parcours))).await.expect(200);
    assert_eq!(bytes.text(), gpx(&northern()));

    let back = json!({
        "mode": "source", "legs": before["legs"], "steps": steps, "duration_typed_s": 900,
        "source": {"from": "revision", "revision": before["revision"]},
    });
    let trace = put_trace(&editor, &parcours, back).await.expect(200).json();
    assert_eq!(trace["source_file"], before["source_file"]);
    assert_eq!((&trace["source_line"], &trace["line"]), (&before["source_line"], &before["line"]));
    let steps = assert_steps_on_line(&editor, &parcours).await;
    assert!(steps.iter().all(|step| step.get("beside_m").is_none()), "{steps:?}");
}

#[app_test]
async fn an_unreadable_file_sent_with_a_save_changes_nothing(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    imported(&editor, &parcours, "lac.gpx", gpx(&eastward())).await.expect(200);
    let before = now(&editor, &parcours).await;
    let good = with_file(&northern(), "nord.gpx", &before["steps"]);
    for (bytes, code, status) in
        [("not base64!", "validation/failed", 422), ("", "trace/empty", 422), ("aGVsbG8=", "trace/not-a-trace", 422)]
    {
        let mut body = good.clone();
        body["source"]["bytes"] = json!(bytes);
        assert_eq!(put_trace(&editor, &parcours, body).await.expect(status).problem().code, code);
    }
    let mut body = good;
    body["source"] = json!({"from": "revision", "revision": 77});
    assert_eq!(put_trace(&editor, &parcours, body).await.expect(404).problem().code, "parcours/no-trace");
    assert_eq!(now(&editor, &parcours).await, before);
}

#[app_test]
async fn the_answer_whether_it_is_a_loop_is_stored_on_the_sheet(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({"is_loop": true})).await;
    imported(&editor, &parcours, "lac.gpx", gpx(&eastward())).await.expect(200);
    let kept = trace_of(&editor, &parcours).await;
    let mut body = json!({"mode": "source", "legs": kept["legs"], "duration_typed_s": 900});
    put_trace(&editor, &parcours, body.clone()).await.expect(200);
    assert_eq!(now(&editor, &parcours).await["is_loop"], true);
    body["is_loop"] = json!(false);
    let saved = put_trace(&editor, &parcours, body).await.expect(200).json();
    assert_eq!((&now(&editor, &parcours).await["is_loop"], &saved["warnings"]), (&json!(false), &json!([])));
}

#[app_test]
async fn no_climb_is_reported_where_the_heights_are_not_known(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    let half: Vec<Value> = (0..40)
        .map(|i| {
            if i < 20 {
                json!([4.0 + f64::from(i) * 0.001, 47.0, 500 + i * 10])
            } else {
                json!([4.0 + f64::from(i) * 0.001, 47.0])
            }
        })
        .collect();
    let ends = json!([{"kind": "departure", "position": half[0]}, {"kind": "arrival", "position": half[39]}]);
    let body = |line: &[Value]| json!({"mode": "source", "legs": [{"kind": "free", "line": line}], "steps": ends, "duration_typed_s": 900});
    let answer = put_trace(&editor, &parcours, body(&half)).await.expect(200).json();
    assert_eq!((&answer["ascent_m"], &answer["descent_m"]), (&Value::Null, &Value::Null));
    let answer = put_trace(&editor, &parcours, body(&half[..20])).await.expect(200).json();
    assert_eq!(answer["ascent_m"], 190.0);
}

/// Ten kilometres up and down again, 40 m each kilometre.
fn hill() -> String {
    let points = (0..=100).map(|i: i32| {
        let ele = 500 + 8 * (if (i / 10) % 2 == 0 { i % 10 } else { 10 - i % 10 });
        format!(r#"<trkpt lat="47.0" lon="{}"><ele>{ele}</ele></trkpt>"#, 4.0 + f64::from(i) * 0.0013)
    });
    let points: String = points.collect();
    format!(
        r#"<?xml version="1.0"?><gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>{points}</trkseg></trk></gpx>"#
    )
}

#[app_test]
async fn one_length_and_one_climb_are_reported_everywhere(app: TestApp) {
    let lake = crate::feeds::distributed_parcours(&app, "Tour du lac").await;
    let editor = app.editor_of("morvan");
    imported(&editor, &now(&editor, &lake).await, "collines.gpx", hill()).await.expect(200);
    let sheet = now(&editor, &lake).await;
    let trace = trace_of(&editor, &lake).await;
    let (distance, ascent) = (trace["distance_m"].as_f64().unwrap(), trace["ascent_m"].as_f64().unwrap());
    assert!((distance - 9_860.0).abs() < 20.0 && (ascent - 400.0).abs() < 10.0, "{distance} {ascent}");
    assert_eq!(
        (&sheet["trace"]["distance_m"], &sheet["trace"]["ascent_m"]),
        (&trace["distance_m"], &trace["ascent_m"])
    );
    let rows = editor.get("/api/v1/parcours?search=Tour").await.expect(200).json();
    let row = rows["items"].as_array().unwrap().iter().find(|row| row["id"] == lake["id"]).unwrap().clone();
    assert_eq!((&row["distance_m"], &row["ascent_m"]), (&trace["distance_m"], &trace["ascent_m"]));
    assert_eq!(row["published"], sheet["published"]);
    let length_m: f64 = {
        let points: Vec<_> = trace["line"].as_array().unwrap().clone();
        points.windows(2).map(|pair| metres(&pair[0], &pair[1])).sum()
    };
    assert!((length_m - distance).abs() < 1.0, "{length_m} {distance}");
    let program = crate::feeds::api_client(&app, "morvan").await;
    let trek = program.get(format!("/api/v2/trek/{}/", lake["id"])).await.expect(200).json();
    assert_eq!(
        (trek["ascent"].as_f64(), trek["length_2d"].as_f64().map(f64::round)),
        (Some(ascent), Some(distance.round()))
    );
    let page = app.anonymous().get(format!("/p/tour-du-lac-{}", lake["id"])).await.expect(200).text();
    assert!(page.contains(&format!("{ascent:.0}\u{202f}m")) && page.contains("9,9\u{202f}km"), "{page}");
}

#[app_test]
async fn the_public_line_changes_only_when_the_trace_is_saved(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    imported(&editor, &parcours, "lac.gpx", gpx(&eastward())).await.expect(200);
    let parcours = published(&app.admin_of("morvan"), &now(&editor, &parcours).await).await;
    let before = trace_of(&editor, &parcours).await["line"].clone();
    editor.post_bytes("/api/v1/traces/inspections?file_name=nord.gpx", gpx(&northern())).await.expect(200);
    assert_eq!(trace_of(&editor, &parcours).await["line"], before);
    let steps = now(&editor, &parcours).await["steps"].clone();
    put_trace(&editor, &parcours, with_file(&northern(), "nord.gpx", &steps)).await.expect(200);
    assert_ne!(trace_of(&editor, &parcours).await["line"], before);
}
