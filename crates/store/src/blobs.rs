//! Bytes by key: a folder by default; an S3 bucket where the build has the `s3` feature.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use object_store::local::LocalFileSystem;
use object_store::path::Path as Key;
use object_store::{GetOptions, ObjectStore, ObjectStoreExt, WriteMultipart};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::StoreError;

/// Bytes that are read on demand.
pub type ByteStream = BoxStream<'static, Result<Bytes, StoreError>>;

/// Bytes copied at once between a file and the blobs.
const PIECE: usize = 256 * 1024;

/// The store of the bytes of media and source files.
#[derive(Debug, Clone)]
pub struct Blobs(Arc<dyn ObjectStore>);

impl Blobs {
    /// Blobs in a folder, made when missing.
    pub fn folder(folder: &Path) -> Result<Self, StoreError> {
        std::fs::create_dir_all(folder).map_err(|error| StoreError::Blob(Box::new(error)))?;
        Ok(Self(Arc::new(LocalFileSystem::new_with_prefix(folder)?)))
    }

    /// Blobs in an S3 bucket; the credentials come from the options given.
    #[cfg(feature = "s3")]
    pub fn bucket(
        options: impl IntoIterator<Item = (object_store::aws::AmazonS3ConfigKey, String)>,
    ) -> Result<Self, StoreError> {
        let builder = options
            .into_iter()
            .fold(object_store::aws::AmazonS3Builder::new(), |builder, (key, value)| builder.with_config(key, value));
        Ok(Self(Arc::new(builder.build()?)))
    }

    /// Keeps bytes under a key, instead of those that were there.
    pub async fn put(&self, key: &str, bytes: impl Into<Bytes>) -> Result<(), StoreError> {
        self.0.put(&Key::from(key), bytes.into().into()).await?;
        Ok(())
    }

    /// The bytes under a key, if there are any.
    pub async fn get(&self, key: &str) -> Result<Option<Bytes>, StoreError> {
        match self.0.get(&Key::from(key)).await {
            Ok(found) => Ok(Some(found.bytes().await?)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Stores a file under a key. A large one goes piece by piece and is never in memory as a whole.
    pub async fn put_file(&self, key: &str, file: &Path) -> Result<(), StoreError> {
        let mut file = tokio::fs::File::open(file).await?;
        let mut upload = WriteMultipart::new(self.0.put_multipart(&Key::from(key)).await?);
        let mut piece = vec![0; PIECE];
        loop {
            let read = file.read(&mut piece).await?;
            if read == 0 {
                break;
            }
            // A slow bucket slows the reading down instead of filling the memory.
            upload.wait_for_capacity(2).await?;
            upload.write(&piece[..read]);
        }
        upload.finish().await?;
        Ok(())
    }

    /// Writes the bytes of a key into a file. False when the key has none.
    pub async fn get_file(&self, key: &str, file: &Path) -> Result<bool, StoreError> {
        let Some((_, mut bytes)) = self.stream(key, None).await? else { return Ok(false) };
        let mut file = tokio::fs::File::create(file).await?;
        while let Some(piece) = bytes.next().await {
            file.write_all(&piece?).await?;
        }
        file.flush().await?;
        Ok(true)
    }

    /// The bytes under a key, or a range of them, read on demand; and how many there are in all.
    pub async fn stream(&self, key: &str, range: Option<Range<u64>>) -> Result<Option<(u64, ByteStream)>, StoreError> {
        let options = GetOptions { range: range.map(Into::into), ..GetOptions::default() };
        match self.0.get_opts(&Key::from(key), options).await {
            Ok(found) => {
                let total = found.meta.size;
                Ok(Some((total, found.into_stream().map(|piece| Ok(piece?)).boxed())))
            }
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The size of a key's bytes, if there are any.
    pub async fn size(&self, key: &str) -> Result<Option<u64>, StoreError> {
        match self.0.head(&Key::from(key)).await {
            Ok(found) => Ok(Some(found.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Deletes the oldest blobs of some folders until all that are left have at most so many bytes together.
    pub async fn evict(&self, folders: &[&str], most: u64) -> Result<(), StoreError> {
        let mut found = Vec::new();
        for folder in folders {
            let mut entries = self.0.list(Some(&Key::from(*folder)));
            while let Some(entry) = entries.next().await {
                found.push(entry?);
            }
        }
        found.sort_by_key(|entry| std::cmp::Reverse(entry.last_modified));
        let mut kept = 0;
        for entry in found {
            kept += entry.size;
            if kept > most {
                // Another server may evict from the same folder at the same moment.
                match self.0.delete(&entry.location).await {
                    Ok(()) | Err(object_store::Error::NotFound { .. }) => {}
                    Err(error) => return Err(error.into()),
                }
            }
        }
        Ok(())
    }

    /// Forgets a key; one that is not there is forgotten already.
    pub async fn delete(&self, key: &str) -> Result<(), StoreError> {
        match self.0.delete(&Key::from(key)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

impl From<object_store::Error> for StoreError {
    fn from(error: object_store::Error) -> Self {
        Self::Blob(Box::new(error))
    }
}

impl From<std::io::Error> for StoreError {
    fn from(error: std::io::Error) -> Self {
        Self::Blob(Box::new(error))
    }
}
