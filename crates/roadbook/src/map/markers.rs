//! Where the numbers go: beside their place, off the line, off each other.

use serde::Serialize;

use crate::map::{Projection, Stop, line};
use crate::svg::Mm;

/// The largest number of markers: more are thinned.
const MAX_MARKERS: usize = 40;
/// Half of a disc and its air, in millimetres.
const RADIUS_MM: f64 = 2.3;

/// A numbered disc and its place.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Marker {
    pub(crate) label: String,
    pub(crate) kind: &'static str,
    pub(crate) size: f64,
    /// The place.
    pub(crate) at: Mm,
    /// The disc's middle.
    pub(crate) disc: Mm,
}

/// Places the discs; also returns whether some were left out.
pub(crate) fn place(stops: &[Stop], lines: &[Vec<Mm>], projection: &Projection) -> (Vec<Marker>, bool) {
    let shown = thin(stops);
    let thinned = shown.len() < stops.len();
    let places: Vec<Mm> = shown.iter().map(|stop| projection.place(stop.at)).collect();
    let mut markers: Vec<Marker> = Vec::with_capacity(shown.len());
    for (stop, &at) in shown.iter().zip(&places) {
        let disc = spot(at, stop.size, &markers, &places, lines, projection.size());
        markers.push(Marker { label: stop.label.clone(), kind: stop.kind, size: stop.size, at, disc });
    }
    (markers, thinned)
}

/// The kept ones and every k-th of the others.
fn thin(stops: &[Stop]) -> Vec<&Stop> {
    let kept = stops.iter().filter(|stop| stop.kept).count();
    if stops.len() <= MAX_MARKERS {
        return stops.iter().collect();
    }
    let room = MAX_MARKERS.saturating_sub(kept).max(1);
    let each = (stops.len() - kept).div_ceil(room).max(1);
    let mut others = 0;
    let shown: Vec<&Stop> = stops
        .iter()
        .filter(|stop| {
            others += usize::from(!stop.kept);
            stop.kept || others % each == 1 || each == 1
        })
        .collect();
    // Even the kept ones may be too many.
    let again = shown.len().div_ceil(MAX_MARKERS);
    let last = shown.len().saturating_sub(1);
    shown
        .into_iter()
        .enumerate()
        .filter(|(index, _)| index % again == 0 || *index == last)
        .map(|(_, stop)| stop)
        .collect()
}

/// The cheapest of the spots around a place.
fn spot(at: Mm, size: f64, taken: &[Marker], places: &[Mm], lines: &[Vec<Mm>], paper: Mm) -> Mm {
    let mut best = (f64::MAX, at);
    for (ring, distance) in [3.8, 5.2, 7.0, 9.5, 12.5].into_iter().enumerate() {
        for turn in 0..16 {
            let angle = f64::from(turn) * std::f64::consts::TAU / 16.0;
            let disc = [at[0] + distance * angle.cos(), at[1] + distance * angle.sin()];
            let cost = ring as f64 * 2.0 + cost(disc, size * RADIUS_MM, taken, places, lines, paper);
            if cost < best.0 - 1e-9 {
                best = (cost, disc);
            }
        }
        if best.0 < 2.0 * (ring as f64 + 1.0) {
            break;
        }
    }
    best.1
}

fn cost(disc: Mm, radius: f64, taken: &[Marker], places: &[Mm], lines: &[Vec<Mm>], paper: Mm) -> f64 {
    let mut cost = 0.0;
    for axis in 0..2 {
        if disc[axis] < radius + 0.5 || disc[axis] > paper[axis] - radius - 0.5 {
            cost += 1000.0;
        }
    }
    // The scale bar, the arrow, who made the data.
    if disc[1] > paper[1] - 9.0 && (disc[0] < 62.0 || disc[0] > paper[0] - 62.0) && disc[1] > paper[1] - 8.0
        || (disc[1] < 13.0 && disc[0] > paper[0] - 12.0)
    {
        cost += 60.0;
    }
    for marker in taken {
        let overlap = radius + marker.size * RADIUS_MM - (disc[0] - marker.disc[0]).hypot(disc[1] - marker.disc[1]);
        if overlap > 0.0 {
            cost += 100.0 + 40.0 * overlap;
        }
    }
    for place in places {
        let overlap = radius + 0.6 - (disc[0] - place[0]).hypot(disc[1] - place[1]);
        if overlap > 0.0 {
            cost += 12.0 * overlap;
        }
    }
    for pair in lines.iter().flat_map(|line| line.windows(2)) {
        let near = radius + 0.7;
        if disc[0] < pair[0][0].min(pair[1][0]) - near
            || disc[0] > pair[0][0].max(pair[1][0]) + near
            || disc[1] < pair[0][1].min(pair[1][1]) - near
            || disc[1] > pair[0][1].max(pair[1][1]) + near
        {
            continue;
        }
        let overlap = near - line::beside(disc, pair[0], pair[1]);
        if overlap > 0.0 {
            cost += 3.0 + 2.0 * overlap;
        }
    }
    cost
}

#[cfg(test)]
mod tests {
    use super::{MAX_MARKERS, RADIUS_MM, place};
    use crate::map::{Projection, Stop};

    fn stops(count: u32) -> Vec<Stop> {
        (0..count)
            .map(|k| Stop {
                label: k.to_string(),
                kind: "step",
                at: [4.0 + 0.002 * f64::from(k), 47.0 + 0.01 * (f64::from(k) * 0.7).sin()],
                kept: k == 0 || k == count - 1,
                size: 1.0,
            })
            .collect()
    }

    #[test]
    fn discs_do_not_touch_and_stay_on_the_paper() {
        let stops = stops(30);
        let trace: Vec<_> = stops.iter().map(|stop| (stop.at[0], stop.at[1], None)).collect();
        let projection = Projection::around(trace.iter(), [123.0, 110.0]);
        let line = crate::map::line::simplified(&trace, &projection);
        let (markers, thinned) = place(&stops, &[line], &projection);
        assert!(!thinned);
        assert_eq!(markers.len(), 30);
        for (index, a) in markers.iter().enumerate() {
            assert!((0..2).all(|axis| a.disc[axis] > 2.0 && a.disc[axis] < projection.size()[axis] - 2.0), "{a:?}");
            for b in &markers[..index] {
                assert!((a.disc[0] - b.disc[0]).hypot(a.disc[1] - b.disc[1]) > 2.0 * RADIUS_MM - 0.8, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn too_many_numbers_are_thinned_but_never_the_ends() {
        let stops = stops(200);
        let trace: Vec<_> = stops.iter().map(|stop| (stop.at[0], stop.at[1], None)).collect();
        let projection = Projection::around(trace.iter(), [123.0, 110.0]);
        let (markers, thinned) = place(&stops, &[], &projection);
        assert!(thinned && markers.len() <= MAX_MARKERS + 1, "{}", markers.len());
        assert_eq!((markers[0].label.as_str(), markers[markers.len() - 1].label.as_str()), ("0", "199"));
    }
}
