//! Route imports: the sources of routes, the mapping of their fields and words, and the report of a run.

mod mapping;
mod run;
mod source;

pub use mapping::{FieldRule, ImportTarget, ValueRule, defaults, list_of_target, word_key};
pub use run::{ImportCounts, ImportInventoryItem, ImportMode, ImportNote, ImportOutcome, ImportPlace, ImportState};
pub use source::{ForcePublished, ImportFile, ImportKind, ImportSchedule, ImportSourceSheet};
