//! Ending a user's sessions and personal tokens without blocking them: a device was lost, or was left signed in.

use app::extract::{Admin, Path};
use app::record::operations::{held, show};
use app::record::{At, Refused, Reply};
use app::{App, audit};
use axum::extract::State;
use domain::audit::{Action, Detail};
use store::user::Users;
use tracing::instrument;

use super::rules::NOT_YOURSELF;
use super::{UserError, UserResource, UserView};

/// End all sessions and personal tokens of a user. They may sign in again; the devices they signed in on are no longer known.
#[utoipa::path(delete, path = "/api/v1/users/{id}/sessions", tag = "users", params(("id" = i64, Path)),
    security(("session" = ["users.manage"])), responses((status = 200, body = UserView), UserError))]
#[instrument(name = "user.end_sessions", skip_all, fields(user.id = %at.id))]
pub async fn end_user_sessions(
    State(app): State<App>,
    admin: Admin,
    Path(at): Path<At>,
) -> Result<Reply<UserView>, UserError> {
    let tx = app.store.begin().await?;
    let record = held::<UserResource>(&tx, &admin, &at).await?;
    // One's own sessions are ended on the account page, which keeps the one in use.
    if record.id == admin.user_id.0 {
        return Err(Refused::new(NOT_YOURSELF, None).into());
    }
    let id = record.id.into();
    store::session::delete_all_of(&tx, id).await?;
    store::personal_token::delete_all_of(&tx, id).await?;
    store::known_device::forget_others(&tx, id, None).await?;
    audit::done(&app, &tx, &*admin, Action::SessionsEnded, audit::on::<Users>(&record), Detail::None).await?;
    tx.commit_aside().await?;
    app.sessions.forget(id);
    show::<UserResource>(&app, &admin, at).await
}
