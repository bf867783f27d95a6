//! What a map shows from afar: the sums that are kept are those of the rows, whatever was saved in between.

use domain::record::Kind;
use domain::{PoiSheet, Text, WhiteLabelId};
use macros::app_test;
use store::poi::{self, PoiFilter, PoiMap, Pois};
use store::record::{self, Stored};
use store::server::run_sql;
use store::{Dialect, Grid, OwnerFilter, Page, white_label};
use teststore::{NOW, TestStore, dice};

use crate::search::{BY_NOBODY, morvan};

/// So many that clusters are shown, and that lists are walked.
const MANY: u64 = 700;

async fn scattered(test: &TestStore, owners: [WhiteLabelId; 2]) -> Vec<Stored<PoiSheet>> {
    let mut roll = dice(7);
    let mut made = Vec::new();
    let tx = test.store.begin().await.unwrap();
    for number in 0..MANY {
        let mut new = Stored::blank(Some(owners[roll(2) as usize]), NOW);
        let title = format!("{} {number:03}", ["Lac", "Col", "Lac du col"][roll(3) as usize]);
        new.sheet = PoiSheet { title: Text::in_french(title), location: Some(place(&mut roll)), ..PoiSheet::default() };
        new.published = roll(3) > 0;
        made.push(record::insert::<Pois>(&tx, new, BY_NOBODY).await.unwrap());
    }
    tx.commit().await.unwrap();
    made
}

/// Somewhere in two degrees around the meridian and the middle of France.
fn place(roll: &mut impl FnMut(u64) -> u64) -> [f64; 2] {
    [roll(2_000_000) as f64 / 1e6 - 1.0, 46.0 + roll(2_000_000) as f64 / 1e6]
}

async fn owners(test: &TestStore) -> [WhiteLabelId; 2] {
    [morvan(test).await, white_label::find_by_slug(test.store.read(), "vercors").await.unwrap().unwrap().id]
}

#[app_test]
async fn the_sums_of_a_map_are_those_of_its_rows(test: TestStore) {
    let [mine, other] = owners(&test).await;
    let all = scattered(&test, [mine, other]).await;
    let mut roll = dice(11);
    let tx = test.store.begin().await.unwrap();
    for poi in &all {
        match roll(6) {
            0 => store::binned::remove::<Pois>(&tx, poi, &[], BY_NOBODY).await.unwrap(),
            1 => {
                let mut moved = poi.clone();
                moved.sheet.location = Some(place(&mut roll));
                moved.published = !poi.published;
                record::save::<Pois>(&tx, poi, moved, BY_NOBODY).await.unwrap();
            }
            2 if !poi.published && poi.white_label_id == Some(other) => {
                record::link_white_label(&tx, Kind::Poi, poi.id, mine, true).await.unwrap();
            }
            _ => {}
        }
    }
    tx.commit().await.unwrap();
    let ids: Vec<i64> = all.iter().map(|poi| poi.id).collect();
    the_same_by_rows(&test, mine, &ids).await;

    // A database of a version that had no sums on PostgreSQL.
    if test.store.dialect() == Dialect::Postgres {
        let tx = test.store.begin().await.unwrap();
        run_sql(&tx, "DELETE FROM map_filled; DELETE FROM map_cell").await.unwrap();
        tx.commit().await.unwrap();
        store::cells::fill(&test.store).await.unwrap();
        the_same_by_rows(&test, mine, &ids).await;
    }
}

