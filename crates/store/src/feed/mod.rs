//! Public feeds: the parcours and the POIs that the readers of a white-label get, in the order of their numbers.

mod contents;
mod paging;
mod parcours_feed;
mod poi_feed;
mod state;

pub use contents::{Origin, families, instructions, lines, naming_poi, origins, poi_origins, touched_by_closures};
pub use paging::part;
pub use parcours_feed::{
    CHANGES_OVERLAP_S, ParcoursFeed, Range, parcours, parcours_favoured_first, parcours_gone, parcours_past,
    parcours_state,
};
pub use poi_feed::{PoiFeed, pois, pois_past, pois_state};
pub use state::{ReferenceState, attached_state, itinerary_state, reference_state};

use domain::record::Kind;

use crate::session::TokenHash;
use crate::sql::{all, get, one};
use crate::{Connection, StoreError};

/// The white-label of a key.
pub async fn white_label_of_key(db: &impl Connection, hash: &TokenHash) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT white_label_id FROM white_label_key WHERE key_hash = $1";
    one(db, sql, [hash.to_vec().into()]).await?.map(|row| get(&row, 0)).transpose()
}

/// The white-labels whose content a feed may hold: its own, and those it added something of.
pub async fn owners(db: &impl Connection, white_label: i64) -> Result<Vec<i64>, StoreError> {
    let sql = format!(
        "SELECT {white_label} AS id UNION SELECT p.white_label_id FROM parcours_white_label l JOIN parcours p ON p.id = l.parcours_id
        WHERE l.white_label_id = {white_label} AND l.published = 1
        UNION SELECT n.white_label_id FROM record_white_label l JOIN poi n ON n.id = l.record_id
        WHERE l.white_label_id = {white_label} AND l.kind = {} AND l.published = TRUE ORDER BY 1",
        Kind::Poi.code()
    );
    all(db, &sql, []).await?.iter().map(|row| get(row, 0)).collect()
}
