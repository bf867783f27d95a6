//! What the tests of parcours share: a parcours made over HTTP, a line in a file, a planner over a real extract.

use std::sync::{Arc, OnceLock};

use planner::{Embedded, Network};
use routing::RouteEngine;
use serde_json::{Value, json};
use testkit::{Client, Reply, TestApp};

/// Makes a parcours with these fields beside a title, and gives it as it came back.
pub async fn made(by: &Client, title: &str, fields: Value) -> Value {
    let mut body = json!({"title": {"fr": title}});
    merge(&mut body, fields);
    by.post("/api/v1/parcours", body).await.expect(201).json()
}

fn merge(into: &mut Value, fields: Value) {
    if let (Some(into), Value::Object(fields)) = (into.as_object_mut(), fields) {
        into.extend(fields);
    }
}

/// The address of a parcours.
pub fn path(parcours: &Value) -> String {
    format!("/api/v1/parcours/{}", parcours["id"])
}

/// The version of a parcours.
pub fn version(parcours: &Value) -> i64 {
    parcours["version"].as_i64().expect("a version is a number")
}

/// Changes a parcours over the version it had.
pub async fn patched(by: &Client, parcours: &Value, patch: Value) -> Reply {
    by.clone().at_version(version(parcours)).patch(path(parcours), patch).await
}

/// Changes a parcours over the version it had; returns it.
pub async fn patch(by: &Client, parcours: &Value, fields: Value) -> Value {
    patched(by, parcours, fields).await.expect(200).json()
}

/// Publishes a parcours.
pub async fn published(by: &Client, parcours: &Value) -> Value {
    by.clone()
        .at_version(version(parcours))
        .post(format!("{}/publication", path(parcours)), json!({}))
        .await
        .expect(200)
        .json()
}

/// A parcours that others see: described, published, distributed.
pub async fn shared(by: &Client, title: &str) -> Value {
    let made = made(by, title, json!({"description": {"fr": "<p>À voir.</p>"}, "distribute_own": true})).await;
    published(by, &made).await
}

/// The listed titles for an address, in their order.
pub async fn titles(by: &Client, query: &str) -> Vec<String> {
    let page = by.get(format!("/api/v1/parcours?{query}")).await.expect(200).json();
    let items = page["items"].as_array().expect("a page has items").clone();
    items.iter().map(|row| row["title"]["fr"].as_str().unwrap_or_default().to_owned()).collect()
}

/// A GPX file of one track through points.
pub fn gpx(points: &[(f64, f64)]) -> String {
    gpx_of(&[points])
}

