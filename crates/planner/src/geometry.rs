//! Plane geometry in metres around a place: exact to a few millimetres over the distances it is used for.

use trace::{DEGREE_OF_LATITUDE_M, EARTH_RADIUS_M, Position};

/// A stored coordinate: degrees east and north times 1e7.
pub(crate) type Coord = [i32; 2];

/// Degrees to stored coordinate.
pub(crate) fn coord(lon: f64, lat: f64) -> Coord {
    [(lon * 1e7).round() as i32, (lat * 1e7).round() as i32]
}

/// Stored coordinate to a position.
pub(crate) fn position(c: Coord) -> Position {
    Position::new(f64::from(c[0]) / 1e7, f64::from(c[1]) / 1e7)
}

/// A projected point: metres east and north of a projection's origin.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Xy {
    pub x: f64,
    pub y: f64,
}

impl Xy {
    pub(crate) fn distance_m(self, other: Self) -> f64 {
        // Not `hypot`: metres of a plane neither overflow nor vanish, and it is several times slower.
        ((self.x - other.x).powi(2) + (self.y - other.y).powi(2)).sqrt()
    }

    pub(crate) fn along(self, other: Self, share: f64) -> Self {
        Self { x: self.x + (other.x - self.x) * share, y: self.y + (other.y - self.y) * share }
    }
}

/// An equirectangular projection around an origin, true to scale at its latitude.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Projection {
    lon0: f64,
    lat0: f64,
    /// Metres of a degree east, and north.
    east_m: f64,
    north_m: f64,
}

impl Projection {
    pub(crate) fn at(origin: Position) -> Self {
        // The poles have no ways; the floor only keeps the division in `position` finite.
        let north_m = DEGREE_OF_LATITUDE_M;
        let east_m = north_m * origin.lat.to_radians().cos().max(1e-6);
        Self { lon0: origin.lon, lat0: origin.lat, east_m, north_m }
    }

    pub(crate) fn xy(&self, p: Position) -> Xy {
        Xy { x: (p.lon - self.lon0) * self.east_m, y: (p.lat - self.lat0) * self.north_m }
    }

    pub(crate) fn position(&self, p: Xy) -> Position {
        Position::new(self.lon0 + p.x / self.east_m, self.lat0 + p.y / self.north_m)
    }
}

/// Distances near one latitude without trigonometry for each: rows of points lie close together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ruler {
    lat0: f64,
    cos0: f64,
    sin0: f64,
}

impl Ruler {
    pub(crate) fn at(lat: f64) -> Self {
        let (sin0, cos0) = lat.to_radians().sin_cos();
        Self { lat0: lat, cos0, sin0 }
    }

    /// The cosine of a latitude, by Taylor's series where it is near (good to 1e-8).
    fn cos(&self, lat: f64) -> f64 {
        let away = (lat - self.lat0).to_radians();
        if away.abs() > 0.02 {
            return lat.to_radians().cos();
        }
        let square = away * away;
        self.cos0 * (1.0 - square / 2.0) - self.sin0 * away * (1.0 - square / 6.0)
    }

    /// Distance in metres, within a millionth of [`trace::distance_m`].
    pub(crate) fn distance_m(&self, a: Position, b: Position) -> f64 {
        let (dlon, dlat) = (b.lon - a.lon, b.lat - a.lat);
        if dlon.abs().max(dlat.abs()) > 0.1 {
            return trace::distance_m(a, b);
        }
        let x = dlon * self.cos(f64::midpoint(a.lat, b.lat));
        (x * x + dlat * dlat).sqrt().to_radians() * EARTH_RADIUS_M
    }
}

