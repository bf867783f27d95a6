//! The network of 2021 is replaced by a newer one: which parcours lost or gained guidance, and which ways changed.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use content::planner::watch::{settle, work};
use domain::job::JobState;
use macros::app_test;
use routing::{EngineStatus, Match, MatchRequest, PlanError, Profile, Route, RouteEngine, RouteRequest};
use serde_json::{Value, json};
use store::job::JobFilter;
use testkit::{Client, TestApp, skipped, until};
use trace::Position;

use crate::parcours_kit::{
    andorra, andorra_2021, gpx, imported, made, now, patched, path, put_trace, shared_file, trace_of, version,
};
use crate::parcours_planned::{with_free, worst};

const CHANGES: &str = "/api/v1/planner/watch/changes";
const WATCH: &str = "/api/v1/planner/watch";

/// Over ways of 2021 that no longer exist, or are closed to walkers.
const LOST: [(f64, f64); 2] = [(1.552_702_1, 42.510_315_0), (1.538_981_7, 42.507_805_0)];
/// Over ways that were not drawn in 2021.
const GAINED: [(f64, f64); 2] = [(1.553_268_0, 42.588_742_0), (1.592_894_3, 42.607_201_1)];

/// The application with another planner.
fn with_engine(app: &TestApp, engine: &Arc<dyn RouteEngine>) -> TestApp {
    app.changed(|parts| parts.first_region.engine = Some(Arc::clone(engine)))
}

macro_rules! maps_or_skip {
    ($name:literal) => {
        match (andorra_2021(), andorra()) {
            (Some(old), Some(new)) => (old, new),
            _ => return skipped($name, "../shared/data is missing"),
        }
    };
}

/// A parcours along the way that an engine finds.
async fn along(by: &Client, title: &str, engine: &Arc<dyn RouteEngine>, ends: [(f64, f64); 2]) -> Value {
    let points = ends.map(|(lon, lat)| Position::new(lon, lat)).to_vec();
    let route = engine.route(&RouteRequest::new(points, Profile::Hiking)).unwrap();
    let line: Vec<(f64, f64)> = route.geometry.iter().map(|p| (p.lon, p.lat)).collect();
    let parcours = made(by, title, json!({})).await;
    imported(by, &parcours, "boucle.gpx", gpx(&line)).await.expect(200);
    now(by, &parcours).await
}

async fn changes(by: &Client, query: &str) -> Value {
    by.get(format!("{CHANGES}?{query}")).await.expect(200).json()
}

fn percent(score: &Value) -> f64 {
    score["percent"].as_f64().unwrap()
}

