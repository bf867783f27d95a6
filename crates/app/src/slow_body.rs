//! Ends a request whose body arrives below a minimum average rate. Pauses are allowed.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use http_body::{Frame, SizeHint};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::RequestLimits;

/// The error of a body that came too slowly.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("the body comes too slowly")]
pub struct TooSlow;

/// The request, its body watched.
pub fn watched(limits: &RequestLimits, request: Request) -> Request {
    if request.body().is_end_stream() {
        return request;
    }
    request.map(|body| Body::new(Watched::new(body, limits)))
}

/// A body with the time its client has left. Only time in which the server waits for the client counts.
struct Watched {
    body: Body,
    timeout: Duration,
    time_per_byte: Duration,
    left: Duration,
    /// Since when the server waits, and what ends it.
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl Watched {
    fn new(body: Body, limits: &RequestLimits) -> Self {
        Self {
            body,
            timeout: limits.body_timeout,
            time_per_byte: Duration::from_secs(1) / limits.min_bytes_per_s.max(1),
            left: limits.body_timeout,
            waiting: None,
        }
    }

    /// Bytes came: the wait is paid, and they give more time.
    fn received(&mut self, bytes: usize) {
        if let Some((since, _)) = self.waiting.take() {
            self.left = self.left.saturating_sub(since.elapsed());
        }
        let gained = self.time_per_byte.saturating_mul(u32::try_from(bytes).unwrap_or(u32::MAX));
        self.left = self.left.saturating_add(gained).min(self.timeout);
    }
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(cx) {
            let bytes =
                frame.as_ref().and_then(|frame| frame.as_ref().ok()).and_then(Frame::data_ref).map_or(0, Bytes::len);
            self.received(bytes);
            return Poll::Ready(frame);
        }
        let left = self.left;
        let (_, end) = self.waiting.get_or_insert_with(|| {
            let now = Instant::now();
            (now, Box::pin(sleep_until(now + left)))
        });
        match end.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Some(Err(axum::Error::new(TooSlow)))),
            Poll::Pending => Poll::Pending,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
