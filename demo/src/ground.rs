//! Where the region lies, and the plane it is drawn on.

/// West, south, east, north, degrees; inside the one elevation tile N44E003.
pub const BBOX: [f64; 4] = [3.02, 44.74, 3.38, 44.96];

/// A place on the drawing plane: metres east and north of the region's south-west corner.
pub type Spot = [f64; 2];

const METRES_A_DEGREE_NORTH: f64 = 111_132.0;
/// At the region's middle latitude: over 25 km the error stays under 0.2 %.
const METRES_A_DEGREE_EAST: f64 = 78_932.0;

/// The region's width, metres.
pub const WIDTH_M: f64 = (BBOX[2] - BBOX[0]) * METRES_A_DEGREE_EAST;
/// The region's height, metres.
pub const HEIGHT_M: f64 = (BBOX[3] - BBOX[1]) * METRES_A_DEGREE_NORTH;

/// Longitude and latitude of a spot.
pub fn degrees(spot: Spot) -> (f64, f64) {
    (BBOX[0] + spot[0] / METRES_A_DEGREE_EAST, BBOX[1] + spot[1] / METRES_A_DEGREE_NORTH)
}

/// The spot of a longitude and a latitude.
pub fn spot(lon: f64, lat: f64) -> Spot {
    [(lon - BBOX[0]) * METRES_A_DEGREE_EAST, (lat - BBOX[1]) * METRES_A_DEGREE_NORTH]
}

/// Whether a spot lies in the region, at least `margin_m` from its border.
pub fn inside(spot: Spot, margin_m: f64) -> bool {
    (margin_m..=WIDTH_M - margin_m).contains(&spot[0]) && (margin_m..=HEIGHT_M - margin_m).contains(&spot[1])
}

/// The distance between two spots, metres.
pub fn distance(a: Spot, b: Spot) -> f64 {
    squared(a, b).sqrt()
}

/// The square of the distance between two spots.
pub fn squared(a: Spot, b: Spot) -> f64 {
    (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])
}

/// The spot a part of the way from `a` to `b`.
pub fn between(a: Spot, b: Spot, part: f64) -> Spot {
    [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part]
}

/// The length of a line, metres.
pub fn length(line: &[Spot]) -> f64 {
    line.windows(2).map(|pair| distance(pair[0], pair[1])).sum()
}

/// The distance from a spot to a segment, and where along the segment (0 to 1) it is nearest.
pub fn to_segment(spot: Spot, a: Spot, b: Spot) -> (f64, f64) {
    let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    let squared = dx * dx + dy * dy;
    let part = if squared > 0.0 { ((spot[0] - a[0]) * dx + (spot[1] - a[1]) * dy) / squared } else { 0.0 };
    let part = part.clamp(0.0, 1.0);
    (distance(spot, between(a, b, part)), part)
}

/// Where two segments cross, as parts of each.
pub fn crossing(a: Spot, b: Spot, c: Spot, d: Spot) -> Option<(f64, f64)> {
    let [rx, ry] = [b[0] - a[0], b[1] - a[1]];
    let [sx, sy] = [d[0] - c[0], d[1] - c[1]];
    let cross = rx * sy - ry * sx;
    if cross.abs() < 1e-9 {
        return None;
    }
    let [qx, qy] = [c[0] - a[0], c[1] - a[1]];
    let (t, u) = ((qx * sy - qy * sx) / cross, (qx * ry - qy * rx) / cross);
    ((0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&u)).then_some((t, u))
}
