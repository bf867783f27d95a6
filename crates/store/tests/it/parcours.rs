//! Lists of parcours: what the words' index counts is what the rows say, whatever was saved in between.

use std::time::Duration;

use domain::parcours::{Inheritable, Progress, Sheet};
use domain::record::Kind;
use domain::{Actor, Instant, ParcoursId, Role, StructureId, Text, UserId, WhiteLabelId};
use macros::app_test;
use store::parcours::{
    self, Change, Filter, Inherited, NewParcours, ParcoursPage, ProgressFilter, Sort, SortKey, Stored,
};
use store::server::run_sql;
use store::{Dialect, OwnerFilter, Page, poi, white_label};
use teststore::{NOW, TestStore, dice, until_waited_for};

use crate::search::add;

async fn owner(test: &TestStore, slug: &str) -> WhiteLabelId {
    white_label::find_by_slug(test.store.read(), slug).await.unwrap().unwrap().id
}

fn editor(white_label: WhiteLabelId) -> Actor {
    Actor {
        user_id: UserId(1),
        role: Role::Editor,
        structure_id: StructureId(1),
        white_label_ids: vec![white_label],
        active_white_label_id: white_label,
    }
}

fn languages() -> Vec<String> {
    vec!["fr".to_owned(), "en".to_owned()]
}

fn change(languages: &[String], at_s: i64) -> Change<'_> {
    Change { by: None, at: Instant(NOW.0 + at_s), reason: None, languages }
}

const WORDS: [&str; 6] = ["lac", "lacets", "forêt", "col", "collet", "étang"];

fn random(roll: &mut impl FnMut(u64) -> u64, owners: &[WhiteLabelId]) -> NewParcours {
    let mut word = || WORDS[roll(6) as usize];
    let title = format!("{} {}", word(), word());
    let one_in = |roll: &mut dyn FnMut(u64) -> u64, sides| roll(sides) == 0;
    let sheet = Sheet {
        title: Text::in_french(title),
        summary: if one_in(roll, 2) { Text::in_french("Un détour par le moulin.") } else { Text::default() },
        practice_type_id: Some(roll(3) as i64 + 1).filter(|id| *id < 3),
        level_id: Some(roll(4) as i64 + 10),
        theme_ids: (20..23).filter(|_| roll(3) == 0).collect(),
        progress_status: [None, None, None, Some(Progress::ToFix), Some(Progress::Archived)][roll(5) as usize],
        distribute_own: roll(2) == 0,
        ..Sheet::default()
    };
    NewParcours {
        white_label_id: owners[roll(owners.len() as u64) as usize],
        published: roll(3) > 0,
        sheet,
        steps: Vec::new(),
        trace: None,
    }
}

fn filters() -> Vec<Filter> {
    let asked = |words: &str| Filter { search: Some(words.to_owned()), ..Filter::default() };
    vec![
        asked("lac"),
        asked("lac col"),
        asked("col lac"),
        asked("détour"),
        asked("nulle part"),
        asked("l"),
        Filter { owner: OwnerFilter::Mine, ..asked("l") },
        Filter { owner: OwnerFilter::Shared, published: Some(true), ..asked("l") },
        Filter { published: Some(true), ..asked("lac") },
        Filter { practices: vec![1, 2], ..asked("co") },
        Filter { levels: vec![10, 12], themes: vec![20], ..asked("f") },
        Filter { progress: ProgressFilter::Any, ..asked("lac") },
        Filter { progress: ProgressFilter::These(vec![Progress::Archived]), ..asked("étang") },
        Filter { owner: OwnerFilter::Mine, ..asked("lac") },
        Filter { owner: OwnerFilter::Shared, ..asked("lac") },
        Filter { owner: OwnerFilter::Shared, progress: ProgressFilter::Any, published: Some(true), ..asked("l") },
        Filter { incomplete: true, ..asked("col") },
        Filter { reliability_below: Some(95.0), ..asked("col") },
    ]
}

async fn page(test: &TestStore, viewer: &Actor, filter: &Filter) -> ParcoursPage {
    parcours::list(test.store.read(), viewer, filter, Sort::default(), Page::new(1, 200), None).await.unwrap()
}

