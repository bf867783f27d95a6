//! Steps: the named places along a parcours, in the order they are met.

use serde::{Deserialize, Serialize};
use trace::Position;
use utoipa::ToSchema;

use crate::html::{clean_text, plain, plain_line};
use crate::rest::{self, KeepsRest, Rest};
use crate::text::check_text;
use crate::{Fault, Text};

/// What a step is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// A point the trace goes through (point de passage).
    Waypoint,
    /// Étape.
    #[default]
    Step,
    /// Étape optionnelle.
    OptionalStep,
    /// One night.
    Night,
    /// Several nights.
    Nights,
    /// Étape with a night.
    StepNight,
    /// Départ.
    Departure,
    /// Arrivée.
    Arrival,
    /// Coup de cœur.
    Favourite,
    /// Conseil.
    Advice,
}

impl StepKind {
    /// All ten, in the order of the specification.
    pub const ALL: [Self; 10] = [
        Self::Waypoint,
        Self::Step,
        Self::OptionalStep,
        Self::Night,
        Self::Nights,
        Self::StepNight,
        Self::Departure,
        Self::Arrival,
        Self::Favourite,
        Self::Advice,
    ];

    /// Whether a stage ends here: what the list counts as stages.
    pub const fn ends_a_stage(self) -> bool {
        matches!(self, Self::Step | Self::StepNight | Self::Night | Self::Nights)
    }
}

impl Step {
    /// How many nights are spent at a step of a kind of night: those typed, else two of several and one of the others.
    pub fn nights_spent(&self) -> i64 {
        self.nights.unwrap_or(if self.kind == StepKind::Nights { 2 } else { 1 }).max(1)
    }
}

/// A step, in the form that is stored and sent to clients.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Step {
    /// Unique within its parcours, never used again.
    pub id: i64,
    pub kind: StepKind,
    pub title: Text,
    /// Plain text.
    pub description: Text,
    /// Its place.
    pub position: Position,
    /// Metres from the start, along the trace; absent without a trace.
    pub at_m: Option<f64>,
    /// Metres to the line, of a step beside it; absent on it, and without a trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside_m: Option<f64>,
    /// Metres to the next step: the typed value, else along the trace.
    pub distance_to_next_m: Option<f64>,
    /// Seconds to the next step: the typed value, else the share of the trace's duration.
    pub duration_to_next_s: Option<f64>,
    /// Metres to the next step as typed by hand.
    pub distance_to_next_typed_m: Option<f64>,
    /// Seconds to the next step as typed by hand.
    pub duration_to_next_typed_s: Option<f64>,
    /// The practice from here on, where it changes.
    pub practice_type_id: Option<i64>,
    /// Number of nights.
    pub nights: Option<i64>,
    /// Lines of public transport that stop here.
    #[serde(default)]
    pub line_ids: Vec<i64>,
    /// Stored fields that this version does not know.
    #[serde(skip)]
    pub rest: Rest,
}

impl Step {
    /// Metres to the next step: as typed by hand, else those along the trace, scaled by `TraceSummary::sheet_per_m`.
    pub fn scaled_distance_to_next_m(&self, sheet_per_m: f64) -> Option<f64> {
        self.distance_to_next_typed_m.or_else(|| self.distance_to_next_m.map(|metres| metres * sheet_per_m))
    }
}

impl KeepsRest for Step {
    fn rest(&self) -> &Rest {
        &self.rest
    }

    fn rest_mut(&mut self) -> &mut Rest {
        &mut self.rest
    }
}

