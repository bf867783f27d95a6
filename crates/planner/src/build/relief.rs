//! Climb and drop of each link, from a ground model smoothed along the whole way.
//!
//! A road that contours a steep slope crosses cells of the model that rise and fall by tens of metres: read point by
//! point it would seem to climb. So the profile is taken along the way, averaged over some 150 m, and links are read off it.

use super::assemble::LinkTable;
use crate::{
    climb,
    file::{Link, VOID_HEIGHT},
    geometry::{at_m, cumulative_m, position},
};
use routing::WayKind;
use terrain::Dem;
use trace::Position;

/// Heights every 20 m along every link, in quarters of a metre: the ground's own, also under bridges and over tunnels.
///
/// Kept with the links so that a planned line needs no look into the model; `climb.rs` smooths them line by line.
pub(crate) fn heights(table: &mut LinkTable, dem: Option<&Dem>) -> Vec<i16> {
    let Some(dem) = dem else { return Vec::new() };
    let mut all = Vec::new();
    for link in &mut table.links {
        let shape = &table.shapes[link.shape_start as usize..(link.shape_start + link.shape_count) as usize];
        let line: Vec<Position> = shape.iter().map(|c| position(*c)).collect();
        let along = cumulative_m(&line);
        let count = link.height_count();
        let step_m = along[along.len() - 1] / (count - 1) as f64;
        link.heights = all.len() as u32;
        all.extend((0..count).map(|i| {
            let at = at_m(&line, &along, step_m * i as f64);
            let height = dem.elevation_m(at.lon, at.lat);
            height.map_or(VOID_HEIGHT, |h| (h * 4.0).round().clamp(-32_000.0, 32_000.0) as i16)
        }));
    }
    all
}

/// Computes the ascent and descent of each link; without a model all stay 0. Links of a way are consecutive.
pub(crate) fn measure(table: &mut LinkTable, dem: Option<&Dem>) {
    let Some(dem) = dem else { return };
    let mut start = 0;
    while start < table.links.len() {
        let mut end = start + 1;
        // A way that misses a node is cut in two lines: each has a separate profile.
        let follows = |pair: &[Link]| pair[0].way_id == pair[1].way_id && pair[0].ends[1] == pair[1].ends[0];
        while end < table.links.len() && follows(&table.links[end - 1..=end]) {
            end += 1;
        }
        let kind = table.sets[table.links[start].attributes as usize].kind;
        measure_line(table, start..end, kind, dem);
        start = end;
    }
}

fn measure_line(table: &mut LinkTable, links: std::ops::Range<usize>, kind: WayKind, dem: &Dem) {
    if kind == WayKind::Ferry {
        return;
    }
    let mut line: Vec<Position> = Vec::new();
    let mut borders = vec![0_usize];
    for link in &table.links[links.clone()] {
        let shape = &table.shapes[link.shape_start as usize..(link.shape_start + link.shape_count) as usize];
        line.extend(shape.iter().skip(usize::from(!line.is_empty())).map(|c| position(*c)));
        borders.push(line.len() - 1);
    }
    let first = &table.links[links.start];
    let is_off_ground = table.sets[first.attributes as usize].leaves_the_ground();
    let along = cumulative_m(&line);
    let Some(profile) = climb::Profile::of_ground(&line, &along, |p| dem.elevation_m(p.lon, p.lat), |_| is_off_ground)
    else {
        return;
    };
    for (link, border) in table.links[links].iter_mut().zip(borders.windows(2)) {
        let (up, down) = profile.raw_climb(along[border[0]], along[border[1]]);
        let dm = |m: f64| (m * 10.0).round().min(f64::from(u16::MAX)) as u16;
        (link.ascent_dm, link.descent_dm) = (dm(up), dm(down));
    }
}
