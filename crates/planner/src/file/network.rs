//! Opening, checking and describing a prepared network.

use super::{
    LINK_WORDS, Link, Shortcuts, View,
    format::{HEADER_BYTES, Header, Section, checksum},
    tree,
};
use crate::{coverage, error::NetworkError, geometry::Coord};
use std::{fs::File, path::Path};
use trace::Position;

/// Above this size a file is not read through when it is opened: [`Network::verify`] does it on demand.
const CHECKED_AT_OPEN_BYTES: u64 = 512 << 20;

/// A prepared network, mapped into memory and read in place.
///
/// Cheap to open and to share: it holds no lock and changes nothing.
pub struct Network {
    data: Data,
    header: Header,
}

enum Data {
    Map(memmap2::Mmap),
    /// Words rather than bytes, so that sections are aligned.
    Owned(Vec<u64>, usize),
}

impl Data {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Map(map) => map,
            Self::Owned(words, length) => &bytemuck::cast_slice(words)[..*length],
        }
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network")
            .field("bbox", &self.header.bbox)
            .field("file_bytes", &self.header.file_bytes)
            .finish_non_exhaustive()
    }
}

impl Network {
    /// Map a prepared file and check it.
    ///
    /// A file that is damaged, cut, of another version or of another kind is refused with a sentence that says so.
    pub fn open(path: &Path) -> Result<Self, NetworkError> {
        let file = File::open(path).map_err(|source| NetworkError::io(path, source))?;
        if file.metadata().map_err(|source| NetworkError::io(path, source))?.len() < 8 {
            return Err(NetworkError::NotANetwork);
        }
        // Builds write beside and rename: a mapped file is never written to again.
        #[expect(unsafe_code, reason = "a memory map is the only way to open a country in milliseconds")]
        let map = unsafe { memmap2::Mmap::map(&file) }.map_err(|source| NetworkError::io(path, source))?;
        Self::checked(Data::Map(map))
    }

    /// Says that requests will read here and there: the system then reads no pages around the touched ones of a large file, which would push
    /// out those of other requests. A build reads from start to end and does not say so.
    pub(crate) fn expect_requests(&self) {
        if let Data::Map(map) = &self.data
            && self.header.file_bytes > CHECKED_AT_OPEN_BYTES
        {
            // A hint: without it answers are as right.
            let _ = map.advise(memmap2::Advice::Random);
        }
    }

