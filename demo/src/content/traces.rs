//! Source traces: a recording as a device would have made it, over the region's own ways, with its faults.

use std::collections::HashMap;
use std::fmt::Write;

use crate::graph::{Graph, Journey, Mood};
use crate::ground::{self, HEIGHT_M, Spot, WIDTH_M, between, distance, to_segment};
use crate::random::{Random, noise};
use crate::terrain;

/// Why a recording does not lie on the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cause {
    /// It leaves the ways, across a meadow.
    NoWay,
    /// It takes a way that is closed to it.
    Forbidden,
    /// All of it is shifted as one.
    ConstantShift,
    /// The device stopped recording.
    RecordingHole,
    /// It leaves the extract.
    OutsideExtract,
}

/// What the reliability should come out as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// 95 or more.
    Good,
    /// Below 95 for this cause.
    Below95(Cause),
    /// Not calculable for this cause, which is not judged.
    NotCalculable(Cause),
}

impl Expected {
    /// The cause, where something is wrong.
    pub fn cause(self) -> Option<Cause> {
        match self {
            Self::Good => None,
            Self::Below95(cause) | Self::NotCalculable(cause) => Some(cause),
        }
    }
}

/// How the parcours uses its trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TraceMode {
    /// Matched to the network.
    Planner,
    /// As it was recorded.
    Source,
}

/// A recording.
#[derive(Debug, Clone)]
pub struct SourceTrace {
    /// The file's name.
    pub file_name: String,
    /// The file: GPX 1.1.
    pub gpx: String,
    /// How the parcours uses it.
    pub mode: TraceMode,
    /// What its reliability should be.
    pub expected: Expected,
    /// The way that was meant, degrees: longitude, latitude.
    pub meant: Vec<[f64; 2]>,
    /// The recorded points, degrees: longitude, latitude.
    pub recorded: Vec<[f64; 2]>,
    /// The length of the way that was meant, metres.
    pub length_m: f64,
}

/// The properties of a recording to make.
#[derive(Debug, Clone, Copy)]
pub struct Order<'a> {
    /// Seed and file name.
    pub key: &'a str,
    /// The track's name.
    pub name: &'a str,
    /// The kind of traveller.
    pub mood: Mood,
    /// The cause of the gaps.
    pub cause: Option<Cause>,
    /// How it is used.
    pub mode: TraceMode,
    /// The day it was recorded, as `2026-06-14`.
    pub day: &'a str,
}

/// The ways by squares of 200 m, to know how far a spot is from all of them.
pub struct Nearby(HashMap<(i32, i32), Vec<[Spot; 2]>>);

const SQUARE_M: f64 = 200.0;

impl Nearby {
    /// Over the region's ways.
    pub fn new(segments: impl Iterator<Item = [Spot; 2]>) -> Self {
        let mut squares: HashMap<(i32, i32), Vec<[Spot; 2]>> = HashMap::new();
        for segment in segments {
            let middle = between(segment[0], segment[1], 0.5);
            squares.entry(square(middle)).or_default().push(segment);
        }
        Self(squares)
    }

    /// The distance to the nearest way, metres; at most 200.
    fn away_m(&self, spot: Spot) -> f64 {
        let (i, j) = square(spot);
        let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (i + dx, j + dy)));
        let near = around.filter_map(|key| self.0.get(&key)).flatten();
        near.map(|[a, b]| to_segment(spot, *a, *b).0).fold(200.0, f64::min)
    }
}

fn square([x, y]: Spot) -> (i32, i32) {
    ((x / SQUARE_M).floor() as i32, (y / SQUARE_M).floor() as i32)
}

/// Records a journey.
pub fn record(order: &Order<'_>, graph: &Graph, journey: &Journey, nearby: &Nearby) -> SourceTrace {
    let mut random = Random::new(order.key.bytes().fold(17, |sum, byte| sum * 131 % 1_000_000_007 + u64::from(byte)));
    let mut line: Vec<Spot> = journey.nodes.iter().map(|node| graph.spot(*node)).collect();
    let length_m = ground::length(&line);
    let meant = to_degrees(&line);
    match order.cause {
        Some(Cause::NoWay) => line = strayed(&line, length_m * 0.075, nearby),
        Some(Cause::OutsideExtract) => line = onward(line),
        // A walker leaves the way at times: a picnic, a short cut, a view.
        None if random.chance(0.6) => {
            line = strayed(&line, (length_m * random.within(0.006, 0.024)).max(110.0), nearby);
        }
        _ => {}
    }
    let mut spots = walked(&line, &mut random);
    if order.cause == Some(Cause::ConstantShift) {
        shift(&mut spots, nearby);
    }
    let mut points = timed(&spots, order, &mut random);
    if order.cause == Some(Cause::RecordingHole) {
        let (from, to) = (points.len() * 30 / 100, points.len() * 76 / 100);
        points.drain(from..to);
    }
    let expected = match order.cause {
        None => Expected::Good,
        Some(cause @ (Cause::RecordingHole | Cause::OutsideExtract)) => Expected::NotCalculable(cause),
        Some(cause) => Expected::Below95(cause),
    };
    SourceTrace {
        file_name: format!("{}.gpx", order.key),
        gpx: gpx(order, &points),
        mode: order.mode,
        expected,
        meant,
        recorded: points.iter().map(|point| [point.lon, point.lat]).collect(),
        length_m,
    }
}

