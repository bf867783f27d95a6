//! Elevations: impossible ones out, missing ones filled between their neighbours; none are kept that are all 0, too few, or a ground model's.

use crate::draft::{Note, RawLine, RawPoint};
use crate::model::RepairKind;
use crate::{JOIN_BELOW_M, MIN_KNOWN_HEIGHT_SHARE, SOUND_HEIGHTS_M, distance_m};

use super::place;

/// A bare 0 between points that are all higher than this is "unknown", not the sea.
const ZERO_IS_UNKNOWN_ABOVE_M: f64 = 100.0;

/// Drops the heights of the lines whose file says that they are of a ground model: read at the line's own points, they give another climb
/// than the model along the line.
pub fn drop_models(lines: &mut [RawLine]) -> Option<Note> {
    let (mut count, mut at) = (0, None);
    for point in lines.iter_mut().filter(|line| line.has_model_heights).flat_map(|line| &mut line.points) {
        if point.ele.take().is_some() {
            count += 1;
            at.get_or_insert(point.at);
        }
    }
    (count > 0).then_some(Note { kind: RepairKind::ModelElevations, count, at })
}

/// Repairs the heights of a file's lines, as far as the repairs are wanted; returns what was missing or zero, where something was.
pub fn fill(lines: &mut [RawLine], wanted: impl Fn(RepairKind) -> bool) -> Option<Note> {
    if lines.iter().flat_map(|line| &line.points).all(|point| point.ele.is_none()) {
        return None;
    }
    forget(lines, |ele| !SOUND_HEIGHTS_M.contains(&ele));
    let known = || lines.iter().flat_map(|line| &line.points).filter_map(|point| Some((point.ele?, point.at)));
    let first_at = known().next().map(|(_, at)| at);
    if first_at.is_some() && known().all(|(ele, _)| ele == 0.0) {
        if !wanted(RepairKind::ZeroElevations) {
            return None;
        }
        let note = Note { kind: RepairKind::ZeroElevations, count: known().count(), at: first_at };
        forget(lines, |_| true);
        return Some(note);
    }
    let lowest_not_zero = known().map(|(ele, _)| ele).filter(|ele| *ele != 0.0).fold(f64::INFINITY, f64::min);
    if lowest_not_zero > ZERO_IS_UNKNOWN_ABOVE_M {
        forget(lines, |ele| ele == 0.0);
    }
    if !wanted(RepairKind::MissingElevations) {
        return None;
    }
    let missing = || lines.iter().flat_map(|line| &line.points).filter(|point| point.ele.is_none());
    let note = Note {
        kind: RepairKind::MissingElevations,
        count: missing().count(),
        at: missing().next().map(|point| point.at),
    };
    for piece in lines.chunk_by_mut(touches) {
        if is_enough(piece) {
            for line in piece.iter_mut() {
                fill_line(&mut line.points);
            }
        } else {
            forget(piece, |_| true);
        }
    }
    (note.count > 0).then_some(note)
}

fn forget(lines: &mut [RawLine], unknown: impl Fn(f64) -> bool) {
    for point in lines.iter_mut().flat_map(|line| &mut line.points) {
        point.ele = point.ele.filter(|ele| !unknown(*ele));
    }
}

/// Whether two lines are joined without asking: a piece that mixes recorded heights with the ground model's would climb
/// by the difference between the two.
fn touches(a: &RawLine, b: &RawLine) -> bool {
    let ends = a.points.last().zip(b.points.first());
    ends.is_some_and(|(end, start)| distance_m(place(end), place(start)) < JOIN_BELOW_M)
}

