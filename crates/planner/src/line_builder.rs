//! Makes the line of a planned path from the stored data of its links: points, running distances, heights. No look-ups, no trigonometry per
//! point.

use crate::{
    attributes::flag,
    climb,
    file::{Link, VOID_HEIGHT, View},
    geometry::{Coord, position},
    line::{Ground, Line, Measured, Span},
    profile::Rules,
    search::Step,
    weights::Weights,
};
use routing::WayKind;
use terrain::Dem;
use trace::{DEGREE_OF_LATITUDE_M, Position};

/// Distance between the samples of a line's profile in metres, as in `climb.rs`.
const SAMPLE_M: f64 = 20.0;
/// The largest number of samples of a line.
const MAX_SAMPLES: usize = 200_000;

/// The stretch of a link under a span.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    link: Link,
    from_m: f64,
    to_m: f64,
    start_m: f64,
    end_m: f64,
    /// On a bridge, in a tunnel, on the water: the ground model has no height of it.
    is_off_ground: bool,
}

/// A line under construction.
#[derive(Default)]
pub(crate) struct LineBuilder {
    pub line: Line,
    pub along_m: Vec<f64>,
    stretches: Vec<Stretch>,
    /// Running distances of the current shape.
    scratch: Vec<f64>,
    /// The latitude for which `east_m` is valid, and the metres of a stored unit eastwards there.
    latitude: i32,
    east_m: f64,
}

impl LineBuilder {
    pub(crate) fn new() -> Self {
        let mut builder = Self::default();
        builder.line.points.reserve(2048);
        builder.along_m.reserve(2048);
        builder.line.spans.reserve(512);
        builder.stretches.reserve(512);
        builder
    }

    /// Reads the data of all steps before the first is laid out: these reads run at the same time, while laying out would
    /// wait for each.
    pub(crate) fn read_ahead(view: &View, steps: &[Step]) {
        let mut seen = 0_i32;
        for step in steps {
            let link = &view.link(step.link);
            seen ^= view.shapes[link.shape_start as usize][0];
            seen ^= view.heights.get(link.heights as usize).map_or(0, |h| i32::from(*h));
        }
        std::hint::black_box(seen);
    }

    /// Appends a stretch; its first point is the last one of the line so far.
    pub(crate) fn push(&mut self, view: &View, step: &Step) {
        let link = view.link(step.link);
        let shape = view.shape(&link);
        self.measure(&link, shape);
        let (low, high) = (step.from_m.min(step.to_m), step.from_m.max(step.to_m));
        let start_m = self.along_m.last().copied().unwrap_or_default();
        let first = self.line.points.len().saturating_sub(1);
        if self.line.points.is_empty() {
            self.add(self.place(shape, step.from_m), 0.0);
        }
        // Within a centimetre of an end it is the end: lengths are stored in centimetres.
        let is_whole = low <= 0.0 && high >= link.length_m();
        let inner = if is_whole {
            1..shape.len() - 1
        } else {
            let after = |m: f64| self.scratch.partition_point(|at| *at <= m);
            let first = after(low + 0.01);
            first..after(high - 0.01).max(first)
        };
        let (between, running) = (&shape[inner.clone()], &self.scratch[inner]);
        if step.is_backward {
            self.line.points.extend(between.iter().rev().map(|c| position(*c)));
            self.along_m.extend(running.iter().rev().map(|at| start_m + step.from_m - at));
        } else {
            self.line.points.extend(between.iter().map(|c| position(*c)));
            self.along_m.extend(running.iter().map(|at| start_m + at - step.from_m));
        }
        let end_m = start_m + high - low;
        self.add(self.place(shape, step.to_m), end_m);
        let last = self.line.points.len() - 1;
        let ground = Ground::Link { link: step.link, is_backward: step.is_backward };
        let is_off_ground =
            view.flags_of(step.link) & (flag::BRIDGE | flag::TUNNEL) != 0 || view.kind_of(step.link) == WayKind::Ferry;
        self.stretches.push(Stretch { is_off_ground, link, from_m: step.from_m, to_m: step.to_m, start_m, end_m });
        match self.line.spans.last_mut() {
            // A point of the request in the middle of a link.
            Some(span) if span.ground == ground => span.last = last,
            _ => self.line.spans.push(Span { ground, first, last }),
        }
    }

    fn add(&mut self, p: Position, at: f64) {
        self.line.points.push(p);
        self.along_m.push(at);
    }

