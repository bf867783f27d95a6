//! Preferences: they adjust a profile in four respects, each weaker or stronger than its data file has it.

use serde::{Deserialize, Serialize};

/// Weaker than the profile has it, as it has it, or stronger.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Weaker.
    Less,
    /// As the profile's data file has it.
    #[default]
    Usual,
    /// Stronger.
    More,
}

/// Adjusts a profile. Only costs change: what is forbidden stays forbidden, and times stay those of the profile.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Preferences {
    /// Keep to signed networks.
    pub signed: Level,
    /// Keep away from traffic.
    pub quiet: Level,
    /// Keep away from climbs.
    pub gentle: Level,
    /// Keep to paved ways.
    pub paved: Level,
}
