//! Hostile inputs, and the check that a reader's time is proportional to its input. For tests and fuzz targets only.

mod hostile;
mod measure;

pub use hostile::{Input, inputs, mixed};
pub use measure::{Slow, check, soak, within_budget};

/// A function that reads what others wrote, as each crate lists its own in `READERS`: its name, the function, and the texts to put
/// around a hostile input so that it gets past the beginning of the format.
pub type Reader = (&'static str, fn(&[u8]), &'static [(&'static str, &'static str)]);
