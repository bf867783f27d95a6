//! Errors of the user's own second factor. None of them is a 401: the session is valid.

use app::problem::Internal;
use app::session::ProofError;
use macros::Problem;

/// Errors of the user's own second factor.
#[derive(Debug, thiserror::Error, Problem)]
pub enum TotpError {
    /// It is on already.
    #[error("the second factor is on")]
    #[problem(409, "me/totp-on")]
    On,
    /// None was offered: there is nothing to turn on.
    #[error("no second factor was offered")]
    #[problem(409, "me/totp-not-offered")]
    NotOffered,
    /// Not the code of the moment.
    #[error("a wrong code")]
    #[problem(422, "me/totp-wrong-code", field = "/code")]
    WrongCode,
    /// The password does not confirm the user.
    #[error(transparent)]
    #[problem(transparent)]
    Proof(#[from] ProofError),
    /// The server's key is not the one the secret was sealed with.
    #[error("the secret of the second factor does not open: the server's key is another one")]
    #[problem(503, "server/other-key")]
    OtherKey,
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}
