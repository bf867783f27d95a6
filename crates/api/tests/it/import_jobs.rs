//! Runs of sources are jobs: servers share them, each step is written once, and the page of jobs stops and resumes them.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use macros::app_test;
use routing::{Profile, RouteEngine, RouteRequest};
use serde_json::{Value, json};
use sources::import_job;
use testkit::{Client, TestApp, skipped, until};
use trace::Position;

use crate::imports_kit::{Answer, Stub, geotrek, geotrek_answer, lines_of_run, settled, source, trek};
use crate::parcours_kit::andorra;

const FIRST_PAGE: &str = "/api/v2/trek/?page=1&";
const SECOND_PAGE: &str = "/api/v2/trek/?page=2&";

fn treks(count: u32) -> Arc<Mutex<Vec<Value>>> {
    Arc::new(Mutex::new((1..=count).map(|number| trek(number, &format!("Boucle {number}"))).collect()))
}

async fn started(by: &Client, source: &Value) -> Value {
    by.post(format!("/api/v1/import-sources/{}/runs", source["id"]), json!({})).await.expect(202).json()
}

async fn shown(by: &Client, run: &Value) -> Value {
    by.get(format!("/api/v1/import-runs/{}", run["id"])).await.expect(200).json()
}

async fn jobs(by: &Client, kind: &str) -> Vec<Value> {
    let found = by.get(format!("/api/v1/jobs?kind={kind}")).await.expect(200).json();
    found["items"].as_array().unwrap().clone()
}

/// A Geotrek server that does not answer what begins so until the gate is open.
fn gated(treks: &Arc<Mutex<Vec<Value>>>, path: &'static str, gate: &Arc<AtomicBool>) -> Stub {
    let (treks, gate) = (Arc::clone(treks), Arc::clone(gate));
    Stub::start(move |asked, _| {
        while asked.starts_with(path) && !gate.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(5));
        }
        geotrek_answer(&treks, asked)
    })
}

async fn until_asked(stub: &Stub, path: &str) {
    until(&format!("{path} is requested"), async || stub.request_count(path) > 0).await;
}

async fn assert_each_came_once(by: &Client, run: &Value, count: usize) {
    assert_eq!(
        (&run["state"], &run["counts"]["created"], &run["counts"]["refused"]),
        (&json!("done"), &json!(count), &json!(0)),
        "{run}"
    );
    assert_eq!(by.get("/api/v1/parcours?search=Boucle").await.expect(200).json()["total"], count);
}

#[app_test]
async fn two_servers_at_one_run_write_each_item_once(app: TestApp) {
    let editor = app.editor_of("morvan");
    let stub = geotrek(&treks(450));
    let parc = source(&editor, json!({"url": stub.url})).await;
    let run = started(&editor, &parc).await;
    let other = app.changed(|_| {});
    for _ in 0..8 {
        let (one, other) = tokio::join!(import_job::step(app.app()), import_job::step(other.app()));
        assert!(one.is_ok() && other.is_ok());
    }
    let run = settled(&app, &editor, &run).await;
    assert_each_came_once(&editor, &run, 450).await;
    let pages = (stub.request_count(FIRST_PAGE), stub.request_count(SECOND_PAGE));
    assert_eq!(pages, (1, 1), "a server that has a page works through it");
    let job = &jobs(&app.admin_of("morvan"), "import_run").await[0];
    assert_eq!((&job["state"], &job["done"], &job["total"]), (&json!("done"), &json!(450), &json!(450)));
}

