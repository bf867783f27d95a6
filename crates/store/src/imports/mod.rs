//! Route imports: sources, runs, what a run reported, which items of each source have which parcours.

mod item;
mod line;
mod poi;
mod run;
mod schedule;
mod source;
mod word;

pub use item::{
    ImportItem, ItemState, WantedMedia, by_number, drop_item, has_unread, item, item_of_parcours, items, keys,
    linked_after, media_of, near_starts, next_waiting, published_by_number, put_item, put_media, set_waits, with_pois,
    with_steps,
};
pub use line::{
    FieldChange, ImportLine, LineFilter, Undo, add_lines, add_notes, has_line, line_of, lines, lines_to_undo,
    next_with_media, refused_of,
};
pub use poi::{
    SourcePoi, drop_source_poi, keep_source_poi, pois_known, pois_made_by, pois_of_source, put_source_poi, source_poi,
};
pub use run::{
    ImportRun, NewRun, advance, cancel, find_run, finish, last_complete, last_started, mark_undone, open_run,
    put_inventory, resume, runs, start,
};
pub use schedule::{REFRESH, ScheduledSource, enqueue_refresh};
pub use source::{ImportSources, list, paused};
pub use word::{FoundField, FoundWord, add_fields, add_words, fields, words};
