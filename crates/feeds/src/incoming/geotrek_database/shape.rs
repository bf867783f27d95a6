//! Geometries as PostGIS stores them (EWKB: <https://libgeos.org/specifications/wkb/>).

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
}
