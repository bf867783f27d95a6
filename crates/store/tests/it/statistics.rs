//! The sums of the days of all white-labels are those of the single events, whatever was written or deleted in between.

use std::collections::BTreeMap;

use domain::statistics::{Day, Event, EventKind, EventSource, Period};
use domain::{DAY_S, ParcoursId, TimeZone, WhiteLabelId};
use macros::app_test;
use store::server::{run_sql, texts};
use store::statistics::{self, Counts, Filter, GroupBy, Sum};
use store::{Dialect, white_label};
use teststore::{NOW, TestStore, dice};

/// Days of which there are events.
const DAYS: u64 = 12;
const COUNTRIES: [&str; 5] = ["FR", "BE", "NL", "GB", ""];
const LANGUAGES: [&str; 3] = ["fr", "en", ""];
const SOURCES: [EventSource; 3] = [EventSource::PublicPage, EventSource::App, EventSource::Widget];

fn event(white_label_id: WhiteLabelId, roll: &mut impl FnMut(u64) -> u64) -> Event {
    Event {
        at: NOW.plus_s(-DAY_S * roll(DAYS) as i64),
        parcours_id: ParcoursId(roll(9) as i64 + 1),
        white_label_id,
        kind: EventKind::ALL[roll(6) as usize],
        source: SOURCES[roll(3) as usize],
        country: COUNTRIES[roll(5) as usize].to_owned(),
        language: LANGUAGES[roll(3) as usize].to_owned(),
        host: String::new(),
    }
}

/// The zone whose days [`counted`] can count in SQL.
fn utc() -> TimeZone {
    TimeZone::parse("UTC").unwrap()
}

async fn keep(test: &TestStore, events: &[Event]) {
    let tx = test.store.begin().await.unwrap();
    statistics::keep(&tx, events, &utc()).await.unwrap();
    tx.commit_aside().await.unwrap();
}

async fn run(test: &TestStore, sql: &str) {
    let tx = test.store.begin().await.unwrap();
    run_sql(&tx, sql).await.unwrap();
    tx.commit_aside().await.unwrap();
}

/// All white-labels of the database.
async fn everyone(test: &TestStore) -> Vec<WhiteLabelId> {
    let mut ids = Vec::new();
    for slug in texts(test.store.read(), "SELECT slug FROM white_label ORDER BY id").await.unwrap() {
        ids.push(white_label::find_by_slug(test.store.read(), &slug).await.unwrap().unwrap().id);
    }
    assert!(ids.len() > 2, "{ids:?}");
    ids
}

fn asked(white_labels: &[WhiteLabelId]) -> Filter {
    let today = Day::of(NOW);
    Filter {
        period: Period { from: today.plus(-400), to: today },
        white_label_ids: white_labels.iter().map(|id| id.0).collect(),
        parcours_id: None,
        kind: None,
        source: None,
        country: None,
        language: None,
    }
}

/// The sums of all white-labels as they are stored.
async fn stored(test: &TestStore) -> Vec<String> {
    let changes = match test.store.dialect() {
        Dialect::Sqlite => "",
        Dialect::Postgres => "UNION ALL SELECT day, kind, source, country, language, step FROM statistics_change",
    };
    let sql = format!(
        "SELECT day || ' ' || kind || ' ' || source || ' ' || country || ' ' || language || ' ' || SUM(total)
        FROM (SELECT day, kind, source, country, language, total FROM statistics_all {changes}) s
        GROUP BY day, kind, source, country, language HAVING SUM(total) <> 0 ORDER BY day, kind, source, country, language"
    );
    texts(test.store.read(), &sql).await.unwrap()
}

/// The same, counted from single events.
async fn counted(test: &TestStore) -> Vec<String> {
    let sql = format!(
        "SELECT (at / {DAY_S}) || ' ' || kind || ' ' || source || ' ' || country || ' ' || language || ' ' || COUNT(*)
        FROM statistics_event GROUP BY at / {DAY_S}, kind, source, country, language ORDER BY at / {DAY_S}, kind, source, country, language"
    );
    texts(test.store.read(), &sql).await.unwrap()
}

