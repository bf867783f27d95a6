//! The route planner: the part `[planner]` of the configuration.

use serde::{Deserialize, Serialize};

/// The engine that plans ways and matches recordings to them.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Planner {
    /// `embedded` over the prepared region, or `valhalla`.
    pub engine: Engine,
    /// `http://localhost:8002`; only where the engine is `valhalla`.
    pub valhalla_url: String,
    /// Time for one question to it, in milliseconds.
    pub valhalla_timeout_ms: u64,
    /// Whether the embedded engine answers where the server fails.
    pub fallback: bool,
}

/// Engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Engine {
    /// Ours, over the prepared region.
    Embedded,
    /// A Valhalla server.
    Valhalla,
}

impl Default for Planner {
    fn default() -> Self {
        Self {
            engine: Engine::Embedded,
            valhalla_url: "http://localhost:8002".into(),
            valhalla_timeout_ms: 10_000,
            fallback: false,
        }
    }
}
