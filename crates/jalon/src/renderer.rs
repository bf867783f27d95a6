//! Roadbooks are printed by children of this very program (`jalon roadbook-worker`), within a limit of memory: a drawing of some kilobytes
//! can take gigabytes. Their time is limited by the pool, for each roadbook: a child makes many.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use app::{PdfRenderer, Printing};
use metrics::histogram;
use roadbook::{Pool, PoolOptions, Request, RoadbookError};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tracing::Instrument as _;

/// The memory of a child: ten times what the largest roadbooks of the measurements take. It is counted without reserved addresses, of
/// which the allocator takes 64 MB for each heap, and so more on a machine with more cores.
const WORKER_MEMORY: u64 = 1536 * 1024 * 1024;

/// The work of a child: makes roadbooks until its input ends.
pub fn work() -> std::io::Result<()> {
    // One that crashes leaves no core file, which would hold what it read.
    for (resource, most) in [(Resource::Data, WORKER_MEMORY), (Resource::Core, 0)] {
        // A limit may not be raised.
        let most = getrlimit(resource).maximum.map_or(most, |own| own.min(most));
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    roadbook::serve(std::io::stdin().lock(), std::io::stdout().lock(), |_| {})
}

/// Children of this program.
#[derive(Debug)]
pub struct Children {
    pool: Arc<Pool>,
}

impl Children {
    /// None is started before the first roadbook.
    pub fn new() -> std::io::Result<Self> {
        let program = std::env::current_exe()?;
        Ok(Self { pool: Arc::new(Pool::new(PoolOptions::new(program, &["roadbook-worker"]))) })
    }
}

impl PdfRenderer for Children {
    fn print(&self, request: Request) -> Printing<'_> {
        let pool = Arc::clone(&self.pool);
        let leave = Leave::default();
        let left = Arc::clone(&leave.0);
        let span = tracing::info_span!("roadbook");
        let printing = async move {
            let (_leave, started) = (leave, Instant::now());
            let printed = tokio::task::spawn_blocking(move || pool.render_unless(&request, &left)).await;
            let printed = printed.unwrap_or_else(|error| Err(RoadbookError::Crashed { detail: error.to_string() }));
            let outcome = if printed.is_ok() { "done" } else { "failed" };
            histogram!("jalon_roadbook_duration_seconds", "outcome" => outcome).record(started.elapsed());
            printed
        };
        Box::pin(printing.instrument(span))
    }
}

/// When dropped, notes that the request was given up: it is then not started, if it has not begun.
#[derive(Default)]
struct Leave(Arc<AtomicBool>);

impl Drop for Leave {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}