#[app_test]
async fn a_server_that_lost_its_lease_writes_nothing(app: TestApp) {
    let editor = app.editor_of("morvan");
    let gate = Arc::new(AtomicBool::new(false));
    let stub = gated(&treks(3), FIRST_PAGE, &gate);
    let parc = source(&editor, json!({"url": stub.url})).await;
    let run = started(&editor, &parc).await;
    let slow = app.changed(|_| {});
    let working = tokio::spawn(async move { import_job::step(slow.app()).await.is_ok() });
    until_asked(&stub, FIRST_PAGE).await;
    let next = app.changed(|_| {});
    assert!(!import_job::step(next.app()).await.unwrap(), "its lease holds");
    next.clock().advance_s(61);
    let going_on = {
        let next = next.clone();
        tokio::spawn(async move { import_job::settle(next.app()).await.is_ok() })
    };
    until("the first page is requested again", async || stub.request_count(FIRST_PAGE) >= 2).await;
    gate.store(true, Ordering::Relaxed);
    assert!(working.await.unwrap() && going_on.await.unwrap());
    let done = settled(&next, &editor, &run).await;
    assert_each_came_once(&editor, &done, 3).await;
    assert_eq!(lines_of_run(&editor, &done, "created").await.len(), 3);
}

#[app_test]
async fn a_run_cancelled_on_the_page_of_jobs_ends_as_cancelled_and_the_other_way_round(app: TestApp) {
    let (editor, admin) = (app.editor_of("morvan"), app.admin_of("morvan"));
    let stub = geotrek(&treks(250));
    let parc = source(&editor, json!({"url": stub.url})).await;
    let run = started(&editor, &parc).await;
    assert!(import_job::step(app.app()).await.unwrap());
    let job = jobs(&admin, "import_run").await[0].clone();
    assert_eq!((&job["state"], &job["done"]), (&json!("waiting"), &json!(200)), "others have their turn");
    admin.post(format!("/api/v1/jobs/{}/cancel", job["id"]), json!({})).await.expect(200);
    let stopped = shown(&editor, &run).await;
    assert_eq!((&stopped["state"], &stopped["counts"]["created"]), (&json!("cancelled"), &json!(200)));
    let stopped = settled(&app, &editor, &run).await;
    assert_eq!((&stopped["state"], stub.request_count(SECOND_PAGE)), (&json!("cancelled"), 0));

    let second = started(&editor, &parc).await;
    editor.post(format!("/api/v1/import-runs/{}/cancellation", second["id"]), json!({})).await.expect(204);
    assert_eq!(settled(&app, &editor, &second).await["state"], "cancelled");
    assert_eq!(jobs(&admin, "import_run").await[0]["state"], "cancelled");
}

#[app_test]
async fn a_source_that_always_fails_is_a_dead_job_and_delays_no_other(app: TestApp) {
    let (editor, other, admin) = (app.editor_of("morvan"), app.editor_of("vercors"), app.admin_of("morvan"));
    let (held, works) = (treks(2), Arc::new(AtomicBool::new(false)));
    let (treks, open) = (Arc::clone(&held), Arc::clone(&works));
    let broken = Stub::start(move |path, _| {
        if open.load(Ordering::Relaxed) { geotrek_answer(&treks, path) } else { Answer(404, Vec::new(), Vec::new()) }
    });
    let sound = geotrek(&held);
    let failing = source(&editor, json!({"url": broken.url, "notify_email": "imports@morvan.example"})).await;
    let run = started(&editor, &failing).await;
    let theirs = source(&other, json!({"url": sound.url})).await;
    let their_run = started(&other, &theirs).await;
    assert_eq!(settled(&app, &other, &their_run).await["state"], "done");
    let failed = shown(&editor, &run).await;
    assert_eq!(
        (&failed["state"], &failed["failure"]["code"]),
        (&json!("failed"), &json!("fetch/not-found")),
        "{failed}"
    );
    let job = jobs(&admin, "import_run").await[0].clone();
    assert_eq!((&job["state"], &job["reason"]["code"]), (&json!("dead"), &json!("fetch/not-found")), "{job}");
    assert_eq!(app.mail().next().await.to, "imports@morvan.example");

    // The job is retried once the source answers, and the run continues.
    works.store(true, Ordering::Relaxed);
    admin.post(format!("/api/v1/jobs/{}/retry", job["id"]), json!({})).await.expect(200);
    let done = settled(&app, &editor, &run).await;
    assert_eq!((&done["state"], &done["failure"]), (&json!("done"), &Value::Null), "{done}");
    assert_eq!(jobs(&admin, "import_run").await[0]["state"], "done");
}

