//! Rows of the matrix: sources of routes and their runs.

use serde_json::json;
use testkit::TestApp;

use crate::matrix::{Row, row};

/// A source is not found without the right to import here: its address may contain a key.
const fn importers(status: u16) -> [u16; 7] {
    [401, 403, 404, status, status, status, status]
}

const SEEN: [u16; 7] = [401, 404, 404, 200, 200, 200, 200];
const LISTED: [u16; 7] = [401, 403, 200, 200, 200, 200, 200];

pub const ROWS: &[Row] = &[
    row!("GET" "content.import" "/api/v1/import-sources", "/api/v1/import-sources", None, LISTED),
    row!("POST" "content.import" "/api/v1/import-sources", "/api/v1/import-sources", Some(r#"{"name":"Parc"}"#),
        [401, 403, 201, 201, 201, 201, 201]),
    row!("GET" "content.read" "/api/v1/import-sources/{id}", "/api/v1/import-sources/{import}", None, SEEN),
    row!("PATCH" "content.import" "/api/v1/import-sources/{id}", "/api/v1/import-sources/{import}", Some(r#"{"name":"Le parc"}"#), importers(200)),
    row!("DELETE" "content.import" "/api/v1/import-sources/{id}", "/api/v1/import-sources/{import}", None, importers(204)),
    row!("GET" "content.read" "/api/v1/import-sources/{id}/uses", "/api/v1/import-sources/{import}/uses", None, SEEN),
    row!("GET" "content.read" "/api/v1/import-sources/{id}/revisions", "/api/v1/import-sources/{import}/revisions", None, SEEN),
    row!("GET" "content.read" "/api/v1/import-sources/{id}/revisions/{version}", "/api/v1/import-sources/{import}/revisions/1", None, SEEN),
    row!("POST" "content.import" "/api/v1/import-sources/{id}/revisions/{version}/restoration",
        "/api/v1/import-sources/{import}/revisions/1/restoration", Some("{}"), importers(200)),
    row!("PUT" "content.import" "/api/v1/import-sources/{id}/file", "/api/v1/import-sources/{import}/file?file_name=a.gpx", Some("{}"), importers(200)),
    row!("PUT" "content.import" "/api/v1/import-sources/{id}/credential", "/api/v1/import-sources/{import}/credential", Some(r#"{"key":"abc"}"#), importers(204)),
    row!("DELETE" "content.import" "/api/v1/import-sources/{id}/credential", "/api/v1/import-sources/{import}/credential", None, importers(204)),
    row!("GET" "content.import" "/api/v1/import-sources/{id}/mapping", "/api/v1/import-sources/{import}/mapping", None, importers(200)),
    row!("POST" "content.import" "/api/v1/import-sources/{id}/runs", "/api/v1/import-sources/{import}/runs", Some(r#"{"dry":true}"#), importers(202)),
    row!("POST" "content.import" "/api/v1/import-sources/{id}/decisions", "/api/v1/import-sources/{import}/decisions",
        Some(r#"{"item":"a","merge":true}"#), importers(404)),
    row!("POST" "content.import" "/api/v1/import-sources/{id}/unlocking", "/api/v1/import-sources/{import}/unlocking",
        Some(r#"{"item":"a","fields":["title/fr"]}"#), importers(404)),
    row!("GET" "content.import" "/api/v1/import-runs", "/api/v1/import-runs", None, LISTED),
    row!("GET" "content.import" "/api/v1/import-runs/{id}", "/api/v1/import-runs/{import_run}", None, importers(200)),
    row!("GET" "content.import" "/api/v1/import-runs/{id}/lines", "/api/v1/import-runs/{import_run}/lines", None, importers(200)),
    row!("POST" "content.import" "/api/v1/import-runs/{id}/cancellation", "/api/v1/import-runs/{import_run}/cancellation", None, importers(204)),
    // The run that is at work is the one asked about.
    row!("POST" "content.import" "/api/v1/import-runs/{id}/retry", "/api/v1/import-runs/{import_run}/retry", None, importers(409)),
    row!("POST" "content.import" "/api/v1/import-runs/{id}/undo", "/api/v1/import-runs/{import_run}/undo", None, importers(409)),
];

/// Makes the records that the placeholders of a path name, and puts their numbers into the path.
pub async fn with_records(app: &TestApp, example_path: &str) -> String {
    if !example_path.contains("{import") {
        return example_path.to_owned();
    }
    let editor = app.editor_of("morvan");
    let body = json!({"name": "Parc", "kind": "geotrek", "url": "http://127.0.0.1:9/"});
    let source = editor.post("/api/v1/import-sources", body).await.expect(201).json()["id"].to_string();
    let mut path = example_path.replace("{import}", &source);
    if example_path.contains("{import_run}") {
        let run = editor.post(format!("/api/v1/import-sources/{source}/runs"), json!({})).await.expect(202).json();
        path = path.replace("{import_run}", &run["id"].to_string());
    }
    path
}
