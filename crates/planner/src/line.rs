//! The line of a path, or of a matched recording: its points, and the ground of each stretch.

use crate::{
    attributes::Attributes,
    climb,
    file::{ATTRIBUTES_WORD, View},
    geometry::{between, cumulative_m, position},
    profile::{Pace, Rules},
    recorded::RecordedHeights,
    search::Step,
    weights::Weights,
};
use routing::{ElevationSource, Surface, WayKind};
use terrain::Dem;
use trace::Position;

/// The largest number of pieces in which a stretch is timed.
const MAX_PIECES: f64 = 20_000.0;

/// The ground of a stretch of the line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Ground {
    /// A link, along or against its shape.
    Link { link: u32, is_backward: bool },
    /// No way: the source's own points.
    Free,
}

/// A stretch between two points of the line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Span {
    pub ground: Ground,
    /// Indexes of its first and last point.
    pub first: usize,
    pub last: usize,
}

/// Points, and the ground under them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Line {
    pub points: Vec<Position>,
    pub spans: Vec<Span>,
}

impl Line {
    /// Append a stretch of a link, with the points cut exactly where it starts and ends.
    pub(crate) fn push_step(&mut self, view: &View, step: &Step) {
        let points = step_points(view, step);
        self.push(Ground::Link { link: step.link, is_backward: step.is_backward }, &points);
    }

    /// Append points; the first joins the last one already there where they are the same place.
    pub(crate) fn push(&mut self, ground: Ground, points: &[Position]) {
        let joins = self.points.last().zip(points.first()).is_some_and(|(a, b)| trace::distance_m(*a, *b) < 0.05);
        let first = if joins { self.points.len() - 1 } else { self.points.len() };
        if !joins && first > 0 {
            // The straight line from one stretch to the next follows no way.
            self.spans.push(Span { ground: Ground::Free, first: first - 1, last: first });
        }
        self.points.extend_from_slice(&points[usize::from(joins)..]);
        let last = self.points.len().saturating_sub(1);
        match self.spans.last_mut() {
            Some(span) if span.ground == ground && span.last == first => span.last = last,
            _ if last > first => self.spans.push(Span { ground, first, last }),
            _ => {}
        }
    }
}

/// The points of a stretch of a link, in the direction of travel.
pub(crate) fn step_points(view: &View, step: &Step) -> Vec<Position> {
    let (low, high) = (step.from_m.min(step.to_m), step.from_m.max(step.to_m));
    let shape: Vec<Position> = view.shape(&view.link(step.link)).iter().map(|c| position(*c)).collect();
    let along = cumulative_m(&shape);
    let mut points = vec![place(&shape, &along, low)];
    points.extend(shape.iter().zip(&along).filter(|(_, at)| **at > low + 0.01 && **at < high - 0.01).map(|(p, _)| *p));
    points.push(place(&shape, &along, high));
    if step.is_backward {
        points.reverse();
    }
    points
}

fn place(shape: &[Position], along: &[f64], at: f64) -> Position {
    // Within a centimetre of an end it is the end: lengths are stored in centimetres.
    match along.last() {
        Some(last) if at >= last - 0.01 => shape[shape.len() - 1],
        _ if at <= 0.01 => shape[0],
        _ => {
            let i = along.partition_point(|d| *d <= at).clamp(1, shape.len() - 1);
            between(shape[i - 1], shape[i], (at - along[i - 1]) / (along[i] - along[i - 1]).max(1e-9))
        }
    }
}

/// A line with its running distances, heights and ground.
pub(crate) struct Measured<'a> {
    pub line: Line,
    pub along_m: Vec<f64>,
    pub profile: Option<climb::Profile>,
    pub elevation_source: ElevationSource,
    view: View<'a>,
    rules: &'a Rules,
    /// Paces computed in advance, by attribute set.
    paces: &'a [[Option<Pace>; 2]],
}

