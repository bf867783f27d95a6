//! What a request may cost before its sender is known: rate, then size, then time, then parsing; how many requests run at
//! once; and which client each is counted for.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::ConnectInfo;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{Method, Request};
use domain::TrustedProxies;
use futures_util::stream::{self, StreamExt};
use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, Reply, TestApp, until};

use crate::contract::operations;
use crate::feeds::new_api_key;

const PHOTO: &str = "/api/public/v1/field-reports/{token}/photo";
const LIMIT: usize = 64 * 1024;

/// An operation of the contract that takes a body.
struct Operation {
    verb: Method,
    template: String,
    path: String,
    content_type: &'static str,
}

/// All of them that need a session, or all that do not.
fn with_body(with_session: bool) -> Vec<Operation> {
    let contract = serde_json::to_value(api::openapi()).unwrap();
    let needs_session = |operation: &Value| {
        let ways = operation["security"].as_array().unwrap();
        !ways.is_empty() && ways.iter().all(|way| way["session"].is_array())
    };
    let found = operations(&contract).into_iter();
    found
        .filter(|(_, _, operation)| operation["requestBody"].is_object() && needs_session(operation) == with_session)
        .map(|(verb, template, operation)| {
            let is_json = operation["requestBody"]["content"]["application/json"].is_object();
            let path = template.replace("{token}", &"a".repeat(64));
            let path = path.split('/').map(|part| if part.starts_with('{') { "1" } else { part });
            Operation {
                verb: Method::from_bytes(verb.as_bytes()).unwrap(),
                path: path.collect::<Vec<_>>().join("/"),
                template,
                content_type: if is_json { "application/json" } else { "application/octet-stream" },
            }
        })
        .collect()
}

/// A body without end, and how many bytes were taken of it.
fn endless() -> (Body, Arc<AtomicUsize>) {
    let taken = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&taken);
    let pieces = stream::repeat_with(move || {
        counted.fetch_add(1_024, Ordering::SeqCst);
        Ok::<_, Infallible>(Bytes::from_static(&[b' '; 1_024]))
    });
    (Body::from_stream(pieces), taken)
}

async fn send_endless(client: &Client, operation: &Operation) -> (Reply, usize) {
    let (body, taken) = endless();
    let reply = client.send(operation.verb.clone(), &operation.path, Some(operation.content_type), body).await;
    (reply, taken.load(Ordering::SeqCst))
}

/// Visitors behind a proxy, each with the key that some operations want.
async fn visitors(app: &TestApp) -> (TestApp, impl Fn(&str) -> Client) {
    let key = new_api_key(app, "morvan").await;
    let app = app.changed(|parts| {
        parts.settings.trusted_proxies = TrustedProxies::Hops(1);
        parts.settings.requests.anonymous_writes_per_minute = 3;
        parts.settings.events_per_minute = 3;
    });
    let of = app.clone();
    (app, move |address: &str| of.anonymous().with("x-api-key", &key).with("x-forwarded-for", address))
}

#[app_test]
async fn a_large_body_for_an_operation_without_session_is_refused_before_it_is_read(app: TestApp) {
    let (_app, visitor) = visitors(&app).await;
    let public = with_body(false);
    assert!(public.len() >= 10, "{}", public.len());
    for operation in &public {
        let (verb, template) = (&operation.verb, &operation.template);
        let declared = if template == PHOTO { 1 << 40 } else { LIMIT + 1 };
        let client = visitor("203.0.113.7").with("content-length", &declared.to_string());
        let (reply, taken) = send_endless(&client, operation).await;
        let problem = reply.expect(413).problem();
        assert_eq!((problem.code.as_str(), taken), ("request/too-large", 0), "{verb} {template}");
        if template != PHOTO {
            let (reply, taken) = send_endless(&visitor("203.0.113.7"), operation).await;
            assert_eq!(reply.expect(413).problem().code, "request/too-large", "{verb} {template}");
            assert!((LIMIT..=LIMIT + 8_192).contains(&taken), "{verb} {template}: {taken} bytes were read");
        }
    }
}

