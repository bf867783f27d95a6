//! The file's sections as slices: taken once a request, then free to index.

use super::{ATTRIBUTES_WORD, Link, LinkRow, tree::Bounds};
use crate::{
    attributes::{Attributes, from_byte},
    geometry::Coord,
    tags::Barrier,
};
use routing::WayKind;

/// A directed use of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Arc {
    /// State reached.
    pub head: u32,
    pub link: u32,
    /// Against the shape's order.
    pub is_backward: bool,
    /// A turn restriction for wheels forbids this arc from this state.
    pub is_banned: bool,
}

impl Arc {
    pub(crate) fn to_row(self) -> [u32; 2] {
        [self.head, self.link << 2 | u32::from(self.is_banned) << 1 | u32::from(self.is_backward)]
    }

    pub(crate) fn from_row(row: [u32; 2]) -> Self {
        Self { head: row[0], link: row[1] >> 2, is_backward: row[1] & 1 != 0, is_banned: row[1] & 2 != 0 }
    }
}

/// Borrowed slices over a checked network.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub nodes: &'a [Coord],
    pub barriers: &'a [u8],
    pub state_node: &'a [u32],
    pub first_out: &'a [u32],
    pub arcs: &'a [[u32; 2]],
    pub first_in: &'a [u32],
    pub in_arcs: &'a [[u32; 2]],
    pub copies: &'a [[u32; 2]],
    pub links: &'a [LinkRow],
    pub shapes: &'a [Coord],
    pub attributes: &'a [[u8; 16]],
    pub name_starts: &'a [u32],
    pub names: &'a [u8],
    pub boxes: &'a [Bounds],
    pub runs: &'a [[u32; 2]],
    pub cells: &'a [u32],
    pub heights: &'a [i16],
    pub rank: &'a [u32],
    pub at_rank: &'a [u32],
    pub up_first: &'a [u32],
    pub up_head: &'a [u32],
    pub large: &'a [u8],
    pub profiles: &'a [[u64; 4]],
    pub metrics: &'a [u64],
}

impl<'a> View<'a> {
    pub(crate) fn link(&self, link: u32) -> Link {
        Link::from_row(&self.links[link as usize])
    }

    pub(crate) fn attributes_at(&self, index: u32) -> Attributes {
        Attributes::from_bytes(self.attributes[index as usize])
    }

    /// The attribute set of a link, without taking the rest apart.
    pub(crate) fn set_of(&self, link: u32) -> u32 {
        self.links[link as usize][ATTRIBUTES_WORD]
    }

    /// The kind alone, without taking the rest apart.
    pub(crate) fn kind_of(&self, link: u32) -> WayKind {
        from_byte(WayKind::ALL, self.attributes[self.set_of(link) as usize][0])
    }

    /// The flags alone.
    pub(crate) fn flags_of(&self, link: u32) -> u8 {
        self.attributes[self.set_of(link) as usize][Attributes::FLAGS_AT]
    }

    pub(crate) fn attributes_of(&self, link: u32) -> Attributes {
        self.attributes_at(self.set_of(link))
    }

    /// Stored heights along a link, none where the network was made without a ground model.
    pub(crate) fn heights_of(&self, link: &Link) -> &'a [i16] {
        if self.heights.is_empty() {
            return &[];
        }
        &self.heights[link.heights as usize..link.heights as usize + link.height_count()]
    }

    pub(crate) fn shape(&self, link: &Link) -> &'a [Coord] {
        &self.shapes[link.shape_start as usize..(link.shape_start + link.shape_count) as usize]
    }

    pub(crate) fn arc(&self, arc: u32) -> Arc {
        Arc::from_row(self.arcs[arc as usize])
    }

    pub(crate) fn out_arcs(&self, state: u32) -> std::ops::Range<u32> {
        self.first_out[state as usize]..self.first_out[state as usize + 1]
    }

    /// The state an arc leaves: the one of its junction's states whose list holds it.
    pub(crate) fn tail(&self, arc: u32) -> u32 {
        // Arcs are grouped by tail: the last state whose list starts at or before the arc and is not empty.
        (self.first_out.partition_point(|first| *first <= arc) - 1) as u32
    }

    /// Incoming arcs of a state as (tail state, arc index).
    pub(crate) fn in_arcs_of(&self, state: u32) -> &'a [[u32; 2]] {
        &self.in_arcs[self.first_in[state as usize] as usize..self.first_in[state as usize + 1] as usize]
    }

    /// All states of a junction: itself, then the copies that remember a restriction under way.
    pub(crate) fn states_of(&self, node: u32) -> impl Iterator<Item = u32> + use<'a> {
        let copies = self.copies;
        let start = copies.partition_point(|c| c[0] < node);
        std::iter::once(node).chain(copies[start..].iter().take_while(move |c| c[0] == node).map(|c| c[1]))
    }

    pub(crate) fn barrier(&self, node: u32) -> Barrier {
        Barrier::from_byte(self.barriers[node as usize])
    }

    /// The name and the reference ("D 43") of a name index.
    pub(crate) fn name(&self, index: u32) -> (Option<&'a str>, Option<&'a str>) {
        let at = |i: u32| self.name_starts.get(i as usize).map(|s| *s as usize);
        let (Some(start), Some(end)) = (at(index), index.checked_add(1).and_then(at)) else { return (None, None) };
        let text = self.names.get(start..end).and_then(|b| std::str::from_utf8(b).ok()).unwrap_or_default();
        let (name, reference) = text.split_once('\t').unwrap_or((text, ""));
        let said = |s: &'a str| (!s.is_empty()).then_some(s);
        (said(name), said(reference))
    }
}
