//! Making lines that look laid by people and water rather than by a program.

use crate::ground::{Spot, between, distance, length};
use crate::random::{Random, noise};

/// A curve through every point (Catmull-Rom), with a point every `step_m` or less; the given points stay in it.
///
/// With each point of the answer comes the index of the given point it is, if it is one.
pub fn through(points: &[Spot], step_m: f64) -> Vec<(Spot, Option<usize>)> {
    let Some(last) = points.len().checked_sub(1) else { return Vec::new() };
    let mut curve = Vec::new();
    for i in 0..last {
        let (b, c) = (points[i], points[i + 1]);
        let a = if i == 0 { b } else { points[i - 1] };
        let d = if i + 1 == last { c } else { points[i + 2] };
        let steps = (distance(b, c) / step_m).ceil().max(1.0) as usize;
        curve.push((b, Some(i)));
        for k in 1..steps {
            let t = k as f64 / steps as f64;
            curve.push(([spline(a[0], b[0], c[0], d[0], t), spline(a[1], b[1], c[1], d[1], t)], None));
        }
    }
    curve.push((points[last], Some(last)));
    curve
}

fn spline(a: f64, b: f64, c: f64, d: f64, t: f64) -> f64 {
    let (m, n) = ((c - a) * 0.5, (d - b) * 0.5);
    let (t2, t3) = (t * t, t * t * t);
    (2.0 * t3 - 3.0 * t2 + 1.0) * b + (t3 - 2.0 * t2 + t) * m + (3.0 * t2 - 2.0 * t3) * c + (t3 - t2) * n
}

/// The same line with a point every `step_m`.
pub fn resampled(line: &[Spot], step_m: f64) -> Vec<Spot> {
    let Some(first) = line.first() else { return Vec::new() };
    let total = length(line);
    let count = (total / step_m).round().max(1.0);
    let step = total / count;
    let mut out = vec![*first];
    let mut carried = 0.0;
    for pair in line.windows(2) {
        let span = distance(pair[0], pair[1]);
        let mut at = step - carried;
        while at <= span && out.len() <= count as usize {
            out.push(between(pair[0], pair[1], at / span));
            at += step;
        }
        carried = span - (at - step);
    }
    if let Some(last) = line.last()
        && out.len() <= count as usize
    {
        out.push(*last);
    }
    out
}

/// A river's line: a curve through its points that winds, with a point every `step_m`.
pub fn winding(points: &[Spot], swing_m: f64, bend_m: f64, step_m: f64, seed: u64) -> Vec<Spot> {
    let smooth: Vec<Spot> = through(points, step_m).into_iter().map(|(spot, _)| spot).collect();
    let line = resampled(&smooth, step_m);
    let last = line.len().saturating_sub(1);
    let moved = |i: usize| {
        let (a, b) = (line[i.saturating_sub(1)], line[(i + 1).min(last)]);
        let run = distance(a, b).max(1.0);
        // Both ends stay where they are: others join there.
        let ease = (i.min(last - i) as f64 * step_m / 400.0).min(1.0);
        let swing = noise([i as f64 * step_m, 0.0], bend_m, seed) * swing_m * ease;
        [line[i][0] - (b[1] - a[1]) / run * swing, line[i][1] + (b[0] - a[0]) / run * swing]
    };
    (0..line.len()).map(moved).collect()
}

/// Cuts the corners of a closed ring once (Chaikin).
pub fn rounded(ring: &[Spot]) -> Vec<Spot> {
    let count = ring.len();
    (0..count)
        .flat_map(|i| {
            let (a, b) = (ring[i], ring[(i + 1) % count]);
            [between(a, b, 0.25), between(a, b, 0.75)]
        })
        .collect()
}

/// Moves a point by up to `by_m` each way.
pub fn nudged(spot: Spot, by_m: f64, random: &mut Random) -> Spot {
    [spot[0] + random.within(-by_m, by_m), spot[1] + random.within(-by_m, by_m)]
}
