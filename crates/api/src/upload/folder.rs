//! The folder of files on their way: one file each, named by its token. Its length is how far it is.

use std::path::PathBuf;

use store::upload::Upload;

use super::UploadError;
use crate::App;
use crate::media::work::MediaProcessing;
use crate::problem::Internal;

/// Where the bytes of an upload are. Tokens are generated letters and digits: none leads out of the folder.
pub(super) fn path(app: &App, upload: &Upload) -> PathBuf {
    app.uploads.join(&upload.token)
}

/// How many bytes came.
pub(super) async fn offset(app: &App, upload: &Upload) -> Result<u64, UploadError> {
    match tokio::fs::metadata(path(app, upload)).await {
        Ok(found) => Ok(found.len()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(0),
        Err(error) => Err(Internal::new(error).into()),
    }
}

/// The right to write a file: one request at a time has it.
pub(super) struct Writing<'a> {
    app: &'a App,
    token: &'a str,
}

impl<'a> Writing<'a> {
    /// Takes the lock, or fails when another request has it.
    pub(super) fn take(app: &'a App, token: &'a str) -> Result<Self, UploadError> {
        let processing = app.shared::<MediaProcessing>();
        let mut writing = processing.writing.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if writing.insert(token.to_owned()) { Ok(Self { app, token }) } else { Err(UploadError::Locked) }
    }
}

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        let processing = self.app.shared::<MediaProcessing>();
        processing.writing.lock().unwrap_or_else(std::sync::PoisonError::into_inner).remove(self.token);
    }
}
