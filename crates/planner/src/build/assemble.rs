//! From kept ways to the sections of a prepared file.

use super::{
    relief,
    source::{Source, SourceWay},
    turns::{self, Streets},
};
use crate::{
    attributes::{Attributes, flag},
    contraction::{Graph, Structure},
    error::NetworkError,
    file::{
        Arc, Link,
        format::{Header, Section, Writer},
        tree::{self, RUN},
    },
    geometry::{Coord, bearings, position},
};
use routing::WayKind;
use std::collections::{HashMap, HashSet};
use terrain::Dem;

/// Links are numbered in 30 bits (two hold direction and ban).
const MAX_LINKS: usize = 1 << 30;

/// Facts for the header that the source does not hold.
#[derive(Debug, Clone, Default)]
pub(crate) struct Origin {
    pub data_date_s: Option<i64>,
    pub extract_checksum: [u8; 32],
}

/// Counts of the build.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Counts {
    pub junctions: usize,
    pub states: usize,
    pub links: usize,
    pub forbidden_turns: usize,
}

/// A stretch of a way between two junctions, by OSM nodes.
struct Piece {
    way: usize,
    nodes: Vec<i64>,
}

/// Assemble the file's bytes.
pub(crate) fn assemble(source: Source, dem: Option<&Dem>, origin: &Origin) -> Result<(Vec<u8>, Counts), NetworkError> {
    let mut pieces = cut(&source);
    if pieces.is_empty() {
        return Err(NetworkError::NoWays);
    }
    if pieces.len() >= MAX_LINKS {
        return Err(NetworkError::TooLarge { what: "roads" });
    }
    let (nodes, index) = number_junctions(&source, &pieces);
    in_order_of_the_land(&mut pieces, &index);
    let mut table = LinkTable::default();
    for piece in &pieces {
        table.add(&source, piece, &index);
    }
    relief::measure(&mut table, &source, &pieces.iter().map(|p| p.way).collect::<Vec<_>>(), dem);
    let junction = |id: i64| index.get(&id).copied();
    let ends: Vec<[u32; 2]> = table.links.iter().map(|l| l.ends).collect();
    let mut of_way: HashMap<i64, Vec<u32>> = HashMap::new();
    for (link, row) in table.links.iter().enumerate() {
        of_way.entry(row.way_id).or_default().push(link as u32);
    }
    let streets = Streets::new(&ends, nodes.len(), &of_way, &junction);
    let forbidden = streets.forbidden(&source.restrictions);
    let states = turns::unfold(&streets, &forbidden);
    for (arc_index, arc) in states.arcs[..states.first_out[nodes.len()] as usize].iter().enumerate() {
        table.links[arc.link as usize].arcs[usize::from(arc.is_backward)] = arc_index as u32;
    }
    let counts = Counts {
        junctions: nodes.len(),
        states: states.node.len(),
        links: table.links.len(),
        forbidden_turns: forbidden.len(),
    };
    let barriers = barriers(&source, &index, nodes.len());
    let heights = relief::heights(&mut table, dem);
    let contraction =
        Structure::of(&Graph { nodes: &nodes, links: &table.links, first_out: &states.first_out, arcs: &states.arcs });
    let whole = Whole { table, nodes, barriers, states, heights, contraction, has_elevation: dem.is_some() };
    Ok((write(source, &whole, origin), counts))
}

/// Cut ways at junctions, barriers, restricted nodes and where the extract lacks a node.
fn cut(source: &Source) -> Vec<Piece> {
    let mut seen = HashSet::new();
    let mut junctions: HashSet<i64> = source.barriers.keys().copied().collect();
    for way in &source.ways {
        for (i, node) in way.nodes.iter().enumerate() {
            let is_end = i == 0 || i + 1 == way.nodes.len();
            if !seen.insert(*node) || is_end {
                junctions.insert(*node);
            }
        }
    }
    let mut pieces = Vec::new();
    for (index, way) in source.ways.iter().enumerate() {
        for run in way.nodes.split(|n| !source.nodes.contains_key(n)) {
            cut_run(run, &junctions, |nodes| pieces.push(Piece { way: index, nodes }));
        }
    }
    pieces
}

fn cut_run(run: &[i64], junctions: &HashSet<i64>, mut keep: impl FnMut(Vec<i64>)) {
    let mut start = 0;
    for end in 1..run.len() {
        if end + 1 < run.len() && !junctions.contains(&run[end]) {
            continue;
        }
        let piece = &run[start..=end];
        if piece[0] == piece[piece.len() - 1] && piece.len() > 2 {
            // A loop gets a second junction, so that every link has two ends.
            let middle = piece.len() / 2;
            keep(piece[..=middle].to_vec());
            keep(piece[middle..].to_vec());
        } else {
            keep(piece.to_vec());
        }
        start = end;
    }
}

