//! The store on both databases.

#![allow(clippy::unwrap_used, reason = "a test that unwraps says where it failed")]

mod audit;
mod blobs;
mod cells;
mod connections;
mod filling;
mod foundation;
mod paging;
mod parcours;
mod plans;
mod records;
mod rows;
mod search;
mod statistics;
