//! The planned trace of a match: the network's line where the recording follows it, the recording's elsewhere.

use super::{
    chain::Chain,
    clean::Track,
    judge::{Step as Judged, Verdict},
};
use crate::{
    file::View,
    line::{Ground, Line},
    search::Step,
};

/// Back-and-forth shorter than this along the ways is noise, not a walk there and back.
const JITTER_M: f64 = 30.0;
/// Two stretches of a link whose lengths differ by less are the same stretch.
const SAME_M: f64 = 0.05;

/// Makes the planned line.
pub(crate) fn line(view: &View, track: &Track, chain: &Chain, steps: &[Judged]) -> Line {
    let mut out = Line::default();
    let mut on: Vec<Step> = Vec::new();
    let mut free_from: Option<f64> = None;
    for segment in 0..chain.points.len().saturating_sub(1) {
        let (from, to) = (track.along_m[chain.points[segment]], track.along_m[chain.points[segment + 1]]);
        if let Some(path) = chain.paths[segment].as_ref().filter(|_| fits(steps, from, to)) {
            if let Some(start) = free_from.take() {
                out.push(Ground::Free, &track.cut(start, from));
            }
            on.extend_from_slice(path);
        } else {
            flush(view, &mut out, &mut on);
            free_from.get_or_insert(from);
        }
    }
    flush(view, &mut out, &mut on);
    if let Some(start) = free_from {
        out.push(Ground::Free, &track.cut(start, track.length_m()));
    }
    if out.points.len() < 2 {
        // All of it is less than noise: a few metres there and back, or at one place of a way.
        out = Line::default();
        out.push(Ground::Free, &track.cut(0.0, track.length_m()));
    }
    out
}

/// Is most of a stretch on the network?
pub(crate) fn fits(steps: &[Judged], from: f64, to: f64) -> bool {
    let first = steps.partition_point(|s| s.to_m <= from + 1e-6);
    let (mut on, mut all) = (0.0, 0.0);
    for step in steps[first..].iter().take_while(|s| s.from_m < to - 1e-6) {
        all += step.length_m();
        on += if step.verdict == Verdict::On { step.length_m() } else { 0.0 };
    }
    on * 2.0 > all
}

fn flush(view: &View, out: &mut Line, on: &mut Vec<Step>) {
    for step in settled(on) {
        out.push_step(view, &step);
    }
    on.clear();
}

/// The same path without jitter: stretches in one direction along a link are one, and what is walked back at once is left out where it
/// is short. The whole way back counts, over all its links: of a side trip over many short links none is left out.
fn settled(steps: &[Step]) -> Vec<Step> {
    let mut merged: Vec<Step> = Vec::with_capacity(steps.len());
    for step in steps.iter().filter(|step| length_m(step) > 1e-6) {
        push(&mut merged, *step);
    }
    // The next one is the last.
    let mut ahead: Vec<Step> = merged.into_iter().rev().collect();
    let mut out: Vec<Step> = Vec::with_capacity(ahead.len());
    while let Some(next) = ahead.last().copied() {
        let depth_m = walked_back_m(&out, &ahead);
        if depth_m > 0.0 && depth_m < JITTER_M {
            leave_out(&mut out, &mut ahead);
        } else {
            ahead.pop();
            push(&mut out, next);
        }
    }
    out
}

/// Appends a step; one that goes on along the same link prolongs the last.
fn push(out: &mut Vec<Step>, step: Step) {
    match out.last_mut() {
        Some(last) if last.link == step.link && last.is_backward == step.is_backward => last.to_m = step.to_m,
        _ => out.push(step),
    }
}

fn length_m(step: &Step) -> f64 {
    (step.to_m - step.from_m).abs()
}

fn is_turn(there: &Step, back: &Step) -> bool {
    there.link == back.link && there.is_backward != back.is_backward
}

/// Metres of the way so far that what is ahead walks back at once, counted until they are no jitter.
fn walked_back_m(out: &[Step], ahead: &[Step]) -> f64 {
    let mut depth_m = 0.0;
    for (there, back) in out.iter().rev().zip(ahead.iter().rev()) {
        if depth_m >= JITTER_M || !is_turn(there, back) {
            break;
        }
        depth_m += length_m(there).min(length_m(back));
        if (length_m(there) - length_m(back)).abs() > SAME_M {
            break;
        }
    }
    depth_m
}

