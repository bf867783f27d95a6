//! Compares the stretches of a trace before and after a change of the map.

use std::cmp::Ordering;

use domain::watch::{ChangedStretch, Scoring};
use routing::{Gap, GapCause, Reliability};
use store::parcours::{StoredTrace, WayRun};
use trace::Position;

/// Differences shorter than this are left out where there is a longer one: the matcher only moved the end of a gap by a step or two.
const SLIVER_M: f64 = 25.0;
/// A way whose line runs nearer than this to a stretch runs along it.
const ALONG_M: f64 = 40.0;
/// It does so over at least this many metres, or over half its length.
const ALONG_FOR_M: f64 = 25.0;
/// Most stretches that are listed, the longest ones.
const MAX_STRETCHES: usize = 50;
/// How far the simplified line of a stretch, for the map, may be from the line itself.
const DRAWN_WITHIN_M: f64 = 2.0;

/// The reliability of a stored trace: percent, state, and the date of the map data.
pub(super) fn scoring(kept: &StoredTrace) -> Scoring {
    let summary = &kept.summary;
    let percent = summary
        .reliability
        .as_ref()
        .and_then(|reliability| reliability.get("percent"))
        .and_then(serde_json::Value::as_f64);
    Scoring { percent, state: summary.reliability_state, data_date: summary.data_date.clone() }
}

/// The stretches along a trace whose fit with the network changed.
pub(super) fn stretches(old: &StoredTrace, new: &StoredTrace) -> Vec<ChangedStretch> {
    let (Some(was), Some(is)) = (gaps(old), gaps(new)) else { return Vec::new() };
    let worked = new.worked_line();
    let mut differ = differences(&was, &is);
    let long_enough = |part: &Difference| part.length_m() >= SLIVER_M;
    if differ.iter().any(long_enough) {
        differ.retain(long_enough);
    }
    if differ.len() > MAX_STRETCHES {
        differ.sort_by(|a, b| b.length_m().total_cmp(&a.length_m()));
        differ.truncate(MAX_STRETCHES);
        differ.sort_by(|a, b| a.from_m.total_cmp(&b.from_m));
    }
    differ.iter().map(|part| changed_stretch(part, &worked, old, new)).collect()
}

/// The gaps of a trace; `None` where its reliability was never calculated.
fn gaps(kept: &StoredTrace) -> Option<Vec<Gap>> {
    let stored = kept.summary.reliability.clone()?;
    let reliability: Reliability = serde_json::from_value(stored).ok()?;
    // A stretch that an editor keeps off the network on purpose is no gap of the network.
    Some(reliability.gaps.into_iter().filter(|gap| gap.cause != GapCause::KeptOffNetwork).collect())
}

/// A part of the line that is another gap than before, or none, or one where none was.
struct Difference<'a> {
    from_m: f64,
    to_m: f64,
    was: Option<&'a Gap>,
    is: Option<&'a Gap>,
}

impl Difference<'_> {
    fn length_m(&self) -> f64 {
        self.to_m - self.from_m
    }
}

fn differences<'a>(was: &'a [Gap], is: &'a [Gap]) -> Vec<Difference<'a>> {
    let mut borders: Vec<f64> = was.iter().chain(is).flat_map(|gap| [gap.from_m, gap.to_m]).collect();
    borders.sort_by(f64::total_cmp);
    borders.dedup_by(|a, b| a.total_cmp(b) == Ordering::Equal);
    let mut found: Vec<Difference> = Vec::new();
    for pair in borders.windows(2) {
        let (was, is) = (at(was, pair), at(is, pair));
        if same(was, is) {
            continue;
        }
        match found.last_mut() {
            Some(last) if last.to_m >= pair[0] && same(last.was, was) && same(last.is, is) => last.to_m = pair[1],
            _ => found.push(Difference { from_m: pair[0], to_m: pair[1], was, is }),
        }
    }
    found
}

/// The gap between two neighbouring borders.
fn at<'a>(gaps: &'a [Gap], pair: &[f64]) -> Option<&'a Gap> {
    gaps.iter().find(|gap| gap.from_m <= pair[0] && gap.to_m >= pair[1])
}

fn same(a: Option<&Gap>, b: Option<&Gap>) -> bool {
    a.map(|gap| gap.cause) == b.map(|gap| gap.cause)
}

fn changed_stretch(part: &Difference, worked: &[Position], old: &StoredTrace, new: &StoredTrace) -> ChangedStretch {
    let line = trace::simplify(&trace::edit::trim(worked, part.from_m, part.to_m), DRAWN_WITHIN_M);
    let (before, now) = (ways_along(old, &line), ways_along(new, &line));
    let without = |ways: &[i64], others: &[i64]| ways.iter().copied().filter(|way| !others.contains(way)).collect();
    let km = |metres: f64| metres.round() / 1_000.0;
    let offset_m = part.is.or(part.was).map_or(0.0, |gap| gap.max_offset_m);
    ChangedStretch {
        from_km: km(part.from_m),
        to_km: km(part.to_m),
        length_m: part.length_m().round(),
        cause: part.is.map_or("now_on_way", |gap| gap.cause.as_str()).to_owned(),
        was: part.was.map(|gap| gap.cause.as_str().to_owned()),
        max_offset_m: (offset_m * 10.0).round() / 10.0,
        geometry: line.iter().map(|p| [p.lon, p.lat].map(|degrees| (degrees * 1e6).round() / 1e6)).collect(),
        ways_left: without(&before, &now),
        ways_used: without(&now, &before),
        way_id: part.is.and_then(|gap| gap.way_id),
        edit_url: part.is.and_then(|gap| gap.edit_url.clone()),
    }
}

