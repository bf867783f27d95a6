//! Announce a file.

use app::App;
use app::extract::Editor;
use app::record::Refusal;
use app::token::new_token;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::WhiteLabelId;
use domain::media::MediaPurpose;
use store::upload::{self as rows, Upload};

use super::{EXTENSIONS, KEPT_S, TUS, UploadError, answer, http_date, number, spoken};
use crate::media::MediaError;

/// The most unfinished uploads of a person. The web application sends 3 files at a time; more are those that were paused or broke off.
const MAX_UNFINISHED: u64 = 100;
/// The unfinished uploads of a person together have at most as many bytes as this number of files of the largest size.
const MAX_LARGEST: u64 = 10;

/// What the protocol can do here.
#[utoipa::path(options, path = "/api/v1/uploads", tag = "uploads", security(()), responses((status = 204, description = "`Tus-Version`, `Tus-Extension`, `Tus-Max-Size`")))]
pub async fn describe_uploads(State(app): State<App>) -> Response {
    let most = app.settings.media.max_bytes().to_string();
    answer(204, &[("tus-version", TUS.to_owned()), ("tus-extension", EXTENSIONS.to_owned()), ("tus-max-size", most)])
}

/// Announce a file: `Upload-Length`, and in `Upload-Metadata` its `filename`, its `white_label` (by default the active one) and its
/// `purpose`, base64 each. `Location` is where its bytes go. A person has at most 100 unfinished uploads, with the bytes of 10 files of the
/// largest size together.
#[utoipa::path(post, path = "/api/v1/uploads", tag = "uploads",
    params(("Tus-Resumable" = String, Header), ("Upload-Length" = i64, Header), ("Upload-Metadata" = Option<String>, Header)),
    security(("session" = ["content.write"])), responses((status = 201, description = "`Location`, `Upload-Expires`"), UploadError))]
#[tracing::instrument(name = "upload.create", skip_all)]
pub async fn create_upload(
    State(app): State<App>,
    editor: Editor,
    headers: HeaderMap,
) -> Result<Response, UploadError> {
    spoken(&headers)?;
    let bytes = number(&headers, "upload-length")?;
    let max_bytes = app.settings.media.max_bytes();
    if bytes > max_bytes {
        return Err(UploadError::TooLarge { max_bytes });
    }
    let metadata = Metadata::read(&headers)?;
    let white_label_id = metadata.white_label.unwrap_or(editor.active_white_label_id);
    if !editor.may_write_in(white_label_id) {
        return Err(MediaError::from(Refusal::WhiteLabelNotYours).into());
    }
    let upload = Upload {
        token: new_token(),
        user_id: editor.user_id,
        white_label_id,
        file_name: metadata.file_name,
        purpose: metadata.purpose,
        bytes,
        received: 0,
        expires_at: app.now().plus_s(KEPT_S),
        media_id: None,
        problem: None,
    };
    let tx = app.store.begin().await?;
    let (unfinished, unfinished_bytes) = rows::lock_unfinished(&tx, editor.user_id, app.now()).await?;
    if unfinished >= MAX_UNFINISHED {
        return Err(UploadError::TooMany { max: MAX_UNFINISHED });
    }
    let max_unfinished_bytes = max_bytes.saturating_mul(MAX_LARGEST);
    if unfinished_bytes.saturating_add(bytes) > max_unfinished_bytes {
        return Err(UploadError::TooManyBytes { max_bytes: max_unfinished_bytes });
    }
    rows::insert(&tx, &upload).await?;
    tx.commit().await?;
    let place = format!("/api/v1/uploads/{}", upload.token);
    Ok(answer(201, &[("location", place), ("upload-expires", http_date(upload.expires_at))]))
}

/// The values of `Upload-Metadata`.
#[derive(Debug, Default)]
struct Metadata {
    file_name: String,
    white_label: Option<WhiteLabelId>,
    purpose: MediaPurpose,
}

impl Metadata {
    fn read(headers: &HeaderMap) -> Result<Self, UploadError> {
        const NAME: &str = "upload-metadata";
        let bad = || UploadError::BadHeader { name: NAME };
        let mut metadata = Self::default();
        let Some(header) = headers.get(NAME) else { return Ok(metadata) };
        for pair in header.to_str().map_err(|_| bad())?.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once(' ').unwrap_or((pair, ""));
            let value = STANDARD.decode(value.trim()).map_err(|_| bad())?;
            let value = String::from_utf8(value).map_err(|_| bad())?;
            // PostgreSQL stores the character in no text.
            if value.contains('\0') {
                return Err(bad());
            }
            match key {
                "filename" | "name" => metadata.file_name = value,
                "white_label" => metadata.white_label = Some(WhiteLabelId(value.parse().map_err(|_| bad())?)),
                "purpose" if value == "logo" => metadata.purpose = MediaPurpose::Logo,
                _ => {}
            }
        }
        Ok(metadata)
    }
}
