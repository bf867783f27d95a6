//! Migrations, seeds, transactions.

use domain::vocabulary::VocabularyKind;
use macros::app_test;
use store::{Store, StoreError, installation, structure, user, vocabulary};
use teststore::{NOW, TestStore};

#[app_test]
async fn migrating_twice_changes_nothing(test: TestStore) {
    let before = vocabulary::list(test.store.read(), VocabularyKind::PracticeType).await.unwrap();
    test.store.migrate(&domain::FrozenClock::at(NOW)).await.unwrap();
    let after = vocabulary::list(test.store.read(), VocabularyKind::PracticeType).await.unwrap();
    assert!(before.len() > 40);
    assert_eq!(before, after);
}

#[app_test]
async fn every_reference_list_is_filled_and_its_trees_hold_together(test: TestStore) {
    for kind in VocabularyKind::ALL {
        let items = vocabulary::list(test.store.read(), kind).await.unwrap();
        assert!(items.len() >= 20, "{kind:?}: {}", items.len());
        for item in &items {
            assert!(item.parent_id.is_none_or(|parent| items.iter().any(|other| other.id == parent)), "{}", item.code);
        }
    }
}

#[app_test]
async fn a_transaction_that_is_dropped_leaves_nothing(test: TestStore) {
    let tx = test.store.begin().await.unwrap();
    let id = structure::insert(&tx, "Éphémère", "commune", NOW).await.unwrap();
    assert!(structure::name(&tx, id).await.unwrap().is_some());
    drop(tx);
    assert!(structure::name(test.store.read(), id).await.unwrap().is_none());
}

#[app_test]
async fn an_address_is_taken_once(test: TestStore) {
    let (first, _) = user::find_by_email(test.store.read(), "editor@morvan.example").await.unwrap().unwrap();
    let tx = test.store.begin().await.unwrap();
    let again = user::NewUser {
        first_name: "x",
        last_name: "y",
        email: &first.email,
        role: first.role,
        locale: first.locale,
        structure_id: first.structure_id,
        white_label_ids: &[],
        password_hash: "",
    };
    assert!(matches!(user::insert(&tx, again, NOW).await, Err(StoreError::UniqueViolation(_))));
}

#[app_test]
async fn a_link_to_nothing_is_refused(test: TestStore) {
    let tx = test.store.begin().await.unwrap();
    let orphan = domain::white_label::WhiteLabelSheet {
        structure_id: 999_999,
        name: "x".to_owned(),
        ..domain::white_label::WhiteLabelSheet::default()
    };
    let refused = store::white_label::insert(&tx, orphan, NOW).await;
    assert!(matches!(refused, Err(StoreError::ForeignKeyViolation(_))), "{refused:?}");
}

#[app_test]
async fn writers_wait_for_each_other_instead_of_failing(test: TestStore) {
    let writes = (0..20).map(|n| {
        let store = test.store.clone();
        tokio::spawn(async move {
            let tx = store.begin().await?;
            structure::insert(&tx, &format!("Structure {n}"), "commune", NOW).await?;
            tx.commit().await
        })
    });
    for write in writes.collect::<Vec<_>>() {
        write.await.unwrap().unwrap();
    }
    let all =
        structure::list(test.store.read(), &structure::StructureFilter::default(), "title", store::Page::new(1, 100))
            .await;
    assert_eq!(all.unwrap().unwrap().1.total, 22);
}

#[tokio::test]
async fn a_database_of_no_known_kind_is_refused() {
    assert!(matches!(
        store::Store::connect(&store::DatabaseSettings::new("mysql://x")).await,
        Err(StoreError::UnknownDatabase)
    ));
}

async fn record_uuid_base(store: &Store, base: &str) -> String {
    let tx = store.begin().await.unwrap();
    let recorded = installation::record_first_uuid_base(&tx, base).await.unwrap();
    tx.commit().await.unwrap();
    recorded
}

#[app_test]
async fn uuids_are_made_from_the_address_of_the_first_server(test: TestStore) {
    let store = &test.store;
    let tx = store.begin().await.unwrap();
    installation::record_first_key(&tx, "0123456789abcdef", NOW).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(installation::uuid_base(store.read()).await.unwrap(), None);
    let (one, other) =
        tokio::join!(record_uuid_base(store, "https://one.example"), record_uuid_base(store, "https://other.example"));
    assert_eq!(one, other, "of two servers that start at once, one is first");
    assert_eq!(record_uuid_base(store, "https://third.example").await, one);
    let tx = store.begin().await.unwrap();
    installation::record_key(&tx, "fedcba9876543210", NOW).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(installation::uuid_base(store.read()).await.unwrap(), Some(one), "also with another key");
}