#[app_test]
async fn a_new_network_lists_the_parcours_that_lost_or_gained_guidance(app: TestApp) {
    let (old, new) = maps_or_skip!("a_new_network_lists_the_parcours_that_lost_or_gained_guidance");
    let before = with_engine(&app, &old);
    let editor = before.editor_of("morvan");
    settle(before.app()).await.unwrap();
    let first = editor.get(WATCH).await.expect(200).json();
    assert_eq!((&first["run"]["state"], &first["run"]["before"]), (&json!("done"), &Value::Null));
    let lost = along(&editor, "Le chemin perdu", &old, LOST).await;
    let gained = along(&editor, "Le sentier neuf", &new, GAINED).await;
    along(&before.editor_of("vercors"), "Ailleurs", &old, LOST).await;
    assert_eq!(lost["trace"]["reliability_state"], "ok");
    assert_eq!(gained["trace"]["reliability_state"], "low");
    settle(before.app()).await.unwrap();
    assert_eq!(editor.get(WATCH).await.json()["run"], first["run"], "the same map is no news");

    let after = with_engine(&app, &new);
    let editor = after.editor_of("morvan");
    settle(after.app()).await.unwrap();
    let watch = editor.get(WATCH).await.expect(200).json();
    let run = &watch["run"];
    assert_eq!((&run["state"], &run["forced"]), (&json!("done"), &json!(false)));
    assert_eq!((&run["total"], &run["scored"], &run["failed"]), (&json!(3), &json!(3), &json!(0)));
    assert_eq!((&run["before"]["data_date"], &run["after"]["data_date"]), (&json!("2021-10-28"), &json!("2025-01-19")));
    assert_ne!(run["before"]["checksum"], run["after"]["checksum"]);
    assert_eq!(run["counts"], json!({"lost": 1, "gained": 1, "better": 0, "worse": 0}), "the other's is a draft");
    assert_eq!((&watch["waiting"], &watch["may_run"]), (&run["counts"], &json!(false)));

    let page = changes(&editor, "").await;
    assert_eq!((&page["total"], &page["counts"]), (&json!(2), &run["counts"]));
    let [first, second] = [&page["items"][0], &page["items"][1]];
    assert_eq!((&first["guidance"], &first["parcours"]["id"]), (&json!("lost"), &lost["id"]));
    assert_eq!((&second["guidance"], &second["parcours"]["id"]), (&json!("gained"), &gained["id"]));
    assert!(percent(&first["before"]) >= 95.0 && percent(&first["after"]) < 95.0, "{first}");
    assert_eq!(first["before"]["data_date"], "2021-10-28");
    let stretches = first["stretches"].as_array().unwrap();
    assert!(stretches.iter().all(|part| part["cause"] != "now_on_way" && part["was"].is_null()), "{first:#}");
    let cost: f64 = stretches.iter().map(|part| part["length_m"].as_f64().unwrap()).sum();
    let missing =
        (percent(&first["before"]) - percent(&first["after"])) / 100.0 * lost["trace"]["distance_m"].as_f64().unwrap();
    assert!((cost - missing).abs() < 80.0, "{cost} m changed, {missing} m are missing");
    assert!(stretches.iter().any(|part| !part["ways_left"].as_array().unwrap().is_empty()), "{first:#}");
    assert!(stretches.iter().all(|part| part["geometry"].as_array().unwrap().len() > 1));
    let part = &second["stretches"][0];
    assert_eq!((&part["cause"], &part["was"]), (&json!("now_on_way"), &json!("no_way")));
    assert!(!part["ways_used"].as_array().unwrap().is_empty(), "{second:#}");
    assert_eq!(changes(&editor, "guidance=gained").await["total"], 1);
    assert_eq!(changes(&editor, "guidance=none").await["total"], 0);
    editor.get(format!("{CHANGES}?guidance=perhaps")).await.expect(400);

    let trace = trace_of(&editor, &lost).await;
    assert_eq!((&trace["reliability_state"], &trace["line"]), (&json!("low"), &trace["source_line"]));
    let is = now(&editor, &gained).await;
    assert_eq!(is["trace"]["reliability_state"], "ok", "scored on today's map, not stale");
}

#[app_test]
async fn scoring_on_a_new_network_causes_no_version_conflict(app: TestApp) {
    let (old, new) = maps_or_skip!("scoring_on_a_new_network_causes_no_version_conflict");
    let editor = with_engine(&app, &old).editor_of("morvan");
    let open = along(&editor, "Le chemin perdu", &old, LOST).await;
    let history = editor.get(format!("{}/revisions", path(&open))).await.expect(200).json();
    let after = with_engine(&app, &new);
    let editor = after.editor_of("morvan");
    settle(after.app()).await.unwrap();
    let watch = editor.get(WATCH).await.json();
    assert_eq!(
        watch["run"]["before"]["data_date"], "2021-10-28",
        "what scores remember of the map before the first run"
    );
    let is = now(&editor, &open).await;
    assert_eq!(
        (&is["version"], &is["updated_at"], &is["updated_by"]),
        (&open["version"], &open["updated_at"], &open["updated_by"])
    );
    assert_eq!(editor.get(format!("{}/revisions", path(&open))).await.json(), history, "scoring adds no revision");
    assert_eq!(is["trace"]["reliability_state"], "low");
    let source_m = trace::measure(
        &serde_json::from_value::<Vec<Position>>(trace_of(&editor, &open).await["line"].clone()).unwrap(),
    )
    .distance_m;
    let arrival = is["steps"].as_array().unwrap().last().unwrap()["at_m"].as_f64().unwrap();
    assert!((arrival - source_m).abs() < 1.0, "steps stand on the line in use: {arrival} of {source_m}");
    let saved = patched(&editor, &open, json!({"title": {"fr": "Le même"}})).await.expect(200).json();
    assert_eq!(saved["version"], version(&open) + 1);
    let revisions = editor.get(format!("{}/revisions", path(&open))).await.json();
    assert_eq!(revisions["items"][0]["fields"], json!(["title"]));
    assert_eq!(changes(&editor, "").await["total"], 1, "another title is no answer to what the map lost");

    let legs = trace_of(&editor, &open).await["legs"].clone();
    put_trace(&editor, &open, json!({"mode": "source", "legs": legs, "duration_typed_s": 3600})).await.expect(200);
    assert_eq!(changes(&editor, "").await["total"], 0, "a saved trace answers the change");
    assert_eq!(changes(&editor, "seen=true").await["total"], 1);
}

