//! Inviting a user: the same link as for a forgotten password, valid for a week.

use app::mail::{Letter, MailState, state_after_wait};
use app::problem::Internal;
use app::token::Token;
use app::{App, audit};
use domain::audit::{Action, Detail, On};
use domain::{Actor, User};
use store::{Tx, password_reset};

use super::{INVITATION_S, mail};

/// Sends a user, whom this transaction has locked, the link that chooses their password; commits. False when the mail was given up at
/// once; then no invitation is noted.
pub(crate) async fn invite(app: &App, tx: Tx, actor: &Actor, user: &User) -> Result<bool, Internal> {
    let (token, now) = (Token::random(), app.now());
    password_reset::insert(&tx, &token.hash(), user.id, now.plus_s(INVITATION_S)).await?;
    let by = store::user::find(&tx, actor.user_id).await?.map(|by| by.full_name()).unwrap_or_default();
    let structure = store::structure::name(&tx, user.structure_id).await?.unwrap_or_default();
    let mail = mail::invitation(user, (&by, &structure), &app.settings.public_url, &token);
    let letter = Letter::from(mail).expires_at(now.plus_s(INVITATION_S)).inviting(user.id, now);
    let job = letter.enqueue(app, &tx).await?;
    store::user::set_invited_at(&tx, user.id, now).await?;
    audit::done(app, &tx, actor, Action::UserInvited, On::user(user), Detail::None).await?;
    tx.commit().await?;
    Ok(state_after_wait(app, job).await? != MailState::GivenUp)
}
