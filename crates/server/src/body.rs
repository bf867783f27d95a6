//! The body of a response, which reports whether the server or the client is waited for.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body;
use bytes::Bytes;
use http_body::{Frame, SizeHint};

use crate::activity::RequestInProgress;

/// A response's body; with it ends the request.
#[derive(Debug)]
pub struct WatchedBody {
    body: Body,
    request: RequestInProgress,
}

impl WatchedBody {
    /// Watches a body.
    pub fn new(body: Body, mut request: RequestInProgress) -> Self {
        if http_body::Body::is_end_stream(&body) {
            request.set_working(false);
        }
        Self { body, request }
    }
}

impl http_body::Body for WatchedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        self.request.set_working(true);
        let frame = std::task::ready!(Pin::new(&mut self.body).poll_frame(cx));
        // Asked for the next frame only once the client has taken this one, or enough of it.
        self.request.set_working(false);
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
