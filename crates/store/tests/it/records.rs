//! What every record shares: saves and their revisions, links and uses, freeing, the bin.

use domain::itinerary::ItinerarySheet;
use domain::record::Kind;
use domain::vocabulary::{TermSheet, VocabularyKind};
use domain::{Actor, PoiSheet, Role, StructureId, Text, UserId, WhiteLabelId};
use macros::app_test;
use store::access::Access;
use store::binned;
use store::feed::{itinerary_state, reference_state};
use store::itinerary::Itineraries;
use store::poi::Pois;
use store::record::{self, Stored};
use store::structure::Structures;
use store::uses::{self, Freeing, OthersPolicy};
use store::vocabulary::{self, Terms};
use store::white_label::WhiteLabels;
use teststore::{NOW, TestStore, until_waited_for};

use crate::search::{BY_NOBODY, add, morvan};

/// The first two categories of POIs.
async fn categories(test: &TestStore) -> [i64; 2] {
    let all = vocabulary::list(test.store.read(), VocabularyKind::PoiCategory).await.unwrap();
    [all[0].id.0, all[1].id.0]
}

/// Works in all white-labels.
fn superadmin() -> Actor {
    let white_label_ids = vec![WhiteLabelId(1), WhiteLabelId(2), WhiteLabelId(3)];
    let structure_id = StructureId(1);
    Actor {
        user_id: UserId(1),
        role: Role::Superadmin,
        structure_id,
        active_white_label_id: white_label_ids[0],
        white_label_ids,
    }
}

async fn changed(test: &TestStore, before: &Stored<PoiSheet>, change: impl FnOnce(&mut PoiSheet)) -> Stored<PoiSheet> {
    let tx = test.store.begin().await.unwrap();
    let mut after = before.clone();
    change(&mut after.sheet);
    let saved = record::save::<Pois>(&tx, before, after, BY_NOBODY).await.unwrap();
    tx.commit().await.unwrap();
    saved
}

#[app_test]
async fn each_save_leaves_a_revision_and_one_that_changes_nothing_does_not(test: TestStore) {
    let made = add(&test, morvan(&test).await, "Étang", false).await;
    let renamed = changed(&test, &made, |sheet| sheet.title = Text::in_french("Lac")).await;
    let same = changed(&test, &renamed, |_| {}).await;
    assert_eq!((made.version, renamed.version, same.version), (1, 2, 2));
    let db = test.store.read();
    let heads = record::revisions(db, Kind::Poi, made.id).await.unwrap();
    let listed: Vec<(i64, &[String])> = heads.iter().map(|head| (head.version, head.fields.as_slice())).collect();
    assert_eq!(listed, [(2, &["title".to_owned()][..]), (1, &["*".to_owned()][..])]);
    let first = record::revision::<Pois>(db, made.id, 1).await.unwrap().unwrap();
    assert_eq!(first.sheet.title.fr(), "Étang");
    assert_eq!(record::load::<Pois>(db, made.id).await.unwrap().unwrap().sheet.title.fr(), "Lac");
}

#[app_test]
async fn what_was_saved_before_the_listed_history_is_found(test: TestStore) {
    let by_import = BY_NOBODY.because("import");
    let made = add(&test, morvan(&test).await, "Étang", true).await;
    let db = test.store.read();
    let last = async |field: &str| record::last_change_of(db, Kind::Poi, made.id, field).await.unwrap();
    let otherwise = async |after: i64, reason: &str| {
        record::is_saved_otherwise(db, Kind::Poi, made.id, after, reason).await.unwrap()
    };
    assert_eq!(last("published").await, None, "the making changes no field");
    let tx = test.store.begin().await.unwrap();
    let hidden = Stored { published: false, ..made.clone() };
    let mut now = record::save::<Pois>(&tx, &made, hidden, BY_NOBODY).await.unwrap();
    for _ in 0..501 {
        let mut after = now.clone();
        after.sheet.distribute = !now.sheet.distribute;
        now = record::save::<Pois>(&tx, &now, after, by_import).await.unwrap();
    }
    tx.commit().await.unwrap();
    let listed = record::revisions(db, Kind::Poi, made.id).await.unwrap();
    assert!(listed.iter().all(|head| head.fields == ["distribute"]), "{listed:?}");
    assert_eq!(last("published").await, Some(None), "by hand");
    assert_eq!(last("distribute").await, Some(Some("import".to_owned())));
    for part in ["distribut", "distribut_", "%", "*\",\""] {
        assert_eq!(last(part).await, None, "{part} is no name of a field");
    }
    assert!(otherwise(0, "import").await && otherwise(1, "import").await);
    assert!(!otherwise(2, "import").await && otherwise(2, "bulk").await);
    assert!(!otherwise(now.version, "bulk").await, "nothing was saved after the last version");
    let other = record::last_change_of(db, Kind::Contact, made.id, "published").await.unwrap();
    assert_eq!(other, None, "a record of another kind");
}

