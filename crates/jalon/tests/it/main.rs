//! The binary itself: what a supervisor, a load balancer and Prometheus see of it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that unwraps says where it failed")]

mod backup;
mod commands;
mod documents;
mod migrate_from;
mod on_the_disk;
mod parcours_import;
mod region;
mod running;
mod start_and_stop;
mod traces;
mod upgrade;
mod whole;
