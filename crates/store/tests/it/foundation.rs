//! Migrations, seeds, transactions.

use domain::vocabulary::VocabularyKind;
use macros::app_test;
use store::{StoreError, structure, user, vocabulary};
use testkit::{NOW, TestStore};

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

#[app_test]
async fn blobs_are_kept_and_forgotten(test: TestStore) {
    let blobs = store::Blobs::folder(&test.scratch.path().join("blobs")).unwrap();
    assert_eq!(blobs.get("a/b").await.unwrap(), None);
    blobs.put("a/b", vec![1, 2, 3]).await.unwrap();
    assert_eq!(blobs.get("a/b").await.unwrap().unwrap().as_ref(), [1, 2, 3]);
    blobs.delete("a/b").await.unwrap();
    blobs.delete("a/b").await.unwrap();
    assert_eq!(blobs.get("a/b").await.unwrap(), None);
    blobs.put("../../out", vec![1]).await.unwrap();
    assert!(!test.scratch.path().join("../out").exists(), "a key cannot leave the folder");
}

#[tokio::test]
async fn a_database_of_no_known_kind_is_refused() {
    assert!(matches!(store::Store::connect("mysql://x").await, Err(StoreError::UnknownDatabase)));
}

#[app_test]
#[expect(clippy::disallowed_methods, reason = "the times of files are those of the machine")]
async fn the_oldest_blobs_of_a_folder_make_room(test: TestStore) {
    let blobs = store::Blobs::folder(&test.scratch.path().join("evicted")).unwrap();
    for (age_s, key) in [(30, "card/1"), (20, "roadbook/2"), (10, "card/3"), (40, "roadbook-batches/4")] {
        blobs.put(key, vec![0_u8; 100]).await.unwrap();
        let file = std::fs::File::options().write(true).open(test.scratch.path().join("evicted").join(key)).unwrap();
        file.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(age_s)).unwrap();
    }
    blobs.evict(&["roadbook", "card"], 250).await.unwrap();
    let mut left = Vec::new();
    for key in ["card/1", "roadbook/2", "card/3", "roadbook-batches/4"] {
        left.push(blobs.size(key).await.unwrap().is_some());
    }
    assert_eq!(left, [false, true, true, true], "the oldest goes, another folder is left alone");
}
