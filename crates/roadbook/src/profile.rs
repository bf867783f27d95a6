//! The profile of a line: heights every 200 m, slopes every 500 m, and the picture of both.
//!
//! Steepness is shown three times: by hatching, by chevrons (as on Michelin maps), by colour; it reads in grey too.

use serde::Serialize;

use crate::data::TracePoint;
use crate::svg::{Mm, Path, Svg};

/// Metres between two heights of the drawing.
const SAMPLE_SPACING_M: f64 = 200.0;
/// Metres over which a slope is taken.
const SLOPE_M: f64 = 500.0;
/// The largest number of heights in the drawing: a line of 123 mm cannot show more.
const MAX_SAMPLES: usize = 300;
/// Half the equator: a longer line is a fault in the data.
const MAX_LENGTH_M: f64 = 20_000_000.0;
/// The largest number of markers above a profile.
const MAX_MARKERS: usize = 32;

/// Heights along a line whose length is printed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Heights {
    /// Metres from the start, of the printed length; metres above the sea.
    pub(crate) points: Vec<[f64; 2]>,
    /// Printed metres for a metre of the line itself: slopes are taken on the line's own length.
    stretch: f64,
}

/// Metres between two places (equirectangular approximation on the sphere, exact to a few thousandths).
fn distance_m(a: &TracePoint, b: &TracePoint) -> f64 {
    let y = (b.1 - a.1).to_radians();
    let x = (b.0 - a.0).to_radians() * f64::midpoint(a.1, b.1).to_radians().cos();
    x.hypot(y) * trace::EARTH_RADIUS_M
}

impl Heights {
    /// Heights of a line whose length is printed: the line's own length is scaled to it, so that steps are at their printed
    /// distance.
    /// None where fewer than half of its points have a height.
    pub(crate) fn of(trace: &[TracePoint], length_m: f64) -> Option<Self> {
        let known = trace.iter().filter(|point| point.2.is_some_and(f64::is_finite)).count();
        if trace.len() < 2 || known * 2 < trace.len() {
            return None;
        }
        let mut along = 0.0;
        let mut points = Vec::with_capacity(known);
        for (index, point) in trace.iter().enumerate() {
            along += if index == 0 { 0.0 } else { distance_m(&trace[index - 1], point) };
            if let Some(height) = point.2.filter(|height| height.is_finite()) {
                points.push([along, height]);
            }
        }
        let stretch = if along > 0.0 && length_m > 0.0 { length_m / along } else { 1.0 };
        for point in &mut points {
            point[0] *= stretch;
        }
        (points.len() >= 2 && along > 0.0).then_some(Self { points, stretch })
    }

    /// Each day's one after the other.
    pub(crate) fn joined<'a>(days: impl Iterator<Item = (&'a Self, f64)>) -> Self {
        let mut points = Vec::new();
        let (mut start, mut own_m) = (0.0, 0.0);
        for (day, length_m) in days {
            points.extend(day.points.iter().map(|[at, height]| [at + start, *height]));
            start += length_m;
            own_m += length_m / day.stretch;
        }
        let stretch = if own_m > 0.0 && start > 0.0 { start / own_m } else { 1.0 };
        Self { points, stretch }
    }

    pub(crate) fn length_m(&self) -> f64 {
        self.points.last().map_or(0.0, |point| point[0])
    }

    /// Lowest and highest.
    pub(crate) fn range(&self) -> [f64; 2] {
        self.points.iter().fold([f64::MAX, f64::MIN], |[low, high], point| [low.min(point[1]), high.max(point[1])])
    }

    /// The height in metres at a distance, interpolated between its two neighbours (binary search).
    pub(crate) fn at(&self, at_m: f64) -> f64 {
        let next = self.points.partition_point(|point| point[0] < at_m);
        match (next.checked_sub(1).and_then(|before| self.points.get(before)), self.points.get(next)) {
            (Some(a), Some(b)) => a[1] + (b[1] - a[1]) * (at_m - a[0]) / (b[0] - a[0]).max(1e-9),
            (Some(only), None) | (None, Some(only)) => only[1],
            (None, None) => 0.0,
        }
    }

    /// Even heights, few enough to draw.
    pub(crate) fn even(&self) -> Self {
        let length = self.length_m();
        let count = ((length / SAMPLE_SPACING_M).ceil() as usize).clamp(2, MAX_SAMPLES);
        let points = (0..=count).map(|k| length * k as f64 / count as f64).map(|at| [at, self.at(at)]).collect();
        Self { points, stretch: self.stretch }
    }
}

