//! Coordinates: one integer world for every zoom, and the operations of the tiler on shapes in it.

pub(crate) mod clip;
pub(crate) mod join;
pub(crate) mod rings;
pub(crate) mod simplify;

use trace::web_mercator;

/// The world is 2^30 units wide (4 cm at the equator): the tile grid of every zoom is on whole units.
pub(crate) const WORLD_BITS: u32 = 30;
/// Width of the world in units.
pub(crate) const WORLD: i32 = 1 << WORLD_BITS;

/// A place in world units: x to the east, y to the south, like the numbers of tiles.
pub(crate) type Point = [i32; 2];

/// A tile: zoom, column, row.
pub(crate) type Tile = (u8, u32, u32);

/// A vertex and the zoom from which it matters (0: always).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Vertex {
    pub(crate) at: Point,
    pub(crate) zoom: u8,
}

/// A box in world units, borders included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rect {
    pub(crate) min: Point,
    pub(crate) max: Point,
}

impl Rect {
    /// The box that contains nothing.
    pub(crate) const EMPTY: Self = Self { min: [i32::MAX; 2], max: [i32::MIN; 2] };

    /// Grows the box to contain `point`.
    pub(crate) fn add(&mut self, point: Point) {
        let [x, y] = point;
        self.min = [self.min[0].min(x), self.min[1].min(y)];
        self.max = [self.max[0].max(x), self.max[1].max(y)];
    }

    /// The box around points.
    pub(crate) fn around(points: impl IntoIterator<Item = Point>) -> Self {
        let mut rect = Self::EMPTY;
        points.into_iter().for_each(|point| rect.add(point));
        rect
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.min[0] > self.max[0]
    }

    pub(crate) fn meets(&self, other: &Self) -> bool {
        (0..2).all(|axis| self.min[axis] <= other.max[axis] && self.max[axis] >= other.min[axis])
    }

    pub(crate) fn holds(&self, other: &Self) -> bool {
        (0..2).all(|axis| self.min[axis] <= other.min[axis] && self.max[axis] >= other.max[axis])
    }

    /// The square of a tile with a margin of 1/32 of its side, so that lines and labels meet across tiles.
    pub(crate) fn of_tile((z, x, y): Tile) -> Self {
        let side = 1_i64 << (WORLD_BITS - u32::from(z));
        let margin = side / 32;
        let low = |index: u32| (i64::from(index) * side - margin) as i32;
        let high = |index: u32| ((i64::from(index) + 1) * side + margin) as i32;
        Self { min: [low(x), low(y)], max: [high(x), high(y)] }
    }
}

/// Longitude and latitude in degrees to world units (Web Mercator; places beyond its square are clamped to its edge).
pub(crate) fn project(lon: f64, lat: f64) -> Point {
    let size = f64::from(WORLD);
    web_mercator::project([lon, lat]).map(|share| (share * size).clamp(0.0, size - 1.0).round() as i32)
}

/// World units back to longitude and latitude in degrees.
pub(crate) fn unproject(point: Point) -> [f64; 2] {
    web_mercator::unproject(point.map(|units| f64::from(units) / f64::from(WORLD)))
}

/// Twice the signed area of a ring in square units; positive when it turns clockwise on screen.
pub(crate) fn doubled_area(ring: &[Point]) -> i128 {
    let mut sum = 0_i128;
    for (index, a) in ring.iter().enumerate() {
        let b = ring[(index + 1) % ring.len()];
        sum += i128::from(a[0]) * i128::from(b[1]) - i128::from(b[0]) * i128::from(a[1]);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_projected_and_back_is_the_same_place_to_a_few_centimetres() {
        for (lon, lat) in [(1.5218, 42.5063), (7.42, 43.73), (-179.9, -60.0), (0.0, 0.0)] {
            let [back_lon, back_lat] = unproject(project(lon, lat));
            assert!(
                (back_lon - lon).abs() < 1e-6 && (back_lat - lat).abs() < 1e-6,
                "{lon} {lat} -> {back_lon} {back_lat}"
            );
        }
    }

    #[test]
    fn andorra_la_vella_lies_in_the_tile_every_map_server_puts_it_in() {
        let [x, y] = project(1.5218, 42.5063);
        assert_eq!((x >> (WORLD_BITS - 14), y >> (WORLD_BITS - 14)), (8261, 6050));
    }

    #[test]
    fn the_poles_and_bad_input_stay_inside_the_world() {
        for (lon, lat) in [(0.0, 90.0), (0.0, -90.0), (1000.0, 0.0), (f64::NAN, f64::NAN)] {
            let point = project(lon, lat);
            assert!(point.iter().all(|c| (0..WORLD).contains(c)));
        }
    }

    #[test]
    fn the_area_of_a_ring_is_positive_when_it_turns_clockwise_on_screen() {
        assert_eq!(doubled_area(&[[0, 0], [10, 0], [10, 10], [0, 10]]), 200);
        assert_eq!(doubled_area(&[[0, 0], [0, 10], [10, 10], [10, 0]]), -200);
    }
}
