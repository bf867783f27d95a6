//! What both languages need to know of the way that is taken.

use routing::WayKind;

/// A way as words see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Way<'a> {
    pub name: Option<&'a str>,
    pub reference: Option<&'a str>,
    pub kind: WayKind,
}

impl Way<'_> {
    /// Whether a traveller who follows signs sees the same street.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let (mine, theirs) = (self.name.or(self.reference), other.name.or(other.reference));
        match (self.name, other.name) {
            (Some(a), Some(b)) => a == b,
            _ if mine.is_some() && self.reference.is_some() && self.reference == other.reference => true,
            _ => mine.is_none() && theirs.is_none() && self.group() == other.group(),
        }
    }

    /// Kinds between which a traveller sees no change.
    pub(crate) fn group(&self) -> u8 {
        match self.kind {
            WayKind::Track | WayKind::Path | WayKind::Bridleway | WayKind::ViaFerrata => 1,
            WayKind::Footway | WayKind::Pedestrian => 2,
            WayKind::Cycleway => 3,
            WayKind::Steps => 4,
            WayKind::Ferry => 5,
            _ => 0,
        }
    }
}

/// Eight winds from a bearing: 0 north, 2 east …
pub(crate) fn wind(bearing_deg: f64) -> usize {
    ((bearing_deg / 45.0).round() as usize) % 8
}
