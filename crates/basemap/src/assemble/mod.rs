//! Makes features from the ways and relations of an extract: areas, joined lines, networks, points, and the covered ground.

mod areas;
mod coast;
mod coverage;
mod groups;
mod routes;

use crate::classify::{area, line, point, road};
use crate::feature::{Feature, Features, Shape};
use crate::geometry::{Point, Rect, project};
use crate::schema::{Kind, Value};
use crate::source::Source;
pub(crate) use coverage::Ground;
use extract::Way;
pub(crate) use groups::Groups;

/// The features of an extract and the ground they cover.
pub(crate) struct Assembled {
    pub(crate) features: Vec<Feature>,
    /// The box around the covered ground.
    pub(crate) rect: Rect,
}

/// Makes every feature of an extract, and adds what `survey` finds of the ground; `None`: it has no line to draw.
pub(crate) fn assemble(source: &Source, survey: impl FnOnce(&Ground, &mut Groups)) -> Option<Assembled> {
    let mut features = Features::default();
    let mut groups = Groups::default();
    let lines: Vec<Vec<Point>> = source.ways.iter().map(|way| source.line(way)).collect();
    let frame =
        source.header.bbox.map(|[west, south, east, north]| Rect::around([project(west, south), project(east, north)]));
    let sea = coast::add(
        source,
        &lines,
        frame.unwrap_or_else(|| Rect::around(lines.iter().flatten().copied())),
        &mut features,
    );
    let ground = coverage::add(source, &lines, &sea, frame, &mut features)?;
    for (way, points) in source.ways.iter().zip(&lines) {
        if points.len() > 1 {
            add_way(way, points, &ground, &mut features, &mut groups);
        }
    }
    areas::add_relations(source, &lines, &ground, &mut features);
    routes::add(source, &lines, &mut groups);
    routes::add_borders(source, &lines, &mut groups);
    survey(&ground, &mut groups);
    groups.finish(&mut features);
    for (at, tags) in &source.points {
        for kind in point::drawn(tags) {
            add_point(kind, *at, &ground, &mut features);
        }
    }
    Some(Assembled { features: features.finish(), rect: ground.rect })
}

fn add_way(way: &Way, points: &[Point], ground: &Ground, features: &mut Features, groups: &mut Groups) {
    let is_closed = Source::is_closed(way);
    if is_closed && area::is_area(&way.tags) {
        let ring = &points[..points.len() - 1];
        areas::add(&way.tags, &[vec![ring.to_vec()]], ground, features);
    } else if is_closed {
        areas::add_middle(&way.tags, &points[..points.len() - 1], ground, features);
    }
    if let Some(kind) = road::drawn(&way.tags) {
        let direction = road::oneway(&way.tags);
        let mut points = points.to_vec();
        if direction < 0 {
            points.reverse();
        }
        groups.add(kind, direction != 0, points);
    }
    for kind in road::labels(&way.tags) {
        groups.add(kind, false, points.to_vec());
    }
    if let Some(kind) = line::drawn(&way.tags) {
        groups.add(kind, true, points.to_vec());
    }
    if let Some(kind) = line::label(&way.tags) {
        groups.add(kind, true, points.to_vec());
    }
}

/// Adds a place or a symbol, if it is on the covered ground.
fn add_point(kind: Kind, at: Point, ground: &Ground, features: &mut Features) {
    if !ground.contains(at) {
        return;
    }
    let rank = kind.fields.iter().find_map(|(key, value)| match (key, value) {
        (&"rank", Value::Int(rank)) => Some(*rank),
        _ => None,
    });
    features.add(kind, rank.unwrap_or(0), Shape::Point(at));
}
