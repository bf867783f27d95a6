//! The address of a link as a QR code, to print for the provider's guests.

use app::App;
use app::extract::{Path, Query, Reader};
use app::qr::{QrFormat, answer, encoded};
use app::record::{At, operations};
use axum::extract::State;
use axum::response::Response;
use fast_qr::qr::QRCode;
use serde::Deserialize;
use utoipa::IntoParams;

use super::{ProviderLinkError, ProviderLinkResource, address};

/// How large the picture is.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct LinkQrSize {
    /// Pixels of its side, 64 to 2048.
    #[param(example = 512)]
    size: Option<u32>,
}

/// The QR code of a provider's link as a drawing.
#[utoipa::path(get, path = "/api/v1/provider-links/{id}/qr.svg", tag = "provider-links", params(("id" = i64, Path), LinkQrSize),
    security(("session" = ["content.read"])), responses((status = 200, description = "A drawing", content_type = "image/svg+xml"), ProviderLinkError))]
pub async fn draw_provider_link_qr_svg(
    State(app): State<App>,
    reader: Reader,
    Path(at): Path<At>,
    Query(asked): Query<LinkQrSize>,
) -> Result<Response, ProviderLinkError> {
    let code = code_of(&app, &reader, &at).await?;
    Ok(answer(&code, asked.size, QrFormat::Svg))
}

/// The QR code of a provider's link as a picture.
#[utoipa::path(get, path = "/api/v1/provider-links/{id}/qr.png", tag = "provider-links", params(("id" = i64, Path), LinkQrSize),
    security(("session" = ["content.read"])), responses((status = 200, description = "A picture", content_type = "image/png"), ProviderLinkError))]
pub async fn draw_provider_link_qr_png(
    State(app): State<App>,
    reader: Reader,
    Path(at): Path<At>,
    Query(asked): Query<LinkQrSize>,
) -> Result<Response, ProviderLinkError> {
    let code = code_of(&app, &reader, &at).await?;
    Ok(answer(&code, asked.size, QrFormat::Png))
}

async fn code_of(app: &App, reader: &Reader, at: &At) -> Result<QRCode, ProviderLinkError> {
    let link = operations::seen::<ProviderLinkResource>(app.store.read(), reader, at).await?;
    Ok(encoded(address(app, link.id, &link.sheet))?)
}