/// A profile ready to be set; millimetres from its top left corner.
#[derive(Debug, Serialize)]
pub(crate) struct Profile {
    pub(crate) width_mm: f64,
    pub(crate) height_mm: f64,
    pub(crate) file: String,
    pub(crate) alt: String,
    /// Where heights are written.
    pub(crate) heights: Vec<Tick>,
    /// Where kilometres are written.
    pub(crate) kms: Vec<Tick>,
    /// The length, at the right end.
    pub(crate) length: String,
    pub(crate) top_mm: f64,
    pub(crate) base_mm: f64,
    pub(crate) right_mm: f64,
    pub(crate) markers: Vec<ProfileMarker>,
    /// Days on the whole trip's profile: their middle.
    pub(crate) days: Vec<Tick>,
    #[serde(skip)]
    pub(crate) svg: String,
    #[serde(skip)]
    pub(crate) thinned: bool,
}

/// A number at a place of an axis.
#[derive(Debug, Serialize)]
pub(crate) struct Tick {
    pub(crate) at_mm: f64,
    pub(crate) text: String,
}

/// A disc over the profile.
#[derive(Debug, Serialize)]
pub(crate) struct ProfileMarker {
    pub(crate) label: String,
    pub(crate) kind: &'static str,
    pub(crate) x_mm: f64,
}

/// A step to be marked.
#[derive(Debug, Clone)]
pub(crate) struct Mark {
    pub(crate) label: String,
    pub(crate) kind: &'static str,
    pub(crate) at_m: f64,
    pub(crate) kept: bool,
}

/// What a profile shows, and its size.
pub(crate) struct ProfileSpec<'a> {
    pub(crate) heights: &'a Heights,
    pub(crate) width_mm: f64,
    /// Height of the picture alone, without the numbers above and the kilometres below.
    pub(crate) height_mm: f64,
    pub(crate) marks: Vec<Mark>,
    /// Where each day ends, metres from the start of the trip.
    pub(crate) day_ends_m: Vec<f64>,
    pub(crate) day_word: &'a str,
    pub(crate) length: String,
}

const LEFT_MM: f64 = 8.4;
const RIGHT_MM: f64 = 1.5;
/// Distance between the centres of two discs.
const MARKER_SPACING_MM: f64 = 3.55;

pub(crate) fn draw(spec: &ProfileSpec<'_>) -> Profile {
    let heights = spec.heights.even();
    let length = heights.length_m().clamp(1.0, MAX_LENGTH_M);
    let [low, high, grain] = frame(heights.range());
    let top = if !spec.marks.is_empty() {
        8.6
    } else if spec.day_ends_m.is_empty() {
        2.5
    } else {
        5.5
    };
    let plot = Plot {
        left: LEFT_MM,
        width: spec.width_mm - LEFT_MM - RIGHT_MM,
        top,
        height: spec.height_mm,
        length,
        low,
        high,
    };
    let base = top + spec.height_mm;
    let mut svg = Svg::new([spec.width_mm, base + 7.4]);
    slopes(&heights, &plot, &mut svg);
    let grid: Vec<f64> =
        (0..=60).map(|k| low + f64::from(k) * grain).take_while(|height| *height <= high + 0.1).collect();
    for &height in &grid {
        let y = plot.y(height);
        svg.stroke(&path([[plot.left, y], [plot.left + plot.width, y]]), "#a5a8a6", 0.1, "20 40");
    }
    svg.stroke(&path(heights.points.iter().map(|&[at, height]| [plot.x(at), plot.y(height)])), INK, 0.39, "");
    let every = nice(length / 1000.0, &[1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0]);
    let mut axis = path([[plot.left, base], [plot.left + plot.width, base]]);
    let mut tick = |km: f64, tall: f64| {
        let x = plot.x(km * 1000.0);
        axis.line([[x, base], [x, base + tall]]);
    };
    let within = |km: &f64| km * 1000.0 <= length;
    (0..=60).map(|k| f64::from(k) * every).take_while(within).for_each(|km| tick(km, 1.5));
    (0..60).map(f64::from).take_while(|km| length < 60_000.0 && within(km)).for_each(|km| tick(km, 0.8));
    svg.stroke(&axis, INK, 0.25, "");
    let (markers, thinned) = mark(spec, &heights, &plot, &mut svg);
    let mut days = Vec::new();
    let mut start = 0.0;
    for (index, &end) in spec.day_ends_m.iter().enumerate() {
        if plot.x(end) - plot.x(start) > 9.0 || spec.day_ends_m.len() < 12 {
            days.push(Tick {
                at_mm: plot.x(f64::midpoint(start, end)),
                text: format!("{}\u{a0}{}", spec.day_word, index + 1),
            });
        }
        if index + 1 < spec.day_ends_m.len() {
            svg.stroke(&path([[plot.x(end), top - 1.0], [plot.x(end), base]]), INK, 0.25, "80 60");
        }
        start = end;
    }
    Profile {
        width_mm: spec.width_mm,
        height_mm: base + 7.4,
        file: String::new(),
        alt: String::new(),
        heights: grid
            .iter()
            .map(|&height| Tick { at_mm: plot.y(height), text: crate::text::numbers::grouped(height) })
            .collect(),
        kms: (0..=60)
            .map(|k| f64::from(k) * every)
            .take_while(|km| length / 1000.0 - km > every * 0.35)
            .map(|km| Tick { at_mm: plot.x(km * 1000.0), text: crate::text::numbers::grouped(km) })
            .collect(),
        length: spec.length.clone(),
        top_mm: plot.y(high),
        base_mm: base,
        right_mm: plot.left + plot.width,
        markers,
        days,
        svg: svg.finish(),
        thinned,
    }
}

