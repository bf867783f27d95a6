//! Parcours: lists read narrow rows, a sheet is one JSON text passed through, each save leaves a revision.

mod batch;
mod children;
mod detail;
mod dialect;
mod facets;
mod filter;
mod links;
mod list;
mod map;
mod narrow;
mod passport;
mod presence;
mod proposal;
mod public;
mod relations;
mod remove;
mod rescore;
mod revision;
mod spread;
mod touched;
mod trace;
mod trace_check;
mod uses;
mod write;

pub use children::{ChildRequest, ChildState, child_requests, decide_child, state_under_parent};
pub(crate) use children::{decided_after, stands_under};
pub(crate) use detail::visible_to;
pub use detail::{Detail, Header, all_ids, header, load, load_many, lock, published_of_each, show};
pub(crate) use dialect::{has_words, question};
pub(crate) use filter::owner_clause;
pub use filter::{Filter, ProgressFilter, Sort, SortKey};
pub use list::{ListedRow, ParcoursPage, ViewCounts, counts, ids, list, rows, views};
pub use map::{MapItem, MapView, map};
pub(crate) use narrow::{network_number, relation_code, state_code};
pub(crate) use passport::look_again;
pub use passport::work_out_lacks;
pub use presence::{Present, present};
pub use proposal::{Proposal, proposal, proposals, propose, settle_proposal};
pub(crate) use public::MODEL_ONLY;
pub use public::{
    PublicChild, PublicRow, count_in_public, example_of, listed_in_public, parts_in_public, public_children,
};
pub use relations::{Ancestry, Inherited, Passing, ancestors, children, inherited, inherited_from, passing, relatives};
pub(crate) use relations::{title_of, titles};
pub(crate) use remove::{remove, was_published};
pub use rescore::{rescore, stamp};
pub use revision::{RevisionBody, RevisionRow, revision};
pub use touched::{TouchedParcours, touched_by};
pub(crate) use trace::next_revision;
pub use trace_check::{FaultyTrace, Unchecked, faulty_traces, next_unchecked, note_check};
pub use uses::{Use, Uses, link_white_label, shown_to, shown_under, unlink_white_label, uses};
pub(crate) use write::{Former, index_again, insert_as};
pub use write::{NewParcours, NewTrace, Stored, insert, save};

pub use crate::parcours_counts::ListCounts;
pub use crate::parcours_trace::{StoredTrace, TraceExtra, WayRun, trace, trace_at};
pub use crate::record::{Change, LinkedWhiteLabel, RevisionHead};
