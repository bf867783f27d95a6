//! The raw recording behind a trace: for the people of its white-label. Each test is an attack first.

use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, TestApp};

use crate::exposure_kit::contains_bytes;
use crate::parcours_kit::{made, now, path, published, put_trace, trace_of, version};

/// A recording of a walk that starts at a home: its first two points are trimmed away.
fn recording() -> String {
    let points: String = (0..12)
        .map(|i| {
            let lon = 4.000_777 + f64::from(i) * 0.001;
            format!(
                r#"<trkpt lat="47.0" lon="{lon:.6}"><ele>500</ele><time>2026-05-01T06:{:02}:00Z</time></trkpt>"#,
                i + 10
            )
        })
        .collect();
    format!(
        r#"<?xml version="1.0"?><gpx version="1.1" creator="Garmin Edge 1040 SN-3412345678" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>{points}</trkseg></trk></gpx>"#
    )
}

/// What only the recording contains: where it really starts, the file's name and the recorder.
const MARKS: [&str; 4] = ["4.000777", "4.001777", "maison", "3412345678"];

/// A parcours of the Morvan that the others see, with its ends trimmed.
async fn trimmed(app: &TestApp) -> Value {
    let editor = app.editor_of("morvan");
    let fields = json!({"description": {"fr": "<p>À voir.</p>"}, "distribute_own": true});
    let parcours = made(&editor, "Tour du lac", fields).await;
    let source = format!("{}/trace/source?file_name=maison.gpx", path(&parcours));
    editor.clone().at_version(version(&parcours)).post_bytes(source, recording().into_bytes()).await.expect(200);
    let line: Vec<Value> = (2..12).map(|i| json!([4.000_777 + f64::from(i) * 0.001, 47.0, 500.0])).collect();
    let steps = json!([
        {"kind": "departure", "title": {"fr": "La halle"}, "position": line[0]},
        {"kind": "arrival", "title": {"fr": "La source"}, "position": line[9]},
    ]);
    let body = json!({"mode": "source", "legs": [{"kind": "source", "line": line}], "steps": steps, "distance_typed_m": 700.0, "duration_typed_s": 900.0});
    put_trace(&editor, &parcours, body).await.expect(200);
    published(&editor, &now(&editor, &parcours).await).await
}

/// Every address of a parcours that people of another white-label may ask for, with what it answers.
async fn read(by: &Client, parcours: &Value) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for end in [
        "",
        "/trace",
        "/trace.gpx",
        "/trace.kml",
        "/trace.geojson",
        "/trace.tcx",
        "/trace/source",
        "/trace?revision=1",
        "/revisions",
        "/revisions/1",
        "/revisions/2",
        "/uses",
    ] {
        let address = format!("{}{end}", path(parcours));
        found.push((address.clone(), by.get(address).await.bytes));
    }
    for address in [
        "/api/v1/parcours?progress=any",
        "/api/v1/parcours/export.geojson?progress=any",
        "/api/v1/parcours/export.csv?progress=any",
    ] {
        found.push((address.to_owned(), by.get(address).await.expect(200).bytes));
    }
    found
}

#[app_test]
async fn people_of_another_tenant_read_the_public_line_and_nothing_of_the_recording(app: TestApp) {
    let parcours = trimmed(&app).await;
    let stranger = app.editor_of("vercors");
    assert_eq!(
        stranger.get(format!("{}/trace/source", path(&parcours))).await.expect(403).problem().code,
        "parcours/not-yours"
    );
    let seen = trace_of(&stranger, &parcours).await;
    assert_eq!(
        (&seen["source_line"], &seen["source_file"], &seen["repairs"]),
        (&Value::Null, &Value::Null, &json!([]))
    );
    assert_eq!(seen["line"].as_array().unwrap().len(), 10, "the public line is there");
    for by in [&stranger, &app.admin_of("vercors")] {
        for (address, bytes) in read(by, &parcours).await {
            for mark in MARKS {
                assert!(
                    !contains_bytes(&bytes, mark.as_bytes()),
                    "{address} tells {mark}: {}",
                    String::from_utf8_lossy(&bytes)
                );
            }
            for word in ["duration_recorded_s", "sha256", "2026-05-01T06"] {
                assert!(!contains_bytes(&bytes, word.as_bytes()), "{address} tells {word}");
            }
        }
    }
    // The people of its white-label have all of it.
    let ours = app.editor_of("morvan");
    assert_eq!(ours.get(format!("{}/trace/source", path(&parcours))).await.expect(200).bytes, recording().into_bytes());
    assert_eq!(trace_of(&ours, &parcours).await["source_line"].as_array().unwrap().len(), 12);
}

