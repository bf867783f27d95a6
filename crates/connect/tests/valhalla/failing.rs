//! Servers that are down, slow, broken or mad: a clear error, in bounded time, and another engine only where a fallback is set.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use connect::http::{Addresses, BREAKS_AFTER, Breaker, Client, HttpError, Limits, OPEN_FOR, RETRIES};
use connect::{ValhallaSettings, valhalla};
use planner::valhalla::Valhalla;
use routing::{EngineStatus, Fallback, Match, MatchRequest, PlanError, Profile, Route, RouteEngine, RouteRequest};
use serde_json::{Value, json};
use trace::Position;

use crate::questions::{self, tour};
use crate::server::{Recorded, Reply, Server};
use crate::{engine, recorded};

const SHORT: Duration = Duration::from_millis(300);
const PATIENT: Duration = Duration::from_secs(20);
/// An address where no server listens.
const CLOSED: &str = "http://127.0.0.1:1";

fn route(url: &str, timeout: Duration) -> Result<Route, PlanError> {
    engine(url, timeout).route(&tour(Profile::Touring))
}

#[test]
fn a_server_that_is_down_is_reported_at_once() {
    let started = Instant::now();
    assert_eq!(route(CLOSED, PATIENT), Err(PlanError::Unreachable));
    assert!(started.elapsed() < Duration::from_secs(5));
    let server = Server::start(|_, _, _| Reply::Cut);
    assert_eq!(route(&server.url, PATIENT), Err(PlanError::Unreachable));
}

#[test]
fn a_slow_server_is_left_when_the_time_is_up() {
    let server = Server::start(|_, _, _| Reply::After(Duration::from_secs(30), 200, b"{}".to_vec()));
    let started = Instant::now();
    assert_eq!(route(&server.url, SHORT), Err(PlanError::TimedOut));
    assert!(started.elapsed() < Duration::from_secs(5), "retries wait no longer than one question may");
    assert_eq!(server.asked(), 1, "who is slow is not asked twice");
    assert_eq!(engine(&server.url, SHORT).status().engine, "valhalla", "whoever only looks waits for nothing");
}

#[test]
fn a_server_that_stumbles_is_asked_again() {
    let recorded = Recorded::read();
    let server = Server::start(move |action, question, number| match number {
        0 => Reply::Cut,
        1 => Reply::of(503, "{}"),
        _ => recorded.reply(action, question),
    });
    assert_eq!(route(&server.url, PATIENT).unwrap().engine, "valhalla");
    let broken = Server::start(|_, _, _| Reply::of(500, "{\"error\":\"internal\"}"));
    assert_eq!(route(&broken.url, PATIENT), Err(PlanError::Unreachable));
    assert_eq!(broken.asked(), 1, "an error of its own comes again");
    let overloaded = Server::start(|_, _, _| Reply::of(503, "{}"));
    assert_eq!(route(&overloaded.url, PATIENT), Err(PlanError::Unreachable));
    assert_eq!(overloaded.asked(), 1 + RETRIES as usize);
}

/// The recorded answers, each route changed.
fn changed(change: impl Fn(&mut Value) + Send + Sync + 'static) -> Server {
    let recorded = Recorded::read();
    Server::start(move |action, question, _| match recorded.reply(action, question) {
        Reply::After(wait, 200, body) if action == "route" => {
            let mut answer: Value = serde_json::from_slice(&body).unwrap();
            change(&mut answer);
            Reply::After(wait, 200, answer.to_string().into_bytes())
        }
        other => other,
    })
}

#[test]
fn bad_input_is_reported_and_never_believed() {
    for body in [
        "<html>Hello</html>",
        "",
        "null",
        "[]",
        "{}",
        "{\"trip\":{\"legs\":[]}}",
        "{\"trip\":{\"legs\":[NaN]}}",
        "\u{fffd}",
    ] {
        let server = Server::start(move |_, _, _| Reply::of(200, body));
        assert_eq!(route(&server.url, PATIENT), Err(PlanError::BadAnswer), "{body}");
    }
    let moved = Server::start(|_, _, _| Reply::of(302, "{}"));
    assert_eq!(route(&moved.url, PATIENT), Err(PlanError::BadAnswer), "redirects are not followed");
    let refused = Server::start(|_, _, _| Reply::of(400, "{\"what\":1}"));
    assert_eq!(route(&refused.url, PATIENT), Err(PlanError::BadAnswer));
    let leg = |answer: &mut Value, key: &str, value: Value| answer["trip"]["legs"][0][key] = value;
    // Paris, a line that leaves the Earth, no line, a time that runs backwards, words past the end of the line.
    for (key, value) in [
        ("shape", json!("gfntgBa}ccCgEgE")),
        ("shape", json!("_ibE_seK_seK_ibE~~~~~~~~~~~")),
        ("shape", json!("")),
        ("summary", json!({"time": -5.0, "length": 1.0})),
        ("maneuvers", json!([{"type": 1, "instruction": "?", "begin_shape_index": 4_000_000}])),
    ] {
        let original = value.clone();
        let server = changed(move |answer| leg(answer, key, value.clone()));
        assert_eq!(route(&server.url, PATIENT), Err(PlanError::BadAnswer), "{key}: {original}");
    }
}