/// Whether enough heights of a piece are known to fill the others.
fn is_enough(piece: &[RawLine]) -> bool {
    let points = || piece.iter().flat_map(|line| &line.points);
    let known = points().filter(|point| point.ele.is_some()).count();
    known as f64 >= MIN_KNOWN_HEIGHT_SHARE * points().count() as f64
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
        vec![RawLine { kind: LineKind::Track, name: None, has_model_heights: false, points }]
    }

    fn filled(elevations: &[Option<f64>]) -> (Vec<Option<f64>>, Option<(RepairKind, usize)>) {
        let mut lines = line(elevations);
        let note = fill(&mut lines, |_| true).map(|note| (note.kind, note.count));
        (lines[0].points.iter().map(|point| point.ele.map(f64::round)).collect(), note)
    }

    /// Forty points at 500 m, some of them changed.
    fn mostly(changed: &[(usize, Option<f64>)]) -> Vec<Option<f64>> {
        let mut elevations = vec![Some(500.0); 40];
        for (at, ele) in changed {
            elevations[*at] = *ele;
        }
        elevations
    }

    #[test]
    fn holes_are_filled_and_reported() {
        let holes = [(0, None), (20, None), (21, Some(-32_768.0)), (22, Some(530.0)), (39, None)];
        let (elevations, note) = filled(&mostly(&holes));
        assert_eq!(elevations, mostly(&[(20, Some(510.0)), (21, Some(520.0)), (22, Some(530.0))]));
        assert_eq!(note, Some((RepairKind::MissingElevations, 4)));
        assert_eq!(filled(&mostly(&[(7, Some(0.0))])), (mostly(&[]), Some((RepairKind::MissingElevations, 1))));
    }

    #[test]
    fn too_few_elevations_are_none() {
        let of = |known: std::ops::Range<usize>, other: Option<f64>| -> Vec<Option<f64>> {
            (0..60).map(|i| if known.contains(&i) { Some(640.0) } else { other }).collect()
        };
        let too_few = [(30..31, None), (40..60, None), (0..30, None), (50..60, Some(0.0)), (0..53, Some(99_999.0))];
        for (known, other) in too_few {
            let missing = 60 - known.len();
            let found = filled(&of(known.clone(), other));
            assert_eq!(found, (vec![None; 60], Some((RepairKind::MissingElevations, missing))), "{known:?}");
        }
        assert_eq!(filled(&of(0..54, None)).0, vec![Some(640.0); 60], "nine in ten");
    }

    #[test]
    fn each_piece_keeps_its_own_elevations() {
        let with = vec![Some(500.0); 20];
        let lines = |apart: f64| {
            let [mut first, second] = [line(&with), line(&[None; 20])];
            first.extend(second);
            first[1].points.iter_mut().for_each(|point| point.lat += 19.0 * 1e-4 + apart);
            first
        };
        let known = |mut lines: Vec<RawLine>| {
            assert_eq!(fill(&mut lines, |_| true).map(|note| note.count), Some(20));
            lines.iter().flat_map(|line| &line.points).filter(|point| point.ele.is_some()).count()
        };
        assert_eq!((known(lines(1e-4)), known(lines(1e-2))), (0, 20));
    }

    #[test]
    fn too_few_elevations_that_are_wanted_stay() {
        let mut lines = line(&[Some(500.0), None, Some(99_999.0), None]);
        assert!(fill(&mut lines, |kind| kind != RepairKind::MissingElevations).is_none());
        let left: Vec<_> = lines[0].points.iter().map(|point| point.ele).collect();
        assert_eq!(left, [Some(500.0), None, None, None]);
    }

    #[test]
    fn zeros_between_impossible_elevations_are_no_elevations() {
        let mixed = [Some(99_999.0), Some(-32_768.0), Some(f64::NAN), None, Some(0.0), Some(0.0)];
        assert_eq!(filled(&mixed), (vec![None; 6], Some((RepairKind::ZeroElevations, 2))));
        assert_eq!(filled(&[Some(f64::NAN), None]), (vec![None; 2], Some((RepairKind::MissingElevations, 2))));
    }

    #[test]
    fn only_zeros_are_no_elevations() {
        assert_eq!(filled(&[Some(0.0), Some(0.0)]), (vec![None, None], Some((RepairKind::ZeroElevations, 2))));
        assert_eq!(filled(&[None, None]), (vec![None, None], None));
        assert_eq!(filled(&[Some(0.0), Some(2.0)]).1, None, "by the sea");
    }
}
