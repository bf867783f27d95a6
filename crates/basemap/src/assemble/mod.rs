//! Makes features from the ways and relations of an extract: areas, joined lines, networks, points, and the covered ground.

mod areas;
mod coast;
mod coverage;
mod groups;
mod routes;

use crate::blocks::Blocks;
use crate::classify::{area, line, road};
use crate::error::BasemapError;
use crate::feature::Feature;
use crate::geometry::{Point, Rect, project};
use crate::schema::{Kind, Value};
use crate::source::{Source, SourceWay};
use crate::temporary::Folder;
use coast::Coast;
pub(crate) use coverage::Ground;
use coverage::Marks;
use extract::Header;
pub(crate) use groups::Groups;
use routes::Borders;
use std::path::Path;

/// An extract that was read once, with what its ways say of the ground.
#[derive(Debug)]
pub(crate) struct Surveyed {
    pub(crate) source: Source,
    coast: Coast,
    marks: Marks,
    /// The box around all ways.
    rect: Rect,
}

/// Reads an extract.
pub(crate) fn read(extract: &Path, folder: &Folder) -> Result<Surveyed, BasemapError> {
    let (mut coast, mut marks, mut rect) = (Coast::default(), Marks::default(), Rect::EMPTY);
    let source = Source::read(extract, folder, |way, header| {
        coast.note(way);
        marks.note(way, frame(header));
        way.line.iter().for_each(|at| rect.add(*at));
    })?;
    Ok(Surveyed { source, coast, marks, rect })
}

/// The box that an extract gives.
fn frame(header: &Header) -> Option<Rect> {
    header.bbox.map(|[west, south, east, north]| Rect::around([project(west, south), project(east, north)]))
}

/// The features of an extract and the ground they cover.
#[derive(Debug)]
pub(crate) struct Assembled {
    pub(crate) blocks: Blocks,
    /// The box around the covered ground.
    pub(crate) rect: Rect,
}

/// Makes every feature of an extract, and adds what `survey` finds of the ground; `None`: it has no line to draw.
pub(crate) fn assemble(
    surveyed: Surveyed,
    folder: &Folder,
    block_zoom: u8,
    survey: impl FnOnce(&Ground, &mut Groups) -> Result<(), BasemapError>,
) -> Result<Option<Assembled>, BasemapError> {
    let Surveyed { source, coast, marks, rect } = surveyed;
    let frame = frame(&source.header);
    let sea = coast.sea(frame.unwrap_or(rect));
    let Some((ground, shown)) = marks.ground(&sea, frame) else { return Ok(None) };
    let (mut blocks, mut groups) = (Blocks::over(shown, block_zoom, folder)?, Groups::create(folder)?);
    blocks.add(coast::features(&sea))?;
    let mut borders = Borders::default();
    borders.note_relations(&source)?;
    for way in source.ways() {
        let (place, way) = way?;
        borders.note_way(place, &way);
        if way.line.len() > 1 {
            add_way(&way, &ground, &mut blocks, &mut groups)?;
        }
    }
    areas::add_relations(&source, &ground, &mut blocks)?;
    routes::add(&source, &mut groups)?;
    borders.add(&source, &mut groups)?;
    survey(&ground, &mut groups)?;
    groups.finish(&mut blocks)?;
    for point in source.points() {
        let (at, kind) = point?;
        add_point(kind, at, &ground, &mut blocks)?;
    }
    Ok(Some(Assembled { blocks, rect: ground.rect }))
}

fn add_way(way: &SourceWay, ground: &Ground, blocks: &mut Blocks, groups: &mut Groups) -> Result<(), BasemapError> {
    let SourceWay { tags, is_closed, line: points } = way;
    if *is_closed {
        let ring = &points[..points.len() - 1];
        if area::is_area(tags) {
            areas::add(tags, &[vec![ring.to_vec()]], ground, blocks)?;
        } else {
            areas::add_middle(tags, ring, ground, blocks)?;
        }
    }
    if let Some(kind) = road::drawn(tags) {
        let direction = road::oneway(tags);
        let mut points = points.clone();
        if direction < 0 {
            points.reverse();
        }
        groups.add(&kind, direction != 0, &points)?;
    }
    for kind in road::labels(tags) {
        groups.add(&kind, false, points)?;
    }
    for kind in line::drawn(tags).into_iter().chain(line::label(tags)) {
        groups.add(&kind, true, points)?;
    }
    Ok(())
}

/// Adds a place or a symbol, if it is on the covered ground.
fn add_point(kind: Kind, at: Point, ground: &Ground, blocks: &mut Blocks) -> Result<(), BasemapError> {
    if !ground.contains(at) {
        return Ok(());
    }
    let rank = kind.fields.iter().find_map(|(key, value)| match (key, value) {
        (&"rank", Value::Int(rank)) => Some(*rank),
        _ => None,
    });
    blocks.add([Feature::point(kind, at, rank.unwrap_or(0))])
}
