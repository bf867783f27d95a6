//! Inviting a user again.

use app::App;
use app::extract::{Admin, Path};
use app::record::operations::{held, show};
use app::record::{At, Refusal, Refused, Reply};
use axum::extract::State;
use domain::UserStatus;
use tracing::instrument;

use super::rules::{BLOCKED, MAIL_NOT_SENT};
use super::{UserError, UserResource, UserView};
use crate::password_reset::invite;

/// Send a user the mail that lets them choose a password; links sent before no longer work.
#[utoipa::path(post, path = "/api/v1/users/{id}/invitation", tag = "users", params(("id" = i64, Path)),
    security(("session" = ["users.manage"])), responses((status = 200, body = UserView), UserError))]
#[instrument(name = "user.invite", skip_all)]
pub async fn invite_user(
    State(app): State<App>,
    admin: Admin,
    Path(at): Path<At>,
) -> Result<Reply<UserView>, UserError> {
    let tx = app.store.begin().await?;
    let record = held::<UserResource>(&tx, &admin, &at).await?;
    if record.sheet.status == UserStatus::Blocked {
        return Err(Refused::new(BLOCKED, None).into());
    }
    let user = store::user::find(&tx, at.id.into()).await?.ok_or(Refusal::NotFound { id: at.id })?;
    if !invite(&app, tx, &admin, &user).await? {
        return Err(Refused::new(MAIL_NOT_SENT, None).into());
    }
    show::<UserResource>(&app, &admin, at).await
}
