//! Accepts connections and serves HTTP/1.1 and HTTP/2 (prior knowledge) on them, within bounds: how many connections in all
//! and for each client network, how slow a header and a response may be, how long a connection may be idle. Decision 0032.
//!
//! What concerns single requests, such as the size and the rate of bodies, is in the crate `api`.

mod activity;
mod body;
mod bounds;
mod connection;
mod limits;
mod proxy_protocol;
mod refused;
mod stream;
mod unread;

use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use domain::{ClientNetwork, TrustedProxies};
pub use limits::Limits;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::bounds::Bounds;
use crate::connection::Service;
use crate::refused::Refused;

/// Files and connections of the database, the blobs and outside services, beside the connections of clients.
const OTHER_FILES: u64 = 256;

/// Serves until `stop`, then lets requests under way finish. Dropping the future ends them at once.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    trusted: TrustedProxies,
    stop: impl Future<Output = ()>,
) {
    let bounds = Bounds::new(limits.max_connections, limits.max_connections_per_address);
    let service = Arc::new(Service::new(router, limits, trusted));
    let (stopping, stopped) = watch::channel(false);
    let mut connections = JoinSet::new();
    let mut refused = Refused::default();
    let mut stop = pin!(stop);
    loop {
        let accepted = tokio::select! {
            () = &mut stop => break,
            Some(_) = connections.join_next() => continue,
            accepted = listener.accept() => accepted,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                wait_after(&error).await;
                continue;
            }
        };
        // A trusted proxy's connections are those of all its clients.
        let network = (!service.trusted.trusts(peer.ip())).then(|| ClientNetwork::from(peer.ip()));
        match bounds.enter(network) {
            Ok(place) => {
                connections.spawn(connection::serve(Arc::clone(&service), stream, peer, place, stopped.clone()));
            }
            Err(full) => refused.refuse(&stream, full),
        }
    }
    drop(listener);
    let _ = stopping.send(true);
    while connections.join_next().await.is_some() {}
}

/// A connection that broke before it was accepted needs no pause; other errors are the system's, mostly too many open files.
async fn wait_after(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
        return;
    }
    tracing::error!(%error, "no connection can be accepted");
    tokio::time::sleep(Duration::from_secs(1)).await;
}

/// Raises the number of files the process may open, so that the connections fit; the number of connections that do fit.
pub fn make_room_for(connections: usize) -> usize {
    let wanted = connections as u64 + OTHER_FILES;
    let limit = getrlimit(Resource::Nofile);
    let current = limit.current.unwrap_or(u64::MAX);
    if current >= wanted {
        return connections;
    }
    let reachable = limit.maximum.unwrap_or(u64::MAX).min(wanted);
    let raised = setrlimit(Resource::Nofile, Rlimit { current: Some(reachable), maximum: limit.maximum });
    let now = if raised.is_ok() { reachable } else { current };
    connections.min(usize::try_from(now.saturating_sub(OTHER_FILES)).unwrap_or(connections)).max(16)
}
