//! The renderer of roadbooks. The program that starts the server provides it, so that a crash in it does not end this process.

use std::fmt::Debug;
use std::pin::Pin;

use roadbook::{Rendered, Request, RoadbookError};

/// A rendering that runs; dropping it ends it.
pub type Printing<'a> = Pin<Box<dyn Future<Output = Result<Rendered, RoadbookError>> + Send + 'a>>;

/// Prints roadbooks.
pub trait PdfRenderer: Debug + Send + Sync {
    /// Prints one roadbook. The request names the tiles that the maps are drawn from.
    fn print(&self, request: Request) -> Printing<'_>;
}
