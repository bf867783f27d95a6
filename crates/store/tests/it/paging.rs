//! Pages, totals and order.

use macros::app_test;
use sea_orm::ConnectionTrait as _;
use store::feed::{self, PoiFeed};
use store::poi::{self, PoiFilter};
use store::{Connection as _, Page};
use testkit::TestStore;

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
}
