//! An S3 server in this process, with one bucket in a folder; or, where `JALON_TEST_S3` names one (`make test-s3`), a real server behind this
//! one, which passes requests on. Both can be made to fail.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering};

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::header::RANGE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use connect::BucketConnector;
use futures_util::TryStreamExt;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s_fs::FileSystem;
use store::{Blobs, BucketSettings};
use tokio::net::TcpListener;
use tower::ServiceExt;

use crate::scratch::Scratch;

/// The one bucket of the server.
pub const NAME: &str = "jalon";
/// Its access key.
pub const KEY: &str = "GK0123456789";
/// The secret of the access key.
pub const SECRET: &str = "a secret of the tests";

/// The setting that names a real S3 server: its addresses with commas between them, the region, the bucket, the access key and its
/// secret, with spaces between them.
const REAL: &str = "JALON_TEST_S3";

/// An S3 server with one bucket. Its data are in a folder of the test.
#[derive(Debug)]
pub struct Bucket {
    folder: PathBuf,
    state: Arc<State>,
    settings: BucketSettings,
    is_real: bool,
}

/// What answers the requests.
#[derive(Clone)]
enum Server {
    InProcess(S3Service),
    /// The addresses of its servers, `127.0.0.1:3900`.
    Real(Box<Client<HttpConnector, Body>>, Arc<[String]>),
}

#[derive(Debug, Default)]
struct State {
    /// The status of every answer; 0 = the server works.
    failing: AtomicU16,
    requests: AtomicU64,
}

impl Bucket {
    /// Starts the server on a free port; it ends with the runtime of the test.
    ///
    /// # Panics
    /// When no port can be opened.
    pub async fn start(scratch: &Scratch) -> Self {
        let (root, state) = (scratch.path().join("s3"), Arc::new(State::default()));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it has an address");
        let mut settings = BucketSettings {
            bucket: NAME.to_owned(),
            prefix: "test".to_owned(),
            endpoint: Some(format!("http://{address}")),
            region: "us-east-1".to_owned(),
            access_key_id: KEY.to_owned(),
            secret_access_key: SECRET.to_owned(),
            path_style: true,
        };
        let real = std::env::var(REAL).ok();
        let server = match &real {
            None => in_process(&root),
            Some(words) => {
                let words: Vec<&str> = words.split_whitespace().collect();
                let [addresses, region, bucket, key, secret] = words[..] else { panic!("{REAL} has five words") };
                (settings.region, settings.bucket) = (region.to_owned(), bucket.to_owned());
                (settings.access_key_id, settings.secret_access_key) = (key.to_owned(), secret.to_owned());
                // All tests share the bucket.
                settings.prefix = scratch.path().to_string_lossy().trim_matches('/').replace('/', "-");
                let client = Client::builder(TokioExecutor::new()).build(HttpConnector::new());
                Server::Real(Box::new(client), addresses.split(',').map(str::to_owned).collect())
            }
        };
        let router = router(server, settings.bucket.clone(), Arc::clone(&state));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { folder: root.join(NAME), state, settings, is_real: real.is_some() }
    }

    /// How to reach it.
    pub fn settings(&self) -> BucketSettings {
        self.settings.clone()
    }

    /// Whether a real server answers: a test cannot read its files.
    pub fn is_real(&self) -> bool {
        self.is_real
    }

    /// Its blobs.
    pub fn blobs(&self) -> Blobs {
        self.blobs_with(|_| {})
    }

    /// Its blobs with other settings.
    ///
    /// # Panics
    /// When no client can be made.
    pub fn blobs_with(&self, change: impl FnOnce(&mut BucketSettings)) -> Blobs {
        let mut settings = self.settings();
        change(&mut settings);
        Blobs::bucket(&settings, BucketConnector).expect("a client can be made")
    }

    /// Its blobs, where the bucket sends large public files to visitors itself.
    ///
    /// # Panics
    /// When no client can be made.
    pub fn blobs_for_visitors(&self) -> Blobs {
        self.blobs().signing(&self.settings(), BucketConnector).expect("a client can be made")
    }

    /// What an HTTP client without an access key gets from an address: status, headers, bytes.
    ///
    /// # Panics
    /// When the server does not answer.
    pub async fn fetched(&self, address: &str, range: Option<&str>) -> (StatusCode, HeaderMap, Bytes) {
        let mut request = Request::new(Body::empty());
        *request.uri_mut() = address.parse().expect("an address");
        if let Some(range) = range {
            request.headers_mut().insert(RANGE, range.parse().expect("a range"));
        }
        let client: Client<HttpConnector, Body> = Client::builder(TokioExecutor::new()).build(HttpConnector::new());
        let (head, body) = client.request(request).await.expect("an answer").into_parts();
        let bytes = axum::body::to_bytes(Body::new(body), usize::MAX).await.expect("a whole answer");
        (head.status, head.headers, bytes)
    }

