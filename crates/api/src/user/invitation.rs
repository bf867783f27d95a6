//! Inviting a user again.

use app::App;
use app::extract::{Admin, Path};
use app::record::operations::{seen, show};
use app::record::{At, Refusal, Refused, Reply, Resource};
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
    let record = seen::<UserResource>(app.store.read(), &admin, &at).await?;
    if !UserResource::is_theirs(&admin, &record) {
        return Err(Refusal::NotYours.into());
    }
    if record.sheet.status == UserStatus::Blocked {
        return Err(Refused::new(BLOCKED, None).into());
    }
    let user = store::user::find(app.store.read(), at.id.into()).await?.ok_or(Refusal::NotFound { id: at.id })?;
    if !invite(&app, &admin, &user).await? {
        return Err(Refused::new(MAIL_NOT_SENT, None).into());
    }
    show::<UserResource>(&app, &admin, at).await
}
