//! Heights of a recording, read at places near it, such as the points of a planned line.

use crate::geometry::{Projection, Xy, between, cumulative_m, nearest_on_segment};
use trace::{Heights, Position, distance_m};

/// How far ahead along the recording, after the piece of the last place, the next place is searched, in metres.
const AHEAD_M: f64 = 400.0;
/// How far back along the recording a line may go, in metres: one that goes back further is on a later passage.
const BACK_M: f64 = 5.0;
/// A passage this much further off than the nearest one is still taken where it comes first.
const SAME_PASSAGE_M: f64 = 15.0;
/// A place further off than this is not on the recording: its height is not taken from there.
const LOST_M: f64 = 60.0;
/// By how many metres the search is extended for each metre that the line runs away from the recording.
const AHEAD_OF_LOST: f64 = 1.5;
/// The most pieces examined for one line; places after that get no height.
const MAX_LOOKS: usize = 20_000_000;
/// Share of the points that must know their height.
const MIN_KNOWN_SHARE: f64 = 0.9;

/// A recording with heights.
pub(crate) struct RecordedHeights {
    points: Vec<Position>,
    along_m: Vec<f64>,
    is_calm: bool,
}

impl RecordedHeights {
    /// `None` where too few points know their height, or all say 0, as programs write "unknown".
    pub(crate) fn of(points: &[Position]) -> Option<Self> {
        let known = points.iter().filter(|p| p.ele.is_some_and(f64::is_finite)).count();
        let says_something = points.iter().any(|p| p.ele.is_some_and(|e| e.is_finite() && e.abs() > 0.01));
        let is_enough = points.len() > 1 && known as f64 >= MIN_KNOWN_SHARE * points.len() as f64;
        let heights = Heights::of(points).filter(|_| is_enough && says_something)?;
        let along_m = cumulative_m(&heights.points);
        Some(Self { along_m, is_calm: heights.jitter < 0.5, points: heights.points })
    }

    /// Whether its heights have so little noise that they come from a barometer.
    pub(crate) fn is_calm(&self) -> bool {
        self.is_calm
    }

    /// A function from a place to its height in metres, to be called in the order of travel. Each search starts where the last place
    /// was found and goes forward, so that a trace that passes twice keeps the heights of each passage. `None` away from the recording.
    pub(crate) fn sampler(&self) -> impl FnMut(Position) -> Option<f64> {
        let mut walk = Walk::new(self);
        move |place| walk.height_at(place)
    }
}

/// A line followed along a recording.
struct Walk<'a> {
    recorded: &'a RecordedHeights,
    /// The furthest place found, in metres along the recording.
    reached_m: f64,
    /// Metres gone since the line left the recording.
    lost_m: f64,
    last: Option<Position>,
    looks_left: usize,
    /// For each piece examined: its number, the nearest point on it (as a share of its length), and the distance to that point.
    seen: Vec<(usize, f64, f64)>,
}

impl<'a> Walk<'a> {
    fn new(recorded: &'a RecordedHeights) -> Self {
        Self { recorded, reached_m: 0.0, lost_m: 0.0, last: None, looks_left: MAX_LOOKS, seen: Vec::new() }
    }

    fn height_at(&mut self, place: Position) -> Option<f64> {
        let gone_m = self.last.map_or(0.0, |last| distance_m(last, place));
        self.last = Some(place);
        let Some((piece, share)) = self.passage(place) else {
            self.lost_m += gone_m;
            return None;
        };
        self.lost_m = 0.0;
        let (points, along_m) = (&self.recorded.points, &self.recorded.along_m);
        self.reached_m = self.reached_m.max(along_m[piece] + (along_m[piece + 1] - along_m[piece]) * share);
        between(points[piece], points[piece + 1], share).ele.filter(|e| e.is_finite())
    }

    /// The first passage near a place: a piece of the recording, and where on it.
    fn passage(&mut self, place: Position) -> Option<(usize, f64)> {
        self.find_pieces(place);
        let off_m = |(_, _, off_m): &(usize, f64, f64)| *off_m;
        let least_m = self.seen.iter().map(off_m).reduce(f64::min).filter(|least_m| *least_m <= LOST_M)?;
        let is_near = |seen: &(usize, f64, f64)| off_m(seen) <= least_m + SAME_PASSAGE_M;
        let passage = self.seen.iter().skip_while(|seen| !is_near(seen)).take_while(|seen| is_near(seen));
        let (piece, share, _) = passage.min_by(|a, b| off_m(a).total_cmp(&off_m(b)))?;
        Some((*piece, *share))
    }

