//! Records of tourist information systems (SIT): their sources, their fields, the overrides made here.

mod overrides;
mod record;
mod source;

pub use overrides::{OVERRIDES, Overrides, filled, languages_of};
pub use record::{SitAddress, SitPicture, SitRecord, SitStatus, SitWord};
pub use source::{SitColumn, SitColumnRule, SitKind, SitSourceSheet, usual_columns};
