//! Visitors' feedback: reviews of a parcours, and reports of what they found on it.

mod given;
mod rating;
mod report;
mod review;

pub use rating::Rating;
pub use report::{NewReport, REPORT_EMAIL_KEPT_S, ReportKind, ReportState, SOLVED_EMAIL_KEPT_S, check_warning};
pub use review::{
    ANSWER_CHARS, NewReview, Objection, REVIEW_EMAIL_KEPT_S, ReviewState, UNCONFIRMED_KEPT_S, check_answer, check_words,
};
