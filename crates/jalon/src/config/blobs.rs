//! Where the blobs are: the part `[blobs]` of the configuration.

use serde::{Deserialize, Serialize};
use store::BucketSettings;

use crate::bucket_access::{BucketAccess, SCHEME};

/// Who sends large public files (sounds, films, documents) to visitors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PublicFiles {
    /// The server, with ranges.
    #[default]
    Stream,
    /// The bucket: the server redirects to an address that is signed for half an hour.
    Redirect,
}

/// Where the bytes of media, source files and roadbooks are stored.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BlobsConfig {
    /// `s3://bucket` or `s3://bucket/prefix`; empty = the folder `<data>/blobs`.
    pub url: String,
    /// `https://…` of the S3 server; empty = AWS.
    pub endpoint: String,
    /// The region of the bucket.
    pub region: String,
    /// The access key.
    pub access_key_id: String,
    /// Its secret.
    pub secret_access_key: String,
    /// Whether the bucket is in the path of the addresses (`endpoint/bucket`), not in their host (`bucket.endpoint`).
    pub path_style: bool,
    /// Whether all servers of one PostgreSQL database see the same folder `<data>/blobs`.
    pub shared: bool,
    /// Who sends large public files to visitors.
    pub public_files: PublicFiles,
    /// The address of the S3 server as visitors reach it; empty = `endpoint`. Only where `public_files` is `redirect`.
    pub public_endpoint: String,
}

impl Default for BlobsConfig {
    fn default() -> Self {
        Self {
            url: String::new(),
            endpoint: String::new(),
            region: "us-east-1".into(),
            access_key_id: String::new(),
            secret_access_key: String::new(),
            path_style: true,
            shared: false,
            public_files: PublicFiles::Stream,
            public_endpoint: String::new(),
        }
    }
}

impl std::fmt::Debug for BlobsConfig {
    // Without the access key.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BlobsConfig").field("url", &self.url).field("endpoint", &self.endpoint).finish_non_exhaustive()
    }
}

impl BlobsConfig {
    /// How the S3 server is reached.
    pub fn access(&self) -> BucketAccess<'_> {
        BucketAccess {
            part: "blobs",
            endpoint: &self.endpoint,
            region: &self.region,
            access_key_id: &self.access_key_id,
            secret_access_key: &self.secret_access_key,
            path_style: self.path_style,
        }
    }

    /// The bucket, or none where the blobs are in the folder; an error says in one sentence what to write.
    pub fn bucket(&self) -> Result<Option<BucketSettings>, String> {
        if self.url.is_empty() {
            return Ok(None);
        }
        if !self.url.starts_with(SCHEME) {
            return Err(
                "blobs.url must be s3://bucket or s3://bucket/prefix; leave it empty for the folder in the data folder"
                    .into(),
            );
        }
        self.access().bucket("blobs.url", &self.url).map(Some)
    }

    /// The bucket as visitors reach it; none where the server sends all files itself. An error says in one sentence what to write.
    pub fn bucket_of_visitors(&self, public_url: &str) -> Result<Option<BucketSettings>, String> {
        if self.public_files == PublicFiles::Stream {
            return Ok(None);
        }
        let Some(bucket) = self.bucket()? else {
            return Err(
                "blobs.public_files = \"redirect\" needs a bucket: set blobs.url, or leave public_files at \"stream\" \
                        and the server sends the files of the folder"
                    .into(),
            );
        };
        let endpoint = if self.public_endpoint.is_empty() { &self.endpoint } else { &self.public_endpoint };
        if !(endpoint.is_empty() || endpoint.starts_with("https://") || endpoint.starts_with("http://")) {
            return Err("blobs.public_endpoint must start with https:// or http://".into());
        }
        if public_url.starts_with("https://") && endpoint.starts_with("http://") {
            return Err(format!(
                "blobs.public_files = \"redirect\" would send visitors of {public_url} to {endpoint}, which browsers refuse \
                 from a page with https: set blobs.public_endpoint to an address of the S3 server with https://"
            ));
        }
        Ok(Some(BucketSettings { endpoint: Some(endpoint.clone()).filter(|endpoint| !endpoint.is_empty()), ..bucket }))
    }
}