/// A step in a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StepInput {
    /// The step it changes; absent for a new one.
    #[serde(default)]
    pub id: Option<i64>,
    pub kind: StepKind,
    #[serde(default)]
    pub title: Text,
    /// Plain text.
    #[serde(default)]
    pub description: Text,
    /// Its place.
    pub position: Position,
    /// Where along the trace it was put, which distinguishes two passes at one place.
    #[serde(default)]
    pub at_m: Option<f64>,
    /// Ignored: the server works it out.
    #[serde(default, skip_serializing)]
    #[schema(value_type = Option<f64>)]
    pub beside_m: serde::de::IgnoredAny,
    /// Ignored: the server works it out. Accepted so that a step can be sent back as it came.
    #[serde(default, skip_serializing)]
    #[schema(value_type = Option<f64>)]
    pub distance_to_next_m: serde::de::IgnoredAny,
    /// Ignored, as the distance.
    #[serde(default, skip_serializing)]
    #[schema(value_type = Option<f64>)]
    pub duration_to_next_s: serde::de::IgnoredAny,
    /// Metres to the next step as typed by hand.
    #[serde(default)]
    pub distance_to_next_typed_m: Option<f64>,
    /// Seconds to the next step as typed by hand.
    #[serde(default)]
    pub duration_to_next_typed_s: Option<f64>,
    /// The practice from here on, where it changes.
    #[serde(default)]
    pub practice_type_id: Option<i64>,
    /// Number of nights.
    #[serde(default)]
    pub nights: Option<i64>,
    /// Lines of public transport that stop here.
    #[serde(default)]
    pub line_ids: Vec<i64>,
}

/// What steps point to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StepReferences {
    pub practices: Vec<i64>,
    /// Lines of public transport.
    pub lines: Vec<i64>,
}

impl StepReferences {
    /// The references of the steps of a request.
    pub fn of_inputs(steps: &[StepInput]) -> Self {
        Self {
            practices: steps.iter().filter_map(|step| step.practice_type_id).collect(),
            lines: steps.iter().flat_map(|step| step.line_ids.iter().copied()).collect(),
        }
    }

    /// The references of stored steps.
    pub fn of(steps: &[Step]) -> Self {
        Self {
            practices: steps.iter().filter_map(|step| step.practice_type_id).collect(),
            lines: steps.iter().flat_map(|step| step.line_ids.iter().copied()).collect(),
        }
    }
}

/// The most lines of a step.
pub const MAX_STEP_LINES: usize = 50;
/// The most steps of a parcours.
pub const MAX_STEPS: usize = 1_000;
/// The Earth's circumference, in metres: no stretch is longer.
pub const MAX_DISTANCE_M: f64 = 40_075_000.0;
/// A year.
pub const MAX_DURATION_S: f64 = 31_622_400.0;

/// The faults of a list of steps, each on its own field.
pub fn check_steps(steps: &[StepInput], languages: &[String]) -> Vec<Fault> {
    let mut faults = Vec::new();
    if steps.len() > MAX_STEPS {
        faults.push(Fault::new("validation/too-many", "/steps").with("max", MAX_STEPS));
        return faults;
    }
    for (index, step) in steps.iter().enumerate() {
        check_step(&format!("/steps/{index}"), step, languages, &mut faults);
    }
    for (kind, code) in [(StepKind::Departure, "parcours/two-departures"), (StepKind::Arrival, "parcours/two-arrivals")]
    {
        if let Some((index, _)) = steps.iter().enumerate().filter(|(_, step)| step.kind == kind).nth(1) {
            faults.push(Fault::new(code, format!("/steps/{index}/kind")));
        }
    }
    let mut seen = std::collections::HashSet::new();
    for (index, id) in steps.iter().enumerate().filter_map(|(index, step)| step.id.map(|id| (index, id))) {
        if !seen.insert(id) {
            faults.push(Fault::new("parcours/step-twice", format!("/steps/{index}/id")).with("id", id));
        }
    }
    faults
}

/// The faults of a distance in metres and a duration in seconds that were typed by hand, each with its field.
pub fn check_typed(distance: (&str, Option<f64>), duration: (&str, Option<f64>), faults: &mut Vec<Fault>) {
    for ((field, value), max) in [(distance, MAX_DISTANCE_M), (duration, MAX_DURATION_S)] {
        if value.is_some_and(|value| !(0.0..=max).contains(&value)) {
            faults.push(Fault::new("validation/out-of-range", field).with("min", 0).with("max", max));
        }
    }
}

