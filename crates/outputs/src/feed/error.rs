//! Why a feed does not answer.

use app::Rejection;
use app::problem::Internal;
use macros::Problem;

/// Why a feed does not answer.
#[derive(Debug, thiserror::Error, Problem)]
pub enum FeedError {
    /// No key was sent.
    #[error("a key is required")]
    #[problem(401, "feed/key-required")]
    KeyRequired,
    /// No white-label has this key.
    #[error("no such key")]
    #[problem(401, "feed/key-unknown")]
    KeyUnknown,
    /// The key of pages was sent for a file of open data.
    #[error("the key of pages opens no open data")]
    #[problem(401, "feed/key-of-pages")]
    KeyOfPages,
    /// A secret key was sent in the path of an address, which logs and pages show.
    #[error("a secret key does not stand in an address")]
    #[problem(401, "feed/secret-in-address")]
    SecretInAddress,
    /// A page of another site asks, and the white-label does not allow it.
    #[error("origin {origin} is not allowed")]
    #[problem(403, "feed/origin")]
    Origin {
        /// Where the page comes from.
        origin: String,
    },
    /// Too many questions in a minute.
    #[error("too many questions")]
    #[problem(429, "feed/too-many")]
    TooMany {
        /// Seconds to wait.
        retry_after_s: i64,
    },
    /// The same in the dialect of Geotrek, whose readers try again after this status alone.
    #[error("too many questions, wait {retry_after_s} s")]
    #[problem(503, "feed/later")]
    Later {
        /// Seconds to wait.
        retry_after_s: i64,
    },
    /// Too many large files are being written.
    #[error("too many files at once, wait {retry_after_s} s")]
    #[problem(503, "feed/busy")]
    Busy {
        /// Seconds to wait.
        retry_after_s: i64,
    },
    /// Not there, or not handed out to this key.
    #[error("no such thing for this key")]
    #[problem(404, "feed/not-found")]
    NotFound,
    /// A page after the last one.
    #[error("page {page} of {pages}")]
    #[problem(404, "feed/page-beyond")]
    PageBeyond {
        /// The page asked for.
        page: u64,
        /// How many there are.
        pages: u64,
    },
    /// A word Geotrek has no endpoint for.
    #[error("no endpoint {name}")]
    #[problem(404, "feed/no-endpoint")]
    NoEndpoint {
        /// The word.
        name: String,
    },
    /// Where Geotrek takes reports: there is nothing to read.
    #[error("nothing is read there")]
    #[problem(405, "feed/not-read")]
    NotRead,
    /// A box that cannot be read.
    #[error("bad box")]
    #[problem(400, "feed/bad-box")]
    BadBox,
    /// Something else in the question.
    #[error(transparent)]
    #[problem(transparent)]
    Rejected(#[from] Rejection),
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}
