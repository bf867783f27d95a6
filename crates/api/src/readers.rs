//! The functions of this crate that read HTML or texts from outside, as `app::READERS` has those of `app`.

use app::readers::{Reader, text};

use crate::assistant::finish::finished;

/// All readers of this crate.
#[doc(hidden)]
pub const READERS: &[Reader] = &[
    ("a model's answer", |bytes| drop(finished(&text(bytes), true, None)), &[("<p>", "</p>")]),
    ("a model's plain answer", |bytes| drop(finished(&text(bytes), false, Some(300))), &[]),
];
