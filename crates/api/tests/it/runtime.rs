//! Configuration, builds, health.

use macros::app_test;
use serde_json::json;
use store::Dialect;
use store::server::run_sql;
use testkit::TestApp;

#[app_test]
async fn the_web_app_receives_what_it_needs(app: TestApp) {
    let payload = app.anonymous().get("/payload.json").await.expect(200);
    assert_eq!(payload.header("cache-control"), "no-cache");
    let payload = payload.json();
    assert_eq!(payload["product"], "Jalon");
    assert_eq!(payload["locales"], json!(["fr", "en"]));
    assert_eq!(payload["environment"], "none");
    assert_eq!(payload["map"]["style_dark"], "/map/style-dark.json");
    assert_eq!(payload["limits"]["trace_points"], 200_000);
    assert_eq!(payload["profiles"], json!(domain::white_label::PLANNER_PROFILES));
    assert_eq!(payload["reliability_threshold"], 95);
}

#[app_test]
async fn a_newer_build_and_its_route_rules_are_reported(app: TestApp) {
    let app = app.changed(|parts| {
        parts.settings.build_id = "b42".to_owned();
        parts.settings.redirects.insert("/anciens".to_owned(), "/parcours".to_owned());
        parts.settings.redirects.insert("/blog".to_owned(), "https://blog.example".to_owned());
        parts.settings.redirects.insert("/ruse".to_owned(), "//evil.example".to_owned());
    });
    assert_eq!(app.anonymous().get("/builds/latest.json").await.expect(200).json()["id"], "b42");
    let manifest = app.anonymous().get("/builds/meta/b42.json").await.expect(200).json();
    assert_eq!(manifest["matcher"]["static"]["/anciens"], json!({ "redirect": "/parcours" }));
    assert_eq!(manifest["matcher"]["static"]["/blog"], json!({ "redirect": "https://blog.example", "external": true }));
    assert_eq!(manifest["matcher"]["static"]["/ruse"]["external"], true);
    assert_eq!(manifest["prerendered"], json!([]));
    app.anonymous().get("/builds/meta/b42").await.expect(404);
}

#[app_test]
async fn health_reports_the_database_and_the_network(app: TestApp) {
    let health = app.anonymous().get("/health").await.expect(200).json();
    assert_eq!(
        (&health["status"], &health["database"], &health["network"]),
        (&json!("ok"), &json!("ok"), &json!("none"))
    );
    app.store().close().await.unwrap();
    assert_eq!(app.anonymous().get("/health").await.expect(503).json()["status"], "failing");
    let failed = app.anonymous().with("cookie", &format!("authToken={}", "a".repeat(64))).get("/api/v1/session").await;
    let refusal = failed.expect(503);
    assert_eq!(refusal.header("retry-after"), "10");
    assert_eq!(refusal.problem().code, "database/unavailable");
    assert_eq!(refusal.problem().params.len(), 1, "nothing but the time to try again");
    // Pages for visitors say it in words.
    for (page, words) in [("/p/le-lac-1", "Réessayez dans quelques secondes"), ("/en/p/le-lac-1", "Try again in a few")]
    {
        let shown = app.anonymous().get(page).await.expect(503);
        assert_eq!(shown.header("retry-after"), "10");
        assert!(shown.text().contains(words), "{}", shown.text());
    }
    app.anonymous().get("/sitemap.xml").await.expect(503);
}

#[app_test]
async fn a_full_disk_is_a_503_that_says_so_and_saving_works_again_once_there_is_room(app: TestApp) {
    if app.store().dialect() != Dialect::Sqlite {
        return;
    }
    let editor = app.editor_of("morvan");
    let poi = |title: &str, letters: usize| json!({"title": {"fr": title}, "location": [4.1, 47.2], "description": {"fr": format!("<p>{}</p>", "a".repeat(letters))}});
    let tx = app.store().begin().await.unwrap();
    // The file may not grow any more, until this connection is replaced.
    run_sql(&tx, "PRAGMA max_page_count = 1").await.unwrap();
    tx.commit().await.unwrap();
    let refused = editor.post("/api/v1/pois", poi("Plein", 9_000)).await.expect(503);
    assert_eq!((refused.header("retry-after"), refused.problem().code.as_str()), ("10", "storage/full"));
    let made = editor.post("/api/v1/pois", poi("Libre", 9_000)).await.expect(201).json();
    assert_eq!(editor.get("/api/v1/pois").await.expect(200).json()["total"], 1);
    editor.get(format!("/api/v1/pois/{}", made["id"])).await.expect(200);
}

