//! Bodies written while they are sent: the memory is bounded by two pieces, whatever the length.

use std::error::Error;

use axum::body::{Body, Bytes};
use tokio::sync::mpsc::{self, Sender};

/// Sends the pieces of a body.
pub struct Pieces<E>(Sender<Result<Bytes, E>>);

impl<E> Pieces<E> {
    /// Sends a piece; false when the client closed the connection.
    pub async fn send(&self, piece: impl Into<Bytes>) -> bool {
        self.0.send(Ok(piece.into())).await.is_ok()
    }
}

/// A body of the pieces that a writer sends.
pub fn streamed_body<E, W>(write: impl FnOnce(Pieces<E>) -> W) -> Body
where
    E: Error + Send + Sync + 'static,
    W: Future<Output = Result<(), E>> + Send + 'static,
{
    // Two pieces wait at most: a slow reader slows the writing, and takes no memory.
    let (send, mut receive) = mpsc::channel(2);
    let writing = write(Pieces(send.clone()));
    tokio::spawn(async move {
        if let Err(error) = writing.await {
            tracing::error!(%error, "writing a response failed");
            // The client sees an interrupted body, not a file that looks complete.
            let _ = send.send(Err(error)).await;
        }
    });
    Body::from_stream(futures_util::stream::poll_fn(move |context| receive.poll_recv(context)))
}
