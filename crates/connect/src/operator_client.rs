//! The HTTP client for servers that the operator sets: the bucket of the blobs, the collector of traces.
//!
//! Their addresses are not checked: they are set in the configuration, like the database, and are usually in the private network.

use std::time::Duration;

use hyper::body::Body;
use hyper_rustls::{ConfigBuilderExt, HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{Client, connect};
use hyper_util::rt::{TokioExecutor, TokioTimer};

/// Until a connection is open.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Idle connections are closed after this time, before most servers close them.
const IDLE_TIMEOUT: Duration = Duration::from_secs(20);

/// A client with a pool of connections, over HTTP/1.1 with or without TLS.
pub(crate) type OperatorClient<B> = Client<HttpsConnector<HttpConnector>, B>;

/// Makes the client; no connection is opened yet.
pub(crate) fn operator_client<B>() -> Result<OperatorClient<B>, rustls::Error>
where
    B: Body + Send,
    B::Data: Send,
{
    let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    // The certificates of the system, so that those of a private authority count; in an image without any, Mozilla's.
    let tls = match tls.clone().with_native_roots() {
        Ok(tls) => tls.with_no_client_auth(),
        Err(_) => tls.with_webpki_roots().with_no_client_auth(),
    };
    let mut tcp = connect::HttpConnector::new();
    tcp.enforce_http(false);
    tcp.set_connect_timeout(Some(CONNECT_TIMEOUT));
    tcp.set_nodelay(true);
    let https = HttpsConnectorBuilder::new().with_tls_config(tls).https_or_http().enable_http1().wrap_connector(tcp);
    Ok(Client::builder(TokioExecutor::new()).pool_idle_timeout(IDLE_TIMEOUT).pool_timer(TokioTimer::new()).build(https))
}
