//! From an extract to a prepared network file.

mod assemble;
mod relief;
pub(crate) mod source;
mod turns;
mod water;

use crate::{error::NetworkError, file::Network};
pub(crate) use assemble::{Origin, assemble};
use extract::{Element, MemberKind};
use serde::Serialize;
use source::{MemberRef, Source};
use std::{io::Write, path::Path, time::Instant};
use terrain::Dem;

/// What a build is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Reading ways and relations.
    Ways,
    /// Reading the ways' nodes.
    Nodes,
    /// Joining ways into a network, with climbs and turn restrictions.
    Network,
    /// Writing the file.
    Writing,
}

/// How far a build has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// The current stage.
    pub stage: Stage,
    /// Elements read so far in this stage (0 where it has no count).
    pub done: u64,
    /// How many there will be, where known.
    pub total: Option<u64>,
}

/// What a build made.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BuildReport {
    /// Ways kept.
    pub ways: usize,
    /// Junctions.
    pub junctions: usize,
    /// Links between junctions.
    pub links: usize,
    /// States of the graph: junctions, and copies that remember a turn restriction.
    pub states: usize,
    /// Sequences of moves closed to wheels by turn restrictions.
    pub forbidden_turns: usize,
    /// Were climbs taken from a ground model?
    pub has_elevation: bool,
    /// When the data was taken, seconds since 1970.
    pub data_date_s: Option<i64>,
    /// Size of the file.
    pub file_bytes: u64,
    /// How long it took.
    pub took_ms: u64,
}

/// Elements between two reports of progress.
const REPORT_EVERY: u64 = 100_000;

impl Network {
    /// Make a network file from an OpenStreetMap extract.
    ///
    /// The file appears whole or not at all: it is written beside `out` under another name, then renamed.
    pub fn build(
        extract: &Path,
        dem: Option<&Dem>,
        out: &Path,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<BuildReport, NetworkError> {
        let started = Instant::now();
        let (source, origin) = read(extract, progress)?;
        progress(Progress { stage: Stage::Network, done: 0, total: None });
        let ways = source.ways.len();
        let (bytes, counts) = assemble(source, dem, &origin)?;
        progress(Progress { stage: Stage::Writing, done: 0, total: Some(bytes.len() as u64) });
        write_whole(out, &bytes)?;
        Ok(BuildReport {
            ways,
            junctions: counts.junctions,
            links: counts.links,
            states: counts.states,
            forbidden_turns: counts.forbidden_turns,
            has_elevation: dem.is_some(),
            data_date_s: origin.data_date_s,
            file_bytes: bytes.len() as u64,
            took_ms: started.elapsed().as_millis() as u64,
        })
    }
}

fn read(path: &Path, progress: &mut dyn FnMut(Progress)) -> Result<(Source, Origin), NetworkError> {
    let failed = |e: extract::ExtractError| NetworkError::Extract(e.to_string());
    let extract_checksum = bytes_of(&extract::checksum(path).map_err(failed)?);
    let mut source = Source::default();
    let mut read: u64 = 0;
    let header = extract::read(path, |element| {
        tick(&mut read, None, Stage::Ways, progress);
        match element {
            Element::Way(way) => source.way(way.id, &way.nodes, &|key| way.tags.get(key)),
            Element::Relation(relation) => {
                let members: Vec<(MemberRef, &str)> =
                    relation.members.iter().map(|m| (member(m), m.role.as_str())).collect();
                source.relation(&|key| relation.tags.get(key), &members);
            }
            Element::Node(_) => {}
        }
    })
    .map_err(failed)?;
    let (total, mut read) = (Some(read), 0);
    extract::read(path, |element| {
        tick(&mut read, total, Stage::Nodes, progress);
        if let Element::Node(node) = element {
            source.node(node.id, node.lon, node.lat, &|key| node.tags.get(key));
        }
    })
    .map_err(failed)?;
    source.settle();
    Ok((source, Origin { data_date_s: header.date_s, extract_checksum }))
}

fn member(member: &extract::Member) -> MemberRef {
    match member.kind {
        MemberKind::Node => MemberRef::Node(member.id),
        MemberKind::Way => MemberRef::Way(member.id),
        MemberKind::Relation => MemberRef::Other,
    }
}

fn tick(read: &mut u64, total: Option<u64>, stage: Stage, progress: &mut dyn FnMut(Progress)) {
    if read.is_multiple_of(REPORT_EVERY) {
        progress(Progress { stage, done: *read, total });
    }
    *read += 1;
}

/// The bytes of a hexadecimal SHA-256; zeros for anything else.
fn bytes_of(hex: &str) -> [u8; 32] {
    let mut out = [0; 32];
    for (i, byte) in out.iter_mut().enumerate() {
        *byte = hex.get(2 * i..2 * i + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok()).unwrap_or_default();
    }
    out
}

fn write_whole(out: &Path, bytes: &[u8]) -> Result<(), NetworkError> {
    let mut name = out.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = out.with_file_name(name);
    let written = std::fs::File::create(&part).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&part, out)
    });
    written.map_err(|source| {
        // A half-written file is of no use.
        let _ = std::fs::remove_file(&part);
        NetworkError::io(out, source)
    })
}
