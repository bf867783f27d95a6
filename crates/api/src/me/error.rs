//! Errors of the user's own account.

use app::problem::Internal;
use domain::WhiteLabelId;
use macros::Problem;

/// Errors of the user's own account.
#[derive(Debug, thiserror::Error, Problem)]
pub enum MeError {
    /// A white-label the person does not work in.
    #[error("white-label {id} is not theirs")]
    #[problem(403, "me/white-label-not-yours", field = "/active_white_label_id")]
    WhiteLabelNotYours {
        /// The one asked for.
        id: WhiteLabelId,
    },
    /// Not an open session of the user.
    #[error("session {id} is not theirs")]
    #[problem(404, "me/no-such-session")]
    NoSuchSession {
        /// The one asked for.
        id: i64,
    },
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}
