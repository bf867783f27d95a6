//! Pictures and fonts beside the data: bytes, or a file for the process that sets the pages.

use std::path::PathBuf;

/// The content of a `blob` name of the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Blob {
    /// The file's content, handed over with the request.
    Bytes(Vec<u8>),
    /// A file of this machine: nothing is copied until a page needs it.
    File(PathBuf),
}
