//! A planar projection of a small part of the globe: metres east and north of an origin.

use crate::{EARTH_RADIUS_M, Position};

/// An equirectangular projection around an origin; within a few kilometres its error is below one thousandth.
#[derive(Debug, Clone, Copy)]
pub struct Projection {
    lon: f64,
    lat: f64,
    cos_lat: f64,
}

impl Projection {
    pub fn around(origin: Position) -> Self {
        Self { lon: origin.lon, lat: origin.lat, cos_lat: origin.lat.to_radians().cos() }
    }

    /// The projection at a line's middle latitude.
    pub fn of(line: &[Position]) -> Option<Self> {
        let first = line.first()?;
        let (low, high) = line.iter().fold((first.lat, first.lat), |(low, high), p| (low.min(p.lat), high.max(p.lat)));
        Some(Self::around(Position::new(first.lon, f64::midpoint(low, high))))
    }

    /// Metres east and north; the short way round the globe.
    pub fn xy(&self, p: Position) -> (f64, f64) {
        let mut lon = p.lon - self.lon;
        if lon > 180.0 {
            lon -= 360.0;
        } else if lon < -180.0 {
            lon += 360.0;
        }
        (lon.to_radians() * self.cos_lat * EARTH_RADIUS_M, (p.lat - self.lat).to_radians() * EARTH_RADIUS_M)
    }
}

/// The point of a segment nearest to another: how far along the segment (0 to 1) and the square of the distance.
pub fn nearest((px, py): (f64, f64), (ax, ay): (f64, f64), (bx, by): (f64, f64)) -> (f64, f64) {
    let (dx, dy) = (bx - ax, by - ay);
    let length2 = dx * dx + dy * dy;
    let share = if length2 > 0.0 { (((px - ax) * dx + (py - ay) * dy) / length2).clamp(0.0, 1.0) } else { 0.0 };
    let (ex, ey) = (px - ax - share * dx, py - ay - share * dy);
    (share, ex * ex + ey * ey)
}

/// A position between two others, elevation too where both have one.
pub fn between(a: Position, b: Position, share: f64) -> Position {
    if share <= 0.0 {
        return a;
    }
    if share >= 1.0 {
        return b;
    }
    let mix = |a: f64, b: f64| a + (b - a) * share;
    let ele = a.ele.zip(b.ele).map(|(a, b)| mix(a, b));
    let mut lon = b.lon - a.lon;
    if lon.abs() > 180.0 {
        lon -= 360.0_f64.copysign(lon);
    }
    let lon = a.lon + lon * share;
    let lon = if lon.abs() > 180.0 { lon - 360.0_f64.copysign(lon) } else { lon };
    Position { lon, lat: mix(a.lat, b.lat), ele }
}
