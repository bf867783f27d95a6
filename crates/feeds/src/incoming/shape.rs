//! Geometries as PostGIS and GeoPackage store them (well-known binary, the extended form and that of ISO:
//! <https://libgeos.org/specifications/wkb/>), or as tables have them (well-known text).

/// A point in the coordinates of its file, with its height in metres where it has one.
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

    /// Reads one of well-known text (`LINESTRING Z (6.1 44.9 950, …)`), and the number of its coordinate system where the text begins with it
    /// (`SRID=2154;`).
    pub fn parse(text: &str) -> Option<(Self, Option<u32>)> {
        let (srid, text) = match text.trim().split_once(';') {
            Some((srid, text)) => {
                let srid = srid.trim().to_ascii_uppercase();
                (Some(srid.strip_prefix("SRID=")?.parse().ok()?), text)
            }
            None => (None, text.trim()),
        };
        let (head, body) = text.split_once('(')?;
        if !is_closed(text) {
            return None;
        }
        let head = head.trim().to_ascii_uppercase();
        // The axes stand apart (`LINESTRING Z`), or not (`LINESTRINGZ`).
        let name = head.split_whitespace().next()?.trim_end_matches(['Z', 'M']);
        let axes = head.strip_prefix(name)?.trim();
        let has_z = axes.is_empty() || axes.starts_with('Z');
        // Each sequence of points is between the innermost brackets; the name says which belong together.
        let parts: Option<Vec<Vec<Point>>> = body
            .split('(')
            .map(|part| points_of(part.split(')').next()?, has_z))
            .filter(|part| part != &Some(Vec::new()))
            .collect();
        let parts = parts.filter(|parts| !parts.is_empty())?;
        let shape = match name {
            "POINT" | "MULTIPOINT" => Self::Points(parts.into_iter().flatten().collect()),
            "LINESTRING" | "MULTILINESTRING" => Self::Lines(parts),
            "POLYGON" | "MULTIPOLYGON" => Self::Areas(parts),
            _ => return None,
        };
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

/// Whether each bracket of a text is closed: a text that was cut has the first points of its line alone.
fn is_closed(text: &str) -> bool {
    let step = |open: i32, byte: u8| match byte {
        b'(' => Some(open + 1),
        b')' if open == 0 => None,
        b')' => Some(open - 1),
        _ => Some(open),
    };
    text.bytes().try_fold(0, step) == Some(0)
}

/// The points of `6.1 44.9 950, 6.2 45`. Empty for an empty text, None for a text that is not numbers.
fn points_of(part: &str, has_z: bool) -> Option<Vec<Point>> {
    let part = part.trim().trim_matches(',');
    if part.trim().is_empty() {
        return Some(Vec::new());
    }
    let point = |words: &str| {
        let mut numbers =
            words.split_whitespace().map(|word| word.parse::<f64>().ok().filter(|number| number.is_finite()));
        let at = [numbers.next()??, numbers.next()??];
        let height = match numbers.next() {
            Some(number) => Some(number? as f32).filter(|_| has_z),
            None => None,
        };
        Some(Point { at, height })
    };
    part.split(',').map(point).collect()
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
        let kind = with_flags(self.integer()?);
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

/// A kind of ISO (1002 is a line with heights, 2002 one with measures, 3002 one with both) as one of the extended form.
const fn with_flags(kind: u32) -> u32 {
    match (kind & 0xFFFF) / 1_000 {
        1 => (kind - 1_000) | HAS_Z,
        2 => (kind - 2_000) | HAS_M,
        3 => (kind - 3_000) | HAS_Z | HAS_M,
        _ => kind,
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
        // A line of ISO with heights, as a GeoPackage has it.
        let mut line = vec![1];
        line.extend(1_002_u32.to_le_bytes());
        line.extend(1_u32.to_le_bytes());
        line.extend([2.0_f64, 46.0, 950.0].iter().flat_map(|number| number.to_le_bytes()));
        let point = Point { at: [2.0, 46.0], height: Some(950.0) };
        assert_eq!(Shape::read(&line), Some((Shape::Lines(vec![vec![point]]), 4326)));
        // A line that says it has four thousand million points.
        assert_eq!(Shape::read(&[1, 2, 0, 0, 0, 255, 255, 255, 255, 0, 0]), None);
    }
    #[test]
    fn well_known_text_is_read_with_or_without_heights() {
        let at = |lon, lat, height| Point { at: [lon, lat], height };
        for (text, shape, srid) in [
            ("POINT(6.1 44.9)", Shape::Points(vec![at(6.1, 44.9, None)]), None),
            ("SRID=4326;POINT Z (6.1 44.9 950)", Shape::Points(vec![at(6.1, 44.9, Some(950.0))]), Some(4326)),
            (
                "MultiLineString ((6 44, 6.1 44.1), (7 45,7.1 45.1))",
                Shape::Lines(vec![
                    vec![at(6.0, 44.0, None), at(6.1, 44.1, None)],
                    vec![at(7.0, 45.0, None), at(7.1, 45.1, None)],
                ]),
                None,
            ),
            (
                "LineStringZ (6 44 1, 7 45 2)",
                Shape::Lines(vec![vec![at(6.0, 44.0, Some(1.0)), at(7.0, 45.0, Some(2.0))]]),
                None,
            ),
            (
                "MULTILINESTRINGZM((6 44 1 9, 7 45 2 9))",
                Shape::Lines(vec![vec![at(6.0, 44.0, Some(1.0)), at(7.0, 45.0, Some(2.0))]]),
                None,
            ),
            ("srid=4326;PointM(6 44 1)", Shape::Points(vec![at(6.0, 44.0, None)]), Some(4326)),
            ("LINESTRING M (6 44 1, 7 45 2)", Shape::Lines(vec![vec![at(6.0, 44.0, None), at(7.0, 45.0, None)]]), None),
            ("MULTIPOINT((6 44),(7 45))", Shape::Points(vec![at(6.0, 44.0, None), at(7.0, 45.0, None)]), None),
        ] {
            assert_eq!(Shape::parse(text), Some((shape, srid)), "{text}");
        }
        for text in
            ["", "POINT EMPTY", "POINT()", "POINT(6,1 44,9)", "LINESTRING(a b)", "Sentier (1 2)", "SRID=x;POINT(1 2)"]
        {
            assert_eq!(Shape::parse(text), None, "{text}");
        }
    }

    #[test]
    fn well_known_text_that_was_cut_is_not_read() {
        for whole in [
            "LINESTRING (6 44, 6.1 44.1, 6.2 44.2)",
            "SRID=4326;MULTILINESTRING Z ((6 44 1, 7 45 2), (8 46 3, 9 47 4))",
        ] {
            assert!(Shape::parse(whole).is_some(), "{whole}");
            for end in 0..whole.len() {
                assert_eq!(Shape::parse(&whole[..end]), None, "{}", &whole[..end]);
            }
        }
        assert_eq!(Shape::parse("LINESTRING (6 44, 7 45))"), None);
    }
}
