//! Writing a small `.osm.pbf`: dense nodes, zlib blocks, one string table a block.
//!
//! The messages are those of the format's `fileformat.proto` and `osmformat.proto`; field numbers are beside each.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::error::ExtractError;
use crate::model::{Element, Header, MemberKind, Node, Relation, Tags, Way};

/// The most elements of a block, as other writers have it.
const BLOCK_ELEMENTS: usize = 8_000;
/// The most references of a block (way nodes, members, tags): far below the format's limit of 16 MB.
const BLOCK_WEIGHT: usize = 400_000;

/// Writes `elements` in their order; give nodes, then ways, then relations. Positions keep seven decimals.
///
/// It writes a temporary file and renames it, so that the file is never half-written.
pub fn write_pbf(path: &Path, header: &Header, elements: &[Element]) -> Result<(), ExtractError> {
    let mut writer = PbfWriter::create(path, header)?;
    writer.write(elements)?;
    writer.finish()
}

/// Writes an extract in parts, so that one larger than the memory can be made. See [`write_pbf`].
#[derive(Debug)]
pub struct PbfWriter {
    path: PathBuf,
    unfinished: PathBuf,
    file: BufWriter<File>,
}

impl PbfWriter {
    /// Begins the temporary file.
    pub fn create(path: &Path, header: &Header) -> Result<Self, ExtractError> {
        let unfinished = path.with_extension("pbf.part");
        let io = |source| ExtractError::io(path, source);
        let mut file = BufWriter::new(File::create(&unfinished).map_err(io)?);
        write_blob(&mut file, "OSMHeader", &header_block(header)).map_err(io)?;
        Ok(Self { path: path.to_owned(), unfinished, file })
    }

    /// Writes the next elements: nodes, then ways, then relations.
    pub fn write(&mut self, elements: &[Element]) -> Result<(), ExtractError> {
        for block in blocks(elements) {
            let written = write_blob(&mut self.file, "OSMData", &Block::of(block));
            written.map_err(|source| ExtractError::io(&self.path, source))?;
        }
        Ok(())
    }

    /// Ends the file and gives it its name.
    pub fn finish(mut self) -> Result<(), ExtractError> {
        let done = self.file.flush().and_then(|()| std::fs::rename(&self.unfinished, &self.path));
        done.map_err(|source| ExtractError::io(&self.path, source))
    }
}

/// Splits the elements into runs of one kind that fit a block.
fn blocks(elements: &[Element]) -> Vec<&[Element]> {
    let mut runs = Vec::new();
    let (mut start, mut weight) = (0, 0);
    for (index, element) in elements.iter().enumerate() {
        let full = index - start >= BLOCK_ELEMENTS || weight >= BLOCK_WEIGHT;
        let other_kind = std::mem::discriminant(element) != std::mem::discriminant(&elements[start]);
        if full || other_kind {
            runs.push(&elements[start..index]);
            (start, weight) = (index, 0);
        }
        weight += match element {
            Element::Node(node) => node.tags.iter().count(),
            Element::Way(way) => way.tags.iter().count() + way.nodes.len(),
            Element::Relation(relation) => relation.tags.iter().count() + 3 * relation.members.len(),
        };
    }
    if start < elements.len() {
        runs.push(&elements[start..]);
    }
    runs
}

fn write_blob(out: &mut impl Write, kind: &str, content: &[u8]) -> std::io::Result<()> {
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
    zlib.write_all(content)?;
    let mut blob = Message::default();
    blob.number(2, content.len() as u64); // raw_size
    blob.bytes(3, &zlib.finish()?); // zlib_data
    let mut header = Message::default();
    header.bytes(1, kind.as_bytes()); // type
    header.number(3, blob.0.len() as u64); // datasize
    out.write_all(&(header.0.len() as u32).to_be_bytes())?;
    out.write_all(&header.0)?;
    out.write_all(&blob.0)
}

fn header_block(header: &Header) -> Vec<u8> {
    let mut block = Message::default();
    if let Some([west, south, east, north]) = header.bbox {
        let mut bbox = Message::default();
        for (field, degrees) in [(1, west), (2, east), (3, north), (4, south)] {
            bbox.number(field, zigzag((degrees * 1e9).round() as i64));
        }
        block.bytes(1, &bbox.0); // bbox
    }
    block.bytes(4, b"OsmSchema-V0.6"); // required_features
    block.bytes(4, b"DenseNodes");
    block.bytes(16, b"jalon"); // writingprogram
    if let Some(date_s) = header.date_s {
        block.number(32, date_s.cast_unsigned()); // osmosis_replication_timestamp
    }
    block.0
}