/// A GPX file of several tracks.
pub fn gpx_of(tracks: &[&[(f64, f64)]]) -> String {
    let track = |points: &&[(f64, f64)]| {
        let points: String = points.iter().fold(String::new(), |text, (lon, lat)| {
            text + &format!(r#"<trkpt lat="{lat}" lon="{lon}"><ele>500</ele></trkpt>"#)
        });
        format!("<trk><trkseg>{points}</trkseg></trk>")
    };
    let tracks: String = tracks.iter().map(track).collect();
    format!(
        r#"<?xml version="1.0"?><gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="47.0" lon="4.005"><name>La source</name></wpt>{tracks}</gpx>"#
    )
}

/// Eleven points going east, about 760 m.
pub fn eastward() -> Vec<(f64, f64)> {
    (0..=10).map(|i| (4.0 + f64::from(i) * 0.001, 47.0)).collect()
}

/// Imports a file as the trace of a parcours.
pub async fn imported(by: &Client, parcours: &Value, file_name: &str, bytes: impl Into<Vec<u8>>) -> Reply {
    let path = format!("{}/trace/source?file_name={file_name}", path(parcours));
    by.clone().at_version(version(parcours)).post_bytes(path, bytes.into()).await
}

/// The current parcours.
pub async fn now(by: &Client, parcours: &Value) -> Value {
    by.get(path(parcours)).await.expect(200).json()
}

/// The planner over the Andorra extract, built once a process. None without the shared material.
pub fn andorra() -> Option<Arc<dyn RouteEngine>> {
    static ENGINE: OnceLock<Option<Arc<Embedded>>> = OnceLock::new();
    ENGINE.get_or_init(|| engine_of("andorra")).clone().map(|engine| engine as Arc<dyn RouteEngine>)
}

/// The planner over the Andorra extract of 2021, built once a process. None without the shared material.
pub fn andorra_2021() -> Option<Arc<dyn RouteEngine>> {
    static ENGINE: OnceLock<Option<Arc<Embedded>>> = OnceLock::new();
    ENGINE.get_or_init(|| engine_of("andorra-2021")).clone().map(|engine| engine as Arc<dyn RouteEngine>)
}

fn engine_of(name: &str) -> Option<Arc<Embedded>> {
    let extract = testkit::shared_data()?.join(format!("osm/{name}.osm.pbf"));
    let file = std::env::temp_dir().join(format!("jalon-{name}-{}.network", std::process::id()));
    Network::build(&extract, None, &file, &mut |_| {}).expect("the extract makes a network");
    let network = Network::open(&file).expect("the network opens");
    // The map stays readable after the name is gone.
    std::fs::remove_file(&file).expect("the file was just written");
    Some(Arc::new(Embedded::new(network, None)))
}

/// The application with the planner over Andorra.
pub fn with_andorra(app: &TestApp) -> Option<TestApp> {
    let engine = andorra()?;
    Some(app.changed(|parts| parts.first_region.engine = Some(engine)))
}

/// The bytes of a shared file.
pub fn shared_file(name: &str) -> Option<Vec<u8>> {
    std::fs::read(testkit::shared_data()?.join(name)).ok()
}

/// The planner over Andorra as it would be with newer data.
#[derive(Clone)]
struct NewerEngine(Arc<dyn RouteEngine>);

impl RouteEngine for NewerEngine {
    fn route(&self, request: &routing::RouteRequest) -> Result<routing::Route, routing::PlanError> {
        self.0.route(request)
    }

    fn match_trace(&self, request: &routing::MatchRequest) -> Result<routing::Match, routing::PlanError> {
        self.0.match_trace(request)
    }

    fn heights(&self, line: &[trace::Position]) -> Vec<Option<f64>> {
        self.0.heights(line)
    }

    fn status(&self) -> routing::EngineStatus {
        routing::EngineStatus { data_date: Some("2099-01-01".to_owned()), ..self.0.status() }
    }
}

/// The application with the planner over a newer Andorra.
pub fn with_newer_andorra(app: &TestApp) -> Option<TestApp> {
    let engine = NewerEngine(andorra()?);
    Some(app.changed(|parts| parts.first_region.engine = Some(Arc::new(engine))))
}

/// The planner over Andorra, whose ways have no heights, with a ground of hills.
struct HillyEngine(Arc<dyn RouteEngine>);

impl RouteEngine for HillyEngine {
    fn route(&self, request: &routing::RouteRequest) -> Result<routing::Route, routing::PlanError> {
        self.0.route(request)
    }

    fn match_trace(&self, request: &routing::MatchRequest) -> Result<routing::Match, routing::PlanError> {
        self.0.match_trace(request)
    }

    fn heights(&self, line: &[trace::Position]) -> Vec<Option<f64>> {
        line.iter().map(|place| Some(1_500.0 + 60.0 * (place.lon * 1_000.0).sin())).collect()
    }

    fn status(&self) -> routing::EngineStatus {
        self.0.status()
    }
}

/// The application with the planner over a hilly Andorra.
pub fn with_hilly_andorra(app: &TestApp) -> Option<TestApp> {
    let engine = HillyEngine(andorra()?);
    Some(app.changed(|parts| parts.first_region.engine = Some(Arc::new(engine))))
}

/// The trace of a parcours with its lines.
pub async fn trace_of(by: &Client, parcours: &Value) -> Value {
    by.get(format!("{}/trace", path(parcours))).await.expect(200).json()
}

/// Saves a trace over the current parcours.
pub async fn put_trace(by: &Client, parcours: &Value, body: Value) -> Reply {
    let version = version(&now(by, parcours).await);
    by.clone().at_version(version).put(format!("{}/trace", path(parcours)), body).await
}
