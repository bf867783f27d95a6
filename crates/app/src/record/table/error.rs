//! The errors of a table as a whole. Refused rows are in the report.

use macros::Problem;

use crate::Rejection;
use crate::problem::Internal;
use crate::record::MaybeRace;

/// Why a request on a table is refused.
#[derive(Debug, thiserror::Error, Problem)]
pub enum TableError {
    /// The file is no table.
    #[error("neither CSV nor XLSX")]
    #[problem(422, "table/unreadable")]
    Unreadable,
    /// The compressed file holds more than is read.
    #[error("the workbook unpacks to too much")]
    #[problem(422, "table/unpacks-large")]
    UnpacksLarge,
    /// More rows than are taken, or exported.
    #[error("more than {max} rows")]
    #[problem(422, "table/too-many-rows")]
    TooManyRows {
        /// How many are taken.
        max: usize,
    },
    /// More columns than are read.
    #[error("more than {max} columns")]
    #[problem(422, "table/too-many-columns")]
    TooManyColumns {
        /// How many are read.
        max: usize,
    },
    /// More cells than are read.
    #[error("more than {max} cells")]
    #[problem(422, "table/too-many-cells")]
    TooManyCells {
        /// How many are read.
        max: usize,
        /// How many columns the table has.
        columns: usize,
        /// How many rows of as many columns are read.
        rows: usize,
    },
    /// The name of a column is a formula whose value the workbook does not have.
    #[error("the formula of {cell} has no stored value")]
    #[problem(422, "table/formula-without-value")]
    FormulaWithoutValue {
        /// The cell.
        cell: String,
    },
    /// No column of the first row is one of the table.
    #[error("no column is known")]
    #[problem(422, "table/no-column")]
    NoColumn,
    /// The report is not the one that was confirmed: a record was saved meanwhile.
    #[error("the report changed")]
    #[problem(409, "table/changed")]
    Changed,
    /// The table was written already under this token.
    #[error("the table is written already")]
    #[problem(409, "table/written")]
    Written,
    /// The table cannot be undone any more.
    #[error("nothing to undo")]
    #[problem(404, "record/undo-expired")]
    UndoExpired,
    /// Refused before the handler runs.
    #[error(transparent)]
    #[problem(transparent)]
    Rejected(#[from] Rejection),
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}

impl MaybeRace for TableError {
    fn is_of_race(&self) -> bool {
        matches!(self, Self::Internal(error) if error.is_of_race())
    }
}
