//! The prepared network file: written once from an extract, then read in place.

pub(crate) mod format;
mod link;
mod network;
mod shortcuts;
pub(crate) mod tree;
mod view;

pub(crate) use link::{ATTRIBUTES_WORD, LINK_WORDS, Link, LinkRow, VOID_HEIGHT};
pub use network::Network;
pub(crate) use shortcuts::Shortcuts;
pub(crate) use view::{Arc, View};
