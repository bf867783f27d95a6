//! Answers that are written while they are sent, so that one of any length takes no more memory than a piece.

use axum::body::{Body, Bytes};
use tokio::sync::mpsc::{self, Sender};

use super::FeedError;

/// Where the pieces of an answer go.
pub struct Pieces(Sender<Result<Bytes, FeedError>>);

impl Pieces {
    /// Sends a piece; false when the client hung up.
    pub async fn send(&self, piece: impl Into<Bytes>) -> bool {
        self.0.send(Ok(piece.into())).await.is_ok()
    }
}

/// A body of the pieces that a writer sends.
pub fn written<W>(write: impl FnOnce(Pieces) -> W) -> Body
where
    W: Future<Output = Result<(), FeedError>> + Send + 'static,
{
    // Two pieces wait at most: a slow reader slows the writing, and takes no memory.
    let (send, mut receive) = mpsc::channel(2);
    let writing = write(Pieces(send.clone()));
    tokio::spawn(async move {
        if let Err(error) = writing.await {
            tracing::error!(%error, "an answer broke off");
            // The reader sees a body that breaks off, not a file that looks whole.
            let _ = send.send(Err(error)).await;
        }
    });
    Body::from_stream(futures_util::stream::poll_fn(move |context| receive.poll_recv(context)))
}
