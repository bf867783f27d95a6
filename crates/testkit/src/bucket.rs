//! An S3 server in this process, with one bucket in a folder.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering};

use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use connect::BucketConnector;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s_fs::FileSystem;
use store::{Blobs, BucketSettings, Store};
use tokio::net::TcpListener;
use tower::ServiceExt;

use crate::Fixture;
use crate::app::TestApp;
use crate::scratch::Scratch;

/// The one bucket of the server.
pub const NAME: &str = "jalon";
/// Its access key.
pub const KEY: &str = "GK0123456789";
/// The secret of the access key.
pub const SECRET: &str = "a secret of the tests";

/// An S3 server with one bucket. Its data are in a folder of the test.
#[derive(Debug)]
pub struct Bucket {
    address: SocketAddr,
    folder: PathBuf,
    state: Arc<State>,
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
        let router = router(&root, Arc::clone(&state));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, folder: root.join(NAME), state }
    }

    /// How to reach it.
    pub fn settings(&self) -> BucketSettings {
        BucketSettings {
            bucket: NAME.to_owned(),
            prefix: "test".to_owned(),
            endpoint: Some(format!("http://{}", self.address)),
            region: "us-east-1".to_owned(),
            access_key_id: KEY.to_owned(),
            secret_access_key: SECRET.to_owned(),
            path_style: true,
        }
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
    pub fn keys(&self, below: &str) -> Vec<String> {
        let prefix = self.folder();
        let mut found = Vec::new();
        collect(&prefix.join(below), &prefix, &mut found);
        found.sort();
        found
    }
}

/// Serves the bucket in a folder until the process ends: for a process of its own, which can be killed.
///
/// # Panics
/// When the folder cannot be written.
pub async fn serve(listener: TcpListener, folder: &Path) -> std::io::Result<()> {
    axum::serve(listener, router(folder, Arc::default())).await
}

fn router(root: &Path, state: Arc<State>) -> axum::Router {
    std::fs::create_dir_all(root.join(NAME)).expect("the folder can be written");
    let mut builder = S3ServiceBuilder::new(FileSystem::new(root).expect("the folder is there"));
    builder.set_auth(SimpleAuth::from_single(KEY, SECRET));
    let service = builder.build();
    axum::Router::new().fallback_service(tower::service_fn(move |request: Request| {
        let (service, state) = (service.clone(), Arc::clone(&state));
        async move { Ok::<_, Infallible>(answer(service, &state, request).await) }
    }))
}

fn collect(folder: &Path, prefix: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, prefix, found);
        } else if let Ok(key) = path.strip_prefix(prefix) {
            found.push(key.to_string_lossy().into_owned());
        }
    }
}

async fn answer(service: S3Service, state: &State, request: Request) -> Response {
    state.requests.fetch_add(1, Ordering::Relaxed);
    if let Ok(status) = StatusCode::from_u16(state.failing.load(Ordering::Relaxed)) {
        return (status, "<Error><Code>Planned</Code></Error>").into_response();
    }
    // s3s-fs makes a folder for whatever bucket is written to.
    if request.uri().path().split('/').nth(1) != Some(NAME) {
        return (StatusCode::NOT_FOUND, "<Error><Code>NoSuchBucket</Code></Error>").into_response();
    }
    match service.oneshot(request).await {
        Ok(answer) => answer.map(Body::new),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error:?}")).into_response(),
    }
}

/// The application of a test with its blobs in a bucket.
#[derive(Debug, Clone)]
pub struct BucketApp {
    /// The application.
    pub app: TestApp,
    /// The bucket of its blobs.
    pub bucket: Arc<Bucket>,
}

impl Fixture for BucketApp {
    async fn over(store: Store, scratch: Arc<Scratch>) -> Self {
        let bucket = Arc::new(Bucket::start(&scratch).await);
        let app = TestApp::over(store, scratch).await.changed(|parts| parts.blobs = bucket.blobs());
        Self { app, bucket }
    }
}