#[app_test]
async fn a_server_that_stops_hands_its_run_to_the_next_one(app: TestApp) {
    let editor = app.editor_of("morvan");
    let gate = Arc::new(AtomicBool::new(false));
    let stub = gated(&treks(450), SECOND_PAGE, &gate);
    let parc = source(&editor, json!({"url": stub.url})).await;
    let run = started(&editor, &parc).await;
    let server = api::job::start(app.app());
    until_asked(&stub, SECOND_PAGE).await;
    server.stop().await;
    let job = jobs(&app.admin_of("morvan"), "import_run").await[0].clone();
    assert_eq!((&job["state"], &job["attempts"], &job["done"]), (&json!("waiting"), &json!(0), &json!(200)), "{job}");
    gate.store(true, Ordering::Relaxed);
    let done = settled(&app.changed(|_| {}), &editor, &run).await;
    assert_each_came_once(&editor, &done, 450).await;
    assert_eq!(stub.request_count(FIRST_PAGE), 1, "the next server goes on with the next page");
}

#[app_test]
async fn a_scheduled_run_is_done_once_by_two_servers(app: TestApp) {
    let (editor, admin) = (app.editor_of("morvan"), app.admin_of("morvan"));
    let stub = geotrek(&treks(1));
    let parc = source(&editor, json!({"url": stub.url, "schedule": "hourly"})).await;
    let run = started(&editor, &parc).await;
    settled(&app, &editor, &run).await;
    let waiting = jobs(&admin, "import_refresh").await;
    assert_eq!((waiting.len(), &waiting[0]["state"]), (1, &json!("waiting")));
    // A cancelled job skips one run.
    admin.post(format!("/api/v1/jobs/{}/cancel", waiting[0]["id"]), json!({})).await.expect(200);
    assert_eq!(jobs(&admin, "import_refresh").await[0]["state"], "waiting");
    let other = app.changed(|_| {});
    for server in [&app, &other] {
        server.clock().advance_s(3_600);
    }
    for _ in 0..4 {
        let (one, other) = tokio::join!(import_job::step(app.app()), import_job::step(other.app()));
        assert!(one.is_ok() && other.is_ok());
    }
    settled(&app, &editor, &run).await;
    let runs = editor.get(format!("/api/v1/import-runs?source={}", parc["id"])).await.expect(200).json();
    assert_eq!((&runs["total"], &runs["items"][0]["state"]), (&json!(2), &json!("done")), "{runs}");
}

#[app_test]
async fn imported_lines_are_matched_to_the_network_after_the_run(app: TestApp) {
    let Some(engine) = andorra() else { return skipped("lines_of_imports", "../shared/data is missing") };
    let ends = [(1.553_268_0, 42.588_742_0), (1.592_894_3, 42.607_201_1)].map(|(lon, lat)| Position::new(lon, lat));
    let route = engine.route(&RouteRequest::new(ends.to_vec(), Profile::Hiking)).unwrap();
    let line: Vec<[f64; 3]> = route.geometry.iter().map(|at| [at.lon, at.lat, 1_500.0]).collect();
    let held = treks(2);
    for trek in held.lock().unwrap().iter_mut() {
        trek["geometry"]["coordinates"] = json!(line);
    }
    let app = with_engine(&app, &engine);
    let editor = app.editor_of("morvan");
    let stub = geotrek(&held);
    let parc = source(&editor, json!({"url": stub.url})).await;
    let run = started(&editor, &parc).await;
    settled(&app, &editor, &run).await;
    for line in lines_of_run(&editor, &run, "created").await {
        let parcours = editor.get(format!("/api/v1/parcours/{}", line["parcours_id"])).await.expect(200).json();
        assert_eq!(parcours["trace"]["mode"], "planner", "{}", parcours["trace"]);
    }
    assert_eq!(jobs(&app.admin_of("morvan"), "import_match").await[0]["state"], "done");
    let again = started(&editor, &parc).await;
    let again = settled(&app, &editor, &again).await;
    assert_eq!((&again["counts"]["updated"], &again["counts"]["kept"]), (&json!(0), &json!(0)), "{again}");
}