/// Each filter by the index of facts, and by the rows: naming all parcours takes the facts out of play.
async fn index_and_rows_agree(test: &TestStore, viewer: &Actor, all: &[ParcoursId], when: &str) {
    for filter in filters() {
        let by_index = page(test, viewer, &filter).await;
        let named = Filter { ids: Some(all.iter().map(|id| id.0).collect()), ..filter.clone() };
        let by_rows = page(test, viewer, &named).await;
        let ids = |page: &ParcoursPage| page.items.iter().map(|row| row.id).collect::<Vec<_>>();
        assert_eq!(ids(&by_index), ids(&by_rows), "{when}: {filter:?}");
        assert_eq!((by_index.total, by_index.counts), (by_rows.total, by_rows.counts), "{when}: {filter:?}");
        assert_eq!(by_index.total as usize, by_index.items.len(), "{when}: {filter:?}");
    }
}

/// Whether a parcours is one that a filter leaves.
type Belongs = fn(&Stored) -> bool;

/// Few parcours have a fact: the index of words finds them.
async fn facts_without_words_find_what_has_them(test: &TestStore, viewer: &Actor, stored: &[Stored]) {
    let all = Filter { progress: ProgressFilter::Any, ..Filter::default() };
    let cases: [(Filter, Belongs); 5] = [
        (Filter { levels: vec![12], ..all.clone() }, |one| one.sheet.level_id == Some(12)),
        (Filter { levels: vec![99], ..all.clone() }, |_| false),
        (Filter { themes: vec![20, 21], ..all.clone() }, |one| one.sheet.theme_ids.iter().any(|id| *id < 22)),
        (Filter { published: Some(false), ..all.clone() }, |one| !one.published),
        (Filter { practices: vec![1], published: Some(false), ..all.clone() }, |one| {
            one.sheet.practice_type_id == Some(1) && !one.published
        }),
    ];
    for (filter, belongs) in cases {
        let is_seen = |one: &&Stored| {
            one.white_label_id == viewer.active_white_label_id || (one.published && one.sheet.distribute_own)
        };
        let mut expected: Vec<ParcoursId> =
            stored.iter().filter(is_seen).filter(|one| belongs(one)).map(|one| one.id).collect();
        expected.reverse();
        let page = page(test, viewer, &filter).await;
        assert_eq!(page.items.iter().map(|row| row.id).collect::<Vec<_>>(), expected, "{filter:?}");
        assert_eq!(page.total as usize, expected.len(), "{filter:?}");
    }
}

#[app_test]
async fn what_the_index_counts_is_what_the_rows_say(test: TestStore) {
    let (morvan, vercors) = (owner(&test, "morvan").await, owner(&test, "vercors").await);
    let (mut roll, languages) = (dice(7), languages());
    let mut stored: Vec<Stored> = Vec::new();
    let tx = test.store.begin().await.unwrap();
    for at in 0..120 {
        stored
            .push(parcours::insert(&tx, &random(&mut roll, &[morvan, vercors]), change(&languages, at)).await.unwrap());
    }
    tx.commit().await.unwrap();
    let all: Vec<ParcoursId> = stored.iter().map(|one| one.id).collect();
    let viewer = editor(morvan);
    index_and_rows_agree(&test, &viewer, &all, "after making").await;
    facts_without_words_find_what_has_them(&test, &viewer, &stored).await;

    let tx = test.store.begin().await.unwrap();
    for (at, before) in stored.iter().enumerate() {
        let new = random(&mut roll, &[morvan]);
        let after = match at % 4 {
            0 => Stored { published: !before.published, ..before.clone() },
            1 => Stored { sheet: new.sheet, ..before.clone() },
            2 => Stored {
                sheet: Sheet { progress_status: None, theme_ids: vec![22], ..before.sheet.clone() },
                ..before.clone()
            },
            _ => before.clone(),
        };
        parcours::save(&tx, before, after, None, change(&languages, 1_000)).await.unwrap();
        if at % 7 == 0 && before.white_label_id == vercors {
            parcours::link_white_label(&tx, before.id, morvan, true, NOW).await.unwrap();
        }
    }
    tx.commit().await.unwrap();
    index_and_rows_agree(&test, &viewer, &all, "after saving").await;

    let tx = test.store.begin().await.unwrap();
    for one in stored.iter().step_by(14) {
        parcours::unlink_white_label(&tx, one.id, morvan, NOW).await.unwrap();
    }
    for one in stored.iter().skip(3).step_by(9) {
        let gone = parcours::lock(&tx, one.id).await.unwrap().unwrap();
        store::binned::delete_parcours(&tx, &gone, &[], &viewer, NOW).await.unwrap();
    }
    tx.commit().await.unwrap();
    index_and_rows_agree(&test, &viewer, &all, "after taking away").await;
    index_and_rows_agree(&test, &editor(vercors), &all, "seen by the other").await;
}