#[test]
fn a_match_or_a_height_that_makes_no_sense_is_reported() {
    let recorded = Recorded::read();
    let server = Server::start(move |action, question, _| match (action, recorded.reply(action, question)) {
        ("trace_attributes", Reply::After(_, 200, body)) => {
            let mut answer: Value = serde_json::from_slice(&body).unwrap();
            answer["edges"][0]["end_shape_index"] = json!(1_000_000);
            Reply::of(200, answer.to_string())
        }
        (_, other) => other,
    });
    let request = MatchRequest::new(questions::recording(), Profile::Touring);
    assert_eq!(engine(&server.url, PATIENT).match_trace(&request), Err(PlanError::BadAnswer));
    let short = Server::start(|_, _, _| Reply::of(200, "{\"height\":[1.0]}"));
    assert_eq!(engine(&short.url, PATIENT).heights(&questions::recording()[..3]), [None, None, None]);
}

#[test]
fn a_url_of_another_person_reaches_nothing_behind_the_server() {
    let server = Server::start(|_, _, _| Reply::of(200, "{}"));
    let port = server.url.rsplit(':').next().unwrap();
    let limits = Limits { timeout: PATIENT, max_body_bytes: 1_000 };
    let (outside, anywhere) =
        (Client::new("test", Addresses::Public, limits), Client::new("test", Addresses::Any, limits));
    for host in ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0"] {
        let answer = outside.get(&format!("http://{host}:{port}/status"), PATIENT);
        assert!(
            matches!(answer, Err(HttpError::NotPublic | HttpError::Unreachable(_) | HttpError::BadUrl(_))),
            "{host}: {answer:?}"
        );
    }
    assert_eq!(server.asked(), 0);
    assert_eq!(anywhere.get(&format!("{}/status", server.url), PATIENT).unwrap().status, 200);
    assert!(matches!(outside.get(&format!("{}/status", server.url), PATIENT), Err(HttpError::NotPublic)));
    assert!(matches!(
        anywhere.get("file:///etc/passwd", PATIENT),
        Err(HttpError::BadUrl(_) | HttpError::Unreachable(_))
    ));
}

#[test]
fn a_recording_that_jumps_is_asked_for_in_a_bounded_number_of_pieces() {
    let none = r#"{"error_code":444,"error":"Map Match algorithm failed to find path"}"#;
    let server = Server::start(move |_, _, _| Reply::of(400, none));
    let at = |i: i32| Position::new(1.5 + f64::from(i % 2) * 6.0, 42.5 + f64::from(i) * 0.000_1);
    let mut line: Vec<Position> = (0..200).map(|i| at(2 * i)).collect();
    line.extend((0..200).map(|i| Position::new(8.0, 42.5 + f64::from(i) * 0.000_2)));
    let once = engine(&server.url, PATIENT).match_trace(&MatchRequest::new(line, Profile::Touring)).unwrap();
    assert!(
        once.reliability.percent.is_none() && once.reliability.hole_m > 400_000.0,
        "{:?}",
        once.reliability.percent
    );
    let far = |i: i32| Position::new(-170.0 + f64::from(i % 110) * 3.0, 42.5 + f64::from(i) * 0.001);
    let wild = MatchRequest::new((0..5_000).map(far).collect(), Profile::Touring);
    assert_eq!(engine(&server.url, PATIENT).match_trace(&wild).unwrap_err().code(), "planner/too-long");
    assert!(server.asked() < 100, "{}", server.asked());
}

#[test]
fn too_large_an_answer_is_not_read() {
    let server = Server::start(|_, _, _| Reply::of(200, vec![b' '; 65 * 1024 * 1024]));
    assert_eq!(route(&server.url, PATIENT), Err(PlanError::BadAnswer));
}

