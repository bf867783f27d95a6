//! A connection's stream: reports what comes and goes, and gives back what was read too far.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::{Buf, Bytes};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use crate::activity::Activity;

/// A stream whose activity is watched.
#[derive(Debug)]
pub struct WatchedStream {
    stream: TcpStream,
    activity: Arc<Activity>,
    /// Read already, behind a PROXY protocol header.
    ahead: Bytes,
}

impl WatchedStream {
    /// Watches a stream of which `ahead` has been read.
    pub fn new(stream: TcpStream, ahead: Bytes, activity: Arc<Activity>) -> Self {
        Self { stream, activity, ahead }
    }

    fn watched(&self, wrote: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match &wrote {
            Poll::Ready(Ok(bytes)) => self.activity.wrote(*bytes),
            Poll::Ready(Err(_)) => {}
            Poll::Pending => self.activity.blocked(),
        }
        wrote
    }
}

impl AsyncRead for WatchedStream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        if self.ahead.is_empty() {
            std::task::ready!(Pin::new(&mut self.stream).poll_read(cx, buf))?;
        } else {
            let piece = self.ahead.len().min(buf.remaining());
            buf.put_slice(&self.ahead[..piece]);
            self.ahead.advance(piece);
        }
        if buf.filled().len() > before {
            self.activity.read();
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for WatchedStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.watched(wrote)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write_vectored(cx, pieces);
        self.watched(wrote)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

impl Drop for WatchedStream {
    fn drop(&mut self) {
        if self.activity.is_cut() {
            // A reset frees the system's unsent data for a client that reads nothing. Where it fails, the system's own time-outs do
            // it later.
            let _ = self.stream.set_zero_linger();
        }
    }
}
