//! Elevations: impossible ones out, missing ones filled between their neighbours, all-zero ones taken as unknown.

use crate::distance_m;
use crate::draft::{Note, RawLine, RawPoint};
use crate::model::RepairKind;

use super::place;

/// From the Dead Sea's floor to Everest, with a margin.
const SOUND_M: std::ops::RangeInclusive<f64> = -500.0..=9_000.0;
/// A bare 0 between points that are all higher than this is "unknown", not the sea.
const ZERO_IS_UNKNOWN_ABOVE_M: f64 = 100.0;

pub fn fill(lines: &mut [RawLine], wanted: impl Fn(RepairKind) -> bool) -> Option<Note> {
    let points = || lines.iter().flat_map(|line| &line.points);
    let first_with = points().find(|point| point.ele.is_some())?;
    if points().all(|point| point.ele.is_none_or(|ele| ele == 0.0)) {
        if !wanted(RepairKind::ZeroElevations) {
            return None;
        }
        let note = Note {
            kind: RepairKind::ZeroElevations,
            count: points().filter(|point| point.ele.is_some()).count(),
            at: Some(first_with.at),
        };
        lines.iter_mut().flat_map(|line| &mut line.points).for_each(|point| point.ele = None);
        return Some(note);
    }
    let lowest_not_zero =
        points().filter_map(|point| point.ele).filter(|ele| *ele != 0.0).fold(f64::INFINITY, f64::min);
    let unknown =
        |ele: f64| !SOUND_M.contains(&ele) || ele.is_nan() || (ele == 0.0 && lowest_not_zero > ZERO_IS_UNKNOWN_ABOVE_M);
    for point in lines.iter_mut().flat_map(|line| &mut line.points) {
        point.ele = point.ele.filter(|ele| !unknown(*ele));
    }
    if !wanted(RepairKind::MissingElevations) {
        return None;
    }
    let (mut count, mut at) = (0, None);
    for line in lines {
        let missing = line.points.iter().filter(|point| point.ele.is_none()).count();
        if missing > 0 {
            count += missing;
            at = at.or_else(|| line.points.iter().find(|point| point.ele.is_none()).map(|point| point.at));
            fill_line(&mut line.points);
        }
    }
    (count > 0).then_some(Note { kind: RepairKind::MissingElevations, count, at })
}

/// Between two known points the elevation goes in proportion to the way; before the first and after the last it stays.
fn fill_line(points: &mut [RawPoint]) {
    let known: Vec<usize> = (0..points.len()).filter(|i| points[*i].ele.is_some()).collect();
    let (Some(&first), Some(&last)) = (known.first(), known.last()) else { return };
    let (low, high) = (points[first].ele, points[last].ele);
    points[..first].iter_mut().for_each(|point| point.ele = low);
    points[last + 1..].iter_mut().for_each(|point| point.ele = high);
    for pair in known.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let (Some(start), Some(end)) = (points[from].ele, points[to].ele) else { continue };
        let steps_m: Vec<f64> = (from..to).map(|i| distance_m(place(&points[i]), place(&points[i + 1]))).collect();
        let total_m: f64 = steps_m.iter().sum();
        let mut at_m = 0.0;
        for (step_m, point) in steps_m.iter().zip(&mut points[from + 1..to]) {
            at_m += step_m;
            point.ele = Some(if total_m > 0.0 { start + (end - start) * at_m / total_m } else { start });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::LineKind;

    fn line(elevations: &[Option<f64>]) -> Vec<RawLine> {
        let points = elevations
            .iter()
            .enumerate()
            .map(|(i, ele)| RawPoint { lon: 6.0, lat: 45.0 + i as f64 * 1e-4, ele: *ele, time_ms: None, at: i })
            .collect();
        vec![RawLine { kind: LineKind::Track, name: None, points }]
    }

    fn filled(elevations: &[Option<f64>]) -> (Vec<Option<f64>>, Option<(RepairKind, usize)>) {
        let mut lines = line(elevations);
        let note = fill(&mut lines, |_| true).map(|note| (note.kind, note.count));
        (lines[0].points.iter().map(|point| point.ele.map(f64::round)).collect(), note)
    }

    #[test]
    fn holes_are_filled_and_reported() {
        let (elevations, note) = filled(&[None, Some(500.0), None, Some(-32_768.0), Some(530.0), None]);
        assert_eq!(elevations, [500.0, 500.0, 510.0, 520.0, 530.0, 530.0].map(Some));
        assert_eq!(note, Some((RepairKind::MissingElevations, 4)));
        assert_eq!(filled(&[Some(500.0), Some(0.0), Some(520.0)]).0, [500.0, 510.0, 520.0].map(Some));
    }

    #[test]
    fn only_zeros_are_no_elevations() {
        assert_eq!(filled(&[Some(0.0), Some(0.0)]), (vec![None, None], Some((RepairKind::ZeroElevations, 2))));
        assert_eq!(filled(&[None, None]), (vec![None, None], None));
        assert_eq!(filled(&[Some(0.0), Some(2.0)]).1, None, "by the sea");
    }
}
