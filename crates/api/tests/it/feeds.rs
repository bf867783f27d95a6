//! Public feeds over HTTP: keys, what each client gets, and the formats.

use std::sync::Arc;

use axum::body::Body;
use axum::http::Method;
use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, Reply, TestApp};

use crate::parcours_kit::{eastward, gpx, imported, made, now, patch, path, published, put_trace, version};

/// Makes a new API key of a white-label; returns it.
pub async fn new_api_key(app: &TestApp, white_label: &str) -> String {
    let id = app.white_label(white_label).await;
    let reply =
        app.superadmin().with("if-match", "*").post(format!("/api/v1/white-labels/{id}/api-key"), json!({})).await;
    reply.expect(201).json()["key"].as_str().expect("a key is a text").to_owned()
}

/// A client of a third party, with a new API key of a white-label.
pub async fn api_client(app: &TestApp, white_label: &str) -> Client {
    app.anonymous().with("x-api-key", &new_api_key(app, white_label).await)
}

pub async fn patch_white_label(app: &TestApp, white_label: &str, fields: Value) {
    let id = app.white_label(white_label).await;
    app.superadmin().with("if-match", "*").patch(format!("/api/v1/white-labels/{id}"), fields).await.expect(200);
}

/// The address of the changes of parcours that are made after this.
pub async fn changes_from_now(app: &TestApp, client: &Client) -> String {
    app.clock().advance_s(600);
    let begun = client.get("/api/public/v1/parcours/changes?since=2000-01-01").await.expect(200).json();
    app.clock().advance_s(600);
    format!("/api/public/v1/parcours/changes?since={}", begun["until"].as_str().expect("an instant"))
}

/// The numbers of changed parcours: those that were saved, and those that are gone.
pub async fn changed(client: &Client, asked: String) -> (Vec<i64>, Value) {
    let page = client.get(asked).await.expect(200).json();
    let updated = page["updated"].as_array().expect("a list").iter().map(id).collect();
    (updated, page["removed"].clone())
}

/// The number of the item of a reference list that has this code.
pub async fn term(app: &TestApp, kind: &str, code: &str) -> i64 {
    let list = app.reader_of("morvan").get(format!("/api/v1/vocabularies/{kind}")).await.expect(200).json();
    let items = list["items"].as_array().or_else(|| list.as_array()).expect("a list").clone();
    let found = items.iter().find(|item| item["code"] == code).expect("it is in the list");
    found["id"].as_i64().expect("a number")
}

/// A published parcours of the Morvan that is complete for every channel: texts, departure and arrival, practice, trace, a picture with its author.
pub async fn distributed_parcours(app: &TestApp, title: &str) -> Value {
    distributed_parcours_of(app, "morvan", title).await
}

/// A published parcours of a white-label that is complete for every channel.
pub async fn distributed_parcours_of(app: &TestApp, white_label: &str, title: &str) -> Value {
    let editor = app.editor_of(white_label);
    let picture = app.media().owned_by(white_label).made().insert().await;
    let fields = json!({
        "title": {"fr": title, "en": "Around the lake"},
        "summary": {"fr": "Une journée facile."},
        "description": {"fr": "<p>Au départ de la <strong>halle</strong>.</p>"},
        "practice_type_id": term(app, "practice_type", "randonnee").await,
        "level_id": term(app, "level", "general-facile").await,
        "theme_ids": [term(app, "parcours_theme", "lac").await],
        "marking_ids": [term(app, "marking", "gr").await],
        "media_ids": [picture.id],
        "is_loop": false,
        "distribute_own": true,
        "distribute_partners": true,
        "booking_url": "https://reserver.example/lac",
    });
    let parcours = made(&editor, title, fields).await;
    imported(&editor, &parcours, "lac.gpx", gpx(&eastward())).await.expect(200);
    let parcours = now(&editor, &parcours).await;
    let steps = json!([
        {"kind": "departure", "title": {"fr": "La halle"}, "position": [4.0, 47.0], "description": {"fr": "Passer l’arche."}},
        {"kind": "arrival", "title": {"fr": "La source"}, "position": [4.01, 47.0]},
    ]);
    let parcours = patch(&editor, &parcours, json!({ "steps": steps })).await;
    published(&editor, &parcours).await
}

async fn ids(by: &Client, asked: &str) -> Vec<i64> {
    let page = by.get(asked).await.expect(200).json();
    let items = page["items"].as_array().or_else(|| page["results"].as_array()).expect("a page").clone();
    items.iter().map(|item| item["id"].as_i64().expect("a number")).collect()
}

pub fn id(parcours: &Value) -> i64 {
    parcours["id"].as_i64().expect("a number")
}

/// A problem that says in words of a language what is wrong.
fn refused(reply: Reply, status: u16, code: &str, words: &str) -> Reply {
    let reply = reply.expect(status);
    let problem = reply.json();
    assert_eq!(problem["code"], code);
    let detail = problem["detail"].as_str().unwrap_or_default();
    assert!(detail.contains(words), "{detail}");
    reply
}

#[app_test]
async fn a_feed_requires_a_key_and_refuses_in_the_language_of_the_request(app: TestApp) {
    let nobody = app.anonymous();
    refused(nobody.get("/api/v2/trek/").await, 401, "feed/key-required", "clé d’API");
    let english = nobody.with("accept-language", "en-GB, fr;q=0.5");
    refused(english.get("/api/public/v1/parcours").await, 401, "feed/key-required", "needs an API key");
    let wrong = app.anonymous().with("x-api-key", &"0".repeat(64));
    refused(wrong.get("/api/v2/trek/?language=en").await, 401, "feed/key-unknown", "No white-label");
    refused(app.anonymous().get("/api/v2/trek/?key=abc").await, 401, "feed/key-unknown", "d’aucune marque blanche");
    // A session is no key.
    refused(app.superadmin().get("/api/public/v1/pois").await, 401, "feed/key-required", "clé");
}

#[app_test]
async fn a_key_is_read_from_a_header_a_bearer_token_or_the_address_until_it_is_revoked(app: TestApp) {
    let key = new_api_key(&app, "morvan").await;
    app.anonymous().with("x-api-key", &key).get("/api/v2/trek/").await.expect(200);
    for scheme in ["Bearer", "bearer", "BEARER"] {
        app.anonymous().with("authorization", &format!("{scheme} {key}")).get("/api/v2/trek/").await.expect(200);
    }
    app.anonymous().get(format!("/api/v2/trek/?key={key}")).await.expect(200);
    let white_label = app.white_label("morvan").await;
    app.superadmin()
        .with("if-match", "*")
        .delete(format!("/api/v1/white-labels/{white_label}/api-key"))
        .await
        .expect(204);
    let reply = app.anonymous().with("x-api-key", &key).get("/api/v2/trek/").await;
    refused(reply, 401, "feed/key-unknown", "n’est celle d’aucune");
}

#[app_test]
async fn only_allowed_origins_may_send_requests_from_a_browser(app: TestApp) {
    patch_white_label(&app, "morvan", json!({"allowed_origins": ["https://Mairie.example/"]})).await;
    let key = new_api_key(&app, "morvan").await;
    let page = |origin: &str| app.anonymous().with("x-api-key", &key).with("origin", origin);
    let allowed = page("https://mairie.example").get("/api/v2/trek/").await.expect(200);
    assert_eq!(allowed.header("access-control-allow-origin"), "https://mairie.example");
    assert!(allowed.header("vary").to_lowercase().contains("origin"), "{}", allowed.header("vary"));
    let other = page("https://evil.example").get("/api/v2/trek/").await;
    let other = refused(other, 403, "feed/origin", "https://evil.example");
    assert_eq!(other.header("access-control-allow-origin"), "https://evil.example", "its page reads why");
    // Our own pages are always allowed; a client that is not a browser sends no origin.
    page("http://localhost:8080").get("/api/v2/trek/").await.expect(200);
    // The site is allowed to the Morvan, not to the key of the Vercors.
    let theirs = api_client(&app, "vercors").await.with("origin", "https://mairie.example");
    refused(theirs.get("/api/v2/trek/").await, 403, "feed/origin", "https://mairie.example");
    let bad = app.white_label("morvan").await;
    let reply = app
        .superadmin()
        .with("if-match", "*")
        .patch(format!("/api/v1/white-labels/{bad}"), json!({"allowed_origins": ["https://mairie.example/page"]}))
        .await
        .expect(422);
    assert!(reply.text().contains("white-label/origin"), "{}", reply.text());
}

#[app_test]
async fn a_cors_preflight_request_is_answered(app: TestApp) {
    patch_white_label(&app, "morvan", json!({"allowed_origins": ["https://mairie.example"]})).await;
    let ask = async |origin: &str| {
        let client = app.anonymous().with("origin", origin).with("access-control-request-method", "GET");
        client.send(Method::OPTIONS, "/api/v2/trek/", None, Body::empty()).await
    };
    let allowed = ask("https://mairie.example").await.expect(204);
    assert_eq!(allowed.header("access-control-allow-origin"), "https://mairie.example");
    assert!(allowed.header("access-control-allow-headers").contains("x-api-key"));
    // The question itself is refused, with words that its page may read.
    ask("https://evil.example").await.expect(204);
    let nobody = app.anonymous().with("origin", "https://evil.example");
    let reply = refused(nobody.get("/api/v2/trek/").await, 401, "feed/key-required", "clé d’API");
    assert_eq!(reply.header("access-control-allow-origin"), "https://evil.example");
    // A portal that sends a report, which is not taken here, can show why.
    let address = address_of(&app, "morvan").await;
    for at in ["feedback_report/", "trek/"] {
        let page = app.anonymous().with("origin", "https://mairie.example").with("sec-fetch-site", "cross-site");
        let reply = page.post(format!("{address}{at}"), json!({})).await;
        let reply = refused(reply, 405, "request/method-not-allowed", "action");
        assert_eq!(reply.header("access-control-allow-origin"), "https://mairie.example");
    }
}

/// The address of the API that a screen hands out for the widget of Geotrek.
async fn address_of(app: &TestApp, white_label: &str) -> String {
    let id = app.white_label(white_label).await;
    let answer = app.superadmin().get(format!("/api/v1/white-labels/{id}/widget")).await.expect(200).json();
    answer["geotrek"]["api_url"].as_str().expect("an address").replace("http://localhost:8080", "")
}

