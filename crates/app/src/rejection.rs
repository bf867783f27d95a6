//! Refusals of a request before its handler runs: no session, no right, no readable body.

use macros::Problem;

use crate::problem::Internal;

/// Why a request is refused before its handler runs.
#[derive(Debug, thiserror::Error, Problem)]
pub enum Rejection {
    /// No session.
    #[error("a session is required")]
    #[problem(401, "session/required")]
    SessionRequired,
    /// The session is over, or was ended.
    #[error("the session is over")]
    #[problem(401, "session/expired")]
    SessionExpired,
    /// The account is blocked.
    #[error("the account is blocked")]
    #[problem(403, "auth/blocked")]
    Blocked,
    /// The account has no white-label to work in.
    #[error("the account has no white-label")]
    #[problem(403, "auth/no-white-label")]
    NoWhiteLabel,
    /// The role does not allow it.
    #[error("`{capability}` is not allowed")]
    #[problem(403, "auth/forbidden")]
    Forbidden {
        /// What would be needed.
        capability: &'static str,
    },
    /// An administrator must have a second factor, and has none yet.
    #[error("a second factor is to be set up first")]
    #[problem(403, "auth/totp-setup-required")]
    TotpSetupRequired,
    /// A write that another site made the browser send.
    #[error("the request comes from another site")]
    #[problem(403, "auth/foreign-origin")]
    CrossSite,
    /// An address nothing answers to.
    #[error("nothing at {path}")]
    #[problem(404, "not-found")]
    NotFound {
        /// The path asked for.
        path: String,
    },
    /// A verb the address does not know.
    #[error("method not allowed")]
    #[problem(405, "request/method-not-allowed")]
    MethodNotAllowed,
    /// A query parameter that cannot be read, or has the character U+0000.
    #[error("bad query parameter {name}")]
    #[problem(400, "request/bad-query")]
    BadQuery {
        /// The parameter.
        name: String,
    },
    /// A query parameter that must be there.
    #[error("query parameter {name} is missing")]
    #[problem(400, "request/missing-query")]
    MissingQuery {
        /// The parameter.
        name: String,
    },
    /// A body that is not JSON.
    #[error("bad JSON at line {line}, column {column}")]
    #[problem(400, "request/bad-json")]
    BadJson {
        /// Line of the fault, from 1.
        line: usize,
        /// Column of the fault, from 1.
        column: usize,
    },
    /// A field of another type than asked for, missing or unknown, or one whose text has the character U+0000.
    #[error("bad field {field}")]
    #[problem(422, "request/bad-field")]
    BadField {
        /// JSON pointer of it.
        field: String,
    },
    /// A body of another content type.
    #[error("the body is not JSON")]
    #[problem(415, "request/not-json")]
    NotJson,
    /// A body over the limit.
    #[error("the body is too large")]
    #[problem(413, "request/too-large")]
    TooLarge,
    /// A compressed body: the server decompresses none.
    #[error("the body is encoded")]
    #[problem(415, "request/encoded")]
    Encoded,
    /// A body that came too slowly.
    #[error("the body comes too slowly")]
    #[problem(408, "request/too-slow")]
    TooSlow,
    /// More requests of one client network than it may send in a minute, or at once.
    #[error("too many requests, wait {retry_after_s} s")]
    #[problem(429, "request/too-many")]
    TooMany {
        /// Seconds to wait.
        retry_after_s: i64,
    },
    /// More requests at once than the server takes.
    #[error("too many requests are under way")]
    #[problem(503, "request/overloaded")]
    Overloaded {
        /// Seconds to wait.
        retry_after_s: i64,
    },
    /// A body that broke off.
    #[error("the body broke off")]
    #[problem(400, "request/broken-body")]
    BrokenBody,
    /// A save that does not say what it saves over.
    #[error("If-Match is required")]
    #[problem(428, "version/required")]
    VersionRequired,
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}
