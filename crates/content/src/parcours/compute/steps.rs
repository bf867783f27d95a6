//! Steps of a trace: those of a file, and their places along the line.

use domain::Text;
use domain::html::plain;
use domain::parcours::arrange::{arrange, measure};
use domain::parcours::line::{Along, Pace};
use domain::rest::Rest;
use domain::step::{Step, StepKind};
use store::parcours::NewTrace;
use trace::{Position, Waypoint};

/// A waypoint further from the line than this is not of this parcours.
const WAYPOINT_WITHIN_M: f64 = 1_000.0;
/// The most steps taken from a file.
const MAX_WAYPOINTS: usize = 300;

/// A line measured with the duration of its trace.
pub fn along<'a>(line: &'a [Position], trace: &NewTrace, pace: Pace) -> Along<'a> {
    trace.summary.along(line, pace)
}

/// Puts steps at their place along a trace; `old_length_m` is the length their places were measured on.
pub fn arrange_steps(steps: &mut [Step], trace: &NewTrace, pace: Pace, old_length_m: Option<f64>) {
    let line = trace.line();
    arrange(steps, &along(&line, trace, pace), old_length_m);
}

/// A departure, an arrival and the file's own waypoints, where a parcours has no step yet.
pub fn steps_of_file(waypoints: &[Waypoint], trace: &NewTrace, pace: Pace, first_id: i64) -> Vec<Step> {
    let words = |text: Option<&String>| text.map(Text::in_french).unwrap_or_default();
    let of_file = waypoints.iter().map(|waypoint| {
        let (title, description) = (words(waypoint.name.as_ref()), words(waypoint.description.as_ref()));
        step(StepKind::Waypoint, waypoint.position, &title, &description)
    });
    steps_between(of_file.collect(), trace, pace, first_id)
}

/// A departure, an arrival, and between them the places on the trace, in its order.
pub fn steps_between(found: Vec<Step>, trace: &NewTrace, pace: Pace, first_id: i64) -> Vec<Step> {
    let line = trace.line();
    let (Some(first), Some(last)) = (line.first().copied(), line.last().copied()) else { return Vec::new() };
    let measured = along(&line, trace, pace);
    let mut between: Vec<(f64, Step)> = found
        .into_iter()
        .filter_map(|step| {
            let foot = measured.nearest(step.position, None, 0.0)?;
            (foot.offset_m <= WAYPOINT_WITHIN_M).then_some((foot.at_m, step))
        })
        .take(MAX_WAYPOINTS)
        .collect();
    between.sort_by(|a, b| a.0.total_cmp(&b.0));
    let nothing = Text::default();
    let end = |kind, position| step(kind, position, &nothing, &nothing);
    let mut steps = vec![Step { at_m: Some(0.0), ..end(StepKind::Departure, first) }];
    steps.extend(between.into_iter().map(|(at_m, step)| Step { at_m: Some(at_m), ..step }));
    steps.push(Step { at_m: Some(measured.length_m()), ..end(StepKind::Arrival, last) });
    for (id, step) in (first_id..).zip(&mut steps) {
        step.id = id;
    }
    arrange(&mut steps, &measured, None);
    measure(&mut steps, Some(&measured));
    steps
}

/// A step with the texts of a source, cut to the longest that a step may have.
pub fn step(kind: StepKind, position: Position, title: &Text, description: &Text) -> Step {
    let words = |text: &Text, max: usize| -> Text {
        let cut = |words: &str| plain(words).chars().take(max).collect::<String>();
        text.iter().map(|(language, words)| (language.to_owned(), cut(words))).collect()
    };
    Step {
        id: 0,
        kind,
        title: words(title, 200),
        description: words(description, 5_000),
        position,
        at_m: None,
        beside_m: None,
        distance_to_next_m: None,
        duration_to_next_s: None,
        distance_to_next_typed_m: None,
        duration_to_next_typed_s: None,
        practice_type_id: None,
        nights: None,
        line_ids: Vec::new(),
        rest: Rest::default(),
    }
}
