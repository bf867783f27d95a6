//! Statistics of use. Events are kept for 25 months; the sums of their days, which every figure is read from, for good. Those of all white-labels together are kept too.
//!
//! An event and its sums are written in one transaction: neither can be without the other.

mod all;
mod events;
mod installs;
mod rows;
mod sums;

pub use all::fill;
pub use events::{add_sums, keep, tidy};
pub use installs::{InstallSum, InstallTotals, import_installs, install_totals, installs_by_day};
pub use sums::{Counts, Filter, GroupBy, Point, Sum, by, by_day, first_day, hosts, points, shown_on, titles_of};
