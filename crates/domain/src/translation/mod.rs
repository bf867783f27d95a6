//! Translation: the services, what of a text is sent, what must come back unchanged, and the progress of a job.

mod cut;
mod fields;
mod guard;
mod job;
mod text_format;
mod translator;

pub use cut::{Piece, cut};
pub use fields::{Written, fill, put_parcours, same_words, texts_of, texts_of_parcours};
pub use guard::{Guarded, guard};
pub use job::{JobCounts, JobOutcome, JobState, TextOrigin, TextState, state_of};
pub use text_format::TextFormat;
pub use translator::{EnglishVariant, Formality, TranslationService, TranslatorSheet};
