//! Rows of the matrix: reviews and field reports.

use domain::feedback::{NewReport, NewReview};
use domain::{ParcoursId, WhiteLabelId};
use serde_json::json;
use store::feedback::{add_photo, confirm, insert_report, insert_review};
use testkit::TestApp;

use crate::matrix::Row;
use crate::parcours_kit::made;

/// Statuses for people of the Morvan: the parcours is a draft, which the other white-label does not see.
const OURS: [u16; 7] = [401, 200, 404, 200, 200, 200, 200];

const fn read(path: &'static str, example_path: &'static str) -> Row {
    Row { verb: "GET", path, permission: "content.read", example_path, body: None, statuses: OURS }
}

const fn write(verb: &'static str, path: &'static str, example_path: &'static str, body: Option<&'static str>) -> Row {
    let status = if body.is_some() { 200 } else { 204 };
    let statuses = [401, 403, 404, status, status, status, status];
    Row { verb, path, permission: "content.publish", example_path, body, statuses }
}

/// A request that visitors may send, about a parcours that is not public.
const fn sent(path: &'static str, example_path: &'static str, body: Option<&'static str>) -> Row {
    Row { verb: "POST", path, permission: "public", example_path, body, statuses: [404; 7] }
}

/// What a key alone may do.
const fn by_key(verb: &'static str, path: &'static str, example_path: &'static str, body: Option<&'static str>) -> Row {
    Row { verb, path, permission: "key", example_path, body, statuses: [401; 7] }
}

/// The rows.
pub const ROWS: &[Row] = &[
    read("/api/v1/parcours/{id}/reviews", "/api/v1/parcours/{parcours}/reviews"),
    read("/api/v1/parcours/{id}/field-reports", "/api/v1/parcours/{parcours}/field-reports"),
    read("/api/v1/parcours/{id}/field-reports/{report_id}", "/api/v1/parcours/{report}"),
    read("/api/v1/parcours/{id}/field-reports/{report_id}/photo", "/api/v1/parcours/{report}/photo"),
    write(
        "POST",
        "/api/v1/parcours/{id}/reviews/{review_id}/decision",
        "/api/v1/parcours/{review}/decision",
        Some(r#"{"action":"publish"}"#),
    ),
    write(
        "POST",
        "/api/v1/parcours/{id}/field-reports/{report_id}/decision",
        "/api/v1/parcours/{report}/decision",
        Some(r#"{"action":"see","shown":true}"#),
    ),
    write("DELETE", "/api/v1/parcours/{id}/field-reports/{report_id}", "/api/v1/parcours/{report}", None),
    sent("/api/public/v1/reviews", "/api/public/v1/reviews", Some(r#"{"parcours_id":0,"rating":5}"#)),
    sent(
        "/api/public/v1/reviews/{id}/complaints",
        "/api/public/v1/reviews/0/complaints",
        Some(r#"{"parcours_id":0,"reason":"untrue"}"#),
    ),
    sent("/api/public/v1/field-reports", "/api/public/v1/field-reports", Some(r#"{"parcours_id":0,"kind":"danger"}"#)),
    sent("/api/public/v1/field-reports/{token}/photo", "/api/public/v1/field-reports/x/photo", None),
    by_key("GET", "/api/public/v1/parcours/{id}/reviews", "/api/public/v1/parcours/1/reviews", None),
    by_key("POST", "/api/public/v1/parcours/{id}/reviews", "/api/public/v1/parcours/1/reviews", Some("{}")),
    by_key("POST", "/api/public/v1/parcours/{id}/field-reports", "/api/public/v1/parcours/1/field-reports", Some("{}")),
    Row { verb: "GET", statuses: [410; 7], ..sent("/avis/{token}", "/avis/x", None) },
    Row { statuses: [410; 7], ..sent("/avis/{token}", "/avis/x", None) },
    Row { verb: "GET", statuses: [410; 7], ..sent("/en/avis/{token}", "/en/avis/x", None) },
    Row { statuses: [410; 7], ..sent("/en/avis/{token}", "/en/avis/x", None) },
];

/// Puts the numbers of things made anew into a path: `{review}` as `7/reviews/3`, `{report}` as `7/field-reports/3`.
pub async fn with_records(app: &TestApp, example_path: &str) -> String {
    let is_review = example_path.contains("{review}");
    if !is_review && !example_path.contains("{report}") {
        return example_path.to_owned();
    }
    let parcours = made(&app.editor_of("morvan"), "Lac", json!({})).await["id"].as_i64().unwrap();
    let of = (ParcoursId(parcours), WhiteLabelId(app.white_label("morvan").await.0));
    let (tx, now) = (app.store().begin().await.unwrap(), app.app().now());
    let path = if is_review {
        let said = NewReview { rating: 4, text: "Beau.".to_owned(), ..NewReview::default() };
        let id = insert_review(&tx, of, &said, &[0; 32], now).await.unwrap();
        confirm(&tx, id, now).await.unwrap();
        example_path.replace("{review}", &format!("{parcours}/reviews/{id}"))
    } else {
        let id = insert_report(&tx, of, &NewReport::default(), None, &[0; 32], now).await.unwrap();
        let key = format!("report/{id}.jpeg");
        app.app().blobs.put(&key, testkit::samples::jpeg(40, 30)).await.unwrap();
        add_photo(&tx, id, &key).await.unwrap();
        example_path.replace("{report}", &format!("{parcours}/field-reports/{id}"))
    };
    tx.commit().await.unwrap();
    path
}
