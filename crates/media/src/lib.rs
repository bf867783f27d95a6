//! Uploaded files: their type, whether they are accepted, and what is made from them.
//!
//! [`inspect`](fn@inspect) reads only the headers and accepts or refuses a file; [`make`](fn@make) does the heavy part: the
//! sizes of a picture, the first page of a document, the peaks of a sound, the specimen of a font. No database, network or
//! clock. No byte is trusted: a damaged file is [`Refusal::Broken`], never a panic. PDFs are read by a [`PdfReader`] of the caller, within
//! limits of memory and time.

mod boxes;
mod complete;
mod ebml;
mod error;
mod exif;
mod expanded;
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
pub use make::{Framing, Made, exercise, make, poster, without_metadata};
pub use pdf::{InProcessPdfReader, PdfQuestion, PdfReader, answer_pdf};
pub use readers::READERS;
pub use sizes::Variant;
pub use svg::clean_drawing;
