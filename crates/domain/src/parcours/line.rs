//! Places along a line: where a position falls, how far and how long from the start.

use std::ops::Range;

use trace::{Position, distance_m};

/// A line with the metres and the seconds from its start at each of its points.
#[derive(Debug, Clone)]
pub struct Along<'a> {
    points: &'a [Position],
    metres: Vec<f64>,
    seconds: Vec<f64>,
}

/// Speeds of a practice: what turns a climb into time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// Kilometres an hour on the flat.
    pub flat_kmh: f64,
    /// Metres an hour up.
    pub ascent_mh: f64,
    /// Metres an hour down.
    pub descent_mh: f64,
    /// Whether a practice sets one of them; else they are the usual ones.
    pub is_set: bool,
}

impl Default for Pace {
    /// On foot (DIN 33466).
    fn default() -> Self {
        Self { flat_kmh: 4.0, ascent_mh: 300.0, descent_mh: 500.0, is_set: false }
    }
}

impl Pace {
    /// Seconds for a stretch: the longer of flat and vertical time, and half of the other (DIN 33466).
    pub fn seconds(self, length_m: f64, ascent_m: f64, descent_m: f64) -> f64 {
        let flat = length_m / (self.flat_kmh.max(0.1) / 3.6);
        let vertical = 3_600.0 * (ascent_m / self.ascent_mh.max(1.0) + descent_m / self.descent_mh.max(1.0));
        flat.max(vertical) + flat.min(vertical) / 2.0
    }
}

/// Where a position falls on a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Foot {
    /// Metres from the start.
    pub at_m: f64,
    /// Metres between the position and the line.
    pub offset_m: f64,
    /// The place on the line.
    pub position: Position,
}

/// Two places on the line whose offsets differ by less than this are equally near: a loop passes twice.
const SAME_PLACE_M: f64 = 30.0;

impl<'a> Along<'a> {
    /// Measures a line. `total_s` is what the whole takes; it is shared out by the pace of each piece.
    pub fn new(points: &'a [Position], pace: Pace, total_s: Option<f64>) -> Self {
        let mut metres = Vec::with_capacity(points.len());
        let mut seconds = Vec::with_capacity(points.len());
        let (mut length_m, mut duration_s) = (0.0, 0.0);
        for (index, point) in points.iter().enumerate() {
            if let Some(before) = index.checked_sub(1).and_then(|i| points.get(i)) {
                let piece_m = distance_m(*before, *point);
                let rise = before.ele.zip(point.ele).map_or(0.0, |(a, b)| b - a);
                length_m += piece_m;
                duration_s += pace.seconds(piece_m, rise.max(0.0), (-rise).max(0.0));
            }
            metres.push(length_m);
            seconds.push(duration_s);
        }
        if let Some(total_s) = total_s.filter(|_| duration_s > 0.0) {
            let scale = total_s / duration_s;
            for second in &mut seconds {
                *second *= scale;
            }
        }
        Self { points, metres, seconds }
    }

    /// Length of the whole, in metres.
    pub fn length_m(&self) -> f64 {
        self.metres.last().copied().unwrap_or(0.0)
    }

    /// The place at a distance in metres from the start; a distance outside the line gives its end.
    pub fn at(&self, at_m: f64) -> Option<Position> {
        let after = self.metres.partition_point(|m| *m < at_m).min(self.points.len().checked_sub(1)?);
        let Some(before) = after.checked_sub(1) else { return self.points.first().copied() };
        let (a, b) = (self.points[before], self.points[after]);
        let piece_m = self.metres[after] - self.metres[before];
        let part = if piece_m > 0.0 { ((at_m - self.metres[before]) / piece_m).clamp(0.0, 1.0) } else { 0.0 };
        Some(Position { lon: a.lon + part * (b.lon - a.lon), lat: a.lat + part * (b.lat - a.lat), ele: None })
    }

    /// Seconds from the start to a place.
    pub fn seconds_at(&self, at_m: f64) -> f64 {
        let after = self.metres.partition_point(|m| *m < at_m);
        let Some(before) = after.checked_sub(1) else { return 0.0 };
        if after >= self.metres.len() {
            return self.seconds.last().copied().unwrap_or(0.0);
        }
        let piece_m = self.metres[after] - self.metres[before];
        let part = if piece_m > 0.0 { (at_m - self.metres[before]) / piece_m } else { 0.0 };
        self.seconds[before] + part * (self.seconds[after] - self.seconds[before])
    }