    /// The same over bytes already in memory (tests, fuzzing).
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let mut words = vec![0_u64; bytes.len().div_ceil(8)];
        bytemuck::cast_slice_mut(&mut words)[..bytes.len()].copy_from_slice(bytes);
        Self::checked(Data::Owned(words, bytes.len()))
    }

    fn checked(data: Data) -> Result<Self, NetworkError> {
        let header = Header::parse(data.bytes())?;
        let network = Self { data, header };
        network.check_sizes()?;
        if network.header.file_bytes <= CHECKED_AT_OPEN_BYTES {
            network.verify()?;
        }
        Ok(network)
    }

    /// Read the whole file: its checksum and every index in it.
    pub fn verify(&self) -> Result<(), NetworkError> {
        if checksum(&self.data.bytes()[HEADER_BYTES..]) != self.header.body_checksum {
            return Err(NetworkError::Damaged { what: "its checksum does not match" });
        }
        self.check_indexes()
    }

    /// West, south, east, north of the ways.
    pub fn bbox(&self) -> [f64; 4] {
        self.header.bbox
    }

    /// When the extract's data was taken, seconds since 1970, where the extract says so.
    pub fn data_date_s(&self) -> Option<i64> {
        // Networks made before stored 0 for an extract without times.
        self.header.data_date_s.filter(|date_s| *date_s > 0)
    }

    /// SHA-256 of the extract that the network was made from, in hexadecimal.
    pub fn extract_checksum(&self) -> String {
        extract::hexadecimal(&self.header.extract_checksum)
    }

    /// Were climbs worked out from a ground model when it was built?
    pub fn has_elevation(&self) -> bool {
        self.header.has_elevation
    }

    /// Size of the prepared file.
    pub fn file_bytes(&self) -> u64 {
        self.header.file_bytes
    }

    /// Is there data of the extract around this place?
    pub fn covers(&self, p: Position) -> bool {
        coverage::covers(self.view().cells, p)
    }

    /// Rings around the covered land, for drawing what the planner knows.
    pub fn outline(&self) -> Vec<Vec<Position>> {
        coverage::outline(self.view().cells)
    }

    fn section<T: bytemuck::Pod>(&self, section: Section) -> &[T] {
        let (offset, length) = self.header.sections[section as usize];
        // Sizes and alignment were checked when the file was opened.
        bytemuck::try_cast_slice(&self.data.bytes()[offset as usize..(offset + length) as usize]).unwrap_or(&[])
    }

    pub(crate) fn view(&self) -> View<'_> {
        View {
            nodes: self.section(Section::Nodes),
            barriers: self.section(Section::Barriers),
            state_node: self.section(Section::StateNode),
            first_out: self.section(Section::FirstOut),
            arcs: self.section(Section::Arcs),
            first_in: self.section(Section::FirstIn),
            in_arcs: self.section(Section::InArcs),
            copies: self.section(Section::Copies),
            links: self.section(Section::Links),
            shapes: self.section(Section::Shapes),
            attributes: self.section(Section::Attributes),
            name_starts: self.section(Section::NameStarts),
            names: self.section(Section::Names),
            boxes: self.section(Section::Boxes),
            runs: self.section(Section::Runs),
            cells: self.section(Section::Cells),
            heights: self.section(Section::Heights),
            rank: self.section(Section::Rank),
            at_rank: self.section(Section::AtRank),
            up_first: self.section(Section::UpFirst),
            up_head: self.section(Section::UpHead),
            large: self.section(Section::Large),
            profiles: self.section(Section::Profiles),
            metrics: self.section(Section::Metrics),
        }
    }

    fn check_sizes(&self) -> Result<(), NetworkError> {
        let row = |section: Section| match section {
            Section::Barriers | Section::Names | Section::Large => 1,
            Section::Heights => 2,
            Section::StateNode
            | Section::FirstOut
            | Section::FirstIn
            | Section::NameStarts
            | Section::Cells
            | Section::Rank
            | Section::AtRank
            | Section::UpFirst
            | Section::UpHead => 4,
            Section::Profiles => 32,
            Section::Nodes
            | Section::Arcs
            | Section::InArcs
            | Section::Copies
            | Section::Shapes
            | Section::Runs
            | Section::Metrics => 8,
            Section::Attributes | Section::Boxes => 16,
            Section::Links => 4 * LINK_WORDS as u64,
        };
        let all = [
            Section::Nodes,
            Section::Barriers,
            Section::StateNode,
            Section::FirstOut,
            Section::Arcs,
            Section::FirstIn,
            Section::InArcs,
            Section::Copies,
            Section::Links,
            Section::Shapes,
            Section::Attributes,
            Section::NameStarts,
            Section::Names,
            Section::Boxes,
            Section::Runs,
            Section::Cells,
            Section::Heights,
            Section::Rank,
            Section::AtRank,
            Section::UpFirst,
            Section::UpHead,
            Section::Large,
            Section::Profiles,
            Section::Metrics,
        ];
        if all.iter().any(|s| !self.header.sections[*s as usize].1.is_multiple_of(row(*s))) {
            return Err(NetworkError::Damaged { what: "a section has a broken length" });
        }
        let v = self.view();
        let fits = v.barriers.len() == v.nodes.len()
            && v.state_node.len() >= v.nodes.len()
            && v.first_out.len() == v.state_node.len() + 1
            && v.first_in.len() == v.state_node.len() + 1
            && v.in_arcs.len() == v.arcs.len()
            && v.copies.len() == v.state_node.len() - v.nodes.len()
            && v.boxes.len() == tree::box_count(v.runs.len())
            && v.rank.len() == v.arcs.len()
            && v.up_first.len() == v.arcs.len() + 1
            && (v.large.is_empty() || v.large.len() == v.links.len())
            && !v.name_starts.is_empty();
        if fits { Ok(()) } else { Err(NetworkError::Damaged { what: "its sections do not fit together" }) }
    }

    fn check_indexes(&self) -> Result<(), NetworkError> {
        let v = self.view();
        let rises = |list: &[u32], end: usize| {
            list.is_sorted() && list.first() == Some(&0) && list.last().is_some_and(|l| *l as usize == end)
        };
        let states = v.state_node.len();
        let is_whole = rises(v.first_out, v.arcs.len())
            && rises(v.first_in, v.arcs.len())
            && rises(v.name_starts, v.names.len())
            && v.cells.is_sorted()
            && v.copies.is_sorted()
            && v.copies.iter().all(|c| (c[1] as usize) < states)
            && v.state_node
                .iter()
                .enumerate()
                .all(|(s, n)| if s < v.nodes.len() { *n as usize == s } else { (*n as usize) < v.nodes.len() })
            && v.arcs.iter().all(|a| (a[0] as usize) < states && ((a[1] >> 2) as usize) < v.links.len())
            && v.in_arcs.iter().all(|a| (a[0] as usize) < states && (a[1] as usize) < v.arcs.len())
            && v.links.iter().enumerate().all(|(index, row)| link_is_whole(&v, index, &Link::from_row(row)))
            && (0..states as u32).all(|state| arcs_join(&v, state))
            && v.nodes.iter().chain(v.shapes).all(|c| on_earth(*c))
            && v.runs.iter().all(|run| run_is_whole(&v, *run))
            && Shortcuts::of(&v).is_whole(v.arcs.len());
        if is_whole { Ok(()) } else { Err(NetworkError::Damaged { what: "an index in it points nowhere" }) }
    }
}

