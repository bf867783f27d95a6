//! Nodes, ways and relations of OpenStreetMap.

/// The tags of an element, in file order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// Every key with its value.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Whether there is no tag at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<Vec<(String, String)>> for Tags {
    fn from(pairs: Vec<(String, String)>) -> Self {
        Self(pairs)
    }
}

/// A point.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Its OpenStreetMap number.
    pub id: i64,
    /// Longitude, degrees.
    pub lon: f64,
    /// Latitude, degrees.
    pub lat: f64,
    /// Its tags, most often none.
    pub tags: Tags,
}

/// A line or an area through nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// Its OpenStreetMap number.
    pub id: i64,
    pub tags: Tags,
    /// The numbers of its nodes, in order; a closed way repeats the first.
    pub nodes: Vec<i64>,
}

/// A group of elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation {
    /// Its OpenStreetMap number.
    pub id: i64,
    pub tags: Tags,
    /// Its members, in order; some may be missing from the extract.
    pub members: Vec<Member>,
}

/// The kind of a relation's member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MemberKind {
    Node,
    Way,
    /// Another relation.
    Relation,
}

/// A member of a relation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub kind: MemberKind,
    /// Its OpenStreetMap number.
    pub id: i64,
    /// Its part in the relation, often empty.
    pub role: String,
}

/// One element of an extract.
#[derive(Debug, Clone, PartialEq)]
pub enum Element {
    /// A point.
    Node(Node),
    /// A line or an area.
    Way(Way),
    /// A group.
    Relation(Relation),
}

/// The header of an extract.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Header {
    /// The declared box: west, south, east, north, degrees.
    pub bbox: Option<[f64; 4]>,
    /// The age of the data: replication timestamp, else the newest object; seconds since 1970.
    pub date_s: Option<i64>,
}

/// Whether a position is on the Earth (with a tolerance for rounding).
pub(crate) fn on_earth(lon: f64, lat: f64) -> bool {
    lon.abs() <= 180.000_001 && lat.abs() <= 90.000_001
}