const INK: &str = "#1b1f1e";

struct Plot {
    left: f64,
    width: f64,
    top: f64,
    height: f64,
    length: f64,
    low: f64,
    high: f64,
}

impl Plot {
    fn x(&self, at_m: f64) -> f64 {
        self.left + self.width * (at_m / self.length).clamp(0.0, 1.0)
    }

    fn y(&self, height_m: f64) -> f64 {
        self.top + self.height * (self.high - height_m) / (self.high - self.low)
    }
}

fn path(points: impl IntoIterator<Item = Mm>) -> Path {
    let mut path = Path::default();
    path.line(points);
    path
}

fn nice(span: f64, choices: &[f64]) -> f64 {
    choices.iter().copied().find(|choice| span / choice <= 6.0).unwrap_or(choices[choices.len() - 1])
}

/// Lowest and highest height shown, and the step between two lines of the grid.
fn frame([low, high]: [f64; 2]) -> [f64; 3] {
    let grain = nice(high - low, &[20.0, 50.0, 100.0, 200.0, 250.0, 500.0, 1000.0, 2000.0]);
    let mut floor = (low / grain).floor() * grain;
    if low - floor < grain * 0.15 {
        floor -= grain;
    }
    [floor, ((high + 1.0) / grain).ceil() * grain, grain]
}

/// How steep: under 3 %, 6 %, 9 %, more. Only climbs count: a descent is no effort.
fn class(slope: f64) -> usize {
    [0.03, 0.06, 0.09].iter().filter(|limit| slope >= **limit).count()
}

/// Fills under the line by steepness, hatched; chevrons under each climb.
fn slopes(heights: &Heights, plot: &Plot, svg: &mut Svg) {
    let base = plot.top + plot.height;
    let mut grounds: [Path; 4] = Default::default();
    let mut hatches: [Path; 4] = Default::default();
    let mut runs: Vec<(usize, f64, f64)> = Vec::new();
    let pieces = ((plot.length / heights.stretch / SLOPE_M).round() as usize).clamp(1, MAX_SAMPLES);
    for piece in 0..pieces {
        let (from, to) = (plot.length * piece as f64 / pieces as f64, plot.length * (piece + 1) as f64 / pieces as f64);
        let own_m = (to - from) / heights.stretch;
        let class = class((heights.at(to) - heights.at(from)) / own_m.max(1.0));
        match runs.last_mut() {
            Some(run) if run.0 == class => run.2 = to,
            _ => runs.push((class, from, to)),
        }
    }
    for &(class, from, to) in &runs {
        let inner = heights.points.iter().filter(|point| point[0] > from && point[0] < to);
        let mut line: Vec<Mm> = vec![[plot.x(from), plot.y(heights.at(from))]];
        line.extend(inner.map(|&[at, height]| [plot.x(at), plot.y(height)]));
        line.push([plot.x(to) + 0.03, plot.y(heights.at(to))]);
        let ends = [[plot.x(to) + 0.03, base], [plot.x(from), base]];
        grounds[class].ring(line.iter().copied().chain(ends));
        hatch(class, &line, base, &mut hatches[class]);
    }
    for (class, colour) in ["#e9e6da", "#f3dc9f", "#e79a5c", "#7c1d12"].into_iter().enumerate() {
        svg.fill(&grounds[class], colour);
    }
    for (class, (colour, width_mm)) in [(1, ("#7d6a2c", 0.16)), (2, ("#5d2512", 0.2)), (3, ("#ffffff", 0.12))] {
        svg.stroke(&hatches[class], colour, width_mm, "");
    }
    let mut chevrons = Path::default();
    for &(class, from, to) in runs.iter().filter(|run| run.0 > 0) {
        let wide = class as f64 * 0.95;
        if plot.x(to) - plot.x(from) >= wide + 0.2 {
            let start = (plot.x(from) + plot.x(to) - wide) / 2.0;
            for k in 0..class {
                let x = start + k as f64 * 0.95;
                chevrons.line([[x, base + 5.0], [x + 0.75, base + 5.75], [x, base + 6.5]]);
            }
        }
    }
    svg.stroke(&chevrons, INK, 0.33, "");
}

