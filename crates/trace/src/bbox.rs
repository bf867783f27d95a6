//! Boxes: west, south, east, north in degrees.

use crate::{DEGREE_OF_LATITUDE_M, Position};

/// The box around a line; `None` for an empty one.
pub fn bbox(line: &[Position]) -> Option<[f64; 4]> {
    bbox_of(line.iter().map(|place| [place.lon, place.lat]))
}

/// The box around places, each its longitude and latitude; `None` without places.
pub fn bbox_of(places: impl IntoIterator<Item = [f64; 2]>) -> Option<[f64; 4]> {
    let mut places = places.into_iter();
    let [lon, lat] = places.next()?;
    Some(places.fold([lon, lat, lon, lat], |[west, south, east, north], [lon, lat]| {
        [west.min(lon), south.min(lat), east.max(lon), north.max(lat)]
    }))
}

/// A box widened by a number of metres on each side.
pub fn widened([west, south, east, north]: [f64; 4], metres: f64) -> [f64; 4] {
    let up = metres / DEGREE_OF_LATITUDE_M;
    let aside = up / south.abs().max(north.abs()).to_radians().cos().max(0.01);
    [west - aside, south - up, east + aside, north + up]
}
