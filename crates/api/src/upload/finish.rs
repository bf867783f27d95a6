//! A file that is whole becomes a media, or is refused.

use domain::{Actor, MediaId};
use store::upload::{self as rows, Upload};

use super::{UploadError, pieces};
use crate::App;
use crate::media::intake;
use crate::problem::{AsProblem, Internal};

/// How long a server has to make the media before another may.
const CLAIM_S: i64 = 600;

/// Makes a media of a complete file, once, and stores the outcome. Its pieces are deleted. `Locked` while another request makes it.
pub(super) async fn finish(app: &App, actor: &Actor, upload: &Upload) -> Result<MediaId, UploadError> {
    let tx = app.store.begin().await?;
    let claimed = rows::claim(&tx, &upload.token, app.now(), app.now().plus_s(CLAIM_S)).await?;
    tx.commit().await?;
    if !claimed {
        return Err(UploadError::Locked);
    }
    // A task of its own: it goes on when the client closes the connection.
    let (app, actor, upload) = (app.clone(), actor.clone(), upload.clone());
    tokio::spawn(async move { make(&app, &actor, &upload).await }).await.map_err(Internal::new)?
}

async fn make(app: &App, actor: &Actor, upload: &Upload) -> Result<MediaId, UploadError> {
    let made = media(app, actor, upload).await;
    let became = match &made {
        Ok(id) => Ok(*id),
        Err(error) => {
            let problem = error.problem();
            // A failure of the server is not the file's: the upload stays, and the next request for it tries again.
            if problem.is_ours() {
                let tx = app.store.begin().await?;
                rows::release(&tx, &upload.token).await?;
                tx.commit().await?;
                return made;
            }
            Err(serde_json::to_string(&problem).unwrap_or_default())
        }
    };
    let tx = app.store.begin().await?;
    rows::end(&tx, &upload.token, became).await?;
    tx.commit().await?;
    if let Err(error) = pieces::delete(app, &upload.token).await {
        tracing::warn!(%error, "the pieces of an upload are deleted later");
    }
    made
}

async fn media(app: &App, actor: &Actor, upload: &Upload) -> Result<MediaId, UploadError> {
    let file = pieces::assemble(app, upload).await?;
    let made = intake::make(app, actor, upload.white_label_id, &file.0, &upload.file_name, upload.purpose).await?;
    Ok(MediaId(made))
}