    /// The nearest place. Of several equally near ones (the line passes twice), the one nearest to `hint_m`,
    /// else the first one not before `after_m`.
    pub fn nearest(&self, position: Position, hint_m: Option<f64>, after_m: f64) -> Option<Foot> {
        let view = View::from(position);
        let pieces: Vec<Approach> = self.approaches(view, 0..self.points.len().saturating_sub(1)).collect();
        let best_m = pieces.iter().map(|piece| piece.offset_m).fold(f64::INFINITY, f64::min);
        let passages: Vec<Foot> =
            local_minima(&pieces, best_m + SAME_PLACE_M).map(|piece| self.foot(piece, view)).collect();
        let by =
            |measure: &dyn Fn(&Foot) -> f64| passages.iter().copied().min_by(|a, b| measure(a).total_cmp(&measure(b)));
        match hint_m {
            Some(hint) => by(&|foot| (foot.at_m - hint).abs()),
            None => {
                passages.iter().copied().find(|foot| foot.at_m >= after_m - 1.0).or_else(|| by(&|foot| foot.offset_m))
            }
        }
    }

    /// The same, but not before `after_m` where the line comes by again later: steps keep their order on a line that passes twice.
    pub fn nearest_in_order(&self, position: Position, hint_m: Option<f64>, after_m: f64) -> Option<Foot> {
        let found = self.nearest(position, hint_m, after_m)?;
        if found.at_m >= after_m - 1.0 {
            return Some(found);
        }
        let later = self.nearest(position, None, after_m).filter(|later| later.at_m >= after_m - 1.0);
        Some(later.unwrap_or(found))
    }

    /// The place within `within_m` metres of a position, not before the first of two distances from the start, that is nearest to
    /// `hint_m`. Only the pieces between the two distances are looked at: a long line is not measured for each of many places.
    pub fn nearest_between(
        &self,
        position: Position,
        hint_m: f64,
        (from_m, to_m): (f64, f64),
        within_m: f64,
    ) -> Option<Foot> {
        let view = View::from(position);
        let last = self.points.len().checked_sub(1)?;
        let first = self.metres.partition_point(|m| *m < from_m).saturating_sub(1);
        let end = self.metres.partition_point(|m| *m <= to_m).min(last);
        // With a neighbour on each side: where the line comes nearer beyond an end, it does not come by at this end.
        let lead = self.metres.partition_point(|m| *m < self.metres[first]).saturating_sub(1);
        let tail = self.metres.partition_point(|m| *m <= self.metres[end]).min(last);
        let pieces: Vec<Approach> = self.approaches(view, lead..tail).collect();
        local_minima(&pieces, within_m)
            .filter(|piece| (first..end).contains(&piece.piece))
            .map(|piece| self.foot(piece, view))
            .filter(|foot| foot.at_m >= from_m && foot.offset_m <= within_m)
            .min_by(|a, b| (a.at_m - hint_m).abs().total_cmp(&(b.at_m - hint_m).abs()))
    }

    /// An end of the line as a foot: the last point where `at_m` is positive, else the first.
    pub fn end(&self, at_m: f64) -> Option<Foot> {
        let position = if at_m > 0.0 { self.points.last() } else { self.points.first() };
        position.map(|position| Foot { at_m, offset_m: 0.0, position: *position })
    }

    /// The nearest place of each of some pieces. Pieces without length are left out, unless the line has no other.
    fn approaches(&self, view: View, pieces: Range<usize>) -> impl Iterator<Item = Approach> + '_ {
        let has_length = self.length_m() > 0.0;
        pieces.filter(move |piece| !has_length || self.metres[piece + 1] > self.metres[*piece]).map(move |piece| {
            let (part, offset_m) = view.to_piece(self.points[piece], self.points[piece + 1]);
            Approach { piece, part, offset_m }
        })
    }

    /// The place on a piece that is nearest to where one looks from.
    fn foot(&self, Approach { piece, part, .. }: Approach, view: View) -> Foot {
        let (a, b) = (self.points[piece], self.points[piece + 1]);
        let on_line = Position {
            lon: a.lon + part * (b.lon - a.lon),
            lat: a.lat + part * (b.lat - a.lat),
            ele: a.ele.zip(b.ele).map(|(low, high)| low + part * (high - low)),
        };
        Foot {
            at_m: self.metres[piece] + part * (self.metres[piece + 1] - self.metres[piece]),
            offset_m: distance_m(view.from, on_line),
            position: on_line,
        }
    }
}