/// Takes away the end of the way so far and the start of what is ahead, as far as the one is the other walked back.
fn leave_out(out: &mut Vec<Step>, ahead: &mut Vec<Step>) {
    while let (Some(there), Some(back)) = (out.last_mut(), ahead.last_mut()) {
        if !is_turn(there, back) {
            return;
        }
        let longer_m = length_m(there) - length_m(back);
        if longer_m > SAME_M {
            there.to_m = back.to_m;
            ahead.pop();
            return;
        }
        if longer_m < -SAME_M {
            back.from_m = there.from_m;
            out.pop();
            return;
        }
        out.pop();
        ahead.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(moves: &[(u32, f64, f64)]) -> Vec<Step> {
        let step = |(link, from_m, to_m): &(u32, f64, f64)| Step {
            link: *link,
            is_backward: to_m < from_m,
            from_m: *from_m,
            to_m: *to_m,
        };
        moves.iter().map(step).collect()
    }

    fn check(walked: &[(u32, f64, f64)], left: &[(u32, f64, f64)]) {
        assert_eq!(settled(&steps(walked)), steps(left), "{walked:?}");
    }

    #[test]
    fn jitter_goes_and_there_and_back_stays() {
        let jitter = [(1, 0.0, 20.0), (1, 20.0, 15.0), (1, 15.0, 40.0), (1, 40.0, 38.0), (1, 38.0, 60.0)];
        check(&jitter, &[(1, 0.0, 60.0)]);
        check(&[(1, 0.0, 90.0), (1, 90.0, 200.0), (1, 200.0, 0.0)], &[(1, 0.0, 200.0), (1, 200.0, 0.0)]);
        check(&[(1, 10.0, 50.0), (1, 50.0, 45.0)], &[(1, 10.0, 45.0)]);
        check(&[(1, 50.0, 45.0), (1, 45.0, 90.0)], &[(1, 50.0, 90.0)]);
        check(&[(1, 5.0, 5.0)], &[]);
        // Forward over short links, 25 m back, and forward again.
        let links = [(1, 0.0, 10.0), (2, 0.0, 10.0), (3, 0.0, 10.0), (4, 0.0, 10.0)];
        let back = [(4, 10.0, 0.0), (3, 10.0, 0.0), (2, 10.0, 5.0), (2, 5.0, 10.0), links[2], links[3], (5, 0.0, 10.0)];
        check(&[&links[..], &back[..]].concat(), &[&links[..], &back[6..]].concat());
    }

    #[test]
    fn a_side_trip_is_measured_over_all_its_links() {
        let (before, after) = ((1, 0.0, 100.0), (9, 0.0, 100.0));
        let side = |ids: &[u32], each_m: f64| {
            let out = ids.iter().map(|id| (*id, 0.0, each_m));
            let back = ids.iter().rev().map(|id| (*id, each_m, 0.0));
            [before].into_iter().chain(out).chain(back).chain([after]).collect::<Vec<_>>()
        };
        check(&side(&[2], 25.0), &[before, after]);
        check(&side(&[2, 3], 12.0), &[before, after]);
        for long in [side(&[2, 3, 4], 25.0), side(&[2, 3], 20.0), side(&[2], 31.0)] {
            check(&long, &long);
        }
        // The tip of a way there and back stays, however short its last link is.
        let there = [before, (2, 0.0, 8.0), (2, 8.0, 0.0), (1, 100.0, 0.0)];
        check(&there, &there);
        // A trip of 10 m beside a side trip goes alone.
        let twig = [before, (2, 0.0, 25.0), (3, 0.0, 10.0), (3, 10.0, 0.0), (4, 0.0, 25.0), (4, 25.0, 0.0)];
        let left = [before, (2, 0.0, 25.0), (4, 0.0, 25.0), (4, 25.0, 0.0), (2, 25.0, 0.0), after];
        check(&[&twig[..], &left[4..]].concat(), &left);
    }
}