/// The strings of a block; index 0 is the empty one, which ends a dense node's tags.
struct Strings<'a> {
    texts: Vec<&'a str>,
    indexes: HashMap<&'a str, u64>,
}

impl<'a> Strings<'a> {
    fn index(&mut self, text: &'a str) -> u64 {
        *self.indexes.entry(text).or_insert_with(|| {
            self.texts.push(text);
            self.texts.len() as u64 - 1
        })
    }

    fn pairs(&mut self, tags: &'a Tags) -> (Vec<u64>, Vec<u64>) {
        tags.iter().map(|(key, value)| (self.index(key), self.index(value))).unzip()
    }
}

/// A `PrimitiveBlock` with one group.
struct Block;

impl Block {
    fn of(elements: &[Element]) -> Vec<u8> {
        // In a dense node index 0 ends the tags, so an empty key or value must not get it: the first entry is not in the map.
        let mut strings = Strings { texts: vec![""], indexes: HashMap::new() };
        let mut group = Message::default();
        let nodes: Vec<&Node> =
            elements.iter().filter_map(|e| if let Element::Node(n) = e { Some(n) } else { None }).collect();
        if !nodes.is_empty() {
            group.bytes(2, &dense(&nodes, &mut strings)); // dense
        }
        for element in elements {
            match element {
                Element::Node(_) => {}
                Element::Way(way) => group.bytes(3, &way_message(way, &mut strings)), // ways
                Element::Relation(relation) => group.bytes(4, &relation_message(relation, &mut strings)), // relations
            }
        }
        let mut table = Message::default();
        for text in &strings.texts {
            table.bytes(1, text.as_bytes()); // s
        }
        let mut block = Message::default();
        block.bytes(1, &table.0); // stringtable
        block.bytes(2, &group.0); // primitivegroup; granularity stays at its default of 100 nanodegrees
        block.0
    }
}

fn dense<'a>(nodes: &[&'a Node], strings: &mut Strings<'a>) -> Vec<u8> {
    let units = |degrees: f64| (degrees * 1e7).round() as i64;
    let mut keys_vals = Vec::new();
    for node in nodes {
        for (key, value) in node.tags.iter() {
            keys_vals.extend([strings.index(key), strings.index(value)]);
        }
        keys_vals.push(0);
    }
    let mut message = Message::default();
    message.deltas(1, nodes.iter().map(|node| node.id)); // id
    message.deltas(8, nodes.iter().map(|node| units(node.lat))); // lat
    message.deltas(9, nodes.iter().map(|node| units(node.lon))); // lon
    if keys_vals.len() > nodes.len() {
        message.packed(10, keys_vals); // keys_vals, left out when no node has a tag
    }
    message.0
}

fn way_message<'a>(way: &'a Way, strings: &mut Strings<'a>) -> Vec<u8> {
    let (keys, values) = strings.pairs(&way.tags);
    let mut message = Message::default();
    message.number(1, way.id.cast_unsigned()); // id
    message.packed(2, keys); // keys
    message.packed(3, values); // vals
    message.deltas(8, way.nodes.iter().copied()); // refs
    message.0
}

fn relation_message<'a>(relation: &'a Relation, strings: &mut Strings<'a>) -> Vec<u8> {
    let (keys, values) = strings.pairs(&relation.tags);
    let roles: Vec<u64> = relation.members.iter().map(|member| strings.index(&member.role)).collect();
    let mut message = Message::default();
    message.number(1, relation.id.cast_unsigned()); // id
    message.packed(2, keys); // keys
    message.packed(3, values); // vals
    message.packed(8, roles); // roles_sid
    message.deltas(9, relation.members.iter().map(|member| member.id)); // memids
    message.packed(
        10,
        relation.members.iter().map(|member| match member.kind {
            MemberKind::Node => 0,
            MemberKind::Way => 1,
            MemberKind::Relation => 2,
        }),
    ); // types
    message.0
}

/// A Protocol Buffers message that is being built.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn number(&mut self, field: u64, value: u64) {
        self.varint(field << 3);
        self.varint(value);
    }

    fn bytes(&mut self, field: u64, bytes: &[u8]) {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn packed(&mut self, field: u64, values: impl IntoIterator<Item = u64>) {
        let mut inner = Self::default();
        for value in values {
            inner.varint(value);
        }
        if !inner.0.is_empty() {
            self.bytes(field, &inner.0);
        }
    }

    fn deltas(&mut self, field: u64, values: impl Iterator<Item = i64>) {
        let mut previous = 0_i64;
        let steps: Vec<u64> = values
            .map(|value| {
                let step = value.wrapping_sub(previous);
                previous = value;
                zigzag(step)
            })
            .collect();
        self.packed(field, steps);
    }
}

/// Small numbers of either sign become small unsigned ones.
fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)).cast_unsigned()
}
