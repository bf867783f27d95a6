//! Records of tourist information systems (SIT): where they come from, what one says, what is said otherwise here.

mod overrides;
mod record;
mod source;

pub use overrides::{OVERRIDES, Overrides, filled, languages_of};
pub use record::{SitAddress, SitPicture, SitRecord, SitStatus, SitWord};
pub use source::{SitColumn, SitColumnRule, SitKind, SitSourceSheet, usual_columns};
