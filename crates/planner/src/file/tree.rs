//! A packed R-tree over runs of shape segments: built once, stored as one flat list of boxes, read in place.
//!
//! The layout is the one of Vladimir Agafonkin's flatbush: leaves sorted along a space-filling curve,
//! sixteen to a parent, levels one after the other.

/// West, south, east, north in stored units.
pub(crate) type Bounds = [i32; 4];
const FAN: usize = 16;
const MAX_LEVELS: usize = 9;
/// Segments covered by one leaf.
pub(crate) const RUN: usize = 8;

pub(crate) fn touches(a: &Bounds, b: &Bounds) -> bool {
    a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3]
}

fn grow(a: &mut Bounds, b: &Bounds) {
    *a = [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])];
}

/// Sort leaves along the curve and stack the levels; returns (boxes, leaves in box order).
pub(crate) fn pack(mut leaves: Vec<(Bounds, [u32; 2])>) -> (Vec<Bounds>, Vec<[u32; 2]>) {
    leaves.sort_unstable_by_key(|(b, run)| (z_order(b[0] / 2 + b[2] / 2, b[1] / 2 + b[3] / 2), *run));
    let mut boxes: Vec<Bounds> = Vec::with_capacity(box_count(leaves.len()));
    boxes.extend(leaves.iter().map(|(b, _)| *b));
    let mut level = 0..boxes.len();
    while level.len() > 1 {
        let above = boxes.len();
        for start in level.clone().step_by(FAN) {
            let mut all = boxes[start];
            for b in &boxes[start..(start + FAN).min(level.end)] {
                grow(&mut all, b);
            }
            boxes.push(all);
        }
        level = above..boxes.len();
    }
    (boxes, leaves.into_iter().map(|(_, run)| run).collect())
}

/// Number of boxes that `pack` makes for a number of leaves.
pub(crate) fn box_count(leaves: usize) -> usize {
    let (mut total, mut level) = (leaves, leaves);
    while level > 1 {
        level = level.div_ceil(FAN);
        total += level;
    }
    total
}

/// Call `each` with the index of every leaf that touches `window`.
pub(crate) fn search(boxes: &[Bounds], leaves: usize, window: &Bounds, mut each: impl FnMut(usize)) {
    if leaves == 0 {
        return;
    }
    // Where each level starts, and how many boxes it has: eight levels hold four thousand million leaves.
    let (mut levels, mut depth) = ([(0, leaves); MAX_LEVELS], 0);
    while levels[depth].1 > 1 && depth + 1 < MAX_LEVELS {
        let (start, count) = levels[depth];
        depth += 1;
        levels[depth] = (start + count, count.div_ceil(FAN));
    }
    let is_near = |depth: usize, index: usize| boxes.get(levels[depth].0 + index).is_some_and(|b| touches(b, window));
    if !is_near(depth, 0) {
        return;
    }
    let mut stack = Vec::with_capacity(64);
    stack.push((depth, 0_usize));
    while let Some((depth, index)) = stack.pop() {
        let Some(below) = depth.checked_sub(1) else {
            each(index);
            continue;
        };
        for child in index * FAN..((index + 1) * FAN).min(levels[below].1) {
            if is_near(below, child) {
                stack.push((below, child));
            }
        }
    }
}

/// Interleaved bits of a coordinate: neighbours on the ground are neighbours in the file.
pub(crate) fn z_order(x: i32, y: i32) -> u64 {
    let spread = |v: i32| {
        let mut v = u64::from((v as u32) ^ 0x8000_0000);
        v = (v | v << 16) & 0x0000_FFFF_0000_FFFF;
        v = (v | v << 8) & 0x00FF_00FF_00FF_00FF;
        v = (v | v << 4) & 0x0F0F_0F0F_0F0F_0F0F;
        v = (v | v << 2) & 0x3333_3333_3333_3333;
        (v | v << 1) & 0x5555_5555_5555_5555
    };
    spread(x) | spread(y) << 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_tree_finds_what_a_plain_scan_finds(
            corners in prop::collection::vec((-1000..1000_i32, -1000..1000_i32, 0..50_i32, 0..50_i32), 0..300),
            window in (-1100..1100_i32, -1100..1100_i32, 0..400_i32, 0..400_i32),
        ) {
            let leaves: Vec<(Bounds, [u32; 2])> = corners.iter().enumerate().map(|(i, (x, y, w, h))| ([*x, *y, x + w, y + h], [i as u32, 0])).collect();
            let window = [window.0, window.1, window.0 + window.2, window.1 + window.3];
            let mut expected: Vec<u32> = leaves.iter().filter(|(b, _)| touches(b, &window)).map(|(_, r)| r[0]).collect();
            let (boxes, runs) = pack(leaves);
            prop_assert_eq!(boxes.len(), box_count(runs.len()));
            let mut found = Vec::new();
            search(&boxes, runs.len(), &window, |leaf| found.push(runs[leaf][0]));
            found.sort_unstable();
            expected.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }
}
