//! The heights of a trek as Geotrek answers them: `profile` as points and as a drawing, `dem` as a grid of the ground around it.

use std::fmt::Write;

use serde::Serialize;
use serde_json::{Value, json};
use trace::web_mercator::{EQUATOR_M, project, unproject};
use trace::{Position, distance_m};

use crate::object::json as written;

/// Points of a profile at most: a screen shows no more.
const MAX_POINTS: usize = 500;
/// Metres below the lowest point and above the highest one that a drawing leaves, and the least it shows from bottom to top.
const MARGIN_M: f64 = 100.0;
const MIN_RANGE_M: f64 = 1_200.0;

/// A point is metres from the start, metres above the sea, and degrees east and north.
type Point = (f64, f64, [f64; 2]);

#[derive(Serialize)]
struct Profile {
    profile: Vec<Point>,
    limits: Limits,
}

/// The heights between which a drawing of the profile is.
#[derive(Serialize, Clone, Copy)]
struct Limits {
    ceil: i64,
    floor: i64,
}

/// The profile of a line, as JSON. Empty where heights are not known.
pub fn profile(line: &[Position]) -> String {
    let profile = points(line);
    let limits = limits(&profile);
    written(&Profile { profile, limits })
}

fn points(line: &[Position]) -> Vec<Point> {
    let step = line.len().div_ceil(MAX_POINTS).max(1);
    let last = line.len().saturating_sub(1);
    let (mut at_m, mut points): (f64, Vec<Point>) = (0.0, Vec::new());
    for (number, point) in line.iter().enumerate() {
        if let Some(before) = number.checked_sub(1).and_then(|before| line.get(before)) {
            at_m += distance_m(*before, *point);
        }
        let Some(ele) = point.ele.filter(|_| number % step == 0 || number == last) else { continue };
        let tenth = |value: f64| (value * 10.0).round() / 10.0;
        points.push((tenth(at_m), tenth(ele), [super::round7(point.lon), super::round7(point.lat)]));
    }
    points
}

fn limits(points: &[Point]) -> Limits {
    let heights = || points.iter().map(|point| point.1);
    let lowest = heights().fold(f64::INFINITY, f64::min);
    let highest = heights().fold(f64::NEG_INFINITY, f64::max);
    let floor = if points.is_empty() { 0.0 } else { lowest.floor() - MARGIN_M };
    let ceil = (highest.floor() + MARGIN_M).max(floor + MIN_RANGE_M);
    Limits { ceil: ceil as i64, floor: floor as i64 }
}

/// Width, height and border of the drawing.
const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 400.0;
const BORDER: [f64; 2] = [70.0, 50.0];

/// The profile of a line, as an SVG drawing with its axes, in French or in English.
pub fn profile_svg(line: &[Position], language: &str) -> String {
    let points = points(line);
    let Limits { ceil, floor } = limits(&points);
    let [title, nothing] = if language == "en" {
        ["Altitude along the trek", "Altimetry data not available"]
    } else {
        ["Altitude le long de l’itinéraire", "Les altitudes ne sont pas connues"]
    };
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{title}" font-family="sans-serif" font-size="14" fill="#333"><title>{title}</title><rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>"##
    );
    let Some((length_m, ..)) = points.last().copied() else {
        let _ = write!(
            svg,
            r#"<text x="{}" y="{}" text-anchor="middle">{nothing}</text></svg>"#,
            WIDTH / 2.0,
            HEIGHT / 2.0
        );
        return svg;
    };
    let [left, below] = BORDER;
    let (wide, high) = (WIDTH - left - 20.0, HEIGHT - below - 20.0);
    let bottom = HEIGHT - below;
    let x = |at_m: f64| left + at_m / length_m.max(1.0) * wide;
    let y = |ele: f64| bottom - (ele - floor as f64) / (ceil - floor).max(1) as f64 * high;
    for part in 0..5 {
        let share = f64::from(part) / 4.0;
        let (at_m, ele) = (length_m * share, floor as f64 + (ceil - floor) as f64 * share);
        let _ = write!(
            svg,
            r##"<path d="M{left} {0:.1}h{wide}" stroke="#ddd"/><text x="{1}" y="{2:.1}" text-anchor="end">{ele:.0}</text><text x="{3:.1}" y="{4}" text-anchor="middle">{at_m:.0}</text>"##,
            y(ele),
            left - 8.0,
            y(ele) + 5.0,
            x(at_m),
            bottom + 20.0,
        );
    }
    let mut path = format!("M{left} {bottom}");
    for (at_m, ele, _) in &points {
        let _ = write!(path, "L{:.1} {:.1}", x(*at_m), y(*ele));
    }
    let _ = write!(
        svg,
        r##"<path d="{path}V{bottom}Z" fill="#0b5f50" fill-opacity=".35" stroke="#0b5f50" stroke-width="2"/><text x="{}" y="{}" text-anchor="middle">Distance (m)</text><text transform="translate(18 {}) rotate(-90)" text-anchor="middle">Altitude (m)</text></svg>"##,
        left + wide / 2.0,
        HEIGHT - 10.0,
        20.0 + high / 2.0,
    );
    svg
}

