//! Transactions that add many records: what they leave is what the same records leave one by one.

use domain::{PoiSheet, Text};
use macros::app_test;
use store::poi::{self, PoiFilter, Pois};
use store::record::{self, Stored};
use store::server::texts;
use store::{Page, Tx};
use teststore::{NOW, TestStore};

use crate::search::{BY_NOBODY, morvan};

const MANY: usize = 1_200;

async fn add(test: &TestStore, tx: &Tx, number: usize) -> i64 {
    let mut new = Stored::blank(Some(morvan(test).await), NOW);
    let title = format!("Fontaine {number}");
    new.sheet = PoiSheet { title: Text::in_french(title), location: Some([4.0, 47.0]), ..PoiSheet::default() };
    record::insert::<Pois>(tx, new, BY_NOBODY).await.unwrap().id
}

/// Each row that a POI has, without its number.
async fn rows(test: &TestStore, id: i64) -> Vec<String> {
    let mut found = Vec::new();
    for sql in [
        format!("SELECT CAST(title AS TEXT) || ' ' || x || ' ' || version || ' ' || lacks FROM poi WHERE id = {id}"),
        format!("SELECT CAST(sheet AS TEXT) FROM record_sheet WHERE kind = 2 AND id = {id}"),
        format!("SELECT CAST(body AS TEXT) || fields FROM record_revision WHERE kind = 2 AND record_id = {id}"),
    ] {
        found.extend(texts(test.store.read(), &sql).await.unwrap());
    }
    found
}

#[app_test]
async fn records_that_are_added_together_are_those_added_one_by_one(test: TestStore) {
    let tx = test.store.begin().await.unwrap();
    let alone = add(&test, &tx, 7).await;
    tx.commit().await.unwrap();

    let tx = test.store.begin_filling().await.unwrap();
    let mut ids = Vec::new();
    for number in 0..MANY {
        ids.push(add(&test, &tx, number).await);
    }
    let changed = record::load::<Pois>(&tx, ids[MANY - 1]).await.unwrap();
    assert_eq!(changed.is_none(), test.store.dialect() == store::Dialect::Postgres, "what waits is not read");
    tx.commit().await.unwrap();

    let same = rows(&test, ids[7]).await;
    assert_eq!(same.len(), 3, "{same:?}");
    assert_eq!(same, rows(&test, alone).await);

    let found =
        PoiFilter { viewer: morvan(&test).await, search: Some("fontaine 7".to_owned()), ..PoiFilter::default() };
    let page = poi::list(test.store.read(), &found, "id", Page::default()).await.unwrap().unwrap();
    let expected = 1 + (0..MANY).filter(|number| number.to_string().starts_with('7')).count();
    assert_eq!(page.counted.total, expected as i64);

    // Numbers that were reserved are given to nothing else.
    let tx = test.store.begin().await.unwrap();
    let next = add(&test, &tx, 0).await;
    tx.commit().await.unwrap();
    assert!(!ids.contains(&next));
}

#[app_test]
async fn a_transaction_that_is_dropped_leaves_nothing(test: TestStore) {
    let tx = test.store.begin_filling().await.unwrap();
    add(&test, &tx, 1).await;
    drop(tx);
    assert!(texts(test.store.read(), "SELECT CAST(id AS TEXT) FROM poi").await.unwrap().is_empty());
}