#[app_test]
async fn seen_changes_and_changes_undone_by_the_next_network_leave_the_list(app: TestApp) {
    let (old, new) = maps_or_skip!("seen_changes_and_changes_undone_by_the_next_network_leave_the_list");
    let editor = with_engine(&app, &old).editor_of("morvan");
    along(&editor, "Le chemin perdu", &old, LOST).await;
    let mended = along(&editor, "Aussi perdu", &old, LOST).await;
    let after = with_engine(&app, &new);
    settle(after.app()).await.unwrap();
    let editor = after.editor_of("morvan");
    let listed = changes(&editor, "owner=mine").await;
    assert_eq!(listed["counts"]["lost"], 2);
    assert_eq!(
        editor.get("/api/v1/dashboard").await.expect(200).json()["waiting"]["lost_guidance"],
        json!({"count": 2, "query": "owner=mine&guidance=lost"})
    );
    let seen = format!("{CHANGES}/{}/seen", listed["items"][0]["id"]);
    assert_ne!(listed["items"][0]["parcours"]["id"], mended["id"], "the first one made comes first");
    after.reader_of("morvan").post(&seen, json!({})).await.expect(403);
    let refused = after.editor_of("vercors").post(&seen, json!({})).await.expect(404).problem();
    assert_eq!(refused.code, "planner/change-not-found");
    editor.post(&seen, json!({})).await.expect(204);
    editor.post(&seen, json!({})).await.expect(204);
    let left = changes(&editor, "").await;
    assert_eq!((&left["total"], &left["items"][0]["parcours"]["id"]), (&json!(1), &mended["id"]));
    let all = changes(&editor, "seen=true").await;
    assert_eq!(all["total"], 2);
    assert!(all["items"][0]["seen"]["by"]["name"].is_string(), "{all:#}");

    let back = with_engine(&app, &old);
    settle(back.app()).await.unwrap();
    let editor = back.editor_of("morvan");
    let listed = changes(&editor, "").await;
    assert_eq!(
        listed["counts"],
        json!({"lost": 0, "gained": 1, "better": 0, "worse": 0}),
        "lost unseen and found again is no news: {listed:#}"
    );
    assert_ne!(listed["items"][0]["parcours"]["id"], mended["id"]);
}

#[app_test]
async fn a_killed_run_continues_where_it_stopped(app: TestApp) {
    let (old, new) = maps_or_skip!("a_killed_run_continues_where_it_stopped");
    let editor = with_engine(&app, &old).editor_of("morvan");
    for title in ["Un", "Deux", "Trois"] {
        along(&editor, title, &old, LOST).await;
    }
    let killed = with_engine(&app, &new);
    work::begin_if_network_changed(killed.app()).await.unwrap();
    assert!(work::step(killed.app()).await.unwrap());
    let superadmin = killed.superadmin();
    let run = superadmin.get(WATCH).await.expect(200).json()["run"].clone();
    assert_eq!((&run["state"], &run["total"], &run["scored"]), (&json!("running"), &json!(3), &json!(1)));
    let refused = superadmin.post(format!("{WATCH}/runs"), json!({})).await.expect(409).problem();
    assert_eq!(refused.code, "planner/watch-running");

    let next = with_engine(&app, &new);
    settle(next.app()).await.unwrap();
    let superadmin = next.superadmin();
    let done = superadmin.get(WATCH).await.expect(200).json()["run"].clone();
    assert_eq!((&done["id"], &done["state"], &done["scored"]), (&run["id"], &json!("done"), &json!(3)));
    assert_eq!(changes(&superadmin, "").await["counts"]["lost"], 3);

    let forced = superadmin.post(format!("{WATCH}/runs"), json!({})).await.expect(202).json();
    assert_eq!((&forced["run"]["forced"], &forced["run"]["before"]), (&json!(true), &forced["run"]["after"]));
    assert_eq!((&forced["run"]["total"], &forced["may_run"]), (&json!(3), &json!(true)));
    settle(next.app()).await.unwrap();
    let done = superadmin.get(WATCH).await.json();
    assert_eq!(
        (&done["run"]["scored"], &done["run"]["counts"]["lost"]),
        (&json!(3), &json!(0)),
        "the same map says the same"
    );
    assert_eq!(changes(&superadmin, "").await["counts"]["lost"], 3, "and what waits still waits");
}

