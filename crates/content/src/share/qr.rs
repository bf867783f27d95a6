//! The address of a share as a QR code.

use app::App;
use app::extract::{Path, Query, Reader};
use app::qr::{QrFormat, answer, encoded};
use axum::extract::State;
use axum::response::Response;
use domain::{Actor, ParcoursId};
use fast_qr::qr::QRCode;
use serde::Deserialize;
use store::share;
use utoipa::IntoParams;

use super::error::ShareError;
use crate::parcours::access::own;

/// How large the picture is.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct QrSize {
    /// Pixels of its side, 64 to 2048.
    #[param(example = 512)]
    pub size: Option<u32>,
    /// It is downloaded, not only shown: from now on it may be printed.
    pub taken: bool,
}

/// The QR code of a share as a drawing.
#[utoipa::path(get, path = "/api/v1/parcours/{id}/shares/{share_id}/qr.svg", tag = "sharing",
    params(("id" = i64, Path), ("share_id" = i64, Path), QrSize), security(("session" = ["content.read"])),
    responses((status = 200, description = "A drawing", content_type = "image/svg+xml"), ShareError))]
pub async fn draw_share_qr_svg(
    State(app): State<App>,
    reader: Reader,
    Path((id, share_id)): Path<(ParcoursId, i64)>,
    Query(asked): Query<QrSize>,
) -> Result<Response, ShareError> {
    let code = code_of(&app, &reader, (id, share_id), asked.taken).await?;
    Ok(answer(&code, asked.size, QrFormat::Svg))
}

/// The QR code of a share as a picture.
#[utoipa::path(get, path = "/api/v1/parcours/{id}/shares/{share_id}/qr.png", tag = "sharing",
    params(("id" = i64, Path), ("share_id" = i64, Path), QrSize), security(("session" = ["content.read"])),
    responses((status = 200, description = "A picture", content_type = "image/png"), ShareError))]
pub async fn draw_share_qr_png(
    State(app): State<App>,
    reader: Reader,
    Path((id, share_id)): Path<(ParcoursId, i64)>,
    Query(asked): Query<QrSize>,
) -> Result<Response, ShareError> {
    let code = code_of(&app, &reader, (id, share_id), asked.taken).await?;
    Ok(answer(&code, asked.size, QrFormat::Png))
}

async fn code_of(
    app: &App,
    actor: &Actor,
    (id, share_id): (ParcoursId, i64),
    taken: bool,
) -> Result<QRCode, ShareError> {
    own(app.store.read(), id, actor).await?;
    let found = share::find(app.store.read(), id, share_id).await?.ok_or(ShareError::NotFound { id: share_id })?;
    if taken && found.qr_taken_at.is_none() {
        let tx = app.store.begin().await?;
        share::note_qr_taken(&tx, share_id, app.now()).await?;
        tx.commit_aside().await?;
    }
    Ok(encoded(format!("{}/s/{}", app.settings.public_url, found.token))?)
}
