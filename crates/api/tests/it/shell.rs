//! Headers, requests from other sites, bodies that cannot be read.

use axum::body::Body;
use axum::http::Method;
use macros::app_test;
use serde_json::json;
use testkit::{PASSWORD, TestApp};

use crate::contract::operations;
use crate::feeds::new_api_key;

#[app_test]
async fn every_answer_has_the_security_headers(app: TestApp) {
    for path in ["/api/v1/session", "/payload.json", "/nowhere"] {
        let reply = app.anonymous().get(path).await;
        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(reply.header("referrer-policy"), "strict-origin-when-cross-origin");
        assert_eq!(reply.header("cross-origin-opener-policy"), "same-origin");
        let policy = reply.header("content-security-policy");
        for part in ["default-src 'self'", "script-src 'self';", "worker-src 'self' blob:", "frame-ancestors 'none'"] {
            assert!(policy.contains(part), "{policy}");
        }
        assert_eq!(reply.header("strict-transport-security"), "");
        assert_eq!(reply.header("x-request-id").len(), 16);
    }
    assert_eq!(app.anonymous().get("/api/v1/session").await.header("cache-control"), "no-store");
}

#[app_test]
async fn hsts_is_sent_over_https(app: TestApp) {
    let app = app.changed(|parts| parts.settings.public_url = "https://jalon.example".to_owned());
    let found = app.anonymous().get("/payload.json").await;
    assert_eq!(found.header("strict-transport-security"), "max-age=63072000; includeSubDomains");
}

#[app_test]
async fn the_content_security_policy_allows_the_operators_map_and_nothing_else(app: TestApp) {
    let style = "https://tiles.example/styles/a.json".to_owned();
    let app = app.changed(|parts| parts.settings.map_style_url = Some(style));
    let reply = app.anonymous().get("/payload.json").await;
    assert!(reply.header("content-security-policy").contains("connect-src 'self' https://tiles.example;"));
    assert_eq!(reply.json()["map"]["style_light"], "https://tiles.example/styles/a.json");
}

#[app_test]
async fn a_write_from_another_site_is_refused_even_when_signed_in(app: TestApp) {
    let editor = app.editor_of("morvan");
    let patch = json!({ "locale": "en" });
    for (name, value) in [
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
    ] {
        let refused = editor.clone().with("host", "jalon.example").with(name, value).patch("/api/v1/me", &patch).await;
        assert_eq!(refused.expect(403).problem().code, "auth/foreign-origin", "{name}: {value}");
    }
    for (name, value) in [
        ("origin", "http://localhost:8080"),
        ("origin", "https://jalon.example"),
        ("sec-fetch-site", "same-origin"),
        ("sec-fetch-site", "none"),
    ] {
        editor.clone().with("host", "jalon.example").with(name, value).patch("/api/v1/me", &patch).await.expect(200);
    }
    editor.with("origin", "https://evil.example").get("/api/v1/session").await.expect(200);
}

