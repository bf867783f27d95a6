//! The attributes of a way: the facts of its tags that profiles, instructions and sums need, packed into sixteen bytes.
//!
//! Ways share attribute sets (Andorra: a few hundred), so a profile is applied once to each set.

use routing::{Surface, WayKind};

/// The value of a stored byte; an unknown byte gives the first value. Values are numbered in the order of their list.
pub(crate) fn from_byte<T: Copy>(all: &[T], byte: u8) -> T {
    all.get(usize::from(byte)).copied().unwrap_or(all[0])
}

/// What the tags let a walker or a rider do on a way in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Access {
    /// Allowed.
    Yes,
    /// Signed for this use.
    Designated,
    /// Allowed where the journey starts or ends there.
    Destination,
    /// The rider must walk beside the bike.
    Dismount,
    /// A way for this use runs alongside and should be taken.
    Sidepath,
    /// Not allowed.
    No,
}

impl Access {
    /// Every value, in stored order.
    const ALL: [Self; 6] = [Self::Yes, Self::Designated, Self::Destination, Self::Dismount, Self::Sidepath, Self::No];

    pub(crate) fn is_allowed(self) -> bool {
        self != Self::No
    }
}

/// Bits of [`Attributes::flags`].
pub(crate) mod flag {
    pub const BRIDGE: u8 = 1;
    pub const TUNNEL: u8 = 2;
    pub const FORD: u8 = 4;
    pub const ROUNDABOUT: u8 = 8;
    pub const CYCLE_LANE: u8 = 16;
    /// A river or a canal runs beside it.
    pub const WATERSIDE: u8 = 32;
    /// A long tunnel of a busy road without a pavement: walkers are not led through it. A file of before has none.
    pub const ROAD_TUNNEL: u8 = 64;
}

/// Bits of [`Attributes::networks`]: signed networks that follow the way.
pub(crate) mod network {
    pub const CYCLE: u8 = 1;
    pub const MTB: u8 = 2;
    pub const HIKING: u8 = 4;
    /// National or international: `ncn`, `icn`.
    pub const LONG_CYCLE: u8 = 8;
    /// National or international: `nwn`, `iwn`.
    pub const LONG_HIKING: u8 = 16;
}

/// One attribute set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Attributes {
    pub kind: WayKind,
    pub surface: Surface,
    /// 1 (hard) to 5 (soft), 0 if not tagged.
    pub tracktype: u8,
    /// 1 (hiking) to 6 (difficult alpine), 0 if not tagged.
    pub sac_scale: u8,
    /// `mtb:scale` plus 1, 0 if not tagged.
    pub mtb_scale: u8,
    pub flags: u8,
    pub networks: u8,
    /// On foot: along the way's nodes, against them.
    pub foot: [Access; 2],
    /// By bike: along the way's nodes, against them.
    pub bike: [Access; 2],
    /// A ferry's own speed in km/h, 0 if not tagged.
    pub ferry_kmh: u8,
    /// 1 (excellent) to 8 (impassable), 0 if not tagged.
    pub smoothness: u8,
    /// Speed limit for traffic in km/h, 0 if not tagged.
    pub maxspeed_kmh: u8,
    /// Months in which the way is closed, January in the lowest bit.
    pub closed_months: u16,
}

impl Attributes {
    pub(crate) const BYTES: usize = 16;
    /// The index of the byte with the flags (the first byte is the kind).
    pub(crate) const FLAGS_AT: usize = 5;

    pub(crate) fn to_bytes(self) -> [u8; Self::BYTES] {
        [
            self.kind as u8,
            self.surface as u8,
            self.tracktype,
            self.sac_scale,
            self.mtb_scale,
            self.flags,
            self.networks,
            self.foot[0] as u8,
            self.foot[1] as u8,
            self.bike[0] as u8,
            self.bike[1] as u8,
            self.ferry_kmh,
            self.smoothness,
            self.maxspeed_kmh,
            self.closed_months.to_le_bytes()[0],
            self.closed_months.to_le_bytes()[1],
        ]
    }

    pub(crate) fn from_bytes(b: [u8; Self::BYTES]) -> Self {
        Self {
            kind: from_byte(WayKind::ALL, b[0]),
            surface: from_byte(Surface::ALL, b[1]),
            tracktype: b[2].min(5),
            sac_scale: b[3].min(6),
            mtb_scale: b[4].min(7),
            flags: b[5],
            networks: b[6],
            foot: [access_from(b[7]), access_from(b[8])],
            bike: [access_from(b[9]), access_from(b[10])],
            ferry_kmh: b[11],
            smoothness: b[12].min(8),
            maxspeed_kmh: b[13],
            closed_months: u16::from_le_bytes([b[14], b[15]]) & 0xfff,
        }
    }

    pub(crate) fn has(&self, bit: u8) -> bool {
        self.flags & bit != 0
    }

    /// On a bridge or in a tunnel the ground model does not give the height.
    pub(crate) fn leaves_the_ground(&self) -> bool {
        self.has(flag::BRIDGE) || self.has(flag::TUNNEL)
    }

    /// The tagged surface, else the usual one of such a way.
    pub(crate) fn likely_surface(&self) -> Surface {
        if self.surface != Surface::Unknown {
            return self.surface;
        }
        match (self.kind, self.tracktype) {
            (WayKind::Track, 1) => Surface::Paved,
            (WayKind::Track, 2) => Surface::Compacted,
            (WayKind::Track, 3) => Surface::Gravel,
            (WayKind::Track | WayKind::Path | WayKind::Bridleway, _) => Surface::Ground,
            (WayKind::ViaFerrata, _) => Surface::Rock,
            (WayKind::Other, _) => Surface::Unknown,
            _ => Surface::Paved,
        }
    }
}

/// An unknown access byte means "no": a damaged file must not open a way.
fn access_from(byte: u8) -> Access {
    Access::ALL.get(usize::from(byte)).copied().unwrap_or(Access::No)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attribute_set_survives_its_bytes() {
        let set = Attributes {
            kind: WayKind::Track,
            surface: Surface::Gravel,
            tracktype: 2,
            sac_scale: 3,
            mtb_scale: 4,
            flags: flag::FORD | flag::BRIDGE,
            networks: network::MTB,
            foot: [Access::Yes, Access::No],
            bike: [Access::Dismount, Access::Destination],
            ferry_kmh: 12,
            smoothness: 5,
            maxspeed_kmh: 70,
            closed_months: 0b1100_0000_0011,
        };
        assert_eq!(Attributes::from_bytes(set.to_bytes()), set);
    }

    #[test]
    fn unknown_bytes_close_the_way() {
        let set = Attributes::from_bytes([250; 16]);
        assert!(!set.bike[0].is_allowed() && !set.foot[1].is_allowed());
    }
}
