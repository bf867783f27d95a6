//! A press that prints here, not in a child: tests look at the roadbook.

use api::roadbook::{Press, Printing};
use roadbook::{Request, RoadbookError};

/// Prints on a thread of the test's own.
#[derive(Debug, Clone, Copy)]
pub struct PressHere;

impl Press for PressHere {
    fn print(&self, request: Request) -> Printing<'_> {
        Box::pin(async move {
            let printed = tokio::task::spawn_blocking(move || roadbook::render(&request)).await;
            printed.unwrap_or_else(|error| Err(RoadbookError::Crashed { detail: error.to_string() }))
        })
    }
}