/// Junctions in the order of a curve over the land: neighbours share pages of the file.
fn number_junctions(source: &Source, pieces: &[Piece]) -> (Vec<Coord>, HashMap<i64, u32>) {
    let ends = pieces.iter().flat_map(|p| [p.nodes[0], p.nodes[p.nodes.len() - 1]]);
    let mut all: Vec<(u64, i64)> = ends
        .map(|id| {
            let c = source.nodes[&id];
            (tree::z_order(c[0], c[1]), id)
        })
        .collect();
    all.sort_unstable();
    all.dedup();
    let index = all.iter().enumerate().map(|(i, (_, id))| (*id, i as u32)).collect();
    (all.into_iter().map(|(_, id)| source.nodes[&id]).collect(), index)
}

/// Ways in the order of their places, the pieces of each one after the other: what a route passes lies together in
/// memory, links, shapes and heights alike.
fn in_order_of_the_land(pieces: &mut [Piece], index: &HashMap<i64, u32>) {
    let mut first: HashMap<usize, u32> = HashMap::new();
    for piece in pieces.iter() {
        let lowest = [piece.nodes[0], piece.nodes[piece.nodes.len() - 1]].iter().map(|id| index[id]).min();
        let known = first.entry(piece.way).or_insert(u32::MAX);
        *known = (*known).min(lowest.unwrap_or(u32::MAX));
    }
    // Stable: the pieces of a way stay in its own order.
    pieces.sort_by_key(|piece| (first[&piece.way], piece.way));
}

fn barriers(source: &Source, index: &HashMap<i64, u32>, junctions: usize) -> Vec<u8> {
    let mut bits = vec![0; junctions];
    for (id, barrier) in &source.barriers {
        if let Some(node) = index.get(id) {
            bits[*node as usize] = barrier.to_byte();
        }
    }
    bits
}

/// Links, their shapes and the attribute sets they share.
#[derive(Default)]
pub(crate) struct LinkTable {
    pub links: Vec<Link>,
    pub shapes: Vec<Coord>,
    pub sets: Vec<Attributes>,
    set_index: HashMap<Attributes, u32>,
}

impl LinkTable {
    fn add(&mut self, source: &Source, piece: &Piece, index: &HashMap<i64, u32>) {
        let way: &SourceWay = &source.ways[piece.way];
        let start = self.shapes.len();
        self.shapes.extend(piece.nodes.iter().map(|id| source.nodes[id]));
        let length_m: f64 =
            self.shapes[start..].windows(2).map(|w| trace::distance_m(position(w[0]), position(w[1]))).sum();
        let mut own = with_ferry_speed(way, source);
        if source.water.runs_beside(&self.shapes[start..]) {
            own.flags |= flag::WATERSIDE;
        }
        let attributes = self.set(own);
        self.links.push(Link {
            ends: [index[&piece.nodes[0]], index[&piece.nodes[piece.nodes.len() - 1]]],
            shape_start: start as u32,
            shape_count: piece.nodes.len() as u32,
            length_cm: (length_m * 100.0).round() as u32,
            attributes,
            name: way.name.unwrap_or(u32::MAX),
            way_id: way.id,
            bearings: bearings(&self.shapes[start..]),
            ..Link::default()
        });
    }

    fn set(&mut self, set: Attributes) -> u32 {
        *self.set_index.entry(set).or_insert_with(|| {
            self.sets.push(set);
            self.sets.len() as u32 - 1
        })
    }
}

/// The speed of a ferry follows from its duration, where OpenStreetMap has one.
fn with_ferry_speed(way: &SourceWay, source: &Source) -> Attributes {
    let mut set = way.attributes;
    if let (WayKind::Ferry, Some(duration_s)) = (set.kind, way.duration_s) {
        let line: Vec<Coord> = way.nodes.iter().filter_map(|id| source.nodes.get(id)).copied().collect();
        let length_m: f64 = line.windows(2).map(|w| trace::distance_m(position(w[0]), position(w[1]))).sum();
        set.ferry_kmh = (length_m / duration_s * 3.6).round().clamp(1.0, 80.0) as u8;
    }
    set
}

/// Everything that is written.
struct Whole {
    table: LinkTable,
    nodes: Vec<Coord>,
    barriers: Vec<u8>,
    states: turns::States,
    heights: Vec<i16>,
    contraction: Structure,
    has_elevation: bool,
}

