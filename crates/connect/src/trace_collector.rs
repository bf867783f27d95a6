//! Sends spans to the collector of traces (OTLP over HTTP). The SDK of OpenTelemetry makes the requests, this sends them.

use std::time::Duration;

use async_trait::async_trait;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Bytes;
use hyper::{Request, Response};
use opentelemetry_http::{HttpClient, HttpError};
use tokio::runtime::Handle;
use tokio::time::timeout;

use crate::measured;
use crate::operator_client::{OperatorClient, operator_client};

/// From the start of a request until its whole answer is here.
const TIMEOUT: Duration = Duration::from_secs(5);
/// A collector answers with a few bytes; more is not read.
const MAX_ANSWER_BYTES: usize = 64 * 1024;

/// The connection to the collector.
#[derive(Debug, Clone)]
pub struct TraceCollector {
    client: OperatorClient<Full<Bytes>>,
    /// The SDK sends from a thread of its own, without a runtime.
    runtime: Handle,
}

impl TraceCollector {
    /// Makes the client, which opens its connections on this runtime; an error says why TLS cannot be used.
    pub fn new(runtime: Handle) -> Result<Self, String> {
        let client = operator_client().map_err(|error| error.to_string())?;
        Ok(Self { client, runtime })
    }
}

#[async_trait]
impl HttpClient for TraceCollector {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let client = self.client.clone();
        // The time-out is made on the runtime too: its clock belongs to it.
        self.runtime.spawn(async move { timeout(TIMEOUT, send(client, request)).await }).await??
    }
}

async fn send(client: OperatorClient<Full<Bytes>>, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
    let started = std::time::Instant::now();
    let answer = client.request(request.map(Full::new)).await;
    measured("traces", answer.as_ref().map_or(0, |answer| answer.status().as_u16()), started);
    let (head, body) = answer?.into_parts();
    let body = Limited::new(body, MAX_ANSWER_BYTES).collect().await?.to_bytes();
    Ok(Response::from_parts(head, body))
}
