//! Measurements for Prometheus, on an address of their own: `[metrics]` of the configuration.

use std::io;
use std::net::{IpAddr, SocketAddr};

use api::runtime::{Readiness, ReadyState, measure, readiness};
use app::App;
use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use metrics::{Unit, describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use metrics_process::Collector;
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;

/// Where measurements are given out.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MetricsConfig {
    /// Address to listen on: one that only the operator's network reaches.
    pub bind: IpAddr,
    /// Port; 0 = none.
    pub port: u16,
}

impl Default for MetricsConfig {
    fn default() -> Self {
        Self { bind: IpAddr::from([127, 0, 0, 1]), port: 0 }
    }
}

/// Upper ends of the classes of durations, in seconds.
const DURATIONS: [f64; 12] = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0];

/// Begins to measure; without a port nothing is measured. It must come before anything is measured.
pub fn start(config: &MetricsConfig) -> Option<PrometheusHandle> {
    if config.port == 0 {
        return None;
    }
    let buckets = Matcher::Suffix("_seconds".to_owned());
    let builder = PrometheusBuilder::new().set_buckets_for_metric(buckets, &DURATIONS);
    let handle = builder.and_then(PrometheusBuilder::install_recorder);
    match handle {
        Ok(handle) => {
            describe();
            Some(handle)
        }
        Err(error) => {
            tracing::error!(%error, "no metrics are recorded");
            None
        }
    }
}

/// What is measured: names and what they mean.
const HISTOGRAMS: [(&str, &str); 5] = [
    ("jalon_http_request_duration_seconds", "Time until the answer began, by route and status"),
    ("jalon_database_statement_duration_seconds", "Time of statements, with the wait for a connection"),
    ("jalon_job_step_duration_seconds", "Time of job steps on this server, by kind and outcome"),
    ("jalon_outgoing_request_duration_seconds", "Time until the answer of another service began"),
    ("jalon_roadbook_duration_seconds", "Time to typeset roadbooks and cards on this server"),
];
const GAUGES: [(&str, &str); 9] = [
    ("jalon_http_requests_in_flight", "Requests in progress"),
    ("jalon_database_connections", "Connections to the database of this server"),
    ("jalon_database_replica_ok", "1 where the replica has what the primary has, or had a few seconds ago, else 0"),
    ("jalon_database_replica_behind_seconds", "How old what the replica has is at most"),
    ("jalon_jobs", "Jobs of all servers, by kind and state"),
    ("jalon_jobs_wait_seconds", "How long the first job of a kind that may start has waited"),
    ("jalon_build_info", "1; the version of the server and of the web application"),
    ("jalon_part_ok", "1 unless the part fails: database, blobs, disk, network"),
    ("jalon_ready", "1 where the server takes requests, else 0"),
];
const COUNTERS: [(&str, &str); 2] = [
    ("jalon_cache_requests_total", "Lookups in the caches of this server"),
    ("jalon_database_replica_reads_total", "Reads that a replica may answer, by which of both did"),
];

fn describe() {
    for (name, words) in HISTOGRAMS {
        describe_histogram!(name, Unit::Seconds, words);
    }
    for (name, words) in GAUGES {
        describe_gauge!(name, words);
    }
    for (name, words) in COUNTERS {
        describe_counter!(name, words);
    }
    Collector::default().describe();
}

/// Opens the address where measurements are given out.
pub async fn listen(config: &MetricsConfig) -> Result<TcpListener, (SocketAddr, io::Error)> {
    let address = SocketAddr::new(config.bind, config.port);
    TcpListener::bind(address).await.map_err(|error| (address, error))
}

/// Serves `/metrics`, `/livez` and `/readyz` there until the process ends.
pub fn serve(listener: TcpListener, handle: PrometheusHandle, app: App) {
    let router = Router::new().fallback(measurements).with_state((handle, app));
    tokio::spawn(async move { axum::serve(listener, router).await });
}

async fn measurements(State((handle, app)): State<(PrometheusHandle, App)>, uri: Uri) -> Response {
    match uri.path() {
        "/metrics" => show(&handle, &app).await,
        "/livez" => "ok".into_response(),
        "/readyz" if is_ready(&app).await => StatusCode::OK.into_response(),
        "/readyz" => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn show(handle: &PrometheusHandle, app: &App) -> Response {
    let (version, build) = (app.settings.version.clone(), app.settings.build_id.clone());
    gauge!("jalon_build_info", "version" => version, "build" => build).set(1.0);
    let found = readiness(app).await;
    gauge!("jalon_ready").set(if takes_requests(&found) { 1.0 } else { 0.0 });
    for (part, is_ok) in found.parts() {
        gauge!("jalon_part_ok", "part" => part).set(if is_ok { 1.0 } else { 0.0 });
    }
    // Where the database does not answer, what this process knows is still worth having.
    if let Err(error) = measure(app).await {
        tracing::warn!(%error, "jobs could not be counted");
    }
    Collector::default().collect();
    handle.run_upkeep();
    let text = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    ([(CONTENT_TYPE, text)], handle.render()).into_response()
}

async fn is_ready(app: &App) -> bool {
    takes_requests(&readiness(app).await)
}

fn takes_requests(found: &Readiness) -> bool {
    matches!(found.status(), ReadyState::Ready | ReadyState::Degraded)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    /// The names of measurements in a text, those of a histogram's series under the name of the histogram.
    fn names(text: &str) -> BTreeSet<String> {
        let is_of_name = |c: char| c.is_ascii_lowercase() || c == '_';
        let words = text.match_indices("jalon_").map(|(at, _)| {
            let word: String = text[at..].chars().take_while(|c| is_of_name(*c)).collect();
            let base = ["_bucket", "_count", "_sum"].iter().find_map(|end| word.strip_suffix(end));
            base.filter(|base| HISTOGRAMS.iter().any(|(name, _)| name == base)).unwrap_or(&word).to_owned()
        });
        words.collect()
    }

    #[test]
    fn documents_rules_and_dashboard_name_what_is_measured() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operate");
        let read = |name: &str| names(&std::fs::read_to_string(folder.join(name)).unwrap());
        let all = HISTOGRAMS.iter().chain(&GAUGES).chain(&COUNTERS);
        let measured: BTreeSet<String> = all.map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(read("monitoring.md"), measured);
        for file in ["prometheus/alerts.yml", "prometheus/grafana-dashboard.json"] {
            let unknown: Vec<_> = read(file).difference(&measured).cloned().collect();
            assert!(unknown.is_empty(), "{file}: {unknown:?}");
        }
        assert_eq!(names("rate(jalon_ready_count[5m]) jalon_job_step_duration_seconds_sum"), {
            ["jalon_ready_count", "jalon_job_step_duration_seconds"].map(str::to_owned).into()
        });
    }
}