#[app_test]
async fn beyond_ten_thousand_the_total_is_capped_and_the_page_is_right(test: TestStore) {
    let morvan = owner(&test, "morvan").await;
    let languages = languages();
    let tx = test.store.begin().await.unwrap();
    for at in 0..10_060 {
        let title = if at % 100 == 0 { "Tour du lac" } else { "Tour des lacets" };
        parcours::insert(&tx, &shared_parcours(morvan, title, None), change(&languages, at)).await.unwrap();
    }
    tx.commit().await.unwrap();
    let viewer = editor(morvan);
    // In nearly all: rows are walked and tested one by one.
    let asked = |words: &str| Filter { search: Some(words.to_owned()), ..Filter::default() };
    for (words, total, capped) in [
        ("tour", 10_000, true),
        ("tour lac", 10_000, true),
        ("lac tour", 101, false),
        ("lacets", 9_959, false),
        ("", 10_000, true),
    ] {
        let page = parcours::list(test.store.read(), &viewer, &asked(words), Sort::default(), Page::new(1, 5), None)
            .await
            .unwrap();
        assert_eq!((page.total, page.total_capped), (total, capped), "{words}");
        let ids: Vec<_> = page.items.iter().map(|row| row.updated_at.0 - NOW.0).collect();
        let newest: &[i64] = match words {
            "lac tour" => &[10_000, 9_900, 9_800, 9_700, 9_600],
            _ => &[10_059, 10_058, 10_057, 10_056, 10_055],
        };
        assert_eq!(ids, newest, "{words}");
    }
    for key in [SortKey::Updated, SortKey::Created, SortKey::Title, SortKey::Distance, SortKey::Reliability] {
        let sort = Sort { key, descending: true };
        let page =
            parcours::list(test.store.read(), &viewer, &asked("lacets"), sort, Page::new(1, 5), None).await.unwrap();
        let ids: Vec<_> = page.items.iter().map(|row| row.updated_at.0 - NOW.0).collect();
        assert_eq!(ids, [10_059, 10_058, 10_057, 10_056, 10_055], "{key:?}");
    }
    let published = Filter { published: Some(true), ..Filter::default() };
    let page =
        parcours::list(test.store.read(), &viewer, &published, Sort::default(), Page::new(3, 5), None).await.unwrap();
    assert_eq!((page.total, page.total_capped, page.items[0].updated_at.0 - NOW.0), (10_000, true, 10_049));
    few_of_one_kind_are_counted_beside_ten_thousand(&test, morvan).await;
}

fn shared_parcours(owner: WhiteLabelId, title: &str, progress_status: Option<Progress>) -> NewParcours {
    let sheet = Sheet { title: Text::in_french(title), distribute_own: true, progress_status, ..Sheet::default() };
    NewParcours { white_label_id: owner, published: true, sheet, steps: Vec::new(), trace: None }
}

