//! The HTTP client of the S3 bucket in which blobs are stored. `store` signs the requests and reads the answers.
//!
//! Its addresses are not checked: the bucket is set by the operator, like the database, and is usually in the private network.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use async_trait::async_trait;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper_rustls::{ConfigBuilderExt, HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::{Client, connect};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpRequestBody, HttpResponse, HttpResponseBody,
    HttpService,
};
use tokio::time::{Instant, Sleep, sleep, timeout};

use crate::measured;

/// Until a connection is open.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// From the start of a request until its answer begins.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
/// Between two pieces of an answer.
const PIECE_TIMEOUT: Duration = Duration::from_secs(30);
/// Idle connections are closed after this time, before most servers close them.
const IDLE_TIMEOUT: Duration = Duration::from_secs(20);

/// Opens the connections to the bucket.
#[derive(Debug, Clone, Copy, Default)]
pub struct BucketConnector;

impl HttpConnector for BucketConnector {
    fn connect(&self, _options: &ClientOptions) -> object_store::Result<HttpClient> {
        let generic =
            |source: Box<dyn std::error::Error + Send + Sync>| object_store::Error::Generic { store: "S3", source };
        let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
        let tls = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| generic(Box::new(error)))?;
        // The certificates of the system, so that those of a private authority count; in an image without any, Mozilla's.
        let tls = match tls.clone().with_native_roots() {
            Ok(tls) => tls.with_no_client_auth(),
            Err(_) => tls.with_webpki_roots().with_no_client_auth(),
        };
        let mut tcp = connect::HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_connect_timeout(Some(CONNECT_TIMEOUT));
        tcp.set_nodelay(true);
        let https =
            HttpsConnectorBuilder::new().with_tls_config(tls).https_or_http().enable_http1().wrap_connector(tcp);
        let client = Client::builder(TokioExecutor::new())
            .pool_idle_timeout(IDLE_TIMEOUT)
            .pool_timer(TokioTimer::new())
            .build(https);
        Ok(HttpClient::new(BucketClient(client)))
    }
}

#[derive(Debug)]
struct BucketClient(Client<HttpsConnector<connect::HttpConnector>, HttpRequestBody>);

#[async_trait]
impl HttpService for BucketClient {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let started = std::time::Instant::now();
        let answer = timeout(ANSWER_TIMEOUT, self.0.request(request)).await;
        let status =
            answer.as_ref().ok().and_then(|answer| answer.as_ref().ok()).map_or(0, |answer| answer.status().as_u16());
        measured("bucket", status, started);
        let answer = answer.map_err(|late| HttpError::new(HttpErrorKind::Timeout, late))?.map_err(|error| {
            let kind = if error.is_connect() { HttpErrorKind::Connect } else { HttpErrorKind::Interrupted };
            HttpError::new(kind, error)
        })?;
        Ok(answer.map(|body| HttpResponseBody::new(TimedBody::new(body))))
    }
}

/// The body of an answer; fails when nothing more of it comes for [`PIECE_TIMEOUT`].
struct TimedBody {
    body: Incoming,
    late: Pin<Box<Sleep>>,
}

impl TimedBody {
    fn new(body: Incoming) -> Self {
        Self { body, late: Box::pin(sleep(PIECE_TIMEOUT)) }
    }
}

impl Body for TimedBody {
    type Data = Bytes;
    type Error = HttpError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, HttpError>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) {
            self.late.as_mut().reset(Instant::now() + PIECE_TIMEOUT);
            let failed = |error| HttpError::new(HttpErrorKind::Interrupted, error);
            return Poll::Ready(frame.map(|frame| frame.map_err(failed)));
        }
        ready!(self.late.as_mut().poll(context));
        let late = std::io::Error::new(std::io::ErrorKind::TimedOut, "the bucket sends nothing more");
        Poll::Ready(Some(Err(HttpError::new(HttpErrorKind::Timeout, late))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