#[app_test]
async fn who_waited_for_a_record_gets_it_as_it_was_saved_meanwhile(test: TestStore) {
    let made = add(&test, morvan(&test).await, "Étang", false).await;
    let first = test.store.begin().await.unwrap();
    let before = record::lock::<Pois>(&first, made.id).await.unwrap().unwrap();
    let waiting = tokio::spawn({
        let store = test.store.clone();
        async move {
            let tx = store.begin().await.unwrap();
            record::lock::<Pois>(&tx, made.id).await.unwrap().unwrap()
        }
    });
    until_waited_for(&test.store, &first).await;
    let mut after = before.clone();
    after.sheet.title = Text::in_french("Lac");
    record::save::<Pois>(&first, &before, after, BY_NOBODY).await.unwrap();
    first.commit().await.unwrap();
    let got = waiting.await.unwrap();
    assert_eq!((got.version, got.sheet.title.fr()), (2, "Lac"));
}

#[app_test]
async fn the_state_of_reference_lists_white_labels_and_structures_is_another_one_after_each_change(test: TestStore) {
    let state = async || reference_state(test.store.read()).await.unwrap();
    let mut states = vec![state().await];
    let poi = add(&test, morvan(&test).await, "Étang", false).await;
    changed(&test, &poi, |sheet| sheet.title = Text::in_french("Lac")).await;
    assert_eq!(state().await, states[0], "a point of interest is none of them");
    let tx = test.store.begin().await.unwrap();
    let before = record::load::<Structures>(&tx, 1).await.unwrap().unwrap();
    let mut after = before.clone();
    after.sheet.phone = Some("0102030405".to_owned());
    record::save::<Structures>(&tx, &before, after, BY_NOBODY).await.unwrap();
    tx.commit().await.unwrap();
    states.push(state().await);
    let tx = test.store.begin().await.unwrap();
    let before = record::load::<WhiteLabels>(&tx, 1).await.unwrap().unwrap();
    let mut after = before.clone();
    after.sheet.published = !before.sheet.published;
    record::save::<WhiteLabels>(&tx, &before, after, BY_NOBODY).await.unwrap();
    tx.commit().await.unwrap();
    states.push(state().await);
    let tx = test.store.begin().await.unwrap();
    let way = ItinerarySheet { name: Text::in_french("La Lorne"), ..ItinerarySheet::default() };
    let ways = itinerary_state(test.store.read()).await.unwrap();
    record::insert::<Itineraries>(&tx, Stored { sheet: way, ..Stored::blank(None, NOW) }, BY_NOBODY).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(state().await, states[2], "an itinerary is none of them");
    assert_ne!(itinerary_state(test.store.read()).await.unwrap(), ways);
    let tx = test.store.begin().await.unwrap();
    let category = TermSheet { kind: VocabularyKind::PoiCategory, code: "nouveau".to_owned(), ..TermSheet::default() };
    let new = Stored { sheet: category, ..Stored::blank(None, NOW) };
    let made = record::insert::<Terms>(&tx, new, BY_NOBODY).await.unwrap();
    tx.commit().await.unwrap();
    states.push(state().await);
    let tx = test.store.begin().await.unwrap();
    binned::remove::<Terms>(&tx, &made, &[], BY_NOBODY).await.unwrap();
    tx.commit().await.unwrap();
    states.push(state().await);
    // The row that is gone was the last: now it is as before it was added, and so is what it says.
    assert_eq!(states[4], states[2]);
    assert!((0..4).all(|at| states[at] != states[at + 1]), "{states:?}");
}

#[app_test]
async fn what_is_pointed_to_knows_it_and_can_be_replaced(test: TestStore) {
    let [one, other] = categories(&test).await;
    let made = add(&test, morvan(&test).await, "Étang", false).await;
    changed(&test, &made, |sheet| sheet.category_ids = vec![one]).await;
    let uses = uses::of(test.store.read(), Kind::Vocabulary, one, 100).await.unwrap();
    let users: Vec<(Kind, i64)> = uses.items.iter().map(|used| (used.kind, used.id)).collect();
    assert!(users.contains(&(Kind::Poi, made.id)), "{users:?}");
    assert_eq!(uses.items.len() as i64, uses.total);
    let tx = test.store.begin().await.unwrap();
    let boss = superadmin();
    let freeing = Freeing { actor: &boss, to: Some(other), others: OthersPolicy::Keep };
    let outcome = uses::free(&tx, Kind::Vocabulary, one, freeing, BY_NOBODY.because("merge")).await.unwrap();
    tx.commit().await.unwrap();
    assert!(outcome.is_free(), "{outcome:?}");
    let db = test.store.read();
    assert_eq!(uses::of(db, Kind::Vocabulary, one, 100).await.unwrap().total, 0);
    let now = record::load::<Pois>(db, made.id).await.unwrap().unwrap();
    assert_eq!((now.sheet.category_ids, now.version), (vec![other], 3));
}

