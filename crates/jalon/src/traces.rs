//! Traces for a collector that speaks OTLP: `[traces]` of the configuration (decision 0055).

use std::collections::BTreeMap;
use std::time::Duration;

use connect::TraceCollector;
use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{BatchConfigBuilder, BatchSpanProcessor, Sampler, SdkTracerProvider};
use serde::{Deserialize, Serialize};
use tracing::{Level, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::FilterFn;
use tracing_subscriber::registry::LookupSpan;

/// Spans that wait to be sent; more are dropped.
const MAX_QUEUED_SPANS: usize = 2_048;
/// Time-out of one request to the collector.
const EXPORT_TIMEOUT: Duration = Duration::from_secs(5);
/// Time to send the last spans when the server stops.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(5);

/// Where traces are sent.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TracesConfig {
    /// The collector, `http://127.0.0.1:4318`; empty = none. `/v1/traces` is added.
    pub endpoint: String,
    /// The share of requests that are recorded where a proxy has not decided, from 0 to 1.
    pub sample: f64,
    /// Headers of each request to the collector, such as the key of a hosted one.
    pub headers: BTreeMap<String, String>,
}

impl Default for TracesConfig {
    fn default() -> Self {
        Self { endpoint: String::new(), sample: 1.0, headers: BTreeMap::new() }
    }
}

impl std::fmt::Debug for TracesConfig {
    // Without the headers, which contain keys.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TracesConfig")
            .field("endpoint", &self.endpoint)
            .field("sample", &self.sample)
            .finish_non_exhaustive()
    }
}

impl TracesConfig {
    /// Whether traces are sent.
    pub fn is_on(&self) -> bool {
        !self.endpoint.is_empty()
    }

    /// An error says in one sentence what to write.
    pub fn check(&self) -> Result<(), String> {
        let is_address = ["http://", "https://"].iter().any(|scheme| self.endpoint.starts_with(scheme));
        if self.is_on() && !is_address {
            return Err("traces.endpoint must start with http:// or https://, such as http://127.0.0.1:4318".into());
        }
        if !(0.0..=1.0).contains(&self.sample) {
            return Err("traces.sample must be between 0 (no request) and 1 (all requests)".into());
        }
        Ok(())
    }
}

/// The spans on their way to the collector.
#[derive(Debug)]
pub struct Traces(SdkTracerProvider);

impl Traces {
    /// Begins to send spans, if a collector is set. It is called in a runtime.
    pub fn start(config: &TracesConfig) -> Result<Option<Self>, String> {
        if !config.is_on() {
            return Ok(None);
        }
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(TraceCollector::new(tokio::runtime::Handle::current())?)
            .with_endpoint(format!("{}/v1/traces", config.endpoint.trim_end_matches('/')))
            .with_timeout(EXPORT_TIMEOUT)
            .with_headers(config.headers.clone().into_iter().collect())
            .build()
            .map_err(|error| format!("traces cannot be sent: {error}"))?;
        let batches = BatchConfigBuilder::default().with_max_queue_size(MAX_QUEUED_SPANS).build();
        let resource = Resource::builder()
            .with_service_name("jalon")
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .build();
        let provider = SdkTracerProvider::builder()
            .with_span_processor(BatchSpanProcessor::builder(exporter).with_batch_config(batches).build())
            .with_sampler(Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(config.sample))))
            .with_resource(resource)
            .build();
        opentelemetry::global::set_text_map_propagator(TraceContextPropagator::new());
        Ok(Some(Self(provider)))
    }

    /// Records the spans of this code. Lines of the log are not sent: they are redacted when they are written, spans are not.
    pub fn layer<S>(&self) -> impl Layer<S> + use<S>
    where
        S: Subscriber + for<'span> LookupSpan<'span> + Send + Sync,
    {
        tracing_opentelemetry::layer()
            .with_tracer(self.0.tracer("jalon"))
            .with_location(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
            .with_filter(FilterFn::new(is_sent))
    }

    /// Sends what still waits.
    pub async fn stop(self) {
        let sent = tokio::task::spawn_blocking(move || self.0.shutdown_with_timeout(FLUSH_TIMEOUT)).await;
        if let Ok(Err(error)) = sent {
            tracing::warn!(%error, "the last traces were not sent");
        }
    }
}

/// Spans of our own crates, and statements, which are of level debug so that they cost nothing where no traces are sent.
fn is_sent(metadata: &Metadata<'_>) -> bool {
    metadata.is_span() && (*metadata.level() <= Level::INFO || metadata.target() == store::STATEMENT_SPANS)
}
