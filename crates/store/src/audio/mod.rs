//! Audio walks, their spoken texts, and the jobs that make them.

mod clip;
mod job;
mod walk;

pub use clip::{clips, put_clip};
pub use job::{AudioJob, advance, ask_to_stop, begin, finish, job, latest, resume};
pub use walk::{StoredWalk, WalkHead, enabled, find, heads, save, set_sounds};
pub(crate) use walk::{forget, forget_freed, is_freed, relink, repoint, restore_recording};