#[app_test]
async fn the_rate_limit_is_checked_before_the_size_of_the_body(app: TestApp) {
    let (_app, visitor) = visitors(&app).await;
    for operation in &with_body(false) {
        let (verb, template) = (&operation.verb, &operation.template);
        let flood = visitor("2001:db8:1:2::7").with("content-length", &(1_u64 << 40).to_string());
        for _ in 0..3 {
            send_endless(&flood, operation).await.0.expect(413);
        }
        // Another address of the same network, in both languages.
        for (language, words) in [("fr", "Trop de demandes"), ("en", "Too many requests")] {
            let again = visitor("2001:db8:1:2:ffff::8").with("content-length", "1").with("accept-language", language);
            let (reply, taken) = send_endless(&again, operation).await;
            let wait: i64 = reply.header("retry-after").parse().unwrap_or_default();
            assert!((1..=60).contains(&wait), "{verb} {template}: {wait}");
            let answer = reply.expect(429).json();
            assert_eq!((answer["code"].as_str(), taken), (Some("request/too-many"), 0), "{verb} {template}");
            assert!(answer["detail"].as_str().is_some_and(|detail| detail.starts_with(words)), "{answer}");
        }
        send_endless(&visitor("2001:db8:1:3::7").with("content-length", "70000000000"), operation).await.0.expect(413);
    }
}

#[app_test]
async fn an_operation_with_session_does_not_read_the_body_of_an_anonymous_request(app: TestApp) {
    let mut read = Vec::new();
    for operation in &with_body(true) {
        let client = app.anonymous().with("if-match", "*").with("tus-resumable", "1.0.0");
        let (reply, taken) = send_endless(&client, operation).await;
        if reply.status != 401 || taken > 0 {
            read.push(format!("{} {}: {}, {taken} bytes", operation.verb, operation.template, reply.status));
        }
    }
    assert!(read.is_empty(), "{read:#?}");
}

#[app_test]
async fn signed_in_users_may_send_larger_bodies(app: TestApp) {
    let text = "x".repeat(3 * LIMIT);
    let sent = app.editor_of("morvan").patch("/api/v1/me", json!({ "locale": "en", "unknown": text })).await;
    assert_eq!(sent.expect(422).problem().code, "request/bad-field");
}

#[app_test]
async fn a_compressed_body_is_refused_everywhere(app: TestApp) {
    for (client, path) in [(app.anonymous(), "/api/v1/session"), (app.editor_of("morvan"), "/api/v1/pois")] {
        for encoding in ["gzip", "br", "deflate", "x"] {
            let sent = client.clone().with("content-encoding", encoding).post(path, json!({})).await;
            assert_eq!(sent.expect(415).problem().code, "request/encoded", "{path} {encoding}");
        }
        let sent = client.with("content-encoding", "Identity").post(path, json!({})).await;
        assert_ne!(sent.status, 415, "{path}");
    }
}

#[app_test]
async fn deep_and_endless_json_is_refused_quickly(app: TestApp) {
    let bombs = [
        "[".repeat(LIMIT - 100),
        "{\"a\":".repeat(LIMIT / 8),
        format!("{{\"email\":{}}}", "9".repeat(LIMIT - 100)),
        format!("{{\"email\":1e{}}}", "9".repeat(LIMIT - 100)),
        format!("{{\"email\":-0.{}1}}", "0".repeat(LIMIT - 100)),
        format!("{{\"events\":[{}{{}}]}}", "{},".repeat(LIMIT / 4)),
    ];
    for path in ["/api/v1/session", "/api/public/v1/events", "/api/public/v1/reviews"] {
        for bomb in &bombs {
            let body = Body::from(bomb.clone());
            let started = std::time::Instant::now();
            let reply = app.anonymous().send(Method::POST, path, Some("application/json"), body).await;
            let status = reply.status.as_u16();
            // 429: the events of one request exceed the limit of a minute.
            assert!([400, 413, 422, 429].contains(&status), "{path} {status} {}", &bomb[..20]);
            assert!(started.elapsed() < Duration::from_secs(2), "{path} {}", &bomb[..20]);
        }
    }
    let deep = format!("{{\"custom\":{{\"a\":{}{}}}}}", "[".repeat(100_000), "]".repeat(100_000));
    let client = app.editor_of("morvan").with("if-match", "*");
    let id = app.poi().insert().await.id;
    let path = format!("/api/v1/pois/{id}");
    let reply = client.send(Method::PATCH, &path, Some("application/json"), Body::from(deep)).await;
    assert!([400, 422].contains(&reply.status.as_u16()), "{}", reply.status);
}

