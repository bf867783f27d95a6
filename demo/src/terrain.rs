//! The shape of the land: three valleys, their side valleys, a lake and three ponds.
//!
//! A place is as high as the bed of the water it drains to, plus what the slope rises with the distance to it; the
//! lowest such answer wins, so that there is a ridge where two valleys meet and every stream runs downhill.

use std::sync::OnceLock;

use crate::curve::{self, winding};
use crate::ground::{self, Spot, crossing, distance, squared, to_segment};
use crate::random::{noise, rough};

/// A river or a stream.
#[derive(Debug)]
pub struct Course {
    /// Its name.
    pub name: &'static str,
    /// One of the three rivers, as against a stream.
    pub is_river: bool,
    /// Its line, downstream, a point every 60 m.
    pub line: Chain,
    /// The valley's own line, without the bends: what the slopes far away follow.
    axis: Chain,
    /// The bed's height at each point of the axis.
    beds_m: Vec<f64>,
    floor_m: f64,
    height_m: f64,
    reach_m: f64,
}

/// A line that answers quickly how far a spot is from it.
#[derive(Debug)]
pub struct Chain {
    /// Its points.
    pub spots: Vec<Spot>,
    /// Every eight segments: a circle around them.
    circles: Vec<(Spot, f64)>,
    /// A circle around all of it.
    circle: (Spot, f64),
}

const CHUNK: usize = 8;

impl Chain {
    fn new(spots: Vec<Spot>) -> Self {
        let around = |part: &[Spot]| {
            let middle = part[part.len() / 2];
            (middle, part.iter().map(|spot| distance(*spot, middle)).fold(0.0, f64::max))
        };
        let circles = (0..spots.len() - 1)
            .step_by(CHUNK)
            .map(|start| around(&spots[start..(start + CHUNK + 1).min(spots.len())]))
            .collect();
        Self { circle: around(&spots), circles, spots }
    }

    /// The distance to the line, and where on it: the point before, and the part of the way to the next.
    pub fn nearest(&self, spot: Spot) -> (f64, usize, f64) {
        // The chunk whose middle is nearest is looked at first: it rules most of the others out.
        let away = |chunk: &usize| squared(spot, self.circles[*chunk].0);
        let first = (0..self.circles.len()).min_by(|a, b| away(a).total_cmp(&away(b))).unwrap_or(0);
        let mut best = (f64::MAX, 0, 0.0);
        self.look(first, spot, &mut best);
        for (chunk, (middle, radius)) in self.circles.iter().enumerate() {
            let reach = best.0 + radius;
            if chunk != first && squared(spot, *middle) < reach * reach {
                self.look(chunk, spot, &mut best);
            }
        }
        best
    }

    fn look(&self, chunk: usize, spot: Spot, best: &mut (f64, usize, f64)) {
        for i in chunk * CHUNK..(chunk * CHUNK + CHUNK).min(self.spots.len() - 1) {
            let (found, part) = to_segment(spot, self.spots[i], self.spots[i + 1]);
            if found < best.0 {
                *best = (found, i, part);
            }
        }
    }

    /// No nearer than this to a spot, metres: one look instead of many.
    fn at_least_m(&self, spot: Spot) -> f64 {
        distance(spot, self.circle.0) - self.circle.1
    }
}

/// The level of the lac de Brève, metres.
pub const LAKE_M: f64 = 487.0;
const LAKE_AXIS: [Spot; 4] = [[9_950.0, 19_750.0], [9_300.0, 19_150.0], [8_550.0, 18_600.0], [7_900.0, 17_850.0]];

/// The ponds of Charnoux: centre, radius, metres.
const PONDS: [(Spot, f64); 3] =
    [([9_250.0, 8_650.0], 190.0), ([9_750.0, 8_250.0], 150.0), ([10_250.0, 8_500.0], 110.0)];

type Sketch = (&'static str, bool, f64, f64, &'static [Spot]);