/// Compares maps by the sums with maps by the rows.
async fn the_same_by_rows(test: &TestStore, mine: WhiteLabelId, ids: &[i64]) {
    let mut clustered = 0;
    for zoom in 3..=13 {
        for owner in [OwnerFilter::All, OwnerFilter::Mine, OwnerFilter::Shared] {
            for bbox in [None, Some([-0.7, 46.2, 0.9, 47.5])] {
                for published in [None, Some(true), Some(false)] {
                    let plain = PoiFilter { viewer: mine, owner, bbox, published, ..PoiFilter::default() };
                    // The same with a filter that the sums cannot answer.
                    let by_rows = PoiFilter { ids: Some(ids.to_vec()), ..plain.clone() };
                    let grid = Grid::at(Some(f64::from(zoom)));
                    let [kept, counted]: [PoiMap; 2] = [
                        poi::map(test.store.read(), &plain, grid).await.unwrap(),
                        poi::map(test.store.read(), &by_rows, grid).await.unwrap(),
                    ];
                    assert_eq!(kept, counted, "{zoom} {owner:?} {bbox:?} {published:?}");
                    clustered += usize::from(!kept.clusters.is_empty());
                }
            }
        }
    }
    assert!(clustered >= 20, "{clustered} maps had clusters");
}

#[app_test]
async fn two_who_change_one_cell_do_not_wait_for_each_other(test: TestStore) {
    if test.store.dialect() == Dialect::Sqlite {
        // It has one writer.
        return;
    }
    let [mine, other] = owners(&test).await;
    let all = scattered(&test, [mine, other]).await;
    let [first, second] = [test.store.begin().await.unwrap(), test.store.begin().await.unwrap()];
    // More than a thousand changes of each: both come to the point at which changes are added to the sums.
    for (tx, some) in [(&first, &all[..300]), (&second, &all[300..600])] {
        for poi in some {
            let mut before = poi.clone();
            for north in [46.5, 46.6] {
                let mut moved = before.clone();
                moved.sheet.location = Some([0.5, north]);
                before = record::save::<Pois>(tx, &before, moved, BY_NOBODY).await.unwrap();
            }
        }
    }
    first.commit().await.unwrap();
    second.commit().await.unwrap();
    let ids: Vec<i64> = all.iter().map(|poi| poi.id).collect();
    the_same_by_rows(&test, mine, &ids).await;
}

#[app_test]
async fn a_list_that_is_walked_holds_what_one_that_is_gathered_does(test: TestStore) {
    let [mine, other] = owners(&test).await;
    let all = scattered(&test, [mine, other]).await;
    let ids: Vec<i64> = all.iter().map(|poi| poi.id).collect();
    for owner in [OwnerFilter::All, OwnerFilter::Mine, OwnerFilter::Shared] {
        for search in [None, Some("lac".to_owned()), Some("col 01".to_owned())] {
            let plain = PoiFilter { viewer: mine, owner, search, ..PoiFilter::default() };
            let listed = |filter: PoiFilter, sort: &'static str, number: u64| {
                let store = test.store.clone();
                async move { poi::list(store.read(), &filter, sort, Page::new(number, 25)).await.unwrap().unwrap() }
            };
            let whole = PoiFilter { ids: Some(ids.clone()), ..plain.clone() };
            for sort in ["title", "-title", "updated_at", "-updated_at", "id"] {
                for number in [1, 2, 9] {
                    let walked = listed(plain.clone(), sort, number).await;
                    let gathered = listed(whole.clone(), sort, number).await;
                    assert_eq!(walked, gathered, "{sort} {number} {plain:?}");
                    let again = listed(plain.clone(), sort, number).await;
                    assert_eq!(again, walked, "what is remembered of it");
                }
            }
        }
    }
}

#[app_test]
async fn what_is_remembered_of_a_list_ends_with_the_next_write(test: TestStore) {
    let [mine, other] = owners(&test).await;
    let filter = PoiFilter { viewer: mine, ..PoiFilter::default() };
    let total =
        async || poi::list(test.store.read(), &filter, "title", Page::default()).await.unwrap().unwrap().counted.total;
    let before = total().await;
    crate::search::add(&test, other, "Lac", true).await;
    assert_eq!(total().await, before + 1);
    crate::search::add(&test, other, "Caché", false).await;
    assert_eq!(total().await, before + 1);
}