impl<'a> Measured<'a> {
    /// Measure a line; heights as recorded, else from the ground model, else none.
    #[expect(clippy::large_types_passed_by_value, reason = "a view is a handful of slices, copied once a request")]
    pub(crate) fn new(
        mut line: Line,
        view: View<'a>,
        rules: &'a Rules,
        recorded: Option<&RecordedHeights>,
        dem: Option<&Dem>,
    ) -> Self {
        let along_m = cumulative_m(&line.points);
        let off_ground = off_ground(&line, &along_m, &view);
        let is_off = |at: f64| off_ground.iter().any(|(from, to)| (*from..*to).contains(&at));
        let of_file = recorded.and_then(|r| climb::Profile::of_recording(&line.points, &along_m, r));
        let (profile, elevation_source) = match (of_file, dem) {
            (Some(profile), _) => (Some(profile), ElevationSource::File),
            (None, Some(dem)) => {
                let profile =
                    climb::Profile::of_ground(&line.points, &along_m, |p| dem.elevation_m(p.lon, p.lat), is_off);
                let source = if profile.is_some() { ElevationSource::Dem } else { ElevationSource::None };
                (profile, source)
            }
            (None, None) => (None, ElevationSource::None),
        };
        for (point, at) in line.points.iter_mut().zip(&along_m) {
            point.ele = profile.as_ref().map(|p| climb::decimetres(p.height_m(*at)));
        }
        Self { line, along_m, profile, elevation_source, view, rules, paces: &[] }
    }

    /// A line whose heights and running distances are known, with the paces of a profile.
    #[expect(clippy::large_types_passed_by_value, reason = "a view is a handful of slices, copied once a request")]
    pub(crate) fn known(
        line: Line,
        along_m: Vec<f64>,
        profile: Option<climb::Profile>,
        view: View<'a>,
        rules: &'a Rules,
        weights: &Weights<'a>,
    ) -> Self {
        let elevation_source = if profile.is_some() { ElevationSource::Dem } else { ElevationSource::None };
        Self { line, along_m, profile, elevation_source, view, rules, paces: weights.paces }
    }

    /// The same line with the paces of a profile that were worked out beforehand.
    pub(crate) fn at_paces_of(self, weights: &Weights<'a>) -> Self {
        Self { paces: weights.paces, ..self }
    }

    pub(crate) fn length_m(&self) -> f64 {
        self.along_m.last().copied().unwrap_or_default()
    }

    /// Ascent and descent between two points of the line.
    pub(crate) fn climb(&self, first: usize, last: usize) -> Option<(f64, f64)> {
        self.profile.as_ref().map(|p| p.climb(self.along_m[first], self.along_m[last]))
    }

    pub(crate) fn attributes(&self, span: &Span) -> Option<Attributes> {
        match span.ground {
            Ground::Link { link, .. } => Some(self.view.attributes_of(link)),
            Ground::Free => None,
        }
    }

    fn pace(&self, span: &Span) -> Pace {
        let off_network = Pace { kmh: self.rules.flat_kmh, factor: 1.0, once_s: 0.0, minds_slope: true };
        match span.ground {
            Ground::Link { link, is_backward } => {
                let known = self.paces.get(self.view.link(link).attributes as usize).copied();
                let both = known.unwrap_or_else(|| {
                    let set = self.view.attributes_of(link);
                    [self.rules.pace(&set, false), self.rules.pace(&set, true)]
                });
                both[usize::from(is_backward)].or(both[usize::from(!is_backward)]).unwrap_or(off_network)
            }
            Ground::Free => off_network,
        }
    }