#[app_test]
async fn what_is_required_cannot_be_taken_away(test: TestStore) {
    let structure = record::load::<Structures>(test.store.read(), 1).await.unwrap().unwrap();
    let kind = structure.sheet.kind_id;
    let tx = test.store.begin().await.unwrap();
    let boss = superadmin();
    let freeing = Freeing { actor: &boss, to: None, others: OthersPolicy::Free };
    let outcome = uses::free(&tx, Kind::Vocabulary, kind, freeing, BY_NOBODY).await.unwrap();
    assert_eq!(outcome.own_uses.iter().map(|used| (used.kind, used.id)).collect::<Vec<_>>(), [(Kind::Structure, 1)]);
    assert_eq!(outcome.other_uses, 0);
}

#[app_test]
async fn the_bin_gives_back_what_it_was_given_with_its_number(test: TestStore) {
    let [one, other] = categories(&test).await;
    let made = add(&test, morvan(&test).await, "Étang", true).await;
    let saved = changed(&test, &made, |sheet| sheet.category_ids = vec![one, other]).await;
    let tx = test.store.begin().await.unwrap();
    binned::remove::<Pois>(&tx, &saved, &[], BY_NOBODY).await.unwrap();
    // Meanwhile one of its categories goes for good.
    let gone = record::load::<Terms>(&tx, one).await.unwrap().unwrap();
    let boss = superadmin();
    let freeing = Freeing { actor: &boss, to: None, others: OthersPolicy::Free };
    uses::free(&tx, Kind::Vocabulary, one, freeing, BY_NOBODY).await.unwrap();
    binned::remove::<Terms>(&tx, &gone, &[], BY_NOBODY).await.unwrap();
    tx.commit().await.unwrap();
    assert!(record::load::<Pois>(test.store.read(), made.id).await.unwrap().is_none());
    let tx = test.store.begin().await.unwrap();
    let binned = binned::number_of(&tx, Kind::Poi, made.id).await.unwrap().unwrap();
    let back = binned::restore(&tx, binned, &Access::of(&boss), BY_NOBODY).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    assert_eq!((back.kind, back.id), (Kind::Poi, made.id));
    let now = record::load::<Pois>(test.store.read(), made.id).await.unwrap().unwrap();
    assert_eq!((now.sheet.title.fr(), now.published, now.version), ("Étang", true, 3));
    assert_eq!(now.sheet.category_ids, [other], "what is gone is not pointed to");
    let found = store::poi::PoiFilter {
        search: Some("etang".to_owned()),
        ..store::poi::PoiFilter::seen_from(morvan(&test).await)
    };
    assert_eq!(
        store::poi::ids(test.store.read(), &found, 9).await.unwrap(),
        [made.id],
        "it is found by its words again"
    );
}

#[app_test]
async fn after_thirty_days_the_bin_and_the_history_are_empty(test: TestStore) {
    let made = add(&test, morvan(&test).await, "Étang", true).await;
    let tx = test.store.begin().await.unwrap();
    binned::remove::<Pois>(&tx, &made, &[], BY_NOBODY).await.unwrap();
    binned::expire(&tx, NOW.plus_s(30 * 86_400 - 1)).await.unwrap();
    assert!(binned::number_of(&tx, Kind::Poi, made.id).await.unwrap().is_some());
    binned::expire(&tx, NOW.plus_s(30 * 86_400)).await.unwrap();
    assert!(binned::number_of(&tx, Kind::Poi, made.id).await.unwrap().is_none());
    assert!(record::revisions(&tx, Kind::Poi, made.id).await.unwrap().is_empty());
}

#[app_test]
async fn content_of_a_white_label_points_to_what_its_structure_has_and_to_what_others_share(test: TestStore) {
    let own = morvan(&test).await;
    let db = test.store.read();
    let other = store::white_label::find_by_slug(db, "vercors").await.unwrap().unwrap().id;
    let sibling = store::white_label::find_by_slug(db, "morvan-velo").await.unwrap().unwrap().id;
    let draft = add(&test, other, "Brouillon", false).await;
    let shared = add(&test, other, "Grotte", true).await;
    let near = add(&test, sibling, "Lavoir", false).await;
    let access = Access::of_white_label(db, own).await.unwrap();
    for (poi, expected) in [(draft.id, false), (shared.id, true), (near.id, true), (999_999, false)] {
        assert_eq!(access.may_use(db, Kind::Poi, poi).await.unwrap(), expected);
    }
    assert!(access.may_use(db, Kind::WhiteLabel, sibling.0).await.unwrap());
    assert!(!access.may_use(db, Kind::WhiteLabel, other.0).await.unwrap());
    let mut sheet = domain::parcours::Sheet {
        poi_ids: vec![draft.id, shared.id, near.id],
        contact_id: Some(5),
        parent_id: Some(6),
        relation: domain::parcours::Relation::Child,
        ..Default::default()
    };
    let stood = domain::parcours::Sheet { contact_id: Some(5), ..Default::default() };
    access.forget_unusable_of_parcours(db, (&stood, &[]), (&mut sheet, &mut [])).await.unwrap();
    assert_eq!((sheet.poi_ids, sheet.contact_id), (vec![shared.id, near.id], Some(5)), "what stood before stays");
    assert_eq!((sheet.parent_id, sheet.relation), (None, domain::parcours::Relation::None));
}
