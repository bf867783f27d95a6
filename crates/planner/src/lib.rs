//! The route planner: network from an OSM extract, profiles, shortest paths, map matching, reliability, instructions,
//! heights.
//!
//! `Network::build` prepares a file from an extract, `Network::open` maps it into memory, and [`Embedded`] answers over it
//! behind the trait [`RouteEngine`](routing::RouteEngine); [`valhalla`] uses a Valhalla server instead. Requests, answers and
//! errors are types of the crate `routing`. `docs/dev/planner.md` explains the algorithms.

mod attributes;
mod avoid;
mod build;
mod climb;
#[cfg(test)]
mod climb_table;
mod contraction;
mod coverage;
#[cfg(test)]
mod detour_tests;
mod embedded;
mod error;
mod exercise;
mod file;
mod geometry;
mod instructions;
mod isochrone;
mod line;
mod line_builder;
mod loops;
mod matching;
mod numbers;
mod planner;
mod profile;
mod recorded;
mod route;
mod search;
mod snap;
mod tags;
#[cfg(test)]
mod testmap;
#[doc(hidden)]
pub mod truth;
pub mod valhalla;
mod weights;

pub use build::{BuildReport, Progress, Stage};
pub use embedded::Embedded;
pub use error::NetworkError;
#[doc(hidden)]
pub use exercise::exercise;
pub use file::Network;
pub use terrain::{Dem, DemError};