    /// Seconds between two points of the line. On foot by DIN 33466 over the whole stretch, by bike slope by slope.
    pub(crate) fn duration_s(&self, first: usize, last: usize) -> f64 {
        let (from, to) = (self.along_m[first], self.along_m[last]);
        let (mut walked_m, mut total_s) = (0.0, 0.0);
        let walks = self.rules.ascent_mh.is_some();
        // Neighbours of one pace are timed together.
        let mut run: Option<(Pace, f64, f64)> = None;
        for span in &self.line.spans {
            let (start, end) = (self.along_m[span.first].max(from), self.along_m[span.last].min(to));
            if end <= start {
                continue;
            }
            let pace = self.pace(span);
            if walks && pace.minds_slope {
                walked_m += end - start;
            } else if !pace.minds_slope {
                total_s += self.rules.seconds(&pace, end - start, 0.0, 0.0);
            } else {
                match &mut run {
                    // The numbers are equal exactly: a span ends where the next one starts, and paces come from one table.
                    Some((known, _, until))
                        if until.total_cmp(&start).is_eq() && known.kmh.total_cmp(&pace.kmh).is_eq() =>
                    {
                        *until = end;
                    }
                    _ => {
                        total_s += run.map_or(0.0, |r| self.ridden_s(&r));
                        run = Some((pace, start, end));
                    }
                }
            }
        }
        total_s += run.map_or(0.0, |r| self.ridden_s(&r));
        if walked_m > 0.0 {
            let (up, down) = self.profile.as_ref().map_or((0.0, 0.0), |p| p.climb(from, to));
            let pace = Pace { kmh: self.rules.flat_kmh, factor: 1.0, once_s: 0.0, minds_slope: true };
            total_s += self.rules.seconds(&pace, walked_m, up, down);
        }
        total_s
    }

    /// A stretch cut in pieces of at most 100 m, each at the slope around it.
    fn ridden_s(&self, (pace, start, end): &(Pace, f64, f64)) -> f64 {
        let Some(profile) = &self.profile else { return self.rules.seconds(pace, end - start, 0.0, 0.0) };
        let count = ((end - start) / 100.0).ceil().clamp(1.0, MAX_PIECES);
        let piece_m = (end - start) / count;
        (0..count as usize)
            .map(|i| {
                let middle = start + piece_m * (i as f64 + 0.5);
                let slope = (profile.height_m(middle + 50.0) - profile.height_m(middle - 50.0)) / 100.0;
                self.rules.ridden_s(pace, piece_m, slope)
            })
            .sum()
    }

    /// Length by surface, longest first. Off the network nothing is known.
    pub(crate) fn surfaces(&self) -> Vec<(Surface, f64)> {
        self.sums(|set| set.map_or(Surface::Unknown, |s| s.likely_surface()))
    }

    /// Length by kind of way, longest first.
    pub(crate) fn way_kinds(&self) -> Vec<(Option<WayKind>, f64)> {
        self.sums(|set| set.map(|s| s.kind))
    }

    fn sums<K: Ord + Copy>(&self, key: impl Fn(Option<Attributes>) -> K) -> Vec<(K, f64)> {
        // A dozen keys at most: a list is the quickest map.
        let mut list: Vec<(K, f64)> = Vec::with_capacity(16);
        let set_of = |span: &Span| match span.ground {
            Ground::Link { link, .. } => Some(self.view.links[link as usize][ATTRIBUTES_WORD]),
            Ground::Free => None,
        };
        // Neighbours mostly share their attributes, which are then decoded once.
        for run in self.line.spans.chunk_by(|a, b| set_of(a) == set_of(b)) {
            let metres: f64 = run.iter().map(|s| self.along_m[s.last] - self.along_m[s.first]).sum();
            let own = key(self.attributes(&run[0]));
            match list.iter_mut().find(|(known, _)| *known == own) {
                Some((_, sum)) => *sum += metres,
                None => list.push((own, metres)),
            }
        }
        list.retain(|(_, m)| *m > 0.0);
        list.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        list
    }
}

/// Stretches where the ground model does not give the height of the way.
fn off_ground(line: &Line, along_m: &[f64], view: &View) -> Vec<(f64, f64)> {
    let is_off = |span: &&Span| matches!(span.ground, Ground::Link { link, .. } if view.attributes_of(link).leaves_the_ground() || view.attributes_of(link).kind == WayKind::Ferry);
    let mut merged: Vec<(f64, f64)> = Vec::new();
    for span in line.spans.iter().filter(is_off) {
        let (from, to) = (along_m[span.first], along_m[span.last]);
        match merged.last_mut() {
            Some(last) if (last.1 - from).abs() < 0.1 => last.1 = to,
            _ => merged.push((from, to)),
        }
    }
    merged
}
