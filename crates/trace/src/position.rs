use serde::{Deserialize, Serialize};

/// Mean radius of the Earth in metres (IUGG), as used by every length in the house.
pub const EARTH_RADIUS_M: f64 = 6_371_008.8;

/// A point in WGS 84: degrees east, degrees north, metres above the sea where known.
///
/// In JSON it is a GeoJSON position: `[lon, lat]` or `[lon, lat, ele]`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<f64>", into = "Vec<f64>")]
pub struct Position {
    /// Degrees east, -180 to 180.
    pub lon: f64,
    /// Degrees north, -90 to 90.
    pub lat: f64,
    /// Metres above the sea.
    pub ele: Option<f64>,
}

impl Position {
    /// A position without elevation.
    pub const fn new(lon: f64, lat: f64) -> Self {
        Self { lon, lat, ele: None }
    }
}

impl Position {
    /// Whether two positions are one place: the very same coordinates, whatever their elevations.
    #[expect(clippy::float_cmp, reason = "a repeated point has the same digits; near ones are other points")]
    pub fn same_place(self, other: Self) -> bool {
        self.lon == other.lon && self.lat == other.lat
    }
}

impl From<Vec<f64>> for Position {
    fn from(values: Vec<f64>) -> Self {
        let at = |i: usize| values.get(i).copied();
        Self { lon: at(0).unwrap_or(f64::NAN), lat: at(1).unwrap_or(f64::NAN), ele: at(2) }
    }
}

impl From<Position> for Vec<f64> {
    fn from(p: Position) -> Self {
        let mut values = vec![p.lon, p.lat];
        values.extend(p.ele);
        values
    }
}

/// Great-circle distance in metres (haversine).
pub fn distance_m(a: Position, b: Position) -> f64 {
    let (lat_a, lat_b) = (a.lat.to_radians(), b.lat.to_radians());
    let half = |angle: f64| (angle / 2.0).sin().powi(2);
    let h = half(lat_b - lat_a) + lat_a.cos() * lat_b.cos() * half((b.lon - a.lon).to_radians());
    2.0 * EARTH_RADIUS_M * h.sqrt().min(1.0).asin()
}
