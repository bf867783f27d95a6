//! What can be refused about events and figures.

use app::Rejection;
use app::problem::Internal;
use domain::Fault;
use macros::Problem;

/// Why events are refused. None of a request is kept then.
#[derive(Debug, thiserror::Error, Problem)]
pub enum EventsError {
    /// Some are not what an event is.
    #[error("{} faults", errors.len())]
    #[problem(422, "events/refused")]
    Refused {
        /// Each with its place in the request.
        errors: Vec<Fault>,
    },
    /// More from one address than people send.
    #[error("too many events, wait {retry_after_s} s")]
    #[problem(429, "events/too-many")]
    TooMany {
        /// Seconds to wait.
        retry_after_s: i64,
    },
    /// Refused before the handler runs.
    #[error(transparent)]
    #[problem(transparent)]
    Rejected(#[from] Rejection),
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}

/// Why figures are not returned, or not taken in.
#[derive(Debug, thiserror::Error, Problem)]
pub enum StatisticsError {
    /// A period that ends before it starts, or is too long.
    #[error("the period is not from an earlier to a later day within {days} days")]
    #[problem(422, "statistics/bad-period", field = "/to")]
    BadPeriod {
        /// The longest one.
        days: i64,
    },
    /// A white-label that is not theirs.
    #[error("no white-label {id} of theirs")]
    #[problem(404, "statistics/white-label-not-found")]
    WhiteLabelNotFound { id: i64 },
    /// A report without a header.
    #[error("no header with a column of dates")]
    #[problem(422, "statistics/report-no-header", field = "/file")]
    ReportNoHeader,
    /// A report without figures.
    #[error("line {line}: no column of installs or uninstalls")]
    #[problem(422, "statistics/report-no-figures", field = "/file")]
    ReportNoFigures {
        /// Line of the header.
        line: usize,
    },
    /// A day that cannot be read.
    #[error("line {line}: `{value}` is no day")]
    #[problem(422, "statistics/report-bad-day", field = "/file")]
    ReportBadDay {
        line: usize,
        /// The text in the cell.
        value: String,
    },
    /// A number that cannot be read.
    #[error("line {line}: `{value}` is no number")]
    #[problem(422, "statistics/report-bad-number", field = "/file")]
    ReportBadNumber {
        line: usize,
        /// The text in the cell.
        value: String,
    },
    /// A header and nothing below.
    #[error("no figures below the header")]
    #[problem(422, "statistics/report-empty", field = "/file")]
    ReportEmpty,
    /// Figures of a day that is not over.
    #[error("{day} is yet to come")]
    #[problem(422, "statistics/report-future", field = "/file")]
    ReportFuture {
        /// The last day of the report.
        day: String,
    },
    #[error("the report is of {store}")]
    #[problem(422, "statistics/report-of-other-store", field = "/store")]
    ReportOfOtherStore {
        /// The store the file is from.
        store: &'static str,
    },
    /// Refused before the handler runs.
    #[error(transparent)]
    #[problem(transparent)]
    Rejected(#[from] Rejection),
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}
