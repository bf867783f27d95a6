//! Bytes by key, in a folder or in an S3 bucket.

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use domain::Instant;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::client::HttpConnector;
use object_store::local::LocalFileSystem;
use object_store::path::Path as Key;
use object_store::prefix::PrefixStore;
use object_store::signer::{Method, SignedUrlOptions, Signer};
use object_store::{BackoffConfig, GetOptions, ObjectMeta, ObjectStore, ObjectStoreExt, RetryConfig, WriteMultipart};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_util::io::ReaderStream;

use crate::StoreError;
use crate::error::is_of_full_disk;

/// Bytes that are read on demand.
pub type ByteStream = BoxStream<'static, Result<Bytes, StoreError>>;

/// Bytes that are copied in one step between a file and the blobs.
const CHUNK_BYTES: usize = 256 * 1024;

/// Files up to this size are stored with one request; larger ones in several parts.
const MAX_SINGLE_REQUEST_BYTES: u64 = 5 * 1024 * 1024;
/// The most parts in which a file is stored.
const MAX_PARTS: u64 = 9_000;
/// How many times, and for how long, a failed request to the bucket is repeated.
const RETRIES: usize = 3;
const RETRY_TIMEOUT: Duration = Duration::from_secs(10);
/// Folder of the blobs that [`Blobs::check`] writes.
const CHECK_FOLDER: &str = "check";

/// A blob of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredBlob {
    pub key: String,
    /// Its size.
    pub bytes: u64,
    /// When it was written.
    pub written_at: Instant,
}

/// An S3 bucket and how to reach it.
#[derive(Clone)]
pub struct BucketSettings {
    /// The name of the bucket.
    pub bucket: String,
    /// The prefix of all keys; may be empty.
    pub prefix: String,
    /// `https://…` of the S3 server; none for AWS.
    pub endpoint: Option<String>,
    pub region: String,
    pub access_key_id: String,
    pub secret_access_key: String,
    /// Whether the bucket is in the path of the address (`endpoint/bucket`), not in its host (`bucket.endpoint`).
    pub path_style: bool,
}

impl fmt::Debug for BucketSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BucketSettings")
            .field("bucket", &self.bucket)
            .field("prefix", &self.prefix)
            .finish_non_exhaustive()
    }
}

/// Why blobs cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BlobsFault {
    /// The server has no such bucket.
    #[error("the server has no such bucket")]
    NoBucket,
    /// The server does not accept the access key, or the key may not read, write or delete.
    #[error("the server refuses the access key ({0})")]
    KeyRefused(String),
    /// The disk of the folder has no room left.
    #[error("no room is left on the disk")]
    Full,
    /// Anything else: no connection, a failure of the server, a folder that cannot be written.
    #[error("{0}")]
    Failed(String),
    /// What was read is not what was written.
    #[error("a test blob was read with other bytes than were written")]
    OtherBytes,
}

/// Where blobs are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlobsPlace {
    Folder,
    Bucket,
}

/// The store of the bytes of media and source files.
#[derive(Clone)]
pub struct Blobs {
    objects: Arc<dyn ObjectStore>,
    place: BlobsPlace,
    /// Set if visitors may read large files from the bucket itself.
    visitors: Option<Arc<VisitorAccess>>,
}

/// The signed addresses under which visitors read from the bucket.
struct VisitorAccess {
    /// Signs the addresses.
    signer: AmazonS3,
    /// The prefix of all keys; may be empty.
    prefix: String,
    /// Scheme, host and port of the addresses.
    origin: String,
}

impl fmt::Debug for Blobs {
    // Without the access key of the bucket.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Blobs({})", self.objects)
    }
}

impl Blobs {
    /// Blobs in a folder, made when missing.
    pub fn folder(folder: &Path) -> Result<Self, StoreError> {
        std::fs::create_dir_all(folder).map_err(|error| StoreError::Blob(Box::new(error)))?;
        let objects = Arc::new(LocalFileSystem::new_with_prefix(folder)?);
        Ok(Self { objects, place: BlobsPlace::Folder, visitors: None })
    }

    /// Blobs in an S3 bucket. Nothing is sent yet; `connector` opens the connections.
    pub fn bucket(settings: &BucketSettings, connector: impl HttpConnector) -> Result<Self, StoreError> {
        let bucket = client(settings, connector)?;
        if settings.prefix.is_empty() {
            return Ok(Self { objects: Arc::new(bucket), place: BlobsPlace::Bucket, visitors: None });
        }
        let below = PrefixStore::new(bucket, settings.prefix.as_str());
        Ok(Self { objects: Arc::new(below), place: BlobsPlace::Bucket, visitors: None })
    }

