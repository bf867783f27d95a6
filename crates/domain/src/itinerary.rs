//! Named long-distance ways, cycle routes and rivers, which parcours may follow.

mod multi_line;
mod way;

pub use multi_line::{MAX_LINE_POINTS, MultiLine};
pub use way::{FOLLOWED_WITHIN_M, Way};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Text;
use crate::record::{color, free, line, rich, sheet, text_line};
use crate::transport_line::words;

words! {
    /// What an itinerary is.
    ItineraryKind {
        /// A cycle route (véloroute).
        CycleRoute "cycle_route",
        /// A way on the water (fluvial).
        River "river",
    } default CycleRoute
}

sheet! {
    /// What the staff say of an itinerary.
    ItinerarySheet {
        /// Its name: « La Loire à vélo ».
        name: Text = text_line(200).required(),
        kind: ItineraryKind = free(),
        /// The code on its signs: « EV 6 ».
        code: Option<String> = line(40),
        /// Its colour on maps.
        color: Option<String> = color(),
        /// Sanitised HTML.
        description: Text = rich(100_000),
        /// Where it runs; absent in lists.
        line: Option<MultiLine> = free(),
    }
}