/// Adds three parcours of another white-label and two with a progress status to the 10,060 of the first.
async fn few_of_one_kind_are_counted_beside_ten_thousand(test: &TestStore, morvan: WhiteLabelId) {
    let vercors = owner(test, "vercors").await;
    let languages = languages();
    let tx = test.store.begin().await.unwrap();
    for (owner, progress) in [
        (vercors, None),
        (vercors, None),
        (vercors, None),
        (morvan, Some(Progress::ToFix)),
        (morvan, Some(Progress::ToFix)),
    ] {
        parcours::insert(&tx, &shared_parcours(owner, "Tour", progress), change(&languages, 20_000)).await.unwrap();
    }
    let boxes = match test.store.dialect() {
        Dialect::Sqlite => {
            "INSERT INTO parcours_box (id, west, east, south, north) SELECT id, 2.0, 2.1, 45.0, 45.1 FROM parcours"
        }
        Dialect::Postgres => {
            "INSERT INTO parcours_box (id, extent) SELECT id, box(point(2.0, 45.0), point(2.1, 45.1)) FROM parcours"
        }
    };
    run_sql(&tx, boxes).await.unwrap();
    let complete = "UPDATE parcours SET lacks = 0 WHERE id NOT IN (SELECT MIN(id) FROM parcours UNION SELECT MAX(id) FROM parcours WHERE progress = 0)";
    run_sql(&tx, complete).await.unwrap();
    let hidden = NewParcours { published: false, ..shared_parcours(morvan, "Tour", None) };
    parcours::insert(&tx, &hidden, change(&languages, 20_001)).await.unwrap();
    tx.commit().await.unwrap();
    let published = Filter { published: Some(true), ..Filter::default() };
    let in_box = Filter { bbox: Some([0.0, 44.0, 3.0, 46.0]), ..Filter::default() };
    for (viewer, mine, shared) in [(morvan, 10_001, 3), (vercors, 3, 10_001)] {
        for filter in [&published, &in_box] {
            for (owner, rows) in
                [(OwnerFilter::Mine, mine), (OwnerFilter::Shared, shared), (OwnerFilter::All, mine + shared)]
            {
                let page = page(test, &editor(viewer), &Filter { owner, ..filter.clone() }).await;
                let case = format!("{viewer:?} {owner:?} {:?}", filter.bbox);
                assert_eq!((page.counts.mine, page.counts.shared), (mine, shared), "{case}");
                assert_eq!((page.total, page.total_capped), (rows.min(10_000), rows > 10_000), "{case}");
                assert_eq!(page.items.len() as i64, rows.min(200), "{case}");
                // Both with a progress status are of the first white-label.
                let others = if viewer == morvan { OwnerFilter::Shared } else { OwnerFilter::Mine };
                assert_eq!(page.counts.hidden_by_progress, if owner == others { 0 } else { 2 }, "{case}");
            }
        }
    }
    let tabs = parcours::views(test.store.read(), &editor(morvan), &Filter::default()).await.unwrap();
    assert_eq!((tabs.all, tabs.incomplete, tabs.low_reliability), (10_001, 3, 0));
    let unpublished = Filter { published: Some(false), ..Filter::default() };
    for (viewer, found) in [(morvan, 1), (vercors, 0)] {
        let page = page(test, &editor(viewer), &unpublished).await;
        assert_eq!((page.total, page.items.len()), (found, found as usize));
    }
}

#[app_test]
async fn a_transaction_that_is_dropped_leaves_nothing(test: TestStore) {
    let morvan = owner(&test, "morvan").await;
    let languages = languages();
    let mut roll = dice(3);
    let tx = test.store.begin().await.unwrap();
    let id = parcours::insert(&tx, &random(&mut roll, &[morvan]), change(&languages, 0)).await.unwrap().id;
    drop(tx);
    assert_eq!(parcours::load(test.store.read(), id).await.unwrap(), None);
    assert_eq!(
        page(&test, &editor(morvan), &Filter { progress: ProgressFilter::Any, ..Filter::default() }).await.total,
        0
    );
    assert!(store::record::revisions(test.store.read(), Kind::Parcours, id.0).await.unwrap().is_empty());
}

#[app_test]
async fn the_history_of_a_parcours_tells_who_published_it_last(test: TestStore) {
    let morvan = owner(&test, "morvan").await;
    let languages = languages();
    let (by_hand, by_import) = (change(&languages, 1), change(&languages, 2).because("import"));
    let tx = test.store.begin().await.unwrap();
    let new = NewParcours { published: false, ..random(&mut dice(5), &[morvan]) };
    let made = parcours::insert(&tx, &new, change(&languages, 0)).await.unwrap();
    let id = made.id.0;
    let last = async || store::record::last_change_of(&tx, Kind::Parcours, id, "published").await.unwrap();
    assert_eq!(last().await, None);
    let shown = Stored { published: true, ..made.clone() };
    let shown = parcours::save(&tx, &made, shown, None, by_import).await.unwrap();
    assert_eq!(last().await, Some(Some("import".to_owned())));
    let hidden = Stored { published: false, ..shown.clone() };
    let hidden = parcours::save(&tx, &shown, hidden, None, by_hand).await.unwrap();
    let mut renamed = hidden.clone();
    renamed.sheet.title = Text::in_french("Autre nom");
    let renamed = parcours::save(&tx, &hidden, renamed, None, by_import).await.unwrap();
    assert_eq!(last().await, Some(None));
    let otherwise =
        async |after: i64| store::record::is_saved_otherwise(&tx, Kind::Parcours, id, after, "import").await.unwrap();
    assert!(otherwise(shown.version).await);
    assert!(!otherwise(hidden.version).await && !otherwise(renamed.version).await);
}