#[app_test]
async fn a_stretch_kept_off_the_network_stays_so_on_a_new_network(app: TestApp) {
    let (old, new) = maps_or_skip!("a_stretch_kept_off_the_network_stays_so_on_a_new_network");
    let editor = with_engine(&app, &old).editor_of("morvan");
    let bytes = shared_file("tracks/synthetic/andorra_05_offroad.gpx").expect("the shared tracks are there");
    let parcours = made(&editor, "Alpage", json!({})).await;
    let trace = imported(&editor, &parcours, "alpage.gpx", bytes).await.expect(200).json();
    let gap = worst(&trace);
    let legs = with_free(&trace, gap["from_m"].as_f64().unwrap(), gap["to_m"].as_f64().unwrap());
    let kept = put_trace(&editor, &parcours, json!({"mode": "planner", "legs": legs})).await.expect(200).json();
    let after = with_engine(&app, &new);
    settle(after.app()).await.unwrap();
    let again = trace_of(&after.editor_of("morvan"), &parcours).await;
    assert_eq!(again["legs"], kept["legs"]);
    assert_eq!(again["data_date"], "2025-01-19");
    assert!(again["reliability"]["kept_m"].as_f64().unwrap() > 0.0);
    let page = changes(&after.editor_of("morvan"), "").await;
    let causes: Vec<&Value> = page["items"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|item| item["stretches"].as_array().unwrap())
        .map(|part| &part["cause"])
        .collect();
    assert!(!causes.contains(&&json!("kept_off_network")), "{page:#}");
}

/// A planner that matches a trace only once the gate is open.
struct GatedEngine {
    engine: Arc<dyn RouteEngine>,
    is_open: AtomicBool,
    waits: AtomicBool,
}

impl RouteEngine for GatedEngine {
    fn route(&self, request: &RouteRequest) -> Result<Route, PlanError> {
        self.engine.route(request)
    }

    fn match_trace(&self, request: &MatchRequest) -> Result<Match, PlanError> {
        while !self.is_open.load(Ordering::Relaxed) {
            self.waits.store(true, Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(5));
        }
        self.engine.match_trace(request)
    }

    fn heights(&self, line: &[Position]) -> Vec<Option<f64>> {
        self.engine.heights(line)
    }

    fn status(&self) -> EngineStatus {
        self.engine.status()
    }
}

/// State, leases, steps done and steps in all of the jobs of the watch, the newest first.
async fn jobs(app: &TestApp) -> Vec<(JobState, i64, Option<i64>, Option<i64>)> {
    let filter = JobFilter { kind: Some("network_watch".to_owned()), ..JobFilter::default() };
    let jobs = store::job::list(app.store().read(), &filter, None, 10).await.unwrap();
    jobs.into_iter().map(|job| (job.state, job.lease, job.done, job.total)).collect()
}

#[app_test]
async fn two_servers_score_each_parcours_once(app: TestApp) {
    let (old, new) = maps_or_skip!("two_servers_score_each_parcours_once");
    let editor = with_engine(&app, &old).editor_of("morvan");
    for title in ["Un", "Deux", "Trois"] {
        along(&editor, title, &old, LOST).await;
    }
    let (one, other) = (with_engine(&app, &new), with_engine(&app, &new));
    work::begin_if_network_changed(one.app()).await.unwrap();
    let (first, second) = tokio::join!(settle(one.app()), settle(other.app()));
    first.unwrap();
    second.unwrap();
    let run = one.superadmin().get(WATCH).await.expect(200).json()["run"].clone();
    assert_eq!((&run["state"], &run["scored"], &run["failed"]), (&json!("done"), &json!(3), &json!(0)));
    // One step for each parcours, and a last step that finds none left.
    assert_eq!(jobs(&app).await, [(JobState::Done, 4, Some(3), Some(3))]);
    assert_eq!(changes(&one.superadmin(), "").await["counts"]["lost"], 3);
}

