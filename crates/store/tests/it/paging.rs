//! Pages, totals and order.

use macros::app_test;
use store::Page;
use store::poi::{self, PoiFilter};
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