    /// The same; visitors may read blobs from the bucket itself, which they reach as `settings` say, under addresses that are
    /// signed for each of them ([`Self::signed`]). No connection is opened for it.
    pub fn signing(self, settings: &BucketSettings, connector: impl HttpConnector) -> Result<Self, StoreError> {
        let visitors = VisitorAccess {
            signer: client(settings, connector)?,
            prefix: settings.prefix.clone(),
            origin: origin_of(settings),
        };
        Ok(Self { visitors: Some(Arc::new(visitors)), ..self })
    }

    /// Scheme, host and port of the addresses that visitors get; none where the server sends all files itself.
    pub fn origin_for_visitors(&self) -> Option<&str> {
        self.visitors.as_deref().map(|visitors| visitors.origin.as_str())
    }

    /// A signed address under which the blob of a key can be read for `time` without an access key. The bucket's answer has this content
    /// type and this `Content-Disposition`. None if visitors cannot reach the bucket.
    pub async fn signed(
        &self,
        key: &str,
        (mime, disposition): (&str, &str),
        time: Duration,
    ) -> Result<Option<String>, StoreError> {
        let Some(visitors) = &self.visitors else { return Ok(None) };
        let key = match visitors.prefix.as_str() {
            "" => Key::from(key),
            prefix => Key::from(format!("{prefix}/{key}")),
        };
        let answer = [("response-content-type", mime), ("response-content-disposition", disposition)];
        let options = SignedUrlOptions::new().with_query(answer);
        let address = visitors.signer.signed_url_opts(Method::GET, &key, time, &options).await?;
        Ok(Some(address.into()))
    }

    /// Where they are kept.
    pub fn place(&self) -> BlobsPlace {
        self.place
    }

    /// Writes, reads and deletes a small blob. `name` is different each time, because other servers may check at the same time.
    pub async fn check(&self, name: &str) -> Result<(), BlobsFault> {
        let key = Key::from(format!("{CHECK_FOLDER}/{name}"));
        self.objects.put(&key, Bytes::from(name.to_owned()).into()).await.map_err(BlobsFault::from)?;
        let read = self.objects.get(&key).await.map_err(BlobsFault::from)?.bytes().await.map_err(BlobsFault::from)?;
        self.objects.delete(&key).await.map_err(BlobsFault::from)?;
        if read == name.as_bytes() { Ok(()) } else { Err(BlobsFault::OtherBytes) }
    }

    /// Checks that the folder or bucket exists and that the access key may list it.
    pub async fn reach(&self) -> Result<(), BlobsFault> {
        self.objects.list(None).next().await.transpose().map_err(BlobsFault::from)?;
        Ok(())
    }

    /// Stores bytes under a key, in place of those it had.
    pub async fn put(&self, key: &str, bytes: impl Into<Bytes>) -> Result<(), StoreError> {
        self.objects.put(&Key::from(key), bytes.into().into()).await?;
        Ok(())
    }

    /// The bytes under a key, if there are any.
    pub async fn get(&self, key: &str) -> Result<Option<Bytes>, StoreError> {
        match self.objects.get(&Key::from(key)).await {
            Ok(found) => Ok(Some(found.bytes().await?)),
            Err(error) => missing(error),
        }
    }

