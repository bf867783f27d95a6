//! Why a step of a run ends early.

use app::problem::Internal;
use domain::imports::ImportNote;
use store::StoreError;

/// Why a page, a list or a file of a source is not read.
#[derive(Debug)]
pub(crate) enum Halt {
    /// The source, its key or its file is at fault. The note is stored with the run.
    Source(ImportNote),
    /// This server is at fault. The job is tried again.
    Internal(Internal),
}

impl Halt {
    /// The note, where the source is at fault.
    ///
    /// # Errors
    /// The failure, where this server is at fault.
    pub(crate) fn note(self) -> Result<ImportNote, Internal> {
        match self {
            Self::Source(note) => Ok(note),
            Self::Internal(failed) => Err(failed),
        }
    }
}

/// The result for a caller that goes on without what could not be read.
///
/// # Errors
/// The failure, where this server is at fault.
pub(crate) fn or_note<T>(result: Result<T, Halt>) -> Result<Result<T, ImportNote>, Internal> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(halt) => halt.note().map(Err),
    }
}

impl From<ImportNote> for Halt {
    fn from(note: ImportNote) -> Self {
        Self::Source(note)
    }
}

impl From<Internal> for Halt {
    fn from(failed: Internal) -> Self {
        Self::Internal(failed)
    }
}

impl From<StoreError> for Halt {
    fn from(error: StoreError) -> Self {
        Self::Internal(error.into())
    }
}
