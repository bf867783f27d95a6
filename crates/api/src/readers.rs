//! The functions of this crate that read HTML or texts from outside; `app::READERS` lists the functions of `app`. A test measures that the time of
//! each is proportional to the length of its input: a new function is added to the list.

use app::readers::{Reader, text};

use crate::assistant::finish::{finished_html, finished_plain};

/// All readers of this crate.
#[doc(hidden)]
pub const READERS: &[Reader] = &[
    ("a model's answer", |bytes| drop(finished_html(&text(bytes), Some(300))), &[("<p>", "</p>")]),
    ("a model's plain answer", |bytes| drop(finished_plain(&text(bytes), Some(300))), &[]),
];