/// The ways of a planned line that run along a stretch, in their order.
fn ways_along(kept: &StoredTrace, stretch: &[Position]) -> Vec<i64> {
    let Some(planned) = &kept.planned_line else { return Vec::new() };
    let mut found: Vec<i64> = Vec::new();
    for run in &kept.extra.ways {
        if !found.contains(&run.0) && runs_along(planned, run, stretch) {
            found.push(run.0);
        }
    }
    found
}

fn runs_along(planned: &[Position], &(_, from, to): &WayRun, stretch: &[Position]) -> bool {
    let Some(line) = planned.get(from..=to) else { return false };
    if !trace::bbox(stretch).zip(trace::bbox(line)).is_some_and(|(a, b)| touch(a, b)) {
        return false;
    }
    let (mut along_m, mut whole_m) = (0.0, 0.0);
    for pair in line.windows(2) {
        let length_m = trace::distance_m(pair[0], pair[1]);
        let middle = Position::new(f64::midpoint(pair[0].lon, pair[1].lon), f64::midpoint(pair[0].lat, pair[1].lat));
        whole_m += length_m;
        if trace::locate(stretch, middle).is_some_and(|found| found.offset_m <= ALONG_M) {
            along_m += length_m;
        }
    }
    along_m > 0.0 && along_m >= ALONG_FOR_M.min(whole_m / 2.0)
}

/// Do two boxes touch, or nearly? A thousandth of a degree is more than [`ALONG_M`] in the inhabited world.
fn touch([west, south, east, north]: [f64; 4], other: [f64; 4]) -> bool {
    const MARGIN: f64 = 0.001;
    west - MARGIN <= other[2] && east + MARGIN >= other[0] && south - MARGIN <= other[3] && north + MARGIN >= other[1]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gap(from_m: f64, to_m: f64, cause: GapCause) -> Gap {
        Gap {
            cause,
            judged: cause.is_judged(),
            from_m,
            to_m,
            length_m: to_m - from_m,
            max_offset_m: 50.0,
            points: 0.0,
            line: Vec::new(),
            fix: None,
            shift: None,
            way_id: None,
            remedies: Vec::new(),
            edit_url: None,
        }
    }

    fn parts(was: &[Gap], is: &[Gap]) -> Vec<(f64, f64, Option<GapCause>, Option<GapCause>)> {
        let cause = |gap: Option<&Gap>| gap.map(|gap| gap.cause);
        differences(was, is).iter().map(|part| (part.from_m, part.to_m, cause(part.was), cause(part.is))).collect()
    }

    #[test]
    fn only_what_is_another_gap_than_before_is_a_difference() {
        use GapCause::{Forbidden, NoWay};
        let here = gap(100.0, 300.0, NoWay);
        assert!(parts(std::slice::from_ref(&here), std::slice::from_ref(&here)).is_empty());
        assert_eq!(parts(&[], std::slice::from_ref(&here)), [(100.0, 300.0, None, Some(NoWay))]);
        assert_eq!(parts(std::slice::from_ref(&here), &[]), [(100.0, 300.0, Some(NoWay), None)]);
        let now = [gap(100.0, 180.0, NoWay), gap(180.0, 260.0, Forbidden), gap(400.0, 500.0, NoWay)];
        assert_eq!(
            parts(&[here], &now),
            [
                (180.0, 260.0, Some(NoWay), Some(Forbidden)),
                (260.0, 300.0, Some(NoWay), None),
                (400.0, 500.0, None, Some(NoWay))
            ]
        );
    }

    #[test]
    fn a_way_that_only_crosses_a_stretch_does_not_run_along_it() {
        let at = |east_m: f64, north_m: f64| Position::new(east_m / 111_320.0, north_m / 111_320.0);
        let stretch = [at(0.0, 0.0), at(500.0, 0.0)];
        let planned = [at(0.0, 5.0), at(490.0, 5.0), at(500.0, 5.0), at(500.0, 900.0)];
        assert!(runs_along(&planned, &(1, 0, 1), &stretch));
        assert!(runs_along(&planned, &(1, 1, 2), &stretch), "a short one, wholly");
        assert!(!runs_along(&planned, &(1, 2, 3), &stretch));
        assert!(!runs_along(&planned, &(1, 3, 9), &stretch), "indexes that lead nowhere");
    }
}