/// Name, river, bed at the source, bed at the end (0: that of the river it joins), line.
const COURSES: [Sketch; 26] = [
    (
        "La Lorne",
        true,
        640.0,
        402.0,
        &[
            [28_600.0, 19_800.0],
            [25_000.0, 18_500.0],
            [21_500.0, 17_200.0],
            [18_200.0, 15_000.0],
            [15_200.0, 13_500.0],
            [11_500.0, 12_500.0],
            [8_000.0, 11_000.0],
            [4_500.0, 10_200.0],
            [-200.0, 8_600.0],
        ],
    ),
    (
        "L’Orsel",
        true,
        830.0,
        LAKE_M,
        &[[17_300.0, 24_700.0], [15_300.0, 22_500.0], [12_800.0, 21_500.0], [10_000.0, 19_800.0]],
    ),
    (
        "L’Orsel",
        true,
        LAKE_M - 3.0,
        424.0,
        &[[7_750.0, 17_650.0], [6_700.0, 15_600.0], [6_700.0, 13_400.0], [6_000.0, 10_650.0]],
    ),
    (
        "La Sauvelle",
        true,
        720.0,
        415.0,
        &[
            [28_600.0, 7_200.0],
            [24_500.0, 5_900.0],
            [20_500.0, 6_200.0],
            [16_500.0, 4_600.0],
            [12_200.0, 4_100.0],
            [8_000.0, 3_400.0],
            [3_500.0, 3_000.0],
            [-200.0, 2_000.0],
        ],
    ),
    (
        "La Brède",
        false,
        960.0,
        LAKE_M,
        &[[900.0, 23_600.0], [3_300.0, 22_300.0], [5_700.0, 20_900.0], [8_300.0, 19_200.0]],
    ),
    (
        "Ruisseau de la Combe-Noire",
        false,
        980.0,
        LAKE_M,
        &[[14_600.0, 18_900.0], [12_900.0, 18_500.0], [11_100.0, 18_500.0], [9_300.0, 19_050.0]],
    ),
    (
        "Ruisseau du Mas-Perdu",
        false,
        930.0,
        LAKE_M,
        &[[3_900.0, 18_200.0], [5_200.0, 18_900.0], [6_600.0, 18_700.0], [8_000.0, 18_300.0]],
    ),
    (
        "Ruisseau de la Tourbière",
        false,
        1_000.0,
        LAKE_M,
        &[[8_300.0, 24_100.0], [9_400.0, 22_400.0], [9_850.0, 19_750.0]],
    ),
    (
        "Ruisseau de l’Épinette",
        false,
        940.0,
        0.0,
        &[[11_200.0, 16_700.0], [9_800.0, 15_900.0], [8_200.0, 15_000.0], [6_700.0, 14_400.0]],
    ),
    (
        "Le Hautier",
        false,
        1_010.0,
        0.0,
        &[[22_600.0, 24_600.0], [21_900.0, 22_200.0], [21_200.0, 19_600.0], [20_400.0, 16_500.0]],
    ),
    (
        "Ruisseau d’Aigrevent",
        false,
        1_020.0,
        0.0,
        &[[18_300.0, 21_600.0], [17_400.0, 19_400.0], [17_000.0, 17_200.0], [16_900.0, 14_300.0]],
    ),
    (
        "Ruisseau d’Aubepierre",
        false,
        1_050.0,
        0.0,
        &[[25_400.0, 24_600.0], [24_900.0, 22_000.0], [24_900.0, 20_200.0], [25_100.0, 18_540.0]],
    ),
    ("Ruisseau des Échines", false, 900.0, 0.0, &[[13_400.0, 16_600.0], [12_700.0, 14_900.0], [12_100.0, 12_700.0]]),
    (
        "Ruisseau de Fontaulière",
        false,
        1_070.0,
        0.0,
        &[[21_300.0, 12_900.0], [20_200.0, 14_100.0], [19_300.0, 15_700.0]],
    ),
    (
        "Ruisseau des Loubes",
        false,
        990.0,
        0.0,
        &[[17_300.0, 9_200.0], [16_900.0, 11_200.0], [15_400.0, 12_300.0], [14_900.0, 13_420.0]],
    ),
    (
        "Ruisseau de Charnoux",
        false,
        760.0,
        0.0,
        &[[11_600.0, 7_700.0], [9_900.0, 8_400.0], [8_700.0, 9_300.0], [7_900.0, 10_970.0]],
    ),
    (
        "Ruisseau de la Sagne",
        false,
        1_060.0,
        0.0,
        &[[26_700.0, 13_400.0], [26_900.0, 15_600.0], [26_100.0, 17_400.0], [25_700.0, 18_750.0]],
    ),
    (
        "Ruisseau de Chantemerle",
        false,
        880.0,
        0.0,
        &[[1_400.0, 15_600.0], [3_000.0, 13_900.0], [4_000.0, 12_000.0], [4_500.0, 10_200.0]],
    ),
    ("Ruisseau de Malaval", false, 850.0, 0.0, &[[14_900.0, 9_200.0], [14_000.0, 7_200.0], [13_200.0, 4_250.0]]),
    (
        "Le Vernet",
        false,
        990.0,
        0.0,
        &[[23_600.0, 12_400.0], [22_900.0, 9_900.0], [21_800.0, 8_000.0], [21_000.0, 6_200.0]],
    ),
    ("Ruisseau de Bellesagne", false, 760.0, 0.0, &[[3_300.0, 7_400.0], [3_000.0, 5_600.0], [3_500.0, 3_000.0]]),
    ("Ruisseau du Bois-Noir", false, 850.0, 0.0, &[[6_300.0, 7_300.0], [6_000.0, 5_200.0], [6_300.0, 3_250.0]]),
    ("Ruisseau de la Plantade", false, 930.0, 0.0, &[[11_000.0, -200.0], [11_900.0, 1_900.0], [12_300.0, 4_000.0]]),
    ("Ruisseau de Montclar", false, 980.0, 0.0, &[[19_300.0, 300.0], [18_600.0, 2_800.0], [18_000.0, 5_100.0]]),
    ("Ruisseau de la Rivoire", false, 1_010.0, 0.0, &[[26_300.0, 900.0], [25_600.0, 3_400.0], [25_000.0, 5_950.0]]),
    ("Ruisseau des Digitales", false, 870.0, 0.0, &[[4_500.0, -200.0], [5_000.0, 1_500.0], [4_900.0, 3_100.0]]),
];