fn added(sums: Vec<Sum>, to: &mut BTreeMap<String, Counts>) {
    for sum in sums {
        to.entry(sum.key).or_default().add(&sum.counts);
    }
}

/// Compares what is answered about all white-labels with what is answered about one after the other.
async fn the_same_one_by_one(test: &TestStore) {
    let (db, everyone) = (test.store.read(), everyone(test).await);
    let all = asked(&everyone);
    for filter in [
        all.clone(),
        Filter { period: Period { from: Day::of(NOW).plus(-5), to: Day::of(NOW).plus(-2) }, ..all.clone() },
        Filter { kind: Some(EventKind::Pdf), source: Some(EventSource::App), ..all.clone() },
        Filter { country: Some(String::new()), language: Some("fr".to_owned()), ..all.clone() },
    ] {
        let one = |id: &WhiteLabelId| Filter { white_label_ids: vec![id.0], ..filter.clone() };
        let mut days: BTreeMap<Day, Counts> = BTreeMap::new();
        for id in &everyone {
            for (day, counts) in statistics::by_day(db, &one(id)).await.unwrap() {
                days.entry(day).or_default().add(&counts);
            }
        }
        let together = statistics::by_day(db, &filter).await.unwrap();
        assert_eq!(together, days.into_iter().collect::<Vec<_>>(), "{filter:?}");
        for by in [GroupBy::Source, GroupBy::Country, GroupBy::Language] {
            let (mut apart, mut together) = (BTreeMap::new(), BTreeMap::new());
            for id in &everyone {
                added(statistics::by(db, &one(id), by, 1_000).await.unwrap(), &mut apart);
            }
            added(statistics::by(db, &filter, by, 1_000).await.unwrap(), &mut together);
            assert_eq!(together, apart, "{by:?} {filter:?}");
        }
    }
}

async fn all_is_right(test: &TestStore) {
    assert_eq!(stored(test).await, counted(test).await);
    the_same_one_by_one(test).await;
}

#[app_test]
async fn the_sums_of_all_white_labels_are_those_of_the_events(test: TestStore) {
    let (everyone, mut roll) = (everyone(&test).await, dice(5));
    // More than a thousand changes: those of PostgreSQL are added to the sums in between. Most events are of past days.
    for _ in 0..12 {
        let events: Vec<Event> =
            (0..300).map(|_| event(everyone[roll(everyone.len() as u64) as usize], &mut roll)).collect();
        keep(&test, &events).await;
    }
    all_is_right(&test).await;
    if test.store.dialect() == Dialect::Postgres {
        let sql = "SELECT CAST(COUNT(*) AS TEXT) FROM statistics_all";
        assert_ne!(texts(test.store.read(), sql).await.unwrap(), ["0"], "changes were added to the sums");
    }
    // One late event of a past day.
    let late = Event { at: NOW.plus_s(-DAY_S * 9), ..event(everyone[0], &mut roll) };
    keep(&test, &[late]).await;
    all_is_right(&test).await;

    // What is erased of one parcours is still counted for its white-label.
    run(&test, "DELETE FROM statistics_day WHERE parcours_id = 4").await;
    all_is_right(&test).await;
    for table in ["statistics_event", "statistics_day"] {
        run(&test, &format!("DELETE FROM {table} WHERE white_label_id = {}", everyone[1])).await;
    }
    all_is_right(&test).await;
    for table in ["statistics_event", "statistics_day"] {
        run(&test, &format!("DELETE FROM {table}")).await;
    }
    all_is_right(&test).await;
    assert!(statistics::by_day(test.store.read(), &asked(&everyone)).await.unwrap().is_empty());
}

