//! Reading `.osm.pbf`, one block at a time.

use std::fs::File;
use std::io::BufReader;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use osmpbf::{BlobDecode, BlobError, BlobReader, ErrorKind, PrimitiveBlock, RelMemberType};

use crate::error::ExtractError;
use crate::frame;
use crate::model::{Element, Header, Member, MemberKind, Node, Relation, Tags, Way, on_earth};

/// The features of the format that this reader knows; others (history, for one) change the meaning of the elements.
const KNOWN_FEATURES: [&str; 2] = ["OsmSchema-V0.6", "DenseNodes"];

pub(crate) fn read(path: &Path, file: File, mut each: impl FnMut(Element)) -> Result<Header, ExtractError> {
    frame::check(path, &file)?;
    let blobs = BlobReader::new_seekable(BufReader::new(file)).map_err(|error| read_error(path, 0, error))?;
    let mut header = None;
    let mut newest_s = None;
    let mut at_byte = 0;
    for blob in blobs {
        let blob = blob.map_err(|error| read_error(path, at_byte, error))?;
        at_byte = blob.offset().map_or(at_byte, |offset| offset.0);
        match blob.decode().map_err(|error| read_error(path, at_byte, error))? {
            BlobDecode::OsmHeader(block) => header = Some(read_header(path, &block)?),
            BlobDecode::OsmData(block) => {
                for element in elements_of(path, at_byte, &block, &mut newest_s)? {
                    each(element);
                }
            }
            BlobDecode::Unknown(_) => {} // the format asks readers to skip unknown blobs
        }
    }
    let header: Header = header.ok_or_else(|| ExtractError::Foreign { path: path.into() })?;
    // A writer that leaves times out writes them as 0, which is not a date.
    Ok(Header { date_s: header.date_s.or(newest_s).filter(|date_s| *date_s > 0), ..header })
}

fn read_header(path: &Path, block: &osmpbf::HeaderBlock) -> Result<Header, ExtractError> {
    if let Some(feature) = block.required_features().iter().find(|name| !KNOWN_FEATURES.contains(&name.as_str())) {
        return Err(ExtractError::Unsupported { path: path.into(), what: format!("the feature {feature}") });
    }
    Ok(Header {
        // The format stores billionths of a degree: converted back to the original number.
        bbox: block
            .bbox()
            .map(|bbox| [bbox.left, bbox.bottom, bbox.right, bbox.top].map(|degrees| (degrees * 1e9).round() / 1e9)),
        date_s: block.osmosis_replication_timestamp(),
    })
}

/// Decodes one block.
///
/// The library trusts the inside of a block: an unknown member type or deltas that overflow make it panic. Caught
/// here, before the caller's own code runs, they are damage like any other.
fn elements_of(
    path: &Path,
    at_byte: u64,
    block: &PrimitiveBlock,
    newest_s: &mut Option<i64>,
) -> Result<Vec<Element>, ExtractError> {
    let decoded = catch_unwind(AssertUnwindSafe(|| {
        let mut elements = Vec::with_capacity(8_000);
        let mut newest_ms = None;
        block.for_each_element(|element| {
            let (element, timestamp_ms) = owned(element);
            newest_ms = newest_ms.max(timestamp_ms);
            elements.extend(element);
        });
        (elements, newest_ms)
    }));
    let (elements, newest_ms): (Vec<Element>, Option<i64>) =
        decoded.map_err(|_| ExtractError::damaged(path, at_byte, "a damaged block"))?;
    for element in &elements {
        if let Element::Node(node) = element
            && !on_earth(node.lon, node.lat)
        {
            return Err(ExtractError::damaged(path, at_byte, format!("node {} is not on the Earth", node.id)));
        }
    }
    *newest_s = (*newest_s).max(newest_ms.map(|ms| ms / 1000));
    Ok(elements)
}

/// A copy of an element, `None` for a deleted one, with its time in milliseconds.
fn owned(element: osmpbf::Element<'_>) -> (Option<Element>, Option<i64>) {
    match element {
        osmpbf::Element::DenseNode(node) => {
            let (time_ms, deleted) =
                node.info().map_or((None, false), |info| (Some(info.milli_timestamp()), info.deleted()));
            let copy = Node {
                id: node.id(),
                lon: degrees(node.nano_lon()),
                lat: degrees(node.nano_lat()),
                tags: tags(node.tags()),
            };
            ((!deleted).then_some(Element::Node(copy)), time_ms)
        }
        osmpbf::Element::Node(node) => {
            let copy = Node {
                id: node.id(),
                lon: degrees(node.nano_lon()),
                lat: degrees(node.nano_lat()),
                tags: tags(node.tags()),
            };
            ((!node.info().deleted()).then_some(Element::Node(copy)), node.info().milli_timestamp())
        }
        osmpbf::Element::Way(way) => {
            let copy = Way { id: way.id(), tags: tags(way.tags()), nodes: way.refs().collect() };
            ((!way.info().deleted()).then_some(Element::Way(copy)), way.info().milli_timestamp())
        }
        osmpbf::Element::Relation(relation) => {
            let members = relation.members().map(|member| member_of(&member)).collect();
            let copy = Relation { id: relation.id(), tags: tags(relation.tags()), members };
            ((!relation.info().deleted()).then_some(Element::Relation(copy)), relation.info().milli_timestamp())
        }
    }
}

/// Divided, not multiplied by 1e-9: a stored 3.126 is then read as 3.126.
fn degrees(nano: i64) -> f64 {
    nano as f64 / 1e9
}

fn member_of(member: &osmpbf::RelMember<'_>) -> Member {
    let kind = match member.member_type {
        RelMemberType::Node => MemberKind::Node,
        RelMemberType::Way => MemberKind::Way,
        RelMemberType::Relation => MemberKind::Relation,
    };
    Member { kind, id: member.member_id, role: member.role().unwrap_or_default().to_owned() }
}

fn tags<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Tags {
    Tags::from(pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect::<Vec<_>>())
}

fn read_error(path: &Path, at_byte: u64, error: osmpbf::Error) -> ExtractError {
    match error.into_kind() {
        ErrorKind::Io(source) if source.kind() == std::io::ErrorKind::UnexpectedEof => {
            ExtractError::Truncated { path: path.into(), at_byte }
        }
        ErrorKind::Io(source) => ExtractError::io(path, source),
        ErrorKind::Blob(BlobError::Empty) => {
            ExtractError::Unsupported { path: path.into(), what: "a block compression other than zlib".to_owned() }
        }
        other => ExtractError::damaged(path, at_byte, format!("{other:?}")),
    }
}
