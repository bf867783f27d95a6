//! What the log says of requests: no token, no key, no whole e-mail address.

use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::http::Method;
use macros::app_test;
use serde_json::json;
use testkit::TestApp;

use crate::contract::operations;
use crate::nothing_crosses::renderer::RecordingRenderer;
use crate::parcours_kit::{made, path};

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Log {
    /// Everything that is logged in this thread from now on, as the binary writes it.
    fn listening(&self, redacted: bool) -> tracing::subscriber::DefaultGuard {
        let log = self.clone();
        let writer = move || -> Box<dyn std::io::Write> {
            let log = log.clone();
            if redacted { Box::new(app::redaction::RedactingWriter(log)) } else { Box::new(log) }
        };
        let subscriber = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(writer).finish();
        testkit::listen(subscriber)
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }
}

/// A short token, which only its route shows to be one; and a long token, as real ones are.
const TOKENS: [&str; 2] = ["jeton7zx", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"];

/// Every operation is asked with a token in each part of its path that is a text, and in the usual parameters and headers.
#[app_test]
async fn no_operation_of_the_contract_logs_a_token(app: TestApp) {
    let contract = serde_json::to_value(api::openapi()).unwrap();
    let log = Log::default();
    // Without the writer's redaction: the lines themselves hold none.
    let guard = log.listening(false);
    let mut asked = 0;
    for (verb, path, operation) in operations(&contract) {
        for token in TOKENS {
            let mut sent = String::new();
            for part in path.split_inclusive('}') {
                let (before, name) = part.split_once('{').unwrap_or((part, ""));
                sent.push_str(before);
                let name = name.trim_end_matches('}');
                let parameters = operation["parameters"].as_array().into_iter().flatten();
                let kind = parameters.clone().find(|parameter| parameter["name"] == name);
                let is_number = kind.is_some_and(|kind| kind["schema"]["type"] == "integer");
                sent.push_str(if name.is_empty() {
                    ""
                } else if is_number {
                    "999999"
                } else {
                    token
                });
            }
            let url = format!("{sent}?key={token}&token={token}&apikey={token}");
            let method = Method::from_bytes(verb.as_bytes()).unwrap();
            let by = app.anonymous().with("x-api-key", token).with("authorization", &format!("Bearer {token}"));
            let body = json!({"token": token, "code": token, "password": token, "key": token}).to_string();
            by.send(method, &url, Some("application/json"), Body::from(body)).await;
            asked += 1;
        }
    }
    // Addresses that no route of the contract knows: the screens of the app, and what is typed wrong.
    for path in ["/mot-de-passe/", "/invitation/", "/nulle-part/"] {
        app.anonymous().get(format!("{path}{}", TOKENS[1])).await;
    }
    drop(guard);
    let log = log.text();
    assert!(asked > 400 && log.contains("answered"), "the log speaks of {asked} requests");
    for token in TOKENS {
        let lines: Vec<&str> = log.lines().filter(|line| line.contains(token)).take(5).collect();
        assert!(lines.is_empty(), "logged: {lines:#?}");
    }
}

#[app_test]
async fn no_word_of_a_client_file_is_logged(app: TestApp) {
    let app = app.changed(|parts| parts.renderer = Some(Arc::new(RecordingRenderer::default())));
    let agency = app.agency_of("morvan");
    let parcours = path(&made(&agency, "Lac", json!({})).await);
    let log = Log::default();
    let guard = log.listening(false);
    let file = json!({"reference": "refq7x", "clients": ["nomq7x"]});
    let made = agency.post(format!("{parcours}/client-files"), &file).await.expect(201).json();
    let at = format!("{parcours}/client-files/{}", made["id"]);
    agency.clone().at_version(1).put(&at, &file).await.expect(200);
    agency.clone().at_version(1).put(&at, &file).await.expect(412);
    let wrong = json!({"reference": "refq7x", "clients": ["nomq7x"], "starts_on": "jourq7x"});
    agency.clone().at_version(2).put(&at, wrong).await.expect(422);
    agency.get(&at).await.expect(200);
    agency.post(format!("{parcours}/roadbook/pdf?client_file={}", made["id"]), json!({})).await.expect(200);
    agency.clone().at_version(2).delete(&at).await.expect(204);
    drop(guard);
    let log = log.text();
    assert!(log.contains("answered"));
    let lines: Vec<&str> = log.lines().filter(|line| line.contains("q7x")).take(5).collect();
    assert!(lines.is_empty(), "logged: {lines:#?}");
}

#[app_test]
async fn mails_are_logged_with_a_shortened_address(app: TestApp) {
    let log = Log::default();
    let guard = log.listening(true);
    app.anonymous().post("/api/v1/password-resets", json!({"email": "editor@morvan.example"})).await.expect(202);
    app.mail().next().await;
    tracing::error!(error = "550 <editor@morvan.example> unknown", "the mail was not sent");
    drop(guard);
    let log = log.text();
    assert!(log.contains("e…@morvan.example") && !log.contains("editor@morvan.example"), "{log}");
}
