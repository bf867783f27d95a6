//! Makes the PDF of a roadbook from its data: pages, maps, profile, QR codes. No database.
//!
//! [`data`] describes the input, [`render`](fn@render) makes the PDF or pictures of its pages with Typst, [`Pool`] runs
//! `render` in child processes with limits of time and memory. `docs/dev/roadbook.md` describes the pages.

mod blob;
mod booklet;
mod colour;
pub mod data;
mod error;
mod fonts;
mod map;
mod pages;
mod profile;
mod qr;
mod readers;
mod render;
mod report;
mod request;
mod sheet;
mod svg;
mod text;
mod view;
mod words;
mod worker;
mod world;

pub use blob::Blob;
pub use data::Roadbook;
pub use error::RoadbookError;
pub use map::svg_tile;
pub use readers::READERS;
pub use render::{evict_cache, parts, render};
pub use report::{Report, Warning, WarningCode};
pub use request::{Output, Rendered, Request};
pub use worker::{Pool, PoolOptions, serve};
