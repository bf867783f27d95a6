//! Lines and stops are imported from the feeds of their operators: completely or not at all, and never over what was edited here.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use std::io::{Cursor, Write as _};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Body;
use axum::http::Method;
use macros::app_test;
use serde_json::{Value, json};
use sources::transit::work;
use testkit::{Client, TestApp, skipped, until};
use zip::write::SimpleFileOptions;

use crate::catalogue_kit::{faults, one, patch};
use crate::imports_kit::{Answer, Stub};
use crate::parcours_kit::{eastward, gpx, imported, made, now, patched, path, published};

const FEEDS: &str = "/api/v1/transport-feeds";
const LINES: &str = "/api/v1/transport-lines";

fn zipped(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(name.as_str(), SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A folder of the shared samples as an archive.
fn sample(name: &str) -> Option<Vec<u8>> {
    let folder = testkit::shared_data()?.join("gtfs").join(name);
    if folder.with_extension("zip").is_file() {
        return std::fs::read(folder.with_extension("zip")).ok();
    }
    let mut files: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|file| (file.file_name().to_string_lossy().into_owned(), std::fs::read(file.path()).unwrap()))
        .collect();
    files.sort();
    Some(zipped(&files))
}

/// Two lines: 12 stops where the test parcours begins and ends, 112 far away.
pub fn small(long_name: &str, mode: u32) -> Vec<u8> {
    let (from, to) = (eastward()[0], *eastward().last().unwrap());
    let file = |name: &str, text: String| (name.to_owned(), text.into_bytes());
    zipped(&[
        file("agency.txt", "agency_id,agency_name\nC,Cars du Vallon\n".into()),
        file("routes.txt", format!("route_id,agency_id,route_short_name,route_long_name,route_type\nR12,C,12,{long_name},{mode}\nR112,C,112,Ailleurs,3\n")),
        file("stops.txt", format!(
            "stop_id,stop_name,stop_lat,stop_lon\nA,La Halle,{},{}\nB,Le Lac,{},{}\nZ,Loin,43.0,1.0\n", from.1, from.0, to.1, to.0 + 0.002
        )),
        file("calendar.txt", "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nW,1,1,1,1,1,0,1,20200101,20991231\n".into()),
        file("trips.txt", "route_id,service_id,trip_id,trip_headsign,bikes_allowed\nR12,W,T1,Le Lac,1\nR12,W,T2,La Halle,2\nR112,W,T3,Loin,1\n".into()),
        file("stop_times.txt", "trip_id,departure_time,stop_id,stop_sequence\nT1,08:00:00,A,1\nT1,08:40:00,B,2\nT2,17:30:00,B,1\nT2,18:10:00,A,2\nT3,09:00:00,Z,1\nT3,09:30:00,A,2\n".into()),
    ])
}

async fn feed(by: &Client, fields: Value) -> Value {
    let mut body = json!({"name": "Région"});
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    by.post(FEEDS, body).await.expect(201).json()
}

async fn with_file(by: &Client, feed: &Value, bytes: Vec<u8>) -> Value {
    let at = by.clone().at_version(feed["version"].as_i64().unwrap());
    let path = format!("{}/file?file_name=gtfs.zip", one(FEEDS, feed));
    at.send(Method::PUT, &path, Some("application/octet-stream"), Body::from(bytes)).await.expect(200).json()
}

async fn run_feed(app: &TestApp, by: &Client, feed: &Value) -> Value {
    let run = by.post(format!("{}/runs", one(FEEDS, feed)), json!({})).await.expect(202).json();
    work::settle(app.app()).await.unwrap();
    by.get(format!("/api/v1/transport-runs/{}", run["id"])).await.expect(200).json()
}

async fn found(by: &Client, feed: &Value, query: &str) -> Vec<String> {
    let lines = by.get(format!("{}/lines?{query}", one(FEEDS, feed))).await.expect(200).json();
    lines["items"].as_array().unwrap().iter().map(|line| line["code"].as_str().unwrap().to_owned()).collect()
}

fn codes(run: &Value) -> Vec<&str> {
    run["notes"].as_array().unwrap().iter().filter_map(|note| note["code"].as_str()).collect()
}

/// A feed that the test may change, at an address.
fn served(bytes: &Arc<Mutex<Vec<u8>>>) -> Stub {
    let bytes = Arc::clone(bytes);
    Stub::start(move |_, headers| {
        let body = bytes.lock().unwrap().clone();
        let etag = format!("\"{}\"", body.len());
        if headers.get("if-none-match") == Some(&etag) {
            return Answer(304, Vec::new(), Vec::new());
        }
        Answer(200, vec![format!("ETag: {etag}")], body)
    })
}

#[app_test]
async fn the_lines_of_a_feed_are_found_by_code_name_operator_and_stop(app: TestApp) {
    let Some(bytes) = sample("maison-vallon") else {
        return skipped("the_lines_of_a_feed_are_found_by_code_name_operator_and_stop", "../shared/data is missing");
    };
    let editor = app.editor_of("morvan");
    let vallon = feed(&editor, json!({})).await;
    let lines = editor.get(format!("{}/lines", one(FEEDS, &vallon))).await.expect(200).json();
    assert_eq!((&lines["edition"], &lines["total"]), (&Value::Null, &json!(0)), "nothing was read yet");
    let vallon = with_file(&editor, &vallon, bytes).await;
    let run = run_feed(&app, &editor, &vallon).await;
    assert_eq!((&run["state"], codes(&run).len()), (&json!("done"), 0), "{run}");
    assert_eq!(
        (&run["counts"]["lines"], &run["counts"]["stops"], &run["counts"]["stop_times"]),
        (&json!(6), &json!(8), &json!(20))
    );
    assert_eq!(found(&editor, &vallon, "search=12").await, ["12"]);
    assert_eq!(found(&editor, &vallon, "search=1").await, ["12", "14", "F1", "R1"], "codes that begin like it first");
    assert_eq!(found(&editor, &vallon, "search=traversee").await, ["BAC"]);
    assert_eq!(found(&editor, &vallon, "search=rails+du").await, ["R1"], "its operator");
    assert_eq!(found(&editor, &vallon, "search=col+trois").await, ["12", "TAD"], "a stop");
    assert_eq!(found(&editor, &vallon, "mode=ferry,funicular").await, ["BAC", "F1"]);
    assert_eq!(found(&editor, &vallon, "bike_carriage=conditions").await, ["12"]);
    assert_eq!(found(&editor, &vallon, "operator=Cars+du+Vallon&per_page=2&page=2").await, ["F1", "TAD"]);
    let lines = editor.get(format!("{}/lines?search=12", one(FEEDS, &vallon))).await.expect(200).json();
    assert_eq!(lines["operators"], json!(["Bac du Lac", "Cars du Vallon", "Rails du Vallon"]));
    assert_eq!(lines["items"][0]["bikes"], json!({"yes": 2, "no": 1, "unknown": 0}));
    let stops = editor.get(format!("{}/line-stops?route=C14", one(FEEDS, &vallon))).await.expect(200).json();
    assert_eq!(
        stops["items"][1]["departures"][0],
        json!({"day": "weekday", "first_s": 87_000, "last_s": 87_000, "towards": "Hautecombe"})
    );
    let reply = editor.get(format!("{}/lines?radius_m=9", one(FEEDS, &vallon))).await.expect(400);
    assert_eq!(reply.problem().code, "request/bad-query");
}

#[app_test]
async fn every_sample_is_read_with_its_faults(app: TestApp) {
    let editor = app.editor_of("morvan");
    // Three of them are excerpts in which no line serves a stop.
    for (name, lines, told) in [
        ("frioul-if-express", Some(1), None),
        ("bibus-couleurs", None, None),
        ("bibus-plusieurs-agences", Some(3), Some("transport/unknown-stop")),
        ("bibus-sur-appel", None, None),
        ("paris-velo-admis", None, None),
        ("tad-bois-le-roi-flex", Some(1), Some("transport/bad-address")),
    ] {
        let Some(bytes) = sample(name) else {
            return skipped("every_sample_is_read_with_its_faults", "../shared/data is missing");
        };
        let read = feed(&editor, json!({"name": name})).await;
        let read = with_file(&editor, &read, bytes).await;
        let run = run_feed(&app, &editor, &read).await;
        if let Some(lines) = lines {
            assert_eq!((&run["state"], &run["counts"]["lines"]), (&json!("done"), &json!(lines)), "{name}: {run}");
        } else {
            let refused = (&json!("failed"), &json!("transport/no-calls"));
            assert_eq!((&run["state"], &run["failure"]["code"]), refused, "{name}: {run}");
        }
        assert!(told.is_none_or(|code| codes(&run).contains(&code)), "{name}: {run}");
    }
    let all = editor.get(FEEDS).await.expect(200).json();
    assert_eq!(all["total"], 6);
    let boats = all["items"].as_array().unwrap().iter().find(|feed| feed["name"] == "frioul-if-express").unwrap();
    assert_eq!(boats["edition"]["is_over"], true);
}

#[app_test]
async fn added_lines_follow_their_feed_except_for_fields_edited_here(app: TestApp) {
    let editor = app.editor_of("morvan");
    let bytes = Arc::new(Mutex::new(small("La Halle – Le Lac", 3)));
    let stub = served(&bytes);
    let region = feed(&editor, json!({"url": stub.url})).await;
    run_feed(&app, &editor, &region).await;
    let add = |routes: Value| editor.post(format!("{}/additions", one(FEEDS, &region)), json!({"routes": routes}));
    let reply = add(json!(["R12", "R13"])).await.expect(404).problem();
    assert_eq!(reply.code, "transport/line-not-found");
    let added = add(json!(["R12", "R112", "R12"])).await.expect(200).json();
    assert_eq!(
        added["items"].as_array().unwrap().iter().map(|one| one["made"].as_bool().unwrap()).collect::<Vec<_>>(),
        [true, true, false]
    );
    let id = added["items"][0]["line_id"].clone();
    let line = editor.get(format!("{LINES}/{id}")).await.expect(200).json();
    assert_eq!(
        (&line["long_name"], &line["short_name"], &line["bike_carriage"], &line["operator"]),
        (&json!("La Halle – Le Lac"), &json!("12"), &json!("conditions"), &json!("Cars du Vallon"))
    );
    let lines = editor.get(format!("{}/lines?search=12", one(FEEDS, &region))).await.expect(200).json();
    assert_eq!(lines["items"][0]["line_id"], id, "what was added is shown as such");

    // The same file is not read twice.
    let again = run_feed(&app, &editor, &region).await;
    assert_eq!((&again["unchanged"], &again["counts"]["lines"]), (&json!(true), &json!(2)));
    patch(&editor, LINES, &line, json!({"long_name": "De la halle au lac"})).await.expect(200);
    *bytes.lock().unwrap() = small("La Halle – Le Grand Lac", 200);
    let run = run_feed(&app, &editor, &region).await;
    assert_eq!((&run["unchanged"], &run["counts"]["refreshed"]), (&json!(false), &json!(1)), "{run}");
    let line = editor.get(format!("{LINES}/{id}")).await.expect(200).json();
    assert_eq!((&line["long_name"], &line["mode"]), (&json!("De la halle au lac"), &json!("coach")));

    // A line that is gone from the feed stays here, and the run lists it.
    *bytes.lock().unwrap() = sample("frioul-if-express").unwrap_or_else(|| {
        zipped(&[
            ("routes.txt".into(), b"route_id\nX\n".to_vec()),
            ("stops.txt".into(), b"stop_id,stop_lat,stop_lon\nA,47,4\n".to_vec()),
            ("calendar.txt".into(), b"service_id,monday,start_date,end_date\nW,1,20200101,20991231\n".to_vec()),
            ("trips.txt".into(), b"route_id,service_id,trip_id\nX,W,T\n".to_vec()),
            ("stop_times.txt".into(), b"trip_id,stop_id\nT,A\n".to_vec()),
        ])
    });
    let run = run_feed(&app, &editor, &region).await;
    assert_eq!((&run["counts"]["gone"], codes(&run)), (&json!(2), vec!["transport/line-gone"; 2]), "{run}");
    editor.get(format!("{LINES}/{id}")).await.expect(200);
    assert_eq!(
        app.editor_of("vercors").get(one(FEEDS, &region)).await.expect(404).problem().code,
        "transport/feed-not-found"
    );
}

#[app_test]
async fn a_killed_run_continues_and_no_partial_result_is_shown(app: TestApp) {
    let editor = app.editor_of("morvan");
    let before = feed(&editor, json!({})).await;
    let region = with_file(&editor, &before, small("La Halle – Le Lac", 3)).await;
    run_feed(&app, &editor, &region).await;
    // 9,000 lines take three steps.
    let routes: String = (0..9_000).map(|n| format!("N{n},{n},3\n")).collect();
    let many = zipped(&[
        ("routes.txt".into(), format!("route_id,route_short_name,route_type\n{routes}").into_bytes()),
        ("stops.txt".into(), b"stop_id,stop_name,stop_lat,stop_lon\nA,Gare,47,4\n".to_vec()),
        ("calendar.txt".into(), b"service_id,monday,start_date,end_date\nW,1,20200101,20991231\n".to_vec()),
        ("trips.txt".into(), b"route_id,service_id,trip_id\nN1,W,T\n".to_vec()),
        ("stop_times.txt".into(), b"trip_id,stop_id\nT,A\n".to_vec()),
    ]);
    let region = with_file(&editor, &region, many).await;
    let run = editor.post(format!("{}/runs", one(FEEDS, &region)), json!({})).await.expect(202).json();
    // Each server does one step and is dropped with everything it held in memory.
    for _ in 0..3 {
        assert!(work::step(app.changed(|_| {}).app()).await.unwrap());
    }
    assert_eq!(
        found(&editor, &region, "search=12").await,
        ["12", "112"],
        "what was read before is shown until the new is whole"
    );
    let busy = editor.post(format!("{}/runs", one(FEEDS, &region)), json!({})).await.expect(409).problem();
    assert_eq!(busy.code, "transport/running");
    let half = editor.get(format!("/api/v1/transport-runs/{}", run["id"])).await.expect(200).json();
    assert_eq!((&half["done"], &half["total"]), (&json!(8_000), &json!(9_002)));
    // A server that dies in the middle of a step leaves nothing of it.
    let dying = app.changed(|_| {});
    let step = tokio::spawn(async move { work::step(dying.app()).await.is_ok() });
    step.abort();
    let _ = step.await;
    let next = app.changed(|_| {});
    next.clock().advance_s(61);
    work::settle(next.app()).await.unwrap();
    api::tidy::tidy(next.app()).await.unwrap();
    let run = editor.get(format!("/api/v1/transport-runs/{}", run["id"])).await.expect(200).json();
    assert_eq!((&run["state"], &run["counts"]["lines"]), (&json!("done"), &json!(9_000)));
    let lines = editor.get(format!("{}/lines?per_page=1", one(FEEDS, &region))).await.expect(200).json();
    assert_eq!(lines["total"], 9_000, "no line twice, none missing");
    assert_eq!(found(&editor, &region, "search=Ailleurs").await, Vec::<String>::new(), "the old is swept away");
}

#[app_test]
async fn two_servers_at_one_run_write_each_row_once(app: TestApp) {
    let editor = app.editor_of("morvan");
    let region = feed(&editor, json!({})).await;
    let region = with_file(&editor, &region, small("La Halle – Le Lac", 3)).await;
    let run = editor.post(format!("{}/runs", one(FEEDS, &region)), json!({})).await.expect(202).json();
    let other = app.changed(|_| {});
    for _ in 0..8 {
        let (one, other) = tokio::join!(work::step(app.app()), work::step(other.app()));
        assert!(one.is_ok() && other.is_ok());
    }
    work::settle(app.app()).await.unwrap();
    let run = editor.get(format!("/api/v1/transport-runs/{}", run["id"])).await.expect(200).json();
    assert_eq!((&run["state"], &run["counts"]["lines"]), (&json!("done"), &json!(2)), "{run}");
    assert_eq!(found(&editor, &region, "").await, ["112", "12"]);
}

#[app_test]
async fn a_feed_whose_server_died_while_it_fetched_is_read_after_a_minute(app: TestApp) {
    let editor = app.editor_of("morvan");
    // The first question is not answered in time.
    let (open, asked) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let (gate, count) = (Arc::clone(&open), Arc::clone(&asked));
    let bytes = small("La Halle – Le Lac", 3);
    let stub = Stub::start(move |_, _| {
        let is_first = count.fetch_add(1, Ordering::Relaxed) == 0;
        while is_first && !gate.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(5));
        }
        Answer(200, Vec::new(), bytes.clone())
    });
    let region = feed(&editor, json!({"url": stub.url, "schedule": "daily"})).await;
    let run = editor.post(format!("{}/runs", one(FEEDS, &region)), json!({})).await.expect(202).json();
    let dying = app.changed(|_| {});
    let died = tokio::spawn({
        let dying = dying.clone();
        async move { work::settle(dying.app()).await.is_ok() }
    });
    until("the file is requested", async || asked.load(Ordering::Relaxed) > 0).await;
    died.abort();
    let next = app.changed(|_| {});
    work::settle(next.app()).await.unwrap();
    assert_eq!(asked.load(Ordering::Relaxed), 1, "its lease holds");
    next.clock().advance_s(61);
    work::settle(next.app()).await.unwrap();
    let shown = async || editor.get(format!("/api/v1/transport-runs/{}", run["id"])).await.expect(200).json();
    let done = shown().await;
    assert_eq!((&done["state"], &done["counts"]["lines"]), (&json!("done"), &json!(2)), "{done}");
    // The server that lost its lease receives its answer late: it writes nothing.
    open.store(true, Ordering::Relaxed);
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(shown().await, done);
    let admin = app.admin_of("morvan");
    let jobs = |kind: &'static str| {
        let admin = admin.clone();
        async move { admin.get(format!("/api/v1/jobs?kind={kind}")).await.expect(200).json()["items"].clone() }
    };
    let runs = jobs("transport_run").await;
    assert_eq!((runs.as_array().unwrap().len(), &runs[0]["state"]), (1, &json!("done")), "{runs}");
    // The next run is scheduled; a cancelled one is skipped.
    let waiting = jobs("transport_refresh").await[0].clone();
    assert_eq!(waiting["state"], "waiting");
    admin.post(format!("/api/v1/jobs/{}/cancel", waiting["id"]), json!({})).await.expect(200);
    let after = jobs("transport_refresh").await;
    assert_eq!((&after[0]["state"], &after[1]["state"]), (&json!("waiting"), &json!("cancelled")), "{after}");
}