    /// The folder in which the server keeps the blobs, each in a file named by its key.
    pub fn folder(&self) -> PathBuf {
        self.folder.join("test")
    }

    /// From now on every answer has this status.
    pub fn fail_with(&self, status: u16) {
        self.state.failing.store(status, Ordering::Relaxed);
    }

    /// From now on it works again.
    pub fn recover(&self) {
        self.state.failing.store(0, Ordering::Relaxed);
    }

    /// How many requests came so far.
    pub fn requests(&self) -> u64 {
        self.state.requests.load(Ordering::Relaxed)
    }

    /// The keys of its objects below a folder, sorted, without the prefix.
    ///
    /// # Panics
    /// When the server does not answer.
    pub async fn keys(&self, below: &str) -> Vec<String> {
        let found = self.blobs().list(below).map_ok(|blob| blob.key).try_collect().await;
        let mut found: Vec<String> = found.expect("the bucket can be listed");
        found.sort();
        found
    }
}

/// Serves the bucket in a folder until the process ends: for a process of its own, which can be killed.
///
/// # Panics
/// When the folder cannot be written.
pub async fn serve(listener: TcpListener, folder: &Path) -> std::io::Result<()> {
    axum::serve(listener, router(in_process(folder), NAME.to_owned(), Arc::default())).await
}

fn in_process(root: &Path) -> Server {
    std::fs::create_dir_all(root.join(NAME)).expect("the folder can be written");
    let mut builder = S3ServiceBuilder::new(FileSystem::new(root).expect("the folder is there"));
    builder.set_auth(SimpleAuth::from_single(KEY, SECRET));
    Server::InProcess(builder.build())
}

fn router(server: Server, bucket: String, state: Arc<State>) -> axum::Router {
    axum::Router::new().fallback_service(tower::service_fn(move |request: Request| {
        let (server, bucket, state) = (server.clone(), bucket.clone(), Arc::clone(&state));
        async move { Ok::<_, Infallible>(answer(server, &bucket, &state, request).await) }
    }))
}

async fn answer(server: Server, bucket: &str, state: &State, request: Request) -> Response {
    state.requests.fetch_add(1, Ordering::Relaxed);
    if let Ok(status) = StatusCode::from_u16(state.failing.load(Ordering::Relaxed)) {
        return (status, "<Error><Code>Planned</Code></Error>").into_response();
    }
    let answer = match server {
        Server::InProcess(_) if request.uri().path().split('/').nth(1) != Some(bucket) => {
            // s3s-fs makes a folder for whatever bucket is written to.
            return (StatusCode::NOT_FOUND, "<Error><Code>NoSuchBucket</Code></Error>").into_response();
        }
        Server::InProcess(service) => service.oneshot(request).await.map_err(|error| format!("{error:?}")),
        Server::Real(client, addresses) => {
            return pass_on(&client, &addresses, request).await.unwrap_or_else(|error| {
                (StatusCode::BAD_GATEWAY, format!("<Error><Code>{error}</Code></Error>")).into_response()
            });
        }
    };
    match answer {
        Ok(answer) => answer.map(Body::new),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error).into_response(),
    }
}

/// Sends a request to one server after the other until one does not fail, as a load balancer that knows which of them work. The signature
/// holds: `Host` stays.
async fn pass_on(
    client: &Client<HttpConnector, Body>,
    addresses: &[String],
    request: Request,
) -> Result<Response, Box<dyn std::error::Error + Send + Sync>> {
    let (head, body) = request.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await?;
    let path = head.uri.path_and_query().map_or("/", |path| path.as_str());
    let mut answer = Err("no server accepts a connection".into());
    for address in addresses {
        let mut request = Request::new(Body::from(body.clone()));
        (*request.method_mut(), *request.headers_mut()) = (head.method.clone(), head.headers.clone());
        *request.uri_mut() = format!("http://{address}{path}").parse()?;
        match client.request(request).await {
            Ok(found) if !found.status().is_server_error() => return Ok(found.map(Body::new)),
            Ok(failed) => answer = Ok(failed.map(Body::new)),
            Err(_) => {}
        }
    }
    answer
}
