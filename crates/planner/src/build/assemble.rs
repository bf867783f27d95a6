//! From kept ways to the sections of a prepared file, in an order in which little is in memory at once.

use super::{
    relief,
    source::{Restriction, Source, SourceWay},
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
    numbers::{Bits, grouped},
};
use routing::WayKind;
use std::{
    collections::{HashMap, HashSet},
    io::{self, Seek, Write},
};
use terrain::Dem;

/// Links are numbered in 30 bits (two hold direction and ban).
const MAX_LINKS: usize = 1 << 30;
/// Rows made ready before they are written.
const ROWS: usize = 4_096;
/// No junction.
const NONE: u32 = u32::MAX;

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

/// A stretch of a way between two junctions: `count` of [`Source::refs`] from `first` on.
struct Piece {
    way: u32,
    first: u32,
    count: u32,
}

impl Piece {
    fn nodes<'a>(&self, source: &'a Source) -> &'a [u32] {
        &source.refs[self.first as usize..(self.first + self.count) as usize]
    }

    fn ends(&self, source: &Source) -> [u32; 2] {
        let nodes = self.nodes(source);
        [nodes[0], nodes[nodes.len() - 1]]
    }
}

/// A source cut at its junctions.
pub(crate) struct Assembly {
    source: Source,
    pieces: Vec<Piece>,
}

impl Assembly {
    /// Cuts the ways; refuses a source without ways, or with too many.
    pub(crate) fn of(source: Source) -> Result<Self, NetworkError> {
        let pieces = cut(&source);
        if pieces.is_empty() {
            return Err(NetworkError::NoWays);
        }
        if pieces.len() >= MAX_LINKS {
            return Err(NetworkError::TooLarge { what: "roads" });
        }
        Ok(Self { source, pieces })
    }

    /// Writes all sections that hold for every profile.
    pub(crate) fn write<W: Write + Seek>(
        self,
        dem: Option<&Dem>,
        origin: &Origin,
        out: &mut Writer<W>,
    ) -> io::Result<(Header, Counts)> {
        let Self { mut source, mut pieces } = self;
        let (nodes, junction_of) = number_junctions(&source, &pieces);
        in_order_of_the_land(&mut pieces, &source, &junction_of);
        let mut table = LinkTable::of(&pieces);
        for piece in &pieces {
            table.add(&source, piece, &junction_of);
        }
        let barriers = barriers(&source, &junction_of, nodes.len());
        let via: HashMap<i64, u32> = source
            .via_nodes
            .iter()
            .map(|(id, number)| (*id, junction_of[*number as usize]))
            .filter(|(_, junction)| *junction != NONE)
            .collect();
        drop((pieces, junction_of));
        source.drop_nodes();
        let bbox = write_ground(&mut table, dem, out)?;
        let (states, ends, forbidden_turns) = write_graph(&source, table, &nodes, &via, out)?;
        out.section(Section::Barriers, &barriers)?;
        out.section(Section::Nodes, bytemuck::cast_slice(&nodes))?;
        let (starts, names) = name_bytes(&source.names);
        out.section(Section::NameStarts, bytemuck::cast_slice(&starts))?;
        out.section(Section::Names, &names)?;
        out.section(Section::Cells, bytemuck::cast_slice(&source.coverage.finish()))?;
        let counts = Counts { junctions: nodes.len(), states: states.node.len(), links: ends.len(), forbidden_turns };
        let graph = Graph { nodes: &nodes, ends: &ends, first_out: &states.first_out, arcs: &states.arcs };
        let contraction = Structure::of(&graph);
        out.section(Section::Rank, bytemuck::cast_slice(&contraction.rank))?;
        out.section(Section::AtRank, bytemuck::cast_slice(&contraction.at_rank))?;
        out.section(Section::UpFirst, bytemuck::cast_slice(&contraction.up_first))?;
        out.section(Section::UpHead, bytemuck::cast_slice(&contraction.up_head))?;
        let header = Header {
            file_bytes: 0,
            body_checksum: 0,
            data_date_s: origin.data_date_s,
            bbox,
            extract_checksum: origin.extract_checksum,
            has_elevation: dem.is_some(),
            sections: [(0, 0); Section::COUNT],
        };
        Ok((header, counts))
    }
}

/// Climbs, heights, shapes and their index: what the ground has. Returns west, south, east, north; the shapes are freed.
fn write_ground<W: Write + Seek>(
    table: &mut LinkTable,
    dem: Option<&Dem>,
    out: &mut Writer<W>,
) -> io::Result<[f64; 4]> {
    relief::measure(table, dem);
    out.section(Section::Heights, bytemuck::cast_slice(&relief::heights(table, dem)))?;
    let (boxes, runs) = tree::pack(leaves(table));
    out.section(Section::Boxes, bytemuck::cast_slice(&boxes))?;
    out.section(Section::Runs, bytemuck::cast_slice(&runs))?;
    let shapes = std::mem::take(&mut table.shapes);
    out.section(Section::Shapes, bytemuck::cast_slice(&shapes))?;
    let fold = |pick: fn(f64, f64) -> f64, axis: usize| {
        shapes.iter().map(|c| f64::from(c[axis]) / 1e7).reduce(pick).unwrap_or_default()
    };
    Ok([fold(f64::min, 0), fold(f64::min, 1), fold(f64::max, 0), fold(f64::max, 1)])
}