#[app_test]
async fn an_unreadable_feed_is_reported_and_the_shown_data_stay(app: TestApp) {
    let editor = app.editor_of("morvan");
    let bytes = Arc::new(Mutex::new(small("La Halle – Le Lac", 3)));
    let stub = served(&bytes);
    let region = feed(&editor, json!({"url": stub.url, "notify_email": "transport@morvan.example"})).await;
    run_feed(&app, &editor, &region).await;
    for (body, code) in [
        (b"<!doctype html><p>En maintenance</p>".to_vec(), "import/web-page"),
        (b"PK\x03\x04".to_vec(), "transport/broken-archive"),
        (b"route_id,route_short_name\n".to_vec(), "transport/not-an-archive"),
        (zipped(&[("stops.txt".into(), b"stop_id\n".to_vec())]), "transport/missing-file"),
        (
            zipped(&[
                ("routes.txt".into(), b"route_id\nX\n".to_vec()),
                ("stops.txt".into(), b"stop_id,stop_lat,stop_lon\nA,47,4\n".to_vec()),
                ("trips.txt".into(), b"trip_id\n".to_vec()),
                ("stop_times.txt".into(), b"trip_id,stop_id\n".to_vec()),
            ]),
            "transport/no-calls",
        ),
        (Vec::new(), "trace/empty"),
    ] {
        *bytes.lock().unwrap() = body;
        let run = run_feed(&app, &editor, &region).await;
        assert_eq!((&run["state"], &run["failure"]["code"]), (&json!("failed"), &json!(code)), "{run}");
        assert_eq!(found(&editor, &region, "search=12").await, ["12", "112"]);
    }
    let mail = app.mail().next().await;
    assert_eq!(mail.to, "transport@morvan.example");
    assert!(mail.text.contains("restent affichés") || mail.text.contains("still shown"), "{}", mail.text);
    let nothing = feed(&editor, json!({})).await;
    let reply = editor.post(format!("{}/runs", one(FEEDS, &nothing)), json!({})).await.expect(422).problem();
    assert_eq!(reply.code, "transport/nothing-to-read");
    assert_eq!(
        faults(editor.post(FEEDS, json!({"name": " ", "url": "gopher://x"})).await),
        ["validation/required /name", "validation/url-scheme /url"]
    );
    // A run that is stopped ends as such.
    let run = editor.post(format!("{}/runs", one(FEEDS, &region)), json!({})).await.expect(202).json();
    editor.post(format!("/api/v1/transport-runs/{}/cancellation", run["id"]), json!({})).await.expect(204);
    work::settle(app.app()).await.unwrap();
    let run = editor.get(format!("/api/v1/transport-runs/{}", run["id"])).await.expect(200).json();
    assert_eq!(run["state"], "cancelled");
}

