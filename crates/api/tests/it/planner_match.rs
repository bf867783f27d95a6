//! Recordings laid on the network over HTTP: the answers of `jalon plan match|score --json`.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use macros::app_test;
use serde_json::{Value, json};
use testkit::{TestApp, skipped};

use crate::contract::assert_as_described;
use crate::parcours_kit::{shared_file, with_andorra};

fn keys(answer: &Value) -> Vec<&str> {
    answer.as_object().unwrap().keys().map(String::as_str).collect()
}

const SCORED: [&str; 6] = ["compute_us", "file", "gaps", "reason", "reliability", "tolerance_m"];

#[app_test]
async fn a_file_and_its_line_are_scored_alike(app: TestApp) {
    let Some(app) = with_andorra(&app) else {
        return skipped("a_file_and_its_line_are_scored_alike", "../shared/data is missing");
    };
    let bytes = shared_file("tracks/synthetic/andorra_05_offroad.gpx").expect("the shared tracks are there");
    let line = trace::read(&bytes, "x.gpx").unwrap().line();
    let reader = app.reader_of("morvan");
    let path = "/api/v1/planner/score?file_name=boucle.gpx&profile=hiking";
    let of_file = reader.post_bytes(path, bytes.clone()).await.expect(200).json();
    let asked = json!({"coordinates": line, "profile": "hiking"});
    let of_line = reader.post("/api/v1/planner/score", asked.clone()).await.expect(200).json();
    assert_eq!((&of_file["file"], &of_line["file"]), (&json!("boucle.gpx"), &Value::Null));
    let mut told = keys(&of_file);
    told.sort_unstable();
    assert_eq!(told, SCORED);
    assert_eq!((&of_file["reliability"], &of_file["gaps"]), (&of_line["reliability"], &of_line["gaps"]));
    let gap = &of_file["gaps"][0];
    assert!(gap["from_km"].as_f64().unwrap() < gap["to_km"].as_f64().unwrap(), "{gap}");
    assert!(gap["cause"].is_string() && gap["points"].is_number() && gap["remedies"].is_array(), "{gap}");
    let missing = 100.0 - of_file["reliability"].as_f64().unwrap();
    let cost: f64 = of_file["gaps"].as_array().unwrap().iter().map(|gap| gap["points"].as_f64().unwrap()).sum();
    assert!((missing - cost).abs() < 0.3, "{missing} points are missing, {cost} are reported");

    let matched = reader.post("/api/v1/planner/match", asked).await.expect(200).json();
    assert_as_described("POST", "/api/v1/planner/score", 200, "application/json", &of_line);
    assert_as_described("POST", "/api/v1/planner/match", 200, "application/json", &matched);
    assert_eq!(matched["reliability"], of_line["reliability"]);
    let (points, edges) = (matched["geometry"].as_array().unwrap(), matched["edges"].as_array().unwrap());
    assert_eq!(edges.last().unwrap()["to_index"], points.len() - 1);
    assert!(edges.iter().any(|edge| edge["way_id"].is_i64()), "it runs on ways");
    let worst = of_file["gaps"].as_array().unwrap().iter().max_by_key(|gap| gap["points"].as_f64().unwrap() as i64);
    let km = |name: &str| worst.unwrap()[name].as_f64().unwrap() * 1_000.0;
    let kept = json!({"coordinates": line, "profile": "hiking", "kept": [[km("from_km"), km("to_km")]]});
    let kept = reader.post("/api/v1/planner/score", kept).await.expect(200).json();
    assert!(kept["reliability"].as_f64() > of_line["reliability"].as_f64(), "what is kept costs nothing: {kept}");
}

#[app_test]
async fn a_line_that_cannot_be_scored_is_reported_with_a_reason(app: TestApp) {
    let Some(app) = with_andorra(&app) else {
        return skipped("a_line_that_cannot_be_scored_is_reported_with_a_reason", "../shared/data is missing");
    };
    let reader = app.reader_of("morvan");
    let far = json!({"coordinates": [[4.0, 47.0], [4.01, 47.0]], "profile": "hiking"});
    let far = reader.post("/api/v1/planner/score", far).await.expect(200).json();
    assert_eq!((&far["reliability"], &far["reason"]), (&Value::Null, &json!("outside_extract")));
    for (body, status, code) in [
        (json!({"coordinates": [[1.5, 42.5]], "profile": "hiking"}), 422, "planner/too-few-points"),
        (json!({"coordinates": [[1.5, 42.5], [1.5, 142.5]], "profile": "hiking"}), 422, "planner/bad-point"),
        (json!({"coordinates": [[1.5, 42.5], [1.51, 42.5]], "profile": "rocket"}), 422, "planner/unknown-profile"),
        (json!({"coordinates": "x", "profile": "hiking"}), 422, "request/bad-field"),
    ] {
        let refused = reader.post("/api/v1/planner/match", body.clone()).await;
        assert_eq!((refused.status.as_u16(), refused.problem().code.as_str()), (status, code), "{body}");
    }
    for (path, bytes, status, code) in [
        ("/api/v1/planner/score?file_name=x.gpx", b"<gpx/>".to_vec(), 400, "request/bad-query"),
        ("/api/v1/planner/score?file_name=x.gpx&profile=rocket", b"<gpx/>".to_vec(), 422, "planner/unknown-profile"),
        ("/api/v1/planner/score?file_name=x.gpx&profile=hiking", Vec::new(), 422, "trace/empty"),
        (
            "/api/v1/planner/score?file_name=x.jpg&profile=hiking",
            b"\xff\xd8\xff\xe0".to_vec(),
            422,
            "trace/not-a-trace",
        ),
    ] {
        let refused = reader.post_bytes(path, bytes).await;
        assert_eq!((refused.status.as_u16(), refused.problem().code.as_str()), (status, code), "{path}");
    }
}
