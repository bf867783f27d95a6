//! A file that is whole becomes a media, or is refused.

use domain::{Actor, MediaId};
use store::upload::{self as rows, Upload};

use super::{UploadError, folder};
use crate::App;
use crate::media::intake;
use crate::problem::AsProblem;

/// Makes a media of a complete file, once, and stores the outcome. Its bytes leave the folder.
pub(super) async fn finish(app: &App, actor: &Actor, upload: &Upload) -> Result<MediaId, UploadError> {
    let path = folder::path(app, upload);
    let made = intake::make(app, actor, upload.white_label_id, &path, &upload.file_name, upload.purpose).await;
    let became = match &made {
        Ok(id) => Ok(MediaId(*id)),
        Err(error) => {
            let problem = error.problem();
            // A failure of the server is not the file's: the upload stays, and the next request for it tries again.
            if problem.is_ours() {
                return Err(made.err().map_or(UploadError::NotFound, Into::into));
            }
            Err(serde_json::to_string(&problem).unwrap_or_default())
        }
    };
    let tx = app.store.begin().await?;
    rows::end(&tx, &upload.token, became).await?;
    tx.commit().await?;
    let _ = tokio::fs::remove_file(&path).await;
    Ok(MediaId(made?))
}
