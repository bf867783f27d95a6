//! Speed by preparation: a customisable contraction of the graph of arcs.
//!
//! Its vertices are arcs, not junctions: so a turn can cost something, and be forbidden. [`Structure`] is made once and
//! stored in the network file, [`Metric`] once a profile, [`cheapest`] then takes some microseconds.

mod metric;
mod order;
mod query;
pub(crate) mod stored;
mod structure;

pub(crate) use metric::{Metric, OwnMetric};
pub(crate) use query::{Answer, Seed, cheapest, over_each};
pub(crate) use structure::{Graph, Structure};
