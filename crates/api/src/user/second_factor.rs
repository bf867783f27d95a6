//! Taking a user's second factor off: their telephone is lost, and so are their recovery codes.

use app::extract::{Admin, Path};
use app::mail::{Letter, flush};
use app::record::operations::{held, show};
use app::record::{At, Refused, Reply};
use app::{App, audit};
use axum::extract::State;
use domain::audit::{Action, Detail};
use store::user::Users;
use tracing::instrument;

use super::rules::NOT_YOURSELF;
use super::{UserError, UserResource, UserView};
use crate::second_factor::mail::taken_off;

/// Take a user's second factor off. Their sessions end: one may be open on the telephone that was lost. They get a mail.
#[utoipa::path(delete, path = "/api/v1/users/{id}/totp", tag = "users", params(("id" = i64, Path)),
    security(("session" = ["users.manage"])), responses((status = 200, body = UserView), UserError))]
#[instrument(name = "user.drop_totp", skip_all, fields(user.id = %at.id))]
pub async fn drop_user_totp(
    State(app): State<App>,
    admin: Admin,
    Path(at): Path<At>,
) -> Result<Reply<UserView>, UserError> {
    let tx = app.store.begin().await?;
    let record = held::<UserResource>(&tx, &admin, &at).await?;
    // One's own second factor is turned off on the account page, which asks for the password.
    if record.id == admin.user_id.0 {
        return Err(Refused::new(NOT_YOURSELF, None).into());
    }
    let id = record.id.into();
    let by = store::user::find(&tx, admin.user_id).await?.map(|by| by.full_name()).unwrap_or_default();
    let protected = store::user::find(&tx, id).await?.filter(|user| user.totp_enabled);
    store::user::drop_totp(&tx, id).await?;
    store::session::delete_all_of(&tx, id).await?;
    store::personal_token::delete_all_of(&tx, id).await?;
    audit::done(&app, &tx, &*admin, Action::SecondFactorOff, audit::on::<Users>(&record), Detail::None).await?;
    let mail = match protected {
        Some(user) => Some(Letter::from(taken_off(&user, &by)).enqueue(&app, &tx).await?),
        None => None,
    };
    tx.commit().await?;
    app.sessions.forget(id);
    flush(&app, mail.as_slice()).await;
    show::<UserResource>(&app, &admin, at).await
}