/// Nearest point of segment `a`-`b` to `p`: (share of the segment 0..=1, distance in metres).
pub(crate) fn nearest_on_segment(p: Xy, a: Xy, b: Xy) -> (f64, f64) {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let square = dx * dx + dy * dy;
    let share = if square > 0.0 { (((p.x - a.x) * dx + (p.y - a.y) * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
    (share, p.distance_m(a.along(b, share)))
}

/// Initial bearing from `a` to `b`, degrees clockwise from north, 0..360.
pub(crate) fn bearing_deg(a: Position, b: Position) -> f64 {
    let to = Projection::at(a).xy(b);
    to.x.atan2(to.y).to_degrees().rem_euclid(360.0)
}

/// Length over which a direction is taken at a junction.
pub(crate) const LOOK_M: f64 = 15.0;

/// Directions of travel at both ends of a line, each over some metres, 65536 to the turn.
pub(crate) fn bearings(line: &[Coord]) -> [u16; 2] {
    let line: Vec<Position> = line.iter().map(|c| position(*c)).collect();
    let along = cumulative_m(&line);
    let total = along[along.len() - 1];
    let stored = |a: Position, b: Position| (bearing_deg(a, b) / 360.0 * 65_536.0).round() as i64 as u16;
    [
        stored(line[0], at_m(&line, &along, LOOK_M.min(total))),
        stored(at_m(&line, &along, (total - LOOK_M).max(0.0)), line[line.len() - 1]),
    ]
}

/// The turn between two stored directions in degrees, -180 to 180, right is positive.
pub(crate) fn stored_turn_deg(from: u16, to: u16) -> f64 {
    f64::from(to.wrapping_sub(from) as i16) * (360.0 / 65_536.0)
}

/// The point between two positions.
pub(crate) fn between(a: Position, b: Position, share: f64) -> Position {
    let mid = |x: f64, y: f64| x + (y - x) * share;
    Position { lon: mid(a.lon, b.lon), lat: mid(a.lat, b.lat), ele: a.ele.zip(b.ele).map(|(x, y)| mid(x, y)) }
}

/// Running distances along a line: one value a point, the first 0.
pub(crate) fn cumulative_m(line: &[Position]) -> Vec<f64> {
    let mut sum = 0.0;
    let mut all = Vec::with_capacity(line.len());
    let ruler = Ruler::at(line.first().map_or(0.0, |p| p.lat));
    for (i, p) in line.iter().enumerate() {
        if i > 0 {
            sum += ruler.distance_m(line[i - 1], *p);
        }
        all.push(sum);
    }
    all
}

/// The point at a distance along a line whose running distances are known.
pub(crate) fn at_m(line: &[Position], along_m: &[f64], at: f64) -> Position {
    let i = along_m.partition_point(|d| *d <= at).clamp(1, line.len().max(2) - 1);
    if i >= line.len() {
        return line[line.len() - 1];
    }
    let length = along_m[i] - along_m[i - 1];
    let share = if length > 0.0 { ((at - along_m[i - 1]) / length).clamp(0.0, 1.0) } else { 0.0 };
    between(line[i - 1], line[i], share)
}

/// A finite place on the Earth.
pub(crate) fn is_on_earth(p: Position) -> bool {
    p.lon.is_finite() && p.lat.is_finite() && p.lon.abs() <= 180.0 && p.lat.abs() <= 90.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_measures_as_the_sphere_does() {
        let a = Position::new(1.5, 42.5);
        let b = Position::new(1.51, 42.507);
        let plane = Projection::at(a).xy(b).distance_m(Xy::default());
        assert!((plane - trace::distance_m(a, b)).abs() < 0.1, "{plane}");
        let back = Projection::at(a).position(Projection::at(a).xy(b));
        assert!(trace::distance_m(back, b) < 1e-3);
    }

    #[test]
    fn a_ruler_measures_as_the_sphere_does() {
        let ruler = Ruler::at(45.0);
        for (a, b) in [((6.0, 45.3), (6.01, 45.29)), ((6.0, 52.0), (6.05, 52.08)), ((179.99, 0.0), (-179.99, 1.0))] {
            let (a, b) = (Position::new(a.0, a.1), Position::new(b.0, b.1));
            let true_m = trace::distance_m(a, b);
            assert!((ruler.distance_m(a, b) / true_m - 1.0).abs() < 1e-6, "{a:?} {b:?}");
        }
    }

    #[test]
    fn a_projection_falls_inside_the_segment() {
        let (a, b) = (Xy { x: 0.0, y: 0.0 }, Xy { x: 10.0, y: 0.0 });
        assert_eq!(nearest_on_segment(Xy { x: 3.0, y: 4.0 }, a, b), (0.3, 4.0));
        assert_eq!(nearest_on_segment(Xy { x: -3.0, y: 4.0 }, a, b), (0.0, 5.0));
        assert_eq!(nearest_on_segment(Xy { x: 3.0, y: 4.0 }, a, a), (0.0, 5.0));
    }

    #[test]
    fn turns_are_signed_and_short() {
        let stored = |deg: f64| (deg / 360.0 * 65_536.0) as u16;
        assert!((stored_turn_deg(stored(350.0), stored(10.0)) - 20.0).abs() < 0.01);
        assert!((stored_turn_deg(stored(10.0), stored(350.0)) + 20.0).abs() < 0.01);
        assert!((bearing_deg(Position::new(0.0, 0.0), Position::new(1.0, 0.0)) - 90.0).abs() < 1e-6);
    }

    #[test]
    fn a_point_is_found_along_a_line() {
        let line = [Position::new(0.0, 0.0), Position::new(0.0, 1.0), Position::new(0.0, 3.0)];
        let along = cumulative_m(&line);
        let p = at_m(&line, &along, along[1] * 2.0);
        assert!((p.lat - 2.0).abs() < 1e-6);
        assert!((at_m(&line, &along, 1e9).lat - 3.0).abs() < 1e-9);
    }
}
