//! The HTTP client of the S3 bucket in which blobs are stored. `store` signs the requests and reads the answers.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use async_trait::async_trait;
use hyper::Method;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpRequestBody, HttpResponse, HttpResponseBody,
    HttpService,
};
use tokio::time::{Instant, Sleep, sleep, timeout};

use crate::measured;
use crate::operator_client::{OperatorClient, operator_client};

/// From the start of a request that sends little until its answer begins.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// From the start of a request until its answer begins, where it sends a large body or the bucket joins the parts of a file.
const LONG_ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
/// The size in bytes from which a body is large: all of it is sent before the answer begins.
const LARGE_BODY: usize = 256 * 1024;
/// Between two pieces of an answer.
const PIECE_TIMEOUT: Duration = Duration::from_secs(30);

/// Opens the connections to the bucket.
#[derive(Debug, Clone, Copy, Default)]
pub struct BucketConnector;

impl HttpConnector for BucketConnector {
    fn connect(&self, _options: &ClientOptions) -> object_store::Result<HttpClient> {
        let generic =
            |source: Box<dyn std::error::Error + Send + Sync>| object_store::Error::Generic { store: "S3", source };
        let client = operator_client().map_err(|error| generic(Box::new(error)))?;
        Ok(HttpClient::new(BucketClient(client)))
    }
}

#[derive(Debug)]
struct BucketClient(OperatorClient<HttpRequestBody>);

#[async_trait]
impl HttpService for BucketClient {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let started = std::time::Instant::now();
        let answer = timeout(answer_timeout(&request), self.0.request(request)).await;
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

fn answer_timeout(request: &HttpRequest) -> Duration {
    // POST begins and ends an upload in parts, and deletes many files at once.
    if request.method() == Method::POST || request.body().content_length() >= LARGE_BODY {
        LONG_ANSWER_TIMEOUT
    } else {
        ANSWER_TIMEOUT
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_request_that_sends_much_or_joins_parts_is_waited_for_longer() {
        for (method, bytes, expected) in [
            (Method::GET, 0, ANSWER_TIMEOUT),
            (Method::DELETE, 0, ANSWER_TIMEOUT),
            (Method::PUT, 1_000, ANSWER_TIMEOUT),
            (Method::PUT, LARGE_BODY, LONG_ANSWER_TIMEOUT),
            (Method::POST, 0, LONG_ANSWER_TIMEOUT),
        ] {
            let mut request = HttpRequest::new(vec![0_u8; bytes].into());
            *request.method_mut() = method.clone();
            assert_eq!(answer_timeout(&request), expected, "{method} {bytes}");
        }
    }
}
