//! A roadbook's data to a PDF: pages, maps, profile, QR. Knows no database.
//!
//! [`data`] tells what goes in; `docs/dev/roadbook.md` what comes out and why.

mod blob;
pub mod data;
mod error;
mod report;
mod request;

pub use blob::Blob;
pub use data::Roadbook;
pub use error::RoadbookError;
pub use report::{Report, Warning, WarningCode};
pub use request::{Output, Rendered, Request};
