//! Web Mercator (EPSG:3857), the projection of map tiles.
//!
//! Coordinates are shares of the world's width, 0 to 1 from its north-west corner: x to the east, y to the south. Times 2^zoom they are column
//! and row of a tile. Formulas: OpenStreetMap wiki, *Slippy map tilenames*.

use std::f64::consts::TAU;

/// Radius of the sphere of the projection in metres: the equatorial radius of WGS 84. Not [`crate::EARTH_RADIUS_M`], the mean radius.
pub const RADIUS_M: f64 = 6_378_137.0;

/// Length of the equator in metres, the width of the world at scale 1.
pub const EQUATOR_M: f64 = TAU * RADIUS_M;

/// The northern edge of the square world in degrees; the southern one is its negative.
pub const MAX_LATITUDE_DEG: f64 = 85.051_128;

/// A place given in degrees, as shares of the world. Latitudes beyond the square world are clamped to its edge; NaN stays NaN.
pub fn project([lon, lat]: [f64; 2]) -> [f64; 2] {
    let lat = lat.clamp(-MAX_LATITUDE_DEG, MAX_LATITUDE_DEG).to_radians();
    [lon / 360.0 + 0.5, 0.5 - lat.tan().asinh() / TAU]
}

/// Longitude and latitude in degrees of a place given as shares of the world: the inverse of [`project`].
pub fn unproject([x, y]: [f64; 2]) -> [f64; 2] {
    [(x - 0.5) * 360.0, ((0.5 - y) * TAU).sinh().atan().to_degrees()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_in_the_tile_of_every_web_map() {
        // Andorra la Vella in 14/8261/6050, Paris in 12/2074/1409.
        for ([lon, lat], zoom, tile) in [([1.5218, 42.5063], 14, [8261, 6050]), ([2.3522, 48.8566], 12, [2074, 1409])] {
            let across = f64::from(1_u32 << zoom);
            assert_eq!(project([lon, lat]).map(|share| (share * across) as u32), tile);
        }
    }

    #[test]
    fn a_place_projected_and_back_is_the_same_place() {
        for [lon, lat] in [[1.5218, 42.5063], [7.42, 43.73], [-179.9, -60.0], [0.0, 0.0]] {
            let [back_lon, back_lat] = unproject(project([lon, lat]));
            assert!((back_lon - lon).abs() < 1e-9 && (back_lat - lat).abs() < 1e-9, "{lon} {lat}");
        }
        assert!(project([0.0, 90.0])[1].abs() < 1e-6 && (project([0.0, -90.0])[1] - 1.0).abs() < 1e-6);
    }
}
