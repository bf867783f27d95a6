//! The roadbook, made whole and looked at by other people's tools.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod awkward;
mod book;
mod card;
mod sample;
mod tile;
mod tools;
mod worker;
