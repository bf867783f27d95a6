//! Rows of the matrix: sources of tourist records, and their records.

use serde_json::json;
use testkit::TestApp;

use crate::matrix::{Row, row};

/// A source is not found without the right to import here: its address may contain a key.
const fn importers(status: u16) -> [u16; 7] {
    [401, 403, 404, status, status, status, status]
}

/// A record is its white-label's: others do not see it, readers do not change it.
const fn editors(status: u16) -> [u16; 7] {
    [401, 403, 404, status, status, status, status]
}

const SEEN: [u16; 7] = [401, 404, 404, 200, 200, 200, 200];
const LISTED: [u16; 7] = [401, 403, 200, 200, 200, 200, 200];
const READ: [u16; 7] = [401, 200, 200, 200, 200, 200, 200];

pub const ROWS: &[Row] = &[
    row!("GET" "content.import" "/api/v1/sit-sources", "/api/v1/sit-sources", None, LISTED),
    row!("POST" "content.import" "/api/v1/sit-sources", "/api/v1/sit-sources", Some(r#"{"name":"Apidae"}"#),
        [401, 403, 201, 201, 201, 201, 201]),
    row!("GET" "content.read" "/api/v1/sit-sources/{id}", "/api/v1/sit-sources/{sit}", None, SEEN),
    row!("PATCH" "content.import" "/api/v1/sit-sources/{id}", "/api/v1/sit-sources/{sit}", Some(r#"{"name":"Le SIT"}"#), importers(200)),
    row!("DELETE" "content.import" "/api/v1/sit-sources/{id}", "/api/v1/sit-sources/{sit}", None, importers(204)),
    row!("GET" "content.read" "/api/v1/sit-sources/{id}/uses", "/api/v1/sit-sources/{sit}/uses", None, SEEN),
    row!("GET" "content.read" "/api/v1/sit-sources/{id}/revisions", "/api/v1/sit-sources/{sit}/revisions", None, SEEN),
    row!("GET" "content.read" "/api/v1/sit-sources/{id}/revisions/{version}", "/api/v1/sit-sources/{sit}/revisions/1", None, SEEN),
    row!("POST" "content.import" "/api/v1/sit-sources/{id}/revisions/{version}/restoration",
        "/api/v1/sit-sources/{sit}/revisions/1/restoration", Some("{}"), importers(200)),
    row!("PUT" "content.import" "/api/v1/sit-sources/{id}/file", "/api/v1/sit-sources/{sit}/file?file_name=a.zip", Some("{}"), importers(200)),
    row!("PUT" "content.import" "/api/v1/sit-sources/{id}/credential", "/api/v1/sit-sources/{sit}/credential", Some(r#"{"key":"abc"}"#), importers(204)),
    row!("DELETE" "content.import" "/api/v1/sit-sources/{id}/credential", "/api/v1/sit-sources/{sit}/credential", None, importers(204)),
    row!("GET" "content.import" "/api/v1/sit-sources/{id}/mapping", "/api/v1/sit-sources/{sit}/mapping", None, importers(200)),
    row!("POST" "content.import" "/api/v1/sit-sources/{id}/runs", "/api/v1/sit-sources/{sit}/runs", Some("{}"), importers(202)),
    row!("GET" "content.read" "/api/v1/sit-records", "/api/v1/sit-records", None, READ),
    row!("GET" "content.read" "/api/v1/sit-records/map", "/api/v1/sit-records/map", None, READ),
    row!("GET" "content.read" "/api/v1/sit-records/{id}", "/api/v1/sit-records/{sit_record}", None, [401, 200, 404, 200, 200, 200, 200]),
    row!("PATCH" "content.write" "/api/v1/sit-records/{id}", "/api/v1/sit-records/{sit_record}", Some(r#"{"hidden":true}"#), editors(200)),
    row!("POST" "content.write" "/api/v1/sit-records/{id}/poi", "/api/v1/sit-records/{sit_record}/poi", Some("{}"), editors(200)),
    row!("PUT" "content.write" "/api/v1/sit-records/{id}/poi", "/api/v1/sit-records/{sit_record}/poi", Some(r#"{"poi_id":999999}"#), editors(422)),
    row!("DELETE" "content.write" "/api/v1/sit-records/{id}/poi", "/api/v1/sit-records/{sit_record}/poi", None, editors(409)),
];

/// One record as Cirkwi sends it.
const POIS: &str = r#"<pois version="2"><poi id_poi="1"><informations><information langue="fr"><titre>Lavoir</titre></information></informations>
    <adresse><position><lat>47.1</lat><lng>4.1</lng></position></adresse></poi></pois>"#;

/// Makes the records that the placeholders of a path name, and puts their numbers into the path.
pub async fn with_records(app: &TestApp, example_path: &str) -> String {
    if !example_path.contains("{sit") {
        return example_path.to_owned();
    }
    let editor = app.editor_of("morvan");
    if example_path.ends_with("/credential") {
        // A key is entered for an address.
        let body = json!({"name": "Cirkwi", "kind": "cirkwi", "url": "http://127.0.0.1:9/"});
        let source = editor.post("/api/v1/sit-sources", body).await.expect(201).json();
        return example_path.replace("{sit}", &source["id"].to_string());
    }
    let source =
        editor.post("/api/v1/sit-sources", json!({"name": "Cirkwi", "kind": "cirkwi"})).await.expect(201).json();
    let id = source["id"].to_string();
    let sending = editor.clone().at_version(1);
    let file = format!("/api/v1/sit-sources/{id}/file?file_name=pois.xml");
    sending.send(axum::http::Method::PUT, &file, None, POIS.into()).await.expect(200);
    let mut path = example_path.replace("{sit}", &id);
    if example_path.contains("{sit_record}") {
        editor.post(format!("/api/v1/sit-sources/{id}/runs"), json!({})).await.expect(202);
        sources::import_job::settle(app.app()).await.unwrap();
        let list = editor.get(format!("/api/v1/sit-records?source={id}")).await.expect(200).json();
        path = path.replace("{sit_record}", &list["items"][0]["id"].to_string());
    }
    path
}
