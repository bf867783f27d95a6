//! The application of a test with its blobs in a bucket.

use std::sync::Arc;

use store::Store;
use teststore::{Bucket, Fixture, Scratch};

use crate::app::TestApp;

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
