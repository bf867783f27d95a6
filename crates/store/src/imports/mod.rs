//! Route imports: sources, runs, what a run reported, which items of each source have which parcours.

use std::collections::HashSet;

mod companions;
mod item;
mod line;
mod run;
mod schedule;
mod source;
mod word;

pub use companions::{
    CompanionKind, SourceRecord, drop_source_record, keep_source_record, numbers_without, put_source_record,
    records_known, records_made_by, records_of_source, rename_source_records, source_record,
};
pub use item::{
    ImportItem, ItemState, WantedMedia, WithLinks, by_number, drop_item, has_unread, item, item_of_parcours, items,
    keys, linked_after, mark_unread, mark_without_media, media_of, near_starts, next_waiting, published_by_number,
    put_item, put_media, rename_items, set_waits, with_steps,
};
pub use line::{
    FieldChange, ImportLine, LineFilter, Undo, add_lines, add_notes, has_line, has_note, line_of, lines, lines_to_undo,
    next_with_media, refused_among, refused_of, refused_total,
};
pub use run::{
    ImportRun, NewRun, advance, cancel, delete_dry, find_run, finish, last_complete, last_started, mark_undone,
    open_run, put_inventory, resume, runs, start,
};
pub use schedule::{REFRESH, ScheduledSource, enqueue_refresh};
pub use source::{ImportSources, list, paused};
pub use word::{FoundField, FoundWord, add_fields, add_words, fields, words};

/// Pairs of an old and a new name, in the order in which they are given. A new name that is the old one of another item is given over a name that
/// nothing else has.
fn in_two_steps(names: &[(String, String)]) -> Vec<(String, String)> {
    let old: HashSet<&String> = names.iter().map(|(old, _)| old).collect();
    let aside = |name: &str| format!("\u{1}{name}");
    let first = names.iter().map(|(was, new)| (was.clone(), if old.contains(new) { aside(new) } else { new.clone() }));
    let then = names.iter().filter(|(_, new)| old.contains(new)).map(|(_, new)| (aside(new), new.clone()));
    first.chain(then).collect()
}
