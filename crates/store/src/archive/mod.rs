//! All of an installation, independent of its database: what `jalon export all` writes and `jalon import all` reads (decision 0072).
//!
//! A row is a line of JSON: an object with the columns by name. Whole numbers, fractions and truths are themselves, bytes are base64.
//! What a database makes from other rows (words of searches, boxes, sums of maps) is left out and made again.

mod indexes;
mod records;
mod rows;
mod tables;

pub use indexes::rebuild;
pub use records::{PARCOURS, POIS, STEPS, feature_of_poi, features_of_parcours, ids, json_of};
pub use rows::{RowKey, page, put};
pub use tables::{
    Table, begin_put, begin_reading, empty, end_put, is_without_tables, make_tables, next_numbers, set_next_numbers,
    tables,
};