/// The plane that touches the Earth where one looks from, in metres: right for what is near, cheap for what is far.
#[derive(Debug, Clone, Copy)]
struct View {
    from: Position,
    degree_east_m: f64,
    degree_north_m: f64,
}

impl View {
    fn from(from: Position) -> Self {
        let degree_north_m = trace::DEGREE_OF_LATITUDE_M;
        Self { from, degree_east_m: degree_north_m * from.lat.to_radians().cos(), degree_north_m }
    }

    /// How far along a piece its nearest place is, 0 to 1, and how many metres away.
    fn to_piece(self, a: Position, b: Position) -> (f64, f64) {
        let (ax, ay) = ((a.lon - self.from.lon) * self.degree_east_m, (a.lat - self.from.lat) * self.degree_north_m);
        let (dx, dy) = ((b.lon - a.lon) * self.degree_east_m, (b.lat - a.lat) * self.degree_north_m);
        let squared = dx * dx + dy * dy;
        let part = if squared > 0.0 { (-(ax * dx + ay * dy) / squared).clamp(0.0, 1.0) } else { 0.0 };
        (part, (ax + part * dx).hypot(ay + part * dy))
    }
}

/// The nearest place of one piece of a line.
#[derive(Debug, Clone, Copy)]
struct Approach {
    /// Index of its first point.
    piece: usize,
    /// How far along the piece the place is, 0 to 1.
    part: f64,
    /// Metres from where one looks to the place.
    offset_m: f64,
}

/// The places from which the line goes away on both sides, and that are near enough: one for each time the line comes by.
/// A place inside a piece always is one. A point that two pieces share is one where neither piece has a nearer place, and it is
/// counted once. Two pieces that meet in a sharp turn are two passages: out and back on the same path.
fn local_minima(pieces: &[Approach], within_m: f64) -> impl Iterator<Item = Approach> + '_ {
    pieces.iter().enumerate().filter_map(move |(index, here)| {
        let before = index.checked_sub(1).map(|i| &pieces[i]).filter(|_| here.part <= 0.0);
        let after = pieces.get(index + 1).filter(|_| here.part >= 1.0);
        let nearest = before.is_none_or(|before| here.offset_m < before.offset_m)
            && after.is_none_or(|after| here.offset_m <= after.offset_m);
        (nearest && here.offset_m <= within_m).then_some(*here)
    })
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test that cannot set itself up fails here; whole numbers compare"
)]
mod tests {
    use super::*;

    /// East 1 km, back west 1 km, along the equator, 100 m a piece.
    fn there_and_back() -> Vec<Position> {
        let degree = 100.0 / trace::DEGREE_OF_LATITUDE_M;
        (0..=10).chain((0..10).rev()).map(|i| Position::new(f64::from(i) * degree, 0.0)).collect()
    }

    #[test]
    fn a_place_passed_twice_is_distinguished_by_its_order_or_its_hint() {
        let points = there_and_back();
        let line = Along::new(&points, Pace::default(), None);
        let place = Position::new(points[3].lon, 0.0001);
        let at = |hint, after| line.nearest(place, hint, after).unwrap().at_m.round();
        assert_eq!(at(None, 0.0), 300.0);
        assert_eq!(at(None, 800.0), 1700.0);
        assert_eq!(at(Some(1650.0), 0.0), 1700.0);
        assert!((line.nearest(place, None, 0.0).unwrap().offset_m - 11.1).abs() < 0.1);
    }

    #[test]
    fn a_step_near_the_turn_of_a_way_there_and_back_keeps_its_side() {
        let points = there_and_back();
        let line = Along::new(&points, Pace::default(), None);
        for metres_before_the_turn in [1.0, 14.0, 27.0, 80.0] {
            for at_m in [1_000.0 - metres_before_the_turn, 1_000.0 + metres_before_the_turn] {
                let place = line.at(at_m).unwrap();
                let found = line.nearest(place, Some(at_m), 0.0).unwrap();
                assert!((found.at_m - at_m).abs() < 0.1, "{at_m}: {found:?}");
            }
        }
    }