impl Course {
    fn sketched(index: usize, (name, is_river, source_m, end_m, points): Sketch, earlier: &[Self]) -> Self {
        let (swing_m, bend_m) = if is_river { (190.0, 800.0) } else { (80.0, 420.0) };
        let line = Chain::new(winding(points, swing_m, bend_m, 60.0, 400 + index as u64));
        let axis = Chain::new(curve::resampled(&smooth(points), 220.0));
        let last = axis.spots.len() as f64 - 1.0;
        let joined = earlier
            .iter()
            .filter(|course| course.is_river)
            .map(|course| course.nearest(axis.spots[axis.spots.len() - 1]));
        let joined_m = joined.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(end_m, |(_, bed_m)| bed_m);
        let end_m = if end_m > 0.0 { end_m } else { joined_m };
        // Streams fall fast first, then flatten towards the valley.
        let bend = if is_river { 1.2 } else { 1.7 };
        let bed_m = |i: usize| end_m + (source_m - end_m) * (1.0 - i as f64 / last).powf(bend);
        let beds_m = (0..axis.spots.len()).map(bed_m).collect();
        let (floor_m, height_m, reach_m) = if is_river { (330.0, 1_050.0, 2_900.0) } else { (25.0, 760.0, 1_500.0) };
        Self { name, is_river, line, axis, beds_m, floor_m, height_m, reach_m }
    }

    /// The distance to the course and the height of its bed there, metres.
    pub fn nearest(&self, spot: Spot) -> (f64, f64) {
        let (axis_m, i, part) = self.axis.nearest(spot);
        let bed_m = self.beds_m[i] + (self.beds_m[i + 1] - self.beds_m[i]) * part;
        if axis_m > 1_000.0 {
            return (axis_m, bed_m);
        }
        // The valley floor follows the bends, the slopes above it don't.
        let far = ((axis_m - 300.0) / 700.0).clamp(0.0, 1.0);
        (self.line.nearest(spot).0 * (1.0 - far) + axis_m * far, bed_m)
    }

    /// Whether the straight line from `a` to `b` crosses the course.
    pub fn crosses(&self, a: Spot, b: Spot) -> bool {
        let reach_m = distance(a, b);
        self.line.at_least_m(a) < reach_m
            && self.line.nearest(a).0 < reach_m
            && self.line.spots.windows(2).any(|pair| crossing(a, b, pair[0], pair[1]).is_some())
    }

    fn lowest_m(&self) -> f64 {
        self.beds_m.last().copied().unwrap_or_default()
    }

    fn rise_m(&self, away_m: f64) -> f64 {
        // Far from its own valley a course has no say: the slope goes on rising.
        let (from_m, slope) = if self.is_river { (1_500.0, 0.035) } else { (500.0, 0.14) };
        rise(away_m - self.floor_m, self.height_m, self.reach_m)
            + 0.012 * away_m.min(self.floor_m)
            + slope * (away_m - from_m).max(0.0)
    }
}

fn smooth(points: &[Spot]) -> Vec<Spot> {
    curve::through(points, 120.0).into_iter().map(|(spot, _)| spot).collect()
}