#[app_test]
async fn who_waited_for_a_parcours_gets_it_as_it_was_saved_meanwhile(test: TestStore) {
    let morvan = owner(&test, "morvan").await;
    let languages = languages();
    let tx = test.store.begin().await.unwrap();
    let id = parcours::insert(&tx, &random(&mut dice(4), &[morvan]), change(&languages, 0)).await.unwrap().id;
    tx.commit().await.unwrap();
    let first = test.store.begin().await.unwrap();
    let before = parcours::lock(&first, id).await.unwrap().unwrap();
    let waiting = tokio::spawn({
        let store = test.store.clone();
        async move { parcours::lock(&store.begin().await.unwrap(), id).await.unwrap().unwrap() }
    });
    until_waited_for(&test.store, &first).await;
    let mut after = before.clone();
    after.sheet.title = Text::in_french("Tour du lac");
    let saved = parcours::save(&first, &before, after, None, change(&languages, 1)).await.unwrap();
    first.commit().await.unwrap();
    assert_eq!(waiting.await.unwrap(), saved);
}

#[app_test]
async fn what_several_parents_say_is_read_together_and_the_nearest_answer_wins(test: TestStore) {
    let (white_label_id, languages) = (owner(&test, "morvan").await, languages());
    let tx = test.store.begin().await.unwrap();
    let add = async |parent_id: Option<i64>, bike_carriage: Inheritable, bookable: Inheritable| {
        let title = Text::in_french("Tour");
        let sheet = Sheet { title, parent_id, bike_carriage, bookable, ..Sheet::default() };
        let new = NewParcours { white_label_id, published: true, sheet, steps: Vec::new(), trace: None };
        parcours::insert(&tx, &new, change(&languages, 0)).await.unwrap().id.0
    };
    let top = add(None, Inheritable::Yes, Inheritable::No).await;
    let middle = add(Some(top), Inheritable::No, Inheritable::Inherit).await;
    let low = add(Some(middle), Inheritable::Inherit, Inheritable::Inherit).await;
    let alone = add(None, Inheritable::Inherit, Inheritable::Yes).await;
    tx.commit().await.unwrap();
    let db = test.store.read();
    let together = parcours::inherited_from(db, &[top, middle, low, alone]).await.unwrap();
    for (id, bike_carriage, bookable) in [
        (top, Some(true), Some(false)),
        (middle, Some(false), Some(false)),
        (low, Some(false), Some(false)),
        (alone, None, Some(true)),
    ] {
        let expected = Inherited { bike_carriage, bookable };
        assert_eq!(together.get(&id), Some(&expected), "{id}");
        assert_eq!(parcours::inherited(db, ParcoursId(id)).await.unwrap(), expected, "{id} alone");
    }
    assert!(parcours::inherited_from(db, &[]).await.unwrap().is_empty());
}

#[app_test]
async fn a_record_whose_lacks_are_not_saved_is_passed_over(test: TestStore) {
    let white_label = owner(&test, "morvan").await;
    let languages = languages();
    add(&test, white_label, "Lac", false).await;
    let tx = test.store.begin().await.unwrap();
    parcours::insert(&tx, &random(&mut dice(6), &[white_label]), change(&languages, 0)).await.unwrap();
    for table in ["poi", "parcours"] {
        run_sql(&tx, &format!("UPDATE {table} SET lack_bits = -1")).await.unwrap();
        // From here on the rows stay as they are.
        let unchanged = match test.store.dialect() {
            Dialect::Sqlite => {
                format!("CREATE TRIGGER kept_{table} BEFORE UPDATE ON {table} BEGIN SELECT RAISE(IGNORE); END")
            }
            Dialect::Postgres => format!("CREATE RULE kept_{table} AS ON UPDATE TO {table} DO INSTEAD NOTHING"),
        };
        run_sql(&tx, &unchanged).await.unwrap();
    }
    tx.commit().await.unwrap();
    let worked_out = async {
        let pois = poi::work_out_lacks(&test.store, &languages).await.unwrap();
        (pois, parcours::work_out_lacks(&test.store, &languages).await.unwrap())
    };
    assert_eq!(tokio::time::timeout(Duration::from_secs(20), worked_out).await, Ok((1, 1)));
}