#[app_test]
async fn a_dry_run_lists_unreliable_lines_with_their_reason(app: TestApp) {
    let Some(engine) = andorra() else { return skipped("unreliable_lines", "../shared/data is missing") };
    let ends = [(1.553_268_0, 42.588_742_0), (1.592_894_3, 42.607_201_1)].map(|(lon, lat)| Position::new(lon, lat));
    let route = engine.route(&RouteRequest::new(ends.to_vec(), Profile::Hiking)).unwrap();
    let on_ways: Vec<[f64; 3]> = route.geometry.iter().map(|at| [at.lon, at.lat, 1_500.0]).collect();
    // Straight over the mountain, and on the sea.
    let steps = |from: [f64; 2], to: [f64; 2]| -> Vec<[f64; 3]> {
        let part = |at: usize, axis: usize| from[axis] + (to[axis] - from[axis]) * at as f64 / 200.0;
        (0..=200).map(|at| [part(at, 0), part(at, 1), 1_500.0]).collect()
    };
    let across = steps([1.553_268, 42.588_742], [1.62, 42.64]);
    let at_sea = steps([-20.0, 40.0], [-19.9, 40.0]);
    let held = treks(3);
    for (trek, line) in held.lock().unwrap().iter_mut().zip([on_ways, across, at_sea]) {
        trek["geometry"]["coordinates"] = json!(line);
    }
    let app = with_engine(&app, &engine);
    let editor = app.editor_of("morvan");
    let stub = geotrek(&held);
    let parc = source(&editor, json!({"url": stub.url})).await;
    let run = crate::imports_kit::dry_run(&app, &editor, &parc).await;
    assert_eq!((&run["counts"]["created"], &run["counts"]["unreliable"]), (&json!(3), &json!(2)), "{run}");
    let lines = format!("/api/v1/import-runs/{}/lines", run["id"]);
    let noted = editor.get(format!("{lines}?note=import/unreliable")).await.expect(200).json();
    let found: Vec<(&Value, &Value, &Value)> = noted["items"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|line| line["notes"].as_array().unwrap())
        .filter(|note| note["code"].as_str().is_some_and(|code| code.starts_with("import/unreliable")))
        .map(|note| (&note["code"], &note["params"]["cause"], &note["field"]))
        .collect();
    assert_eq!(
        found,
        [
            (&json!("import/unreliable"), &json!("no_way"), &json!("trace")),
            (&json!("import/unreliable-unknown"), &json!("outside_extract"), &json!("trace")),
        ]
    );
    assert_eq!(editor.get(format!("{lines}?note=import/gone")).await.expect(200).json()["total"], 0);
    let wrong = editor.get(format!("{lines}?note=%25")).await.expect(400).problem();
    assert_eq!(wrong.code, "request/bad-query");
    assert_eq!(editor.get("/api/v1/parcours").await.expect(200).json()["total"], 0, "nothing is written");

    // Where the source forces its own geometry, no line is laid on the network: none is scored.
    let at = format!("/api/v1/import-sources/{}", parc["id"]);
    editor.clone().with("if-match", "*").patch(at, json!({"force_source_geometry": true})).await.expect(200);
    let run = crate::imports_kit::dry_run(&app, &editor, &parc).await;
    assert_eq!((&run["counts"]["created"], &run["counts"]["unreliable"]), (&json!(3), &json!(0)), "{run}");
}

fn with_engine(app: &TestApp, engine: &Arc<dyn RouteEngine>) -> TestApp {
    app.changed(|parts| parts.first_region.engine = Some(Arc::clone(engine)))
}
