//! A line in several pieces, as GeoJSON has it.

use serde::{Deserialize, Serialize};
use trace::{Position, simplify};
use utoipa::ToSchema;

use crate::Fault;
use crate::record::{Field, Rule, Shape};

/// The most points of a line: what has more is thinned until it fits.
pub const MAX_LINE_POINTS: usize = 20_000;
/// Tolerance of the first thinning of a line with too many points.
const THINNED_M: f64 = 2.0;

/// A GeoJSON `MultiLineString`; a `LineString` is taken as one of a single piece.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "Given")]
pub struct MultiLine {
    #[serde(rename = "type")]
    kind: MultiLineType,
    /// Its pieces: degrees east and north.
    #[schema(value_type = Vec<Vec<trace::Place>>)]
    coordinates: Vec<Vec<[f64; 2]>>,
}

/// What GeoJSON calls it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
enum MultiLineType {
    /// Several pieces.
    #[default]
    MultiLineString,
}

/// The accepted input: positions may have an elevation, which is dropped.
#[derive(Deserialize)]
#[serde(tag = "type")]
enum Given {
    LineString { coordinates: Vec<Vec<f64>> },
    MultiLineString { coordinates: Vec<Vec<Vec<f64>>> },
}

impl TryFrom<Given> for MultiLine {
    type Error = &'static str;

    fn try_from(given: Given) -> Result<Self, Self::Error> {
        let pieces = match given {
            Given::LineString { coordinates } => vec![coordinates],
            Given::MultiLineString { coordinates } => coordinates,
        };
        let place = |numbers: &Vec<f64>| match numbers.as_slice() {
            [lon, lat, ..] => Ok([*lon, *lat]),
            _ => Err("a position has two numbers"),
        };
        let piece = |positions: &Vec<Vec<f64>>| positions.iter().map(place).collect();
        Ok(Self { kind: MultiLineType::default(), coordinates: pieces.iter().map(piece).collect::<Result<_, _>>()? })
    }
}

impl MultiLine {
    /// A line of these pieces.
    pub fn of(pieces: impl IntoIterator<Item = Vec<Position>>) -> Self {
        let flat = |piece: Vec<Position>| piece.iter().map(|position| [position.lon, position.lat]).collect();
        Self { kind: MultiLineType::default(), coordinates: pieces.into_iter().map(flat).collect() }
    }

    /// Its pieces.
    pub fn pieces(&self) -> Vec<Vec<Position>> {
        let place = |[lon, lat]: &[f64; 2]| Position::new(*lon, *lat);
        self.coordinates.iter().map(|piece| piece.iter().map(place).collect()).collect()
    }

    /// Its length, the holes between its pieces left out.
    pub fn length_m(&self) -> f64 {
        self.pieces().iter().map(|piece| trace::measure(piece).distance_m).sum()
    }

    /// West, south, east, north.
    pub fn bbox(&self) -> Option<[f64; 4]> {
        trace::bbox_of(self.coordinates.iter().flatten().copied())
    }

    /// The same with fewer points: those within this tolerance of the simpler line are left out.
    #[must_use]
    pub fn thinned(&self, tolerance_m: f64) -> Self {
        Self::of(self.pieces().iter().map(|piece| simplify(piece, tolerance_m)))
    }

    fn points(&self) -> usize {
        self.coordinates.iter().map(Vec::len).sum()
    }

    fn is_in_the_world(&self) -> bool {
        self.coordinates.iter().flatten().all(|[lon, lat]| lon.abs() <= 180.0 && lat.abs() <= 90.0)
    }
}

/// A tenth of a metre.
fn rounded(degrees: f64) -> f64 {
    (degrees * 1_000_000.0).round() / 1_000_000.0
}

impl Field for Option<MultiLine> {
    /// Leaves out empty pieces, and thins only a line that is too long: cleaning a clean line changes nothing, else each
    /// save would change the line.
    fn clean(&mut self, _shape: Shape, _sanitise: &dyn Fn(&str) -> String) {
        let Some(line) = self.as_mut().filter(|line| line.is_in_the_world()) else { return };
        for degrees in line.coordinates.iter_mut().flatten().flatten() {
            *degrees = rounded(*degrees);
        }
        line.coordinates.iter_mut().for_each(Vec::dedup);
        line.coordinates.retain(|piece| piece.len() > 1);
        let mut tolerance_m = THINNED_M;
        while line.points() > MAX_LINE_POINTS && tolerance_m < 10_000.0 {
            *line = line.thinned(tolerance_m);
            tolerance_m *= 2.0;
        }
    }

    fn check(&self, _rule: Rule, at: &str, _languages: &[String], faults: &mut Vec<Fault>) {
        let Some(line) = self else { return };
        if !line.is_in_the_world() {
            faults.push(Fault::new("validation/position-outside-world", at));
        } else if line.coordinates.is_empty() {
            faults.push(Fault::new("itinerary/line-too-short", at));
        } else if line.points() > MAX_LINE_POINTS {
            faults.push(Fault::new("validation/too-many", at).with("max", MAX_LINE_POINTS));
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::record::free;

    fn cleaned(geometry: serde_json::Value) -> Option<MultiLine> {
        let mut line: Option<MultiLine> = Some(serde_json::from_value(geometry).unwrap());
        line.clean(Shape::Free, &str::to_owned);
        line
    }

    #[expect(clippy::ref_option, reason = "the trait is that of the option")]
    fn faults(line: &Option<MultiLine>) -> Vec<&'static str> {
        let mut faults = Vec::new();
        line.check(free(), "/line", &[], &mut faults);
        faults.iter().map(|fault| fault.code).collect()
    }

    #[test]
    fn a_single_line_is_one_piece_and_elevations_are_not_kept() {
        let line = cleaned(json!({"type": "LineString", "coordinates": [[2.0, 45.0, 300.0], [2.01, 45.0]]}));
        let written = serde_json::to_value(&line).unwrap();
        assert_eq!(written, json!({"type": "MultiLineString", "coordinates": [[[2.0, 45.0], [2.01, 45.0]]]}));
        assert!((line.unwrap().length_m() - 786.3).abs() < 1.0);
    }

    #[test]
    fn what_says_nothing_is_left_out_once() {
        let zigzag: Vec<[f64; 2]> =
            (0..21_000_i32).map(|i| [2.0 + f64::from(i) * 1e-5, 45.0 + f64::from(i % 2) * 1e-4]).collect();
        let once = cleaned(json!({"type": "MultiLineString", "coordinates": [zigzag, [[3.0, 45.0], [3.0, 45.0]]]}));
        assert!(once.as_ref().unwrap().points() <= MAX_LINE_POINTS && once.as_ref().unwrap().coordinates.len() == 1);
        let mut twice = once.clone();
        twice.clean(Shape::Free, &str::to_owned);
        assert_eq!(once, twice);
        assert!(faults(&once).is_empty());
    }

    #[test]
    fn places_of_no_world_and_single_points_are_reported() {
        let far = cleaned(json!({"type": "LineString", "coordinates": [[2.0, 45.0], [200.0, 45.0]]}));
        assert_eq!(faults(&far), ["validation/position-outside-world"]);
        let point = cleaned(json!({"type": "MultiLineString", "coordinates": [[[2.0, 45.0]]]}));
        assert_eq!(faults(&point), ["itinerary/line-too-short"]);
        assert!(serde_json::from_value::<MultiLine>(json!({"type": "Point", "coordinates": [2.0, 45.0]})).is_err());
        let lame = json!({"type": "LineString", "coordinates": [[2.0], [3.0]]});
        assert!(serde_json::from_value::<MultiLine>(lame).is_err());
    }
}