    #[test]
    fn between_two_distances_only_what_the_line_passes_there_is_found() {
        let points = there_and_back();
        let doubled: Vec<_> = points.iter().flat_map(|point| [*point; 2]).collect();
        for points in [&points, &doubled] {
            let line = Along::new(points, Pace::default(), None);
            let place = Position::new(points[points.len() / 7].lon, 0.0001);
            let out_m = line.nearest(place, None, 0.0).unwrap().at_m;
            let back_m = 2_000.0 - out_m;
            let found = |hint_m, between_m, within_m| {
                line.nearest_between(place, hint_m, between_m, within_m).map(|foot| foot.at_m.round())
            };
            assert_eq!(found(out_m, (0.0, 2_000.0), 20.0), Some(out_m.round()));
            assert_eq!(found(back_m, (0.0, 2_000.0), 20.0), Some(back_m.round()));
            assert_eq!(found(out_m, (out_m + 10.0, f64::INFINITY), 20.0), Some(back_m.round()));
            assert_eq!(found(out_m, (out_m + 10.0, back_m - 110.0), 20.0), None, "neither way is in between");
            assert_eq!(found(out_m, (0.0, 2_000.0), 5.0), None, "it stands 11 m beside");
            assert_eq!(found(out_m, (3_000.0, 4_000.0), 20.0), None);
        }
        // The last piece ends beside the place, and the line comes nearer behind it.
        let line = Along::new(&points, Pace::default(), None);
        let place = line.at(405.0).unwrap();
        assert_eq!(line.nearest_between(place, 400.0, (0.0, 399.5), 20.0), None);
        assert_eq!(Along::new(&[], Pace::default(), None).nearest_between(place, 0.0, (0.0, 1.0), 20.0), None);
    }

    #[test]
    fn points_that_stand_twice_change_no_place() {
        let points = there_and_back();
        let doubled: Vec<_> = points.iter().flat_map(|point| [*point; 2]).collect();
        let (line, same) = (Along::new(&points, Pace::default(), None), Along::new(&doubled, Pace::default(), None));
        for lon in [-0.001, 0.0, points[3].lon, 0.0041, points[10].lon, 0.02] {
            for (hint, after) in [(None, 0.0), (None, 800.0), (Some(1_650.0), 0.0)] {
                let place = Position::new(lon, 0.0001);
                assert_eq!(line.nearest(place, hint, after), same.nearest(place, hint, after), "{lon} {hint:?}");
            }
        }
        let still = [points[0]; 3];
        let nowhere = Along::new(&still, Pace::default(), None).nearest(Position::new(0.0, 0.0), None, 0.0).unwrap();
        assert_eq!((nowhere.at_m, nowhere.position), (0.0, points[0]));
    }

    #[test]
    fn time_is_shared_out_by_effort_and_sums_to_the_total() {
        let mut points = there_and_back();
        points.truncate(11);
        for (index, point) in points.iter_mut().enumerate() {
            point.ele = Some(if index < 6 { 0.0 } else { (index as f64 - 5.0) * 20.0 });
        }
        let line = Along::new(&points, Pace::default(), Some(3_600.0));
        assert!((line.seconds_at(line.length_m()) - 3_600.0).abs() < 1e-6);
        assert!(line.seconds_at(500.0) < 1_500.0, "the flat half takes less than the climb");
        assert_eq!(line.seconds_at(-5.0), 0.0);
    }

    #[test]
    fn a_kilometre_up_a_hundred_metres_takes_what_the_standard_says() {
        // DIN 33466: 1 km at 4 km/h = 15 min, 100 m up = 20 min: 20 + 15 / 2.
        assert!((Pace::default().seconds(1_000.0, 100.0, 0.0) - 27.5 * 60.0).abs() < 1e-6);
    }

    #[test]
    fn an_empty_line_has_no_place() {
        assert!(Along::new(&[], Pace::default(), Some(10.0)).nearest(Position::new(0.0, 0.0), None, 0.0).is_none());
    }
}