/// Slanted lines between the profile and its foot; the steepest class is crossed.
fn hatch(class: usize, line: &[Mm], base: f64, into: &mut Path) {
    let gap = match class {
        1 => 2.1,
        2 => 1.2,
        3 => 1.4,
        _ => return,
    };
    slant(line, base, gap, 1.0, into);
    if class == 3 {
        slant(line, base, gap, -1.0, into);
    }
}

/// Lines at 45°, each cut where the profile or an end of the stretch cuts it: walked in steps of a quarter millimetre.
fn slant(line: &[Mm], base: f64, gap: f64, lean: f64, into: &mut Path) {
    const STEP: f64 = 0.25;
    let (from, to) = (line[0][0], line[line.len() - 1][0]);
    let top = line.iter().fold(base, |top, point| top.min(point[1]));
    let tall = base - top;
    // Feet on a grid of the whole picture, so that neighbouring stretches hatch alike.
    let (first, last) = if lean > 0.0 { (from - tall, to) } else { (from, to + tall) };
    let mut foot = (first / gap).ceil() * gap;
    while foot <= last {
        let mut piece: Option<[Mm; 2]> = None;
        let mut up = 0.0;
        while up <= tall {
            let at = [foot + lean * up, base - up];
            let inside = at[0] >= from && at[0] <= to && at[1] >= surface(line, at[0]);
            match (&mut piece, inside) {
                (Some(piece), true) => piece[1] = at,
                (None, true) => piece = Some([at, at]),
                (Some(done), false) => {
                    into.line(*done);
                    piece = None;
                }
                (None, false) => {}
            }
            up += STEP;
        }
        if let Some(done) = piece {
            into.line(done);
        }
        foot += gap;
    }
}

/// The profile's height on paper at a place.
fn surface(line: &[Mm], x: f64) -> f64 {
    let next = line.partition_point(|point| point[0] < x).clamp(1, line.len() - 1);
    let (a, b) = (line[next - 1], line[next]);
    a[1] + (b[1] - a[1]) * ((x - a[0]) / (b[0] - a[0]).max(1e-9)).clamp(0.0, 1.0)
}

/// Discs spread so that they never touch, each with a thread to its place.
fn mark(spec: &ProfileSpec<'_>, heights: &Heights, plot: &Plot, svg: &mut Svg) -> (Vec<ProfileMarker>, bool) {
    let mut shown: Vec<&Mark> = spec.marks.iter().collect();
    if shown.len() > MAX_MARKERS {
        shown.retain(|mark| mark.kept);
    }
    let each = shown.len().div_ceil(MAX_MARKERS).max(1);
    let last = shown.len().saturating_sub(1);
    let shown: Vec<&Mark> =
        shown.into_iter().enumerate().filter(|(k, _)| k % each == 0 || *k == last).map(|(_, mark)| mark).collect();
    let mut xs: Vec<f64> = Vec::with_capacity(shown.len());
    for mark in &shown {
        let least = xs.last().map_or(plot.left + MARKER_SPACING_MM / 2.0, |x| x + MARKER_SPACING_MM);
        xs.push(plot.x(mark.at_m).max(least));
    }
    let mut limit = plot.left + plot.width - MARKER_SPACING_MM / 2.0 + 1.0;
    for x in xs.iter_mut().rev() {
        *x = x.min(limit);
        limit = *x - MARKER_SPACING_MM;
    }
    let mut threads = Path::default();
    for (mark, &x) in shown.iter().zip(&xs) {
        let foot = plot.x(mark.at_m);
        threads.line([[x, 3.8], [foot, 6.4], [foot, plot.y(heights.at(mark.at_m))]]);
    }
    svg.stroke(&threads, "#4c5351", 0.16, "");
    let markers: Vec<ProfileMarker> = shown
        .iter()
        .zip(xs)
        .map(|(mark, x_mm)| ProfileMarker { label: mark.label.clone(), kind: mark.kind, x_mm })
        .collect();
    let thinned = markers.len() < spec.marks.len();
    (markers, thinned)
}

