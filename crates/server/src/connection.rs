//! One connection: its PROXY protocol header, its requests, its end.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::header::{CONNECTION, CONTENT_LENGTH, HOST};
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderValue, Request, Response, StatusCode, Uri, Version};
use bytes::Bytes;
use domain::{ClientNetwork, TrustedProxies};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout};
use tower::ServiceExt;

use crate::Limits;
use crate::activity::{Activity, Overdue};
use crate::body::WatchedBody;
use crate::bounds::Place;
use crate::proxy_protocol;
use crate::stream::WatchedStream;
use crate::unread::Unread;

/// Time in which a client may take what is under way, once it was asked to close an idle connection.
const GOODBYE: Duration = Duration::from_secs(2);
/// HTTP/2: a connection whose client does not answer a ping is closed.
const PING_INTERVAL: Duration = Duration::from_secs(20);
const PING_TIMEOUT: Duration = Duration::from_secs(10);
/// HTTP/2: streams that the client reset before they were accepted, and streams reset for its errors ("rapid reset").
const MAX_RESET_STREAMS: usize = 50;
/// HTTP/2: bytes kept of a response for a stream that cannot send.
const MAX_SEND_BUFFER: usize = 64 * 1024;
/// HTTP/2: bytes of request bodies that may be on their way, on a stream and on the connection.
const STREAM_WINDOW: u32 = 256 * 1024;
const CONNECTION_WINDOW: u32 = 1024 * 1024;

/// What all connections share.
#[derive(Debug)]
pub struct Service {
    router: Router,
    builder: Builder<TokioExecutor>,
    pub limits: Limits,
    pub trusted: TrustedProxies,
}

impl Service {
    /// Serves a router within limits.
    pub fn new(router: Router, limits: Limits, trusted: TrustedProxies) -> Self {
        let mut builder = Builder::new(TokioExecutor::new());
        // `Activity` has the time-outs: hyper's own is one for header and idle time together, and begins after the first bytes.
        builder
            .http1()
            .timer(TokioTimer::new())
            .header_read_timeout(None)
            .max_buf_size((limits.max_header_bytes as usize).max(8 * 1024));
        builder
            .http2()
            .timer(TokioTimer::new())
            .max_concurrent_streams(limits.max_streams)
            .max_header_list_size(limits.max_header_bytes)
            .max_pending_accept_reset_streams(MAX_RESET_STREAMS)
            .max_local_error_reset_streams(MAX_RESET_STREAMS)
            .max_send_buf_size(MAX_SEND_BUFFER)
            .initial_stream_window_size(STREAM_WINDOW)
            .initial_connection_window_size(CONNECTION_WINDOW)
            .keep_alive_interval(PING_INTERVAL)
            .keep_alive_timeout(PING_TIMEOUT);
        Self { router, builder, limits, trusted }
    }
}

/// Serves a connection until its end.
pub async fn serve(
    service: Arc<Service>,
    mut stream: TcpStream,
    peer: SocketAddr,
    mut place: Place,
    stop: watch::Receiver<bool>,
) {
    // Answers are written whole: waiting for more to send only delays them.
    let _ = stream.set_nodelay(true);
    let (mut client, mut ahead) = (peer, Bytes::new());
    if service.limits.proxy_protocol && service.trusted.trusts(peer.ip()) {
        let header = timeout(service.limits.header_timeout, proxy_protocol::read(&mut stream)).await;
        let Ok(Ok((named, rest))) = header else {
            tracing::debug!("a trusted proxy sent no PROXY protocol header");
            return;
        };
        ahead = rest;
        if let Some(named) = named {
            client = named;
            if place.count_for(ClientNetwork::from(named.ip())).is_err() {
                return;
            }
        }
    }
    let activity = Activity::new(&service.limits);
    let io = TokioIo::new(WatchedStream::new(stream, ahead, Arc::clone(&activity)));
    run(&service, io, client, &activity, stop).await;
}

async fn run(
    service: &Service,
    io: TokioIo<WatchedStream>,
    client: SocketAddr,
    activity: &Arc<Activity>,
    mut stop: watch::Receiver<bool>,
) {
    let answer = service_fn(|request: Request<Incoming>| {
        let in_progress = activity.start(request.version() == Version::HTTP_2);
        let (request, unread) = Unread::watch(request);
        let mut request = in_origin_form(request);
        request.extensions_mut().insert(ConnectInfo(client));
        let router = service.router.clone();
        async move {
            let Ok(mut response): Result<Response<Body>, Infallible> = router.oneshot(request).await;
            if response.status() == StatusCode::NOT_MODIFIED {
                // The router writes the length of the empty body, after all its layers; there it is that of the file (RFC 9110, 8.6).
                response.headers_mut().remove(CONTENT_LENGTH);
            }
            if let Some(unread) = unread
                && !unread.finish().await
            {
                response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            }
            Ok::<_, Infallible>(response.map(|body| WatchedBody::new(body, in_progress)))
        }
    });
    let mut connection = pin!(service.builder.serve_connection(io, answer));
    let (mut stopping, mut goodbye) = (false, None);
    loop {
        let now = Instant::now();
        let due = activity.deadline().filter(|(at, _)| *at <= now).map(|(_, overdue)| overdue);
        match due {
            None => {}
            Some(Overdue::Idle) => {
                let until = *goodbye.get_or_insert(now + GOODBYE);
                if now >= until {
                    return;
                }
                connection.as_mut().graceful_shutdown();
            }
            Some(overdue) => {
                tracing::debug!(?overdue, "a slow connection is cut off");
                activity.cut();
                return;
            }
        }
        let next = activity.deadline().map(|(at, _)| at).filter(|at| *at > now);
        let look_again = next.unwrap_or(now + activity.pause()).min(now + activity.pause());
        tokio::select! {
            ended = connection.as_mut() => {
                if let Err(error) = ended {
                    tracing::trace!(%error, "a connection broke");
                }
                return;
            }
            _ = stop.wait_for(|stop| *stop), if !stopping => {
                stopping = true;
                connection.as_mut().graceful_shutdown();
            }
            () = sleep_until(look_again) => {}
        }
    }
}

/// The request as handlers expect it, whatever the version: the path alone as target, the authority as `Host`.
fn in_origin_form(mut request: Request<Body>) -> Request<Body> {
    let Some(authority) = request.uri().authority() else { return request };
    if let Ok(host) = HeaderValue::from_str(authority.as_str()) {
        request.headers_mut().insert(HOST, host);
    }
    let target = request.uri().path_and_query().cloned().unwrap_or_else(|| PathAndQuery::from_static("/"));
    *request.uri_mut() = Uri::from(target);
    request
}