/// Metres between two points of the grid at least, and points from side to side at most, as Geotrek has them.
const STEP_M: f64 = 25.0;
const MAX_SAMPLES_ACROSS: f64 = 150.0;
/// The margin around the line, as a share of the longer side of its box, and how much longer one side of the area may be.
const AREA_MARGIN: f64 = 0.15;
const GOLDEN_RATIO: f64 = 1.618;

/// The places around a line whose heights make its `dem`: a grid in metres of the web’s maps (EPSG:3857).
#[derive(Debug, Clone, PartialEq)]
pub struct Ground {
    west: f64,
    south: f64,
    step: f64,
    columns: usize,
    rows: usize,
}

impl Ground {
    /// The grid around a line; none where there is no line.
    pub fn around(line: &[Position]) -> Option<Self> {
        let [west, south, east, north] = trace::bbox(line)?;
        let ([west, south], [east, north]) = (metres(west, south), metres(east, north));
        let margin = (east - west).max(north - south).max(STEP_M) * AREA_MARGIN;
        let (mut width, mut height) = (east - west + 2.0 * margin, north - south + 2.0 * margin);
        let middle = [west.midpoint(east), south.midpoint(north)];
        if width > height {
            height = height.max(width / GOLDEN_RATIO);
        } else {
            width = width.max(height / GOLDEN_RATIO);
        }
        let step = STEP_M.max((width.max(height) / MAX_SAMPLES_ACROSS).ceil());
        let count = |side: f64| (side / step).floor() as usize + 1;
        Some(Self {
            west: middle[0] - width / 2.0,
            south: middle[1] - height / 2.0,
            step,
            columns: count(width),
            rows: count(height),
        })
    }

    /// The places of each row from south to north, each from west to east.
    pub fn rows(&self) -> impl Iterator<Item = Vec<Position>> {
        (0..self.rows).map(move |row| (0..self.columns).map(|column| self.place(column, row)).collect())
    }

    fn place(&self, column: usize, row: usize) -> Position {
        let [x, y] = self.at(column, row);
        let [lon, lat] = degrees(x, y);
        Position::new(lon, lat)
    }

    fn at(&self, column: usize, row: usize) -> [f64; 2] {
        [self.west + column as f64 * self.step, self.south + row as f64 * self.step]
    }

    /// The ground as JSON, from the heights of its rows. Empty, as Geotrek’s is, where no height is known.
    pub fn written(&self, heights: &[Vec<Option<f64>>]) -> String {
        let known: Vec<f64> = heights.iter().flatten().flatten().copied().collect();
        if known.is_empty() {
            return "{}".to_owned();
        }
        let lowest = known.iter().copied().fold(f64::INFINITY, f64::min).round();
        let highest = known.iter().copied().fold(f64::NEG_INFINITY, f64::max).round();
        let mean = known.iter().sum::<f64>() / known.len() as f64;
        // Heights are relative to the lowest one; an unknown height is drawn as the lowest.
        let above = |height: &Option<f64>| height.map_or(0, |height| (height.round() - lowest) as i64);
        let altitudes: Vec<Vec<i64>> = heights.iter().map(|row| row.iter().map(above).collect()).collect();
        let (right, top) = (self.columns.saturating_sub(1), self.rows.saturating_sub(1));
        let corner = |column: usize, row: usize| -> Value {
            let ([x, y], place) = (self.at(column, row), self.place(column, row));
            json!({"lat": super::round7(place.lat), "lng": super::round7(place.lon), "x": x, "y": y})
        };
        let [[west, south], [east, north]] = [self.at(0, 0), self.at(right, top)];
        let (x, y) = (west.midpoint(east), south.midpoint(north));
        let [lon, lat] = degrees(x, y);
        let (first, last) = (self.place(0, 0), self.place(right, top));
        json!({
            "center": {"x": x, "y": y, "lat": super::round7(lat), "lng": super::round7(lon), "z": mean as i64},
            "resolution": {"x": self.columns, "y": self.rows, "step": self.step},
            "size": {
                "x": east - west,
                "y": north - south,
                "lat": super::round7(last.lat - first.lat),
                "lng": super::round7(last.lon - first.lon),
            },
            "extent": {
                "altitudes": {"min": lowest as i64, "max": highest as i64},
                "southwest": corner(0, 0),
                "northwest": corner(0, top),
                "northeast": corner(right, top),
                "southeast": corner(right, 0),
            },
            "altitudes": altitudes,
        })
        .to_string()
    }
}

/// Metres east and north of 0° 0° in EPSG:3857, which counts from there; `trace` counts shares of the world from its north-west corner.
fn metres(lon: f64, lat: f64) -> [f64; 2] {
    let [x, y] = project([lon, lat]);
    [(x - 0.5) * EQUATOR_M, (0.5 - y) * EQUATOR_M]
}

fn degrees(x: f64, y: f64) -> [f64; 2] {
    unproject([x / EQUATOR_M + 0.5, 0.5 - y / EQUATOR_M])
}
