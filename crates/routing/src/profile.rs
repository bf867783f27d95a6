//! Profiles: who travels.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use utoipa::ToSchema;

/// A way of travelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// Touring bike: quiet roads, cycleways, good tracks.
    Touring,
    /// Road bike: paved ways.
    Road,
    /// Gravel bike: tracks and quiet roads.
    Gravel,
    /// Mountain bike: tracks and paths.
    Mtb,
    /// Touring with a motor: slopes matter less.
    Ebike,
    /// On foot.
    Hiking,
    /// With a pram or a child's bike: no steps, nothing rough, little traffic.
    Family,
    /// Along the water: towpaths and what runs beside them.
    Waterway,
}

/// The text is not the name of a profile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a profile: touring, road, gravel, mtb, ebike, hiking, family or waterway")]
pub struct UnknownProfile(pub String);

impl Profile {
    /// Every profile.
    pub const ALL: [Self; 8] =
        [Self::Touring, Self::Road, Self::Gravel, Self::Mtb, Self::Ebike, Self::Hiking, Self::Family, Self::Waterway];

    /// The name used in data, requests and files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Touring => "touring",
            Self::Road => "road",
            Self::Gravel => "gravel",
            Self::Mtb => "mtb",
            Self::Ebike => "ebike",
            Self::Hiking => "hiking",
            Self::Family => "family",
            Self::Waterway => "waterway",
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Profile {
    type Err = UnknownProfile;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|p| p.as_str() == text).ok_or_else(|| UnknownProfile(text.to_owned()))
    }
}