#[test]
fn after_failures_in_a_row_the_server_rests_and_is_then_tried_once() {
    let is_well = Arc::new(Mutex::new(false));
    let (recorded, well) = (Recorded::read(), Arc::clone(&is_well));
    let server =
        Server::start(
            move |action, question, _| {
                if *well.lock().unwrap() { recorded.reply(action, question) } else { Reply::of(500, "{}") }
            },
        );
    let now = Arc::new(Mutex::new(Instant::now()));
    let clock = Arc::clone(&now);
    let breaker = Breaker::new(Arc::new(move || *clock.lock().unwrap()));
    let settings = ValhallaSettings { url: server.url.clone(), timeout: PATIENT };
    let engine = Valhalla::new(valhalla(&settings, breaker));
    let ask = || engine.route(&tour(Profile::Touring)).map(|route| route.engine);
    for _ in 0..BREAKS_AFTER {
        assert_eq!(ask(), Err(PlanError::Unreachable));
    }
    assert_eq!(server.asked(), BREAKS_AFTER as usize);
    assert_eq!(ask(), Err(PlanError::Unreachable));
    assert_eq!(server.asked(), BREAKS_AFTER as usize, "it rests");
    *now.lock().unwrap() += OPEN_FOR;
    *is_well.lock().unwrap() = true;
    assert_eq!(ask().as_deref(), Ok("valhalla"));
    assert_eq!(ask().as_deref(), Ok("valhalla"));
}

/// An engine that always answers, and nothing of use.
#[derive(Debug)]
struct StandIn;

impl RouteEngine for StandIn {
    fn route(&self, request: &RouteRequest) -> Result<Route, PlanError> {
        Ok(Route {
            geometry: request.points.clone(),
            legs: Vec::new(),
            distance_m: 0.0,
            duration_s: 0.0,
            ascent_m: None,
            descent_m: None,
            elevation_source: routing::ElevationSource::None,
            surfaces: Vec::new(),
            way_kinds: Vec::new(),
            instructions: Vec::new(),
            engine: "jalon".to_owned(),
            data_date: Some("2021-01-01".to_owned()),
        })
    }

    fn answers_at_once(&self, request: &RouteRequest) -> bool {
        request.profile == Profile::Touring
    }

    fn match_trace(&self, _request: &MatchRequest) -> Result<Match, PlanError> {
        Err(PlanError::Busy)
    }

    fn heights(&self, line: &[Position]) -> Vec<Option<f64>> {
        vec![Some(7.0); line.len()]
    }

    fn status(&self) -> EngineStatus {
        let valhalla = engine(CLOSED, SHORT).status();
        EngineStatus { engine: "jalon".to_owned(), profiles: vec![Profile::Waterway], ..valhalla }
    }
}

#[test]
fn the_engine_that_stands_in_says_who_it_is() {
    let failing = Fallback::new(engine(CLOSED, PATIENT), StandIn);
    let route = failing.route(&tour(Profile::Touring)).unwrap();
    assert_eq!((route.engine.as_str(), route.data_date.as_deref()), ("jalon", Some("2021-01-01")));
    assert_eq!(failing.heights(&[questions::ANDORRA]), [Some(7.0)]);
    assert_eq!(failing.match_trace(&MatchRequest::new(questions::recording(), Profile::Hiking)), Err(PlanError::Busy));
    assert_eq!((failing.status().engine.as_str(), failing.status().profiles.len()), ("valhalla", 8));
}

#[test]
fn an_answer_is_an_answer_and_nobody_stands_in_for_it() {
    let server = recorded();
    let both = Fallback::new(engine(&server.url, PATIENT), StandIn);
    assert_eq!(both.route(&questions::walled()).unwrap_err().code(), "planner/no-way");
    assert_eq!(both.route(&tour(Profile::Touring)).unwrap().engine, "valhalla");
    let boat = RouteRequest { profile: Profile::Waterway, ..tour(Profile::Touring) };
    assert_eq!(both.route(&boat).unwrap().engine, "jalon", "what the server does not do");
}

#[test]
fn engines_that_answer_at_once_do_so_shared_and_as_fallback() {
    let (at_once, slow) = (tour(Profile::Touring), tour(Profile::Hiking));
    let shared: Arc<dyn RouteEngine> = Arc::new(StandIn);
    let both = Fallback::new(Arc::clone(&shared), StandIn);
    for engine in [&shared as &dyn RouteEngine, &both] {
        assert!(engine.answers_at_once(&at_once) && !engine.answers_at_once(&slow));
    }
    // The server is asked first, and takes its time.
    assert!(!Fallback::new(engine(CLOSED, PATIENT), StandIn).answers_at_once(&at_once));
}
