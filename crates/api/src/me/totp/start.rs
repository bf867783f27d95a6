//! Turning it on.

use app::client_address::ClientAddress;
use app::extract::{Account, Body};
use app::seal::Place;
use app::session::prove;
use app::{App, audit};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use domain::audit::{Action, Detail, On};
use serde::{Deserialize, Serialize};
use tracing::instrument;
use utoipa::ToSchema;

use super::TotpError;
use crate::second_factor::{RecoveryCode, new_codes, step_of};

/// Proves that the account's owner asks, and that the telephone has the secret.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TotpProof {
    /// The six figures it shows.
    #[schema(example = "287082")]
    code: String,
    /// One's password: who found the screen open cannot put their own telephone in the way.
    #[schema(format = Password)]
    password: String,
}

/// What opens when the telephone is lost.
#[derive(Serialize, ToSchema)]
pub struct RecoveryCodes {
    /// Ten codes, each good once: shown here and never again.
    #[schema(example = json!(["4f7k-2m9c-0xqe"]))]
    recovery_codes: Vec<String>,
}

/// Turn the second factor on, with the password: from now on signing in asks for it. The user's other sessions end, as they began
/// without it.
#[utoipa::path(put, path = "/api/v1/me/totp", tag = "session", security(("session" = ["content.read"])),
    request_body = TotpProof, responses((status = 200, body = RecoveryCodes), TotpError))]
#[instrument(name = "me.enable_totp", skip_all)]
pub async fn enable_totp(
    State(app): State<App>,
    account: Account,
    client: ClientAddress,
    headers: HeaderMap,
    Body(proof): Body<TotpProof>,
) -> Result<Json<RecoveryCodes>, TotpError> {
    let id = account.user_id;
    // Nothing to turn on: the password need not be judged.
    let before = store::user::second_factor(app.store.read(), id).await?;
    if before.enabled {
        return Err(TotpError::On);
    }
    if before.sealed.is_none() {
        return Err(TotpError::NotOffered);
    }
    let known = prove(&app, account.signed_in(), &headers, client, proof.password).await?;
    let tx = app.store.begin().await?;
    known.accept(&tx).await?;
    let kept = store::user::second_factor(&tx, id).await?;
    let sealed = kept.sealed.ok_or(TotpError::NotOffered)?;
    let secret = app.key.open(Place::Totp(id.0), &sealed).map_err(|_| TotpError::OtherKey)?;
    let typed: String = proof.code.split_whitespace().collect();
    let Some(step) = step_of(&secret, &typed, app.now()) else {
        // The password was right: the try is no failure.
        tx.commit_aside().await?;
        return Err(TotpError::WrongCode);
    };
    let codes = new_codes();
    let hashes: Vec<_> = codes.iter().map(|code| code.hash(id)).collect();
    if !store::user::enable_totp(&tx, id, step, &hashes).await? {
        return Err(TotpError::On);
    }
    store::session::delete_others_of(&tx, id, &account.signed_in().token_hash).await?;
    let on = On::user(&account.signed_in().user);
    audit::done(&app, &tx, &*account, Action::SecondFactorOn, on, Detail::None).await?;
    tx.commit().await?;
    app.sessions.forget(id);
    Ok(Json(RecoveryCodes { recovery_codes: codes.iter().map(RecoveryCode::shown).collect() }))
}
