//! From an extract to a prepared network file.

mod assemble;
mod costs;
mod relief;
pub(crate) mod source;
mod turns;
mod water;

use crate::{
    error::NetworkError,
    file::{
        Network,
        format::{Header, Writer},
    },
};
use assemble::{Assembly, Counts, Origin};
use extract::{Element, MemberKind};
use routing::Profile;
use serde::Serialize;
use source::{MemberRef, Source};
use std::{
    fs::{self, File},
    io::{self, BufWriter, Seek, Write},
    path::Path,
    time::Instant,
};
use terrain::Dem;

/// What a build is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Reading ways and relations.
    Ways,
    /// Reading the ways' nodes.
    Nodes,
    /// Joining ways into a network, with climbs and turn restrictions, and writing it.
    Network,
    /// Working out the costs of each profile, and writing them.
    Costs,
}

/// How far a build has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// The current stage.
    pub stage: Stage,
    /// Elements read or profiles worked out so far in this stage (0 where it has no count).
    pub done: u64,
    /// How many there will be, where known.
    pub total: Option<u64>,
}

/// What a build made.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BuildReport {
    /// Ways kept.
    pub ways: usize,
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
        let assembly = Assembly::of(source)?;
        let mut name = out.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.part", std::process::id()));
        let part = out.with_file_name(name);
        let written = write(assembly, dem, &origin, &part, progress)
            .and_then(|counts| fs::rename(&part, out).map(|()| counts))
            .and_then(|counts| Ok((counts, fs::metadata(out)?.len())));
        let (counts, file_bytes) = written.map_err(|source| {
            // A half-written file is of no use.
            let _ = fs::remove_file(&part);
            NetworkError::io(out, source)
        })?;
        Ok(BuildReport {
            ways,
            junctions: counts.junctions,
            links: counts.links,
            states: counts.states,
            forbidden_turns: counts.forbidden_turns,
            has_elevation: dem.is_some(),
            data_date_s: origin.data_date_s,
            file_bytes,
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

/// Writes a network and the costs of all profiles to a new file, which is on the disk afterwards.
fn write(
    assembly: Assembly,
    dem: Option<&Dem>,
    origin: &Origin,
    path: &Path,
    progress: &mut dyn FnMut(Progress),
) -> io::Result<Counts> {
    let mut out = Writer::new(BufWriter::new(File::create(path)?))?;
    let (header, counts) = assembly.write(dem, origin, &mut out)?;
    out.seal(&header)?;
    let network = Network::open(path).map_err(io::Error::other)?;
    finish(&mut out, &header, network, |done| {
        let total = Some(Profile::ALL.len() as u64);
        progress(Progress { stage: Stage::Costs, done: done as u64, total });
    })?;
    out.into_inner().into_inner()?.sync_all()?;
    Ok(counts)
}

/// Appends the costs of all profiles to a network, and the header that says so.
fn finish<W: Write + Seek>(
    out: &mut Writer<W>,
    header: &Header,
    network: Network,
    done: impl FnMut(usize),
) -> io::Result<()> {
    costs::append(out, &network, done)?;
    // The header that it read is about to be written again.
    drop(network);
    out.seal(header)
}

/// The bytes of a whole network file.
#[cfg(test)]
pub(crate) fn bytes(source: Source) -> Vec<u8> {
    let built = || -> io::Result<Vec<u8>> {
        let mut out = Writer::new(io::Cursor::new(Vec::new()))?;
        let assembly = Assembly::of(source).map_err(io::Error::other)?;
        let (header, _) = assembly.write(None, &Origin::default(), &mut out)?;
        out.seal(&header)?;
        let network = Network::from_bytes(out.get_ref().get_ref()).map_err(io::Error::other)?;
        finish(&mut out, &header, network, |_| {})?;
        Ok(out.into_inner().into_inner())
    };
    built().expect("a network")
}
