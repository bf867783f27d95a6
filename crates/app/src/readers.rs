//! The functions of this crate that read HTML, texts or tables from outside. A test measures that the time each takes is proportional to
//! the length: a new reader is added here.

use app::markup::{as_html, as_plain, sanitise};
use app::record::table;

/// Its name, the function, and texts to put around an input.
pub type Reader = (&'static str, fn(&[u8]), &'static [(&'static str, &'static str)]);

/// All of them.
#[doc(hidden)]
pub const READERS: &[Reader] = &[
    (
        "sanitise",
        |bytes| drop(sanitise(&text(bytes))),
        &[("<p ", ">x</p>"), ("<table>", ""), ("<p>", "</p>"), ("<a href=\"", "\">x</a>"), ("<ul>", "</ul>")],
    ),
    // A text without `<` and `&` is not parsed. With one, it is parsed at each length, and the times can be compared.
    ("plain words of an import", |bytes| drop(as_plain(&format!("&{}", text(bytes)))), &[("<p>", "</p>")]),
    ("HTML of an import", |bytes| drop(as_html(&text(bytes))), &[]),
    (
        "a table",
        |bytes| drop(table::read(bytes, table::MAX_ROWS)),
        &[("id;title_fr\n", ""), ("id;\"", "\""), ("PK\u{3}\u{4}", "")],
    ),
];

/// The input as a text. A test runs a hundred inputs over each: what was sanitised before must not be found again.
#[doc(hidden)]
pub fn text(bytes: &[u8]) -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static RUNS: AtomicU64 = AtomicU64::new(0);
    format!("{}{}", String::from_utf8_lossy(bytes), RUNS.fetch_add(1, Ordering::Relaxed))
}
