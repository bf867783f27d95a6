//! The functions of this crate that read texts from outside. A test measures that the time each takes is proportional to the
//! length: a new reader is added here.

use crate::text::{rich, typography};

/// Its name, the function, and texts to put around an input.
type Reader = (&'static str, fn(&[u8]), &'static [(&'static str, &'static str)]);

/// All readers of this crate.
#[doc(hidden)]
pub const READERS: &[Reader] = &[
    ("paragraphs", |bytes| drop(rich::html(&String::from_utf8_lossy(bytes))), &[("<p>", "</p>"), ("<script>", "")]),
    ("words on one line", |bytes| drop(rich::one_line(&String::from_utf8_lossy(bytes))), &[("<p>", "</p>")]),
    ("French typography", |bytes| drop(typography::typeset(&String::from_utf8_lossy(bytes), true)), &[]),
];