#[app_test]
async fn an_address_that_carries_the_key_of_pages_opens_the_dialect_to_allowed_sites(app: TestApp) {
    patch_white_label(&app, "morvan", json!({"allowed_origins": ["https://mairie.example"]})).await;
    let trek = distributed_parcours(&app, "Tour du lac").await;
    distributed_parcours(&app, "Tour du bois").await;
    let address = address_of(&app, "morvan").await;
    assert!(address.starts_with("/k/w") && address.ends_with("/api/v2/"), "{address}");
    let page = app.anonymous().with("origin", "https://mairie.example");
    let list = page.get(format!("{address}trek/?page_size=1")).await.expect(200);
    assert_eq!(list.header("access-control-allow-origin"), "https://mairie.example");
    // Addresses in an answer carry the key of the request.
    let list = list.json();
    let local = |url: &Value| url.as_str().expect("an address").replace("http://localhost:8080", "");
    let one = &list["results"][0];
    for url in [&list["next"], &one["url"], &one["altimetric_profile"]] {
        assert!(local(url).starts_with(&address), "{url}");
        page.get(local(url)).await.expect(200);
    }
    assert_eq!(one["id"], trek["id"]);
    // Our own feeds have the same access rules.
    let own = address.replace("/api/v2/", "/api/public/v1/");
    for path in ["parcours", "pois", "parcours/changes?since=2026-01-01"] {
        page.get(format!("{own}{path}")).await.expect(200);
    }
    page.get(format!("{own}parcours/{}", trek["id"])).await.expect(200);
    page.get(format!("{own}parcours/{}/trace.gpx", trek["id"])).await.expect(200);
    // Another site may read why it is refused; another white-label's key opens nothing here; a forged key is unknown.
    let other = app.anonymous().with("origin", "https://evil.example").get(format!("{address}trek/")).await;
    let other = refused(other, 403, "feed/origin", "https://evil.example");
    assert_eq!(other.header("access-control-allow-origin"), "https://evil.example");
    let theirs = address_of(&app, "vercors").await;
    app.anonymous().get(format!("{theirs}trek/{}/", trek["id"])).await.expect(404);
    let forged = address.replace("/k/w", "/k/w9");
    refused(app.anonymous().get(format!("{forged}trek/")).await, 401, "feed/key-unknown", "marque blanche");
}

#[app_test]
async fn a_secret_key_does_not_open_in_an_address(app: TestApp) {
    let secret = new_api_key(&app, "morvan").await;
    for path in ["api/v2/trek/", "api/public/v1/parcours"] {
        let reply = app.anonymous().with("origin", "https://mairie.example").get(format!("/k/{secret}/{path}")).await;
        let reply = refused(reply, 401, "feed/secret-in-address", "secrète");
        assert_eq!(reply.header("access-control-allow-origin"), "https://mairie.example");
    }
    // A key beside the address does not help one that carries a wrong one.
    app.anonymous().with("x-api-key", &secret).get("/k/w1-0/api/v2/trek/").await.expect(401);
}

#[app_test]
async fn the_domain_of_a_white_label_stands_for_the_key_of_its_pages(app: TestApp) {
    patch_white_label(&app, "morvan", json!({"domain": "https://morvan.carte.localhost"})).await;
    let trek = distributed_parcours(&app, "Tour du lac").await;
    distributed_parcours(&app, "Tour du bois").await;
    let visitor = app.anonymous().with("host", "morvan.carte.localhost");
    let list = visitor.get("/api/v2/trek/?page_size=1").await.expect(200).json();
    assert_eq!(list["results"][0]["id"], trek["id"]);
    assert_eq!(list["next"], "https://morvan.carte.localhost/api/v2/trek/?page_size=1&page=2");
    let url = format!("https://morvan.carte.localhost/api/v2/trek/{}/", trek["id"]);
    assert_eq!(list["results"][0]["url"], url);
    let other = app.anonymous().with("host", "nobody.carte.localhost").get("/api/v2/trek/").await;
    refused(other, 401, "feed/key-required", "clé d’API");
    // It opens no file of open data, and no key was sent.
    let file = visitor.get("/api/public/v1/open-data/cirkwi.xml").await;
    refused(file, 401, "feed/key-required", "clé d’API");
    let evil = visitor.with("origin", "https://evil.example").get("/api/v2/trek/").await;
    refused(evil, 403, "feed/origin", "evil");
}

#[app_test]
async fn each_picture_has_its_own_file_address(app: TestApp) {
    distributed_parcours(&app, "Tour du lac").await;
    distributed_parcours(&app, "Tour du bois").await;
    let client = api_client(&app, "morvan").await;
    let list = client.get("/api/v2/trek/?fields=attachments").await.expect(200).json();
    let mut names = std::collections::BTreeSet::new();
    for trek in list["results"].as_array().expect("a list") {
        for field in ["url", "thumbnail"] {
            let url = trek["attachments"][0][field].as_str().expect("an address").to_owned();
            assert!(url.ends_with(".jpg") && !url.contains('?'), "{url}");
            let name = url.rsplit('/').next().unwrap_or_default().to_owned();
            assert!(name.contains("-v1."), "{name}");
            names.insert(name);
            let picture = app.anonymous().get(url.replace("http://localhost:8080", "")).await.expect(200);
            assert_eq!(picture.header("content-type"), "image/jpeg");
            assert!(picture.header("cache-control").contains("immutable"), "{}", picture.header("cache-control"));
            assert_eq!(
                picture.header("access-control-allow-origin"),
                "*",
                "a widget keeps it for when there is no network"
            );
        }
        assert_eq!(trek["attachments"][0]["filetype"]["type"], "Photographie");
    }
    assert!(names.len() >= 2, "each picture has a name of its own: {names:?}");
    let first = names.first().expect("a name").clone();
    let id = first.split('-').next().unwrap_or_default();
    app.anonymous().get(format!("/media/{id}/{}", first.replace("-v1", "-v9"))).await.expect(200);
    app.anonymous().get(format!("/media/{id}/{}", first.replace(".jpg", ".gif"))).await.expect(404);
    app.anonymous().get(format!("/media/{id}/{id}-original-v1.jpg")).await.expect(404);
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
    }
}

/// Where an answer of this server lacks the keys or the types of a real Geotrek's answer. Null: the value is not known here.
fn misfits(ours: &Value, theirs: &[&Value], at: &str, found: &mut Vec<String>) {
    let theirs: Vec<&Value> = theirs.iter().copied().filter(|value| !value.is_null()).collect();
    if ours.is_null() || theirs.is_empty() {
        return;
    }
    if !theirs.iter().any(|value| kind(value) == kind(ours)) {
        found.push(format!("{at}: {} instead of {}", kind(ours), kind(theirs[0])));
        return;
    }
    match ours {
        Value::Array(items) => {
            let each: Vec<&Value> = theirs.iter().flat_map(|list| list.as_array().into_iter().flatten()).collect();
            for item in items {
                misfits(item, &each, &format!("{at}[]"), found);
            }
        }
        Value::Object(fields) => {
            // Objects whose keys are languages or numbers have any of them.
            let is_map = fields.keys().all(|key| key.len() == 2 || key.bytes().all(|byte| byte.is_ascii_digit()));
            let known: std::collections::BTreeSet<&String> =
                theirs.iter().flat_map(|object| object.as_object().into_iter().flat_map(|map| map.keys())).collect();
            let have: std::collections::BTreeSet<&String> = fields.keys().collect();
            if is_map {
                let each: Vec<&Value> = theirs
                    .iter()
                    .flat_map(|object| object.as_object().into_iter().flat_map(|map| map.values()))
                    .collect();
                fields.values().for_each(|value| misfits(value, &each, &format!("{at}.*"), found));
                return;
            }
            if have != known {
                let missing: Vec<_> = known.difference(&have).collect();
                let more: Vec<_> = have.difference(&known).collect();
                found.push(format!("{at}: missing {missing:?}, more {more:?}"));
            }
            for (name, value) in fields {
                let each: Vec<&Value> = theirs.iter().filter_map(|object| object.get(name)).collect();
                misfits(value, &each, &format!("{at}.{name}"), found);
            }
        }
        _ => {}
    }
}

