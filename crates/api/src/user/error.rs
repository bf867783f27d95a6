//! What can go wrong with a user.

use domain::UserId;
use macros::Problem;

use crate::problem::Internal;

/// What can go wrong with a user.
#[derive(Debug, thiserror::Error, Problem)]
pub enum UserError {
    /// There is no such user, or none one may see.
    #[error("no user {id}")]
    #[problem(404, "user/not-found")]
    NotFound {
        /// The one asked for.
        id: UserId,
    },
    /// A failure of ours.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}
