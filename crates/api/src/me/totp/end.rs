//! Turning it off.

use app::client_address::ClientAddress;
use app::extract::{Account, Body};
use app::session::prove;
use app::{App, audit};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use domain::audit::{Action, Detail, On};
use serde::Deserialize;
use tracing::instrument;
use utoipa::ToSchema;

use super::TotpError;

/// Proves that the person at the screen is the account's owner.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordProof {
    /// One's password.
    #[schema(format = Password)]
    password: String,
}

/// Turn the second factor off: its secret and its recovery codes are forgotten. Sessions stay open.
#[utoipa::path(delete, path = "/api/v1/me/totp", tag = "session", security(("session" = ["content.read"])),
    request_body = PasswordProof, responses((status = 204, description = "Off"), TotpError))]
#[instrument(name = "me.disable_totp", skip_all)]
pub async fn disable_totp(
    State(app): State<App>,
    account: Account,
    client: ClientAddress,
    headers: HeaderMap,
    Body(proof): Body<PasswordProof>,
) -> Result<StatusCode, TotpError> {
    let known = prove(&app, account.signed_in(), &headers, client, proof.password).await?;
    let tx = app.store.begin().await?;
    known.accept(&tx).await?;
    store::user::drop_totp(&tx, account.user_id).await?;
    let on = On::user(&account.signed_in().user);
    audit::done(&app, &tx, &*account, Action::SecondFactorOff, on, Detail::None).await?;
    tx.commit().await?;
    app.sessions.forget(account.user_id);
    Ok(StatusCode::NO_CONTENT)
}