#[app_test]
async fn each_list_has_the_keys_and_types_of_the_recorded_geotrek(app: TestApp) {
    let Some(recorded) = testkit::shared_data().map(|data| data.join("geotrek-2.126/api")).filter(|at| at.is_dir())
    else {
        return testkit::skipped(
            "each_list_has_the_keys_and_types_of_the_recorded_geotrek",
            "../shared/data/geotrek-2.126 is missing",
        );
    };
    let editor = app.editor_of("morvan");
    distributed_parcours(&app, "Tour du lac").await;
    let parent = distributed_parcours(&app, "Le grand tour").await;
    let child = distributed_parcours(&app, "Une étape").await;
    patch(&editor, &child, json!({"relation": "child", "parent_id": parent["id"]})).await;
    for good in [false, true] {
        let poi = app.poi().titled("Le lavoir").at(4.005, 47.001).published().insert().await;
        let fields =
            json!({"distribute": true, "description": {"fr": "<p>À voir.</p>"}, "flags": {"good_address": good}});
        editor.clone().with("if-match", "*").patch(format!("/api/v1/pois/{}", poi.id), fields).await.expect(200);
    }
    let client = api_client(&app, "morvan").await;
    let (mut compared, mut found) = (0, Vec::new());
    for file in std::fs::read_dir(recorded).expect("a folder").flatten() {
        let name = file.file_name().to_string_lossy().trim_end_matches(".json").to_owned();
        let text = std::fs::read_to_string(file.path()).expect("a text");
        let theirs: Value = serde_json::from_str(&text).expect("JSON");
        let reply = client.get(format!("/api/v2/{name}/")).await.expect(200).json();
        let Some(results) = reply["results"].as_array() else {
            misfits(&reply, &[&theirs], &name, &mut found);
            compared += 1;
            continue;
        };
        let theirs: Vec<&Value> = theirs.as_array().expect("a list").iter().collect();
        for ours in results {
            misfits(ours, &theirs, &name, &mut found);
            compared += 1;
        }
    }
    assert!(compared > 40, "only {compared} objects were compared");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[app_test]
async fn information_desks_have_their_position_and_themes_are_in_one_list(app: TestApp) {
    let editor = app.editor_of("morvan");
    let client = api_client(&app, "morvan").await;
    let structure = client.get("/api/v2/structure/").await.expect(200).json()["results"][0]["id"].clone();
    let place = json!({"location": [4.01, 47.02]});
    app.superadmin().with("if-match", "*").patch(format!("/api/v1/structures/{structure}"), place).await.expect(200);
    let desks = client.get("/api/v2/informationdesk/?in_bbox=3.9,46.9,4.1,47.1").await.expect(200).json();
    assert_eq!(desks["results"][0]["longitude"], 4.01);
    assert_eq!(desks["results"][0]["latitude"], 47.02);
    assert_eq!(client.get("/api/v2/informationdesk/?in_bbox=5,46.9,6,47.1").await.expect(200).json()["count"], 0);
    // The widget of Geotrek asks without a number of rows, and reads no second page.
    let theme = client.get("/api/v2/theme/?language=fr&fields=id,label,pictogram").await.expect(200).json();
    assert_eq!(theme["results"].as_array().map(|all| all.len() > 50), Some(true));
    let whole = json!(theme["results"].as_array().map(Vec::len));
    assert_eq!((&theme["count"], &theme["next"]), (&whole, &Value::Null));
    let theme_id = term(&app, "poi_theme", "histoire").await;
    assert!(theme["results"].as_array().expect("a list").iter().any(|one| one["id"] == theme_id), "{theme_id}");
    let poi = app.poi().titled("L’auberge").at(4.005, 47.001).published().insert().await;
    let fields = json!({"distribute": true, "description": {"fr": "<p>À voir.</p>"}, "flags": {"good_address": true}, "theme_ids": [theme_id]});
    editor.with("if-match", "*").patch(format!("/api/v1/pois/{}", poi.id), fields).await.expect(200);
    let content = client.get(format!("/api/v2/touristiccontent/?themes={theme_id}&q=auberge")).await.expect(200).json();
    let pointed = &content["results"][0]["themes"][0];
    client.get(format!("/api/v2/theme/{pointed}/")).await.expect(200);
    assert_eq!(client.get("/api/v2/touristiccontent/?q=chapelle").await.expect(200).json()["count"], 0);
    assert_eq!(
        client.get("/api/v2/touristiccontent/?types=101").await.expect(200).json()["count"],
        0,
        "none has a type"
    );
}

#[app_test]
async fn treks_are_sent_as_geojson_features_on_request(app: TestApp) {
    let trek = distributed_parcours(&app, "Tour du lac").await;
    let client = api_client(&app, "morvan").await;
    let page = client.get("/api/v2/trek/?format=geojson&fields=id,name,geometry").await.expect(200).json();
    assert_eq!((&page["type"], &page["count"]), (&json!("FeatureCollection"), &json!(1)));
    let feature = &page["features"][0];
    assert_eq!((&feature["type"], &feature["geometry"]["type"]), (&json!("Feature"), &json!("LineString")));
    assert_eq!(
        feature["properties"],
        json!({"id": trek["id"], "name": {"fr": "Tour du lac", "en": "Around the lake"}})
    );
    refused(client.get("/api/v2/trek/?format=csv").await, 400, "request/bad-query", "");
    let one = format!("/api/v2/trek/{}/", id(&trek));
    assert_eq!(&client.get(format!("{one}?format=geojson&fields=id,name,geometry")).await.expect(200).json(), feature);
    refused(client.get(format!("{one}?format=csv")).await, 400, "request/bad-query", "");
}

#[app_test]
async fn a_client_over_its_rate_limit_gets_retry_after(app: TestApp) {
    let key = new_api_key(&app, "morvan").await;
    let app = app.changed(|parts| parts.settings.public_requests_a_minute = 3);
    let client = app.anonymous().with("x-api-key", &key);
    for _ in 0..3 {
        client.get("/api/v2/theme/").await.expect(200);
    }
    // Geotrek's aggregator tries again after 503 and gives up after 429; all other clients get 429.
    let reply = refused(client.get("/api/v2/theme/").await, 503, "feed/later", "20\u{202f}s");
    assert_eq!(reply.header("retry-after"), "20");
    let reply = refused(client.get("/api/public/v1/pois").await, 429, "feed/too-many", "20\u{202f}s");
    assert_eq!(reply.header("retry-after"), "20");
    app.clock().advance_s(20);
    client.get("/api/v2/theme/").await.expect(200);
    // Trying keys is slowed down too.
    let guess = app.anonymous().with("x-api-key", &"1".repeat(64));
    for _ in 0..30 {
        guess.get("/api/v2/theme/").await.expect(401);
    }
    guess.get("/api/v2/theme/").await.expect(503);
    // At all servers of the database together: after one try more another server refuses, also with the right key.
    let other = app.changed(|_| {});
    other.clock().advance_s(app.app().now().0 - other.app().now().0);
    let there = |key: &str| other.anonymous().with("x-api-key", key);
    there(&"2".repeat(64)).get("/api/v2/theme/").await.expect(503);
    there(&key).get("/api/v2/theme/").await.expect(503);
    other.clock().advance_s(61);
    there(&key).get("/api/v2/theme/").await.expect(200);
}

#[app_test]
async fn only_published_and_distributed_parcours_are_in_feeds(app: TestApp) {
    let client = api_client(&app, "morvan").await;
    let (trek, ours) = ("/api/v2/trek/", "/api/public/v1/parcours");
    let parcours = distributed_parcours(&app, "Tour du lac").await;
    assert_eq!((ids(&client, trek).await, ids(&client, ours).await), (vec![id(&parcours)], vec![id(&parcours)]));
    let editor = app.editor_of("morvan");
    let one = async |fields: Value| {
        let stands = now(&editor, &parcours).await;
        patch(&editor, &stands, fields).await;
    };
    one(json!({"distribute_partners": false})).await;
    assert_eq!((ids(&client, trek).await.len(), ids(&client, ours).await.len()), (0, 1), "not to others");
    one(json!({"distribute_partners": true, "distribute_own": false})).await;
    assert_eq!((ids(&client, trek).await.len(), ids(&client, ours).await.len()), (1, 0), "not to ours");
    refused(client.get(format!("{ours}/{}", id(&parcours))).await, 404, "feed/not-found", "n’est pas diffusé");
    one(json!({"distribute_own": true, "practice_type_id": null})).await;
    assert_eq!(ids(&client, trek).await, Vec::<i64>::new(), "open data wants a practice");
    one(json!({"practice_type_id": term(&app, "practice_type", "vtt-randonnee").await})).await;
    assert_eq!(ids(&client, trek).await.len(), 1);
    // The white-label's own switches and its choice.
    patch_white_label(&app, "morvan", json!({"flags": {"distribute_parcours": false}})).await;
    assert_eq!(ids(&client, trek).await.len(), 0);
    patch_white_label(&app, "morvan", json!({"flags": {"distribute_parcours": true}, "parcours_filter": {"practice_type_ids": [term(&app, "practice_type", "pedestre").await]}})).await;
    assert_eq!(ids(&client, trek).await.len(), 0);
    patch_white_label(
        &app,
        "morvan",
        json!({"parcours_filter": {"practice_type_ids": [term(&app, "practice_type", "vtt").await]}}),
    )
    .await;
    assert_eq!(ids(&client, trek).await.len(), 1, "a chosen practice includes the practices below it");
    let stands = now(&editor, &parcours).await;
    editor.clone().at_version(version(&stands)).delete(format!("{}/publication", path(&stands))).await.expect(200);
    assert_eq!((ids(&client, trek).await.len(), ids(&client, ours).await.len()), (0, 0));
}

#[app_test]
async fn a_key_reaches_what_its_white_label_owns_or_added_and_no_more(app: TestApp) {
    let parcours = distributed_parcours(&app, "Tour du lac").await;
    let theirs = api_client(&app, "vercors").await;
    assert_eq!(ids(&theirs, "/api/v2/trek/").await, Vec::<i64>::new());
    for address in
        [format!("/api/v2/trek/{}/", id(&parcours)), format!("/api/public/v1/parcours/{}/trace.gpx", id(&parcours))]
    {
        refused(theirs.get(address).await, 404, "feed/not-found", "n’est pas diffusé à cette clé");
    }
    let vercors = app.white_label("vercors").await;
    let link = format!("{}/white-labels/{vercors}", path(&parcours));
    app.editor_of("vercors").put(&link, json!({"published": false})).await.expect(204);
    assert_eq!(ids(&theirs, "/api/v2/trek/").await.len(), 0, "added, not shown");
    app.editor_of("vercors").put(&link, json!({"published": true})).await.expect(204);
    assert_eq!(ids(&theirs, "/api/v2/trek/").await, [id(&parcours)]);
    let sources = theirs.get("/api/v2/source/").await.expect(200).json();
    assert_eq!(sources["count"], 2);
}

#[app_test]
async fn a_trek_is_read_as_geotrek_writes_it(app: TestApp) {
    let parcours = distributed_parcours(&app, "Tour du lac").await;
    let client = api_client(&app, "morvan").await;
    let page = client.get("/api/v2/trek/").await.expect(200).json();
    assert_eq!((&page["count"], &page["next"], &page["previous"]), (&1.into(), &Value::Null, &Value::Null));
    let trek = &page["results"][0];
    assert_eq!(trek["name"], json!({"fr": "Tour du lac", "en": "Around the lake"}));
    assert_eq!((&trek["departure"]["fr"], &trek["arrival"]["fr"]), (&json!("La halle"), &json!("La source")));
    assert_eq!(trek["geometry"]["coordinates"].as_array().map(Vec::len), Some(11));
    assert_eq!(trek["attachments"][0]["author"], "C. Le Goff");
    // What it points to is in the lists, and what it links to is there.
    for (field, endpoint) in [
        ("practice", "trek_practice"),
        ("difficulty", "trek_difficulty"),
        ("structure", "structure"),
        ("route", "trek_route"),
    ] {
        client.get(format!("/api/v2/{endpoint}/{}/", trek[field])).await.expect(200);
    }
    for (field, endpoint) in
        [("themes", "theme"), ("networks", "trek_network"), ("source", "source"), ("portal", "portal")]
    {
        client.get(format!("/api/v2/{endpoint}/{}/", trek[field][0])).await.expect(200);
    }
    let local = |url: &Value| url.as_str().expect("an address").replace("http://localhost:8080", "");
    for url in [
        &trek["gpx"],
        &trek["kml"],
        &trek["url"],
        &trek["altimetric_profile"],
        &trek["elevation_area_url"],
        &trek["elevation_svg_url"],
        &trek["attachments"][0]["url"],
        &trek["attachments"][0]["thumbnail"],
    ] {
        client.get(local(url)).await.expect(200);
    }
    let one = client
        .get(format!("/api/v2/trek/{}/?language=en&fields=name,departure,uuid", id(&parcours)))
        .await
        .expect(200)
        .json();
    assert_eq!(one, json!({"departure": "La halle", "name": "Around the lake", "uuid": trek["uuid"]}));
    let practice = client.get(format!("/api/v2/trek_practice/{}/", trek["practice"])).await.json();
    let pictogram = app.anonymous().get(local(&practice["pictogram"])).await.expect(200);
    assert_eq!(pictogram.header("content-type"), "image/svg+xml");
}

#[app_test]
async fn another_address_of_the_server_changes_no_uuid(app: TestApp) {
    let parcours = distributed_parcours(&app, "Tour du lac").await;
    let key = new_api_key(&app, "morvan").await;
    let moved = app.changed(|parts| parts.settings.public_url = "https://ailleurs.example".to_owned());
    let trek = format!("/api/v2/trek/{}/", id(&parcours));
    let own = format!("/api/public/v1/parcours/{}", id(&parcours));
    for (asked, field) in [(&trek, "/uuid"), (&trek, "/attachments/0/uuid"), (&own, "/uuid")] {
        let mut found = Vec::new();
        for app in [&app, &moved] {
            let answer = app.anonymous().with("x-api-key", &key).get(asked).await.expect(200).json();
            found.push(answer.pointer(field).and_then(Value::as_str).expect("a UUID").to_owned());
        }
        assert_eq!(found[0], found[1], "{asked} {field}");
    }
}

#[app_test]
async fn treks_are_narrowed_as_clients_of_geotrek_ask(app: TestApp) {
    let first = distributed_parcours(&app, "Tour du lac").await;
    let second = distributed_parcours(&app, "Tour du bois").await;
    let client = api_client(&app, "morvan").await;
    let both = vec![id(&first), id(&second)];
    // A recording without times has no duration; the first one's is typed.
    let body = json!({"mode": "source", "legs": [{"kind": "source", "line": eastward()}], "duration_typed_s": 900});
    let editor = app.editor_of("morvan");
    put_trace(&editor, &now(&editor, &first).await, body).await.expect(200);
    let (pedestre, velo) = (term(&app, "practice_type", "pedestre").await, term(&app, "practice_type", "velo").await);
    let lac = term(&app, "parcours_theme", "lac").await;
    for (asked, expected) in [
        (format!("ids={}", both[1]), vec![both[1]]),
        (format!("practices={pedestre}"), both.clone()),
        (format!("practices={velo}"), vec![]),
        (format!("themes={lac}"), both.clone()),
        ("in_bbox=3.9,46.9,4.1,47.1".to_owned(), both.clone()),
        ("in_bbox=5,46.9,6,47.1".to_owned(), vec![]),
        ("published=true".to_owned(), both.clone()),
        ("published=false".to_owned(), vec![]),
        ("portals=999999".to_owned(), vec![]),
        (format!("portals={}", app.white_label("morvan").await), both.clone()),
        ("structures=999999".to_owned(), vec![]),
        ("updated_after=2000-01-01".to_owned(), both.clone()),
        ("updated_after=2100-01-01T00:00:00Z".to_owned(), vec![]),
        (format!("near_trek={}", both[0]), both.clone()),
        ("page_size=1&page=2".to_owned(), vec![both[1]]),
        ("q=tour+boi".to_owned(), vec![both[1]]),
        ("q=tour&in_bbox=3.9,46.9,4.1,47.1".to_owned(), both.clone()),
        ("q=montagne".to_owned(), vec![]),
        (format!("networks={}", term(&app, "marking", "gr").await), both.clone()),
        ("networks=999999".to_owned(), vec![]),
        ("labels=999999".to_owned(), vec![]),
        ("ratings=999999".to_owned(), vec![]),
        ("routes=3".to_owned(), both.clone()),
        ("routes=1".to_owned(), vec![]),
        ("routes=2".to_owned(), vec![]),
        ("routes=1,3".to_owned(), both.clone()),
        ("length_min=100&length_max=2000".to_owned(), both.clone()),
        ("length_min=2000".to_owned(), vec![]),
        ("length_max=100".to_owned(), vec![]),
        ("duration_min=0.01&duration_max=10".to_owned(), vec![both[0]]),
        ("duration_min=10".to_owned(), vec![]),
        (format!("difficulties={}", term(&app, "level", "general-facile").await), both.clone()),
        ("difficulty_max=1".to_owned(), vec![]),
        ("difficulty_min=1&difficulty_max=5".to_owned(), both.clone()),
        (format!("difficulty_max={}", term(&app, "level", "general-facile").await), both.clone()),
        (format!("difficulty_min={}", term(&app, "level", "general-difficile").await), vec![]),
        ("labels_exclude=999999".to_owned(), both.clone()),
        (format!("near_trek={}&in_bbox=5,46.9,6,47.1", both[0]), vec![]),
        (format!("near_trek={}&in_bbox=3.9,46.9,4.1,47.1", both[0]), both.clone()),
        ("near_trek=999999".to_owned(), vec![]),
        ("language=all".to_owned(), both.clone()),
        ("accessibility_level=1".to_owned(), vec![]),
        ("cities=12".to_owned(), vec![]),
        ("districts=12".to_owned(), vec![]),
        ("cities=&districts=".to_owned(), both.clone()),
        ("nonsense=1".to_owned(), both.clone()),
    ] {
        assert_eq!(ids(&client, &format!("/api/v2/trek/?{asked}")).await, expected, "{asked}");
    }
    let page = client.get("/api/v2/trek/?page_size=1").await.expect(200).json();
    assert_eq!((&page["count"], &page["previous"]), (&2.into(), &Value::Null));
    assert_eq!(page["next"], "http://localhost:8080/api/v2/trek/?page_size=1&page=2");
}

#[app_test]
async fn a_bad_parameter_is_refused_with_its_fault(app: TestApp) {
    let client = api_client(&app, "morvan").await;
    for (asked, status, code, words) in [
        ("/api/v2/trek/?page=2", 404, "feed/page-beyond", "s’arrête à la page 1"),
        ("/api/v2/trek/?page=18446744073709551615", 404, "feed/page-beyond", "n’existe pas"),
        ("/api/v2/trek/?page=0", 400, "request/bad-query", ""),
        ("/api/v2/trek/?page_size=x", 400, "request/bad-query", ""),
        ("/api/v2/trek/?in_bbox=1,2,3", 400, "feed/bad-box", "ouest,sud,est,nord"),
        ("/api/v2/trek/?in_bbox=9,2,3,4", 400, "feed/bad-box", "ouest,sud,est,nord"),
        ("/api/v2/trek/?ids=1,x", 400, "request/bad-query", ""),
        ("/api/v2/trek/?updated_after=hier", 400, "request/bad-query", ""),
        ("/api/v2/trek/?language=xx", 400, "request/bad-query", ""),
        ("/api/v2/trek/999999/", 404, "feed/not-found", "n’existe pas"),
        ("/api/v2/nonsense/", 404, "feed/no-endpoint", "nonsense"),
        ("/api/v2/theme/1/profile/", 404, "feed/no-endpoint", "theme"),
        ("/api/public/v1/parcours?format=xml", 400, "request/bad-query", ""),
        ("/api/public/v1/parcours/changes", 400, "request/missing-query", "« since » manque"),
        ("/api/public/v1/parcours/changes?since=hier", 400, "request/bad-query", "« since »"),
        ("/api/public/v1/parcours?page=1&page=2", 400, "request/bad-query", "page"),
        ("/api/public/v1/open-data/all.zip", 404, "feed/not-found", "n’existe pas"),
        ("/api/public/v1/pois?bbox=a,b,c,d", 400, "feed/bad-box", "en degrés"),
    ] {
        refused(client.get(asked).await, status, code, words);
    }
}

#[app_test]
async fn the_heights_of_a_trek_are_given_as_geotrek_gives_them(app: TestApp) {
    let parcours = distributed_parcours(&app, "Tour du lac").await;
    let client = api_client(&app, "morvan").await;
    let at = format!("/api/v2/trek/{}", id(&parcours));
    let profile = client.get(format!("{at}/profile/")).await.expect(200).json();
    assert_eq!(keys(&profile), ["limits", "profile"]);
    assert_eq!(keys(&profile["limits"]), ["ceil", "floor"]);
    for point in profile["profile"].as_array().expect("points") {
        assert!(point[0].is_number() && point[1].is_number() && point[2].as_array().is_some_and(|at| at.len() == 2));
    }
    let drawn = client.get(format!("{at}/profile/?language=fr&format=svg")).await.expect(200);
    assert_eq!(drawn.header("content-type"), "image/svg+xml");
    assert!(drawn.text().starts_with("<svg "));
    refused(client.get(format!("{at}/profile/?format=png")).await, 400, "request/bad-query", "");
    let unknown = client.get(format!("{at}/dem/")).await.expect(200).json();
    assert_eq!(unknown, json!({}), "without heights Geotrek answers an empty object");
    refused(client.get("/api/v2/trek/999999/dem/").await, 404, "feed/not-found", "");
    refused(client.get("/api/v2/feedback_report/").await, 405, "feed/not-read", "signalements");
    assert_eq!(client.get("/api/v2/path/").await.expect(200).json()["count"], 0);
}

#[app_test]
async fn every_list_of_geotrek_is_there(app: TestApp) {
    let client = api_client(&app, "morvan").await;
    for (endpoint, _) in feeds::geotrek::ENDPOINTS {
        let page = client.get(format!("/api/v2/{endpoint}/")).await.expect(200).json();
        if ["version", "config"].contains(endpoint) {
            assert!(page["version"] == "2.126.1" || page["bbox"].as_array().is_some_and(|bbox| bbox.len() == 4));
            continue;
        }
        let results = page["results"].as_array().expect("a page has results").len() as u64;
        assert!(page["count"].as_u64().is_some_and(|count| count >= results), "{endpoint}: {page}");
    }
    for endpoint in ["touristicevent", "sensitivearea", "city", "district"] {
        let page = client.get(format!("/api/v2/{endpoint}/")).await.expect(200).json();
        assert_eq!(page, json!({"count": 0, "next": null, "previous": null, "results": []}));
    }
    let slashless = client.get("/api/v2/theme").await.expect(200).json();
    assert_eq!(slashless["count"], client.get("/api/v2/theme/").await.json()["count"]);
}

#[app_test]
async fn good_addresses_are_touristic_contents_and_structures_are_information_desks(app: TestApp) {
    let editor = app.editor_of("morvan");
    let trek = distributed_parcours(&app, "Tour du lac").await;
    let mut made = Vec::new();
    for (title, good) in [("Le lavoir", false), ("L’auberge du lac", true)] {
        let poi = app.poi().titled(title).at(4.005, 47.001).published().insert().await;
        let fields = json!({"distribute": true, "description": {"fr": "<p>À voir.</p>"}, "flags": {"good_address": good}, "opening": {"fr": "Tous les jours"}});
        editor.clone().with("if-match", "*").patch(format!("/api/v1/pois/{}", poi.id), fields).await.expect(200);
        made.push(poi.id);
    }
    let client = api_client(&app, "morvan").await;
    for near in [String::new(), format!("?near_trek={}", id(&trek))] {
        assert_eq!(ids(&client, &format!("/api/v2/poi/{near}")).await, made[..1]);
        assert_eq!(ids(&client, &format!("/api/v2/touristiccontent/{near}")).await, made[1..]);
    }
    let inn = client.get(format!("/api/v2/touristiccontent/{}/", made[1])).await.expect(200).json();
    assert_eq!(
        (&inn["name"]["fr"], &inn["practical_info"]["fr"]),
        (&json!("L’auberge du lac"), &json!("Tous les jours"))
    );
    client.get(format!("/api/v2/poi/{}/", made[1])).await.expect(404);
    client.get("/api/v2/touristiccontent_category/").await.expect(200);
    let trek = client.get(format!("/api/v2/trek/{}/", id(&trek))).await.expect(200).json();
    let desk =
        client.get(format!("/api/v2/informationdesk/{}/", trek["information_desks"][0])).await.expect(200).json();
    assert_eq!(
        desk["name"]["fr"],
        client.get(format!("/api/v2/structure/{}/", trek["structure"])).await.json()["name"]
    );
    let picture = desk["type"]["pictogram"].as_str().unwrap_or_default().replace("http://localhost:8080", "");
    let drawn = app.anonymous().with("origin", "https://portail.example").get(picture).await.expect(200);
    assert_eq!(drawn.header("access-control-allow-origin"), "*", "portals draw it as a part of their page");
}

#[app_test]
async fn pois_are_listed_when_distributed_and_near_their_trek(app: TestApp) {
    let editor = app.editor_of("morvan");
    let distributed = async |title: &str, lon: f64, lat: f64| {
        let poi = app.poi().titled(title).at(lon, lat).published().insert().await;
        let at = format!("/api/v1/pois/{}", poi.id);
        let fields = json!({"distribute": true, "description": {"fr": "<p>À voir.</p>"}});
        editor.clone().with("if-match", "*").patch(at, fields).await.expect(200);
        poi.id
    };
    let (near, far) = (distributed("Source", 4.005, 47.001).await, distributed("Tour", 4.5, 47.5).await);
    app.poi().titled("Gardé").published().insert().await;
    let parcours = distributed_parcours(&app, "Tour du lac").await;
    let parcours = patch(&editor, &parcours, json!({"poi_ids": [far]})).await;
    let client = api_client(&app, "morvan").await;
    assert_eq!(ids(&client, "/api/v2/poi/").await, [near, far]);
    assert_eq!(ids(&client, "/api/public/v1/pois?bbox=4,47,4.1,47.1").await, [near]);
    assert_eq!(ids(&client, &format!("/api/v2/poi/?trek={}", id(&parcours))).await, [far]);
    assert_eq!(ids(&client, &format!("/api/v2/poi/?near_trek={}", id(&parcours))).await, [near]);
    let poi = client.get(format!("/api/v2/poi/{near}/?language=fr")).await.expect(200).json();
    assert_eq!(
        (&poi["name"], &poi["geometry"]),
        (&json!("Source"), &json!({"type": "Point", "coordinates": [4.005, 47.001]}))
    );
    patch_white_label(&app, "morvan", json!({"flags": {"distribute_pois": false}})).await;
    assert_eq!(ids(&client, "/api/v2/poi/").await, Vec::<i64>::new());
}

#[app_test]
async fn a_tour_lists_its_stages_and_a_stage_its_neighbours(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parent = distributed_parcours(&app, "Le grand tour").await;
    let mut stages = Vec::new();
    for title in ["Étape 1", "Étape 2"] {
        let stage = distributed_parcours(&app, title).await;
        stages.push(patch(&editor, &stage, json!({"relation": "child_only", "parent_id": id(&parent)})).await);
    }
    let client = api_client(&app, "morvan").await;
    assert_eq!(ids(&client, "/api/v2/trek/").await, [id(&parent)], "stages are shown under their parent");
    let tours = client.get("/api/v2/tour/?fields=id,steps").await.expect(200).json();
    let steps = tours["results"][0]["steps"].as_array().expect("steps").clone();
    assert_eq!(steps.iter().map(id).collect::<Vec<_>>(), [id(&stages[0]), id(&stages[1])]);
    let stage = client.get(format!("/api/v2/trek/{}/", id(&stages[0]))).await.expect(200).json();
    let parent_id = id(&parent).to_string();
    assert_eq!(stage["parents"], json!([id(&parent)]));
    assert_eq!((&stage["next"][&parent_id], &stage["previous"][&parent_id]), (&json!(id(&stages[1])), &Value::Null));
    let whole = client.get(format!("/api/public/v1/parcours/{}", id(&parent))).await.expect(200).json();
    assert_eq!(whole["child_ids"], json!([id(&stages[0]), id(&stages[1])]));
}

#[app_test]
async fn points_are_given_to_a_centimetre(app: TestApp) {
    let editor = app.editor_of("morvan");
    let poi = app.poi().titled("Source").at(4.0 + 1.0 / 300.0, 47.0 + 1.0 / 700.0).published().insert().await;
    let address = format!("/api/v1/pois/{}", poi.id);
    editor.clone().with("if-match", "*").patch(address, json!({"distribute": true})).await.expect(200);
    let client = api_client(&app, "morvan").await;
    let at = json!([4.003_333_3, 47.001_428_6]);
    let list = client.get("/api/public/v1/pois?fields=location").await.expect(200).json();
    assert_eq!(list["items"][0]["location"], at);
    let features = client.get("/api/public/v1/pois?format=geojson").await.expect(200).json();
    assert_eq!(features["features"][0]["geometry"]["coordinates"], at);
    let theirs = client.get(format!("/api/v2/poi/{}/", poi.id)).await.expect(200).json();
    assert_eq!(theirs["geometry"]["coordinates"], at);
}

#[app_test]
async fn children_of_a_withdrawn_parent_name_no_parent_and_are_among_the_changes(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parent = distributed_parcours(&app, "Le grand tour").await;
    let mut stages = Vec::new();
    for title in ["Étape 1", "Étape 2"] {
        let stage = distributed_parcours(&app, title).await;
        stages.push(id(&patch(&editor, &stage, json!({"relation": "child", "parent_id": id(&parent)})).await));
    }
    let client = api_client(&app, "morvan").await;
    let parent_and_neighbours = async || {
        let own = client.get(format!("/api/public/v1/parcours/{}", stages[0])).await.expect(200).json();
        let fields = "fields=parents,previous,next";
        let trek = client.get(format!("/api/v2/trek/{}/?{fields}", stages[0])).await.expect(200).json();
        [own["parent_id"].clone(), trek["parents"].clone(), trek["next"].clone(), trek["previous"].clone()]
    };
    let number = id(&parent);
    let shown = [json!(number), json!([number]), json!({number.to_string(): stages[1]})];
    assert_eq!(parent_and_neighbours().await[..3], shown);
    app.clock().advance_s(600);
    let begun = client.get("/api/public/v1/parcours/changes?since=2000-01-01").await.expect(200).json();
    let asked = format!("/api/public/v1/parcours/changes?since={}", begun["until"].as_str().expect("an instant"));
    app.clock().advance_s(600);
    // Withheld from other applications: only their feed names no parent.
    let withheld = patch(&editor, &now(&editor, &parent).await, json!({"distribute_partners": false})).await;
    let [own, parents, next, _] = parent_and_neighbours().await;
    assert_eq!((own, parents), (json!(number), json!([])));
    assert!(next.as_object().is_none_or(serde_json::Map::is_empty), "{next}");
    patch(&editor, &withheld, json!({"distribute_partners": true})).await;
    assert_eq!(parent_and_neighbours().await[..3], shown);
    app.clock().advance_s(600);
    let gone = editor.clone().with("if-match", "*").delete(format!("{}/publication", path(&parent))).await;
    gone.expect(200);
    let [own, parents, next, previous] = parent_and_neighbours().await;
    assert_eq!((own, parents), (Value::Null, json!([])));
    for beside in [next, previous] {
        assert!(beside.as_object().is_none_or(serde_json::Map::is_empty), "{beside}");
    }
    let changes = client.get(&asked).await.expect(200).json();
    assert_eq!(changes["updated"].as_array().expect("a list").iter().map(id).collect::<Vec<_>>(), stages);
    assert_eq!(changes["removed"], json!([number]));
}

#[app_test]
async fn the_families_that_a_child_left_and_came_to_are_among_the_changes(app: TestApp) {
    let editor = app.editor_of("morvan");
    let (tour, crossing) =
        (distributed_parcours(&app, "Le grand tour").await, distributed_parcours(&app, "La traversée").await);
    let mut stages = Vec::new();
    for (title, parent) in [("Étape 1", &tour), ("Étape 2", &tour), ("Étape 3", &crossing)] {
        let stage = distributed_parcours(&app, title).await;
        stages.push(patch(&editor, &stage, json!({"relation": "child", "parent_id": id(parent)})).await);
    }
    let client = api_client(&app, "morvan").await;
    let [first, second, third] = [id(&stages[0]), id(&stages[1]), id(&stages[2])];
    let asked = changes_from_now(&app, &client).await;
    let moved = patch(&editor, &stages[0], json!({"parent_id": id(&crossing)})).await;
    assert_eq!(changed(&client, asked).await, (vec![id(&tour), id(&crossing), first, second, third], json!([])));
    let asked = changes_from_now(&app, &client).await;
    editor.clone().with("if-match", "*").delete(path(&moved)).await.expect(204);
    assert_eq!(changed(&client, asked).await, (vec![id(&crossing), third], json!([first])));
}

#[app_test]
async fn our_own_feed_has_every_field_and_the_files(app: TestApp) {
    let parcours = distributed_parcours(&app, "Tour du lac").await;
    let client = api_client(&app, "morvan").await;
    let page = client.get("/api/public/v1/parcours?per_page=10").await.expect(200).json();
    assert_eq!((&page["total"], &page["pages"], &page["next"]), (&1.into(), &1.into(), &Value::Null));
    assert_eq!(page["items"][0]["practice"]["code"], "randonnee");
    assert!(page["items"][0].get("line").is_none());
    let whole = client.get(format!("/api/public/v1/parcours/{}?language=fr", id(&parcours))).await.expect(200).json();
    assert_eq!((&whole["title"], &whole["steps"][0]["title"]), (&json!("Tour du lac"), &json!("La halle")));
    assert_eq!(whole["line"].as_array().map(Vec::len), Some(11));
    let collection = client.get("/api/public/v1/parcours?format=geojson").await.expect(200);
    assert_eq!(collection.header("content-type"), "application/geo+json");
    assert_eq!(collection.json()["features"][0]["geometry"]["type"], "LineString");
    for (file, kind) in [
        ("gpx", "application/gpx+xml"),
        ("kml", "application/vnd.google-earth.kml+xml"),
        ("geojson", "application/geo+json"),
        ("tcx", "application/vnd.garmin.tcx+xml"),
    ] {
        let reply = client.get(format!("/api/public/v1/parcours/{}/trace.{file}", id(&parcours))).await.expect(200);
        assert_eq!(reply.header("content-type"), kind);
    }
    refused(
        client.get(format!("/api/public/v1/parcours/{}/trace.exe", id(&parcours))).await,
        404,
        "feed/not-found",
        "",
    );
}

#[app_test]
async fn addresses_of_pages_are_in_the_language_that_is_asked_for(app: TestApp) {
    let parcours = distributed_parcours(&app, "Tour du lac").await;
    let client = api_client(&app, "morvan").await;
    for (asked, prefix) in [("", ""), ("&language=fr", ""), ("&language=en", "/en")] {
        let list = "/api/public/v1/parcours?fields=page_url,gpx_url,kml_url";
        let page = client.get(format!("{list}{asked}")).await.expect(200).json();
        let address = format!("http://localhost:8080{prefix}/p/tour-du-lac-{}", id(&parcours));
        let wanted = json!({
            "page_url": address, "gpx_url": format!("{address}/trace.gpx"), "kml_url": format!("{address}/trace.kml"),
        });
        assert_eq!(page["items"], json!([wanted]));
    }
    let xml = client.get("/api/public/v1/open-data/cirkwi.xml").await.expect(200).text();
    let page = format!("/p/tour-du-lac-{}</lien>", id(&parcours));
    for prefix in ["", "/en"] {
        assert!(xml.contains(&format!("<lien>http://localhost:8080{prefix}{page}")), "{xml}");
    }
}

#[app_test]
async fn a_record_gives_the_fields_that_are_asked_for_and_a_list_too(app: TestApp) {
    let parcours = distributed_parcours(&app, "Tour du lac").await;
    let client = api_client(&app, "morvan").await;
    let one = format!("/api/public/v1/parcours/{}", id(&parcours));
    let some = client.get(format!("{one}?fields=id,steps,line&language=fr")).await.expect(200).json();
    assert_eq!(keys(&some), ["id", "line", "steps"]);
    let listed = client.get("/api/public/v1/parcours?fields=id,steps,line&language=fr").await.expect(200).json();
    assert_eq!(listed["items"], json!([some]), "a list gives long fields where they are named");
    let without = client.get(format!("{one}?omit=line,media")).await.expect(200).json();
    assert!(without.get("line").is_none() && without.get("media").is_none() && without["steps"].is_array());
    let changes = "/api/public/v1/parcours/changes?since=2000-01-01&fields=id,line&per_page=1";
    let changes = client.get(changes).await.expect(200).json();
    assert_eq!((&changes["total"], keys(&changes["updated"][0])), (&json!(1), keys(&json!({"id": 1, "line": 2}))));
}

#[app_test]
async fn each_identifier_in_a_list_can_be_requested(app: TestApp) {
    let editor = app.editor_of("morvan");
    let kept = app.poi().titled("Gardé").published().insert().await;
    let poi = app.poi().titled("Source").at(4.005, 47.001).published().insert().await;
    let address = format!("/api/v1/pois/{}", poi.id);
    editor.clone().with("if-match", "*").patch(address, json!({"distribute": true})).await.expect(200);
    let parent = distributed_parcours(&app, "Le grand tour").await;
    patch(&editor, &parent, json!({"poi_ids": [kept.id, poi.id]})).await;
    let stage = distributed_parcours(&app, "Étape").await;
    patch(&editor, &stage, json!({"relation": "child_only", "parent_id": id(&parent)})).await;
    let client = api_client(&app, "morvan").await;
    let mut walked = 0;
    for (list, named) in [("parcours", "id,child_ids,poi_ids,parent_id"), ("pois", "id")] {
        let page = client.get(format!("/api/public/v1/{list}?fields={named}&per_page=500")).await.expect(200).json();
        for item in page["items"].as_array().expect("a list") {
            let own = client.get(format!("/api/public/v1/{list}/{}", id(item))).await.expect(200).json();
            assert_eq!(own["id"], item["id"]);
            for (field, list) in [("child_ids", "parcours"), ("poi_ids", "pois")] {
                for number in item[field].as_array().into_iter().flatten() {
                    client.get(format!("/api/public/v1/{list}/{number}")).await.expect(200);
                    walked += 1;
                }
            }
        }
    }
    assert_eq!(walked, 2, "the stage, and the POI that is handed out; not the one that is kept");
    for (endpoint, _) in feeds::geotrek::ENDPOINTS {
        let page = client.get(format!("/api/v2/{endpoint}/?page_size=1000")).await.expect(200).json();
        for item in page["results"].as_array().into_iter().flatten() {
            let own = client.get(format!("/api/v2/{endpoint}/{}/", item["id"])).await.expect(200).json();
            assert_eq!(own["id"], item["id"], "{endpoint}");
            walked += 1;
        }
    }
    assert!(walked > 50, "only {walked} items were walked");
}

#[app_test]
async fn custom_fields_of_a_white_label_are_in_the_feed(app: TestApp) {
    let field =
        |key: &str, on: &str| json!({"key": key, "type": "text", "label": {"fr": "Sol", "en": "Ground"}, "on": on});
    patch_white_label(&app, "morvan", json!({"custom_fields": [field("sol", "parcours"), field("clef", "poi")]})).await;
    let editor = app.editor_of("morvan");
    let parcours = distributed_parcours(&app, "Tour du lac").await;
    let parcours = patch(&editor, &parcours, json!({"custom": {"sol": "Sable"}})).await;
    let poi = app.poi().titled("Source").published().insert().await;
    let fields = json!({"distribute": true, "custom": {"clef": "À la mairie"}});
    editor.clone().with("if-match", "*").patch(format!("/api/v1/pois/{}", poi.id), fields).await.expect(200);
    let client = api_client(&app, "morvan").await;
    let label = json!({"fr": "Sol", "en": "Ground"});
    let sand = json!({"sol": {"label": label, "type": "text", "value": "Sable"}});
    let one = client.get(format!("/api/public/v1/parcours/{}?fields=custom", id(&parcours))).await.expect(200).json();
    let page = client.get("/api/public/v1/parcours?fields=custom").await.expect(200).json();
    assert_eq!((&one["custom"], &page["items"][0]["custom"]), (&sand, &sand));
    let poi = client.get(format!("/api/public/v1/pois/{}?language=en", poi.id)).await.expect(200).json();
    assert_eq!(poi["custom"], json!({"clef": {"label": "Ground", "type": "text", "value": "À la mairie"}}));
    patch_white_label(&app, "morvan", json!({"custom_fields": []})).await;
    let gone = client.get("/api/public/v1/parcours?fields=custom").await.expect(200).json();
    assert_eq!(gone["items"][0]["custom"], json!({}), "a removed field is not in the answer");
}

#[app_test]
async fn an_answer_is_cached_until_the_next_write(app: TestApp) {
    let parcours = distributed_parcours(&app, "Tour du lac").await;
    let client = api_client(&app, "morvan").await;
    let first = client.get("/api/v2/trek/").await.expect(200);
    let tag = first.header("etag").to_owned();
    assert_eq!(first.header("cache-control"), "private, max-age=60");
    let again = client.get("/api/v2/trek/").await.expect(200);
    assert_eq!((again.header("etag"), again.text()), (tag.as_str(), first.text()));
    let knowing = client.clone().with("if-none-match", &tag);
    let unchanged = knowing.get("/api/v2/trek/").await.expect(304);
    assert_eq!(unchanged.text(), "");
    let editor = app.editor_of("morvan");
    let stands = now(&editor, &parcours).await;
    patch(&editor, &stands, json!({"title": {"fr": "Autour du lac"}})).await;
    let changed = knowing.get("/api/v2/trek/").await.expect(200);
    assert_eq!(changed.json()["results"][0]["name"]["fr"], "Autour du lac");
    assert_ne!(changed.header("etag"), tag);
}

#[app_test]
async fn changes_list_added_and_removed_parcours(app: TestApp) {
    let editor = app.editor_of("morvan");
    let (kept, gone, withdrawn) = (
        distributed_parcours(&app, "Gardé").await,
        distributed_parcours(&app, "Supprimé").await,
        distributed_parcours(&app, "Retiré").await,
    );
    let client = api_client(&app, "morvan").await;
    app.clock().advance_s(600);
    let begun = client.get("/api/public/v1/parcours/changes?since=2000-01-01").await.expect(200).json();
    assert_eq!(begun["updated"].as_array().map(Vec::len), Some(3));
    let until = begun["until"].as_str().expect("an instant").to_owned();
    app.clock().advance_s(600);
    let asked = format!("/api/public/v1/parcours/changes?since={until}");
    assert_eq!(client.get(&asked).await.expect(200).json()["updated"], json!([]));
    patch(&editor, &now(&editor, &kept).await, json!({"subtitle": {"fr": "Nouveau"}})).await;
    patch(&editor, &now(&editor, &withdrawn).await, json!({"distribute_own": false})).await;
    editor.clone().with("if-match", "*").delete(path(&gone)).await.expect(204);
    let draft = made(&editor, "Brouillon", json!({})).await;
    let reply = client.get(&asked).await.expect(200);
    let (knowing, answer) = (client.clone().with("if-none-match", reply.header("etag")), reply.json());
    assert_eq!(answer["updated"].as_array().expect("a list").iter().map(id).collect::<Vec<_>>(), [id(&kept)]);
    assert_eq!(answer["removed"], json!([id(&gone), id(&withdrawn)]));
    assert!(!answer.to_string().contains(&format!("[{}]", id(&draft))), "a draft was never there");
    app.clock().advance_s(60);
    made(&editor, "Autre brouillon", json!({})).await;
    knowing.get(&asked).await.expect(304);
    patch(&editor, &now(&editor, &kept).await, json!({"subtitle": {"fr": "Encore"}})).await;
    knowing.get(&asked).await.expect(200);
}

/// Follows `next` one row a page from an address; after each page `meanwhile` says what to withdraw. The numbers that were listed.
async fn walked(app: &TestApp, client: &Client, list: &str, rows: &str, withdrawn: &Value) -> Vec<i64> {
    let (mut asked, mut found) = (Some(list.to_owned()), Vec::new());
    while let Some(address) = asked {
        let page = client.get(&address).await.expect(200).json();
        found.extend(page[rows].as_array().expect("a list").iter().map(id));
        if found.len() == 1 {
            let editor = app.editor_of("morvan");
            patch(&editor, &now(&editor, withdrawn).await, json!({"distribute_own": false})).await;
        }
        let next = page["next"].as_str();
        asked = next.map(|next| next.strip_prefix("http://localhost:8080").expect("an address here").to_owned());
    }
    found
}

#[app_test]
async fn paging_by_next_skips_no_row_when_one_is_withdrawn_meanwhile(app: TestApp) {
    let client = api_client(&app, "morvan").await;
    let mut lakes = Vec::new();
    for title in ["Un", "Deux", "Trois", "Quatre", "Cinq"] {
        lakes.push(distributed_parcours(&app, title).await);
    }
    let of = |from: usize| lakes[from..].iter().map(id).collect::<Vec<_>>();
    app.clock().advance_s(600);
    let begun = client.get("/api/public/v1/parcours/changes?since=2000-01-01").await.expect(200).json();
    let until = begun["until"].as_str().expect("an instant");
    let changes = "/api/public/v1/parcours/changes?since=2000-01-01&per_page=1";
    assert_eq!(walked(&app, &client, changes, "updated", &lakes[0]).await, of(0));
    let list = "/api/public/v1/parcours?per_page=1&fields=id";
    assert_eq!(walked(&app, &client, list, "items", &lakes[1]).await, of(1));
    // Pages by number are as before; past the last number is nothing, and what was removed is on the first page.
    assert_eq!(ids(&client, "/api/public/v1/parcours?per_page=1&page=2").await, [id(&lakes[3])]);
    refused(client.get("/api/public/v1/parcours?per_page=1&page=9").await, 404, "feed/page-beyond", "");
    let last = id(&lakes[4]);
    let beyond = client.get(format!("/api/public/v1/parcours?after={last}")).await.expect(200).json();
    assert_eq!((&beyond["items"], &beyond["next"], &beyond["total"]), (&json!([]), &Value::Null, &json!(3)));
    let since = format!("/api/public/v1/parcours/changes?since={until}");
    let beyond = client.get(format!("{since}&after={last}")).await.expect(200).json();
    assert_eq!((&beyond["updated"], &beyond["removed"]), (&json!([]), &json!([])));
    let first = client.get(format!("{since}&after=0")).await.expect(200).json();
    assert_eq!(first["removed"], json!([id(&lakes[0]), id(&lakes[1])]));
    for wrong in ["after=x", "after=-1", "after=1&sort=priority"] {
        refused(client.get(format!("/api/public/v1/parcours?{wrong}")).await, 400, "request/bad-query", "after");
    }
}

/// A write notes its time, then commits: a question in between does not see it, and the next one must.
#[app_test]
async fn a_stage_that_is_shown_under_its_parent_alone_is_not_among_the_removed(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parent = distributed_parcours(&app, "Tour").await;
    let stage = distributed_parcours(&app, "Étape").await;
    let stage = patch(&editor, &stage, json!({"relation": "child_only", "parent_id": parent["id"]})).await;
    let client = api_client(&app, "morvan").await;
    let asked = changes_from_now(&app, &client).await;
    let stage = patch(&editor, &stage, json!({"subtitle": {"fr": "La première"}})).await;
    client.get(format!("/api/public/v1/parcours/{}", stage["id"])).await.expect(200);
    let answer = client.get(&asked).await.expect(200).json();
    assert_eq!(answer["updated"].as_array().expect("a list").iter().map(id).collect::<Vec<_>>(), [id(&parent)]);
    assert_eq!(answer["removed"], json!([]));
    editor.clone().with("if-match", "*").delete(format!("{}/publication", path(&parent))).await.expect(200);
    let removed = client.get(&asked).await.expect(200).json()["removed"].clone();
    assert_eq!(removed, json!([id(&parent), id(&stage)]));
}

#[app_test]
async fn changes_include_rows_committed_after_the_previous_request_with_an_earlier_time(app: TestApp) {
    let editor = app.editor_of("morvan");
    let (renamed, withdrawn) =
        (distributed_parcours(&app, "Renommé").await, distributed_parcours(&app, "Retiré").await);
    let client = api_client(&app, "morvan").await;
    app.clock().advance_s(100);
    let until =
        client.get("/api/public/v1/parcours/changes?since=2000-01-01").await.expect(200).json()["until"].clone();
    app.clock().advance_s(-5);
    patch(&editor, &now(&editor, &renamed).await, json!({"subtitle": {"fr": "Nouveau"}})).await;
    patch(&editor, &now(&editor, &withdrawn).await, json!({"distribute_own": false})).await;
    app.clock().advance_s(10);
    let asked = format!("/api/public/v1/parcours/changes?since={}", until.as_str().expect("an instant"));
    let answer = client.get(&asked).await.expect(200).json();
    assert_eq!(answer["updated"].as_array().expect("a list").iter().map(id).collect::<Vec<_>>(), [id(&renamed)]);
    assert_eq!(answer["removed"], json!([id(&withdrawn)]));
}

#[app_test]
async fn a_stage_whose_parent_cannot_be_booked_has_no_link_to_book(app: TestApp) {
    let editor = app.editor_of("morvan");
    let (parent, stage) =
        (distributed_parcours(&app, "Le grand tour").await, distributed_parcours(&app, "Une étape").await);
    let stage = patch(&editor, &stage, json!({"relation": "child", "parent_id": id(&parent)})).await;
    let client = api_client(&app, "morvan").await;
    let address = format!("/api/public/v1/parcours/{}", id(&stage));
    let link = async || client.get(&address).await.expect(200).json()["booking"]["url"].clone();
    assert_eq!(link().await, "https://reserver.example/lac");
    let agency = app.agency_of("morvan");
    patch(&agency, &now(&agency, &parent).await, json!({"bookable": "no"})).await;
    assert_eq!(link().await, Value::Null);
    patch(&agency, &now(&agency, &stage).await, json!({"bookable": "yes"})).await;
    assert_eq!(link().await, "https://reserver.example/lac");
}

#[app_test]
async fn a_parcours_that_its_owner_deletes_is_removed_where_it_was_added(app: TestApp) {
    let (shown, hidden) =
        (distributed_parcours(&app, "Tour du lac").await, distributed_parcours(&app, "Tour du bois").await);
    let vercors = app.white_label("vercors").await;
    for (parcours, published) in [(&shown, true), (&hidden, false)] {
        let link = format!("{}/white-labels/{vercors}", path(parcours));
        app.editor_of("vercors").put(&link, json!({"published": published})).await.expect(204);
    }
    let theirs = api_client(&app, "vercors").await;
    app.clock().advance_s(600);
    let begun = theirs.get("/api/public/v1/parcours/changes?since=2000-01-01").await.expect(200).json();
    app.clock().advance_s(600);
    for parcours in [&shown, &hidden] {
        let owner = app.editor_of("morvan").with("if-match", "*");
        owner.delete(format!("{}?force=true", path(parcours))).await.expect(204);
    }
    let asked = format!("/api/public/v1/parcours/changes?since={}", begun["until"].as_str().expect("an instant"));
    assert_eq!(theirs.get(&asked).await.expect(200).json()["removed"], json!([id(&shown)]));
    let owners = api_client(&app, "morvan").await;
    assert_eq!(owners.get(&asked).await.expect(200).json()["removed"], json!([id(&shown), id(&hidden)]));
}

#[app_test]
async fn changes_list_what_a_white_label_adds_hides_and_takes_away(app: TestApp) {
    let lake = distributed_parcours(&app, "Tour du lac").await;
    let link = format!("{}/white-labels/{}", path(&lake), app.white_label("vercors").await);
    let (theirs, owners) = (api_client(&app, "vercors").await, api_client(&app, "morvan").await);
    let (mine, none) = ((vec![id(&lake)], json!([])), (Vec::new(), json!([id(&lake)])));
    // Added, hidden by its own switch, shown again.
    for (shown, expected) in [(true, &mine), (false, &none), (true, &mine)] {
        let asked = changes_from_now(&app, &theirs).await;
        app.editor_of("vercors").put(&link, json!({"published": shown})).await.expect(204);
        assert_eq!(&changed(&theirs, asked).await, expected);
        // The same again is no change.
        let asked = changes_from_now(&app, &theirs).await;
        app.editor_of("vercors").put(&link, json!({"published": shown})).await.expect(204);
        assert_eq!(changed(&theirs, asked).await, (Vec::new(), json!([])), "{shown}");
    }
    // Taken away on another server, whose clock is behind by 100 s at the moment of the question.
    let asked = changes_from_now(&app, &theirs).await;
    let other = app.changed(|_| {});
    other.clock().advance_s(7_700);
    other.editor_of("vercors").delete(&link).await.expect(204);
    app.clock().advance_s(2);
    assert_eq!(changed(&theirs, asked.clone()).await, none);
    assert_eq!(changed(&owners, asked.clone()).await.1, json!([]), "its owner has it still");
    // What came back in between is not removed.
    app.editor_of("vercors").put(&link, json!({"published": true})).await.expect(204);
    assert_eq!(changed(&theirs, asked).await, mine);
    // Once it was hidden, taking it away is no news.
    app.editor_of("vercors").put(&link, json!({"published": false})).await.expect(204);
    let asked = changes_from_now(&app, &theirs).await;
    app.editor_of("vercors").delete(&link).await.expect(204);
    assert_eq!(changed(&theirs, asked).await, (Vec::new(), json!([])));
}

#[app_test]
async fn a_parcours_that_its_owner_withdraws_and_a_white_label_takes_away_is_removed_there(app: TestApp) {
    let lake = distributed_parcours(&app, "Tour du lac").await;
    let link = format!("{}/white-labels/{}", path(&lake), app.white_label("vercors").await);
    app.editor_of("vercors").put(&link, json!({"published": true})).await.expect(204);
    let theirs = api_client(&app, "vercors").await;
    let asked = changes_from_now(&app, &theirs).await;
    let owner = app.editor_of("morvan");
    let unpublishing = owner.clone().at_version(version(&now(&owner, &lake).await));
    unpublishing.delete(format!("{}/publication", path(&lake))).await.expect(200);
    assert_eq!(changed(&theirs, asked.clone()).await, (Vec::new(), json!([id(&lake)])));
    let asked = changes_from_now(&app, &theirs).await;
    app.editor_of("vercors").delete(&link).await.expect(204);
    assert_eq!(changed(&theirs, asked).await, (Vec::new(), json!([id(&lake)])), "the client may have missed it before");
}

#[app_test]
async fn changes_name_no_draft_that_was_never_published(app: TestApp) {
    let editor = app.editor_of("morvan");
    let (draft, binned) = (made(&editor, "Brouillon", json!({})).await, made(&editor, "Jeté", json!({})).await);
    let former = distributed_parcours(&app, "Retiré").await;
    let unpublishing = editor.clone().at_version(version(&now(&editor, &former).await));
    unpublishing.delete(format!("{}/publication", path(&former))).await.expect(200);
    let client = api_client(&app, "morvan").await;
    let asked = changes_from_now(&app, &client).await;
    for parcours in [&draft, &former] {
        patch(&editor, &now(&editor, parcours).await, json!({"subtitle": {"fr": "Encore"}})).await;
    }
    editor.clone().with("if-match", "*").delete(path(&binned)).await.expect(204);
    assert_eq!(changed(&client, asked.clone()).await, (Vec::new(), json!([id(&former)])));
    // One that was published is listed also once it is deleted.
    editor.clone().with("if-match", "*").delete(path(&former)).await.expect(204);
    assert_eq!(changed(&client, asked).await, (Vec::new(), json!([id(&former)])));
}

#[app_test]
async fn open_data_are_complete_and_have_their_licence(app: TestApp) {
    distributed_parcours(&app, "Tour du lac").await;
    let woods = distributed_parcours(&app, "Tour du bois").await;
    let editor = app.editor_of("morvan");
    let gravel = json!({"practice_type_id": term(&app, "practice_type", "gravel").await});
    patch(&editor, &now(&editor, &woods).await, gravel).await;
    patch_white_label(&app, "morvan", json!({"open_data_licence": "odbl"})).await;
    let client = api_client(&app, "morvan").await;
    let schema = client.get("/api/public/v1/open-data/schema-randonnee.geojson").await.expect(200);
    assert_eq!(schema.header("content-type"), "application/geo+json");
    let collection = schema.json();
    assert_eq!(
        (&collection["licence"]["name"], collection["features"].as_array().map(Vec::len)),
        (&json!("ODbL-1.0"), Some(2))
    );
    assert_eq!(collection["features"][0]["properties"]["pratique"], "pédestre");
    let graph = client.get("/api/public/v1/open-data/datatourisme.jsonld").await.expect(200).json();
    assert_eq!(graph["@graph"].as_array().map(Vec::len), Some(2));
    assert_eq!(graph["@graph"][0]["@type"][0], "WalkingTour");
    assert_eq!(graph["@graph"][1]["@type"], json!(["CyclingTour", "PointOfInterest", "Tour"]));
    let circuits = client.get("/api/public/v1/open-data/cirkwi.xml").await.expect(200).text();
    assert_eq!(circuits.matches("</circuit>").count(), 2);
    assert!(client.get("/api/public/v1/open-data/cirkwi-pois.xml").await.expect(200).text().ends_with("</pois>\n"));
    let known = client.with("if-none-match", schema.header("etag"));
    known.get("/api/public/v1/open-data/schema-randonnee.geojson").await.expect(304);
    patch_white_label(&app, "morvan", json!({"open_data_licence": "cc_by"})).await;
    known.get("/api/public/v1/open-data/schema-randonnee.geojson").await.expect(200);
    // A closure is no save of the parcours, and is in the file. A new key is a new version of the white-label.
    let client = api_client(&app, "morvan").await;
    let schema = client.get("/api/public/v1/open-data/schema-randonnee.geojson").await.expect(200);
    let known = client.with("if-none-match", schema.header("etag"));
    known.get("/api/public/v1/open-data/schema-randonnee.geojson").await.expect(304);
    let today = app.app().now().day();
    let closed = json!({"title": {"fr": "Travaux au pont"}, "kind": "works", "from": today, "geometry": {"type": "LineString", "coordinates": [[4.001, 47.0], [4.004, 47.0]]}});
    app.editor_of("morvan").post("/api/v1/closures", closed).await.expect(201);
    let file = known.get("/api/public/v1/open-data/schema-randonnee.geojson").await.expect(200).text();
    assert!(file.contains("Travaux au pont"), "{file}");
}

#[app_test]
async fn the_api_is_described_on_a_page_in_both_languages_with_its_contract(app: TestApp) {
    let nobody = app.anonymous();
    let french = nobody.get("/api/docs").await.expect(200);
    let english = nobody.get("/api/docs?language=en").await.expect(200);
    assert_eq!((french.header("content-language"), english.header("content-language")), ("fr", "en"));
    for (page, words) in [
        (french.text(), ["lang=\"fr\"", "Essayer", "Fermetures et signalements en cours", "Une page"]),
        (english.text(), ["lang=\"en\"", "Try it", "Closures and warnings", "A page"]),
    ] {
        for path in ["/api/public/v1/parcours/changes", "/api/v2/{endpoint}/{id}/dem/", "/api/docs/openapi.json"] {
            assert!(page.contains(path), "{path}");
        }
        for words in words {
            assert!(page.contains(words), "{words}");
        }
        assert!(!page.contains("/api/v1/session") && !page.contains("_unslashed"));
        assert_eq!(page.matches("<script").count(), 1, "one script");
        assert!(page.contains("<script src=\"/api/docs/try.js\"") && !page.contains(" onclick="), "which is ours");
        // Each field of a form has a label, and no name occurs twice on the page.
        let of = |attribute: &str| -> Vec<String> {
            let before = format!(" {attribute}=\"");
            let parts = page.split(before.as_str()).skip(1);
            parts.map(|part| part.split('"').next().unwrap_or_default().to_owned()).collect()
        };
        let (ids, labels) = (of("id"), of("for"));
        assert_eq!(ids.iter().collect::<std::collections::BTreeSet<_>>().len(), ids.len());
        assert!(labels.len() > 30 && labels.iter().all(|label| ids.contains(label)));
        assert_eq!(page.matches("<input").count(), labels.len());
    }
    let script = nobody.get("/api/docs/try.js").await.expect(200);
    assert_eq!(script.header("content-type"), "text/javascript; charset=utf-8");
    let contract = nobody.get("/api/docs/openapi.json").await.expect(200).json();
    assert!(contract["paths"]["/api/v2/{endpoint}/{id}/dem/"]["get"].is_object());
    assert!(contract["paths"].get("/api/v1/session").is_none());
}

/// The tables of the documentation page name what an answer holds, field by field.
#[app_test]
async fn each_field_of_our_own_feed_is_in_the_documentation(app: TestApp) {
    let parcours = distributed_parcours(&app, "Tour du lac").await;
    let poi = app.poi().titled("Source").published().insert().await;
    let address = format!("/api/v1/pois/{}", poi.id);
    app.editor_of("morvan").with("if-match", "*").patch(address, json!({"distribute": true})).await.expect(200);
    let client = api_client(&app, "morvan").await;
    let page = app.anonymous().get("/api/docs?language=en").await.expect(200).text();
    for (caption, path) in
        [("A parcours", format!("parcours/{}", id(&parcours))), ("A POI", format!("pois/{}", poi.id))]
    {
        let table =
            page.split(&format!("<caption>{caption}</caption>")).nth(1).and_then(|rest| rest.split("</table>").next());
        let named = table.expect("a table").split("<th scope=\"row\"><code>").skip(1);
        let mut named: Vec<&str> = named.filter_map(|part| part.split("</code>").next()).collect();
        named.sort_unstable();
        let answer = client.get(format!("/api/public/v1/{path}")).await.expect(200).json();
        assert_eq!(keys(&answer), named, "{caption}");
    }
}

/// The answers of Geotrek-admin that are stored beside the repository: each endpoint here has their keys and their types.
#[app_test]
async fn each_endpoint_answers_with_the_keys_of_a_real_geotrek(app: TestApp) {
    let Some(folder) = testkit::shared_data().map(|data| data.join("imports/geotrek-v2")) else {
        return testkit::skipped("each_endpoint_answers_with_the_keys_of_a_real_geotrek", "the shared material");
    };
    let parent = distributed_parcours(&app, "Le grand tour").await;
    let stage = distributed_parcours(&app, "Étape").await;
    patch(&app.editor_of("morvan"), &stage, json!({"relation": "child", "parent_id": id(&parent)})).await;
    let client = api_client(&app, "morvan").await;
    for (endpoint, file) in [
        ("trek", "trek.json"),
        ("poi_type", "poi_type.json"),
        ("theme", "trek_theme.json"),
        ("trek_difficulty", "trek_difficulty.json"),
        ("trek_practice", "trek_practice.json"),
        ("trek_route", "trek_route.json"),
        ("trek_network", "trek_network.json"),
        ("label", "trek_label.json"),
        ("source", "sources.json"),
        ("structure", "structure.json"),
        ("service", "service.json"),
        ("service_type", "service_type.json"),
        ("trek_accessibility", "trek_accessibility.json"),
    ] {
        let theirs: Value = serde_json::from_slice(&std::fs::read(folder.join(file)).expect("a sample")).expect("JSON");
        let ours = client.get(format!("/api/v2/{endpoint}/")).await.expect(200).json();
        assert_eq!(keys(&ours), keys(&theirs), "{endpoint}: the page");
        for one in ours["results"].as_array().into_iter().flatten() {
            // What version 2.126 added since is compared with the recorded one.
            let known = keys(&theirs["results"][0]);
            let ours: Vec<_> = keys(one).into_iter().filter(|key| endpoint != "trek" || known.contains(key)).collect();
            assert_eq!(ours, known, "{endpoint}");
        }
    }
}

fn keys(value: &Value) -> Vec<&String> {
    let mut keys: Vec<_> = value.as_object().expect("an object").keys().collect();
    keys.sort();
    keys
}

#[app_test]
async fn simultaneous_requests_get_the_same_answer(app: TestApp) {
    distributed_parcours(&app, "Tour du lac").await;
    let client = Arc::new(api_client(&app, "morvan").await);
    let asks = (0..8).map(|_| {
        let client = Arc::clone(&client);
        tokio::spawn(async move { client.get("/api/v2/trek/").await.expect(200).text() })
    });
    let mut found = Vec::new();
    for ask in asks.collect::<Vec<_>>() {
        found.push(ask.await.expect("it answers"));
    }
    found.dedup();
    assert_eq!(found.len(), 1);
}

/// The entries of a zip file by their names, as another's reader finds them.
pub fn unzipped(bytes: &[u8]) -> std::collections::BTreeMap<String, Vec<u8>> {
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).expect("a zip file");
    let mut entries = std::collections::BTreeMap::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).expect("an entry");
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut entry, &mut bytes).expect("its sum is right");
        entries.insert(entry.name().expect("a name").into_owned(), bytes);
    }
    entries
}

