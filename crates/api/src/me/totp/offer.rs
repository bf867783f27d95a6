//! A secret for the user's telephone.

use app::App;
use app::extract::Account;
use app::seal::Place;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use tracing::instrument;
use utoipa::ToSchema;

use super::TotpError;
use crate::second_factor::Offer;

/// A secret to enter into a telephone: shown here, and nowhere again.
#[derive(Serialize, ToSchema)]
#[schema(as = TotpOffer)]
pub struct OfferView {
    /// For who types it, in Base32.
    secret: String,
    /// For the application of the telephone.
    #[schema(example = "otpauth://totp/Jalon:camille%40morvan%2Eexample?secret=…")]
    uri: String,
    /// For its camera: the same address as a drawing.
    qr_svg: String,
}

/// Offer a second factor: nothing is asked for until its first code came back. The one offered before is worth nothing.
#[utoipa::path(post, path = "/api/v1/me/totp", tag = "session", security(("session" = ["content.read"])),
    responses((status = 200, body = OfferView), TotpError))]
#[instrument(name = "me.offer_totp", skip_all)]
pub async fn offer_totp(State(app): State<App>, account: Account) -> Result<Json<OfferView>, TotpError> {
    let (id, email) = (account.user_id, &account.signed_in().user.email);
    let offer = Offer::random();
    let view = OfferView { secret: offer.typed(), uri: offer.uri(email), qr_svg: offer.qr_svg(email)? };
    let tx = app.store.begin().await?;
    if !store::user::offer_totp(&tx, id, app.key.seal(Place::Totp(id.0), &offer.bytes)).await? {
        return Err(TotpError::On);
    }
    tx.commit().await?;
    Ok(Json(view))
}
