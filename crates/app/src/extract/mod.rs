//! Extractors: the user and the parameters of a request. Their refusals are problems like all others.

mod actor;
mod body;
mod if_match;
mod paging;
mod query;

pub use actor::{
    Account, Admin, Agency, Editor, Exporter, Importer, Publisher, Reader, SettingsManager, Sharer, Superadmin,
    TranslatorsManager, Visitor,
};
pub use body::Body;
pub(crate) use body::pointer;
pub use body::{broken as broken_body, parse, refused as refused_body};
pub use if_match::IfMatch;
pub use paging::{Paging, rows_per_page};
pub use query::{Path, Query, has_nul, parse_query};
