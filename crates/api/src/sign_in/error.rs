//! Why a sign-in is refused.

use app::problem::Internal;
use macros::Problem;

use crate::second_factor::CodeError;

/// Why a sign-in is refused.
#[derive(Debug, thiserror::Error, Problem)]
pub enum SignInError {
    /// No such account, or another password: the answer does not say which.
    #[error("bad credentials")]
    #[problem(401, "auth/bad-credentials")]
    BadCredentials,
    /// The password is right, and a code of the second factor is asked for.
    #[error("a code of the second factor is required")]
    #[problem(401, "auth/totp-required", field = "/totp")]
    TotpRequired,
    /// The code does not open.
    #[error(transparent)]
    #[problem(transparent)]
    Code(#[from] CodeError),
    /// The account is blocked.
    #[error("the account is blocked")]
    #[problem(403, "auth/blocked")]
    Blocked,
    /// The account has no white-label to work in.
    #[error("the account has no white-label")]
    #[problem(403, "auth/no-white-label")]
    NoWhiteLabel,
    /// Too many failures: wait.
    #[error("too many tries, wait {retry_after_s} s")]
    #[problem(429, "auth/too-many-tries")]
    TooManyTries {
        /// Seconds to wait.
        retry_after_s: i64,
    },
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}
