//! Inviting somebody: the same link as for a forgotten password, for a week.

use domain::audit::{Action, Detail, On};
use domain::{Actor, User};
use store::password_reset;

use super::{INVITATION_S, mail};
use crate::problem::Internal;
use crate::session::Token;
use crate::{App, audit};

/// Sends somebody the link that chooses their password. False when no server took the mail; then nothing is noted.
pub(crate) async fn invite(app: &App, actor: &Actor, user: &User) -> Result<bool, Internal> {
    let (token, now) = (Token::random(), app.now());
    let tx = app.store.begin().await?;
    password_reset::insert(&tx, &token.hash(), user.id, now.plus_s(INVITATION_S)).await?;
    let by = store::user::find(&tx, actor.user_id).await?.map(|by| by.full_name()).unwrap_or_default();
    let structure = store::structure::name(&tx, user.structure_id).await?.unwrap_or_default();
    // The database is not held while a mail server thinks.
    tx.commit().await?;
    let mail = mail::invitation(user, (&by, &structure), &app.settings.public_url, &token);
    if let Err(error) = app.mail.send(mail).await {
        tracing::error!(error = %error, "the invitation was not sent");
        return Ok(false);
    }
    let tx = app.store.begin().await?;
    store::user::is_invited(&tx, user.id, now).await?;
    audit::done(app, &tx, actor, Action::UserInvited, On::user(user), Detail::None).await?;
    tx.commit().await?;
    Ok(true)
}
