//! A parcours: its sheet, its rules, its trace in figures and its card in a list.

pub mod arrange;
pub mod availability;
mod bulk;
pub mod card;
pub mod clean;
pub mod line;
pub mod passport;
mod references;
pub mod relation;
pub mod ribbon;
pub mod rules;
mod sheet;
mod trace_fault;
mod trace_state;
mod words;

pub use bulk::{BulkAction, BulkChange, BulkList};
pub use card::{Card, Drawing};
pub use references::{STEP_LINES, references, repoint};
pub use sheet::{AGENCY_FIELDS, READ_ONLY_FIELDS, Sheet, agency_fields_in, apply_patch};
pub use trace_fault::{TraceFault, trace_faults};
pub use trace_state::{
    By, IgnoredGap, Leg, LegKind, RELIABILITY_THRESHOLD, ReliabilityState, Repaired, SourceFile, TraceMode,
    TraceOrigin, TraceSummary, end_warnings,
};
pub use words::{DisplayPriority, Inheritable, Progress, Relation};

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests;
