//! PDF renderers of the tests: one that renders in this process instead of a child process, and one that counts.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use app::{PdfRenderer, Printing};
use roadbook::{Rendered, Report, Request, RoadbookError};
use tokio::sync::{Notify, Semaphore};

/// Renders in the process of the test.
#[derive(Debug, Clone, Copy)]
pub struct InProcessRenderer;

impl PdfRenderer for InProcessRenderer {
    fn print(&self, request: Request) -> Printing<'_> {
        Box::pin(async move {
            let printed = tokio::task::spawn_blocking(move || roadbook::render(&request)).await;
            printed.unwrap_or_else(|error| Err(RoadbookError::Crashed { detail: error.to_string() }))
        })
    }
}

/// Counts the requests, and answers each with a few bytes once a permit is given.
#[derive(Debug)]
pub struct CountingRenderer {
    started: AtomicUsize,
    starts: Notify,
    open: Semaphore,
}

impl Default for CountingRenderer {
    fn default() -> Self {
        Self { started: AtomicUsize::new(0), starts: Notify::new(), open: Semaphore::new(Semaphore::MAX_PERMITS) }
    }
}

impl CountingRenderer {
    /// A renderer that answers nothing before [`CountingRenderer::open`].
    pub fn closed() -> Self {
        Self { open: Semaphore::new(0), ..Self::default() }
    }

    /// Lets a number of roadbooks be printed.
    pub fn open(&self, count: usize) {
        self.open.add_permits(count);
    }

    /// How many were begun.
    pub fn started(&self) -> usize {
        self.started.load(Ordering::SeqCst)
    }

    /// Waits until a number of roadbooks were begun; `false` if that takes too long.
    pub async fn reaches(&self, count: usize, within: Duration) -> bool {
        let reached = async {
            loop {
                let next = self.starts.notified();
                if self.started() >= count {
                    return;
                }
                next.await;
            }
        };
        tokio::time::timeout(within, reached).await.is_ok()
    }
}

impl PdfRenderer for CountingRenderer {
    fn print(&self, request: Request) -> Printing<'_> {
        let number = self.started.fetch_add(1, Ordering::SeqCst) + 1;
        self.starts.notify_waiters();
        Box::pin(async move {
            let detail = || RoadbookError::Crashed { detail: "the test is over".to_owned() };
            self.open.acquire().await.map_err(|_| detail())?.forget();
            let pdf = format!("%PDF- {number} {}", request.roadbook.trip.title).into_bytes();
            Ok(Rendered { pdf, previews: Vec::new(), report: Report::default() })
        })
    }
}
