//! Synthetic recordings whose true path is known: paths of the planner, resampled, with noise and pauses, then matched and compared link by
//! link.
//!
//! For benches and tests; not part of the engine.

use crate::{
    embedded::Embedded,
    geometry::{at_m, cumulative_m},
    line::{Line, step_points},
    matching::matched_pieces,
    planner::Planner,
    profile::Rules,
    search::{self, Step},
    snap::Snap,
};
use routing::{MatchRequest, Profile};
use trace::Position;

/// The largest distance along a recording between a matched piece and its true place, in metres: more is another passage.
const ASTRAY_M: f64 = 100.0;
/// Straight distance from one place of a path to the next.
const LEG_M: std::ops::Range<f64> = 2_500.0..14_000.0;

/// The shape of a made path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// From one place to another.
    Line,
    /// Over two places back to the start.
    Loop,
    /// There and back: the same way except on one-ways, which are not ridden twice.
    OutAndBack,
    /// Two loops through one place.
    FigureEight,
    /// Leg after leg, 300 km and more.
    Long,
}

/// A recording to make.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trial {
    /// The profile of the traveller.
    pub profile: Profile,
    /// The shape of its path.
    pub form: Form,
    /// Metres between points.
    pub spacing_m: f64,
    /// Standard deviation of the noise on each axis.
    pub sigma_m: f64,
    /// Share of a point's error that the next one keeps (a first-order autoregression), 0 to 1.
    pub memory: f64,
    /// Seconds without a recorded point, about once per kilometre.
    pub pause_s: f64,
}

/// The result of a trial.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Length of the true path.
    pub true_m: f64,
    /// Metres of it that were matched to the right link, at the right passage.
    pub recovered_m: f64,
    /// Length that the match put on the network.
    pub planned_m: f64,
    /// The reliability that the planner gives.
    pub percent: Option<f64>,
    /// The recording, to examine a failure.
    pub recording: Vec<Position>,
}

impl Outcome {
    /// The share of the length that was recovered.
    pub fn share(&self) -> f64 {
        self.recovered_m / self.true_m
    }
}

/// A small generator of random numbers: the same sequence for the same seed, on every machine.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// From 0 to 1.
    pub fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // The low bits of such a generator repeat, so the high ones are used.
        (self.0 >> 33) as f64 / f64::from(1_u32 << 31)
    }

    /// Normally distributed, standard deviation 1 (Box and Muller).
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.share()).max(1e-12).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.share()).cos()
    }
}

/// Makes a path, records it, matches it, and compares. `None` where no path was found.
pub fn run(engine: &Embedded, trial: &Trial, seed: u64) -> Option<Outcome> {
    let planner = engine.planner(trial.profile);
    let mut random = Random::new(seed);
    let path = path(&planner, trial.form, &mut random)?;
    let mut line = Line::default();
    for step in &path {
        line.push_step(&planner.view, step);
    }
    let (recording, true_at) = record(&line.points, trial, &mut random);
    let request = MatchRequest::new(recording, trial.profile);
    let (pieces, found) = matched_pieces(&planner, &request.line).ok()?;
    let source = cumulative_m(&request.line);
    let truth_of = |at: f64| {
        let i = source.partition_point(|d| *d < at).clamp(1, source.len() - 1);
        let share = ((at - source[i - 1]) / (source[i] - source[i - 1]).max(1e-9)).clamp(0.0, 1.0);
        true_at[i - 1] + (true_at[i] - true_at[i - 1]) * share
    };
    let pieces: Vec<(Step, f64, f64)> =
        pieces.into_iter().map(|(s, from, to)| (s, truth_of(from), truth_of(to))).collect();
    let (true_m, recovered_m) = compare(&path, &pieces);
    let planned_m = found.edges.iter().filter(|e| e.way_id.is_some()).map(|e| e.length_m).sum();
    Some(Outcome { true_m, recovered_m, planned_m, percent: found.reliability.percent, recording: request.line })
}

/// A place on a large component.
fn place(planner: &Planner, random: &mut Random) -> Snap {
    loop {
        let link = (random.share() * planner.view.links.len() as f64) as u32;
        if planner.weights.is_large(link) {
            let at_m = planner.view.link(link).length_m() * random.share();
            let step = Step { link, is_backward: false, from_m: at_m, to_m: at_m };
            return Snap { link, at_m, position: step_points(&planner.view, &step)[0], offset_m: 0.0 };
        }
    }
}

