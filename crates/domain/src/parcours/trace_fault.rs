//! What a stored trace has otherwise than a save would store it.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::TraceSummary;
use super::arrange::{Misplaced, misplaced};
use super::line::Along;
use crate::Text;
use crate::step::Step;

/// A length that differs by more than this from that of the line is another one, in metres.
const SAME_LENGTH_M: f64 = 1.0;

/// What is stored otherwise than a save would store it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TraceFault {
    /// A step is not at its place of the line, and is not marked as beside it.
    StepOffLine {
        step_id: i64,
        title: Text,
        /// Metres between the step and its place.
        metres: f64,
    },
    /// The departure is not at the start of the line, or the arrival not at its end.
    StepNotAtEnd { step_id: i64, title: Text },
    /// A step comes after one that is further along.
    StepOutOfOrder { step_id: i64, title: Text },
    /// The length of the sheet is not that of the line.
    OtherLength {
        /// Metres on the sheet.
        sheet_m: f64,
        /// Metres of the line.
        line_m: f64,
    },
}

impl TraceFault {
    /// Whether placing the steps again mends it.
    pub const fn is_of_a_step(&self) -> bool {
        !matches!(self, Self::OtherLength { .. })
    }
}

impl fmt::Display for TraceFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StepOffLine { step_id, metres, .. } => {
                write!(f, "step {step_id} is {metres:.0} m from its place of the line")
            }
            Self::StepNotAtEnd { step_id, .. } => write!(f, "step {step_id} is not at the end of the line"),
            Self::StepOutOfOrder { step_id, .. } => write!(f, "step {step_id} comes after one that is further along"),
            Self::OtherLength { sheet_m, line_m } => {
                write!(f, "the sheet says {sheet_m:.0} m, the line is {line_m:.0} m long")
            }
        }
    }
}

/// The faults of a stored trace: its steps against its line, and the length of its sheet where it was not typed.
pub fn trace_faults(steps: &[Step], summary: &TraceSummary, along: &Along<'_>) -> Vec<TraceFault> {
    let title_of = |id: i64| steps.iter().find(|step| step.id == id).map(|step| step.title.clone()).unwrap_or_default();
    let mut faults: Vec<TraceFault> = misplaced(steps, along)
        .into_iter()
        .map(|(step_id, why)| {
            let title = title_of(step_id);
            match why {
                Misplaced::OffLine(metres) => TraceFault::StepOffLine { step_id, title, metres },
                Misplaced::NotAtEnd => TraceFault::StepNotAtEnd { step_id, title },
                Misplaced::OutOfOrder => TraceFault::StepOutOfOrder { step_id, title },
            }
        })
        .collect();
    let sheet_m = summary.distance_m.filter(|_| summary.distance_typed_m.is_none());
    if let Some(sheet_m) = sheet_m.filter(|sheet_m| (sheet_m - along.length_m()).abs() > SAME_LENGTH_M) {
        faults.push(TraceFault::OtherLength { sheet_m, line_m: along.length_m().round() });
    }
    faults
}
