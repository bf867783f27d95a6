//! Where the blobs are: the part `[blobs]` of the configuration.

use serde::{Deserialize, Serialize};
use store::BucketSettings;

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
    /// The bucket, or none where the blobs are in the folder; an error says in one sentence what to write.
    pub fn bucket(&self) -> Result<Option<BucketSettings>, String> {
        if self.url.is_empty() {
            return Ok(None);
        }
        let Some((bucket, prefix)) =
            self.url.strip_prefix("s3://").map(|rest| rest.split_once('/').unwrap_or((rest, "")))
        else {
            return Err(
                "blobs.url must be s3://bucket or s3://bucket/prefix; leave it empty for the folder in the data folder"
                    .into(),
            );
        };
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '.' || c == '-' || c == '_';
        if bucket.is_empty() || !bucket.chars().all(is_name) {
            return Err(format!(
                "blobs.url: `{bucket}` is no name of a bucket (lower-case letters, digits, dots and hyphens)"
            ));
        }
        if !(self.endpoint.is_empty() || self.endpoint.starts_with("https://") || self.endpoint.starts_with("http://"))
        {
            return Err("blobs.endpoint must start with https:// or http://".into());
        }
        if self.access_key_id.is_empty() || self.secret_access_key.is_empty() {
            return Err("blobs.url names a bucket: set blobs.access_key_id and blobs.secret_access_key too".into());
        }
        if self.region.is_empty() {
            return Err("blobs.region must not be empty; most servers other than AWS take us-east-1".into());
        }
        Ok(Some(BucketSettings {
            bucket: bucket.to_owned(),
            prefix: prefix.trim_matches('/').to_owned(),
            endpoint: Some(self.endpoint.clone()).filter(|endpoint| !endpoint.is_empty()),
            region: self.region.clone(),
            access_key_id: self.access_key_id.clone(),
            secret_access_key: self.secret_access_key.clone(),
            path_style: self.path_style,
        }))
    }
}