fn to_degrees(line: &[Spot]) -> Vec<[f64; 2]> {
    line.iter().map(|spot| ground::degrees(*spot)).map(|(lon, lat)| [lon, lat]).collect()
}

/// The line with a piece of it replaced by a walk across country, as far from any way as can be found.
fn strayed(line: &[Spot], span_m: f64, nearby: &Nearby) -> Vec<Spot> {
    let fine = crate::curve::resampled(line, 20.0);
    let span = ((span_m / 20.0) as usize).clamp(3, fine.len() / 3);
    let mut best: Option<(usize, usize, Vec<Spot>)> = None;
    for from in (fine.len() / 8..fine.len().saturating_sub(span)).step_by(6) {
        let (a, b) = (fine[from], fine[from + span]);
        for bulge in [-0.45, -0.3, -0.18, 0.18, 0.3, 0.45] {
            let across = bow(a, b, bulge);
            let off = across.iter().filter(|spot| nearby.away_m(**spot) > 75.0).count();
            let dry = across.iter().all(|spot| {
                terrain::from_lake_m(*spot) > 25.0
                    && terrain::from_pond_m(*spot) > 20.0
                    && terrain::from_river_m(*spot) > 40.0
            });
            if dry && best.as_ref().is_none_or(|(known, ..)| off > *known) {
                best = Some((off, from, across));
            }
        }
    }
    let Some((_, from, across)) = best else { return line.to_vec() };
    [&fine[..from], &across, &fine[from + span + 1..]].concat()
}

/// A bowed line from `a` to `b`, a point every 20 m.
fn bow(a: Spot, b: Spot, bulge: f64) -> Vec<Spot> {
    let run_m = distance(a, b);
    let steps = (run_m * 1.2 / 20.0).ceil().max(4.0) as usize;
    (0..=steps)
        .map(|k| {
            let part = k as f64 / steps as f64;
            let out =
                bulge * run_m * (part * std::f64::consts::PI).sin() + 14.0 * noise(b, 7.0 + part * 3.0, k as u64 / 6);
            let on = between(a, b, part);
            [on[0] - (b[1] - a[1]) / run_m.max(1.0) * out, on[1] + (b[0] - a[0]) / run_m.max(1.0) * out]
        })
        .collect()
}

/// The line and as much again as makes a third of the whole, beyond the border nearest to its end.
fn onward(mut line: Vec<Spot>) -> Vec<Spot> {
    let beyond_m = ground::length(&line) * 0.55;
    let Some(end) = line.last().copied() else { return line };
    let exits =
        [(end[0], [-1.0, 0.0]), (WIDTH_M - end[0], [1.0, 0.0]), (end[1], [0.0, -1.0]), (HEIGHT_M - end[1], [0.0, 1.0])];
    let nearest = exits.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).map_or([1.0, 0.0], |(_, way)| way);
    for k in 1..(beyond_m / 25.0) as usize {
        let run_m = k as f64 * 25.0;
        let swing_m = 160.0 * noise([run_m, 0.0], 900.0, 7) - 160.0 * noise([0.0, 0.0], 900.0, 7);
        line.push([
            end[0] + nearest[0] * run_m + nearest[1] * swing_m,
            end[1] + nearest[1] * run_m + nearest[0] * swing_m,
        ]);
    }
    line
}

