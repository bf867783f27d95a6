//! Audio walks, what voices said for them, and the jobs that make it.

mod clip;
mod job;
mod walk;

pub use clip::{clips, put_clip};
pub use job::{AudioJob, advance, ask_to_stop, begin, finish, job, latest, resume};
pub use walk::{StoredWalk, WalkHead, enabled, find, heads, save, set_sounds};
pub(crate) use walk::{forget, forget_freed, is_freed, put_back, relink, repoint};
