//! Work after the answer (decision 0042): mails, roadbooks printed many at once, and what else a request does not wait for.
//!
//! - A [`JobKind`] says how one kind of job is run, how many run at once and how often a failure is tried again.
//! - [`Enqueue`] puts a job into the table, in the transaction that wants it.
//! - A [`Worker`] takes jobs, one lease each, runs them and writes their outcome. [`Worker::start`] runs until it is
//!   stopped; [`Worker::settle`] does what waits now, for tests and commands.
//! - A [`Lease`] is what a running job holds: it reports progress, and [`Lease::hold`] makes sure that a server that lost
//!   the job to another one writes nothing.

mod backoff;
mod enqueue;
mod failure;
mod kind;
mod lease;
mod worker;

pub use backoff::Backoff;
pub use enqueue::Enqueue;
pub use failure::{Failure, NoStorage};
pub use kind::{JobEvent, JobKind, Kinds, Step};
pub use lease::Lease;
pub use worker::{Running, Timing, Worker};
