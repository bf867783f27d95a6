//! From degrees to millimetres: Web Mercator, whose local scale is given for the middle of the map.

use trace::web_mercator::{EQUATOR_M, project, unproject};

use crate::data::TracePoint;
use crate::svg::Mm;

/// Kept free of the line on each side, in millimetres: numbers and their discs need it.
const MARGIN_MM: f64 = 9.0;
/// Scales a reader knows, `1:` each.
const SCALES: [u32; 30] = [
    2_500, 5_000, 7_500, 10_000, 12_500, 15_000, 20_000, 25_000, 30_000, 40_000, 50_000, 60_000, 75_000, 100_000,
    125_000, 150_000, 175_000, 200_000, 250_000, 300_000, 350_000, 400_000, 500_000, 600_000, 800_000, 1_000_000,
    1_500_000, 2_500_000, 5_000_000, 10_000_000,
];

/// The projection of a piece of the world onto paper, at a scale.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Projection {
    size: Mm,
    /// The middle, in shares of the world from its north-west.
    middle: [f64; 2],
    /// Millimetres of paper for the whole world's width.
    world_mm: f64,
    scale: u32,
}

impl Projection {
    /// The largest known scale at which these places fit.
    pub(crate) fn around<'a>(points: impl Iterator<Item = &'a TracePoint>, size: Mm) -> Self {
        let (mut low, mut high) = ([f64::MAX; 2], [f64::MIN; 2]);
        for &(lon, lat, _) in points {
            let at = project([lon, lat]);
            for axis in 0..2 {
                low[axis] = low[axis].min(at[axis]);
                high[axis] = high[axis].max(at[axis]);
            }
        }
        let middle = [0, 1].map(|axis| f64::midpoint(low[axis], high[axis]));
        let ground_m = EQUATOR_M * unproject(middle)[1].to_radians().cos();
        let fits = |scale: u32| {
            let world_mm = ground_m * 1000.0 / f64::from(scale);
            (0..2).all(|axis| (high[axis] - low[axis]) * world_mm <= size[axis] - 2.0 * MARGIN_MM)
        };
        let scale = SCALES.into_iter().find(|&scale| fits(scale)).unwrap_or(SCALES[SCALES.len() - 1]);
        Self { size, middle, world_mm: ground_m * 1000.0 / f64::from(scale), scale }
    }

    /// The tile of a zoom, column and row, drawn this wide.
    pub(crate) fn of_tile(zoom: u8, [x, y]: [u32; 2], wide_mm: f64) -> Self {
        let across = f64::from(zoom).exp2();
        let middle = [x, y].map(|at| (f64::from(at) + 0.5) / across);
        Self { size: [wide_mm; 2], middle, world_mm: wide_mm * across, scale: 0 }
    }

    pub(crate) fn scale(&self) -> u32 {
        self.scale
    }

    pub(crate) fn size(&self) -> Mm {
        self.size
    }

    /// Millimetres of paper for the whole world's width.
    pub(crate) fn world_mm(&self) -> f64 {
        self.world_mm
    }

    /// Where a place is on paper, from longitude and latitude in degrees.
    pub(crate) fn place(&self, lon_lat: [f64; 2]) -> Mm {
        self.put(project(lon_lat))
    }

    /// The same from shares of the world.
    pub(crate) fn put(&self, share: [f64; 2]) -> Mm {
        [0, 1].map(|axis| (share[axis] - self.middle[axis]) * self.world_mm + self.size[axis] / 2.0)
    }

    /// Shares of the world at the map's top left and bottom right.
    pub(crate) fn corners(&self) -> [[f64; 2]; 2] {
        [-1.0, 1.0].map(|side| [0, 1].map(|axis| self.middle[axis] + side * self.size[axis] / 2.0 / self.world_mm))
    }
}

#[cfg(test)]
mod tests {
    use super::Projection;

    #[test]
    fn a_kilometre_is_as_long_as_the_scale_says() {
        // One kilometre north and east of a place at 47° N.
        let places = [(4.0, 47.0, None), (4.0 + 1.0 / (111.32 * 47f64.to_radians().cos()), 47.0 + 1.0 / 111.32, None)];
        let projection = Projection::around(places.iter(), [120.0, 120.0]);
        assert_eq!(projection.scale(), 10_000);
        let (a, b) = (projection.place([places[0].0, places[0].1]), projection.place([places[1].0, places[1].1]));
        for axis in 0..2 {
            assert!(((b[axis] - a[axis]).abs() - 100.0).abs() < 0.5, "{a:?} {b:?}");
        }
    }

    #[test]
    fn one_place_and_the_whole_world_are_maps_too() {
        let one = [(4.0, 47.0, None)];
        assert_eq!(Projection::around(one.iter(), [100.0, 80.0]).scale(), 2_500);
        let [x, y] = Projection::around(one.iter(), [100.0, 80.0]).place([4.0, 47.0]);
        assert!((x - 50.0).abs() + (y - 40.0).abs() < 1e-6, "{x} {y}");
        let world = [(-179.0, -80.0, None), (179.0, 80.0, None)];
        assert_eq!(Projection::around(world.iter(), [100.0, 80.0]).scale(), 10_000_000);
    }
}
