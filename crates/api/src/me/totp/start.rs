//! Turning it on.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tracing::instrument;
use utoipa::ToSchema;

use super::TotpError;
use crate::App;
use crate::extract::{Account, Body};
use crate::seal::Place;
use crate::second_factor::{RecoveryCode, new_codes, step_of};

/// The proof that the telephone has the secret.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TotpProof {
    /// The six figures it shows.
    #[schema(example = "287082")]
    code: String,
}

/// What opens when the telephone is lost.
#[derive(Serialize, ToSchema)]
pub struct RecoveryCodes {
    /// Ten codes, each good once: shown here and never again.
    #[schema(example = json!(["4f7k-2m9c-0xqe"]))]
    recovery_codes: Vec<String>,
}

/// Turn the second factor on: from now on signing in asks for it. One's other sessions end, for they began without it.
#[utoipa::path(put, path = "/api/v1/me/totp", tag = "session", security(("session" = ["content.read"])),
    request_body = TotpProof, responses((status = 200, body = RecoveryCodes), TotpError))]
#[instrument(name = "me.enable_totp", skip_all)]
pub async fn enable_totp(
    State(app): State<App>,
    account: Account,
    Body(proof): Body<TotpProof>,
) -> Result<Json<RecoveryCodes>, TotpError> {
    let id = account.user_id;
    let tx = app.store.begin().await?;
    let kept = store::user::second_factor(&tx, id).await?;
    if kept.enabled {
        return Err(TotpError::On);
    }
    let sealed = kept.sealed.ok_or(TotpError::NotOffered)?;
    let secret = app.key.open(Place::Totp(id.0), &sealed).map_err(|_| TotpError::OtherKey)?;
    let typed: String = proof.code.split_whitespace().collect();
    let step = step_of(&secret, &typed, app.now()).ok_or(TotpError::WrongCode)?;
    let codes = new_codes();
    let hashes: Vec<_> = codes.iter().map(|code| code.hash(id)).collect();
    if !store::user::enable_totp(&tx, id, step, &hashes).await? {
        return Err(TotpError::On);
    }
    store::session::delete_others_of(&tx, id, &account.signed_in().token_hash).await?;
    tx.commit().await?;
    app.sessions.forget(id);
    Ok(Json(RecoveryCodes { recovery_codes: codes.iter().map(RecoveryCode::shown).collect() }))
}
