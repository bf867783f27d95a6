//! The second factor of a sign-in: the codes a telephone makes (TOTP, RFC 6238), and those on paper for when it is lost.

mod code;
pub(crate) mod mail;
mod recovery;

use app::App;
use app::problem::Internal;
use app::seal::Place;
pub(crate) use code::{Offer, step_of};
use domain::User;
use macros::Problem;
pub(crate) use recovery::{RecoveryCode, new_codes};
use store::Tx;
use store::user::{second_factor, take_recovery_code, take_totp_step};

/// Why a code does not open.
#[derive(Debug, thiserror::Error, Problem)]
pub enum CodeError {
    /// None of the codes of the moment, and none of the recovery codes.
    #[error("a wrong code")]
    #[problem(401, "auth/totp-wrong", field = "/totp")]
    Wrong,
    /// The right one, but it opened before.
    #[error("a code that was used")]
    #[problem(401, "auth/totp-used", field = "/totp")]
    Used,
    /// The server's key is not the one the secret was sealed with.
    #[error("the secret of the second factor does not open: the server's key is another one")]
    #[problem(503, "server/other-key")]
    OtherKey,
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}

/// Checks the code typed as second factor, and uses it up: a code works once.
pub(crate) async fn pass(app: &App, tx: &Tx, user: &User, typed: &str) -> Result<(), CodeError> {
    let Some(code) = code::parse(typed) else {
        let code = RecoveryCode::parse(typed).ok_or(CodeError::Wrong)?;
        let taken = take_recovery_code(tx, user.id, &code.hash(user.id)).await?;
        return if taken { Ok(()) } else { Err(CodeError::Wrong) };
    };
    let sealed = second_factor(tx, user.id).await?.sealed.ok_or(CodeError::Wrong)?;
    let secret = app.key.open(Place::Totp(user.id.0), &sealed).map_err(|_| CodeError::OtherKey)?;
    let step = step_of(&secret, &code, app.now()).ok_or(CodeError::Wrong)?;
    if take_totp_step(tx, user.id, step).await? { Ok(()) } else { Err(CodeError::Used) }
}
