//! Pages are set in a child process: its memory grows with each roadbook, and a crash in it must not harm the server.
//!
//! The parent keeps a [`Pool`] of warm children; a child runs [`serve`] on its standard input and output. One frame asks,
//! one answers (`frame.rs`); a child that has grown says so in its answer and is replaced.

mod child;
mod frame;
mod pool;

pub use child::serve;
pub use pool::{Pool, PoolOptions};