#[app_test]
async fn a_pack_holds_all_that_an_app_shows_without_a_network(app: TestApp) {
    let parcours = distributed_parcours(&app, "Tour du lac").await;
    let ours = api_client(&app, "morvan").await;
    let at = format!("/api/public/v1/parcours/{}/pack.zip", id(&parcours));
    let pack = ours.get(&at).await.expect(200);
    assert_eq!(pack.header("content-type"), "application/zip");
    let unpacking = ours.clone().with("accept-encoding", "gzip").get(&at).await.expect(200);
    assert_eq!(unpacking.header("content-encoding"), "", "it is compressed already");
    let entries = unzipped(&pack.bytes);
    let reply: Value = serde_json::from_slice(&entries["parcours.json"]).expect("JSON");
    let picture = reply["media"][0]["url"].as_str().expect("an address");
    assert!(picture.starts_with("media/") && reply["media"][0]["thumbnail_url"].is_null(), "{picture}");
    assert!(entries[picture].len() > 100, "the picture lies where its address says");
    assert!(String::from_utf8_lossy(&entries["trace.gpx"]).contains("<gpx"));
    assert_eq!(serde_json::from_slice::<Value>(&entries["pois.json"]).expect("JSON")["items"], json!([]));
    let list: Value = serde_json::from_slice(&entries["pack.json"]).expect("JSON");
    for file in list["files"].as_array().expect("a list") {
        let name = file["name"].as_str().expect("a name");
        assert_eq!(file["bytes"].as_u64(), Some(entries[name].len() as u64), "{name}");
    }
    assert_eq!((&list["left_out"], &list["parcours"]), (&json!([]), &parcours["id"]));

    let known = ours.clone().with("if-none-match", pack.header("etag"));
    assert!(known.get(&at).await.expect(304).bytes.is_empty());
    patch(
        &app.editor_of("morvan"),
        &now(&app.editor_of("morvan"), &parcours).await,
        json!({"summary": {"fr": "Autre."}}),
    )
    .await;
    known.get(&at).await.expect(200);
    let french: Value =
        serde_json::from_slice(&unzipped(&ours.get(format!("{at}?language=fr")).await.bytes)["parcours.json"])
            .expect("JSON");
    assert_eq!(french["title"], "Tour du lac");
    let others = api_client(&app, "vercors").await;
    refused(others.get(&at).await, 404, "feed/not-found", "");
}

#[app_test]
async fn the_number_of_packs_written_at_once_is_limited(app: TestApp) {
    let parcours = distributed_parcours(&app, "Tour du lac").await;
    let key = new_api_key(&app, "morvan").await;
    let server = api::router(app.app().clone());
    let ask = || {
        let at = format!("/api/public/v1/parcours/{}/pack.zip", id(&parcours));
        let request = axum::http::Request::get(at).header("x-api-key", &key).body(Body::empty()).expect("a request");
        tower::ServiceExt::oneshot(server.clone(), request)
    };
    let mut unread = Vec::new();
    for _ in 0..4 {
        let answer = ask().await.expect("an answer");
        assert_eq!(answer.status(), 200);
        unread.push(answer);
    }
    let refused = ask().await.expect("an answer");
    assert_eq!((refused.status().as_u16(), refused.headers()["retry-after"].to_str().ok()), (503, Some("10")));
    // Read to its end, a pack leaves its place.
    let read = http_body_util::BodyExt::collect(unread.remove(0).into_body()).await.expect("a whole file");
    assert!(read.to_bytes().starts_with(b"PK"));
    assert_eq!(ask().await.expect("an answer").status(), 200);
}
