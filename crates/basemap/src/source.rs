//! The extract in temporary files: ways with the places of their nodes, relations with the ways that they name, kinds of nodes.

use crate::bytes::{put, put_points, put_signed, put_slice, put_step, take_byte, take_count, take_points};
use crate::bytes::{take_signed, take_slice, take_step, take_text};
use crate::classify::point;
use crate::error::BasemapError;
use crate::geometry::{Point, project};
use crate::records::{put_kind, take_kind};
use crate::schema::Kind;
use crate::temporary::{Folder, Log, Records, Table, TableWriter};
use extract::{Element, Header, MemberKind, Relation, Tags, Way};
use std::path::Path;

/// A way of the extract.
#[derive(Debug)]
pub(crate) struct SourceWay {
    pub(crate) tags: Tags,
    /// Whether its first node is its last, with two others between.
    pub(crate) is_closed: bool,
    /// The places of its nodes; those that the extract lacks are left out.
    pub(crate) line: Vec<Point>,
}

/// All that the tiler needs of an extract.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) header: Header,
    /// The kinds of tagged nodes with their places.
    points: Records,
    ways: Records,
    relations: Records,
    /// The place of each way's record by its number.
    way_places: Table,
}

/// The reader's error first, else that of the temporary files.
fn first_error<T>(
    read: Result<T, extract::ExtractError>,
    written: Result<(), BasemapError>,
) -> Result<T, BasemapError> {
    let read = read?;
    written.map(|()| read)
}

impl Source {
    /// Reads an extract. `each` gets every way, in the order of the file, and the header.
    pub(crate) fn read(
        path: &Path,
        folder: &Folder,
        mut each: impl FnMut(&SourceWay, &Header),
    ) -> Result<Self, BasemapError> {
        let mut raw = Raw::create(folder)?;
        // The reader cannot be stopped: after a write error the rest is read and ignored.
        let mut written = Ok(());
        let read = extract::read(path, |element| {
            if written.is_ok() {
                written = raw.add(element);
            }
        });
        let header = first_error(read, written)?;
        let Raw { nodes, points, ways: raw_ways, relations, .. } = raw;
        let (nodes, raw_ways) = (nodes.finish()?, raw_ways.finish()?);
        let (mut ways, mut way_places, mut record) = (Log::create(folder)?, TableWriter::create(folder)?, Vec::new());
        for way in raw_ways.iter(take_raw_way) {
            let (_, (id, tags, node_ids)) = way?;
            let mut line: Vec<Point> = node_ids.iter().filter_map(|id| nodes.get(*id)).map(point_of).collect();
            line.dedup();
            let is_closed = node_ids.len() > 3 && node_ids.first() == node_ids.last();
            record.clear();
            put_slice(&mut record, tags);
            record.push(u8::from(is_closed));
            put_points(&mut record, &line);
            way_places.push(id, ways.append(&record)?.to_be_bytes())?;
            let tags = take_tags(&mut &*tags).ok_or_else(|| folder.damaged())?;
            each(&SourceWay { tags, is_closed, line }, &header);
        }
        let (points, relations) = (points.finish()?, relations.finish()?);
        Ok(Self { header, points, ways: ways.finish()?, relations, way_places: way_places.finish()? })
    }

    /// All ways, in the order of the file, each with its place.
    pub(crate) fn ways(&self) -> impl Iterator<Item = Result<(u64, SourceWay), BasemapError>> {
        self.ways.iter(take_way)
    }

    /// The way at a place.
    pub(crate) fn way(&self, place: u64) -> Result<SourceWay, BasemapError> {
        self.ways.read(place, take_way)
    }

    /// All relations, in the order of the file: their tags and the places of the member ways that the extract has.
    pub(crate) fn relations(&self) -> impl Iterator<Item = Result<(Tags, Vec<u64>), BasemapError>> {
        self.relations.iter(|rest| Some((take_tags(rest)?, take_ids(rest)?))).map(|relation| {
            let (_, (tags, ways)) = relation?;
            Ok((tags, ways.into_iter().filter_map(|id| self.way_places.get(id)).map(u64::from_be_bytes).collect()))
        })
    }