#[app_test]
async fn a_server_failure_reveals_only_the_request_number(app: TestApp) {
    let tx = app.store().begin().await.unwrap();
    run_sql(&tx, "ALTER TABLE session RENAME TO gone").await.unwrap();
    tx.commit().await.unwrap();
    let failed = app.anonymous().with("cookie", &format!("authToken={}", "a".repeat(64))).get("/api/v1/session").await;
    let refusal = failed.expect(500);
    assert_eq!(refusal.problem().code, "internal");
    assert_eq!(refusal.problem().params["request_id"], refusal.header("x-request-id"));
    assert_eq!(refusal.problem().params.len(), 1, "nothing else leaks");
}

#[app_test]
async fn probes_name_what_fails_and_liveness_fails_only_where_a_restart_helps(app: TestApp) {
    let probed = |app: &TestApp| {
        let client = app.anonymous();
        async move { client.get("/readyz").await }
    };
    let ready = probed(&app).await.expect(200).json();
    let parts = ["status", "database", "schema", "blobs", "network", "tiles", "disk"].map(|part| ready[part].clone());
    assert_eq!(parts, ["ready", "ok", "ok", "ok", "none", "none", "ok"].map(|word| json!(word)));

    let file = app.scratch().path().join("a-file");
    std::fs::write(&file, "").unwrap();
    let broken = store::Blobs::folder(&app.scratch().path().join("elsewhere")).unwrap();
    std::fs::remove_dir_all(app.scratch().path().join("elsewhere")).unwrap();
    std::fs::rename(&file, app.scratch().path().join("elsewhere")).unwrap();
    let without_blobs = app.changed(|parts| parts.blobs = broken);
    let degraded = probed(&without_blobs).await.expect(200).json();
    assert_eq!((&degraded["status"], &degraded["blobs"]), (&json!("degraded"), &json!("failing")));

    let stopping = app.changed(|_| {});
    api::runtime::begin_stop(stopping.app());
    assert_eq!(probed(&stopping).await.expect(503).json()["status"], "stopping");
    stopping.anonymous().get("/livez").await.expect(200);
    stopping.anonymous().get("/payload.json").await.expect(200);

    let tx = app.store().begin().await.unwrap();
    run_sql(&tx, "DELETE FROM seaql_migrations WHERE version LIKE 'm0045%'").await.unwrap();
    tx.commit().await.unwrap();
    let older = probed(&app.changed(|_| {})).await.expect(503).json();
    assert_eq!(
        (&older["status"], &older["database"], &older["schema"]),
        (&json!("not_ready"), &json!("ok"), &json!("failing"))
    );

    let away = app.changed(|_| {});
    away.store().close().await.unwrap();
    let away_says = probed(&away).await.expect(503).json();
    assert_eq!((&away_says["status"], &away_says["database"]), (&json!("not_ready"), &json!("failing")));
    away.anonymous().get("/livez").await.expect(200);
}

#[app_test]
async fn a_database_that_takes_no_writes_is_not_ready(app: TestApp) {
    // SQLite: the test of the store takes the right to write the file away.
    if app.store().dialect() == Dialect::Sqlite {
        return;
    }
    let only_reads = app
        .reopened(|settings| {
            let start = if settings.url.contains('?') { '&' } else { '?' };
            settings.url.push(start);
            settings.url.push_str("options[default_transaction_read_only]=on");
        })
        .await;
    let found = only_reads.anonymous().get("/readyz").await.expect(503).json();
    assert_eq!(
        (&found["status"], &found["database"], &found["schema"]),
        (&json!("not_ready"), &json!("failing"), &json!("ok"))
    );
    only_reads.store().close().await.unwrap();
}

#[app_test]
async fn the_answering_server_is_listed_as_running_even_if_it_cannot_write_its_row(app: TestApp) {
    api::status::note(app.app(), app.app().now()).await.unwrap();
    let tx = app.store().begin().await.unwrap();
    run_sql(&tx, "UPDATE node SET disk_free = 1, disk_total = 2").await.unwrap();
    tx.commit().await.unwrap();
    app.clock().advance_s(3_600);
    let status = app.superadmin().get("/api/v1/status").await.expect(200).json();
    assert_eq!(status["servers_running"], 1);
    let server = &status["servers"][0];
    assert_eq!((&server["is_this"], &server["is_running"]), (&json!(true), &json!(true)));
    assert!(server["disk_total"].as_u64().unwrap() > 2, "the room of now: {server}");
}
