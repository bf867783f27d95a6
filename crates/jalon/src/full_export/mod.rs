//! `jalon export all` and `jalon import all`: a whole installation as one file that other software reads, and back (decision 0072).

mod read;
mod write;

use std::collections::BTreeMap;

use domain::Instant;
use serde::{Deserialize, Serialize};

pub use self::read::run as import;
pub use self::write::run as export;

/// The first entry: the description of the export.
const ABOUT: &str = "export.json";
/// The folder of the rows of each table.
const TABLES: &str = "tables/";
/// The ending of files with one JSON object a line.
const LINES: &str = ".jsonl";
/// The value of `format`.
const FORMAT: &str = "jalon-export";
/// The version of the format.
const VERSION: u32 = 1;

/// The description of an export, in its first entry.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct About {
    format: String,
    format_version: u32,
    /// The version of the program that made it.
    jalon: String,
    /// The version of the tables (`docs/dev/migrations.md`).
    tables_version: i64,
    made_at: Instant,
    /// The number of records of each kind in `records/`.
    records: BTreeMap<String, usize>,
    /// The number of rows of each table in `tables/`.
    rows: BTreeMap<String, usize>,
    /// The last identifier that each table gave.
    last_numbers: BTreeMap<String, i64>,
}
