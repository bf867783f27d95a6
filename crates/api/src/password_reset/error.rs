//! Why a new password is refused.

use app::problem::Internal;
use macros::Problem;

/// Why a new password is refused.
#[derive(Debug, thiserror::Error, Problem)]
pub enum PasswordResetError {
    /// The link was used, is over, or never was.
    #[error("the link does not work any more")]
    #[problem(404, "auth/reset-expired")]
    Invalid,
    /// The password is too weak.
    #[error("weak password: {reason}")]
    #[problem(422, "auth/weak-password", field = "/password")]
    Weak {
        /// `too_short`, `too_long`, `too_simple` or `common`.
        reason: &'static str,
        /// The fewest characters.
        min: usize,
    },
    /// Too many mails were asked for: wait.
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
