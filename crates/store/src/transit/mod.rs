//! Public transport: feeds, their runs, what was read of them, and which of our lines follow them.

mod added;
mod edition;
mod feed;
mod run;
mod search;

pub use added::{Added, added_of_lines, added_of_routes, follow, following, unfollow};
pub use edition::{Edition, add_calls, add_lines, add_stops, edition, editions, lines_by_route, show_edition, sweep};
pub use feed::{REFRESH, TransportFeeds, enqueue_refresh, feeds_of, list};
pub use run::{TransitRun, advance, begin_anew, cancel, find_run, finish, last_run, open_run, runs, start};
pub use search::{CallAt, LineQuery, StopAt, calls_at, calls_of_line, lines_at, matching_lines, operators, stops_in};
