//! Geometries as PostGIS stores them (EWKB: <https://libgeos.org/specifications/wkb/>), and their coordinates as longitude and latitude.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use proj4rs::Proj;
use proj4rs::transform::transform;

use super::DumpError;

/// A point in the coordinates of a database, with its height in metres where it has one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Point {
    pub at: [f64; 2],
    pub height: Option<f32>,
}

/// A geometry.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    /// One point or several.
    Points(Vec<Point>),
    /// One line or several.
    Lines(Vec<Vec<Point>>),
    /// The rings of one area or of several.
    Areas(Vec<Vec<Point>>),
}

/// What the number of the kind says beside the kind.
const HAS_Z: u32 = 0x8000_0000;
const HAS_M: u32 = 0x4000_0000;
const HAS_SRID: u32 = 0x2000_0000;

impl Shape {
    /// Reads one, and the number of its coordinate system (EPSG); 4326 where it has none.
    pub fn read(bytes: &[u8]) -> Option<(Self, u32)> {
        let mut reader = Reader { bytes, is_little: true };
        let mut srid = 4326;
        let shape = reader.shape(&mut srid, 0)?;
        Some((shape, srid))
    }

    /// All its points.
    pub fn points(&self) -> impl Iterator<Item = Point> + '_ {
        let (points, lines) = match self {
            Self::Points(points) => (points.as_slice(), &[][..]),
            Self::Lines(lines) | Self::Areas(lines) => (&[][..], lines.as_slice()),
        };
        points.iter().chain(lines.iter().flatten()).copied()
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    is_little: bool,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.bytes.split_first_chunk::<N>()?;
        self.bytes = rest;
        Some(*first)
    }

    fn integer(&mut self) -> Option<u32> {
        let four = self.take()?;
        Some(if self.is_little { u32::from_le_bytes(four) } else { u32::from_be_bytes(four) })
    }

    fn float(&mut self) -> Option<f64> {
        let eight = self.take()?;
        let number = if self.is_little { f64::from_le_bytes(eight) } else { f64::from_be_bytes(eight) };
        number.is_finite().then_some(number)
    }

    fn point(&mut self, kind: u32) -> Option<Point> {
        let at = [self.float()?, self.float()?];
        let height = if kind & HAS_Z != 0 { Some(self.float()? as f32) } else { None };
        if kind & HAS_M != 0 {
            self.take::<8>()?;
        }
        Some(Point { at, height })
    }

    fn line(&mut self, kind: u32) -> Option<Vec<Point>> {
        (0..self.integer()?).map(|_| self.point(kind)).collect()
    }

    fn shape(&mut self, srid: &mut u32, depth: usize) -> Option<Shape> {
        self.is_little = self.take::<1>()? == [1];
        let kind = self.integer()?;
        if kind & HAS_SRID != 0 {
            *srid = self.integer()?;
        }
        Some(match kind & 0xFF {
            1 => Shape::Points(vec![self.point(kind)?]),
            2 => Shape::Lines(vec![self.line(kind)?]),
            3 => Shape::Areas((0..self.integer()?).map(|_| self.line(kind)).collect::<Option<_>>()?),
            4..=6 if depth == 0 => {
                let parts: Vec<Shape> = (0..self.integer()?).map(|_| self.shape(srid, 1)).collect::<Option<_>>()?;
                joined(kind & 0xFF, parts)
            }
            _ => return None,
        })
    }
}

fn joined(kind: u32, parts: Vec<Shape>) -> Shape {
    let (mut points, mut lines) = (Vec::new(), Vec::new());
    for part in parts {
        match part {
            Shape::Points(more) => points.extend(more),
            Shape::Lines(more) | Shape::Areas(more) => lines.extend(more),
        }
    }
    match kind {
        4 => Shape::Points(points),
        5 => Shape::Lines(lines),
        _ => Shape::Areas(lines),
    }
}

/// Makes longitudes and latitudes (WGS 84) of the coordinates of a database.
pub(super) struct Projections {
    to: Option<Proj>,
    from: HashMap<u32, Proj>,
}

impl Projections {
    pub fn new() -> Self {
        Self { to: Proj::from_proj_string("+proj=longlat +datum=WGS84").ok(), from: HashMap::new() }
    }

    /// Longitude and latitude of a point, with seven decimals as in Geotrek's API: one of them is a centimetre.
    pub fn degrees(&mut self, srid: u32, point: [f64; 2]) -> Result<[f64; 2], DumpError> {
        let rounded = |degrees: f64| (degrees * 1e7).round() / 1e7;
        if srid == 4326 {
            return Ok(point.map(rounded));
        }
        let unknown = || DumpError::Projection(srid);
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

/// The coordinate systems in which Geotrek stores lines: those of France and its neighbours (<https://epsg.org>), in the words of PROJ.
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
        // Belgium: Lambert 2008.
        3812 => Some(
            "+proj=lcc +lat_0=50.797815 +lon_0=4.359215833333333 +lat_1=49.8333333333333 +lat_2=51.1666666666667 \
             +x_0=649328 +y_0=665262 +ellps=GRS80 +towgs84=0,0,0,0,0,0,0 +units=m"
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

    /// A point as `SELECT ST_AsEWKB(…)` of PostGIS gives it.
    fn point(srid: u32, at: [f64; 2]) -> Vec<u8> {
        let mut bytes = vec![1];
        bytes.extend((1 | HAS_SRID).to_le_bytes());
        bytes.extend(srid.to_le_bytes());
        bytes.extend(at.iter().flat_map(|number| number.to_le_bytes()));
        bytes
    }

    #[test]
    fn a_geometry_is_read_and_a_cut_one_is_not() {
        let whole = point(2154, [700_000.0, 6_600_000.0]);
        assert_eq!(
            Shape::read(&whole),
            Some((Shape::Points(vec![Point { at: [700_000.0, 6_600_000.0], height: None }]), 2154))
        );
        for end in 0..whole.len() {
            assert_eq!(Shape::read(&whole[..end]), None);
        }
        // A line that says it has four thousand million points.
        assert_eq!(Shape::read(&[1, 2, 0, 0, 0, 255, 255, 255, 255, 0, 0]), None);
    }

    /// The expected values are what `gdaltransform -s_srs EPSG:… -t_srs EPSG:4326` prints.
    #[test]
    fn coordinates_become_degrees() {
        let mut projections = Projections::new();
        for (srid, at, degrees) in KNOWN {
            let found = projections.degrees(srid, at).map_err(|error| error.to_string());
            let near = |found: &[f64; 2]| (found[0] - degrees[0]).abs() < 2e-7 && (found[1] - degrees[1]).abs() < 2e-7;
            assert!(found.as_ref().is_ok_and(near), "{srid}: {found:?} is not {degrees:?}");
        }
        assert!(projections.degrees(9_999_999, [0.0, 0.0]).is_err());
    }

    const KNOWN: [(u32, [f64; 2], [f64; 2]); 15] = [
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
        (25_832, [340_000.0, 4_900_000.0], [6.996_407_2, 44.235_663_4]),
        (32_631, [500_000.0, 4_900_000.0], [3.000_000_0, 44.253_237_5]),
        (32_740, [338_000.0, 7_650_000.0], [55.438_828_1, -21.244_433_4]),
        (3857, [600_000.0, 5_600_000.0], [5.389_891_7, 44.863_131_4]),
        (4467, [560_000.0, 5_190_000.0], [-56.212_831_9, 46.860_833_6]),
    ];
}
