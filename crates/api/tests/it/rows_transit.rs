//! Rows of the matrix: feeds of public transport, their runs and lines.

use serde_json::json;
use testkit::TestApp;

use crate::matrix::{Row, row};

/// A feed is not found without the right to import here: its address may contain a key.
const fn importers(status: u16) -> [u16; 7] {
    [401, 403, 404, status, status, status, status]
}

const SEEN: [u16; 7] = [401, 404, 404, 200, 200, 200, 200];
const LISTED: [u16; 7] = [401, 403, 200, 200, 200, 200, 200];

pub const ROWS: &[Row] = &[
    row!("GET" "content.import" "/api/v1/transport-feeds", "/api/v1/transport-feeds", None, LISTED),
    row!("POST" "content.import" "/api/v1/transport-feeds", "/api/v1/transport-feeds", Some(r#"{"name":"Région"}"#),
        [401, 403, 201, 201, 201, 201, 201]),
    row!("GET" "content.read" "/api/v1/transport-feeds/{id}", "/api/v1/transport-feeds/{transit}", None, SEEN),
    row!("PATCH" "content.import" "/api/v1/transport-feeds/{id}", "/api/v1/transport-feeds/{transit}", Some(r#"{"name":"La région"}"#), importers(200)),
    row!("DELETE" "content.import" "/api/v1/transport-feeds/{id}", "/api/v1/transport-feeds/{transit}", None, importers(204)),
    row!("GET" "content.read" "/api/v1/transport-feeds/{id}/uses", "/api/v1/transport-feeds/{transit}/uses", None, SEEN),
    row!("GET" "content.read" "/api/v1/transport-feeds/{id}/revisions", "/api/v1/transport-feeds/{transit}/revisions", None, SEEN),
    row!("GET" "content.read" "/api/v1/transport-feeds/{id}/revisions/{version}", "/api/v1/transport-feeds/{transit}/revisions/1", None, SEEN),
    row!("POST" "content.import" "/api/v1/transport-feeds/{id}/revisions/{version}/restoration",
        "/api/v1/transport-feeds/{transit}/revisions/1/restoration", Some("{}"), importers(200)),
    row!("PUT" "content.import" "/api/v1/transport-feeds/{id}/credential", "/api/v1/transport-feeds/{transit}/credential", Some(r#"{"key":"abc"}"#), importers(204)),
    row!("DELETE" "content.import" "/api/v1/transport-feeds/{id}/credential", "/api/v1/transport-feeds/{transit}/credential", None, importers(204)),
    row!("PUT" "content.import" "/api/v1/transport-feeds/{id}/file", "/api/v1/transport-feeds/{transit}/file?file_name=gtfs.zip", Some("{}"), importers(200)),
    row!("POST" "content.import" "/api/v1/transport-feeds/{id}/runs", "/api/v1/transport-feeds/{transit}/runs", None, importers(202)),
    row!("GET" "content.import" "/api/v1/transport-feeds/{id}/runs", "/api/v1/transport-feeds/{transit}/runs", None, importers(200)),
    row!("GET" "content.import" "/api/v1/transport-runs/{id}", "/api/v1/transport-runs/{transit_run}", None, importers(200)),
    row!("POST" "content.import" "/api/v1/transport-runs/{id}/cancellation", "/api/v1/transport-runs/{transit_run}/cancellation", None, importers(204)),
    row!("GET" "content.import" "/api/v1/transport-feeds/{id}/lines", "/api/v1/transport-feeds/{transit}/lines?search=12", None, importers(200)),
    // Nothing was read of it yet.
    row!("GET" "content.import" "/api/v1/transport-feeds/{id}/line-stops", "/api/v1/transport-feeds/{transit}/line-stops?route=12", None, importers(404)),
    row!("POST" "content.import" "/api/v1/transport-feeds/{id}/additions", "/api/v1/transport-feeds/{transit}/additions",
        Some(r#"{"routes":["12"]}"#), importers(404)),
    row!("GET" "content.read" "/api/v1/parcours/{id}/transport", "/api/v1/parcours/{parcours}/transport", None, PARCOURS),
];

/// A parcours that is a draft is seen in its own white-label alone.
const PARCOURS: [u16; 7] = [401, 200, 404, 200, 200, 200, 200];

/// Makes the records that the placeholders of a path name, and puts their numbers into the path.
pub async fn with_records(app: &TestApp, example_path: &str) -> String {
    if !example_path.contains("{transit") {
        return example_path.to_owned();
    }
    let editor = app.editor_of("morvan");
    let body = json!({"name": "Région", "url": "http://127.0.0.1:9/gtfs.zip"});
    let feed = editor.post("/api/v1/transport-feeds", body).await.expect(201).json()["id"].to_string();
    let mut path = example_path.replace("{transit}", &feed);
    if example_path.contains("{transit_run}") {
        let run = editor.post(format!("/api/v1/transport-feeds/{feed}/runs"), json!({})).await.expect(202).json();
        path = path.replace("{transit_run}", &run["id"].to_string());
    }
    path
}
