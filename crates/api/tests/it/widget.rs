//! The widget on other sites: its key, the sites it works on, what it reaches, its page for frames.

use std::borrow::Cow;
use std::sync::Arc;

use app::{Asset, Assets};
use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, TestApp};

use crate::parcours_kit::{eastward, gpx, imported, made, now, patch, published};

const PARCOURS: &str = "/api/public/v1/parcours";

async fn patch_white_label(app: &TestApp, white_label: &str, fields: Value) {
    let id = app.white_label(white_label).await;
    app.superadmin().with("if-match", "*").patch(format!("/api/v1/white-labels/{id}"), fields).await.expect(200);
}

/// The data of the screen about a white-label's widget.
async fn widget_settings(app: &TestApp, by: &Client, white_label: &str) -> Value {
    let id = app.white_label(white_label).await;
    by.get(format!("/api/v1/white-labels/{id}/widget")).await.expect(200).json()
}

async fn key(app: &TestApp, white_label: &str) -> String {
    let settings = widget_settings(app, &app.superadmin(), white_label).await;
    settings["key"].as_str().expect("a key is a text").to_owned()
}

/// A published parcours of the Morvan that no other site or application may show.
async fn undistributed_parcours(app: &TestApp) -> i64 {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Tour du lac", json!({})).await;
    imported(&editor, &parcours, "lac.gpx", gpx(&eastward())).await.expect(200);
    let parcours = now(&editor, &parcours).await;
    let parcours = patch(&editor, &parcours, json!({"distribute_own": false, "distribute_partners": false})).await;
    published(&editor, &parcours).await["id"].as_i64().expect("a number")
}

#[app_test]
async fn the_key_of_pages_gives_access_to_the_data_of_the_widget_only(app: TestApp) {
    let lake = undistributed_parcours(&app).await;
    let key = key(&app, "morvan").await;
    let list = app.anonymous().get(format!("{PARCOURS}?key={key}&fields=id,title")).await.expect(200).json();
    assert_eq!(list["items"][0]["id"], lake, "what its passport lets into widgets, whatever applications get");
    let one = app.anonymous().get(format!("{PARCOURS}/{lake}?key={key}")).await.expect(200).json();
    assert!(one["line"].as_array().is_some_and(|line| line.len() > 1));
    // Each refusal says which key was sent and where to find the right one.
    for (language, words) in [("fr", "Cette clé est celle des pages"), ("en", "This is the key of pages")] {
        for _ in 0..40 {
            let file = format!("/api/public/v1/open-data/cirkwi.xml?key={key}&language={language}");
            let refused = app.anonymous().get(file).await.expect(401);
            assert!(refused.text().contains(words), "{}", refused.text());
            assert_eq!(refused.problem().code, "feed/key-of-pages");
        }
    }
    // The dialect of Geotrek lists only what may go to other applications, whatever the key.
    let treks = app.anonymous().get(format!("/api/v2/trek/?key={key}")).await.expect(200).json();
    assert_eq!(treks["count"], 0, "it is handed to no application");
    let theirs = self::key(&app, "vercors").await;
    app.anonymous().get(format!("{PARCOURS}/{lake}?key={theirs}")).await.expect(404);
    let forged = key.replace('w', "w9");
    app.anonymous().get(format!("{PARCOURS}?key={forged}")).await.expect(401);
    // With the key of an unpublished white-label the list is empty.
    patch_white_label(&app, "morvan", json!({"published": false})).await;
    let list = app.anonymous().get(format!("{PARCOURS}?key={key}&fields=id")).await.expect(200).json();
    assert_eq!(list["total"], 0);
}

#[app_test]
async fn answers_are_cached_separately_for_the_secret_key_and_the_key_of_pages(app: TestApp) {
    undistributed_parcours(&app).await;
    let id = app.white_label("morvan").await;
    let keeper = app.superadmin().with("if-match", "*");
    let made = keeper.post(format!("/api/v1/white-labels/{id}/api-key"), json!({})).await.expect(201).json();
    let handed_out = made["key"].as_str().unwrap().to_owned();
    let pages = key(&app, "morvan").await;
    for (key, total) in [(&pages, 1), (&handed_out, 0), (&pages, 1)] {
        let list = app.anonymous().with("x-api-key", key).get(format!("{PARCOURS}?fields=id")).await.expect(200);
        assert_eq!(list.json()["total"], total);
    }
}

#[app_test]
async fn a_site_that_is_not_allowed_is_refused_with_a_readable_reason(app: TestApp) {
    patch_white_label(&app, "morvan", json!({"allowed_origins": ["https://mairie.example"]})).await;
    let asked = format!("{PARCOURS}?key={}", key(&app, "morvan").await);
    let allowed = app.anonymous().with("origin", "https://mairie.example").get(&asked).await.expect(200);
    assert_eq!(allowed.header("access-control-allow-origin"), "https://mairie.example");
    let other = app.anonymous().with("origin", "https://evil.example").get(&asked).await.expect(403);
    assert_eq!(other.problem().code, "feed/origin");
    assert!(other.text().contains("https://evil.example"), "{}", other.text());
    assert_eq!(other.header("access-control-allow-origin"), "https://evil.example", "its script reads the refusal");
    // Allowed to the Morvan is not allowed to the Vercors.
    let theirs = format!("{PARCOURS}?key={}", key(&app, "vercors").await);
    app.anonymous().with("origin", "https://mairie.example").get(theirs).await.expect(403);
}

