//! Where backups are, and the programs that encrypt them: the part `[backup]` of the configuration.

use serde::{Deserialize, Serialize};

use super::blobs::BlobsConfig;
use crate::bucket_access::{BucketAccess, SCHEME};

/// Where backups are, how many are kept, and the programs that encrypt and decrypt them.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BackupConfig {
    /// A folder, `s3://bucket` or `s3://bucket/prefix`; empty = only what `--to` says.
    pub to: String,
    /// How many backups stay at `to`; 0 = all.
    pub keep: u16,
    /// `https://…` of the S3 server; empty = AWS. Without an access key here the server and the key are those of `[blobs]`.
    pub endpoint: String,
    /// The region of the bucket.
    pub region: String,
    /// The access key.
    pub access_key_id: String,
    /// Its secret.
    pub secret_access_key: String,
    /// Whether the bucket is in the path of the addresses (`endpoint/bucket`), not in their host (`bucket.endpoint`).
    pub path_style: bool,
    /// A program and its arguments, such as `["age", "-r", "age1…"]`; empty = backups are not encrypted.
    pub encrypt: Vec<String>,
    /// The same to read them, such as `["age", "-d", "-i", "key.txt"]`.
    pub decrypt: Vec<String>,
}

impl Default for BackupConfig {
    fn default() -> Self {
        Self {
            to: String::new(),
            keep: 0,
            endpoint: String::new(),
            region: "us-east-1".into(),
            access_key_id: String::new(),
            secret_access_key: String::new(),
            path_style: true,
            encrypt: Vec::new(),
            decrypt: Vec::new(),
        }
    }
}

impl std::fmt::Debug for BackupConfig {
    // Without the access key.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BackupConfig").field("to", &self.to).field("endpoint", &self.endpoint).finish_non_exhaustive()
    }
}

impl BackupConfig {
    /// The error in what is set, as a sentence.
    pub fn check(&self) -> Result<(), String> {
        check_place("backup.to", &self.to)
    }

    /// How the S3 server of the backups is reached: with an access key of its own, else as that of the blobs. An error says in one
    /// sentence what to write.
    pub fn access<'a>(&'a self, blobs: &'a BlobsConfig) -> Result<BucketAccess<'a>, String> {
        if !self.access_key_id.is_empty() || !self.secret_access_key.is_empty() {
            return Ok(BucketAccess {
                part: "backup",
                endpoint: &self.endpoint,
                region: &self.region,
                access_key_id: &self.access_key_id,
                secret_access_key: &self.secret_access_key,
                path_style: self.path_style,
            });
        }
        if !self.endpoint.is_empty() {
            return Err(
                "backup.endpoint names an S3 server: set backup.access_key_id and backup.secret_access_key too".into(),
            );
        }
        if blobs.access_key_id.is_empty() {
            return Err(
                "backups go to a bucket: set backup.access_key_id and backup.secret_access_key, and backup.endpoint \
                        where it is not that of AWS"
                    .into(),
            );
        }
        Ok(blobs.access())
    }
}

/// Whether a text names a place for backups: a folder, or a bucket. An address of another kind would be the name of a folder here.
pub fn check_place(setting: &str, text: &str) -> Result<(), String> {
    if text.contains("://") && !text.starts_with(SCHEME) {
        return Err(format!("{setting} must be a folder or s3://bucket/prefix"));
    }
    Ok(())
}
