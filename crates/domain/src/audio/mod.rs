//! The audio walk of a parcours: its sounds and where they play, pronunciation, and findings to check before it is used.

mod check;
mod finding;
mod pass;
mod script;
mod walk;

pub use finding::{AudioFinding, AudioFindingKind, SoundOf, findings};
pub use pass::{Pass, StopOnTrace, along};
pub use script::{Piece, estimated_s, pieces, shown};
pub use walk::{AudioEngine, AudioGoing, AudioJobState, AudioPlayback, AudioStop, AudioStory, AudioWalk, LexiconEntry};

#[cfg(test)]
mod tests;
