//! Hand-made maps for tests: nodes on a grid of metres, ways with tags, relations.

use crate::{
    build::{
        self,
        source::{MemberRef, Source},
    },
    embedded::Embedded,
    file::Network,
};
use trace::{EARTH_RADIUS_M, Position};

/// Where the grid's origin lies.
const LON: f64 = 2.0;
const LAT: f64 = 45.0;

type Pairs = Vec<(String, String)>;

/// A map under construction.
#[derive(Default)]
pub(crate) struct TestMap {
    nodes: Vec<(i64, f64, f64, Pairs)>,
    ways: Vec<(i64, Vec<i64>, Pairs)>,
    relations: Vec<(Pairs, Vec<(MemberRef, String)>)>,
}

fn owned(tags: &[(&str, &str)]) -> Pairs {
    tags.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
}

/// The position of a place on the grid, metres east and north.
pub(crate) fn at(x: f64, y: f64) -> Position {
    Position::new(
        LON + (x / (EARTH_RADIUS_M * LAT.to_radians().cos())).to_degrees(),
        LAT + (y / EARTH_RADIUS_M).to_degrees(),
    )
}

impl TestMap {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn node(self, id: i64, x: f64, y: f64) -> Self {
        self.tagged_node(id, x, y, &[])
    }

    pub(crate) fn tagged_node(mut self, id: i64, x: f64, y: f64, tags: &[(&str, &str)]) -> Self {
        self.nodes.push((id, x, y, owned(tags)));
        self
    }

    pub(crate) fn way(mut self, id: i64, nodes: &[i64], tags: &[(&str, &str)]) -> Self {
        self.ways.push((id, nodes.to_vec(), owned(tags)));
        self
    }

    /// A way with `highway=residential`.
    pub(crate) fn street(self, id: i64, nodes: &[i64]) -> Self {
        self.way(id, nodes, &[("highway", "residential")])
    }

    pub(crate) fn restriction(mut self, kind: &str, from: i64, via: MemberRef, to: i64, more: &[(&str, &str)]) -> Self {
        let mut tags = owned(&[("type", "restriction"), ("restriction", kind)]);
        tags.extend(owned(more));
        let members = vec![
            (MemberRef::Way(from), "from".to_owned()),
            (via, "via".to_owned()),
            (MemberRef::Way(to), "to".to_owned()),
        ];
        self.relations.push((tags, members));
        self
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut source = Source::default();
        for (id, nodes, tags) in &self.ways {
            source.way(*id, nodes, &|key| tags.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str()));
        }
        for (tags, members) in &self.relations {
            let members: Vec<(MemberRef, &str)> = members.iter().map(|(m, r)| (*m, r.as_str())).collect();
            source.relation(&|key| tags.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str()), &members);
        }
        for (id, x, y, tags) in &self.nodes {
            let p = at(*x, *y);
            source.node(*id, p.lon, p.lat, &|key| tags.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str()));
        }
        source.settle();
        build::bytes(source)
    }

    pub(crate) fn network(&self) -> Network {
        Network::from_bytes(&self.bytes()).expect("a sound file")
    }

    pub(crate) fn engine(&self) -> Embedded {
        Embedded::new(self.network(), None)
    }
}