/// How much a slope rises `away_m` from the valley floor's edge.
fn rise(away_m: f64, height_m: f64, reach_m: f64) -> f64 {
    if away_m <= 0.0 { 0.0 } else { height_m * (1.0 - (-(away_m / reach_m).powf(1.3)).exp()) }
}

/// The region's water, made once.
pub fn courses() -> &'static [Course] {
    static COURSES_MADE: OnceLock<Vec<Course>> = OnceLock::new();
    COURSES_MADE.get_or_init(|| {
        COURSES.into_iter().enumerate().fold(Vec::new(), |mut made, (index, sketch)| {
            made.push(Course::sketched(index, sketch, &made));
            made
        })
    })
}

/// How far a spot is from the lake's shore, metres; negative on the water.
pub fn from_lake_m(spot: Spot) -> f64 {
    let axis = LAKE_AXIS.windows(2).map(|pair| to_segment(spot, pair[0], pair[1]).0).fold(f64::MAX, f64::min);
    axis - 440.0 - 130.0 * noise(spot, 900.0, 71) - 50.0 * noise(spot, 350.0, 72)
}

/// How far a spot is from the nearest pond's shore, metres; negative on the water.
pub fn from_pond_m(spot: Spot) -> f64 {
    let nearest = PONDS.iter().map(|(centre, radius)| distance(spot, *centre) - radius).fold(f64::MAX, f64::min);
    nearest - 35.0 * noise(spot, 160.0, 73)
}

/// How far a spot is from any river, metres.
pub fn from_river_m(spot: Spot) -> f64 {
    courses().iter().filter(|course| course.is_river).map(|course| course.line.nearest(spot).0).fold(f64::MAX, f64::min)
}

/// Whether a stream runs within `margin_m` of a spot.
pub fn by_stream(spot: Spot, margin_m: f64) -> bool {
    let near = |course: &&Course| course.line.at_least_m(spot) < margin_m && course.line.nearest(spot).0 < margin_m;
    courses().iter().filter(|course| !course.is_river).any(|course| near(&course))
}

/// The height of the ground, metres.
pub fn ele(lon: f64, lat: f64) -> f64 {
    height(ground::spot(lon, lat))
}

/// The height of the ground at a spot, metres.
pub fn height(spot: Spot) -> f64 {
    let lake_m = from_lake_m(spot);
    if lake_m <= 0.0 {
        return LAKE_M;
    }
    let land_m = land(spot, lake_m);
    let pond_m = from_pond_m(spot);
    if pond_m > 260.0 {
        return land_m;
    }
    let level_m = land(PONDS[1].0, f64::MAX) + 2.0;
    let part = (pond_m / 260.0).clamp(0.0, 1.0);
    level_m + (land_m - level_m) * part * part * (3.0 - 2.0 * part)
}

fn land(spot: Spot, lake_m: f64) -> f64 {
    let mut height_m = if lake_m < 6_000.0 { LAKE_M + 2.0 + rise(lake_m - 60.0, 1_050.0, 2_900.0) } else { f64::MAX };
    let mut away_m = lake_m;
    for course in courses() {
        // Already too far and too high to matter.
        let least_m = course.axis.at_least_m(spot);
        if least_m > 400.0 && course.lowest_m() + course.rise_m(least_m) > height_m + 150.0 && least_m > away_m {
            continue;
        }
        let (found_m, bed_m) = course.nearest(spot);
        away_m = away_m.min(found_m);
        // Two slopes meet in a rounded ridge, but a stream's bed is never filled or dug.
        height_m = lower(height_m, bed_m + course.rise_m(found_m), (away_m * 0.25).min(150.0));
    }
    let wild = ((away_m - 200.0) / 1_500.0).clamp(0.0, 1.0);
    let high = rough(spot, 4_200.0, 3, 81) * 190.0 * wild;
    // Crests: sharp where the noise changes sign.
    let crests = (0.6 - noise(spot, 2_100.0, 83).abs()) * 150.0 * wild * wild;
    let low = rough(spot, 900.0, 3, 85) * 38.0 * wild + noise(spot, 420.0, 89) * 6.0 * wild.sqrt();
    height_m + high + crests + low
}

/// The lower of two heights, rounded where they are within `blend_m` of each other.
fn lower(a: f64, b: f64, blend_m: f64) -> f64 {
    let near = (blend_m - (a - b).abs()).max(0.0);
    a.min(b) - if blend_m > 0.0 { near * near / (4.0 * blend_m) } else { 0.0 }
}