    /// Running distances along a shape in a plane, stretched to the link's stored length.
    fn measure(&mut self, link: &Link, shape: &[Coord]) {
        let north = DEGREE_OF_LATITUDE_M / 1e7;
        // Exact to a part in ten thousand over a kilometre; the stored length then corrects the sum.
        if self.east_m == 0.0 || self.latitude.abs_diff(shape[0][1]) > 100_000 {
            self.latitude = shape[0][1];
            self.east_m = north * (f64::from(shape[0][1]) / 1e7).to_radians().cos();
        }
        let east = self.east_m;
        self.scratch.clear();
        let mut sum = 0.0;
        self.scratch.push(0.0);
        for pair in shape.windows(2) {
            // A difference of longitudes may exceed the stored type at the date line.
            let x = (i64::from(pair[1][0]) - i64::from(pair[0][0])) as f64 * east;
            let y = (i64::from(pair[1][1]) - i64::from(pair[0][1])) as f64 * north;
            sum += (x * x + y * y).sqrt();
            self.scratch.push(sum);
        }
        if sum > 0.0 {
            let scale = link.length_m() / sum;
            self.scratch.iter_mut().for_each(|at| *at *= scale);
        }
    }

    fn place(&self, shape: &[Coord], at: f64) -> Position {
        let last = shape.len() - 1;
        if at <= 0.01 {
            return position(shape[0]);
        }
        if at >= self.scratch[last] - 0.01 {
            return position(shape[last]);
        }
        let i = self.scratch.partition_point(|d| *d <= at).clamp(1, last);
        let share = (at - self.scratch[i - 1]) / (self.scratch[i] - self.scratch[i - 1]).max(1e-9);
        crate::geometry::between(position(shape[i - 1]), position(shape[i]), share)
    }

    /// Measures a planned line by the stored data of its links; a network without heights reads the ground model.
    #[expect(clippy::large_types_passed_by_value, reason = "a view is a handful of slices, copied once a request")]
    pub(crate) fn measured<'a>(
        self,
        view: View<'a>,
        rules: &'a Rules,
        weights: &Weights<'a>,
        dem: Option<&Dem>,
    ) -> Measured<'a> {
        if view.heights.is_empty() {
            return Measured::new(self.line, view, rules, None, dem).at_paces_of(weights);
        }
        let profile = self.profile(&view);
        let Self { mut line, along_m, .. } = self;
        if let Some(profile) = &profile {
            profile.heights_at(&along_m, line.points.iter_mut().map(|p| &mut p.ele));
        }
        Measured::known(line, along_m, profile, view, rules, weights)
    }

    /// The line's height profile from the heights stored along its links, `None` where they have none.
    fn profile(&self, view: &View) -> Option<climb::Profile> {
        let length_m = self.along_m.last().copied()?;
        let count = ((length_m / SAMPLE_M).ceil() as usize).clamp(1, MAX_SAMPLES);
        let step_m = length_m / count as f64;
        let mut samples = Vec::with_capacity(count + 1);
        let mut has_hole = false;
        let last = self.stretches.len().saturating_sub(1);
        for (index, stretch) in self.stretches.iter().enumerate() {
            let until = if index == last { count + 1 } else { (stretch.end_m / step_m).ceil() as usize }.min(count + 1);
            let heights = view.heights_of(&stretch.link);
            let per_m = heights.len().saturating_sub(1) as f64 / stretch.link.length_m().max(0.01);
            let ahead = if stretch.to_m < stretch.from_m { -per_m } else { per_m };
            let start = stretch.from_m * per_m - stretch.start_m * ahead;
            for i in samples.len()..until {
                // The ends of the line are on the ground.
                let is_unknown = stretch.is_off_ground && i > 0 && i < count;
                let height = if is_unknown { None } else { height_at(heights, start + step_m * ahead * i as f64) };
                has_hole |= height.is_none();
                samples.push(height.unwrap_or(f64::NAN));
            }
        }
        if has_hole {
            let samples: Vec<_> = samples.into_iter().map(|h| (!h.is_nan()).then_some(h)).collect();
            return climb::Profile::of_samples(length_m, &samples);
        }
        Some(climb::Profile::of_heights(length_m, samples))
    }
}

fn height_at(heights: &[i16], place: f64) -> Option<f64> {
    let last = heights.len().checked_sub(1)?;
    let low = (place.max(0.0) as usize).min(last);
    let (a, b) = (heights[low], heights[(low + 1).min(last)]);
    if a == VOID_HEIGHT || b == VOID_HEIGHT {
        return None;
    }
    let (a, b) = (f64::from(a) / 4.0, f64::from(b) / 4.0);
    Some(a + (b - a) * (place - low as f64).clamp(0.0, 1.0))
}
