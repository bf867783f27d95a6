//! Rows of the matrix: translation services, texts, jobs.

use serde_json::json;
use testkit::TestApp;

use crate::matrix::{Row, row};

/// Only users who manage a white-label's settings see them.
const SEEN: [u16; 7] = [401, 404, 404, 404, 404, 200, 200];

const fn platform(status: u16) -> [u16; 7] {
    [401, 403, 403, 403, 403, 403, status]
}

/// Records of another white-label are not found.
const fn ours(status: u16) -> [u16; 7] {
    [401, 403, 404, status, status, status, status]
}

const ONE: &str = r#"{"name":"DeepL"}"#;
const TEXTS: &str = r#"{"kind":"poi","source":"fr","target":"fr","fields":{}}"#;
const JOB: &str = r#"{"kind":"poi","source":"fr","target":"en"}"#;

const MODEL: &str = r#"{"enabled":false}"#;
const TEXT: &str = r#"{"id":1,"task":"summary","field":"nothing","language":"fr"}"#;

/// Statuses for people who manage the settings of the white-label.
const fn keepers(status: u16) -> [u16; 7] {
    [401, 403, 403, 403, 403, status, status]
}

pub const ROWS: &[Row] = &[
    row!("GET" "content.write" "/api/v1/assistant/{kind}/{id}", "/api/v1/assistant/media/{media}", None, [401, 403, 404, 200, 200, 200, 200]),
    row!("POST" "content.write" "/api/v1/assistant/texts", "/api/v1/assistant/texts", Some(TEXT), [401, 403, 422, 422, 422, 422, 422]),
    row!("GET" "settings.manage" "/api/v1/white-labels/{id}/assistant", "/api/v1/white-labels/{white_label}/assistant", None, keepers(200)),
    row!("PUT" "settings.manage" "/api/v1/white-labels/{id}/assistant", "/api/v1/white-labels/{white_label}/assistant", Some(MODEL), keepers(200)),
    row!("PUT" "settings.manage" "/api/v1/white-labels/{id}/assistant/key", "/api/v1/white-labels/{white_label}/assistant/key", Some(r#"{"key":"abc"}"#), keepers(204)),
    row!("DELETE" "settings.manage" "/api/v1/white-labels/{id}/assistant/key", "/api/v1/white-labels/{white_label}/assistant/key", None, keepers(204)),
    row!("POST" "settings.manage" "/api/v1/white-labels/{id}/assistant/test", "/api/v1/white-labels/{white_label}/assistant/test", None, keepers(409)),
    row!("GET" "settings.manage" "/api/v1/translators", "/api/v1/translators", None, [401, 403, 403, 403, 403, 200, 200]),
    row!("POST" "translators.manage" "/api/v1/translators", "/api/v1/translators", Some(ONE), platform(201)),
    row!("GET" "content.read" "/api/v1/translators/{id}", "/api/v1/translators/{translator}", None, SEEN),
    row!("PATCH" "translators.manage" "/api/v1/translators/{id}", "/api/v1/translators/{translator}", Some(ONE), platform(200)),
    row!("DELETE" "translators.manage" "/api/v1/translators/{id}", "/api/v1/translators/{translator}", None, platform(204)),
    row!("GET" "content.read" "/api/v1/translators/{id}/uses", "/api/v1/translators/{translator}/uses", None, SEEN),
    row!("GET" "content.read" "/api/v1/translators/{id}/revisions", "/api/v1/translators/{translator}/revisions", None, SEEN),
    row!("GET" "content.read" "/api/v1/translators/{id}/revisions/{version}", "/api/v1/translators/{translator}/revisions/1", None, SEEN),
    row!("POST" "translators.manage" "/api/v1/translators/{id}/revisions/{version}/restoration",
        "/api/v1/translators/{translator}/revisions/1/restoration", Some("{}"), platform(200)),
    row!("PUT" "translators.manage" "/api/v1/translators/{id}/key", "/api/v1/translators/{translator}/key", Some(r#"{"key":"abc"}"#), platform(204)),
    row!("DELETE" "translators.manage" "/api/v1/translators/{id}/key", "/api/v1/translators/{translator}/key", None, platform(204)),
    row!("POST" "translators.manage" "/api/v1/translators/{id}/test", "/api/v1/translators/{translator}/test", None, platform(409)),
    row!("POST" "content.write" "/api/v1/translations", "/api/v1/translations", Some(TEXTS), [401, 403, 422, 422, 422, 422, 422]),
    row!("GET" "content.read" "/api/v1/texts/{kind}/{id}", "/api/v1/texts/poi/{poi}", None, [401, 200, 404, 200, 200, 200, 200]),
    row!("POST" "content.write" "/api/v1/translation-jobs", "/api/v1/translation-jobs", Some(JOB), [401, 403, 409, 409, 409, 409, 409]),
    row!("POST" "content.write" "/api/v1/translation-jobs/estimate", "/api/v1/translation-jobs/estimate", Some(JOB), [401, 403, 409, 409, 409, 409, 409]),
    row!("GET" "content.write" "/api/v1/translation-jobs", "/api/v1/translation-jobs", None, [401, 403, 200, 200, 200, 200, 200]),
    row!("GET" "content.write" "/api/v1/translation-jobs/{id}", "/api/v1/translation-jobs/{translation_job}", None, ours(200)),
    row!("GET" "content.write" "/api/v1/translation-jobs/{id}/lines", "/api/v1/translation-jobs/{translation_job}/lines", None, ours(200)),
    row!("POST" "content.write" "/api/v1/translation-jobs/{id}/cancellation", "/api/v1/translation-jobs/{translation_job}/cancellation", None, ours(204)),
    // The job is at work: nothing holds it up.
    row!("POST" "content.write" "/api/v1/translation-jobs/{id}/resumption", "/api/v1/translation-jobs/{translation_job}/resumption", None, ours(409)),
];

/// Makes the records that the placeholders of a path name, and puts their numbers into the path.
pub async fn with_records(app: &TestApp, example_path: &str) -> String {
    let mut path = example_path.to_owned();
    let keeper = app.superadmin();
    if example_path.contains("{translator}") {
        let made = keeper.post("/api/v1/translators", json!({"name": "DeepL"})).await.expect(201).json();
        path = path.replace("{translator}", &made["id"].to_string());
    }
    if example_path.ends_with("/assistant/key") || example_path.ends_with("/assistant/test") {
        // A key is entered for an address; without one there is nothing to test.
        let own = format!("/api/v1/white-labels/{}/assistant", app.white_label("morvan").await.0);
        let address = example_path.ends_with("/key").then_some("https://model.example/v1");
        let settings = json!({"base_url": address, "model": "m"});
        keeper.clone().with("if-match", "*").put(own, settings).await.expect(200);
    }
    if example_path.contains("{translation_job}") {
        let admin = app.admin_of("morvan");
        let own = app.white_label("morvan").await;
        let key = format!("/api/v1/white-labels/{}/translation-key", own.0);
        admin.clone().with("if-match", "*").put(&key, json!({"key": "abc:fx"})).await.expect(204);
        let job = json!({"kind": "poi", "source": "fr", "target": "en", "ids": []});
        let made = app.editor_of("morvan").post("/api/v1/translation-jobs", job).await.expect(202).json();
        admin.with("if-match", "*").delete(&key).await.expect(204);
        path = path.replace("{translation_job}", &made["id"].to_string());
    }
    path
}
