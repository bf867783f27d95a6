//! The account of a reset link: the page that chooses the password shows its name.

use app::App;
use app::extract::Path;
use app::token::Token;
use axum::Json;
use axum::extract::State;
use domain::UserStatus;
use serde::Serialize;
use store::password_reset;
use tracing::instrument;
use utoipa::ToSchema;

use super::PasswordResetError;

/// The person whose link it is.
#[derive(Serialize, ToSchema)]
pub struct PasswordResetView {
    /// Their given name.
    first_name: String,
    /// The address they sign in with.
    email: String,
    /// The name of their structure.
    structure: String,
    /// Whether they never had a password: they were invited.
    invitation: bool,
}

/// The person to whom a link was sent. Reading it does not use the link up.
#[utoipa::path(
    get,
    path = "/api/v1/password-resets/{token}",
    tag = "session",
    security(()),
    params(("token" = String, Path, description = "From the mail's link")),
    responses((status = 200, body = PasswordResetView), PasswordResetError)
)]
#[instrument(name = "password_reset.show", skip_all)]
pub async fn show_password_reset(
    State(app): State<App>,
    Path(token): Path<String>,
) -> Result<Json<PasswordResetView>, PasswordResetError> {
    let hash = Token::parse(&token).ok_or(PasswordResetError::Invalid)?.hash();
    let db = app.store.read();
    let id = password_reset::find(db, &hash, app.now()).await?.ok_or(PasswordResetError::Invalid)?;
    let user = store::user::find(db, id).await?.filter(|user| user.status == UserStatus::Active);
    let user = user.ok_or(PasswordResetError::Invalid)?;
    let account = store::user::accounts(db, &[id.0]).await?.remove(&id.0);
    let structure = store::structure::name(db, user.structure_id).await?.unwrap_or_default();
    let invitation = account.is_some_and(|account| !account.has_password);
    Ok(Json(PasswordResetView { first_name: user.first_name, email: user.email, structure, invitation }))
}