fn path(planner: &Planner, form: Form, random: &mut Random) -> Option<Vec<Step>> {
    let start = place(planner, random);
    let next = |from: &Snap, random: &mut Random| {
        (0..200).map(|_| place(planner, random)).find(|p| LEG_M.contains(&trace::distance_m(from.position, p.position)))
    };
    let (a, b) = (next(&start, random)?, next(&start, random)?);
    let places = match form {
        Form::Line => vec![start, a],
        Form::OutAndBack => vec![start, a, start],
        Form::Loop => vec![start, a, b, start],
        Form::FigureEight => {
            let (c, d) = (next(&start, random)?, next(&start, random)?);
            vec![start, a, b, start, c, d, start]
        }
        Form::Long => {
            let mut all = vec![start];
            for _ in 0..60 {
                all.push(next(all.last()?, random)?);
            }
            all
        }
    };
    let mut steps = Vec::new();
    for pair in places.windows(2) {
        steps.extend(
            search::plain(&planner.view, &planner.weights, &pair[0], &pair[1], planner.max_settled).ok()??.steps,
        );
    }
    Some(steps)
}

/// The recording and, for each of its points, its distance along the path.
fn record(line: &[Position], trial: &Trial, random: &mut Random) -> (Vec<Position>, Vec<f64>) {
    let along = cumulative_m(line);
    let length_m = along.last().copied().unwrap_or_default();
    let speed_ms = Rules::of(trial.profile).flat_kmh / 3.6;
    let (mut points, mut true_at) = (Vec::new(), Vec::new());
    let (mut east, mut north) = (trial.sigma_m * random.normal(), trial.sigma_m * random.normal());
    let fresh = (1.0 - trial.memory * trial.memory).sqrt() * trial.sigma_m;
    let mut silent_until = 0.0;
    let count = (length_m / trial.spacing_m).ceil().max(1.0) as usize;
    for i in 0..=count {
        let at = (trial.spacing_m * i as f64).min(length_m);
        (east, north) = (trial.memory * east + fresh * random.normal(), trial.memory * north + fresh * random.normal());
        if trial.pause_s > 0.0 && at >= silent_until && random.share() < trial.spacing_m / 1000.0 {
            silent_until = at + trial.pause_s * speed_ms;
        }
        if i > 0 && i < count && at < silent_until {
            continue;
        }
        let projection = crate::geometry::Projection::at(at_m(line, &along, at));
        points.push(projection.position(crate::geometry::Xy { x: east, y: north }));
        true_at.push(at);
    }
    (points, true_at)
}

/// Length of the true path, and how much of it lies under matched pieces of the same link at the same passage.
fn compare(path: &[Step], pieces: &[(Step, f64, f64)]) -> (f64, f64) {
    let mut by_link: std::collections::HashMap<u32, Vec<usize>> = std::collections::HashMap::new();
    for (i, (step, ..)) in pieces.iter().enumerate() {
        by_link.entry(step.link).or_default().push(i);
    }
    let (mut at, mut recovered_m) = (0.0, 0.0);
    for step in path {
        let length_m = (step.to_m - step.from_m).abs();
        // Shares of this step, 0 at its start.
        let mut covered: Vec<(f64, f64)> = Vec::new();
        for (piece, from, to) in by_link.get(&step.link).into_iter().flatten().map(|i| &pieces[*i]) {
            let ahead = |m: f64| (m - step.from_m) * if step.to_m < step.from_m { -1.0 } else { 1.0 };
            let (low, high) = (ahead(piece.from_m).min(ahead(piece.to_m)), ahead(piece.from_m).max(ahead(piece.to_m)));
            let window = (from.min(*to) - ASTRAY_M - at, from.max(*to) + ASTRAY_M - at);
            let (low, high) = (low.max(window.0).max(0.0), high.min(window.1).min(length_m));
            if high > low {
                covered.push((low, high));
            }
        }
        covered.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut end = 0.0;
        for (low, high) in covered {
            recovered_m += f64::max(high - low.max(end), 0.0);
            end = end.max(high);
        }
        at += length_m;
    }
    (at, recovered_m)
}