#[app_test]
async fn old_events_go_and_the_sums_of_all_white_labels_stay(test: TestStore) {
    let (everyone, mut roll) = (everyone(&test).await, dice(3));
    let events: Vec<Event> = (0..50).map(|_| event(everyone[0], &mut roll)).collect();
    keep(&test, &events).await;
    let before = stored(&test).await;
    let tx = test.store.begin().await.unwrap();
    assert!(!statistics::tidy(&tx, NOW.plus_s(domain::statistics::EVENTS_KEPT_S + DAY_S)).await.unwrap());
    tx.commit_aside().await.unwrap();
    assert!(counted(&test).await.is_empty());
    assert_eq!(stored(&test).await, before);
    the_same_one_by_one(&test).await;
}

#[app_test]
async fn figures_of_some_white_labels_do_not_hold_those_of_others(test: TestStore) {
    let (everyone, mut roll) = (everyone(&test).await, dice(9));
    for id in &everyone {
        let events: Vec<Event> = (0..20).map(|_| event(*id, &mut roll)).collect();
        keep(&test, &events).await;
    }
    let total = async |ids: &[WhiteLabelId]| {
        let days = statistics::by_day(test.store.read(), &asked(ids)).await.unwrap();
        days.iter().map(|(_, counts)| counts.total()).sum::<i64>()
    };
    assert_eq!(total(&everyone).await, 20 * everyone.len() as i64);
    assert_eq!(total(&everyone[1..]).await, 20 * (everyone.len() as i64 - 1));
    assert_eq!(total(&everyone[..2]).await, 40);
    assert_eq!(total(&[]).await, 0);
}

#[app_test]
async fn two_servers_that_count_on_one_day_do_not_wait_for_each_other(test: TestStore) {
    if test.store.dialect() == Dialect::Sqlite {
        // It has one writer.
        return;
    }
    let everyone = everyone(&test).await;
    // More than a thousand different sums of each server: both come to the point at which changes are added.
    let events = |white_label_id: WhiteLabelId| -> Vec<Event> {
        let countries = (b'A'..=b'Z')
            .flat_map(|one| (b'A'..=b'Z').map(move |two| String::from_utf8_lossy(&[one, two]).into_owned()));
        let event = event(white_label_id, &mut dice(1));
        let of = |country: String| {
            LANGUAGES.map(|language| Event { country: country.clone(), language: language.to_owned(), ..event.clone() })
        };
        countries.flat_map(of).collect()
    };
    let [first, second] = [test.store.begin().await.unwrap(), test.store.begin().await.unwrap()];
    statistics::keep(&first, &events(everyone[0]), &utc()).await.unwrap();
    statistics::keep(&second, &events(everyone[1]), &utc()).await.unwrap();
    statistics::keep(&first, &events(everyone[0]), &utc()).await.unwrap();
    statistics::keep(&second, &events(everyone[1]), &utc()).await.unwrap();
    first.commit_aside().await.unwrap();
    second.commit_aside().await.unwrap();
    all_is_right(&test).await;
}

#[app_test]
async fn a_database_without_sums_of_all_white_labels_is_answered_and_filled(test: TestStore) {
    let (everyone, mut roll) = (everyone(&test).await, dice(2));
    let mut some = || (0..200).map(|at| event(everyone[at % everyone.len()], &mut roll)).collect::<Vec<_>>();
    let [before, meanwhile, after] = [some(), some(), some()];
    keep(&test, &before).await;
    if test.store.dialect() == Dialect::Postgres {
        // As after the step, on a database of a version that had none.
        run(&test, "DELETE FROM statistics_filled; DELETE FROM statistics_all; DELETE FROM statistics_change").await;
    }
    keep(&test, &meanwhile).await;
    the_same_one_by_one(&test).await;
    statistics::fill(&test.store).await.unwrap();
    all_is_right(&test).await;
    keep(&test, &after).await;
    statistics::fill(&test.store).await.unwrap();
    all_is_right(&test).await;
}
