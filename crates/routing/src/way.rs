//! Kinds of ways and of surfaces.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A closed list whose names in snake case are those of profiles and answers. The planner's network file stores a value as its
/// number in the list: a new value goes to the end.
macro_rules! listed {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$vdoc])* $variant),+ }
        impl $name {
            /// Every value, in the order of their numbers.
            pub const ALL: &[Self] = &[$(Self::$variant),+];
        }
    };
}

listed!(
    /// The kind of way, from `highway`, `route=ferry` and the like.
    WayKind {
        /// Anything passable that no other kind names.
        Other,
        /// Motorway and its links: kept so that a recording along one can be explained.
        Motorway,
        /// Trunk road.
        Trunk,
        /// Primary road.
        Primary,
        /// Secondary road.
        Secondary,
        /// Tertiary road.
        Tertiary,
        /// Minor road.
        Unclassified,
        /// Street.
        Residential,
        /// Street where walkers come first.
        LivingStreet,
        /// Service road, driveway, alley.
        Service,
        /// Farm or forest track.
        Track,
        /// Path of no stated use.
        Path,
        /// Footway, pavement, crossing.
        Footway,
        /// Pedestrian street or square.
        Pedestrian,
        Cycleway,
        Bridleway,
        Steps,
        Ferry,
        /// Via ferrata: equipment needed, in no profile.
        ViaFerrata,
    }
);

listed!(
    /// The kind of surface.
    Surface {
        Unknown,
        /// Asphalt, concrete, "paved".
        Paved,
        /// Paving stones, bricks, wood, metal.
        PavingStones,
        /// Cobblestones, setts.
        Cobblestone,
        /// Compacted, fine gravel.
        Compacted,
        /// Gravel, pebbles.
        Gravel,
        /// Earth, dirt, ground, grass, "unpaved".
        Ground,
        /// Rock, scree.
        Rock,
        /// Sand, mud, snow.
        Soft,
    }
);
