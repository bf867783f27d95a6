//! A file that is whole becomes a media, or is refused.

use std::time::Duration;

use app::App;
use app::problem::{AsProblem, Internal};
use domain::{Actor, MediaId};
use store::upload::{self as rows, Upload};

use super::{UploadError, pieces};
use crate::media::intake;

/// How long a server that makes the media has the claim, unless it prolongs it: after a death another server waits for so long.
const CLAIM_S: i64 = 60;
/// How often it is prolonged.
const PROLONGED_EVERY: Duration = Duration::from_secs(15);

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
    let made = tokio::select! {
        made = media(app, actor, upload) => made,
        never = prolonged(app, &upload.token) => match never {},
    };
    if let Err(error) = &made {
        // Another server made it meanwhile: the outcome is there.
        if matches!(error, UploadError::Locked) {
            return made;
        }
        let problem = error.problem();
        let tx = app.store.begin().await?;
        // A failure of the server is not the file's: the upload stays, and the next request for it tries again.
        if problem.is_ours() {
            rows::release(&tx, &upload.token).await?;
            tx.commit().await?;
            return made;
        }
        if rows::end(&tx, &upload.token, Err(serde_json::to_string(&problem).unwrap_or_default())).await? {
            tx.commit().await?;
        }
    }
    if let Err(error) = pieces::delete(app, &upload.token).await {
        tracing::warn!(%error, "the pieces of an upload are deleted later");
    }
    made
}

/// Prolongs the claim until it is dropped.
async fn prolonged(app: &App, token: &str) -> std::convert::Infallible {
    loop {
        tokio::time::sleep(PROLONGED_EVERY).await;
        let prolong = async {
            let tx = app.store.begin().await?;
            rows::prolong_claim(&tx, token, app.now().plus_s(CLAIM_S)).await?;
            tx.commit().await
        };
        if let Err(error) = prolong.await {
            tracing::warn!(%error, "the claim of an upload could not be prolonged");
        }
    }
}

/// The media and the end of the upload are one transaction: killed at any moment, or with two servers at it, a file becomes one media.
async fn media(app: &App, actor: &Actor, upload: &Upload) -> Result<MediaId, UploadError> {
    let file = pieces::assemble(app, upload).await?;
    let Upload { white_label_id, file_name, purpose, token, .. } = upload;
    let prepared = intake::prepare(app, actor, *white_label_id, &file.0, file_name, *purpose).await?;
    let keys = [Some(prepared.sheet.file.blob_key.clone()), prepared.sheet.file.shown_key.clone()];
    let tx = app.store.begin().await?;
    let id = MediaId(intake::insert(app, &tx, actor, prepared).await?);
    if rows::end(&tx, token, Ok(id)).await? {
        tx.commit().await?;
        return Ok(id);
    }
    drop(tx);
    for key in keys.iter().flatten() {
        app.blobs.delete(key).await?;
    }
    Err(UploadError::Locked)
}
