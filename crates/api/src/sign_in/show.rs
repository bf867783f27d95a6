//! The user who is signed in.

use app::App;
use app::extract::Account;
use axum::Json;
use axum::extract::State;

use crate::me::{MeError, MeView};

/// The signed-in user, and what they may do.
#[utoipa::path(
    get,
    path = "/api/v1/session",
    tag = "session",
    security(("session" = ["content.read"])),
    responses((status = 200, body = MeView), MeError)
)]
pub async fn show_session(State(app): State<App>, account: Account) -> Result<Json<MeView>, MeError> {
    Ok(Json(MeView::of(&app, account.signed_in()).await?))
}