/// Links, and the states and arcs that restrictions make of them. Returns the states, the ends of each link and the number of
/// forbidden turns.
fn write_graph<W: Write + Seek>(
    source: &Source,
    mut table: LinkTable,
    nodes: &[Coord],
    via: &HashMap<i64, u32>,
    out: &mut Writer<W>,
) -> io::Result<(turns::States, Vec<[u32; 2]>, usize)> {
    let ends: Vec<[u32; 2]> = table.links.iter().map(|l| l.ends).collect();
    let restricted: HashSet<i64> = source.restrictions.iter().flat_map(Restriction::ways).collect();
    let mut of_way: HashMap<i64, Vec<u32>> = HashMap::new();
    for (link, row) in (0..).zip(&table.links) {
        if restricted.contains(&row.way_id) {
            of_way.entry(row.way_id).or_default().push(link);
        }
    }
    let junction = |id: i64| via.get(&id).copied();
    let streets = Streets::new(&ends, nodes.len(), &of_way, &junction);
    let forbidden = streets.forbidden(&source.restrictions);
    let states = turns::unfold(&streets, &forbidden);
    drop(streets);
    for (arc_index, arc) in states.arcs[..states.first_out[nodes.len()] as usize].iter().enumerate() {
        table.links[arc.link as usize].arcs[usize::from(arc.is_backward)] = arc_index as u32;
    }
    let sets: Vec<u8> = table.sets.iter().flat_map(|s| s.to_bytes()).collect();
    out.section(Section::Attributes, &sets)?;
    rows(out, Section::Links, table.links.iter().map(|l| l.to_row()))?;
    drop(table);
    out.section(Section::StateNode, bytemuck::cast_slice(&states.node))?;
    out.section(Section::FirstOut, bytemuck::cast_slice(&states.first_out))?;
    rows(out, Section::Arcs, states.arcs.iter().map(|a| Arc::to_row(*a)))?;
    let tails = || (0..states.node.len() as u32).flat_map(|tail| states.out(tail).map(move |arc| (tail, arc)));
    let (first_in, in_arcs) =
        grouped(states.node.len(), || tails().map(|(tail, arc)| (states.arcs[arc as usize].head, [tail, arc])));
    out.section(Section::FirstIn, bytemuck::cast_slice(&first_in))?;
    out.section(Section::InArcs, bytemuck::cast_slice(&in_arcs))?;
    let mut copies: Vec<[u32; 2]> =
        states.node.iter().enumerate().skip(nodes.len()).map(|(s, n)| [*n, s as u32]).collect();
    copies.sort_unstable();
    out.section(Section::Copies, bytemuck::cast_slice(&copies))?;
    Ok((states, ends, forbidden.len()))
}

/// A section of rows that are made as they are written.
fn rows<W: Write + Seek, R: bytemuck::NoUninit>(
    out: &mut Writer<W>,
    section: Section,
    mut each: impl Iterator<Item = R>,
) -> io::Result<()> {
    out.begin(section)?;
    loop {
        let some: Vec<R> = each.by_ref().take(ROWS).collect();
        if some.is_empty() {
            return Ok(());
        }
        out.append(section, bytemuck::cast_slice(&some))?;
    }
}

/// Cut ways at junctions, barriers, restricted nodes and where the extract lacks a node.
fn cut(source: &Source) -> Vec<Piece> {
    let (mut seen, mut junctions) = (Bits::below(source.places.len()), Bits::below(source.places.len()));
    for node in source.barriers.keys() {
        junctions.insert(*node);
    }
    for way in &source.ways {
        let nodes = source.refs_of(way);
        for (i, node) in nodes.iter().enumerate() {
            let is_end = i == 0 || i + 1 == nodes.len();
            if !seen.insert(*node) || is_end {
                junctions.insert(*node);
            }
        }
    }
    let mut pieces = Vec::new();
    for (way, kept) in (0..).zip(&source.ways) {
        let mut first = kept.nodes.start;
        for run in source.refs_of(kept).split(|node| source.is_missing(*node)) {
            cut_run(run, &junctions, |from, count| {
                pieces.push(Piece { way, first: first + from as u32, count: count as u32 });
            });
            first += run.len() as u32 + 1;
        }
    }
    pieces
}

