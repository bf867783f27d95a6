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

/// The box around the circle of a radius in metres: longitude and latitude of its centre. It is not cut at a pole or at the antimeridian,
/// and near a pole it is as wide as at 89.4°.
pub fn bbox_around([lon, lat]: [f64; 2], radius_m: f64) -> [f64; 4] {
    widened([lon, lat, lon, lat], radius_m)
}

/// A box widened by a number of metres on each side.
pub fn widened([west, south, east, north]: [f64; 4], metres: f64) -> [f64; 4] {
    let up = metres / DEGREE_OF_LATITUDE_M;
    let aside = up / south.abs().max(north.abs()).to_radians().cos().max(0.01);
    [west - aside, south - up, east + aside, north + up]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance_m;

    #[test]
    fn the_box_around_a_place_holds_the_circle_and_little_more() {
        for lat in [-47.0, 0.0, 47.0, 80.0, 89.0] {
            let [west, south, east, north] = bbox_around([4.0, lat], 1_000.0);
            let place = Position::new(4.0, lat);
            for (lon, lat) in [(west, lat), (east, lat), (4.0, south), (4.0, north)] {
                let metres = distance_m(place, Position::new(lon, lat));
                assert!((999.0..1_005.0).contains(&metres), "{lat}: {metres}");
            }
        }
    }

    #[test]
    fn the_box_around_a_place_is_not_cut_at_the_antimeridian_and_stays_finite_at_a_pole() {
        let up = 1_000.0 / DEGREE_OF_LATITUDE_M;
        let is_near = |found: [f64; 4], expected: [f64; 4]| {
            found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-9)
        };
        for (lon, lat) in [(180.0, 0.0), (-180.0, 0.0)] {
            let found = bbox_around([lon, lat], 1_000.0);
            assert!(is_near(found, [lon - up, -up, lon + up, up]), "{found:?}");
        }
        for lat in [-90.0, 90.0] {
            let found = bbox_around([4.0, lat], 1_000.0);
            assert!(is_near(found, [4.0 - up / 0.01, lat - up, 4.0 + up / 0.01, lat + up]), "{found:?}");
        }
    }
}
