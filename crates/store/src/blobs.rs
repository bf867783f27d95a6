//! Bytes by key: a folder by default; an S3 bucket where the build has the `s3` feature.

use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use object_store::local::LocalFileSystem;
use object_store::path::Path as Key;
use object_store::{ObjectStore, ObjectStoreExt};

use crate::StoreError;

/// Where the bytes of media and source files stand.
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