/// Points every 8 to 15 m with the drift of a receiver: near points err together.
fn walked(line: &[Spot], random: &mut Random) -> Vec<Spot> {
    let total_m = ground::length(line);
    let sigma_m = random.within(1.6, 2.6);
    let mut drift = [random.normal() * sigma_m, random.normal() * sigma_m];
    let (mut spots, mut at_m, mut passed_m, mut segment) = (Vec::new(), 0.0, 0.0, 0);
    while at_m <= total_m && segment + 1 < line.len() {
        let run_m = distance(line[segment], line[segment + 1]);
        if passed_m + run_m < at_m {
            passed_m += run_m;
            segment += 1;
            continue;
        }
        let on = between(line[segment], line[segment + 1], (at_m - passed_m) / run_m.max(0.01));
        spots.push([on[0] + drift[0], on[1] + drift[1]]);
        let step_m = random.within(8.0, 15.0);
        let kept = (-step_m / 70.0_f64).exp();
        let fresh = sigma_m * (1.0 - kept * kept).sqrt();
        drift = [drift[0] * kept + random.normal() * fresh, drift[1] * kept + random.normal() * fresh];
        at_m += step_m;
    }
    spots
}

/// Moves the whole recording by 35 m, as a map in another datum would, to the side where least of it falls on a way.
fn shift(spots: &mut [Spot], nearby: &Nearby) {
    let mut best = (0, [0.0, 0.0]);
    for turn in 0..12 {
        let angle = f64::from(turn) * std::f64::consts::TAU / 12.0;
        let by = [35.0 * angle.cos(), 35.0 * angle.sin()];
        let off = spots.iter().filter(|[x, y]| nearby.away_m([x + by[0], y + by[1]]) > 20.0).count();
        if off > best.0 {
            best = (off, by);
        }
    }
    for spot in spots {
        *spot = [spot[0] + best.1[0], spot[1] + best.1[1]];
    }
}

struct Point {
    lon: f64,
    lat: f64,
    ele_m: f64,
    at_s: u32,
}

/// Times and heights: slower uphill, and a barometer's drift.
fn timed(spots: &[Spot], order: &Order<'_>, random: &mut Random) -> Vec<Point> {
    let flat_ms = match order.mood {
        Mood::Walk => 1.25,
        Mood::Tour => 4.6,
        Mood::Road => 6.9,
        Mood::Rough => 4.0,
    };
    let mut at_s = 8.0 * 3_600.0 + random.within(0.0, 5_400.0);
    let mut drift_m = 0.0;
    let mut before: Option<(Spot, f64)> = None;
    spots
        .iter()
        .map(|spot| {
            let inside = [spot[0].clamp(-3_000.0, WIDTH_M + 3_000.0), spot[1].clamp(-3_000.0, HEIGHT_M + 3_000.0)];
            let ground_m = terrain::height(inside);
            drift_m = drift_m * 0.97 + random.normal() * 0.3;
            if let Some((last, last_m)) = before {
                let run_m = distance(last, *spot).max(0.1);
                let gradient = ((ground_m - last_m) / run_m).clamp(-0.5, 0.5);
                // Tobler's shape: fastest slightly downhill.
                let pace = (-3.0 * (gradient + 0.04).abs()).exp() * 1.12;
                at_s += run_m / (flat_ms * pace * random.within(0.92, 1.08)).max(0.3);
            }
            before = Some((*spot, ground_m));
            let (lon, lat) = ground::degrees(*spot);
            Point { lon, lat, ele_m: ground_m + drift_m, at_s: at_s as u32 }
        })
        .collect()
}

fn gpx(order: &Order<'_>, points: &[Point]) -> String {
    let device = ["Sente 500", "Boussole Web", "VéloTrace 3"][order.key.len() % 3];
    let name = order.name.replace('&', "&amp;").replace('<', "&lt;");
    let mut text = String::with_capacity(points.len() * 112 + 400);
    // Writing to a string never fails.
    let _ = write!(
        text,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\" creator=\"{device}\" \
         xmlns=\"http://www.topografix.com/GPX/1/1\">\n<metadata><name>{name}</name></metadata>\n\
         <trk><name>{name}</name>\n<trkseg>\n"
    );
    for point in points {
        let _ = writeln!(
            text,
            "<trkpt lat=\"{:.7}\" lon=\"{:.7}\"><ele>{:.1}</ele><time>{}T{:02}:{:02}:{:02}Z</time></trkpt>",
            point.lat,
            point.lon,
            point.ele_m,
            day_after(order.day, point.at_s / 86_400),
            point.at_s / 3_600 % 24,
            point.at_s / 60 % 60,
            point.at_s % 60
        );
    }
    text.push_str("</trkseg>\n</trk>\n</gpx>\n");
    text
}

/// A day `days` after one that is at most the twentieth of its month.
fn day_after(day: &str, days: u32) -> String {
    let (month, date) = day.split_at(8);
    format!("{month}{:02}", date.parse::<u32>().unwrap_or(1) + days)
}