#[app_test]
async fn the_widget_screen_has_the_addresses_and_origins_of_its_own_white_labels_only(app: TestApp) {
    patch_white_label(&app, "morvan", json!({"allowed_origins": ["https://mairie.example"]})).await;
    let facts = widget_settings(&app, &app.reader_of("morvan"), "morvan").await;
    assert_eq!(facts["script_url"], "http://localhost:8080/widget/v1.js");
    assert_eq!(facts["frame_url"], "http://localhost:8080/widget/v1/frame");
    assert!(facts["origins"].as_array().unwrap().contains(&json!("https://mairie.example")));
    assert_eq!((facts["open"].clone(), facts["color"].is_string()), (json!(true), true));
    assert_eq!(facts, widget_settings(&app, &app.editor_of("morvan"), "morvan").await, "the key is the same each time");
    let morvan = app.white_label("morvan").await;
    let reply = app.editor_of("vercors").get(format!("/api/v1/white-labels/{morvan}/widget")).await.expect(404);
    assert_eq!(reply.problem().code, "white-label/not-found");
}

#[app_test]
async fn only_allowed_sites_may_frame_the_widget_and_others_get_an_explanation(app: TestApp) {
    patch_white_label(&app, "morvan", json!({"allowed_origins": ["https://mairie.example"]})).await;
    let asked =
        format!("/widget/v1/frame?key={}&show=list&themes=1,2&lang=en&color=%230b5f50", key(&app, "morvan").await);
    let from = |referer: &str| app.anonymous().with("referer", referer);
    for client in [from("https://mairie.example/randos"), from("http://localhost:8080/widget"), app.anonymous()] {
        let page = client.get(&asked).await.expect(200);
        let policy = page.header("content-security-policy").to_owned();
        let framed_by = policy.split("frame-ancestors ").nth(1).unwrap_or_default();
        assert!(framed_by.starts_with("'self'") && framed_by.contains("https://mairie.example"), "{policy}");
        assert!(page.text().contains(r#"show="list" themes="1,2" lang="en""#), "{}", page.text());
        assert!(page.text().contains(r#"src="/widget/v1.js""#) && page.text().contains(r#"<html lang="en">"#));
    }
    let other = from("https://evil.example/").get(&asked).await.expect(403);
    assert!(
        other.text().contains("https://evil.example") && !other.text().contains("jalon-widget"),
        "{}",
        other.text()
    );
    let unknown = app.anonymous().get("/widget/v1/frame?key=w1-0&lang=fr").await.expect(401);
    assert!(unknown.text().contains("n’est celle d’aucune marque blanche"), "{}", unknown.text());
    // The text of the address stays within an attribute.
    let bad = format!("{asked}&ids=%22%3E%3Cscript%3Ealert(1)%3C/script%3E");
    assert!(!app.anonymous().get(bad).await.expect(200).text().contains("<script>"));
    // No other page may be framed.
    let page = app.anonymous().get("/robots.txt").await.expect(200);
    assert!(page.header("content-security-policy").ends_with("frame-ancestors 'none'"));
}

#[app_test]
async fn the_widget_map_has_our_style_or_the_operators_and_may_be_loaded_by_other_sites(app: TestApp) {
    let style = app.anonymous().get("/widget/v1/map-style?locale=en").await.expect(307);
    assert_eq!(style.header("location"), "/map/style-light.json?locale=en");
    let theirs = app.changed(|parts| parts.settings.map_style_url = Some("https://cartes.example/style.json".into()));
    let style = theirs.anonymous().get("/widget/v1/map-style").await.expect(307);
    assert_eq!(style.header("location"), "https://cartes.example/style.json");
    for path in [
        "/widget/v1/map-style",
        "/map/style-light.json",
        "/map/sprite/light.json",
        "/map/glyphs/Noto%20Sans%20Regular/0-255.pbf",
    ] {
        let reply = app.anonymous().with("origin", "https://mairie.example").get(path).await;
        assert_eq!(reply.header("access-control-allow-origin"), "*", "{path}");
    }
}

struct Built;

impl Assets for Built {
    fn get(&self, path: &str) -> Option<Asset> {
        let known =
            ["widget/v1.js", "public-page/widget-map.js", "public-page/chunks/maplibre-1a.js", "assets/app-1a.js"];
        known.contains(&path).then(|| Asset {
            bytes: Cow::Borrowed(b"1"),
            mime: "text/javascript".into(),
            etag: "e".into(),
        })
    }
}

#[app_test]
async fn every_site_may_load_the_widget_script_and_its_map_and_gets_updates_within_an_hour(app: TestApp) {
    let app = app.changed(|parts| parts.assets = Arc::new(Built));
    for (path, open_to, kept) in [
        ("/widget/v1.js", "*", "max-age=3600"),
        ("/public-page/widget-map.js", "*", "no-cache"),
        ("/public-page/chunks/maplibre-1a.js", "*", "immutable"),
        ("/assets/app-1a.js", "", "immutable"),
    ] {
        let file = app.anonymous().get(path).await.expect(200);
        assert_eq!(file.header("access-control-allow-origin"), open_to, "{path}");
        assert!(file.header("cache-control").contains(kept), "{path}: {}", file.header("cache-control"));
    }
}
