//! A new person: made, then invited by mail.

use app::App;
use app::extract::{Admin, Body};
use app::record::operations::{create, show};
use app::record::{At, Reply};
use axum::extract::State;
use domain::UserSheet;
use serde_json::{Map, Value};
use tracing::instrument;

use super::{UserError, UserResource, UserView};
use crate::password_reset::invite;

/// Create a user. A mail invites them to choose their password; when it cannot leave, `invited_at` stays empty.
#[utoipa::path(post, path = "/api/v1/users", tag = "users", request_body(content = UserSheet),
    security(("session" = ["users.manage"])), responses((status = 201, body = UserView), UserError))]
#[instrument(name = "user.create", skip_all)]
pub async fn create_user(
    State(app): State<App>,
    admin: Admin,
    Body(sent): Body<Map<String, Value>>,
) -> Result<Reply<UserView>, UserError> {
    let made = create::<UserResource>(&app, &admin, At::default(), &sent).await?;
    let at = At { id: made.view.head.id, ..At::default() };
    let tx = app.store.begin().await?;
    let user = store::user::lock(&tx, at.id.into()).await?;
    if let Some(user) = user.filter(|user| user.status == domain::UserStatus::Active) {
        invite(&app, tx, &admin, &user).await?;
    }
    Ok(Reply { made_at: made.made_at, ..show::<UserResource>(&app, &admin, at).await? })
}
