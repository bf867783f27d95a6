//! The profile of a trek: a point is metres from the start, metres above the sea, degrees east and north, slope in percent.

use serde::Serialize;
use trace::{Position, distance_m};

use crate::object::json;

/// Points of a profile at most: a screen shows no more.
const MOST_POINTS: usize = 500;

#[derive(Serialize)]
struct Profile {
    profile: Vec<[f64; 5]>,
    limits: Option<[f64; 2]>,
}

/// The profile of a line, as JSON. Empty where heights are not known.
pub fn profile(line: &[Position]) -> String {
    let step = line.len().div_ceil(MOST_POINTS).max(1);
    let last = line.len().saturating_sub(1);
    let (mut at_m, mut points): (f64, Vec<[f64; 5]>) = (0.0, Vec::new());
    for (number, point) in line.iter().enumerate() {
        if let Some(before) = number.checked_sub(1).and_then(|before| line.get(before)) {
            at_m += distance_m(*before, *point);
        }
        let Some(ele) = point.ele.filter(|_| number % step == 0 || number == last) else { continue };
        let slope = points.last().filter(|before| at_m > before[0]);
        let slope = slope.map_or(0.0, |before| (ele - before[1]) / (at_m - before[0]) * 100.0);
        let tenth = |value: f64| (value * 10.0).round() / 10.0;
        points.push([tenth(at_m), tenth(ele), super::round7(point.lon), super::round7(point.lat), tenth(slope)]);
    }
    let heights = || points.iter().map(|point| point[1]);
    let limits = (!points.is_empty())
        .then(|| [heights().fold(f64::INFINITY, f64::min).floor(), heights().fold(f64::NEG_INFINITY, f64::max).ceil()]);
    json(&Profile { limits, profile: points })
}
