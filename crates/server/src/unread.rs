//! The unread rest of a request's body when the answer is ready (HTTP/1).
//!
//! A refusal may come before the body is read: an unknown path, a missing right, a rate limit. The next request of the connection
//! begins after that body. A short rest is read and thrown away, so that the connection can be used again. After a long one hyper closes
//! the connection, and the answer has to say so (RFC 9112, 9.6): a client or a proxy that sends its next request on it meanwhile gets no
//! answer, and may not repeat a POST.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::http::header::{CONTENT_LENGTH, EXPECT};
use axum::http::{Request, Version};
use bytes::Bytes;
use http_body::{Body as _, Frame, SizeHint};
use hyper::body::Incoming;
use tokio::time::timeout;

/// The longest rest of a body that is read and thrown away to keep the connection, in bytes.
const MAX_REST: u64 = 64 * 1024;
/// How long the rest may take: a client usually sends it with the header.
const REST_TIMEOUT: Duration = Duration::from_millis(500);
/// How much of a longer rest is read while the answer is sent, in bytes, before the connection is closed. A connection that is closed
/// with unread bytes is reset: a proxy that still sends the body would lose the answer.
const MAX_LINGER: u64 = 16 * 1024 * 1024;
/// How long this may take.
const LINGER_TIMEOUT: Duration = Duration::from_secs(2);

/// Receives the body of a request that was dropped before its end.
#[derive(Debug, Default, Clone)]
pub struct Unread(Arc<Mutex<Option<Rest>>>);

#[derive(Debug)]
struct Rest {
    body: Incoming,
    /// Its end may come soon.
    is_short: bool,
    /// The client waits for `100 Continue` before it sends the body.
    is_held_back: bool,
}

impl Unread {
    /// Wraps the body of a request, so that its unread rest is given back when it is dropped early. `None` for a request without such a
    /// body.
    pub fn watch(request: Request<Incoming>) -> (Request<Body>, Option<Self>) {
        if request.version() == Version::HTTP_2 || request.body().is_end_stream() {
            return (request.map(Body::new), None);
        }
        let is_held_back = request.headers().contains_key(EXPECT);
        let is_short = declared(&request).is_none_or(|bytes| bytes <= MAX_REST);
        let unread = Self::default();
        let to = unread.clone();
        let request = request.map(|body| Body::new(Returned { rest: Some(Rest { body, is_short, is_held_back }), to }));
        (request, Some(unread))
    }

    /// Reads the rest of the body, if there is one and it is short; false where the connection cannot be used again. A long rest is
    /// read beside the answer, up to a bound: hyper closes the connection when this ends.
    pub async fn finish(self) -> bool {
        let Some(Rest { mut body, is_short, is_held_back }) = self.lock().take() else { return true };
        // A client that waits for `100 Continue` sends no body after a refusal: its body is not asked for.
        if is_held_back {
            return false;
        }
        if is_short && read_to_end(&mut body, MAX_REST, REST_TIMEOUT).await {
            return true;
        }
        tokio::spawn(async move { read_to_end(&mut body, MAX_LINGER, LINGER_TIMEOUT).await });
        false
    }

    fn lock(&self) -> MutexGuard<'_, Option<Rest>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads a body and throws it away; false where its end did not come within these bounds.
async fn read_to_end(body: &mut Incoming, max_bytes: u64, limit: Duration) -> bool {
    let reading = async {
        let mut left = max_bytes;
        while let Some(frame) = poll_fn(|cx| Pin::new(&mut *body).poll_frame(cx)).await {
            let bytes = frame.ok()?.data_ref().map_or(0, |data| data.len() as u64);
            left = left.checked_sub(bytes)?;
        }
        Some(())
    };
    matches!(timeout(limit, reading).await, Ok(Some(())))
}

fn declared(request: &Request<Incoming>) -> Option<u64> {
    request.headers().get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// A body that is given back when it is dropped before its end.
struct Returned {
    /// Taken when it is dropped.
    rest: Option<Rest>,
    to: Unread,
}

impl http_body::Body for Returned {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        match &mut self.rest {
            Some(rest) => Pin::new(&mut rest.body).poll_frame(cx),
            None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.rest.as_ref().is_none_or(|rest| rest.body.is_end_stream())
    }

    fn size_hint(&self) -> SizeHint {
        self.rest.as_ref().map_or_else(SizeHint::default, |rest| rest.body.size_hint())
    }
}

impl Drop for Returned {
    fn drop(&mut self) {
        if !self.is_end_stream() {
            *self.to.lock() = self.rest.take();
        }
    }
}
