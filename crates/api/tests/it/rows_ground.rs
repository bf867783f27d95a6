//! Rows of the matrix: entries from the ground.

use std::sync::atomic::{AtomicU32, Ordering};

use domain::ground::{GroundKind, GroundText};
use domain::{UserId, WhiteLabelId};
use store::ground::{Entry, insert, set_track};
use testkit::TestApp;

use crate::matrix::Row;

const POI: &str = r#"{"kind":"poi","title":"Source","position":[4.0,47.0],"language":"fr","made_at":"2026-05-01T08:00:00Z","sent_at":"2026-05-01T08:00:00Z"}"#;

/// The rows.
pub const ROWS: &[Row] = &[
    Row {
        verb: "GET",
        path: "/api/v1/ground/entries",
        permission: "content.read",
        example_path: "/api/v1/ground/entries",
        body: None,
        statuses: [401, 200, 200, 200, 200, 200, 200],
    },
    // Without a parcours it belongs to the white-label of the person.
    Row {
        verb: "PUT",
        path: "/api/v1/ground/entries/{id}",
        permission: "content.write",
        example_path: "/api/v1/ground/entries/{new}",
        body: Some(POI),
        statuses: [401, 403, 201, 201, 201, 201, 201],
    },
    Row {
        verb: "PUT",
        path: "/api/v1/ground/entries/{id}/review",
        permission: "content.write",
        example_path: "/api/v1/ground/entries/{entry}/review",
        body: Some(r#"{"reviewed":true}"#),
        statuses: [401, 403, 404, 200, 200, 200, 200],
    },
    Row {
        verb: "GET",
        path: "/api/v1/ground/entries/{id}/track.gpx",
        permission: "content.export",
        example_path: "/api/v1/ground/entries/{entry}/track.gpx",
        body: None,
        statuses: [401, 200, 404, 200, 200, 200, 200],
    },
];

/// An identifier that no other entry has.
pub fn new_id() -> String {
    static LAST: AtomicU32 = AtomicU32::new(0);
    format!("00000000-0000-4000-8000-{:012x}", LAST.fetch_add(1, Ordering::Relaxed))
}

/// The path with a new identifier, and with that of an entry of the Morvan.
pub async fn with_records(app: &TestApp, example_path: &str) -> String {
    let path = example_path.replace("{new}", &new_id());
    if !path.contains("{entry}") {
        return path;
    }
    let (tx, now, id) = (app.store().begin().await.unwrap(), app.app().now(), new_id());
    let entry = Entry {
        id: id.clone(),
        white_label_id: WhiteLabelId(app.white_label("morvan").await.0),
        parcours_id: None,
        parcours_title: None,
        by: (UserId(1), String::new()),
        kind: GroundKind::Track,
        made_at: now,
        received_at: now,
        position: None,
        accuracy_m: None,
        body: GroundText { language: "fr".to_owned(), ..GroundText::default() },
        media_ids: Vec::new(),
        result: None,
        reviewed_at: None,
        reviewed_by: None,
    };
    insert(&tx, &entry).await.unwrap();
    set_track(&tx, &id, &[[4.0, 47.0], [4.01, 47.0]]).await.unwrap();
    tx.commit().await.unwrap();
    path.replace("{entry}", &id)
}
