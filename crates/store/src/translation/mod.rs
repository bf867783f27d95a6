//! Translation: services, what they said before, who made which words, jobs.

mod job;
mod mark;
mod memory;
mod translator;

pub use job::{
    JobLine, NewJob, TranslationJob, add_lines, advance, cancel, count_of, find, finish, hold, jobs, lines, next,
    next_ids, open_of, resume,
};
pub use mark::{Mark, marks, parcours_translated_into, put_marks};
pub use memory::{Remembered, recall, remember};
pub use translator::{TranslatorHead, Translators, checked, count_chars, default_of, heads, key, list, put_key};
