//! Coordinates in the systems of France and its neighbours, as longitude and latitude.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use proj4rs::Proj;
use proj4rs::transform::transform;

/// A coordinate system (its EPSG number) that is not known here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UnknownSystem(pub u32);

/// Makes longitudes and latitudes (WGS 84) of coordinates in other systems.
pub(super) struct Projections {
    to: Option<Proj>,
    from: HashMap<u32, Proj>,
}

impl Projections {
    pub fn new() -> Self {
        Self { to: Proj::from_proj_string("+proj=longlat +datum=WGS84").ok(), from: HashMap::new() }
    }

    /// Longitude and latitude of a point, with seven decimals: one of them is a centimetre.
    pub fn degrees(&mut self, srid: u32, point: [f64; 2]) -> Result<[f64; 2], UnknownSystem> {
        let rounded = |degrees: f64| (degrees * 1e7).round() / 1e7;
        if srid == 4326 {
            return Ok(point.map(rounded));
        }
        let unknown = || UnknownSystem(srid);
        let from = match self.from.entry(srid) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let from = definition(srid).and_then(|words| Proj::from_proj_string(&words).ok());
                new.insert(from.ok_or_else(unknown)?)
            }
        };
        let to = self.to.as_ref().ok_or_else(unknown)?;
        let mut at = (point[0], point[1], 0.0);
        transform(from, to, &mut at).map_err(|_| unknown())?;
        Ok([rounded(at.0.to_degrees()), rounded(at.1.to_degrees())])
    }
}

/// The coordinate systems of France and its neighbours (<https://epsg.org>), in the words of PROJ.
fn definition(srid: u32) -> Option<String> {
    let utm = |zone: u32, datum: &str, south: &str| Some(format!("+proj=utm +zone={zone} {datum} +units=m{south}"));
    let (wgs84, grs80) = ("+datum=WGS84", "+ellps=GRS80 +towgs84=0,0,0,0,0,0,0");
    match srid {
        // Lambert-93.
        2154 => Some(conic(46.5, 49.0, 44.0, 6_600_000)),
        // The conic zones of France, one for each degree of latitude from 42 on.
        3942..=3950 => {
            let (middle, zone) = (f64::from(srid - 3900), srid - 3941);
            Some(conic(middle, middle - 0.75, middle + 0.75, zone * 1_000_000 + 200_000).replace("700000", "1700000"))
        }
        3857 => Some("+proj=merc +a=6378137 +b=6378137 +units=m +nadgrids=@null".to_owned()),
        // Réunion, Guyane, Mayotte, Saint-Pierre-et-Miquelon, Guadeloupe and Martinique.
        2975 => utm(40, grs80, " +south"),
        2972 => utm(22, grs80, ""),
        4471 => utm(38, grs80, " +south"),
        4467 => utm(21, grs80, ""),
        5490 => utm(20, grs80, ""),
        // Switzerland: LV95 and LV03.
        2056 => Some(swiss(2_600_000, 1_200_000)),
        21781 => Some(swiss(600_000, 200_000)),
        // Belgium: Lambert 2008 and Lambert 72. EPSG's transformation 15929 of BD72 to WGS 84 is good to a metre.
        3812 => Some(
            "+proj=lcc +lat_0=50.797815 +lon_0=4.359215833333333 +lat_1=49.8333333333333 +lat_2=51.1666666666667 \
             +x_0=649328 +y_0=665262 +ellps=GRS80 +towgs84=0,0,0,0,0,0,0 +units=m"
                .to_owned(),
        ),
        31370 => Some(
            "+proj=lcc +lat_0=90 +lon_0=4.36748666666667 +lat_1=51.1666672333333 +lat_2=49.8333339 +x_0=150000.013 \
             +y_0=5400088.438 +ellps=intl +towgs84=-106.8686,52.2978,-103.7239,0.3366,-0.457,1.8422,-1.2747 +units=m"
                .to_owned(),
        ),
        // ETRS89 and WGS 84, by zones.
        25828..=25838 => utm(srid - 25800, grs80, ""),
        32601..=32660 => utm(srid - 32600, wgs84, ""),
        32701..=32760 => utm(srid - 32700, wgs84, " +south"),
        _ => None,
    }
}

fn conic(middle: f64, first: f64, second: f64, y: u32) -> String {
    format!(
        "+proj=lcc +lat_0={middle} +lon_0=3 +lat_1={first} +lat_2={second} +x_0=700000 +y_0={y} +ellps=GRS80 \
         +towgs84=0,0,0,0,0,0,0 +units=m"
    )
}

fn swiss(x: u32, y: u32) -> String {
    format!(
        "+proj=somerc +lat_0=46.9524055555556 +lon_0=7.43958333333333 +k_0=1 +x_0={x} +y_0={y} +ellps=bessel \
         +towgs84=674.374,15.056,405.346,0,0,0,0 +units=m"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected values are what `gdaltransform -s_srs EPSG:… -t_srs EPSG:4326` prints.
    #[test]
    fn coordinates_become_degrees() {
        let mut projections = Projections::new();
        for (srid, at, degrees) in KNOWN {
            let found = projections.degrees(srid, at).map_err(|error| error.0);
            let near = |found: &[f64; 2]| (found[0] - degrees[0]).abs() < 2e-7 && (found[1] - degrees[1]).abs() < 2e-7;
            assert!(found.as_ref().is_ok_and(near), "{srid}: {found:?} is not {degrees:?}");
        }
        assert!(projections.degrees(9_999_999, [0.0, 0.0]).is_err());
    }

    const KNOWN: [(u32, [f64; 2], [f64; 2]); 17] = [
        (2154, [960_678.84, 6_465_427.22], [6.323_275_5, 45.238_803_4]),
        (3945, [1_850_000.0, 4_200_000.0], [4.902_235_5, 44.984_154_0]),
        (3942, [1_600_000.0, 1_300_000.0], [1.775_730_6, 42.893_840_4]),
        (2975, [338_000.0, 7_650_000.0], [55.438_828_1, -21.244_433_4]),
        (2972, [350_000.0, 540_000.0], [-52.352_767_0, 4.884_066_6]),
        (4471, [520_000.0, 8_590_000.0], [45.184_251_8, -12.754_552_8]),
        (5490, [640_000.0, 1_790_000.0], [-61.690_361_6, 16.186_398_5]),
        (2056, [2_600_000.0, 1_120_000.0], [7.438_644_9, 46.231_442_6]),
        (21_781, [600_000.0, 120_000.0], [7.438_644_9, 46.231_442_6]),
        (3812, [650_000.0, 560_000.0], [4.368_560_0, 49.851_465_7]),
        (31_370, [150_000.0, 170_000.0], [4.368_752_1, 50.840_411_3]),
        (31_370, [250_000.0, 60_000.0], [5.759_072_8, 49.843_051_8]),
        (25_832, [340_000.0, 4_900_000.0], [6.996_407_2, 44.235_663_4]),
        (32_631, [500_000.0, 4_900_000.0], [3.000_000_0, 44.253_237_5]),
        (32_740, [338_000.0, 7_650_000.0], [55.438_828_1, -21.244_433_4]),
        (3857, [600_000.0, 5_600_000.0], [5.389_891_7, 44.863_131_4]),
        (4467, [560_000.0, 5_190_000.0], [-56.212_831_9, 46.860_833_6]),
    ];
}