#[app_test]
async fn a_body_that_cannot_be_read_is_reported_by_its_fault(app: TestApp) {
    let send = async |content_type: Option<&'static str>, body: &str| {
        app.anonymous().send(Method::POST, "/api/v1/session", content_type, Body::from(body.to_owned())).await
    };
    let json = Some("application/json");
    let broken = send(json, "{\n \"email\": }").await.expect(400).problem();
    assert_eq!((broken.code.as_str(), &broken.params["line"]), ("request/bad-json", &json!(2)));
    let wrong = send(json, r#"{"email": 3, "password": "x"}"#).await.expect(422).problem();
    assert_eq!((wrong.code.as_str(), wrong.field.as_deref()), ("request/bad-field", Some("/email")));
    let unknown = send(json, r#"{"email": "a", "password": "b", "role": "superadmin"}"#).await.expect(422).problem();
    assert_eq!(unknown.code, "request/bad-field");
    assert_eq!(send(None, "{}").await.expect(415).problem().code, "request/not-json");
    assert_eq!(send(Some("text/plain"), "{}").await.expect(415).problem().code, "request/not-json");
    let huge = format!("{{\"email\": \"{}\"}}", "x".repeat(3 * 1024 * 1024));
    assert_eq!(send(json, &huge).await.expect(413).problem().code, "request/too-large");
    let deep = "[".repeat(60_000);
    assert_eq!(send(json, &deep).await.expect(422).problem().code, "request/bad-field");
}

/// PostgreSQL stores the character U+0000 in no text.
#[app_test]
async fn the_character_zero_is_refused_by_every_operation(app: TestApp) {
    let contract = serde_json::to_value(api::openapi()).unwrap();
    let by = app.superadmin().with("if-match", "*").with("x-api-key", &new_api_key(&app, "morvan").await);
    let mut failed = Vec::new();
    let mut asked = 0;
    for (verb, path, operation) in operations(&contract) {
        let filled = |text: &str| {
            let parts: Vec<&str> =
                path.split('/').map(|part| if part.starts_with('{') { text } else { part }).collect();
            parts.join("/")
        };
        let mut addresses = if path.contains('{') { vec![filled("a%00")] } else { Vec::new() };
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let queries = parameters.filter(|parameter| verb == "GET" && parameter["in"] == "query");
        addresses.extend(queries.map(|one| format!("{}?{}=%00", filled("1"), one["name"].as_str().unwrap())));
        for address in addresses {
            let method = Method::from_bytes(verb.as_bytes()).unwrap();
            let reply = by.send(method, &address, Some("application/json"), Body::from("{}")).await;
            if reply.status.as_u16() == 500 {
                failed.push(format!("{verb} {address}"));
            }
            asked += 1;
        }
    }
    assert!(failed.is_empty() && asked > 300, "{asked} requests, of which failed: {failed:#?}");
    for page in ["/s/%00", "/en/s/x%00", "/s/x%00/trace.gpx", "/p/x%00-1"] {
        let reply = app.anonymous().get(page).await.expect(404);
        assert!(reply.header("content-type").starts_with("text/html"), "{page}: visitors get a page");
    }
    let editor = app.editor_of("morvan");
    for nothing in ["/api/v1/uploads/a%00", "/api/v1/ground/entries/a%00/track.gpx"] {
        assert_eq!(
            editor.clone().with("tus-resumable", "1.0.0").get(nothing).await.expect(404).problem().code,
            "not-found"
        );
    }
    for (path, name) in [("ground/entries", "id"), ("medias", "sha256"), ("saved-views", "resource")] {
        let refused = editor.get(format!("/api/v1/{path}?{name}=a%00")).await.expect(400).problem();
        assert_eq!((refused.code.as_str(), &refused.params["name"]), ("request/bad-query", &json!(name)));
    }
    let body = json!({"email": "a\0@morvan.example", "password": "x"});
    let refused = app.anonymous().post("/api/v1/session", body).await.expect(422).problem();
    assert_eq!((refused.code.as_str(), refused.field.as_deref()), ("request/bad-field", Some("/email")));
}

#[app_test]
async fn unknown_paths_and_methods_are_answered_with_a_problem(app: TestApp) {
    let nothing = app.anonymous().get("/api/v1/nothing").await.expect(404).problem();
    assert_eq!((nothing.code.as_str(), &nothing.params["path"]), ("not-found", &json!("/api/v1/nothing")));
    let never = app.editor_of("morvan").delete("/api/v1/pois").await.expect(405).problem();
    assert_eq!(never.code, "request/method-not-allowed");
    let odd = app.editor_of("morvan").get("/api/v1/pois/abc").await.expect(404).problem();
    assert_eq!(odd.code, "not-found");
}

#[app_test]
async fn a_password_never_comes_back(app: TestApp) {
    let body = json!({ "email": "editor@morvan.example", "password": PASSWORD });
    let reply = app.anonymous().post("/api/v1/session", body).await.expect(200);
    assert!(!reply.text().contains("password") && !reply.text().contains("argon2"), "{}", reply.text());
    let users = app.superadmin().get("/api/v1/users").await.expect(200);
    assert!(!users.text().contains("argon2"));
}

#[app_test]
async fn large_answers_are_compressed_when_the_client_accepts_it(app: TestApp) {
    let reader = app.reader_of("morvan");
    let path = "/api/v1/vocabularies/poi_category";
    let plain = reader.get(path).await.expect(200);
    assert_eq!(plain.header("content-encoding"), "");
    for encoding in ["br", "gzip"] {
        let packed = reader.clone().with("accept-encoding", encoding).get(path).await.expect(200);
        assert_eq!(packed.header("content-encoding"), encoding);
        assert!(packed.bytes.len() * 3 < plain.bytes.len());
    }
}