    /// The kinds of nodes, in the order of the file, each with its place on the map.
    pub(crate) fn points(&self) -> impl Iterator<Item = Result<(Point, Kind), BasemapError>> {
        self.points.iter(|rest| Some((take_step(rest, [0; 2])?, take_kind(rest)?))).map(|point| Ok(point?.1))
    }
}

/// What is written while the extract is read: its ways before their nodes are known.
struct Raw {
    nodes: TableWriter,
    points: Log,
    ways: Log,
    relations: Log,
    record: Vec<u8>,
}

impl Raw {
    fn create(folder: &Folder) -> Result<Self, BasemapError> {
        Ok(Self {
            nodes: TableWriter::create(folder)?,
            points: Log::create(folder)?,
            ways: Log::create(folder)?,
            relations: Log::create(folder)?,
            record: Vec::new(),
        })
    }

    fn add(&mut self, element: Element) -> Result<(), BasemapError> {
        match element {
            Element::Node(node) => {
                let at = project(node.lon, node.lat);
                self.nodes.push(node.id, bytes_of(at))?;
                for kind in point::drawn(&node.tags) {
                    self.record.clear();
                    put_step(&mut self.record, [0; 2], at);
                    put_kind(&mut self.record, &kind);
                    self.points.append(&self.record)?;
                }
                Ok(())
            }
            Element::Way(way) => self.way(&way),
            Element::Relation(relation) => self.relation(&relation),
        }
    }

    fn way(&mut self, way: &Way) -> Result<(), BasemapError> {
        self.record.clear();
        put_signed(&mut self.record, way.id);
        let mut tags = Vec::new();
        put_tags(&mut tags, &way.tags);
        put_slice(&mut self.record, &tags);
        put_ids(&mut self.record, &way.nodes);
        self.ways.append(&self.record).map(|_| ())
    }

    fn relation(&mut self, relation: &Relation) -> Result<(), BasemapError> {
        let members = relation.members.iter().filter(|member| member.kind == MemberKind::Way);
        let ways: Vec<i64> = members.map(|member| member.id).collect();
        self.record.clear();
        put_tags(&mut self.record, &relation.tags);
        put_ids(&mut self.record, &ways);
        self.relations.append(&self.record).map(|_| ())
    }
}

fn bytes_of([x, y]: Point) -> [u8; 8] {
    (i64::from(x) << 32 | i64::from(y)).to_be_bytes()
}

fn point_of(bytes: [u8; 8]) -> Point {
    let both = i64::from_be_bytes(bytes);
    [(both >> 32) as i32, both as i32]
}

fn put_tags(out: &mut Vec<u8>, tags: &Tags) {
    put(out, tags.iter().count() as u64);
    for (key, value) in tags.iter() {
        put_slice(out, key.as_bytes());
        put_slice(out, value.as_bytes());
    }
}

fn take_tags(rest: &mut &[u8]) -> Option<Tags> {
    let count = take_count(rest)?;
    let pairs = (0..count).map(|_| Some((take_text(rest)?.to_owned(), take_text(rest)?.to_owned())));
    Some(Tags::from(pairs.collect::<Option<Vec<_>>>()?))
}

fn put_ids(out: &mut Vec<u8>, ids: &[i64]) {
    put(out, ids.len() as u64);
    let mut before = 0_i64;
    for &id in ids {
        put_signed(out, id.wrapping_sub(before));
        before = id;
    }
}

fn take_ids(rest: &mut &[u8]) -> Option<Vec<i64>> {
    let count = take_count(rest)?;
    let mut before = 0_i64;
    let steps = (0..count).map(|_| {
        before = before.wrapping_add(take_signed(rest)?);
        Some(before)
    });
    steps.collect()
}

/// Number, tags as bytes, numbers of the nodes.
fn take_raw_way<'a>(rest: &mut &'a [u8]) -> Option<(i64, &'a [u8], Vec<i64>)> {
    Some((take_signed(rest)?, take_slice(rest)?, take_ids(rest)?))
}

fn take_way(rest: &mut &[u8]) -> Option<SourceWay> {
    let tags = take_tags(&mut take_slice(rest)?)?;
    Some(SourceWay { tags, is_closed: take_byte(rest)? == 1, line: take_points(rest)? })
}
