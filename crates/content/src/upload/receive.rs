//! A piece of a file.

use app::App;
use app::extract::{Editor, Path, broken_body};
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::response::Response;
use http_body_util::BodyExt;
use store::upload::{self as rows, Upload};

use super::pieces::{self, Writing};
use super::{UploadError, answer, finish, http_date, number, spoken};

/// A body is stored in pieces of this size: so much of each upload under way is in memory.
const PIECE: usize = 4 * 1024 * 1024;

/// Send a piece of a file, from `Upload-Offset` on. What came stays, also when the line is cut in the middle of a piece.
/// With the last one the file becomes a media, or is refused in words.
#[utoipa::path(patch, path = "/api/v1/uploads/{token}", tag = "uploads",
    params(("token" = String, Path), ("Tus-Resumable" = String, Header), ("Upload-Offset" = i64, Header)),
    request_body(content = Vec<u8>, content_type = "application/offset+octet-stream"), security(("session" = ["content.write"])),
    responses((status = 204, description = "`Upload-Offset`, `Upload-Expires`"), UploadError))]
#[tracing::instrument(name = "upload.receive", skip_all)]
pub async fn receive_upload(
    State(app): State<App>,
    editor: Editor,
    Path(token): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, UploadError> {
    spoken(&headers)?;
    let kind = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    if kind != Some("application/offset+octet-stream") {
        return Err(UploadError::NotAPiece);
    }
    let from = number(&headers, "upload-offset")?;
    let found = rows::find(app.store.read(), &token, editor.user_id, app.now()).await?;
    let upload = found.ok_or(UploadError::NotFound)?;
    let _writing = Writing::take(&app, &token)?;
    if from != upload.received || upload.is_over() {
        return Err(UploadError::Offset { offset: if upload.is_over() { upload.bytes } else { upload.received } });
    }
    let offset = append(&app, &upload, body).await?;
    if offset == upload.bytes {
        match finish::finish(&app, &editor, &upload).await {
            // Another server, asked for the state, saw the last piece and makes the media.
            Ok(_) | Err(UploadError::Locked) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(answer(204, &[("upload-offset", offset.to_string()), ("upload-expires", http_date(upload.expires_at))]))
}

/// Stores what comes behind what is there; gives the new length.
async fn append(app: &App, upload: &Upload, mut body: Body) -> Result<u64, UploadError> {
    let mut at = upload.received;
    let mut piece = Vec::new();
    let mut broken = None;
    while let Some(frame) = body.frame().await {
        let frame = match frame {
            Ok(frame) => frame,
            Err(error) => {
                broken = Some(broken_body(&error));
                break;
            }
        };
        let Ok(bytes) = frame.into_data() else { continue };
        if at + (piece.len() + bytes.len()) as u64 > upload.bytes {
            return Err(UploadError::TooLong { bytes: upload.bytes });
        }
        piece.extend_from_slice(&bytes);
        if piece.len() >= PIECE {
            at = pieces::add(app, &upload.token, at, std::mem::take(&mut piece)).await?;
        }
    }
    if !piece.is_empty() {
        at = pieces::add(app, &upload.token, at, piece).await?;
    }
    broken.map_or(Ok(at), |broken| Err(broken.into()))
}