fn on_earth(c: Coord) -> bool {
    c[0].unsigned_abs() <= 1_800_000_000 && c[1].unsigned_abs() <= 900_000_000
}

fn link_is_whole(v: &View, index: usize, link: &Link) -> bool {
    let arc_is_mine = |arc: u32| v.arcs.get(arc as usize).is_some_and(|a| (a[1] >> 2) as usize == index);
    link.ends.iter().all(|n| (*n as usize) < v.nodes.len())
        && link.shape_count >= 2
        && link.shape_start.checked_add(link.shape_count).is_some_and(|end| end as usize <= v.shapes.len())
        && (link.attributes as usize) < v.attributes.len()
        && link.arcs.iter().all(|a| arc_is_mine(*a))
        && (v.heights.is_empty() || link.heights as usize + link.height_count() <= v.heights.len())
}

/// Do a state's arcs leave its junction, lead where their link ends, and come back in the list of arrivals?
fn arcs_join(v: &View, state: u32) -> bool {
    let node = v.state_node[state as usize];
    let leaves = |index: u32| {
        let arc = v.arc(index);
        let ends = v.link(arc.link).ends;
        ends[usize::from(arc.is_backward)] == node
            && ends[usize::from(!arc.is_backward)] == v.state_node[arc.head as usize]
    };
    let arrives = |row: &[u32; 2]| v.arcs[row[1] as usize][0] == state && v.out_arcs(row[0]).contains(&row[1]);
    v.out_arcs(state).all(leaves) && v.in_arcs_of(state).iter().all(arrives)
}

fn run_is_whole(v: &View, run: [u32; 2]) -> bool {
    let (first, count) = (run[1] >> 8, run[1] & 0xff);
    v.links.get(run[0] as usize).is_some_and(|row| first + count < Link::from_row(row).shape_count)
}