fn write(source: Source, whole: &Whole, origin: &Origin) -> Vec<u8> {
    let Whole { table, nodes, barriers, states, heights, contraction, has_elevation } = whole;
    let mut out = Writer::new();
    out.section(Section::Nodes, bytemuck::cast_slice(nodes));
    out.section(Section::Barriers, barriers);
    out.section(Section::StateNode, bytemuck::cast_slice(&states.node));
    out.section(Section::FirstOut, bytemuck::cast_slice(&states.first_out));
    let arcs: Vec<[u32; 2]> = states.arcs.iter().map(|a| Arc::to_row(*a)).collect();
    out.section(Section::Arcs, bytemuck::cast_slice(&arcs));
    let (first_in, in_arcs) = reversed(states);
    out.section(Section::FirstIn, bytemuck::cast_slice(&first_in));
    out.section(Section::InArcs, bytemuck::cast_slice(&in_arcs));
    let mut copies: Vec<[u32; 2]> =
        states.node.iter().enumerate().skip(nodes.len()).map(|(s, n)| [*n, s as u32]).collect();
    copies.sort_unstable();
    out.section(Section::Copies, bytemuck::cast_slice(&copies));
    let links: Vec<_> = table.links.iter().map(|l| l.to_row()).collect();
    out.section(Section::Links, bytemuck::cast_slice(&links));
    out.section(Section::Shapes, bytemuck::cast_slice(&table.shapes));
    let sets: Vec<u8> = table.sets.iter().flat_map(|s| s.to_bytes()).collect();
    out.section(Section::Attributes, &sets);
    let (starts, names) = name_bytes(&source.names);
    out.section(Section::NameStarts, bytemuck::cast_slice(&starts));
    out.section(Section::Names, &names);
    let (boxes, runs) = tree::pack(leaves(table));
    out.section(Section::Boxes, bytemuck::cast_slice(&boxes));
    out.section(Section::Runs, bytemuck::cast_slice(&runs));
    out.section(Section::Cells, bytemuck::cast_slice(&source.coverage.finish()));
    out.section(Section::Heights, bytemuck::cast_slice(heights));
    out.section(Section::Rank, bytemuck::cast_slice(&contraction.rank));
    out.section(Section::AtRank, bytemuck::cast_slice(&contraction.at_rank));
    out.section(Section::UpFirst, bytemuck::cast_slice(&contraction.up_first));
    out.section(Section::UpHead, bytemuck::cast_slice(&contraction.up_head));
    let fold = |pick: fn(f64, f64) -> f64, axis: usize| {
        table.shapes.iter().map(|c| f64::from(c[axis]) / 1e7).reduce(pick).unwrap_or_default()
    };
    let bbox = [fold(f64::min, 0), fold(f64::min, 1), fold(f64::max, 0), fold(f64::max, 1)];
    out.finish(Header {
        file_bytes: 0,
        body_checksum: 0,
        data_date_s: origin.data_date_s,
        bbox,
        extract_checksum: origin.extract_checksum,
        has_elevation: *has_elevation,
        sections: [(0, 0); Section::COUNT],
    })
}

/// Incoming arcs by the state they reach.
fn reversed(states: &turns::States) -> (Vec<u32>, Vec<[u32; 2]>) {
    let count = states.node.len();
    let mut first = vec![0_u32; count + 1];
    for arc in &states.arcs {
        first[arc.head as usize + 1] += 1;
    }
    for i in 0..count {
        first[i + 1] += first[i];
    }
    let mut next = first.clone();
    let mut rows = vec![[0; 2]; states.arcs.len()];
    for tail in 0..count {
        for arc in states.first_out[tail]..states.first_out[tail + 1] {
            let slot = &mut next[states.arcs[arc as usize].head as usize];
            rows[*slot as usize] = [tail as u32, arc];
            *slot += 1;
        }
    }
    (first, rows)
}

fn name_bytes(names: &[String]) -> (Vec<u32>, Vec<u8>) {
    let (mut starts, mut bytes) = (vec![0], Vec::new());
    for name in names {
        bytes.extend_from_slice(name.as_bytes());
        starts.push(bytes.len() as u32);
    }
    (starts, bytes)
}

/// Runs of a few segments with their boxes, for the spatial index.
fn leaves(table: &LinkTable) -> Vec<(tree::Bounds, [u32; 2])> {
    let mut out = Vec::new();
    for (index, link) in table.links.iter().enumerate() {
        let shape = &table.shapes[link.shape_start as usize..(link.shape_start + link.shape_count) as usize];
        for first in (0..shape.len() - 1).step_by(RUN) {
            let last = (first + RUN).min(shape.len() - 1);
            let bounds = shape[first..=last].iter().fold([i32::MAX, i32::MAX, i32::MIN, i32::MIN], |b, c| {
                [b[0].min(c[0]), b[1].min(c[1]), b[2].max(c[0]), b[3].max(c[1])]
            });
            out.push((bounds, [index as u32, (first as u32) << 8 | (last - first) as u32]));
        }
    }
    out
}
