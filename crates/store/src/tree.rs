//! Trees of records: a parcours names its parent and its model, an item of a reference list its parent. Of two transactions that
//! each put one record under the other, neither sees what the other writes, and both would find that there is no circle: transactions
//! that change a tree take turns.

use domain::record::Kind;

use crate::{StoreError, Tx, advisory_lock};

/// The fields in which records of a kind name the record above, each with the lock of its tree.
const fn trees(kind: Kind) -> &'static [(&'static str, i64)] {
    match kind {
        Kind::Parcours => {
            &[("parent_id", advisory_lock::PARCOURS_PARENTS), ("model_id", advisory_lock::PARCOURS_MODELS)]
        }
        Kind::Vocabulary => &[("parent_id", advisory_lock::VOCABULARY_PARENTS)],
        _ => &[],
    }
}

/// Locks the trees of a kind whose field the transaction may set, until it ends. Taken before the transaction locks rows: one that has
/// a row and waits for a tree would be in the way of one that has the tree and waits for the row.
pub async fn lock(tx: &Tx, kind: Kind, sets: impl Fn(&str) -> bool + Send) -> Result<(), StoreError> {
    for (field, key) in trees(kind) {
        if sets(field) {
            advisory_lock::hold(tx, *key).await?;
        }
    }
    Ok(())
}