#[app_test]
async fn a_run_of_a_dead_server_continues_after_a_minute_and_scores_nothing_twice(app: TestApp) {
    let name = "a_run_of_a_dead_server_continues_after_a_minute_and_scores_nothing_twice";
    let (Some(old), Some(new)) = (andorra_2021(), andorra()) else {
        return skipped(name, "../shared/data is missing");
    };
    let editor = with_engine(&app, &old).editor_of("morvan");
    for title in ["Un", "Deux", "Trois"] {
        along(&editor, title, &old, LOST).await;
    }
    let gated = Arc::new(GatedEngine {
        engine: Arc::clone(&new),
        is_open: AtomicBool::new(true),
        waits: AtomicBool::new(false),
    });
    let engine: Arc<dyn RouteEngine> = Arc::clone(&gated) as _;
    let dying = with_engine(&app, &engine);
    work::begin_if_network_changed(dying.app()).await.unwrap();
    assert!(work::step(dying.app()).await.unwrap());
    gated.is_open.store(false, Ordering::Relaxed);
    let died = tokio::spawn({
        let dying = dying.clone();
        async move { settle(dying.app()).await.is_ok() }
    });
    until("the planner is asked", async || gated.waits.load(Ordering::Relaxed)).await;
    died.abort();
    let next = with_engine(&app, &new);
    let superadmin = next.superadmin();
    let run = async || superadmin.get(WATCH).await.expect(200).json()["run"].clone();
    settle(next.app()).await.unwrap();
    assert_eq!(run().await["scored"], 1, "its lease holds");
    next.clock().advance_s(61);
    settle(next.app()).await.unwrap();
    let done = run().await;
    assert_eq!((&done["state"], &done["scored"]), (&json!("done"), &json!(3)));
    // The server that lost its lease receives its answer late: it writes nothing.
    gated.is_open.store(true, Ordering::Relaxed);
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(run().await, done);
    assert_eq!(changes(&superadmin, "").await["counts"]["lost"], 3);
    // One step of the dead server was lost.
    assert_eq!(jobs(&app).await, [(JobState::Done, 5, Some(3), Some(3))]);
}

/// A planner with a newer map that fails every request.
struct FailingEngine(Arc<dyn RouteEngine>);

impl RouteEngine for FailingEngine {
    fn route(&self, _: &RouteRequest) -> Result<Route, PlanError> {
        Err(PlanError::TooMuchWork { limit: 0 })
    }

    fn match_trace(&self, _: &MatchRequest) -> Result<Match, PlanError> {
        Err(PlanError::TooMuchWork { limit: 0 })
    }

    fn heights(&self, line: &[Position]) -> Vec<Option<f64>> {
        vec![None; line.len()]
    }

    fn status(&self) -> EngineStatus {
        EngineStatus { data_date: Some("2099-01-01".to_owned()), ..self.0.status() }
    }
}

#[app_test]
async fn a_parcours_that_cannot_be_scored_keeps_its_score_and_is_counted(app: TestApp) {
    let (old, _) = maps_or_skip!("a_parcours_that_cannot_be_scored_keeps_its_score_and_is_counted");
    let editor = with_engine(&app, &old).editor_of("morvan");
    let parcours = along(&editor, "Le chemin perdu", &old, LOST).await;
    let failing: Arc<dyn RouteEngine> = Arc::new(FailingEngine(old));
    let after = with_engine(&app, &failing);
    settle(after.app()).await.unwrap();
    let editor = after.editor_of("morvan");
    let run = editor.get(WATCH).await.expect(200).json()["run"].clone();
    assert_eq!((&run["state"], &run["scored"], &run["failed"]), (&json!("done"), &json!(1), &json!(1)));
    let is = now(&editor, &parcours).await;
    let score = |parcours: &Value| parcours["trace"]["reliability"]["percent"].clone();
    assert_eq!(score(&is), score(&parcours));
    assert_eq!(is["trace"]["reliability_state"], "stale", "and everybody sees that it is an old one");
}
