use serde::de::{SeqAccess, Visitor};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Mean radius of the Earth in metres (IUGG), used for every length in this code.
pub const EARTH_RADIUS_M: f64 = 6_371_008.8;

/// Length of a degree of latitude in metres, on the sphere of [`EARTH_RADIUS_M`]: 111,195.08.
pub const DEGREE_OF_LATITUDE_M: f64 = EARTH_RADIUS_M.to_radians();

/// A point in WGS 84: degrees east, degrees north, metres above the sea where known.
///
/// In JSON it is a GeoJSON position: `[lon, lat]` or `[lon, lat, ele]`.
#[derive(Debug, Clone, Copy, PartialEq)]
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

    /// Degrees to a centimetre, the height to ten: finer digits of a file are noise.
    #[must_use]
    pub fn rounded(self) -> Self {
        let ele = self.ele.filter(|ele| ele.is_finite()).map(|ele| (ele * 10.0).round() / 10.0 + 0.0);
        Self { lon: rounded_degrees(self.lon), lat: rounded_degrees(self.lat), ele }
    }
}

/// Degrees to a centimetre: seven decimals.
pub fn rounded_degrees(degrees: f64) -> f64 {
    // + 0.0 makes of -0 a plain 0.
    (degrees * 1e7).round() / 1e7 + 0.0
}

impl Position {
    /// Whether two positions are one place: the very same coordinates, whatever their elevations.
    #[expect(clippy::float_cmp, reason = "a repeated point has the same digits; near ones are other points")]
    pub fn same_place(self, other: Self) -> bool {
        self.lon == other.lon && self.lat == other.lat
    }
}

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(2 + usize::from(self.ele.is_some())))?;
        list.serialize_element(&self.lon)?;
        list.serialize_element(&self.lat)?;
        if let Some(ele) = &self.ele {
            list.serialize_element(ele)?;
        }
        list.end()
    }
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Numbers)
    }
}

/// A list of numbers: missing ones are NaN, which every check refuses; those after the third are ignored.
struct Numbers;

impl<'de> Visitor<'de> for Numbers {
    type Value = Position;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a position: [longitude, latitude] or [longitude, latitude, height]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Position, A::Error> {
        let lon = list.next_element()?.unwrap_or(f64::NAN);
        let lat = list.next_element()?.unwrap_or(f64::NAN);
        let ele = list.next_element()?;
        while list.next_element::<f64>()?.is_some() {}
        Ok(Position { lon, lat, ele })
    }
}

/// Great-circle distance in metres (haversine).
pub fn distance_m(a: Position, b: Position) -> f64 {
    let (lat_a, lat_b) = (a.lat.to_radians(), b.lat.to_radians());
    let half = |angle: f64| (angle / 2.0).sin().powi(2);
    let h = half(lat_b - lat_a) + lat_a.cos() * lat_b.cos() * half((b.lon - a.lon).to_radians());
    2.0 * EARTH_RADIUS_M * h.sqrt().min(1.0).asin()
}

/// The way from the start to each point, in metres; as long as the line.
pub fn cumulative_m(line: &[Position]) -> Vec<f64> {
    let mut at_m = 0.0;
    let mut cumulative = Vec::with_capacity(line.len());
    for (i, position) in line.iter().enumerate() {
        if i > 0 {
            at_m += distance_m(line[i - 1], *position);
        }
        cumulative.push(at_m);
    }
    cumulative
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_a_list_of_numbers() {
        for text in ["[1.5,42.5]", "[1.5,42.5,1200.0]"] {
            let read: Position = serde_json::from_str(text).expect("a position");
            assert_eq!(serde_json::to_string(&read).expect("written"), text);
        }
        let more: Position = serde_json::from_str("[1, 2, 3, 4, 5]").expect("a position");
        assert_eq!(more, Position { lon: 1.0, lat: 2.0, ele: Some(3.0) });
        let less: Position = serde_json::from_str("[1]").expect("a position");
        assert!(less.lat.is_nan() && less.ele.is_none());
        for text in ["null", "{}", "[\"1\", 2]", "[1, null]", "[1, 2, 3, \"x\"]"] {
            assert!(serde_json::from_str::<Position>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn rounding_leaves_no_minus_zero() {
        let near = Position { lon: -1e-8, lat: -1e-9, ele: Some(-0.01) };
        assert_eq!(serde_json::to_string(&near.rounded()).expect("written"), "[0.0,0.0,0.0]");
        assert!(rounded_degrees(-1e-8).is_sign_positive());
    }
}
