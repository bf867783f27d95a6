//! What every record of the catalogue shares: a sheet of fields declared once, what it points to, and its kinds.

mod field;
mod kind;
mod rule;
mod sheet;
pub mod table;

pub(crate) use field::is_in_world;
pub use field::{Field, is_color};
pub use kind::{Kind, Target};
pub use rule::{
    Rule, Shape, between, color, country, email, free, line, lines, list_of, phone, plain, rich, text_line, to,
    to_term, url,
};
pub use sheet::{Reference, Sheet, apply_patch, check, clean, clean_changed, pointer, too_long};
pub(crate) use sheet::{merged, sheet};