/// Calls `keep` with the first node and the number of nodes of each piece.
fn cut_run(run: &[u32], junctions: &Bits, mut keep: impl FnMut(usize, usize)) {
    let mut start = 0;
    for end in 1..run.len() {
        if end + 1 < run.len() && !junctions.contains(run[end]) {
            continue;
        }
        let count = end - start + 1;
        if run[start] == run[end] && count > 2 {
            // A loop gets a second junction, so that every link has two ends.
            let middle = count / 2;
            keep(start, middle + 1);
            keep(start + middle, count - middle);
        } else {
            keep(start, count);
        }
        start = end;
    }
}

/// Numbers the junctions along a space-filling curve, so that neighbours share pages of the file. Returns two lists: the
/// coordinate of each junction, and for each node the number of its junction, or [`NONE`] where the node is no junction.
fn number_junctions(source: &Source, pieces: &[Piece]) -> (Vec<Coord>, Vec<u32>) {
    let mut all: Vec<(u64, u32)> = Vec::with_capacity(2 * pieces.len());
    for node in pieces.iter().flat_map(|piece| piece.ends(source)) {
        let c = source.places[node as usize];
        all.push((tree::z_order(c[0], c[1]), node));
    }
    all.sort_unstable();
    all.dedup();
    let mut junction_of = vec![NONE; source.places.len()];
    for (junction, (_, node)) in (0..).zip(&all) {
        junction_of[*node as usize] = junction;
    }
    (all.into_iter().map(|(_, node)| source.places[node as usize]).collect(), junction_of)
}

/// Ways in the order of their places, the pieces of each one after the other: what a route passes lies together in
/// memory, links, shapes and heights alike.
fn in_order_of_the_land(pieces: &mut [Piece], source: &Source, junction_of: &[u32]) {
    let mut first = vec![u32::MAX; source.ways.len()];
    for piece in pieces.iter() {
        let lowest = piece.ends(source).map(|node| junction_of[node as usize]).into_iter().min();
        let known = &mut first[piece.way as usize];
        *known = (*known).min(lowest.unwrap_or(u32::MAX));
    }
    // The pieces of a way stay in its own order.
    pieces.sort_unstable_by_key(|piece| (first[piece.way as usize], piece.way, piece.first));
}

fn barriers(source: &Source, junction_of: &[u32], junctions: usize) -> Vec<u8> {
    let mut bits = vec![0; junctions];
    for (node, barrier) in &source.barriers {
        if let Some(bits) = bits.get_mut(junction_of[*node as usize] as usize) {
            *bits = barrier.to_byte();
        }
    }
    bits
}

/// A road that passes under another one or a railway for less than this is no tunnel to a walker, in metres of the whole way.
const TUNNEL_FROM_M: f64 = 100.0;

/// Links, their shapes and the attribute sets they share.
#[derive(Default)]
pub(crate) struct LinkTable {
    pub links: Vec<Link>,
    pub shapes: Vec<Coord>,
    pub sets: Vec<Attributes>,
    set_index: HashMap<Attributes, u32>,
}

impl LinkTable {
    /// An empty table with the memory that these will take: lists that grow would leave twice as much behind.
    fn of(pieces: &[Piece]) -> Self {
        let nodes = pieces.iter().map(|piece| piece.count as usize).sum();
        Self { links: Vec::with_capacity(pieces.len()), shapes: Vec::with_capacity(nodes), ..Self::default() }
    }

    fn add(&mut self, source: &Source, piece: &Piece, junction_of: &[u32]) {
        let way: &SourceWay = &source.ways[piece.way as usize];
        let start = self.shapes.len();
        self.shapes.extend(piece.nodes(source).iter().map(|node| source.places[*node as usize]));
        let length_m: f64 =
            self.shapes[start..].windows(2).map(|w| trace::distance_m(position(w[0]), position(w[1]))).sum();
        let mut own = with_ferry_speed(way, source);
        if source.water.runs_beside(&self.shapes[start..]) {
            own.flags |= flag::WATERSIDE;
        }
        if own.has(flag::ROAD_TUNNEL) && way_length_m(way, source) < TUNNEL_FROM_M {
            own.flags &= !flag::ROAD_TUNNEL;
        }
        let attributes = self.set(own);
        self.links.push(Link {
            ends: piece.ends(source).map(|node| junction_of[node as usize]),
            shape_start: start as u32,
            shape_count: piece.count,
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
        set.ferry_kmh = (way_length_m(way, source) / duration_s * 3.6).round().clamp(1.0, 80.0) as u8;
    }
    set
}

/// Metres of all of a way, whose links are parts of it. Nodes that the extract lacks are left out.
fn way_length_m(way: &SourceWay, source: &Source) -> f64 {
    let nodes = source.refs_of(way).iter().filter(|node| !source.is_missing(**node));
    let line: Vec<Coord> = nodes.map(|node| source.places[*node as usize]).collect();
    line.windows(2).map(|w| trace::distance_m(position(w[0]), position(w[1]))).sum()
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
    let runs = |link: &Link| (link.shape_count as usize - 1).div_ceil(RUN);
    let mut out = Vec::with_capacity(table.links.iter().map(runs).sum());
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