/// A body in pieces of equal size, with a pause before each.
fn paced(pieces: usize, bytes: usize, pause: Duration) -> Body {
    let pieces = stream::iter(0..pieces).then(move |_| async move {
        tokio::time::sleep(pause).await;
        Ok::<_, Infallible>(Bytes::from(vec![b' '; bytes]))
    });
    Body::from_stream(pieces)
}

#[app_test]
async fn a_stalled_body_is_cut_off_and_a_slow_connection_is_not(app: TestApp) {
    let app = app.changed(|parts| {
        parts.settings.requests.body_timeout = Duration::from_millis(400);
        parts.settings.requests.min_bytes_per_s = 1_000;
    });
    let send =
        async |body: Body| app.anonymous().send(Method::POST, "/api/v1/session", Some("application/json"), body).await;
    let started = std::time::Instant::now();
    let stalled = send(paced(1, 10, Duration::from_secs(60))).await.expect(408);
    assert_eq!(stalled.problem().code, "request/too-slow");
    let drip = send(paced(10_000, 1, Duration::from_millis(20))).await.expect(408);
    assert_eq!(drip.problem().code, "request/too-slow");
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    // Twice as long as the time-out, above the least rate: read to its end, which is no JSON.
    let slow = send(paced(20, 1_000, Duration::from_millis(40))).await.expect(400);
    assert_eq!(slow.problem().code, "request/bad-json");
    let editor = app.editor_of("morvan");
    let upload = editor.send(Method::PUT, "/api/v1/media/1/file", None, paced(1, 10, Duration::from_secs(60)));
    assert_ne!(upload.await.status, 200);
}

/// A request that is under way until its task is aborted: the server reads its body, which never comes.
async fn pending_request(app: &TestApp, address: &str) -> tokio::task::JoinHandle<Reply> {
    let client = app.anonymous().with("x-forwarded-for", address);
    let (read, begun) = tokio::sync::oneshot::channel();
    let mut read = Some(read);
    let never = Body::from_stream(stream::poll_fn(move |_| {
        if let Some(read) = read.take() {
            let _ = read.send(());
        }
        std::task::Poll::<Option<Result<Bytes, Infallible>>>::Pending
    }));
    let request =
        tokio::spawn(
            async move { client.send(Method::POST, "/api/v1/session", Some("application/json"), never).await },
        );
    begun.await.expect("the server reads the body");
    request
}

#[app_test]
async fn requests_beyond_the_bound_are_refused_at_once_until_others_end(app: TestApp) {
    let app = app.changed(|parts| {
        parts.settings.trusted_proxies = TrustedProxies::Hops(1);
        parts.settings.requests.max_requests = 3;
        parts.settings.requests.max_requests_per_address = 2;
    });
    let from = |address: &str| app.anonymous().with("x-forwarded-for", address);
    let mut under_way = vec![pending_request(&app, "203.0.113.1").await, pending_request(&app, "203.0.113.1").await];
    let own = from("203.0.113.1").get("/payload.json").await.expect(429);
    assert_eq!((own.problem().code.as_str(), own.header("retry-after")), ("request/too-many", "2"));
    from("203.0.113.2").get("/payload.json").await.expect(200);
    under_way.push(pending_request(&app, "203.0.113.3").await);
    for (language, words) in [("fr", "Le serveur est surchargé"), ("en", "The server is overloaded")] {
        let (body, taken) = endless();
        let client = from("203.0.113.2").with("accept-language", language);
        let reply = client.send(Method::POST, "/api/v1/session", Some("application/json"), body).await.expect(503);
        assert_eq!((reply.header("retry-after"), taken.load(Ordering::SeqCst)), ("2", 0));
        let answer = reply.json();
        assert_eq!(answer["code"], "request/overloaded");
        assert!(answer["detail"].as_str().is_some_and(|detail| detail.starts_with(words)), "{answer}");
    }
    for request in under_way {
        request.abort();
    }
    until("a place is free", async || from("203.0.113.1").get("/payload.json").await.status == 200).await;
}

