//! The sums of the days of all white-labels together, which triggers keep (`m0094_statistics_of_all`).

use crate::advisory_lock::STATISTICS_SUMS;
use crate::kept_sums::KeptSums;
use crate::{Store, StoreError};

/// Works out the sums of a database of PostgreSQL that has figures but no such sums yet.
pub async fn fill(store: &Store) -> Result<(), StoreError> {
    let sums = KeptSums {
        lock: STATISTICS_SUMS,
        is_filled: "SELECT 1 FROM statistics_filled".to_owned(),
        fill: [
            "DELETE FROM statistics_change".to_owned(),
            "INSERT INTO statistics_all SELECT day, kind, source, country, language, SUM(total) FROM statistics_day
            WHERE parcours_id = 0 GROUP BY 1, 2, 3, 4, 5"
                .to_owned(),
            "INSERT INTO statistics_filled (id) VALUES (1)".to_owned(),
        ],
    };
    sums.work_out(store).await
}