fn check_step(at: &str, step: &StepInput, languages: &[String], faults: &mut Vec<Fault>) {
    let Position { lon, lat, ele } = step.position;
    if !(lon.abs() <= 180.0 && lat.abs() <= 90.0 && ele.is_none_or(f64::is_finite)) {
        faults.push(Fault::new("validation/position-outside-world", format!("{at}/position")));
    }
    check_text(&format!("{at}/title"), &step.title, 200, languages, faults);
    check_text(&format!("{at}/description"), &step.description, 20_000, languages, faults);
    check_typed(
        (&format!("{at}/distance_to_next_typed_m"), step.distance_to_next_typed_m),
        (&format!("{at}/duration_to_next_typed_s"), step.duration_to_next_typed_s),
        faults,
    );
    if step.nights.is_some_and(|nights| !(1..=365).contains(&nights)) {
        faults.push(Fault::new("validation/out-of-range", format!("{at}/nights")).with("min", 1).with("max", 365));
    }
    if step.line_ids.len() > MAX_STEP_LINES {
        faults.push(Fault::new("validation/too-many", format!("{at}/line_ids")).with("max", MAX_STEP_LINES));
    }
}

/// Turns inputs into steps: identifiers of this parcours are kept, the others are new ones after `last_id`.
/// Returns the steps and the last identifier given out. Distances are worked out afterwards, along the trace.
pub fn number_steps(inputs: Vec<StepInput>, known: &[Step], last_id: i64) -> (Vec<Step>, i64) {
    let mut last = last_id;
    let steps = inputs
        .into_iter()
        .map(|input| {
            let before = known.iter().find(|step| input.id == Some(step.id));
            let id = before.map_or_else(
                || {
                    last += 1;
                    last
                },
                |step| step.id,
            );
            let rest = before.map(|step| step.rest.clone()).unwrap_or_default();
            Step { rest, ..into_step(id, input) }
        })
        .collect();
    (steps, last)
}

fn into_step(id: i64, input: StepInput) -> Step {
    let (mut title, mut description, mut line_ids) = (input.title, input.description, input.line_ids);
    let mut seen = std::collections::HashSet::new();
    line_ids.retain(|id| seen.insert(*id));
    clean_text(&mut title, &plain_line);
    clean_text(&mut description, &plain);
    Step {
        id,
        kind: input.kind,
        title,
        description,
        position: input.position,
        at_m: input.at_m.filter(|at| at.is_finite()),
        beside_m: None,
        distance_to_next_m: None,
        duration_to_next_s: None,
        distance_to_next_typed_m: input.distance_to_next_typed_m,
        duration_to_next_typed_s: input.duration_to_next_typed_s,
        practice_type_id: input.practice_type_id,
        nights: input.nights,
        line_ids,
        rest: Rest::default(),
    }
}

/// Steps of another state that take the place of the present ones, each with what only the present one of its number holds of unknown
/// fields.
pub fn in_place_of(state: Vec<Step>, present: &[Step]) -> Vec<Step> {
    let one = |step: Step| match present.iter().find(|other| other.id == step.id) {
        Some(present) => rest::in_place_of(step, present),
        None => step,
    };
    state.into_iter().map(one).collect()
}

/// How many stages the steps make: one more than the stops on the way, none without steps.
pub fn stage_count(steps: &[Step]) -> i64 {
    if steps.is_empty() {
        return 0;
    }
    let last = steps.len() - 1;
    let stops = steps
        .iter()
        .enumerate()
        .filter(|(index, step)| *index != 0 && *index != last && step.kind.ends_a_stage())
        .count();
    stops as i64 + 1
}

/// The label on the marker of each step, in the editor, on sheets, on pages and in roadbooks: D, A, or its rank among the others.
/// The web app numbers unsaved steps by the same rule: `web/src/records/parcours/step-labels.ts`.
pub fn step_labels(steps: &[Step]) -> Vec<String> {
    let mut rank = 0;
    let label = |step: &Step| match step.kind {
        StepKind::Departure => "D".to_owned(),
        StepKind::Arrival => "A".to_owned(),
        _ => {
            rank += 1;
            rank.to_string()
        }
    };
    steps.iter().map(label).collect()
}
