//! How far a parcours follows an itinerary, on the ground.

use std::collections::HashMap;

use trace::{DEGREE_OF_LATITUDE_M, Position, distance_m};

use super::MultiLine;

/// A parcours follows the way where it runs nearer to it than this.
pub const FOLLOWED_WITHIN_M: f64 = 30.0;
/// The line that is judged is looked at this often.
const LOOK_EVERY_M: f64 = 10.0;
/// The way is entered into its cells this often.
const ENTER_EVERY_M: f64 = 20.0;
/// The side of a cell. Half of the distance between two entries and the distance that is near fit into it, so that the
/// nine cells around a place hold every piece that may be near.
const CELL_M: f64 = 60.0;

/// The line of an itinerary, ready to be asked how near it is.
#[derive(Debug)]
pub struct Way {
    pieces: Vec<(Position, Position)>,
    cells: HashMap<(i64, i64), Vec<u32>>,
    degree_east_m: f64,
}

impl Way {
    /// Enters a line into cells.
    pub fn of(line: &MultiLine) -> Self {
        let [_, south, _, north] = line.bbox().unwrap_or_default();
        // The cells of one way are of one width; it is least where the way is furthest from the equator.
        let furthest = south.abs().max(north.abs()).to_radians();
        let degree_east_m = DEGREE_OF_LATITUDE_M * furthest.cos().max(0.01);
        let mut way = Self { pieces: Vec::new(), cells: HashMap::new(), degree_east_m };
        for piece in line.pieces() {
            for pair in piece.windows(2) {
                way.enter(pair[0], pair[1]);
            }
        }
        way
    }

    fn enter(&mut self, from: Position, to: Position) {
        let number = u32::try_from(self.pieces.len()).unwrap_or(u32::MAX);
        self.pieces.push((from, to));
        for place in along(from, to, ENTER_EVERY_M) {
            let cell = self.cells.entry(cell_of(place, self.degree_east_m)).or_default();
            if cell.last() != Some(&number) {
                cell.push(number);
            }
        }
    }

    /// How many metres of a line run along the way.
    pub fn followed_m(&self, line: &[Position]) -> f64 {
        line.windows(2).map(|pair| self.followed_of_piece_m(pair[0], pair[1])).sum()
    }

    /// Each stretch between two looks counts where its middle is near.
    fn followed_of_piece_m(&self, from: Position, to: Position) -> f64 {
        let length_m = distance_m(from, to);
        let looks = (length_m / LOOK_EVERY_M).ceil().max(1.0);
        let near = (0..looks as u32).filter(|look| {
            let part = (f64::from(*look) + 0.5) / looks;
            self.is_near(between(from, to, part))
        });
        length_m * near.count() as f64 / looks
    }

    fn is_near(&self, place: Position) -> bool {
        let (x, y) = cell_of(place, self.degree_east_m);
        let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (x + dx, y + dy)));
        let mut pieces = around.filter_map(|cell| self.cells.get(&cell)).flatten();
        pieces.any(|number| {
            self.pieces.get(*number as usize).is_some_and(|(from, to)| offset_m(place, *from, *to) <= FOLLOWED_WITHIN_M)
        })
    }
}

fn cell_of(place: Position, degree_east_m: f64) -> (i64, i64) {
    let cell = |metres: f64| (metres / CELL_M).floor() as i64;
    (cell(place.lon * degree_east_m), cell(place.lat * DEGREE_OF_LATITUDE_M))
}

fn between(from: Position, to: Position, part: f64) -> Position {
    Position::new(from.lon + part * (to.lon - from.lon), from.lat + part * (to.lat - from.lat))
}

fn along(from: Position, to: Position, every_m: f64) -> impl Iterator<Item = Position> {
    let steps = (distance_m(from, to) / every_m).ceil().max(1.0);
    (0..=steps as u32).map(move |step| between(from, to, f64::from(step) / steps))
}

/// Metres between a place and a piece, on the plane that touches the Earth at the place.
fn offset_m(place: Position, from: Position, to: Position) -> f64 {
    let east_m = DEGREE_OF_LATITUDE_M * place.lat.to_radians().cos();
    let flat = |p: Position| ((p.lon - place.lon) * east_m, (p.lat - place.lat) * DEGREE_OF_LATITUDE_M);
    let ((ax, ay), (bx, by)) = (flat(from), flat(to));
    let (dx, dy) = (bx - ax, by - ay);
    let squared = dx * dx + dy * dy;
    let part = if squared > 0.0 { (-(ax * dx + ay * dy) / squared).clamp(0.0, 1.0) } else { 0.0 };
    (ax + part * dx).hypot(ay + part * dy)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 10 km east along 45° north, a point each 500 m.
    fn east(lat: f64) -> Vec<Position> {
        (0..=20).map(|i| Position::new(2.0 + f64::from(i) * 500.0 / 78_626.0, lat)).collect()
    }

    fn north(metres: f64) -> f64 {
        45.0 + metres / DEGREE_OF_LATITUDE_M
    }

    #[test]
    fn a_line_beside_the_way_follows_it_and_one_further_off_does_not() {
        let way = Way::of(&MultiLine::of([east(45.0)]));
        assert!((way.followed_m(&east(north(25.0))) - 10_000.0).abs() < 20.0);
        assert!(way.followed_m(&east(north(35.0))) < 1.0);
        assert!(way.followed_m(&[]) < 1.0);
    }

    #[test]
    fn a_crossing_is_as_long_as_the_way_is_wide() {
        let way = Way::of(&MultiLine::of([east(45.0)]));
        let crossing = [Position::new(2.05, north(-2_000.0)), Position::new(2.05, north(2_000.0))];
        assert!((way.followed_m(&crossing) - 60.0).abs() <= LOOK_EVERY_M);
    }

    #[test]
    fn half_of_a_line_that_leaves_is_followed() {
        let way = Way::of(&MultiLine::of([east(45.0)]));
        let mut line = east(45.0);
        line.truncate(11);
        line.push(Position::new(line[10].lon, north(5_000.0)));
        assert!((way.followed_m(&line) - 5_030.0).abs() < 15.0);
    }
}
