//! Where a planned leg meets a recording that was put on its way.

use trace::{Position, distance_m};

/// Nearer points are one place.
const SAME_PLACE_M: f64 = 0.1;

/// Makes a planned leg begin where the recording before it ends on its way. The leg begins at the recording's own point, `recorded`,
/// beside that way: the line would go from the way to that point and back. Nothing changes where the leg does not come to the way
/// within `within_m` of `on_way`.
pub(super) fn begin_on_way(leg: &mut Vec<Position>, recorded: Position, on_way: Position, within_m: f64) {
    let [first, rest @ ..] = leg.as_slice() else { return };
    if !first.same_place(recorded) || on_way.same_place(recorded) {
        return;
    }
    // The leg may come to the way before the place where the recording ends, and would walk these metres twice.
    let mut gone_m = 0.0;
    let is_near = |pair: &&[Position]| {
        let is_near = gone_m <= 2.0 * within_m;
        gone_m += distance_m(pair[0], pair[1]);
        is_near
    };
    let pieces = rest.windows(2).take_while(is_near).count();
    let found = rest.get(..=pieces).and_then(|near| trace::locate(near, on_way));
    let Some(found) = found.filter(|found| found.offset_m <= within_m) else { return };
    let start = if found.offset_m < SAME_PLACE_M { on_way } else { found.position };
    let after = rest.iter().skip(found.index + 1).copied();
    let after = after.skip_while(|place| distance_m(*place, start) < SAME_PLACE_M);
    *leg = std::iter::once(start).chain(after).collect();
}
