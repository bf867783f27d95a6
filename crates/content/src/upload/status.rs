//! Shows how many bytes of an upload arrived, and cancels it.

use app::App;
use app::extract::{Editor, Path};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use domain::{Actor, MediaId};
use serde::Serialize;
use serde_json::Value;
use store::upload::{self as rows, Upload};
use utoipa::ToSchema;

use super::pieces::{self, Writing};
use super::{UploadError, answer, finish, http_date, spoken};

/// How far a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UploadState {
    /// Bytes are missing.
    Receiving,
    /// It is whole, and looked at.
    Processing,
    /// It became a media.
    Done,
    /// It did not.
    Refused,
}

/// A file on its way.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Upload)]
pub struct UploadView {
    state: UploadState,
    /// How many bytes came.
    offset: u64,
    /// How many it has.
    bytes: u64,
    file_name: String,
    /// What it became.
    media_id: Option<MediaId>,
    /// Why it became nothing.
    #[schema(value_type = Option<app::problem::Problem>)]
    problem: Option<Value>,
}

/// How much of a file has arrived, as in the protocol.
#[utoipa::path(head, path = "/api/v1/uploads/{token}", tag = "uploads", params(("token" = String, Path), ("Tus-Resumable" = String, Header)),
    security(("session" = ["content.write"])), responses((status = 200, description = "`Upload-Offset`, `Upload-Length`, `Upload-Expires`"), UploadError))]
pub async fn head_upload(
    State(app): State<App>,
    editor: Editor,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Result<Response, UploadError> {
    spoken(&headers)?;
    let upload = found(&app, &editor, &token).await?;
    let offset = if upload.is_over() { upload.bytes } else { upload.received };
    Ok(answer(
        200,
        &[
            ("upload-offset", offset.to_string()),
            ("upload-length", upload.bytes.to_string()),
            ("upload-expires", http_date(upload.expires_at)),
        ],
    ))
}

/// How far a file is, and what it became.
#[utoipa::path(get, path = "/api/v1/uploads/{token}", tag = "uploads", params(("token" = String, Path)),
    security(("session" = ["content.write"])), responses((status = 200, body = UploadView), UploadError))]
pub async fn show_upload(
    State(app): State<App>,
    editor: Editor,
    Path(token): Path<String>,
) -> Result<Json<UploadView>, UploadError> {
    let mut upload = found(&app, &editor, &token).await?;
    let mut offset = if upload.is_over() { upload.bytes } else { upload.received };
    let mut state = UploadState::Receiving;
    if !upload.is_over() && offset == upload.bytes {
        state = UploadState::Processing;
        // Complete, and no request is finishing it: the server was stopped after the last byte.
        if let Ok(_writing) = Writing::take(&app, &token) {
            upload = found(&app, &editor, &token).await?;
            if !upload.is_over() {
                let _ = finish::finish(&app, &editor, &upload).await;
                upload = found(&app, &editor, &token).await?;
            }
        }
    }
    if upload.is_over() {
        offset = upload.bytes;
        state = if upload.media_id.is_some() { UploadState::Done } else { UploadState::Refused };
    }
    Ok(Json(UploadView {
        state,
        offset,
        bytes: upload.bytes,
        file_name: upload.file_name,
        media_id: upload.media_id,
        problem: upload.problem.as_deref().and_then(|problem| serde_json::from_str(problem).ok()),
    }))
}

/// Give a file up.
#[utoipa::path(delete, path = "/api/v1/uploads/{token}", tag = "uploads", params(("token" = String, Path), ("Tus-Resumable" = String, Header)),
    security(("session" = ["content.write"])), responses((status = 204), UploadError))]
pub async fn delete_upload(
    State(app): State<App>,
    editor: Editor,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Result<Response, UploadError> {
    spoken(&headers)?;
    found(&app, &editor, &token).await?;
    let _writing = Writing::take(&app, &token)?;
    let tx = app.store.begin().await?;
    rows::delete(&tx, &token).await?;
    tx.commit().await?;
    pieces::delete(&app, &token).await?;
    Ok(answer(204, &[]))
}

async fn found(app: &App, actor: &Actor, token: &str) -> Result<Upload, UploadError> {
    rows::find(app.store.read(), token, actor.user_id, app.now()).await?.ok_or(UploadError::NotFound)
}
