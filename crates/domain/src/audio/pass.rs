//! Where the trace comes through the zones of stops.

use serde::Serialize;
use trace::{Position, cumulative_m, distance_m};
use utoipa::ToSchema;

use super::walk::AudioStop;

/// Distance between the sampled places of the trace, in metres.
const STEP_M: f64 = 4.0;
/// A gap shorter than this, in metres, does not end a pass.
const SAME_PASS_M: f64 = 30.0;

/// One passage of the trace through a zone.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
pub struct Pass {
    /// Where it enters, in metres along the trace.
    pub enters_m: f64,
    /// Where it leaves, in metres along the trace.
    pub leaves_m: f64,
}

/// A stop as one meets it on the way.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct StopOnTrace {
    /// The stop.
    pub id: i64,
    /// When it is met in its order; none where the trace does not come there, or not after the stop before.
    pub pass: Option<Pass>,
    /// How often the trace comes through its zone.
    pub times: usize,
    /// Metres to where the next one is met, or to the end.
    pub leg_m: Option<f64>,
}

/// Where stops are met along a line, in their order.
pub fn along(line: &[Position], stops: &[AudioStop]) -> Vec<StopOnTrace> {
    let at_m = cumulative_m(line);
    let total = at_m.last().copied().unwrap_or_default();
    let mut after = 0.0_f64;
    let mut found: Vec<StopOnTrace> = stops
        .iter()
        .map(|stop| {
            let passes = passes(line, &at_m, stop);
            // Zones may touch: the next one begins where it begins, but not before the one before.
            let pass = passes.iter().find(|pass| pass.enters_m >= after || pass.leaves_m > after + STEP_M).copied();
            let pass = pass.map(|pass| Pass { enters_m: pass.enters_m.max(after), ..pass });
            after = pass.map_or(after, |pass| pass.enters_m);
            StopOnTrace { id: stop.id, pass, times: passes.len(), leg_m: None }
        })
        .collect();
    let mut next = total;
    for stop in found.iter_mut().rev() {
        if let Some(pass) = stop.pass {
            stop.leg_m = Some((next - pass.enters_m).max(0.0));
            next = pass.enters_m;
        }
    }
    found
}

fn passes(line: &[Position], at_m: &[f64], stop: &AudioStop) -> Vec<Pass> {
    let zone = Zone::of(stop);
    let mut found: Vec<Pass> = Vec::new();
    let mut take = |m: f64| match found.last_mut() {
        Some(last) if m - last.leaves_m <= SAME_PASS_M => last.leaves_m = m,
        _ => found.push(Pass { enters_m: m, leaves_m: m }),
    };
    for (pair, from_to) in line.windows(2).zip(at_m.windows(2)) {
        let (length, from_m) = (from_to[1] - from_to[0], from_to[0]);
        if !zone.may_touch(pair[0], pair[1]) {
            continue;
        }
        let steps = (length / STEP_M).ceil().clamp(1.0, 100_000.0) as usize;
        for step in 0..=steps {
            let share = step as f64 / steps as f64;
            let at = Position::new(
                pair[0].lon + (pair[1].lon - pair[0].lon) * share,
                pair[0].lat + (pair[1].lat - pair[0].lat) * share,
            );
            if zone.holds(at) {
                take(from_m + length * share);
            }
        }
    }
    found
}

/// Where a stop is heard, with the box around it.
struct Zone<'a> {
    stop: &'a AudioStop,
    west_east: [f64; 2],
    south_north: [f64; 2],
}

impl<'a> Zone<'a> {
    fn of(stop: &'a AudioStop) -> Self {
        if stop.corners.is_empty() {
            let half_height = (stop.radius_m / trace::EARTH_RADIUS_M).to_degrees() * 1.01;
            let half_width = half_height / stop.position.lat.to_radians().cos().max(0.01);
            let Position { lon, lat, .. } = stop.position;
            return Self {
                stop,
                west_east: [lon - half_width, lon + half_width],
                south_north: [lat - half_height, lat + half_height],
            };
        }
        let span = |of: fn(&[f64; 2]) -> f64| {
            let values = stop.corners.iter().map(of);
            values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], one| [low.min(one), high.max(one)])
        };
        Self { stop, west_east: span(|corner| corner[0]), south_north: span(|corner| corner[1]) }
    }

    fn may_touch(&self, a: Position, b: Position) -> bool {
        let meets = |[low, high]: [f64; 2], a: f64, b: f64| a.min(b) <= high && a.max(b) >= low;
        meets(self.west_east, a.lon, b.lon) && meets(self.south_north, a.lat, b.lat)
    }

    fn holds(&self, at: Position) -> bool {
        let corners = &self.stop.corners;
        if corners.is_empty() {
            return distance_m(self.stop.position, at) <= self.stop.radius_m;
        }
        // A ray to the east crosses the edges of a ring an odd number of times from inside.
        let mut inside = false;
        for (index, [ax, ay]) in corners.iter().enumerate() {
            let [bx, by] = corners[(index + 1) % corners.len()];
            if (*ay > at.lat) != (by > at.lat) && at.lon < (bx - ax) * (at.lat - ay) / (by - ay) + ax {
                inside = !inside;
            }
        }
        inside
    }
}