#[cfg(test)]
mod tests {
    use super::{Heights, Mark, ProfileSpec, class, draw};

    fn hill() -> Heights {
        let trace: Vec<_> =
            (0..=100).map(|k| (4.0, 47.0 + f64::from(k) / 1000.0, Some(300.0 + 4.0 * f64::from(k.min(60))))).collect();
        Heights::of(&trace, 11_000.0).expect("heights")
    }

    #[test]
    fn heights_are_stretched_to_the_given_length() {
        let heights = hill();
        assert!((heights.length_m() - 11_000.0).abs() < 0.1);
        assert_eq!(heights.range().map(f64::round).map(|metres| metres as i64), [300, 540]);
        assert!((heights.at(3_300.0) - 420.0).abs() < 1.0, "{}", heights.at(3_300.0));
        assert_eq!((heights.at(-5.0), heights.at(99_000.0)), (300.0, 540.0));
    }

    #[test]
    fn without_heights_there_is_no_profile() {
        let flat: Vec<_> = (0..10).map(|k| (4.0, 47.0 + f64::from(k), None)).collect();
        assert_eq!(Heights::of(&flat, 1000.0), None);
        assert_eq!(Heights::of(&[(4.0, 47.0, Some(1.0)), (4.0, 47.0, Some(1.0))], 1000.0), None);
        assert_eq!(Heights::of(&[], 0.0), None);
    }

    #[test]
    fn a_typed_length_makes_no_slope_gentler() {
        // 7.2 % all the way: 2 km up 144 m, printed as 4 km.
        let trace: Vec<_> = (0..=20)
            .map(|k| (4.0, 47.0 + f64::from(k) * 100.0 / trace::DEGREE_OF_LATITUDE_M, Some(300.0 + 7.2 * f64::from(k))))
            .collect();
        let drawn = |length_m: f64| {
            let heights = Heights::of(&trace, length_m).expect("heights");
            let joined = Heights::joined([(&heights, length_m), (&heights, length_m)].into_iter());
            [heights, joined].map(|heights| {
                let spec = ProfileSpec {
                    heights: &heights,
                    width_mm: 123.0,
                    height_mm: 22.0,
                    marks: vec![],
                    day_ends_m: vec![],
                    day_word: "Jour",
                    length: String::new(),
                };
                draw(&spec).svg
            })
        };
        let [day, trip] = drawn(4_000.0);
        assert!(day.contains("#e79a5c") && !day.contains("#f3dc9f"), "6 to 9 %: {day}");
        assert!(trip.contains("#e79a5c") && !trip.contains("#f3dc9f"), "{trip}");
    }

    #[test]
    fn climbs_have_four_classes() {
        assert_eq!([-0.2, 0.0, 0.03, 0.059, 0.07, 0.09, 0.3].map(class), [0, 0, 1, 1, 2, 3, 3]);
    }

    #[test]
    fn sixty_numbers_are_thinned_and_never_touch() {
        let heights = hill();
        let marks: Vec<Mark> = (0..60)
            .map(|k| Mark {
                label: k.to_string(),
                kind: "step",
                at_m: f64::from(k) * 100.0,
                kept: k % 20 == 0 || k == 59,
            })
            .collect();
        let spec = ProfileSpec {
            heights: &heights,
            width_mm: 123.0,
            height_mm: 22.0,
            marks,
            day_ends_m: vec![],
            day_word: "Jour",
            length: "11".to_owned(),
        };
        let profile = draw(&spec);
        assert!(profile.thinned);
        assert!(profile.markers.windows(2).all(|pair| pair[1].x_mm - pair[0].x_mm > 3.5));
        assert!(profile.svg.len() < 40_000, "{}", profile.svg.len());
    }
}
