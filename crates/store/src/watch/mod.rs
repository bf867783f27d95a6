//! The network watch: runs that score parcours again after the map's data was replaced, and what they found.

mod change;
mod run;

pub use change::{ChangeFilter, ChangeHead, ListedChange, OpenChange, TurnCounts};
pub use change::{counts, drop_change, head, list, mark_seen, open_change, put_change};
pub use run::{NewRun, advance, count, finish, give_up, latest, next, resume, scored_elsewhere, start};