#[app_test]
async fn a_copy_by_another_tenant_starts_from_the_public_line(app: TestApp) {
    let parcours = trimmed(&app).await;
    let stranger = app.editor_of("vercors");
    let copy =
        stranger.post(format!("{}/duplicate", path(&parcours)), json!({"title": "À nous"})).await.expect(201).json();
    assert_eq!((&copy["mine"], &copy["trace"]["origin"]), (&json!(true), &json!("drawn")));
    let kept = trace_of(&stranger, &copy).await;
    assert_eq!((&kept["source_line"], &kept["source_file"]), (&Value::Null, &Value::Null));
    assert_eq!(kept["line"], trace_of(&stranger, &parcours).await["line"]);
    assert_eq!(
        stranger.get(format!("{}/trace/source", path(&copy))).await.expect(404).problem().code,
        "trace/no-source"
    );
    for (address, bytes) in read(&stranger, &copy).await {
        for mark in MARKS {
            assert!(!contains_bytes(&bytes, mark.as_bytes()), "{address} tells {mark}");
        }
    }
    // The recording is not stored either: planned again, the line is still the public one.
    let original = format!("{}/trace/original", path(&copy));
    stranger.clone().at_version(version(&copy)).post(original, json!({})).await.expect(404);
    let again = format!("{}/recalculation", path(&copy));
    stranger.clone().at_version(version(&copy)).post(again, json!({})).await.expect(200);
    assert_eq!(trace_of(&stranger, &copy).await["line"].as_array().unwrap().len(), 10);

    // A copy by its own people keeps the recording.
    let ours = app.editor_of("morvan");
    let copy = ours.post(format!("{}/duplicate", path(&parcours)), json!({"title": "Copie"})).await.expect(201).json();
    ours.get(format!("{}/trace/source", path(&copy))).await.expect(200);
}

#[app_test]
async fn the_recording_behind_a_planned_line_is_not_shown(app: TestApp) {
    let parcours = trimmed(&app).await;
    // With guidance, the public line is the planned one, a little beside the recorded one.
    let id = domain::ParcoursId(parcours["id"].as_i64().unwrap());
    let tx = app.store().begin().await.unwrap();
    let before = store::parcours::lock(&tx, id).await.unwrap().unwrap();
    let mut new: store::parcours::NewTrace = (&store::parcours::trace(&tx, id).await.unwrap().unwrap()).into();
    new.summary.mode = domain::parcours::TraceMode::Planner;
    new.summary.reliability_state = domain::parcours::ReliabilityState::Ok;
    new.summary.reliability = Some(
        json!({"percent": 99.0, "gaps": [{"line": [[4.004_777, 47.0]], "ignored": {"reason": "noté par Camille"}}], "remarks": [{"position": [4.005_777, 47.0]}]}),
    );
    new.planned_line = Some((0..10).map(|i| trace::Position::new(4.003 + f64::from(i) * 0.001, 47.000_05)).collect());
    let languages = ["fr".to_owned()];
    let change = store::parcours::Change { by: None, at: app.app().now(), reason: None, languages: &languages };
    store::parcours::save(&tx, &before, before.clone(), Some(&new), change).await.unwrap();
    tx.commit().await.unwrap();

    let stranger = app.editor_of("vercors");
    let copy =
        stranger.post(format!("{}/duplicate", path(&parcours)), json!({"title": "À nous"})).await.expect(201).json();
    for seen in [&parcours, &copy] {
        let trace = trace_of(&stranger, seen).await;
        assert_eq!(trace["legs"], json!([{"kind": "planned", "line": trace["line"]}]));
        let texts = [trace.to_string(), now(&stranger, seen).await["trace"].to_string()];
        for mark in ["4.004777", "4.005777", "noté par Camille"] {
            assert!(!texts.iter().any(|text| text.contains(mark)), "{mark}: {texts:?}");
        }
    }
}
