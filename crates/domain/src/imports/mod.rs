//! Route imports: where others' routes come from, what becomes of their fields and words, and what a run tells of itself.

mod mapping;
mod run;
mod source;

pub use mapping::{FieldRule, ImportTarget, ValueRule, defaults, list_of_target, word_key};
pub use run::{ImportCounts, ImportMode, ImportNote, ImportOutcome, ImportState};
pub use source::{ForcePublished, ImportFile, ImportKind, ImportSchedule, ImportSourceSheet};
