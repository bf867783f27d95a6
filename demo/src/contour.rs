//! Areas from a field of numbers: marching squares, rings closed, holes given to the area around them.

use std::collections::HashMap;

use crate::ground::{HEIGHT_M, Spot, WIDTH_M};

/// An area: its outer ring and its holes, open (the first point is not repeated).
#[derive(Debug, Clone)]
pub struct Area {
    /// The outer ring, anticlockwise.
    pub outer: Vec<Spot>,
    /// Its holes, clockwise.
    pub holes: Vec<Vec<Spot>>,
}

/// The window a field is looked at through: west, south, east, north, metres.
pub type Window = [f64; 4];

/// The whole region.
pub const WHOLE: Window = [0.0, 0.0, WIDTH_M, HEIGHT_M];

/// Where `field` is above zero within the window, drawn on squares of `cell_m`; areas under `least_m2` are left out.
pub fn areas(window: Window, cell_m: f64, least_m2: f64, field: impl Fn(Spot) -> f64) -> Vec<Area> {
    let columns = ((window[2] - window[0]) / cell_m) as usize + 1;
    let rows = ((window[3] - window[1]) / cell_m) as usize + 1;
    let at = |i: usize, j: usize| [window[0] + i as f64 * cell_m, window[1] + j as f64 * cell_m];
    let values: Vec<f64> = (0..columns * rows)
        .map(|k| {
            let (i, j) = (k % columns, k / columns);
            // The window's border is outside everything, so that every ring closes.
            let border = i == 0 || j == 0 || i + 1 == columns || j + 1 == rows;
            if border { -1e-6 } else { field(at(i, j)) }
        })
        .collect();
    let value = |i: usize, j: usize| values[j * columns + i];
    let mut next: HashMap<(usize, bool), (usize, bool)> = HashMap::new();
    let mut place: HashMap<(usize, bool), Spot> = HashMap::new();
    for j in 0..rows - 1 {
        for i in 0..columns - 1 {
            // Corners anticlockwise from the south-west; the side after each corner, as (corner index, upright).
            let corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
            let sides = [
                (j * columns + i, false),
                (j * columns + i + 1, true),
                ((j + 1) * columns + i, false),
                (j * columns + i, true),
            ];
            let inside = corners.map(|(a, b)| value(a, b) > 0.0);
            let (mut leaving, mut entering) = (Vec::new(), Vec::new());
            for k in 0..4 {
                let (here, there) = (inside[k], inside[(k + 1) % 4]);
                if here == there {
                    continue;
                }
                let (p, q) = (corners[k], corners[(k + 1) % 4]);
                let (vp, vq) = (value(p.0, p.1), value(q.0, q.1));
                place.insert(sides[k], crate::ground::between(at(p.0, p.1), at(q.0, q.1), vp / (vp - vq)));
                if here { leaving.push((k, sides[k])) } else { entering.push((k, sides[k])) }
            }
            // Walking the square anticlockwise, the border runs from where the inside is left to where it was entered.
            for (k, from) in leaving {
                let to = entering.iter().min_by_key(|(e, _)| (k + 4 - e) % 4);
                if let Some((_, to)) = to {
                    next.insert(from, *to);
                }
            }
        }
    }
    assemble(rings(next, &place), least_m2)
}

fn rings(mut next: HashMap<(usize, bool), (usize, bool)>, place: &HashMap<(usize, bool), Spot>) -> Vec<Vec<Spot>> {
    let mut starts: Vec<_> = next.keys().copied().collect();
    starts.sort_unstable(); // a map's own order changes from run to run
    let mut rings = Vec::new();
    for start in starts {
        let mut ring = Vec::new();
        let mut at = start;
        while let Some(to) = next.remove(&at) {
            ring.extend(place.get(&at));
            at = to;
        }
        if ring.len() >= 4 && at == start {
            rings.push(ring);
        }
    }
    rings
}

fn assemble(rings: Vec<Vec<Spot>>, least_m2: f64) -> Vec<Area> {
    let (mut outers, mut holes) = (Vec::new(), Vec::new());
    for ring in rings {
        let area = signed_m2(&ring);
        if area >= least_m2 {
            outers.push(Area { outer: ring, holes: Vec::new() });
        } else if area <= -least_m2.min(20_000.0) {
            holes.push(ring);
        }
    }
    for hole in holes {
        let around = outers.iter_mut().filter(|area| contains(&area.outer, hole[0]));
        if let Some(area) = around.min_by(|a, b| signed_m2(&a.outer).total_cmp(&signed_m2(&b.outer))) {
            area.holes.push(hole);
        }
    }
    outers
}

/// The area of a ring, square metres, positive anticlockwise.
pub fn signed_m2(ring: &[Spot]) -> f64 {
    let count = ring.len();
    (0..count).map(|i| (ring[i], ring[(i + 1) % count])).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum::<f64>() / 2.0
}

/// Whether a ring holds a spot.
pub fn contains(ring: &[Spot], [x, y]: Spot) -> bool {
    let count = ring.len();
    (0..count).fold(false, |within, i| {
        let (a, b) = (ring[i], ring[(i + 1) % count]);
        let crosses = (a[1] > y) != (b[1] > y) && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0];
        within ^ crosses
    })
}