/// A request as it comes from a peer.
async fn from_peer(app: &TestApp, peer: &str, lines: &[&str]) -> Reply {
    let body = json!({ "email": "nobody@morvan.example", "password": "x" }).to_string();
    let mut request = Request::post("/api/v1/session").header(CONTENT_TYPE, "application/json");
    for line in lines {
        request = request.header("x-forwarded-for", *line);
    }
    let mut request = request.header(CONTENT_LENGTH, body.len()).body(Body::from(body)).unwrap();
    request.extensions_mut().insert(ConnectInfo(SocketAddr::new(peer.parse().unwrap(), 4_711)));
    app.send(request).await
}

#[app_test]
async fn a_client_cannot_choose_the_address_its_requests_are_counted_for(app: TestApp) {
    let limited = |proxies: &[&str]| {
        let proxies = TrustedProxies::networks(proxies.iter().copied()).unwrap();
        app.changed(|parts| {
            parts.settings.trusted_proxies = proxies;
            parts.settings.requests.anonymous_writes_per_minute = 2;
        })
    };
    // Directly, with a header of one's own; through the proxy, with lines before the proxy's.
    let (alone, behind) = (limited(&[]), limited(&["10.0.0.0/8"]));
    for n in 0..4 {
        let refused = n >= 2;
        let spoofed = format!("198.51.100.{n}");
        let direct = from_peer(&alone, "203.0.113.7", &[&spoofed]).await;
        let untrusted = from_peer(&behind, "203.0.113.7", &[&spoofed]).await;
        let many = [spoofed.as_str(); 1_000].join(", ");
        let proxied = from_peer(&behind, "10.0.0.1", &[&spoofed, &many, "::ffff:203.0.113.8"]).await;
        let garbage = from_peer(&behind, "10.0.0.2", &[&spoofed, "unknown, \"<script>"]).await;
        for reply in [direct, untrusted, proxied, garbage] {
            assert_eq!(reply.status == 429 && reply.problem().code == "request/too-many", refused, "{n}");
        }
    }
    // The account itself may wait by now; the other client is not refused for its rate.
    let other = from_peer(&behind, "10.0.0.1", &["203.0.113.9"]).await;
    assert_ne!(other.problem().code, "request/too-many");
}

#[app_test]
async fn an_ipv6_network_is_one_client_for_every_limit(app: TestApp) {
    let key = new_api_key(&app, "morvan").await;
    let app = app.changed(|parts| {
        parts.settings.trusted_proxies = TrustedProxies::Hops(1);
        parts.settings.public_requests_a_minute = 3;
        parts.settings.requests.anonymous_reads_per_minute = 3;
    });
    let nth = |n: usize| app.anonymous().with("x-api-key", &key).with("x-forwarded-for", &format!("2001:db8:1:2::{n}"));
    let other = || app.anonymous().with("x-api-key", &key).with("x-forwarded-for", "2001:db8:1:3::1");
    for n in 0..3 {
        nth(n).get("/api/public/v1/pois").await.expect(200);
    }
    assert_eq!(nth(3).get("/api/public/v1/pois").await.expect(429).problem().code, "feed/too-many");
    assert_eq!(nth(4).get("/payload.json").await.expect(429).problem().code, "request/too-many");
    // A probe that is refused says that the server is down.
    for probe in ["/livez", "/readyz", "/health"] {
        nth(5).get(probe).await.expect(200);
    }
    nth(6).get("/certificates/ask?domain=nowhere.example").await.expect(404);
    other().get("/api/public/v1/pois").await.expect(200);
    // Too long for a password: it is refused without the work of comparing it.
    let typed = |n: usize| json!({ "email": format!("guess{n}@morvan.example"), "password": "x".repeat(2_000) });
    for n in 10..110 {
        nth(n).post("/api/v1/session", typed(n)).await.expect(401);
    }
    let waits = nth(110).post("/api/v1/session", typed(110)).await.expect(429);
    assert_eq!(waits.problem().code, "auth/too-many-tries");
    other().post("/api/v1/session", typed(0)).await.expect(401);
}
