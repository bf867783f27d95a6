//! Steps of a trace: those a file brings, and where they stand along the line.

use domain::Text;
use domain::parcours::arrange::{arrange, measure};
use domain::parcours::clean::plain;
use domain::parcours::line::{Along, Pace};
use domain::step::{Step, StepKind};
use store::parcours::NewTrace;
use trace::{Position, Waypoint};

/// A waypoint further from the line than this is not of this parcours.
const WAYPOINT_WITHIN_M: f64 = 1_000.0;
/// The most steps taken from a file.
const MAX_WAYPOINTS: usize = 300;

/// A line measured with the duration of its trace.
pub fn along<'a>(line: &'a [Position], trace: &NewTrace, pace: Pace) -> Along<'a> {
    Along::new(line, pace, trace.summary.duration_s)
}

/// Puts steps at their place along a trace; `old_length_m` is the length their places were measured on.
pub fn arrange_steps(steps: &mut [Step], trace: &NewTrace, pace: Pace, old_length_m: Option<f64>) {
    let line = trace.line();
    arrange(steps, &along(&line, trace, pace), old_length_m);
}

/// A departure, an arrival and the file's own waypoints, where a parcours has no step yet.
pub fn steps_of_file(waypoints: &[Waypoint], trace: &NewTrace, pace: Pace, first_id: i64) -> Vec<Step> {
    let line = trace.line();
    let (Some(first), Some(last)) = (line.first().copied(), line.last().copied()) else { return Vec::new() };
    let measured = along(&line, trace, pace);
    let mut between: Vec<(f64, &Waypoint)> = waypoints
        .iter()
        .filter_map(|waypoint| {
            let foot = measured.nearest(waypoint.position, None, 0.0)?;
            (foot.offset_m <= WAYPOINT_WITHIN_M).then_some((foot.at_m, waypoint))
        })
        .take(MAX_WAYPOINTS)
        .collect();
    between.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut steps = vec![step(StepKind::Departure, first, 0.0, None)];
    steps.extend(
        between.iter().map(|(at_m, waypoint)| step(StepKind::Waypoint, waypoint.position, *at_m, Some(waypoint))),
    );
    steps.push(step(StepKind::Arrival, last, measured.length_m(), None));
    for (id, step) in (first_id..).zip(&mut steps) {
        step.id = id;
    }
    arrange(&mut steps, &measured, None);
    measure(&mut steps, Some(&measured));
    steps
}

fn step(kind: StepKind, position: Position, at_m: f64, waypoint: Option<&&Waypoint>) -> Step {
    let words = |text: Option<&String>, max: usize| {
        let cut: String = text.map(|text| plain(text)).unwrap_or_default().chars().take(max).collect();
        if cut.is_empty() { Text::default() } else { Text::in_french(cut) }
    };
    Step {
        id: 0,
        kind,
        title: words(waypoint.and_then(|waypoint| waypoint.name.as_ref()), 200),
        description: words(waypoint.and_then(|waypoint| waypoint.description.as_ref()), 5_000),
        position,
        at_m: Some(at_m),
        distance_to_next_m: None,
        duration_to_next_s: None,
        distance_to_next_typed_m: None,
        duration_to_next_typed_s: None,
        practice_type_id: None,
        nights: None,
        line_ids: Vec::new(),
    }
}
