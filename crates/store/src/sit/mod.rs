//! Records of tourist information systems: sources, their fields, the overrides made here.

mod list;
mod record;
mod run;
mod source;
mod word;

pub use list::{SitFilter, SitMap, SitPage, SitPoint, list, map};
pub(crate) use record::reindex;
pub use record::{
    PICTURES, PICTURES_ATTEMPTS, SitRow, enqueue_wanted_pictures, load, load_many, lock, of_poi, save, save_pictures,
};
pub use run::{
    Known, Missing, NewRecord, absences, add_seen, back, clear_seen, has_absent, known, missing, present, put_records,
    seen_total, withdraw,
};
pub use source::{SitSources, list as list_sources};
pub use word::{SitColumnSeen, SitWordSeen, add_columns, add_words, columns, words};
