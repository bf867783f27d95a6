//! Pages, totals and order.

use macros::app_test;
use sea_orm::ConnectionTrait as _;
use store::feed::{self, PoiFeed};
use store::poi::{self, PoiFilter};
use store::{Connection as _, Page};
use teststore::TestStore;

use crate::search::{add, morvan};

#[app_test]
async fn pages_follow_each_other_without_hole_or_double(test: TestStore) {
    let viewer = morvan(&test).await;
    for n in 0..7 {
        add(&test, viewer, &format!("POI {n}"), false).await;
    }
    let filter = PoiFilter { viewer, ..PoiFilter::default() };
    let mut seen = Vec::new();
    for number in 1..=4 {
        let listed = poi::list(test.store.read(), &filter, "title", Page::new(number, 3)).await.unwrap().unwrap();
        assert_eq!(listed.counted.total, 7, "page {number}");
        seen.extend(listed.items.iter().map(|poi| poi.sheet.title.fr().to_owned()));
    }
    assert_eq!(seen, (0..7).map(|n| format!("POI {n}")).collect::<Vec<_>>());
}

#[app_test]
async fn titles_sort_without_their_accents(test: TestStore) {
    let viewer = morvan(&test).await;
    for title in ["Zoo", "Étang", "abbaye", "Écluse"] {
        add(&test, viewer, title, false).await;
    }
    let filter = PoiFilter { viewer, ..PoiFilter::default() };
    let sorted = |sort: &'static str| {
        let (store, filter) = (test.store.clone(), filter.clone());
        async move {
            let listed = poi::list(store.read(), &filter, sort, Page::default()).await.unwrap().unwrap();
            listed.items.iter().map(|poi| poi.sheet.title.fr().to_owned()).collect::<Vec<_>>()
        }
    };
    assert_eq!(sorted("title").await, ["abbaye", "Écluse", "Étang", "Zoo"]);
    assert_eq!(sorted("-title").await, ["Zoo", "Étang", "Écluse", "abbaye"]);
}

/// The first 2,000 rows of a list are asked for the words in its order, in PostgreSQL; these matches are all behind them.
#[app_test]
async fn matches_at_the_end_of_a_long_list_are_found_page_by_page(test: TestStore) {
    let viewer = morvan(&test).await;
    add(&test, viewer, "Abri", true).await;
    let tx = test.store.begin().await.unwrap();
    let copies = "INSERT INTO poi (white_label_id, title, sort_title, lon, lat, good_address, must_see, detour_point, landmark, bookable, published, version, created_at, updated_at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
        SELECT white_label_id, title, sort_title, lon, lat, good_address, must_see, detour_point, landmark, bookable, published, version, created_at, updated_at FROM poi, n";
    tx.executor().execute_unprepared(copies).await.unwrap();
    tx.commit().await.unwrap();
    for n in 0..7 {
        add(&test, viewer, &format!("Zèbre {n}"), false).await;
    }
    let found = async |words: &str, sort: &str, number: u64| {
        let filter = PoiFilter { viewer, search: Some(words.to_owned()), ..PoiFilter::default() };
        let listed = poi::list(test.store.read(), &filter, sort, Page::new(number, 3)).await.unwrap().unwrap();
        let titles = listed.items.iter().map(|poi| poi.sheet.title.fr().to_owned()).collect::<Vec<_>>();
        (titles.join(", "), listed.counted.total)
    };
    assert_eq!(found("zebre", "title", 1).await, ("Zèbre 0, Zèbre 1, Zèbre 2".to_owned(), 7));
    assert_eq!(found("zebre", "title", 3).await, ("Zèbre 6".to_owned(), 7));
    assert_eq!(found("zebre", "-title", 2).await, ("Zèbre 3, Zèbre 2, Zèbre 1".to_owned(), 7));
    assert_eq!(found("zebre", "title", 4).await, (String::new(), 7));
    assert_eq!(found("zebre 4", "title", 1).await, ("Zèbre 4".to_owned(), 1));
}

#[test]
fn a_page_stays_in_its_bounds() {
    assert_eq!(Page::new(0, 0), Page::new(1, 1));
    assert_eq!(Page::new(2, 1_000).per_page(), 200);
    assert_eq!(Page::new(u64::MAX, 200).offset(), 999_999 * 200);
}

#[app_test]
async fn a_feed_is_the_same_from_any_page_far_down(test: TestStore) {
    let owner = morvan(&test).await;
    add(&test, owner, "POI", true).await;
    let tx = test.store.begin().await.unwrap();
    let copies = "INSERT INTO poi (white_label_id, title, sort_title, lon, lat, good_address, must_see, detour_point, landmark, bookable, published, version, created_at, updated_at, distribute)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
        SELECT white_label_id, title, sort_title, lon, lat, good_address, must_see, detour_point, landmark, bookable, published, version, created_at, updated_at, TRUE FROM poi, n";
    tx.executor().execute_unprepared(copies).await.unwrap();
    tx.commit().await.unwrap();
    let asked = PoiFeed { white_label: owner.0, ..PoiFeed::default() };
    let page = async |offset: u64, limit: u64| feed::pois(test.store.read(), &asked, (offset, limit)).await.unwrap();
    let (all, total) = page(0, 10_000).await;
    assert!(all.is_sorted());
    assert_eq!((all.len(), total), (9_000, 9_000));
    for offset in [8_990, 3_999, 4_000, 4_001, 0, 7_999, 8_000, 8_999, 9_000, 12_000] {
        let wanted: Vec<i64> = all.iter().copied().skip(offset).take(20).collect();
        assert_eq!(page(offset as u64, 20).await, (wanted, 9_000), "from {offset}");
    }
    let tx = test.store.begin().await.unwrap();
    tx.executor().execute_unprepared(&format!("DELETE FROM poi WHERE id = {}", all[17])).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(page(8_000, 1).await, (vec![all[8_001]], 8_999), "a write moves the marks");
    let past = async |after: i64, limit: u64| feed::pois_past(test.store.read(), &asked, (after, limit)).await.unwrap();
    assert_eq!(past(all[16], 2).await, (vec![all[18], all[19]], 8_999), "nothing is passed over");
    assert_eq!(past(all[8_999], 2).await, (Vec::new(), 8_999));
}
