//! The answer of a handler that panicked.

use std::any::Any;

use app::problem::Problem;
use axum::response::Response;

/// A panic is a failure of the server: its message is logged, the answer has the request number.
#[expect(clippy::needless_pass_by_value, reason = "the layer hands it over")]
pub(crate) fn answer(panic: Box<dyn Any + Send>) -> Response {
    let words = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no words");
    tracing::error!(panic = words, "a handler panicked");
    Problem::hidden(500).into_answer()
}
