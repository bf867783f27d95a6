//! The profiles of the planner, by their names.

/// Those that may be offered, and that a practice may have.
pub const PLANNER_PROFILES: [&str; 8] = ["touring", "road", "gravel", "mtb", "ebike", "hiking", "family", "waterway"];
