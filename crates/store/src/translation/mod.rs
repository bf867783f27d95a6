//! Translation: services, their stored translations, marks of origin, jobs.

mod job;
mod mark;
mod memory;
mod translator;

pub use job::{
    JobLine, NewJob, Stopping, TranslationJob, add_lines, advance, ask_to_stop, cancel, count_of, find, finish, hold,
    insert, interrupt, jobs, lines, next_ids, resume,
};
pub use mark::{Mark, marks, parcours_translated_into, put_marks};
pub use memory::{Remembered, recall, remember};
pub use translator::{
    TranslatorHead, Translators, count_chars, default_of, heads, key, list, lock_default, own_key_origin, put_key,
    record_check,
};
