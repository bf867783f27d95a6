//! How an S3 server is reached: what the parts `[blobs]` and `[backup]` of the configuration have in common.

use store::{BlobsFault, BucketSettings};

/// What the address of a place in a bucket starts with.
pub const SCHEME: &str = "s3://";

/// The settings of an S3 server, and the part of the configuration that has them.
pub struct BucketAccess<'a> {
    /// `blobs` or `backup`.
    pub part: &'static str,
    /// `https://…`; empty = AWS.
    pub endpoint: &'a str,
    /// The region of the bucket.
    pub region: &'a str,
    /// The access key.
    pub access_key_id: &'a str,
    /// Its secret.
    pub secret_access_key: &'a str,
    /// Whether the bucket is in the path of the addresses (`endpoint/bucket`), not in their host (`bucket.endpoint`).
    pub path_style: bool,
}

impl BucketAccess<'_> {
    /// The bucket at `s3://bucket/prefix`; an error says in one sentence what to write. `setting` names what has the address.
    pub fn bucket(&self, setting: &str, url: &str) -> Result<BucketSettings, String> {
        let Some((bucket, prefix)) = url.strip_prefix(SCHEME).map(|rest| rest.split_once('/').unwrap_or((rest, "")))
        else {
            return Err(format!("{setting} must be s3://bucket or s3://bucket/prefix"));
        };
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '.' || c == '-' || c == '_';
        if bucket.is_empty() || !bucket.chars().all(is_name) {
            return Err(format!(
                "{setting}: `{bucket}` is not a valid name of a bucket (lower-case letters, digits, dots and hyphens)"
            ));
        }
        let part = self.part;
        if !(self.endpoint.is_empty() || self.endpoint.starts_with("https://") || self.endpoint.starts_with("http://"))
        {
            return Err(format!("{part}.endpoint must start with https:// or http://"));
        }
        if self.access_key_id.is_empty() || self.secret_access_key.is_empty() {
            return Err(format!("{setting} names a bucket: set {part}.access_key_id and {part}.secret_access_key too"));
        }
        if self.region.is_empty() {
            return Err(format!("{part}.region must not be empty; most servers other than AWS take us-east-1"));
        }
        Ok(BucketSettings {
            bucket: bucket.to_owned(),
            prefix: prefix.trim_matches('/').to_owned(),
            endpoint: Some(self.endpoint.to_owned()).filter(|endpoint| !endpoint.is_empty()),
            region: self.region.to_owned(),
            access_key_id: self.access_key_id.to_owned(),
            secret_access_key: self.secret_access_key.to_owned(),
            path_style: self.path_style,
        })
    }

    /// The place with the server, without the access key.
    pub fn shown(&self, url: &str) -> String {
        match self.endpoint {
            "" => format!("{url} ({})", self.region),
            endpoint => format!("{url} at {endpoint}"),
        }
    }

    /// What to do where the bucket cannot be used. `setting` names what has the address, `rights` what the key must be allowed.
    pub fn advice(&self, setting: &str, rights: &str, fault: &BlobsFault) -> String {
        let part = self.part;
        match fault {
            BlobsFault::NoBucket => format!("Make the bucket, or correct {setting}."),
            BlobsFault::KeyRefused(_) => format!(
                "Correct {part}.access_key_id and {part}.secret_access_key, or let this key {rights} in the bucket."
            ),
            BlobsFault::Failed(_) | BlobsFault::Full | BlobsFault::OtherBytes => {
                format!("Check {part}.endpoint and {part}.region, and that the S3 server runs.")
            }
        }
    }
}