#[app_test]
async fn a_feed_is_fetched_again_on_schedule(app: TestApp) {
    let editor = app.editor_of("morvan");
    let bytes = Arc::new(Mutex::new(small("La Halle – Le Lac", 3)));
    let stub = served(&bytes);
    let region = feed(&editor, json!({"url": stub.url, "schedule": "daily"})).await;
    run_feed(&app, &editor, &region).await;
    assert_eq!(stub.requests().len(), 1);
    app.clock().advance_s(86_400);
    work::settle(app.app()).await.unwrap();
    let id = region["id"].as_i64().unwrap();
    let last = || async { store::transit::last_run(app.store().read(), id).await.unwrap().unwrap() };
    let second = last().await;
    assert!(second.unchanged && second.asked_by.is_none() && stub.requests().len() == 2, "{second:?}");
    // After a week the unchanged file is read again, because its seasons may have ended.
    app.clock().advance_s(7 * 86_400);
    work::settle(app.app()).await.unwrap();
    let third = last().await;
    assert!(!third.unchanged && third.counts.lines == 2 && stub.requests().len() == 3, "{third:?}");
}

#[app_test]
async fn stops_near_a_parcours_list_their_lines_and_the_last_ride_back(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Tour du lac", json!({"is_loop": false, "title": {"fr": "Tour du lac"}})).await;
    // Walked in an hour, by its own times.
    let at =
        |bytes: String, place: usize, time: &str| format!("{}<time>{time}</time>{}", &bytes[..place], &bytes[place..]);
    let bytes = gpx(&eastward());
    let end = bytes.rfind("</trkpt>").unwrap();
    let bytes = at(bytes, end, "2026-05-01T09:00:00Z");
    let start = bytes.find("</trkpt>").unwrap();
    let bytes = at(bytes, start, "2026-05-01T08:00:00Z");
    imported(&editor, &parcours, "lac.gpx", bytes).await.expect(200);
    let parcours = now(&editor, &parcours).await;
    let around = format!("{}/transport", path(&parcours));
    let none = editor.get(&around).await.expect(200).json();
    assert_eq!((&none["feeds"], &none["ways_home"]), (&json!(0), &json!([])));
    let region = feed(&editor, json!({"show_stops": true})).await;
    let region = with_file(&editor, &region, small("La Halle – Le Lac", 3)).await;
    run_feed(&app, &editor, &region).await;
    let answer = editor.get(&around).await.expect(200).json();
    let places = answer["places"].as_array().unwrap();
    let (first, last) = (&places[0], places.last().unwrap());
    assert_eq!((&first["kind"], &first["stops"][0]["name"]), (&json!("departure"), &json!("La Halle")), "{answer}");
    assert_eq!((&last["kind"], &last["stops"][0]["name"]), (&json!("arrival"), &json!("Le Lac")));
    let line = &last["stops"][0]["lines"][0];
    assert_eq!(
        (&line["code"], &line["bike_carriage"], &line["line_id"]),
        (&json!("12"), &json!("conditions"), &Value::Null)
    );
    let home = &answer["ways_home"][0];
    assert_eq!(
        (&home["day"], &home["last_s"], &home["towards"], &home["stop"]),
        (&json!("weekday"), &json!(63_000), &json!("La Halle"), &json!("Le Lac"))
    );
    let (by, duration) = (home["leave_by_s"].as_f64().unwrap(), answer["duration_s"].as_f64().unwrap());
    let walk = home["distance_m"].as_f64().unwrap() / (4.0 / 3.6);
    let pauses = home["pauses_s"].as_f64().unwrap();
    assert!((pauses - duration * 0.33).abs() < 31.0, "a third of the duration is kept: {home}");
    assert!((63_000.0 - duration - pauses - walk - by).abs() < 70.0, "{home}");
    assert_eq!(answer["ways_home"].as_array().unwrap().len(), 2, "none on Saturdays");
    let near =
        editor.get(format!("{}/lines?parcours={}", one(FEEDS, &region), parcours["id"])).await.expect(200).json();
    assert_eq!((&near["total"], &near["items"][0]["near"]["place"]), (&json!(2), &json!("departure")), "{near}");

    // On the public page where its white-label shows public transport, and the feed its stops.
    published(&editor, &parcours).await;
    let parcours = patched(&editor, &now(&editor, &parcours).await, json!({"title": {"fr": "Tour du lac"}}))
        .await
        .expect(200)
        .json();
    let page = || async { app.anonymous().get(format!("/p/tour-du-lac-{}", parcours["id"])).await.expect(200).text() };
    assert!(!page().await.contains("Arrêts proches"), "the switch is off");
    let root = app.superadmin();
    let id = app.white_label("morvan").await;
    let own = root.get(format!("/api/v1/white-labels/{id}")).await.expect(200).json();
    patch(&root, "/api/v1/white-labels", &own, json!({"flags": {"public_transport": true}})).await.expect(200);
    let text = page().await;
    for words in [
        "Venir sans voiture",
        "Arrêts proches",
        "La Halle",
        "Bus 12",
        "vélos acceptés sous conditions",
        "Pour rentrer",
        "17\u{202f}h\u{202f}30",
        "Commencez le parcours avant",
        "pauses comprises (",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let shown = editor.get(one(FEEDS, &region)).await.expect(200).json();
    patch(&editor, FEEDS, &shown, json!({"show_stops": false})).await.expect(200);
    assert!(!page().await.contains("Arrêts proches"), "the feed keeps its stops to the staff");
}
