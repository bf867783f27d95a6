//! Files as people bring them: what they are, whether they may come in, and what is made of them.
//!
//! [`inspect`] reads as little as tells what a file is and refuses it in a word; [`make`] does the heavy part: sizes of a
//! picture, the first page of a document, the peaks of a sound, a font's specimen. Nothing here knows a database, a network
//! or a clock, and nothing trusts a byte: a file that lies is [`Refusal::Broken`], never a panic.

mod boxes;
mod complete;
mod ebml;
mod error;
mod exif;
mod font;
mod format;
mod inspect;
mod make;
mod pdf;
mod picture;
mod place;
mod readers;
mod sizes;
mod sound;
mod svg;
pub mod voice;

pub use error::Refusal;
pub use format::Format;
pub use inspect::{Inspection, inspect};
pub use make::{Framing, Made, Variant, exercise, make, poster, without_notes};
pub use readers::READERS;
