//! Areas from closed ways and multipolygons, and the place of their labels.

use super::add_point;
use super::coverage::Ground;
use crate::blocks::Blocks;
use crate::classify::{area, point};
use crate::error::BasemapError;
use crate::feature::Feature;
use crate::geometry::rings::{Polygon, chain, contains, crossings, polygons};
use crate::geometry::{Point, Rect, WORLD_BITS, doubled_area};
use crate::schema::{Kind, Layer, MAX_ZOOM};
use crate::source::Source;
use extract::Tags;

/// Adds the features that an area's tags give, and its label.
pub(crate) fn add(tags: &Tags, shapes: &[Polygon], ground: &Ground, blocks: &mut Blocks) -> Result<(), BasemapError> {
    let area_units = |shape: &Polygon| shape.first().map_or(0, |ring| doubled_area(ring).unsigned_abs() / 2);
    for kind in area::drawn(tags) {
        for shape in shapes {
            let size = area_units(shape);
            let mut kind = kind.clone();
            kind.min_zoom = kind.min_zoom.max(zoom_of_size(size, 14.0));
            // Larger areas are drawn first, and farmland before everything else, so that it never covers houses.
            let is_field = kind.fields.iter().any(|(_, value)| *value == "farmland".into());
            let order = -i64::try_from(size).unwrap_or(i64::MAX >> 1) - if is_field { 1 << 62 } else { 0 };
            blocks.add(Feature::area(kind, shape, order))?;
        }
    }
    let Some(largest) = shapes.iter().max_by_key(|shape| area_units(shape)) else { return Ok(()) };
    if let Some(mut kind) = area::label(tags) {
        kind.min_zoom = kind.min_zoom.max(zoom_of_size(area_units(largest), pixels_for_label(&kind)));
        let order = -i64::try_from(area_units(largest)).unwrap_or(i64::MAX);
        if let Some(at) = middle(largest).filter(|at| ground.contains(*at)) {
            blocks.add([Feature::point(kind, at, order)])?;
        }
    }
    add_services(tags, largest, ground, blocks)
}

/// Adds the symbol of a closed way that is not drawn as an area (the outline of a supermarket or a castle).
pub(crate) fn add_middle(
    tags: &Tags,
    ring: &[Point],
    ground: &Ground,
    blocks: &mut Blocks,
) -> Result<(), BasemapError> {
    add_services(tags, &vec![ring.to_vec()], ground, blocks)
}

fn add_services(tags: &Tags, shape: &Polygon, ground: &Ground, blocks: &mut Blocks) -> Result<(), BasemapError> {
    if tags.get("highway").is_some() {
        return Ok(());
    }
    for kind in point::drawn(tags).into_iter().filter(|kind| kind.layer == Layer::Poi) {
        if let Some(at) = middle(shape) {
            add_point(kind, at, ground, blocks)?;
        }
    }
    Ok(())
}

/// Adds every multipolygon and park boundary.
pub(crate) fn add_relations(source: &Source, ground: &Ground, blocks: &mut Blocks) -> Result<(), BasemapError> {
    for relation in source.relations() {
        let (tags, ways) = relation?;
        let is_area = matches!(tags.get("type"), Some("multipolygon" | "boundary"));
        if !is_area || (area::drawn(&tags).is_empty() && area::label(&tags).is_none()) {
            continue;
        }
        let lines = ways.into_iter().map(|place| source.way(place).map(|way| way.line));
        let lines: Vec<Vec<Point>> = lines.collect::<Result<_, _>>()?;
        let members: Vec<&[Point]> = lines.iter().map(Vec::as_slice).collect();
        let shapes = polygons(chain(&members));
        if !shapes.is_empty() {
            add(&tags, &shapes, ground, blocks)?;
        }
    }
    Ok(())
}

/// The first zoom at which `area` square units of the world grid cover at least `pixels` square pixels.
fn zoom_of_size(area: u128, pixels: f64) -> u8 {
    let side = (area as f64 / pixels).sqrt().max(1.0);
    (f64::from(WORLD_BITS - 9) - side.log2()).ceil().clamp(0.0, f64::from(MAX_ZOOM)) as u8
}

fn pixels_for_label(kind: &Kind) -> f64 {
    let class = kind.fields.iter().find(|(key, _)| *key == "class").map(|(_, value)| value.clone());
    match class {
        Some(class) if class == "lake".into() => 700.0,
        Some(class) if class == "park".into() => 1500.0,
        _ => 12_000.0,
    }
}

/// A place well inside an area: the middle of its widest span on three horizontal lines, at 1/4, 1/2 and 3/4 of its height.
fn middle(shape: &Polygon) -> Option<Point> {
    let outer = shape.first()?;
    let rect = Rect::around(outer.iter().copied());
    let span = |part: i32| {
        let y = rect.min[1] + ((i64::from(rect.max[1]) - i64::from(rect.min[1])) * i64::from(part) / 4) as i32;
        let mut crossings: Vec<f64> = shape.iter().flat_map(|ring| crossings(ring, y)).collect();
        crossings.sort_by(f64::total_cmp);
        let widest = crossings.chunks_exact(2).max_by(|a, b| (a[1] - a[0]).total_cmp(&(b[1] - b[0])))?;
        Some((widest[1] - widest[0], [f64::midpoint(widest[0], widest[1]).round() as i32, y]))
    };
    let best = [2, 1, 3].into_iter().filter_map(span).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, at)| at);
    best.filter(|at| contains(outer, *at)).or_else(|| outer.first().copied())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn the_label_of_a_horseshoe_is_inside_it() {
        let horseshoe = vec![[0, 0], [10, 0], [10, 80], [90, 80], [90, 0], [100, 0], [100, 100], [0, 100]];
        let at = middle(&vec![horseshoe.clone()]).unwrap();
        assert!(contains(&horseshoe, at), "{at:?}");
    }

    #[test]
    fn an_area_of_sixteen_pixels_at_zoom_ten_shows_there() {
        let side = 4_u128 << (WORLD_BITS - 9 - 10);
        assert_eq!(zoom_of_size(side * side, 16.0), 10);
        assert_eq!(zoom_of_size(0, 16.0), MAX_ZOOM);
    }
}
