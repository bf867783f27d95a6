//! What each database makes from rows to find them: words and boxes.

use domain::record::Kind;

use super::records::ids;
use crate::every_kind::for_kind;
use crate::record::{self, Record};
use crate::{StoreError, Tx, parcours, sit};

/// Records of one question.
const SOME: usize = 200;

/// Makes the words and the boxes of all records and parcours.
pub async fn rebuild(tx: &Tx) -> Result<(), StoreError> {
    for kind in Kind::ALL.iter().copied() {
        for_kind!(kind, R => of_kind::<R>(tx).await?, parcours => of_parcours(tx).await?);
    }
    sit::reindex(tx).await
}

async fn of_kind<R: Record>(tx: &Tx) -> Result<(), StoreError> {
    let Some(words) = R::WORDS else { return Ok(()) };
    for some in ids(tx, R::KIND).await?.chunks(SOME) {
        let records = record::load_many::<R>(tx, some).await?;
        let texts: Vec<(i64, String)> = records.iter().map(|found| (found.id, R::words(&found.sheet))).collect();
        words.0.write_many(tx, &texts).await?;
    }
    Ok(())
}

async fn of_parcours(tx: &Tx) -> Result<(), StoreError> {
    for id in parcours::all_ids(tx).await? {
        parcours::index_again(tx, id).await?;
    }
    Ok(())
}