    /// Stores a file under a key. A large one goes chunk by chunk and is never in memory as a whole.
    pub async fn put_file(&self, key: &str, file: &Path) -> Result<(), StoreError> {
        let mut file = tokio::fs::File::open(file).await?;
        let size = file.metadata().await?.len();
        if size <= MAX_SINGLE_REQUEST_BYTES {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).await?;
            return self.put(key, bytes).await;
        }
        self.put_parts(key, size, ReaderStream::with_capacity(file, CHUNK_BYTES).map(|chunk| Ok(chunk?)).boxed()).await
    }

    /// Stores `size` bytes under a key, in parts. Where they cannot all be read or sent, nothing is stored.
    async fn put_parts(&self, key: &str, size: u64, mut bytes: ByteStream) -> Result<(), StoreError> {
        let upload = self.objects.put_multipart(&Key::from(key)).await?;
        let mut upload = WriteMultipart::new_with_chunk_size(upload, part_of(size));
        let sent = send_parts(&mut upload, &mut bytes).await;
        if let Err(error) = sent {
            let _ = upload.abort().await;
            return Err(error);
        }
        upload.finish().await?;
        Ok(())
    }

    /// Writes the bytes of a key into a file. False when the key has none.
    pub async fn get_file(&self, key: &str, file: &Path) -> Result<bool, StoreError> {
        let Some((_, mut bytes)) = self.stream(key, None).await? else { return Ok(false) };
        let mut file = tokio::fs::File::create(file).await?;
        while let Some(chunk) = bytes.next().await {
            file.write_all(&chunk?).await?;
        }
        file.flush().await?;
        Ok(true)
    }

    /// The bytes under a key, or a range of them, read on demand; and how many there are in all.
    pub async fn stream(&self, key: &str, range: Option<Range<u64>>) -> Result<Option<(u64, ByteStream)>, StoreError> {
        let options = GetOptions { range: range.map(Into::into), ..GetOptions::default() };
        match self.objects.get_opts(&Key::from(key), options).await {
            Ok(found) => {
                let total = found.meta.size;
                Ok(Some((total, found.into_stream().map(|chunk| Ok(chunk?)).boxed())))
            }
            Err(error) => missing(error),
        }
    }

    /// The size of a key's bytes, if there are any.
    pub async fn size(&self, key: &str) -> Result<Option<u64>, StoreError> {
        match self.objects.head(&Key::from(key)).await {
            Ok(found) => Ok(Some(found.size)),
            // The answer to HEAD has no body, which alone distinguishes a missing bucket from a missing key.
            Err(object_store::Error::NotFound { .. }) => Ok(self.stream(key, None).await?.map(|(size, _)| size)),
            Err(error) => Err(error.into()),
        }
    }

    /// The blobs of a folder, or all of them (`""`), in no order.
    pub fn list(&self, folder: &str) -> BoxStream<'static, Result<StoredBlob, StoreError>> {
        let folder = Some(Key::from(folder)).filter(|_| !folder.is_empty());
        let listed = self.objects.list(folder.as_ref());
        let blob = |entry: object_store::Result<ObjectMeta>| {
            let entry = entry?;
            let (key, written_at) = (entry.location.to_string(), Instant(entry.last_modified.timestamp()));
            Ok(StoredBlob { key, bytes: entry.size, written_at })
        };
        listed.map(blob).boxed()
    }

    /// Copies the blob of a key to another store. Returns false when this store has no such blob.
    pub async fn copy_to(&self, key: &str, to: &Self) -> Result<bool, StoreError> {
        let Some((size, mut bytes)) = self.stream(key, None).await? else { return Ok(false) };
        if size <= MAX_SINGLE_REQUEST_BYTES {
            let mut all = Vec::new();
            while let Some(chunk) = bytes.next().await {
                all.extend_from_slice(&chunk?);
            }
            to.put(key, all).await?;
            return Ok(true);
        }
        to.put_parts(key, size, bytes).await?;
        Ok(true)
    }

    /// Deletes the oldest blobs of some folders until the others have at most `max_bytes` bytes together.
    pub async fn evict(&self, folders: &[&str], max_bytes: u64) -> Result<(), StoreError> {
        let mut found = Vec::new();
        for folder in folders {
            let mut entries = self.objects.list(Some(&Key::from(*folder)));
            while let Some(entry) = entries.next().await {
                found.push(entry?);
            }
        }
        found.sort_by_key(|entry| std::cmp::Reverse(entry.last_modified));
        let mut kept = 0;
        for entry in found {
            kept += entry.size;
            if kept > max_bytes {
                // Another server may evict from the same folder at the same moment.
                match self.objects.delete(&entry.location).await {
                    Ok(()) | Err(object_store::Error::NotFound { .. }) => {}
                    Err(error) => return Err(error.into()),
                }
            }
        }
        Ok(())
    }

    /// Deletes the blob of a key. A missing key is not an error.
    pub async fn delete(&self, key: &str) -> Result<(), StoreError> {
        match self.objects.delete(&Key::from(key)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// The client of a bucket.
fn client(settings: &BucketSettings, connector: impl HttpConnector) -> Result<AmazonS3, StoreError> {
    let backoff = BackoffConfig { max_backoff: Duration::from_secs(2), ..BackoffConfig::default() };
    let mut builder = AmazonS3Builder::new()
        .with_bucket_name(&settings.bucket)
        .with_region(&settings.region)
        .with_access_key_id(&settings.access_key_id)
        .with_secret_access_key(&settings.secret_access_key)
        .with_virtual_hosted_style_request(!settings.path_style)
        // Not every S3 server has the request that deletes several objects.
        .with_disable_bulk_delete(true)
        .with_retry(RetryConfig { backoff, max_retries: RETRIES, retry_timeout: RETRY_TIMEOUT })
        .with_http_connector(connector);
    if let Some(endpoint) = &settings.endpoint {
        let endpoint = endpoint.trim_end_matches('/');
        // Without path style object_store takes the address of the bucket here.
        let endpoint = match endpoint.split_once("://") {
            Some((scheme, host)) if !settings.path_style => format!("{scheme}://{}.{host}", settings.bucket),
            _ => endpoint.to_owned(),
        };
        builder = builder.with_allow_http(endpoint.starts_with("http://")).with_endpoint(endpoint);
    }
    Ok(builder.build()?)
}

/// Scheme, host and port of the addresses in a bucket.
fn origin_of(settings: &BucketSettings) -> String {
    let aws = format!("https://s3.{}.amazonaws.com", settings.region);
    let endpoint = settings.endpoint.as_deref().unwrap_or(&aws).trim_end_matches('/');
    let (scheme, rest) = endpoint.split_once("://").unwrap_or(("https", endpoint));
    let host = rest.split('/').next().unwrap_or_default();
    if settings.path_style { format!("{scheme}://{host}") } else { format!("{scheme}://{}.{host}", settings.bucket) }
}

/// The size of the parts of a file, in bytes: S3 accepts at most 10,000 parts.
fn part_of(size: u64) -> usize {
    usize::try_from(size.div_ceil(MAX_PARTS).max(MAX_SINGLE_REQUEST_BYTES)).unwrap_or(usize::MAX)
}

async fn send_parts(upload: &mut WriteMultipart, bytes: &mut ByteStream) -> Result<(), StoreError> {
    while let Some(chunk) = bytes.next().await {
        // A slow bucket slows the reading down instead of filling the memory.
        upload.wait_for_capacity(2).await?;
        upload.put(chunk?);
    }
    Ok(())
}

/// Nothing where the key has no blob; any other error unchanged, that of a missing bucket included.
fn missing<T>(error: object_store::Error) -> Result<Option<T>, StoreError> {
    match error {
        object_store::Error::NotFound { .. } if !says(&error, NO_BUCKET) => Ok(None),
        error => Err(error.into()),
    }
}

/// The codes of S3 for a missing bucket and for access keys that are not accepted.
const NO_BUCKET: &str = "NoSuchBucket";
const KEY_CODES: [&str; 3] = ["InvalidAccessKeyId", "SignatureDoesNotMatch", "AccessDenied"];

/// Whether the answer of the bucket has this code: object_store keeps the code only in the text.
fn says(error: &object_store::Error, code: &str) -> bool {
    error.to_string().contains(code)
}

impl From<object_store::Error> for BlobsFault {
    fn from(error: object_store::Error) -> Self {
        use object_store::Error::{NotFound, PermissionDenied, Unauthenticated};
        if is_of_full_disk(&error) {
            return Self::Full;
        }
        if let Some(code) = KEY_CODES.iter().find(|code| says(&error, code)) {
            return Self::KeyRefused((*code).to_owned());
        }
        // A list that the bucket refuses is a Generic error in object_store.
        if says(&error, NO_BUCKET) {
            return Self::NoBucket;
        }
        match error {
            NotFound { .. } => Self::NoBucket,
            PermissionDenied { .. } | Unauthenticated { .. } => Self::KeyRefused("403".to_owned()),
            error => Self::Failed(error.to_string()),
        }
    }
}

impl From<object_store::Error> for StoreError {
    fn from(error: object_store::Error) -> Self {
        use object_store::Error::{Generic, NotFound, PermissionDenied, Unauthenticated};
        match error {
            error if is_of_full_disk(&error) => Self::Full(Box::new(error)),
            Generic { store: "S3", .. } | NotFound { .. } | PermissionDenied { .. } | Unauthenticated { .. } => {
                Self::BlobsUnavailable(Box::new(error))
            }
            error => Self::Blob(Box::new(error)),
        }
    }
}

impl From<std::io::Error> for StoreError {
    fn from(error: std::io::Error) -> Self {
        if is_of_full_disk(&error) { Self::Full(Box::new(error)) } else { Self::Blob(Box::new(error)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_any_size_is_stored_in_as_many_parts_as_s3_takes() {
        assert_eq!(part_of(MAX_SINGLE_REQUEST_BYTES + 1), 5 * 1024 * 1024);
        for gigabytes in [1, 50, 300, 5_000] {
            let size = gigabytes * 1024 * 1024 * 1024_u64;
            assert!(size.div_ceil(part_of(size) as u64) <= MAX_PARTS);
        }
    }
}