    /// Fills `seen` with the pieces of the recording that are examined for a place: from [`BACK_M`] behind the furthest place found to
    /// [`AHEAD_M`] ahead of it.
    fn find_pieces(&mut self, place: Position) {
        self.seen.clear();
        let (points, along_m) = (&self.recorded.points, &self.recorded.along_m);
        let last = points.len() - 2;
        let piece_at = |at: f64| along_m.partition_point(|m| *m <= at).saturating_sub(1).min(last);
        let from_m = (self.reached_m - BACK_M).max(0.0);
        let to_m = along_m[piece_at(self.reached_m) + 1] + AHEAD_M + self.lost_m * AHEAD_OF_LOST;
        let projection = Projection::at(place);
        for i in piece_at(from_m)..=last {
            if along_m[i] > to_m || self.looks_left == 0 {
                break;
            }
            self.looks_left -= 1;
            let length_m = along_m[i + 1] - along_m[i];
            let least = if length_m > 0.0 { ((from_m - along_m[i]) / length_m).clamp(0.0, 1.0) } else { 0.0 };
            let (a, b) = (projection.xy(points[i]), projection.xy(points[i + 1]));
            let share = nearest_on_segment(Xy::default(), a, b).0.max(least);
            self.seen.push((i, share, Xy::default().distance_m(a.along(b, share))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testmap::at;

    #[test]
    fn each_passage_keeps_its_heights() {
        let high = |x: f64, ele: f64| Position { ele: Some(ele), ..at(x, 0.0) };
        let mut line: Vec<Position> = (0..=60).map(|i| high(f64::from(i) * 10.0, 100.0)).collect();
        line.extend((0..60).rev().map(|i| high(f64::from(i) * 10.0, 200.0)));
        let recorded = RecordedHeights::of(&line).expect("heights");
        let mut sampler = recorded.sampler();
        let there: Vec<f64> = (0..50).filter_map(|i| sampler(at(f64::from(i) * 10.0, 5.0))).collect();
        let turn = [50, 55, 58].map(|i| sampler(at(f64::from(i) * 10.0, 5.0)));
        assert!(there.iter().all(|h| (*h - 100.0).abs() < 1e-9) && turn.iter().all(Option::is_some));
    }

    #[test]
    fn points_far_apart_are_passed() {
        let high = |x: f64, ele: f64| Position { ele: Some(ele), ..at(x, 0.0) };
        let recorded = RecordedHeights::of(&[high(0.0, 0.0), high(900.0, 90.0), high(1900.0, 190.0)]).expect("heights");
        let mut sampler = recorded.sampler();
        let heights: Vec<f64> = (0..=19).filter_map(|i| sampler(at(f64::from(i) * 100.0, 5.0))).collect();
        assert!((0..=19).all(|i| (heights[i] - 10.0 * i as f64).abs() < 0.1), "{heights:?}");
    }

    /// East and back with a side trip to the north and back at 500 m, so that a line goes the same way twice.
    fn with_a_side_trip() -> Vec<Position> {
        let high = |x: f64, y: f64, along: f64| Position { ele: Some(300.0 + along / 10.0), ..at(x, y) };
        let east = (0..=50).map(|i| (f64::from(i) * 10.0, 0.0));
        let out = (1..=60).map(|i| (500.0, f64::from(i) * 10.0));
        let back = (0..60).rev().map(|i| (500.0, f64::from(i) * 10.0));
        let on = (51..=200).map(|i| (f64::from(i) * 10.0, 0.0));
        let places = east.chain(out).chain(back).chain(on).enumerate();
        places.map(|(i, (x, y))| high(x, y, i as f64 * 10.0)).collect()
    }

    /// The heights that a line of places beside a recording is given.
    fn heights(recording: &[Position], line: impl Iterator<Item = Position>) -> Vec<Option<f64>> {
        let recorded = RecordedHeights::of(recording).expect("heights");
        let mut sampler = recorded.sampler();
        line.map(&mut sampler).collect()
    }

    #[test]
    fn a_side_trip_there_and_back_does_not_hold_a_line_up() {
        let recording = with_a_side_trip();
        for is_back in [false, true] {
            let mut line = recording.clone();
            if is_back {
                line.reverse();
            }
            // Places between the points and beside the line, as the ways lie.
            for every in [1, 2] {
                let beside =
                    line.iter().step_by(every).map(|p| Position { lon: p.lon + 2e-5, lat: p.lat - 1e-5, ele: None });
                let found = heights(&line, beside);
                for (p, height) in line.iter().step_by(every).zip(&found) {
                    let (sampled, known) = (height.expect("on the recording"), p.ele.expect("a height"));
                    assert!((sampled - known).abs() < 5.0, "{sampled} for {known} at {p:?}, back: {is_back}");
                }
            }
        }
    }

    #[test]
    fn a_line_that_leaves_the_recording_finds_it_again() {
        let high = |x: f64| Position { ele: Some(100.0 + x / 10.0), ..at(x, 0.0) };
        let recording: Vec<Position> = (0..=300).map(|i| high(f64::from(i) * 10.0)).collect();
        // From 500 m to 2,000 m the line runs 300 m to the north.
        let line = (0..=50)
            .map(|i| at(f64::from(i) * 10.0, 0.0))
            .chain((1..30).map(|i| at(500.0, f64::from(i) * 10.0)))
            .chain((50..=200).map(|i| at(f64::from(i) * 10.0, 300.0)))
            .chain((1..30).rev().map(|i| at(2_000.0, f64::from(i) * 10.0)))
            .chain((200..=300).map(|i| at(f64::from(i) * 10.0, 0.0)));
        let found = heights(&recording, line);
        assert!(found[150].is_none(), "{:?}", found[150]);
        let end = found.last().copied().flatten().expect("on the recording again");
        assert!((end - 400.0).abs() < 2.0, "{end}");
    }

    #[test]
    fn missing_and_zero_heights_are_no_heights() {
        assert!(RecordedHeights::of(&[at(0.0, 0.0), at(9.0, 0.0)]).is_none());
        let zero = Position { ele: Some(0.0), ..at(0.0, 0.0) };
        assert!(RecordedHeights::of(&[zero, zero]).is_none());
    }
}
