//! Finds a parcours with the same line as an imported route: it is offered for merging, and no second one is created.

use domain::{ParcoursId, WhiteLabelId};
use store::{StoreError, Tx};
use trace::Position;

/// Two lines are the same when each point of one is at most this far from the other.
const WITHIN_M: f64 = 40.0;
/// The largest difference of their lengths, as a part of the length.
const LENGTH_WITHIN: f64 = 0.05;
/// Points that are compared on each line.
const POINTS: usize = 60;

/// A parcours of the white-label that runs where this line runs, and that is no other item of the same source.
pub(super) async fn same_shape(
    tx: &Tx,
    white_label: WhiteLabelId,
    source: i64,
    line: &[Position],
) -> Result<Option<ParcoursId>, StoreError> {
    let Some(start) = line.first() else { return Ok(None) };
    let length_m = trace::measure(line).distance_m;
    for id in store::imports::near_starts(tx, white_label, source, [start.lon, start.lat], length_m).await? {
        let Some(kept) = store::parcours::trace(tx, id).await? else { continue };
        if alike(line, &kept.worked_line()) {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// Whether two lines are one on the ground.
fn alike(a: &[Position], b: &[Position]) -> bool {
    let [a_m, b_m] = [a, b].map(|line| trace::measure(line).distance_m);
    let same_length = (a_m - b_m).abs() <= LENGTH_WITHIN * a_m.max(b_m);
    same_length && lies_on(a, b) && lies_on(b, a)
}

fn lies_on(line: &[Position], other: &[Position]) -> bool {
    let every = line.len().div_ceil(POINTS).max(1);
    let mut points = line.iter().step_by(every).chain(line.last());
    points.all(|point| trace::locate(other, *point).is_some_and(|found| found.offset_m <= WITHIN_M))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn east(from: f64, north: f64, count: u32) -> Vec<Position> {
        (0..count).map(|at| Position::new(from + f64::from(at) * 0.001, north)).collect()
    }

    #[test]
    fn another_recording_of_one_way_is_the_same_and_half_of_it_is_not() {
        let way = east(4.0, 47.0, 50);
        assert!(alike(&way, &east(4.0, 47.0002, 50)), "20 m beside");
        assert!(!alike(&way, &east(4.0, 47.001, 50)), "110 m beside");
        assert!(!alike(&way, &east(4.0, 47.0, 25)));
        let thinned: Vec<Position> = way.iter().copied().step_by(7).collect();
        assert!(alike(&way, &thinned), "fewer points of it");
    }
}
