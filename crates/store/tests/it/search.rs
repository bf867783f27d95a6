//! Which words find which records.

use domain::{PoiSheet, Text, WhiteLabelId};
use macros::app_test;
use store::poi::{self, PoiFilter, Pois};
use store::record::{self, Change, Stored};
use store::{OwnerFilter, Page, white_label};
use teststore::{NOW, TestStore};

/// A change without user, for what the tests store themselves.
pub const BY_NOBODY: Change<'static> = Change { by: None, at: NOW, reason: None, languages: &[] };

pub async fn add(test: &TestStore, owner: WhiteLabelId, title: &str, published: bool) -> Stored<PoiSheet> {
    let mut new = Stored::blank(Some(owner), NOW);
    new.sheet = PoiSheet { title: Text::in_french(title), location: Some([4.0, 47.0]), ..PoiSheet::default() };
    new.published = published;
    let tx = test.store.begin().await.unwrap();
    let made = record::insert::<Pois>(&tx, new, BY_NOBODY).await.unwrap();
    tx.commit().await.unwrap();
    made
}

pub async fn morvan(test: &TestStore) -> WhiteLabelId {
    white_label::find_by_slug(test.store.read(), "morvan").await.unwrap().unwrap().id
}

async fn found(test: &TestStore, viewer: WhiteLabelId, asked: &str) -> Vec<String> {
    let filter = PoiFilter { viewer, search: Some(asked.to_owned()), ..PoiFilter::default() };
    let listed = poi::list(test.store.read(), &filter, "title", Page::default()).await.unwrap().unwrap();
    assert_eq!(listed.counted.total as usize, listed.items.len());
    listed.items.iter().map(|poi| poi.sheet.title.fr().to_owned()).collect()
}

#[app_test]
async fn accents_capitals_and_order_do_not_count_and_every_word_does(test: TestStore) {
    let viewer = morvan(&test).await;
    for title in ["L’Église de Saint-Léger", "Étang de l’Œuvre", "Gîte d’étape « Été »", "100 % nature_"]
    {
        add(&test, viewer, title, false).await;
    }
    assert_eq!(found(&test, viewer, "EGLISE").await, ["L’Église de Saint-Léger"]);
    assert_eq!(found(&test, viewer, "leger eglise").await, ["L’Église de Saint-Léger"]);
    assert_eq!(found(&test, viewer, "église étang").await, Vec::<String>::new());
    assert_eq!(found(&test, viewer, "oeuv").await, ["Étang de l’Œuvre"], "the start of a word is enough");
    assert_eq!(found(&test, viewer, "glise").await, Vec::<String>::new(), "its middle is not");
    assert_eq!(found(&test, viewer, "  ").await.len(), 4, "no word asked for, no filter");
}

#[app_test]
async fn signs_of_the_search_language_are_only_signs(test: TestStore) {
    let viewer = morvan(&test).await;
    add(&test, viewer, "100 % nature_", false).await;
    for asked in ["\"", "nature*", "NOT nature", "%", "nature_", "a OR b", "(", "nature AND", "'; DROP TABLE poi; --"] {
        let _ = found(&test, viewer, asked).await;
    }
    assert_eq!(found(&test, viewer, "nature* \"").await.len(), 1);
    assert_eq!(found(&test, viewer, "% %").await.len(), 1, "only signs is nothing asked for");
}

#[app_test]
async fn of_others_one_sees_what_they_publish(test: TestStore) {
    let viewer = morvan(&test).await;
    let other = white_label::find_by_slug(test.store.read(), "vercors").await.unwrap().unwrap().id;
    add(&test, viewer, "À nous", false).await;
    add(&test, other, "Partagé", true).await;
    add(&test, other, "Caché", false).await;
    let titles = |owner: OwnerFilter| {
        let store = test.store.clone();
        async move {
            let filter = PoiFilter { viewer, owner, ..PoiFilter::default() };
            let listed = poi::list(store.read(), &filter, "title", Page::default()).await.unwrap().unwrap();
            listed.items.iter().map(|poi| poi.sheet.title.fr().to_owned()).collect::<Vec<_>>()
        }
    };
    assert_eq!(titles(OwnerFilter::All).await, ["À nous", "Partagé"]);
    assert_eq!(titles(OwnerFilter::Mine).await, ["À nous"]);
    assert_eq!(titles(OwnerFilter::Shared).await, ["Partagé"]);
}

#[app_test]
async fn very_long_words_and_texts_are_found_by_how_they_begin(test: TestStore) {
    let viewer = morvan(&test).await;
    // PostgreSQL has words of at most 2,046 bytes in an index of words.
    let long = format!("zut{} fin", "é".repeat(3_000));
    let many = (0..2_000).map(|number| format!("mot{number}")).collect::<Vec<_>>().join(" ");
    for (title, city) in [("Long", long), ("Many", many)] {
        let mut poi = Stored::blank(Some(viewer), NOW);
        poi.sheet = PoiSheet { title: Text::in_french(title), location: Some([4.0, 47.0]), ..PoiSheet::default() };
        poi.sheet.address.city = Some(city);
        let tx = test.store.begin().await.unwrap();
        record::insert::<Pois>(&tx, poi, BY_NOBODY).await.unwrap();
        tx.commit().await.unwrap();
    }
    assert_eq!(found(&test, viewer, "zutee").await, ["Long"]);
    assert_eq!(found(&test, viewer, "fin zut").await, ["Long"]);
    assert_eq!(found(&test, viewer, "mot1999 mot7").await, ["Many"]);
}
