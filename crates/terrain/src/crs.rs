//! Projects degrees to the coordinate system of a tile: those of French elevation models.
//!
//! WGS 84, RGF93 and the overseas systems differ by less than a metre: no change of datum is made.

use std::f64::consts::FRAC_PI_4;

/// GRS 80 and, to a tenth of a millimetre, WGS 84.
const SEMI_MAJOR_M: f64 = 6_378_137.0;
const FLATTENING: f64 = 1.0 / 298.257_222_101;

/// How a tile's coordinates follow from longitude and latitude.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Crs {
    /// Longitude and latitude in degrees.
    Degrees,
    /// Web Mercator, in metres.
    Mercator,
    /// Universal Transverse Mercator, in metres.
    Utm { central_deg: f64, is_south: bool },
    /// Lambert's conformal conic with two standard parallels, in metres.
    Conic { origin_deg: [f64; 2], parallels_deg: [f64; 2], false_m: [f64; 2] },
}

impl Crs {
    /// By the number of the EPSG register.
    pub(crate) fn of_epsg(code: u32) -> Option<Self> {
        let utm = |zone: u32, is_south| Self::Utm { central_deg: f64::from(zone) * 6.0 - 183.0, is_south };
        Some(match code {
            // WGS 84, RGF93, ETRS89, and those of the overseas départements.
            4326 | 4171 | 4258 | 4627 | 4624 | 5489 | 4470 => Self::Degrees,
            3857 => Self::Mercator,
            32_601..=32_660 => utm(code - 32_600, false),
            32_701..=32_760 => utm(code - 32_700, true),
            25_828..=25_838 => utm(code - 25_800, false),
            // La Réunion, Guyane, Antilles, Mayotte.
            2975 => utm(40, true),
            2972 => utm(22, false),
            5490 => utm(20, false),
            4471 => utm(38, true),
            2154 => {
                Self::Conic { origin_deg: [3.0, 46.5], parallels_deg: [49.0, 44.0], false_m: [700_000.0, 6_600_000.0] }
            }
            // The nine conformal conic zones, CC42 to CC50.
            3942..=3950 => {
                let middle = f64::from(code - 3900);
                Self::Conic {
                    origin_deg: [3.0, middle],
                    parallels_deg: [middle - 0.75, middle + 0.75],
                    false_m: [1_700_000.0, (middle - 41.0) * 1_000_000.0 + 200_000.0],
                }
            }
            _ => return None,
        })
    }

    /// East and north of a place.
    pub(crate) fn project(&self, lon: f64, lat: f64) -> [f64; 2] {
        match *self {
            Self::Degrees => [lon, lat],
            Self::Mercator => {
                let north = (FRAC_PI_4 + lat.to_radians() / 2.0).tan().ln();
                [SEMI_MAJOR_M * lon.to_radians(), SEMI_MAJOR_M * north]
            }
            Self::Utm { central_deg, is_south } => {
                let [east, north] = transverse_mercator((lon - central_deg).to_radians(), lat.to_radians());
                [500_000.0 + 0.9996 * east, 0.9996 * north + if is_south { 10_000_000.0 } else { 0.0 }]
            }
            Self::Conic { origin_deg, parallels_deg, false_m } => {
                let [x, y] = conic(lon, lat, origin_deg, parallels_deg);
                [false_m[0] + x, false_m[1] + y]
            }
        }
    }
}

/// Krüger's series to the fourth order in the third flattening (Karney, *Transverse Mercator with an accuracy of a few
/// nanometers*, Journal of Geodesy 2011, equations 7 to 11 and 35).
fn transverse_mercator(lon: f64, lat: f64) -> [f64; 2] {
    let n = FLATTENING / (2.0 - FLATTENING);
    let (n2, n3, n4) = (n * n, n.powi(3), n.powi(4));
    let radius_m = SEMI_MAJOR_M / (1.0 + n) * (1.0 + n2 / 4.0 + n4 / 64.0);
    let alpha = [
        n / 2.0 - 2.0 / 3.0 * n2 + 5.0 / 16.0 * n3 + 41.0 / 180.0 * n4,
        13.0 / 48.0 * n2 - 3.0 / 5.0 * n3 + 557.0 / 1440.0 * n4,
        61.0 / 240.0 * n3 - 103.0 / 140.0 * n4,
        49_561.0 / 161_280.0 * n4,
    ];
    let e = eccentricity();
    let tau = lat.tan();
    let sigma = (e * (e * tau / tau.hypot(1.0)).atanh()).sinh();
    let conformal = tau * sigma.hypot(1.0) - sigma * tau.hypot(1.0);
    let xi = conformal.atan2(lon.cos());
    let eta = (lon.sin() / conformal.hypot(lon.cos())).asinh();
    let (mut north, mut east) = (xi, eta);
    for (order, a) in (1..).zip(alpha) {
        let twice = 2.0 * f64::from(order);
        north += a * (twice * xi).sin() * (twice * eta).cosh();
        east += a * (twice * xi).cos() * (twice * eta).sinh();
    }
    [radius_m * east, radius_m * north]
}

/// Snyder, *Map Projections: A Working Manual* (USGS Professional Paper 1395, 1987), equations 14-15, 15-1 to 15-11.
fn conic(lon: f64, lat: f64, origin_deg: [f64; 2], parallels_deg: [f64; 2]) -> [f64; 2] {
    let e = eccentricity();
    let t = |lat: f64| {
        let bend = (1.0 - e * lat.sin()) / (1.0 + e * lat.sin());
        (FRAC_PI_4 - lat / 2.0).tan() / bend.powf(e / 2.0)
    };
    let m = |lat: f64| lat.cos() / (1.0 - (e * lat.sin()).powi(2)).sqrt();
    let [first, second] = parallels_deg.map(f64::to_radians);
    let n = (m(first) / m(second)).ln() / (t(first) / t(second)).ln();
    let scale_m = SEMI_MAJOR_M * m(first) / (n * t(first).powf(n));
    let radius = |lat: f64| scale_m * t(lat).powf(n);
    let angle = n * (lon - origin_deg[0]).to_radians();
    let here = radius(lat.to_radians());
    [here * angle.sin(), radius(origin_deg[1].to_radians()) - here * angle.cos()]
}

fn eccentricity() -> f64 {
    (FLATTENING * (2.0 - FLATTENING)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values by PROJ.
    #[test]
    fn places_fall_where_proj_puts_them() {
        let cases = [
            (2154, [3.0, 46.5], [700_000.0, 6_600_000.0]),
            (2154, [6.8652, 45.8326], [999_929.385, 6_533_226.240]),
            (2154, [-1.55, 43.48], [331_935.720, 6_275_152.707]),
            (3857, [6.8652, 45.8326], [764_230.568, 5_753_563.714]),
            (32631, [-1.55, 43.48], [132_016.037, 4_824_185.180]),
            (25832, [6.8652, 45.8326], [334_200.770, 5_077_664.590]),
            (3945, [6.8652, 45.8326], [2_000_204.886, 4_299_692.144]),
            (2975, [55.5, -21.1], [344_197.575, 7_666_050.711]),
        ];
        for (code, [lon, lat], expected) in cases {
            let found = Crs::of_epsg(code).expect("known").project(lon, lat);
            let off_m = (found[0] - expected[0]).hypot(found[1] - expected[1]);
            assert!(off_m < 0.002, "EPSG:{code}: {found:?} instead of {expected:?}");
        }
        assert_eq!(Crs::of_epsg(27572), None);
    }
}
