//! A part of the land that a line may run through: an area, or the surroundings of another line.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::projection::{Projection, between, nearest};
use crate::{Position, bbox, distance_m, widened};

/// Distance between the sampled places of a line, in metres.
const STEP_M: f64 = 5.0;
/// Two stretches closer than this are joined, in metres.
const SAME_STRETCH_M: f64 = 20.0;
/// A stretch along another line that is shorter than this only crosses it, in metres.
const FOLLOWS_FROM_M: f64 = 25.0;

/// A part of the land.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The area inside a ring; its last point may repeat the first.
    Area(Vec<Position>),
    /// The surroundings of a line.
    Along {
        line: Vec<Position>,
        /// Metres to either side.
        within_m: f64,
    },
}

/// A stretch of a line, in metres from its start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    /// Where it begins.
    pub from_m: f64,
    /// Where it ends.
    pub to_m: f64,
}

impl Part {
    /// The box around it in degrees: west, south, east, north. `None` if it has no points.
    pub fn bbox(&self) -> Option<[f64; 4]> {
        let (points, within_m) = match self {
            Self::Area(ring) => (ring, 0.0),
            Self::Along { line, within_m } => (line, *within_m),
        };
        bbox(points).map(|around| widened(around, within_m))
    }

    /// Whether a place is in it.
    pub fn holds(&self, p: Position) -> bool {
        match self {
            Self::Area(ring) => is_inside(ring, p),
            Self::Along { line, within_m } => {
                let projection = Projection::around(p);
                line.windows(2).any(|pair| {
                    let (_, distance2) = nearest((0.0, 0.0), projection.xy(pair[0]), projection.xy(pair[1]));
                    distance2 <= within_m * within_m
                })
            }
        }
    }

    /// The stretches of a line that are inside it, in order, to the nearest five metres. Along a line, short crossings are left out.
    pub fn stretches(&self, line: &[Position]) -> Vec<Stretch> {
        let Some(around) = self.bbox() else { return Vec::new() };
        let mut found: Vec<Stretch> = Vec::new();
        let mut start_m = 0.0;
        for pair in line.windows(2) {
            let length_m = distance_m(pair[0], pair[1]);
            if meets(around, pair) {
                self.walk(pair, start_m, length_m, &mut found);
            }
            start_m += length_m;
        }
        let least_m = if matches!(self, Self::Along { .. }) { FOLLOWS_FROM_M } else { 0.0 };
        found.retain(|stretch| stretch.to_m - stretch.from_m >= least_m);
        found
    }

    fn walk(&self, pair: &[Position], start_m: f64, length_m: f64, found: &mut Vec<Stretch>) {
        let parts = (length_m / STEP_M).ceil().max(1.0);
        let mut at = 0.0;
        while at < parts {
            if self.holds(between(pair[0], pair[1], (at + 0.5) / parts)) {
                let (from_m, to_m) = (start_m + length_m * at / parts, start_m + length_m * (at + 1.0) / parts);
                match found.last_mut() {
                    Some(last) if from_m - last.to_m < SAME_STRETCH_M => last.to_m = to_m,
                    _ => found.push(Stretch { from_m, to_m }),
                }
            }
            at += 1.0;
        }
    }
}

fn meets([west, south, east, north]: [f64; 4], pair: &[Position]) -> bool {
    let (a, b) = (pair[0], pair[1]);
    a.lon.min(b.lon) <= east && a.lon.max(b.lon) >= west && a.lat.min(b.lat) <= north && a.lat.max(b.lat) >= south
}

/// The even-odd rule on longitudes and latitudes: enough for rings of a few kilometres that do not cross the date line.
fn is_inside(ring: &[Position], p: Position) -> bool {
    let mut inside = false;
    for (index, a) in ring.iter().enumerate() {
        let b = ring[(index + 1) % ring.len()];
        let crosses = (a.lat > p.lat) != (b.lat > p.lat);
        if crosses && p.lon < a.lon + (p.lat - a.lat) / (b.lat - a.lat) * (b.lon - a.lon) {
            inside = !inside;
        }
    }
    inside
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    fn at(x: f64, y: f64) -> Position {
        Position::new(
            6.0 + x / crate::DEGREE_OF_LATITUDE_M / 45f64.to_radians().cos(),
            45.0 + y / crate::DEGREE_OF_LATITUDE_M,
        )
    }

    fn square() -> Part {
        Part::Area(vec![at(100.0, -50.0), at(300.0, -50.0), at(300.0, 50.0), at(100.0, 50.0)])
    }

    fn metres(part: &Part, line: &[Position]) -> Vec<(i64, i64)> {
        part.stretches(line).iter().map(|s| (s.from_m.round() as i64, s.to_m.round() as i64)).collect()
    }

    #[test]
    fn a_line_through_an_area_is_inside_from_edge_to_edge() {
        let line = [at(0.0, 0.0), at(1_000.0, 0.0)];
        let found = metres(&square(), &line);
        assert_eq!(found.len(), 1);
        assert!((found[0].0 - 100).abs() <= 5 && (found[0].1 - 300).abs() <= 5, "{found:?}");
        let twice = [at(0.0, 0.0), at(400.0, 0.0), at(0.0, 10.0)];
        assert_eq!(metres(&square(), &twice).len(), 2, "there and back");
        assert!(metres(&square(), &[at(0.0, 60.0), at(400.0, 60.0)]).is_empty());
        assert!(metres(&square(), &[]).is_empty() && metres(&Part::Area(Vec::new()), &line).is_empty());
    }

    #[test]
    fn following_a_closed_way_counts_and_crossing_it_does_not() {
        let closed = Part::Along { line: vec![at(100.0, 0.0), at(300.0, 0.0)], within_m: 10.0 };
        let along = metres(&closed, &[at(0.0, 4.0), at(500.0, 4.0)]);
        assert_eq!(along.len(), 1);
        assert!((along[0].0 - 95).abs() <= 10 && (along[0].1 - 305).abs() <= 10, "{along:?}");
        assert!(metres(&closed, &[at(200.0, -200.0), at(200.0, 200.0)]).is_empty());
    }

    #[test]
    fn the_box_goes_as_far_as_the_part() {
        let [west, south, east, north] =
            Part::Along { line: vec![at(0.0, 0.0), at(100.0, 0.0)], within_m: 10.0 }.bbox().unwrap();
        let (low, high) = (at(-10.0, -10.0), at(110.0, 10.0));
        for (given, true_) in [(west, low.lon), (south, low.lat), (east, high.lon), (north, high.lat)] {
            assert!((given - true_).abs() < 1e-6, "{given} {true_}");
        }
    }
}
