//! The errors of uploads.

use app::Rejection;
use app::problem::Internal;
use macros::Problem;

use crate::media::MediaError;

/// Why a request on an upload is refused.
#[derive(Debug, thiserror::Error, Problem)]
pub enum UploadError {
    /// Not there, too old, or another person's.
    #[error("no such upload")]
    #[problem(404, "upload/not-found")]
    NotFound,
    /// Another version of the protocol.
    #[error("not tus 1.0.0")]
    #[problem(412, "upload/other-version")]
    OtherVersion,
    /// A header that is missing or cannot be read.
    #[error("bad header {name}")]
    #[problem(400, "upload/bad-header")]
    BadHeader { name: &'static str },
    /// It does not go on where the file ends.
    #[error("the file has {offset} bytes")]
    #[problem(409, "upload/offset")]
    Offset {
        /// How many bytes came so far.
        offset: u64,
    },
    /// More than was announced.
    #[error("more than {bytes} bytes")]
    #[problem(413, "upload/too-long")]
    TooLong {
        /// How many were announced.
        bytes: u64,
    },
    /// Heavier than any file may be.
    #[error("more than {max_bytes} bytes")]
    #[problem(413, "upload/too-large")]
    TooLarge {
        /// The most bytes.
        max_bytes: u64,
    },
    /// The person has as many unfinished uploads as one may have.
    #[error("{max} unfinished uploads")]
    #[problem(409, "upload/too-many")]
    TooMany {
        /// The most.
        max: u64,
    },
    /// The person's unfinished uploads would have more bytes than they may have together.
    #[error("more than {max_bytes} bytes of unfinished uploads")]
    #[problem(409, "upload/too-many-bytes")]
    TooManyBytes {
        /// The most bytes.
        max_bytes: u64,
    },
    /// Another request is sending it now.
    #[error("the upload is being written")]
    #[problem(423, "upload/locked")]
    Locked,
    /// The protocol gives the content type of a piece.
    #[error("not application/offset+octet-stream")]
    #[problem(415, "upload/not-a-piece")]
    NotAPiece,
    /// The file is not accepted.
    #[error(transparent)]
    #[problem(transparent)]
    Media(#[from] MediaError),
    /// Refused before the handler runs.
    #[error(transparent)]
    #[problem(transparent)]
    Rejected(#[from] Rejection),
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}
